//! The colouring of a grid in closed form.

use super::Coloring;
use crate::constraint::Group;
use crate::constraint::distance::{self, Springs};

/// A grid whose edges are those of [`distance::grid`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridShape {
    pub columns: u32,
    pub rows: u32,
    pub springs: Springs,
}

/// Two colours for each direction: 4 for structural springs, 8 with shear, 12 with skip-one; fewer where the grid is so narrow
/// that some do not occur. `None` of a grid without edges.
///
/// Edges of one direction meet only end to end, which every second of them does not: of those that span a cell by the parity
/// of the column or row, of those that span two by that of half of it.
pub fn color_grid(shape: &GridShape) -> Option<Coloring> {
    let edges = distance::grid(shape.columns, shape.rows, 1.0, shape.springs, 1.0);
    let classes: Vec<u32> = edges
        .iter()
        .map(|edge| {
            let [(column, row), (other_column, other_row)] =
                edge.particles.map(|particle| (particle % shape.columns, particle / shape.columns));
            match edge.group {
                Group::Weft => column % 2,
                Group::Warp => 2 + row % 2,
                Group::Shear => 4 + 2 * u32::from(other_column < column) + row % 2,
                Group::Bend if row == other_row => 8 + column / 2 % 2,
                Group::Bend => 10 + row / 2 % 2,
                Group::Edge => unreachable!("a grid has none"),
            }
        })
        .collect();
    // Classes that occur, numbered without gaps.
    let mut occurring = classes.clone();
    occurring.sort_unstable();
    occurring.dedup();
    let color = |class: &u32| occurring.binary_search(class).expect("it occurs") as u32;
    (!classes.is_empty()).then(|| Coloring::of(classes.iter().map(color).collect()))
}
