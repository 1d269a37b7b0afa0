//! DSATUR: next comes the primitive whose neighbours have the most colours already.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::first_fit::Taken;
use super::{Coloring, Incidence, UNCOLORED, degrees};

/// Brélaz 1979. Of equal saturation, the larger degree comes first, then the lower index. Takes two colours where two do. Takes
/// time in proportion to the squares of the points' valences.
pub fn dsatur(incidence: &Incidence) -> Coloring {
    let degrees: Vec<u32> = degrees(incidence).collect();
    let mut saturations = vec![0; degrees.len()];
    // By saturation, degree and index; an entry whose saturation is out of date is passed over.
    let mut heap: BinaryHeap<(u32, u32, Reverse<u32>)> =
        (0..).zip(&degrees).map(|(primitive, &degree)| (0, degree, Reverse(primitive))).collect();
    let mut taken = Taken::new(incidence.point_count());
    let mut colors = vec![UNCOLORED; degrees.len()];
    while let Some((saturation, _, Reverse(primitive))) = heap.pop() {
        if colors[primitive as usize] != UNCOLORED || saturations[primitive as usize] != saturation {
            continue;
        }
        let points = incidence.points_of(primitive);
        let color = taken.lowest_free(points);
        colors[primitive as usize] = color;
        for &point in points {
            for &neighbor in incidence.primitives_at(point) {
                let unseen =
                    colors[neighbor as usize] == UNCOLORED && taken.is_free(incidence.points_of(neighbor), color);
                if unseen {
                    saturations[neighbor as usize] += 1;
                    heap.push((saturations[neighbor as usize], degrees[neighbor as usize], Reverse(neighbor)));
                }
            }
            // Before the next point, so that a neighbour at both counts the colour once.
            taken.insert(&[point], color);
        }
    }
    Coloring::of(colors)
}
