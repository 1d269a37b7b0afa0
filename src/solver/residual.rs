//! How far the constraints are from being satisfied, summed up from the partial sums of `residual.comp`.

use serde::Serialize;

use crate::constraint::Group;
use crate::gpu::layout;

/// |C| / rest length over a set of constraints, and their length against the original one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Residual {
    pub count: u32,
    pub mean: f64,
    pub rms: f64,
    pub max: f64,
    /// Mean of length / original length, which does not know of any rest scale.
    pub length_ratio_mean: f64,
}

impl Residual {
    /// Adds up partial sums over `count` constraints.
    pub fn of<'a>(count: u32, partial: impl IntoIterator<Item = &'a layout::Residual>) -> Self {
        let (mut sum, mut sum_squares, mut max, mut length_ratio) = (0.0, 0.0, 0.0f64, 0.0);
        for row in partial {
            sum += f64::from(row.sum);
            sum_squares += f64::from(row.sum_squares);
            max = max.max(f64::from(row.max));
            length_ratio += f64::from(row.length_ratio_sum);
        }
        let n = f64::from(count.max(1));
        Self { count, mean: sum / n, rms: (sum_squares / n).sqrt(), max, length_ratio_mean: length_ratio / n }
    }

    /// The residual over several sets together.
    pub fn merge<'a>(parts: impl IntoIterator<Item = &'a Residual>) -> Self {
        let (mut count, mut sum, mut sum_squares, mut max, mut length_ratio) = (0, 0.0, 0.0, 0.0f64, 0.0);
        for part in parts {
            let n = f64::from(part.count);
            count += part.count;
            sum += part.mean * n;
            sum_squares += part.rms * part.rms * n;
            max = max.max(part.max);
            length_ratio += part.length_ratio_mean * n;
        }
        let n = f64::from(count.max(1));
        Self { count, mean: sum / n, rms: (sum_squares / n).sqrt(), max, length_ratio_mean: length_ratio / n }
    }
}

/// The residual of the constraints of one colour and group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowResidual {
    pub color: u32,
    pub group: Group,
    pub residual: Residual,
}
