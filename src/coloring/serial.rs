//! What is coloured first and one after the other: primitives of many points, and those at hubs.

use super::Incidence;

/// Primitives at a point from which on it is a hub. They all conflict, so that a parallel algorithm would take a round for
/// each of them.
pub const HUB_VALENCE: u32 = 64;

/// The primitives of at least `max_valence` points, or all when it is 0, and those at hubs: the most points first, then by
/// index.
pub fn serial_order(incidence: &Incidence, max_valence: u32) -> Vec<u32> {
    let points = |primitive: u32| incidence.points_of(primitive);
    let at_hub = |&point: &u32| incidence.primitives_at(point).len() >= HUB_VALENCE as usize;
    let goes_first =
        |&primitive: &u32| points(primitive).len() >= max_valence as usize || points(primitive).iter().any(at_hub);
    let mut order: Vec<u32> = (0..incidence.primitive_count() as u32).filter(goes_first).collect();
    order.sort_by_key(|&primitive| std::cmp::Reverse(points(primitive).len()));
    order
}
