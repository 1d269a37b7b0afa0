//! From a file's mesh to a cloth: welded, cleaned, triangulated, scaled to metres, and reported on.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use earcut::Earcut;
use earcut::utils3d::project3d_to_2d;
use glam::{DVec3, Vec3};

use super::source::{MeshError, Source};
use super::topology;
use super::units::{Scale, UnitChoice};

/// In [`Import::particle_of`]: the vertex is no particle.
pub const DROPPED: u32 = u32::MAX;

/// How far apart vertices may be that are one, in diagonals of the bounding box; `None`: all are kept apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weld(pub Option<f64>);

impl Default for Weld {
    /// What is left of a vertex that a program wrote twice with six digits.
    fn default() -> Self {
        Self(Some(1e-6))
    }
}

impl FromStr for Weld {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "off" {
            return Ok(Self(None));
        }
        match text.parse() {
            Ok(tolerance) if (0.0..=0.1).contains(&tolerance) => Ok(Self(Some(tolerance))),
            _ => Err(format!("--weld {text} is neither off nor a share of the diagonal from 0 to 0.1")),
        }
    }
}

/// How a mesh is taken in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImportOptions {
    pub weld: Weld,
    pub unit: UnitChoice,
}

/// A mesh fit to be cloth.
#[derive(Clone, Debug)]
pub struct Import {
    /// m
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Pairs of particles that lines join and no triangle does.
    pub lines: Vec<[u32; 2]>,
    /// By vertex of the file: the particle that it became, or [`DROPPED`].
    pub particle_of: Vec<u32>,
    pub report: Report,
}

/// What was found in a file and what was done.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    pub file: String,
    pub vertices: usize,
    pub faces: usize,
    pub lines: usize,
    pub particles: usize,
    pub triangles: usize,
    /// Vertices that were taken to be another.
    pub welded: usize,
    /// Vertices that nothing names.
    pub isolated: usize,
    /// Faces and lines without extent: with fewer than three different corners, or on a line.
    pub degenerate: usize,
    /// Faces and lines that were there before.
    pub repeated: usize,
    /// Edges with more than two triangles.
    pub non_manifold: usize,
    pub scale: Scale,
    /// Extent of the bounding box, m.
    pub size: Vec3,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { vertices, faces, lines, particles, triangles, .. } = self;
        write!(f, "{}: {vertices} vertices, {faces} faces", self.file)?;
        if *lines > 0 {
            write!(f, ", {lines} lines")?;
        }
        write!(f, "; became {particles} particles, {triangles} triangles")?;
        let done = [
            (self.welded, "vertices welded"),
            (self.isolated, "isolated vertices dropped"),
            (self.degenerate, "faces or lines without extent dropped"),
            (self.repeated, "repeated faces or lines dropped"),
            (self.non_manifold, "edges with more than two triangles"),
        ];
        let done: Vec<String> =
            done.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if !done.is_empty() {
            write!(f, "\n  {}", done.join(", "))?;
        }
        let Vec3 { x, y, z } = self.size;
        write!(f, "\n  {}; {x:.3} × {y:.3} × {z:.3} m", self.scale)
    }
}

/// A triangle this much flatter than the whole has no extent: its height over its longest side, in diagonals.
const FLAT: f64 = 1e-7;

/// Makes a cloth of what `file` holds. The error names the file.
pub fn import(source: &Source, file: &str, options: &ImportOptions) -> Result<Import, MeshError> {
    let refused = |cause: &str| MeshError { file: file.into(), line: None, cause: cause.into() };
    if source.faces.is_empty() && source.lines.is_empty() {
        return Err(refused("it has neither faces nor lines to hang"));
    }
    let places: Vec<DVec3> = source.positions.iter().map(|position| position.as_dvec3()).collect();
    let named: HashSet<u32> = source.faces.iter().flatten().chain(source.lines.as_flattened()).copied().collect();
    let (low, high) = bounds(named.iter().map(|&vertex| places[vertex as usize]));
    let diagonal = (high - low).length();
    if diagonal <= 0.0 {
        return Err(refused("all of it is at one place"));
    }
    let (welded_to, welded) = weld(&places, &named, options.weld.0.map(|share| share * diagonal));

    let (mut degenerate, mut repeated) = (0, 0);
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let (mut seen, mut parts_seen) = (HashSet::new(), HashSet::new());
    let mut ears = Ears::default();
    for face in &source.faces {
        let mut corners: Vec<u32> = face.iter().map(|&vertex| welded_to[vertex as usize]).collect();
        corners.dedup();
        while corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        let mut key = corners.clone();
        key.sort_unstable();
        key.dedup();
        // A polygon around a hole passes the cut to it twice. What names its corners more often than that is no outline, and
        // would keep the triangulation busy with one place.
        if corners.len() > 2 * key.len() {
            let mut named = HashSet::new();
            corners.retain(|corner| named.insert(*corner));
        }
        let parts = ears.triangulate(&corners, &places, diagonal * FLAT);
        if parts.is_empty() {
            degenerate += 1;
        } else if seen.insert(key) {
            // Of a polygon that runs over itself, each part once.
            triangles.extend(parts.into_iter().filter(|part| parts_seen.insert(sorted(*part))));
        } else {
            repeated += 1;
        }
    }
    let mut joined: HashSet<[u32; 2]> = topology::edges(&triangles).into_iter().collect();
    let mut lines = Vec::new();
    for line in &source.lines {
        let [a, b] = line.map(|vertex| welded_to[vertex as usize]);
        if a == b {
            degenerate += 1;
        } else if joined.insert([a.min(b), a.max(b)]) {
            lines.push([a, b]);
        } else {
            repeated += 1;
        }
    }
    if triangles.is_empty() && lines.is_empty() {
        return Err(refused("none of its faces and lines has an extent"));
    }

    // Particles in the order of the vertices that they come from.
    let used: HashSet<u32> = triangles.as_flattened().iter().chain(lines.as_flattened()).copied().collect();
    let mut particle_of = vec![DROPPED; places.len()];
    let mut kept = Vec::new();
    for vertex in 0..places.len() as u32 {
        if welded_to[vertex as usize] == vertex && used.contains(&vertex) {
            particle_of[vertex as usize] = kept.len() as u32;
            kept.push(places[vertex as usize]);
        }
    }
    for vertex in 0..places.len() {
        particle_of[vertex] = particle_of[welded_to[vertex] as usize];
    }
    let particle = |vertex: u32| particle_of[vertex as usize];
    let triangles: Vec<[u32; 3]> = triangles.iter().map(|triangle| triangle.map(particle)).collect();
    let lines: Vec<[u32; 2]> = lines.iter().map(|line| line.map(particle)).collect();

    let (low, high) = bounds(kept.iter().copied());
    let scale = Scale::of(options.unit, (high - low).length());
    let positions: Vec<Vec3> = kept.iter().map(|place| (*place * scale.metres).as_vec3()).collect();
    if positions.iter().any(|position| !position.is_finite()) {
        return Err(refused("in metres it is too large for its coordinates"));
    }
    let report = Report {
        file: file.into(),
        vertices: places.len(),
        faces: source.faces.len(),
        lines: source.lines.len(),
        particles: positions.len(),
        triangles: triangles.len(),
        welded,
        isolated: places.len() - welded - kept.len(),
        degenerate,
        repeated,
        non_manifold: topology::non_manifold_edges(&triangles),
        scale,
        size: ((high - low) * scale.metres).as_vec3(),
    };
    Ok(Import { positions, triangles, lines, particle_of, report })
}

