//! Classes of even sizes, in sequence.

use super::first_fit::Taken;
use super::{Coloring, Incidence};

/// Passes over all primitives.
const PASSES: usize = 12;

/// Moves primitives from large classes to the smallest class that is free at all their points, until none is left that would
/// gain by it, or for so many passes. There are as many colours as before.
pub fn balance(incidence: &Incidence, coloring: &mut Coloring) {
    let mut taken = Taken::new(incidence.point_count());
    for (points, &color) in incidence.primitives().zip(&coloring.colors) {
        taken.insert(points, color);
    }
    let mut sizes = coloring.sizes();
    for _ in 0..PASSES {
        let mut moved = false;
        for (points, color) in incidence.primitives().zip(&mut coloring.colors) {
            let size = sizes[*color as usize];
            let smaller = (0u32..)
                .zip(&sizes)
                .filter(|(other, other_size)| **other_size + 1 < size && taken.is_free(points, *other));
            if let Some((other, _)) = smaller.min_by_key(|(_, size)| **size) {
                taken.remove(points, *color);
                taken.insert(points, other);
                sizes[*color as usize] -= 1;
                sizes[other as usize] += 1;
                *color = other;
                moved = true;
            }
        }
        if !moved {
            return;
        }
    }
}
