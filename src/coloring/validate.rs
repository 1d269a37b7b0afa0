//! The proof that a colouring can be solved in parallel.

use super::Coloring;

/// Two constraints of one colour that share a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("constraints {first} and {second} both have colour {color} and share particle {particle}")]
pub struct Conflict {
    pub first: usize,
    pub second: usize,
    pub color: u32,
    pub particle: u32,
}

/// Finds the first conflict, in the order of the constraints. Runs in debug builds wherever a workset is made.
pub fn validate(primitives: &[[u32; 2]], coloring: &Coloring) -> Result<(), Conflict> {
    let mut seen = std::collections::HashMap::with_capacity(2 * primitives.len());
    for (second, (particles, &color)) in primitives.iter().zip(&coloring.colors).enumerate() {
        for &particle in particles {
            if let Some(first) = seen.insert((color, particle), second) {
                return Err(Conflict { first, second, color, particle });
            }
        }
    }
    Ok(())
}