fn sorted(mut triangle: [u32; 3]) -> [u32; 3] {
    triangle.sort_unstable();
    triangle
}

fn bounds(places: impl Iterator<Item = DVec3>) -> (DVec3, DVec3) {
    places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)))
}

/// By vertex: the first vertex that is within `tolerance` of it, itself where there is none before it; and how many have one.
/// Vertices that nothing names are left alone.
fn weld(places: &[DVec3], named: &HashSet<u32>, tolerance: Option<f64>) -> (Vec<u32>, usize) {
    let mut to: Vec<u32> = (0..places.len() as u32).collect();
    let Some(tolerance) = tolerance else { return (to, 0) };
    // Cells as wide as the tolerance: what is near is in one of the 27 around. Without tolerance, what is equal.
    let cell = |place: DVec3| match tolerance > 0.0 {
        true => (place / tolerance).floor().to_array().map(|index| index as i64),
        false => (place + DVec3::ZERO).to_array().map(|coordinate| coordinate.to_bits() as i64),
    };
    let reach: std::ops::RangeInclusive<i64> = if tolerance > 0.0 { -1..=1 } else { 0..=0 };
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut welded = 0;
    for vertex in (0..places.len() as u32).filter(|vertex| named.contains(vertex)) {
        let place = places[vertex as usize];
        let [x, y, z] = cell(place);
        let around = reach.clone().flat_map(|dx| {
            let reach = reach.clone();
            reach.clone().flat_map(move |dy| {
                reach.clone().map(move |dz| [x.wrapping_add(dx), y.wrapping_add(dy), z.wrapping_add(dz)])
            })
        });
        let near = around
            .filter_map(|at| cells.get(&at))
            .flatten()
            .copied()
            .filter(|&other| places[other as usize].distance(place) <= tolerance)
            .min();
        match near {
            Some(other) => {
                to[vertex as usize] = other;
                welded += 1;
            }
            None => cells.entry([x, y, z]).or_default().push(vertex),
        }
    }
    (to, welded)
}

/// Cuts polygons into triangles.
#[derive(Default)]
struct Ears {
    earcut: Option<Earcut<f64>>,
    flat: Vec<[f64; 2]>,
    indices: Vec<u32>,
}

impl Ears {
    /// Triangles of a polygon, bent or not convex as it may be; those flatter than `flat` are left out. None where fewer than
    /// three different corners are left.
    fn triangulate(&mut self, corners: &[u32], places: &[DVec3], flat: f64) -> Vec<[u32; 3]> {
        let has_extent = |[a, b, c]: &[u32; 3]| {
            let [a, b, c] = [a, b, c].map(|corner| places[*corner as usize]);
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            (b - a).cross(c - a).length() > flat * longest
        };
        if let [a, b, c] = *corners {
            return Some([a, b, c]).filter(|triangle| a != c && has_extent(triangle)).into_iter().collect();
        }
        let space: Vec<[f64; 3]> = corners.iter().map(|&corner| places[corner as usize].to_array()).collect();
        if corners.len() < 3 || !project3d_to_2d(&space, space.len(), &mut self.flat) {
            return Vec::new();
        }
        let earcut = self.earcut.get_or_insert_with(Earcut::new);
        earcut.earcut(self.flat.iter().copied(), &[], &mut self.indices);
        self.indices
            .chunks_exact(3)
            .map(|part| [corners[part[0] as usize], corners[part[1] as usize], corners[part[2] as usize]])
            .filter(|triangle| triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
            .filter(has_extent)
            .collect()
    }
}
