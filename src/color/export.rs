//! Primitives in their colours, and their conflicts, for other programs.

use std::fmt::Write;
use std::path::Path;

use glam::Vec3;

use crate::coloring::{Coloring, Incidence, UNCOLORED};
use crate::render::palette;
use crate::scene::Model;

/// A file of triangles whose corners have colours, which MeshLab and Blender show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Ply,
    Obj,
}

/// A corner of the exported shape.
struct Corner {
    at: Vec3,
    rgb: [u8; 3],
}

impl Shape {
    pub fn of(path: &Path) -> Result<Self, String> {
        match ending(path).as_deref() {
            Some("ply") => Ok(Self::Ply),
            Some("obj") => Ok(Self::Obj),
            _ => Err(format!("--out {} ends in neither .ply nor .obj", path.display())),
        }
    }

    /// The file. Edges are thin three-sided bars, faces shrunk a little, hinges the parts of their faces
    /// along the edge, points small octahedra: each can be told from its neighbours.
    pub fn text(self, model: &Model, elements: &str, primitives: &[Vec<u32>], coloring: &Coloring) -> String {
        let mut corners: Vec<Corner> = Vec::new();
        let mut faces: Vec<[usize; 3]> = Vec::new();
        let at = |point: u32| model.positions[point as usize].truncate();
        for (points, &color) in primitives.iter().zip(&coloring.colors) {
            let rgb = if color == UNCOLORED { palette::UNCOLORED } else { palette::color(color as usize) };
            let first = corners.len();
            let mut add = |at: Vec3| corners.push(Corner { at, rgb });
            match (elements, &points[..]) {
                ("edges", &[a, b]) => {
                    bar(at(a), at(b)).into_iter().for_each(&mut add);
                    faces.extend(BAR.map(|face| face.map(|corner| first + corner)));
                }
                ("faces", &[a, b, c]) => {
                    shrunk([at(a), at(b), at(c)]).into_iter().for_each(&mut add);
                    faces.push([first, first + 1, first + 2]);
                }
                ("hinges", &[a, b, c, d]) => {
                    // Of each face the third that is nearest to the edge: three hinges share a face.
                    let middle = |across| (at(a) + at(b) + at(across)) / 3.0;
                    shrunk([at(a), at(b), middle(c)]).into_iter().for_each(&mut add);
                    shrunk([at(b), at(a), middle(d)]).into_iter().for_each(&mut add);
                    faces.extend([[first, first + 1, first + 2], [first + 3, first + 4, first + 5]]);
                }
                (_, [center, ring @ ..]) => {
                    let nearest =
                        ring.iter().map(|&point| at(point).distance(at(*center))).fold(f32::INFINITY, f32::min);
                    let size = if nearest.is_finite() { 0.25 * nearest } else { 0.01 };
                    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                        add(at(*center) + axis * size);
                        add(at(*center) - axis * size);
                    }
                    faces.extend(OCTAHEDRON.map(|face| face.map(|corner| first + corner)));
                }
                (_, []) => {}
            }
        }
        match self {
            Self::Ply => ply(&corners, &faces),
            Self::Obj => obj(&corners, &faces),
        }
    }
}

const BAR: [[usize; 3]; 6] = [[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4], [2, 0, 3], [2, 3, 5]];
const OCTAHEDRON: [[usize; 3]; 8] =
    [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];

/// Three corners around each end, which the bar stops short of.
fn bar(a: Vec3, b: Vec3) -> [Vec3; 6] {
    let along = (b - a).normalize_or(Vec3::X);
    let (u, v) = along.any_orthonormal_pair();
    let radius = 0.03 * a.distance(b);
    let around = [u, -0.5 * u + 0.866 * v, -0.5 * u - 0.866 * v].map(|off| off * radius);
    let (near, far) = (a.lerp(b, 0.1), a.lerp(b, 0.9));
    [near + around[0], near + around[1], near + around[2], far + around[0], far + around[1], far + around[2]]
}

fn shrunk(corners: [Vec3; 3]) -> [Vec3; 3] {
    let middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    corners.map(|corner| corner.lerp(middle, 0.1))
}

fn ply(corners: &[Corner], faces: &[[usize; 3]]) -> String {
    let mut text = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n\
         property uchar red\nproperty uchar green\nproperty uchar blue\nelement face {}\n\
         property list uchar int vertex_indices\nend_header\n",
        corners.len(),
        faces.len()
    );
    for Corner { at, rgb: [r, g, b] } in corners {
        let _ = writeln!(text, "{} {} {} {r} {g} {b}", at.x, at.y, at.z);
    }
    for [a, b, c] in faces {
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    text
}

fn obj(corners: &[Corner], faces: &[[usize; 3]]) -> String {
    let mut text = String::new();
    for Corner { at, rgb } in corners {
        let [r, g, b] = rgb.map(|level| f32::from(level) / 255.0);
        let _ = writeln!(text, "v {} {} {} {r:.4} {g:.4} {b:.4}", at.x, at.y, at.z);
    }
    for face in faces {
        let [a, b, c] = face.map(|corner| corner + 1);
        let _ = writeln!(text, "f {a} {b} {c}");
    }
    text
}

/// A file of the conflicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Graph {
    /// DIMACS: `p edge`, then `e` lines, counted from 1.
    Dimacs,
    /// MatrixMarket: the lower triangle of a symmetric pattern, counted from 1.
    MatrixMarket,
}

/// Conflicts that are written at most: a file of some hundred megabytes.
const CONFLICTS: u64 = 20_000_000;

impl Graph {
    pub fn of(path: &Path) -> Result<Self, String> {
        match ending(path).as_deref() {
            Some("col") => Ok(Self::Dimacs),
            Some("mtx") => Ok(Self::MatrixMarket),
            _ => Err(format!("--conflict-graph {} ends in neither .col nor .mtx", path.display())),
        }
    }

    /// The file: each pair of primitives that share a point, once. The error is a sentence.
    pub fn text(self, incidence: &Incidence) -> Result<String, String> {
        // Pairs that share two points count twice here.
        let most: u64 =
            incidence.valences().map(|valence| u64::from(valence) * u64::from(valence.saturating_sub(1)) / 2).sum();
        if most > 2 * CONFLICTS {
            return Err(format!(
                "--conflict-graph would hold up to {most} conflicts, and at most {CONFLICTS} are written"
            ));
        }
        let count = incidence.primitive_count();
        let mut pairs = Vec::new();
        for primitive in 0..count as u32 {
            pairs.extend(
                incidence
                    .neighbors(primitive)
                    .into_iter()
                    .filter(|&other| other < primitive)
                    .map(|other| (primitive + 1, other + 1)),
            );
        }
        let (mut text, mark) = match self {
            Self::Dimacs => (format!("p edge {count} {}\n", pairs.len()), "e "),
            Self::MatrixMarket => {
                (format!("%%MatrixMarket matrix coordinate pattern symmetric\n{count} {count} {}\n", pairs.len()), "")
            }
        };
        for (a, b) in pairs {
            let _ = writeln!(text, "{mark}{a} {b}");
        }
        Ok(text)
    }
}

fn ending(path: &Path) -> Option<String> {
    Some(path.extension()?.to_str()?.to_ascii_lowercase())
}
