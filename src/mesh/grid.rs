//! Triangles of a grid.

/// Two triangles for each cell of a grid of `columns` × `rows` particles, numbered row by row. The diagonal alternates from
/// cell to cell, so that the surface has no grain.
pub fn grid_triangles(columns: u32, rows: u32) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for row in 0..rows.saturating_sub(1) {
        for column in 0..columns.saturating_sub(1) {
            let a = row * columns + column;
            let (b, c, d) = (a + 1, a + columns, a + columns + 1);
            if (row + column) % 2 == 0 {
                triangles.extend([[a, c, b], [b, c, d]]);
            } else {
                triangles.extend([[a, c, d], [a, d, b]]);
            }
        }
    }
    triangles
}
