//! What is coloured: primitives of different kinds over the particles of a model.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::mesh::topology;
use crate::scene::Model;

/// A kind of primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elements {
    /// The distance constraints: two points each.
    #[default]
    Edges,
    /// The triangles: three points each.
    Faces,
    /// Pairs of triangles that share an edge: the edge's two points and the two across it.
    Hinges,
    /// Each point with those that edges of triangles, or constraints where there are no triangles, join it to.
    Points,
}

impl Elements {
    pub const ALL: [Self; 4] = [Self::Edges, Self::Faces, Self::Hinges, Self::Points];

    pub fn name(self) -> &'static str {
        match self {
            Self::Edges => "edges",
            Self::Faces => "faces",
            Self::Hinges => "hinges",
            Self::Points => "points",
        }
    }

    /// The points of each primitive of this kind.
    pub fn of(self, model: &Model) -> Vec<Vec<u32>> {
        let constraints = model.constraints.iter().map(|constraint| constraint.particles);
        match self {
            Self::Edges => constraints.map(Vec::from).collect(),
            Self::Faces => model.triangles.iter().map(Vec::from).collect(),
            Self::Hinges => topology::hinges(&model.triangles).iter().map(Vec::from).collect(),
            Self::Points => {
                let edges = topology::edges(&model.triangles);
                let edges = if edges.is_empty() { constraints.collect() } else { edges };
                rings(model.positions.len(), &edges)
            }
        }
    }
}

/// Each point first, then its neighbours, rising; points without neighbours are no primitives.
fn rings(point_count: usize, edges: &[[u32; 2]]) -> Vec<Vec<u32>> {
    let mut neighbors: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); point_count];
    for &[a, b] in edges {
        neighbors[a as usize].insert(b);
        neighbors[b as usize].insert(a);
    }
    let rings = (0..).zip(neighbors).filter(|(_, neighbors)| !neighbors.is_empty());
    rings.map(|(point, neighbors)| std::iter::once(point).chain(neighbors).collect()).collect()
}

impl fmt::Display for Elements {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Elements {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|elements| elements.name() == text);
        found.ok_or_else(|| format!("no elements `{text}`: they are one of {names}"))
    }
}
