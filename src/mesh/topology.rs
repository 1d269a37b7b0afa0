//! What hangs together in a mesh of triangles.

use std::collections::HashMap;

fn sides([a, b, c]: [u32; 3]) -> [[u32; 3]; 3] {
    // Two ends, the lower first, and the corner across.
    [[a, b, c], [b, c, a], [c, a, b]].map(|[a, b, across]| [a.min(b), a.max(b), across])
}

/// Each pair of particles that a side of a triangle joins, once, the lower one first; in rising order.
pub fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let mut edges: Vec<[u32; 2]> =
        triangles.iter().flat_map(|&triangle| sides(triangle)).map(|[a, b, _]| [a, b]).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The corners across each side.
fn across(triangles: &[[u32; 3]]) -> HashMap<[u32; 2], Vec<u32>> {
    let mut across: HashMap<[u32; 2], Vec<u32>> = HashMap::new();
    for [a, b, corner] in triangles.iter().flat_map(|&triangle| sides(triangle)) {
        across.entry([a, b]).or_default().push(corner);
    }
    across
}

/// Each side that exactly two triangles share: its two ends, and the corners across it; in rising order.
pub fn hinges(triangles: &[[u32; 3]]) -> Vec<[u32; 4]> {
    let mut hinges: Vec<[u32; 4]> = across(triangles)
        .into_iter()
        .filter_map(|([a, b], corners)| match corners[..] {
            [c, d] if c != d => Some([a, b, c.min(d), c.max(d)]),
            _ => None,
        })
        .collect();
    hinges.sort_unstable();
    hinges
}

/// How many sides more than two triangles share.
pub fn non_manifold_edges(triangles: &[[u32; 3]]) -> usize {
    across(triangles).values().filter(|corners| corners.len() > 2).count()
}
