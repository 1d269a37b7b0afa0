//! Graph colouring: constraints that share a particle get different colours.
//!
//! Input is, for each constraint, the particles it touches; output is a colour for each. Constraints of one colour touch no
//! particle twice, which is what lets a kernel write positions in place.

mod first_fit;
mod validate;
pub mod workset;

pub use first_fit::first_fit;
pub use validate::{Conflict, validate};
pub use workset::{Batch, Row, Workset};

/// A colour for each constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coloring {
    /// Colour by constraint, below `color_count`.
    pub colors: Vec<u32>,
    pub color_count: u32,
}

/// Constraints at each particle.
pub fn valences(particle_count: usize, primitives: &[[u32; 2]]) -> Vec<u32> {
    let mut valences = vec![0; particle_count];
    for particle in primitives.iter().flatten() {
        valences[*particle as usize] += 1;
    }
    valences
}

/// The most constraints at one particle. No colouring has fewer colours: these all conflict with one another.
pub fn lower_bound(particle_count: usize, primitives: &[[u32; 2]]) -> u32 {
    valences(particle_count, primitives).into_iter().max().unwrap_or(0)
}
