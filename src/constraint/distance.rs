//! Distance constraints: C(p₁, p₂) = |p₁ − p₂| − d.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;
use serde::Serialize;

/// Which threads of the cloth a distance constraint stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Group {
    /// Along the rows: the horizontal edges of a hanging cloth.
    Weft,
    /// Along the columns: the vertical edges.
    Warp,
    /// The diagonals of a cell.
    Shear,
    /// Over one particle to the next but one, of a mesh across an edge; resists bending.
    Bend,
    /// Along an edge of a mesh.
    Edge,
}

impl Group {
    pub const ALL: [Self; 5] = [Self::Weft, Self::Warp, Self::Shear, Self::Bend, Self::Edge];

    pub fn name(self) -> &'static str {
        match self {
            Self::Weft => "weft",
            Self::Warp => "warp",
            Self::Shear => "shear",
            Self::Bend => "bend",
            Self::Edge => "edge",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A distance constraint between two particles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistanceConstraint {
    /// Indices of the particles; they differ.
    pub particles: [u32; 2],
    /// d, m.
    pub rest_length: f32,
    pub group: Group,
    /// Which side of a thread it is drawn on: bending constraints over even particles on one, odd ones on the other.
    pub side: bool,
}

/// The distance groups of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Springs {
    pub structural: bool,
    pub shear: bool,
    /// Over one particle: skip-one, against bending.
    pub skip: bool,
}

impl Springs {
    pub const ALL: Self = Self { structural: true, shear: true, skip: true };
    pub const STRUCTURAL: Self = Self { structural: true, shear: false, skip: false };
}

impl FromStr for Springs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut springs = Self { structural: false, shear: false, skip: false };
        for name in text.split(',').map(str::trim) {
            match name {
                "structural" => springs.structural = true,
                "shear" => springs.shear = true,
                "skip" => springs.skip = true,
                _ => return Err(format!("no springs `{name}`: a list of structural, shear, skip is wanted")),
            }
        }
        Ok(springs)
    }
}

/// The distance constraints of a grid of `columns` × `rows` particles, numbered row by row, `spacing` metres apart.
///
/// Rest lengths are those of the flat grid times `rest_scale`: spacing along the threads, √2 spacings across a cell, two
/// spacings over a particle. The order is by group, then by particle, which first-fit colouring turns into as few colours as
/// the grid allows (4, 8 or 12).
pub fn grid(columns: u32, rows: u32, spacing: f32, springs: Springs, rest_scale: f32) -> Vec<DistanceConstraint> {
    let mut constraints = Vec::new();
    let mut connect = |group, dc: i32, dr: i32| {
        let length = Vec3::new(dc as f32, dr as f32, 0.0).length() * spacing;
        for row in 0..rows {
            for column in 0..columns {
                let (other_column, other_row) = (column as i32 + dc, row as i32 + dr);
                if !(0..columns as i32).contains(&other_column) || !(0..rows as i32).contains(&other_row) {
                    continue;
                }
                constraints.push(DistanceConstraint {
                    particles: [row * columns + column, other_row as u32 * columns + other_column as u32],
                    rest_length: length * rest_scale,
                    group,
                    side: if dr == 0 { column % 2 == 1 } else { row % 2 == 1 },
                });
            }
        }
    };
    if springs.structural {
        connect(Group::Weft, 1, 0);
        connect(Group::Warp, 0, 1);
    }
    if springs.shear {
        connect(Group::Shear, 1, 1);
        connect(Group::Shear, -1, 1);
    }
    if springs.skip {
        connect(Group::Bend, 2, 0);
        connect(Group::Bend, 0, 2);
    }
    constraints
}
