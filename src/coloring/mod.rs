//! Graph colouring: primitives that share a point get different colours.
//!
//! Input is an [`Incidence`], the points of each primitive; output is a [`Coloring`], a colour for each. Primitives of one
//! colour touch no point twice, which is what lets a kernel write positions in place.

mod first_fit;
pub mod gpu;
mod incidence;
mod options;
mod serial;
mod validate;
pub mod workset;

pub use first_fit::{first_fit, first_fit_in_order};
pub use incidence::Incidence;
pub use options::{Algorithm, Choice, Colored, ColoringOptions, Crowd, Priority};
pub use serial::{HUB_VALENCE, serial_order};
pub use validate::{Conflict, Invalid, validate};
pub use workset::{Batch, Row, Workset};

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
