//! Smallest last: first-fit in the reverse of an order that each time takes away what has the fewest neighbours left.

use super::{Coloring, Incidence, degrees, first_fit_in_order};

/// Matula and Beck 1983. Where no two primitives share two points, takes at most one colour more than the degeneracy of the
/// conflicts. Takes time in proportion to the squares of the points' valences.
pub fn smallest_last(incidence: &Incidence) -> Coloring {
    let mut degrees: Vec<u32> = degrees(incidence).collect();
    let most = degrees.iter().copied().max().unwrap_or(0);
    // Primitives by the degree that they had when they were put there; what has moved on since is passed over.
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); most as usize + 1];
    for (primitive, &degree) in (0..).zip(&degrees) {
        buckets[degree as usize].push(primitive);
    }
    let mut removed = vec![false; degrees.len()];
    let mut order = Vec::with_capacity(degrees.len());
    let mut lowest = 0;
    while lowest < buckets.len() {
        let Some(primitive) = buckets[lowest].pop() else {
            lowest += 1;
            continue;
        };
        if removed[primitive as usize] || degrees[primitive as usize] as usize != lowest {
            continue;
        }
        removed[primitive as usize] = true;
        order.push(primitive);
        for &point in incidence.points_of(primitive) {
            for &neighbor in incidence.primitives_at(point) {
                if !removed[neighbor as usize] {
                    let degree = &mut degrees[neighbor as usize];
                    *degree -= 1;
                    buckets[*degree as usize].push(neighbor);
                    lowest = lowest.min(*degree as usize);
                }
            }
        }
    }
    order.reverse();
    first_fit_in_order(incidence, order)
}
