//! Largest first: first-fit in the order of falling degree.

use super::{Coloring, Incidence, degrees, first_fit_in_order};

/// Welsh and Powell 1967. Of equal degrees, the lower index comes first.
pub fn largest_first(incidence: &Incidence) -> Coloring {
    let degrees: Vec<u32> = degrees(incidence).collect();
    let mut order: Vec<u32> = (0..degrees.len() as u32).collect();
    order.sort_by_key(|&primitive| std::cmp::Reverse(degrees[primitive as usize]));
    first_fit_in_order(incidence, order)
}
