//! Jones–Plassmann: in a round, every primitive that comes before all its neighbours without a colour takes one.

use std::cmp::Reverse;

use super::first_fit::Taken;
use super::{Coloring, Incidence, Priority, UNCOLORED, degrees, mix_bits};

/// Jones and Plassmann 1993: the colours of first-fit in the order of the priorities, found in rounds that could each run in
/// parallel. Also says how many rounds it took.
pub fn jones_plassmann(incidence: &Incidence, priority: Priority, seed: u32) -> (Coloring, u32) {
    let ranks = ranks(incidence, priority, seed);
    // At each point, its primitives in the order of their ranks, and how many of them have their colour.
    let mut at_points: Vec<Vec<u32>> = (0..incidence.point_count() as u32)
        .map(|point| {
            let mut here = incidence.primitives_at(point).to_vec();
            here.sort_unstable_by_key(|&primitive| ranks[primitive as usize]);
            here.reverse();
            here
        })
        .collect();
    let mut taken = Taken::new(incidence.point_count());
    let mut colors = vec![UNCOLORED; incidence.primitive_count()];
    let mut ready: Vec<u32> = (0..colors.len() as u32).collect();
    let mut rounds = 0;
    loop {
        let first_at = |at_points: &[Vec<u32>], point: u32| at_points[point as usize].last().copied();
        ready.retain(|&primitive| {
            incidence.points_of(primitive).iter().all(|&point| first_at(&at_points, point) == Some(primitive))
        });
        ready.sort_unstable();
        ready.dedup();
        if ready.is_empty() {
            return (Coloring::of(colors), rounds);
        }
        rounds += 1;
        let mut next = Vec::new();
        for &primitive in &ready {
            let points = incidence.points_of(primitive);
            let color = taken.lowest_free(points);
            taken.insert(points, color);
            colors[primitive as usize] = color;
            for &point in points {
                at_points[point as usize].pop();
                next.extend(first_at(&at_points, point));
            }
        }
        ready = next;
    }
}

/// The place of each primitive in the order of the priorities.
fn ranks(incidence: &Incidence, priority: Priority, seed: u32) -> Vec<u32> {
    let random = |primitive: u32| Reverse(mix_bits(primitive ^ seed));
    let mut order: Vec<u32> = (0..incidence.primitive_count() as u32).collect();
    match priority {
        Priority::Index => {}
        Priority::Hash => order.sort_unstable_by_key(|&primitive| random(primitive)),
        Priority::Degree => {
            let degrees: Vec<u32> = degrees(incidence).collect();
            order.sort_unstable_by_key(|&primitive| (Reverse(degrees[primitive as usize]), random(primitive)));
        }
    }
    let mut ranks = vec![0; order.len()];
    for (rank, primitive) in (0..).zip(order) {
        ranks[primitive as usize] = rank;
    }
    ranks
}
