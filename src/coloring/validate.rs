//! The proof that a colouring can be solved in parallel.

use super::{Coloring, Incidence, UNCOLORED};

/// Two primitives of one colour that share a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("primitives {first} and {second} both have colour {color} and share point {point}")]
pub struct Conflict {
    pub first: u32,
    pub second: u32,
    pub color: u32,
    pub point: u32,
}

/// Why a colouring cannot be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    #[error(transparent)]
    Conflict(#[from] Conflict),
    #[error("{count} of {primitives} primitives have no colour, the first of them {first}")]
    Unfinished { first: u32, count: usize, primitives: usize },
    #[error("there are {colors} colours for {primitives} primitives")]
    Length { colors: usize, primitives: usize },
    #[error("primitive {primitive} has colour {color}, and the colours are said to be {color_count}")]
    Range { primitive: u32, color: u32, color_count: u32 },
}

/// Finds out whether every primitive has a colour and no two of one colour share a point; if not, why: the conflict at the
/// lowest point. Takes time in proportion to the points of all primitives.
pub fn validate(incidence: &Incidence, coloring: &Coloring) -> Result<(), Invalid> {
    let (colors, primitives) = (coloring.colors.len(), incidence.primitive_count());
    if colors != primitives {
        return Err(Invalid::Length { colors, primitives });
    }
    let missing = |color: &u32| *color == UNCOLORED;
    if let Some(first) = coloring.colors.iter().position(missing) {
        let count = coloring.colors.iter().filter(|color| missing(color)).count();
        return Err(Invalid::Unfinished { first: first as u32, count, primitives });
    }
    let color_count = coloring.color_count;
    for (primitive, &color) in (0..).zip(&coloring.colors) {
        if color >= color_count {
            return Err(Invalid::Range { primitive, color, color_count });
        }
    }
    // By colour: the point where it was seen last, and the primitive that had it there.
    let mut seen = vec![(u32::MAX, 0); color_count as usize];
    for point in 0..incidence.point_count() as u32 {
        for &second in incidence.primitives_at(point) {
            let color = coloring.colors[second as usize];
            let (at, first) = std::mem::replace(&mut seen[color as usize], (point, second));
            if at == point {
                return Err(Conflict { first, second, color, point }.into());
            }
        }
    }
    Ok(())
}
