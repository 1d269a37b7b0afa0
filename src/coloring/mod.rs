//! Graph colouring: primitives that share a point get different colours.
//!
//! Input is an [`Incidence`], the points of each primitive; output is a [`Coloring`], a colour for each. Primitives of one
//! colour touch no point twice, which is what lets a kernel write positions in place.

mod balance;
mod cpu;
mod dsatur;
mod elements;
mod first_fit;
pub mod gpu;
mod grid;
mod incidence;
mod jones_plassmann;
mod largest_first;
mod misra_gries;
mod options;
mod serial;
mod smallest_last;
mod validate;
pub mod workset;

pub use balance::balance;
pub use cpu::{CpuColoringError, color_on_cpu};
pub use dsatur::dsatur;
pub use elements::Elements;
pub use first_fit::{first_fit, first_fit_in_order};
pub use grid::{GridShape, color_grid};
pub use incidence::Incidence;
pub use jones_plassmann::jones_plassmann;
pub use largest_first::largest_first;
pub use misra_gries::misra_gries;
pub use options::{Algorithm, Choice, Colored, ColoredStats, ColoringOptions, Crowd, Priority};
pub use serial::{HUB_VALENCE, serial_order};
pub use smallest_last::smallest_last;
pub use validate::{Conflict, Invalid, validate};
pub use workset::{Batch, Row, Workset, Worksets, solve_order};

/// The colour of a primitive that has none.
pub const UNCOLORED: u32 = u32::MAX;

/// A colour for each primitive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coloring {
    /// Colour by primitive, below `color_count`, or [`UNCOLORED`] where an algorithm did not get to its end.
    pub colors: Vec<u32>,
    pub color_count: u32,
}

impl Coloring {
    /// These colours, of which there are as many as the highest one says.
    pub fn of(colors: Vec<u32>) -> Self {
        let highest = colors.iter().copied().filter(|&color| color != UNCOLORED).max();
        Self { colors, color_count: highest.map_or(0, |highest| highest + 1) }
    }

    /// Primitives of each colour.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.color_count as usize];
        for &color in self.colors.iter().filter(|&&color| color != UNCOLORED) {
            sizes[color as usize] += 1;
        }
        sizes
    }
}

/// The neighbours of each primitive, by way of each of its points: one that shares two points counts twice.
fn degrees(incidence: &Incidence) -> impl Iterator<Item = u32> {
    let at = |point: &u32| incidence.primitives_at(*point).len() as u32 - 1;
    incidence.primitives().map(move |points| points.iter().map(at).sum())
}

/// `mixBits` of `glsl/common/hash.glsl`: a bijection, random enough to break ties by.
pub(crate) fn mix_bits(mut x: u32) -> u32 {
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}
