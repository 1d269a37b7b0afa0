//! How a cloth of one metre by one metre lies at first.
//!
//! A shape bends the sheet without stretching it: along the bent direction points keep their distance measured along the
//! curve, so that the constraints start satisfied up to the difference between an arc and its chord.

use glam::Vec3;

/// A sheet of 1 m × 1 m.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Upright, its top edge at this height, m.
    Flat { top: f32 },
    /// Upright, gathered to this width by this many waves.
    Gathered { top: f32, width: f32, waves: f32 },
    /// Lying, sagging between two edges this far apart.
    Sagging { height: f32, width: f32 },
    /// A line straight out from its first particle at this height.
    Outstretched { height: f32 },
}

impl Shape {
    /// The place of the particle in a column and row of the grid.
    pub fn sampler(self, columns: u32, rows: u32) -> impl Fn(u32, u32) -> Vec3 {
        let curve = match self {
            Self::Gathered { width, waves, .. } => wave(columns, width, waves),
            Self::Sagging { width, .. } => wave(columns, width, 0.5),
            Self::Flat { .. } | Self::Outstretched { .. } => Vec::new(),
        };
        move |column, row| {
            let across = column as f32 / (columns - 1).max(1) as f32;
            let down = row as f32 / (rows - 1) as f32;
            match self {
                Self::Flat { top } => Vec3::new(across - 0.5, top - down, 0.0),
                Self::Gathered { top, .. } => {
                    let (x, z) = curve[column as usize];
                    Vec3::new(x, top - down, z)
                }
                Self::Sagging { height, .. } => {
                    let (x, sag) = curve[column as usize];
                    Vec3::new(x, height - sag, down - 0.5)
                }
                Self::Outstretched { height } => Vec3::new(down, height, 0.0),
            }
        }
    }
}

/// `count` points at equal arc length on a sine of `waves` periods that is `width` across, centred, and 1 m long.
fn wave(count: u32, width: f32, waves: f32) -> Vec<(f32, f32)> {
    const STEPS: usize = 4096;
    let frequency = std::f64::consts::TAU * f64::from(waves) / f64::from(width);
    let arc = |amplitude: f64| {
        let mut length = 0.0;
        let mut lengths = vec![0.0];
        for step in 0..STEPS {
            let x = f64::from(width) * (step as f64 + 0.5) / STEPS as f64;
            length += (1.0 + (amplitude * frequency * (frequency * x).cos()).powi(2)).sqrt() * f64::from(width)
                / STEPS as f64;
            lengths.push(length);
        }
        lengths
    };
    // The amplitude at which the curve is 1 m long, by bisection: the length grows with it.
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if arc(middle)[STEPS] < 1.0 { low = middle } else { high = middle }
    }
    let lengths = arc(low);
    (0..count)
        .map(|index| {
            let wanted = lengths[STEPS] * f64::from(index) / f64::from(count - 1);
            let step = lengths.partition_point(|&length| length < wanted).min(STEPS);
            let x = f64::from(width) * step as f64 / STEPS as f64;
            ((x - 0.5 * f64::from(width)) as f32, (low * (frequency * x).sin()) as f32)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gathered_sheet_is_as_wide_as_asked_and_is_not_stretched() {
        let place = Shape::Gathered { top: 1.5, width: 0.6, waves: 5.0 }.sampler(200, 200);
        assert!((place(0, 0).distance(place(199, 0)) - 0.6).abs() < 1e-3);
        let length: f32 = (1..200).map(|column| place(column - 1, 0).distance(place(column, 0))).sum();
        assert!((0.99..=1.0).contains(&length), "{length} m along a thread of 1 m");
    }
}
