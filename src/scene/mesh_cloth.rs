//! A mesh from a file, hung as cloth.

use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

use glam::Vec3;

use super::{CameraPose, Cloth, DENSITY, Model, Scene, SceneOptions};
use crate::coloring::ColoringOptions;
use crate::constraint::distance::{DistanceConstraint, Group, Springs};
use crate::mesh::{DROPPED, Import, ImportOptions, MeshError, PinRule, import, read, topology};
use crate::params::SimParams;

/// Height of its lowest point above the ground, m.
const CLEARANCE: f32 = 0.25;

/// The least mass of a particle, of the mean: beside much heavier ones a lighter one would be thrown about.
const LEAST_MASS: f32 = 0.1;

/// Mass of a line, kg/m: a string.
const LINE_DENSITY: f32 = 0.01;

/// Opposite corners nearer to one another than this, of the edge between them, are those of a fold.
const FOLDED: f32 = 0.1;

/// Constraints shorter than this, of the diagonal, are left out: a kernel cannot tell their direction.
const SHORTEST: f32 = 1e-6;

/// How a mesh is hung.
#[derive(Clone, Debug, Default)]
pub struct MeshOptions {
    pub import: ImportOptions,
    /// What is pinned; the top row unless it is told, or the corners where all is at one height.
    pub pin: Option<PinRule>,
}

/// A mesh as cloth: distance constraints along its edges and, against bending, across them.
#[derive(Clone, Debug)]
pub struct MeshCloth {
    pub import: Import,
    /// By particle.
    pinned: Vec<bool>,
    /// Structural: along edges and lines; skip: across edges.
    springs: Springs,
}

/// The scene of a mesh file.
pub fn of_mesh(path: &Path, options: &MeshOptions) -> Result<Scene, MeshError> {
    let file = path.display().to_string();
    let mut import = import(&read(path)?, &file, &options.import)?;
    let (low, high) = bounds(&import.positions);
    // In the middle, above the ground.
    let moved = Vec3::new(-0.5 * (low.x + high.x), CLEARANCE - low.y, -0.5 * (low.z + high.z));
    import.positions.iter_mut().for_each(|position| *position += moved);
    let pinned = pinned(&import, low + moved, high + moved, options.pin.as_ref());
    let diagonal = (high - low).length();
    Ok(Scene {
        name: file,
        description: "a mesh from a file",
        params: SimParams::default(),
        rest_scale: 1.0,
        frames: 240,
        camera: CameraPose {
            // It sags.
            target: 0.5 * (low + high) + moved - Vec3::Y * 0.1 * diagonal,
            distance: (1.9 * diagonal).clamp(0.1, 30.0),
            yaw: 0.38,
            pitch: 0.1,
        },
        coloring: ColoringOptions::default(),
        cloth: Cloth::Mesh(Rc::new(MeshCloth {
            import,
            pinned,
            springs: Springs { structural: true, shear: false, skip: true },
        })),
    })
}

fn bounds(positions: &[Vec3]) -> (Vec3, Vec3) {
    positions.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| (low.min(*at), high.max(*at)))
}

fn pinned(import: &Import, low: Vec3, high: Vec3, rule: Option<&PinRule>) -> Vec<bool> {
    let mut vertices: Vec<Vec<u32>> = vec![Vec::new(); import.positions.len()];
    for (vertex, &particle) in (0..).zip(&import.particle_of).filter(|(_, particle)| **particle != DROPPED) {
        vertices[particle as usize].push(vertex);
    }
    let size = (high - low).max(Vec3::splat(f32::MIN_POSITIVE));
    let by = |rule: &PinRule| -> Vec<bool> {
        import.positions.iter().zip(&vertices).map(|(at, vertices)| rule.holds(vertices, (*at - low) / size)).collect()
    };
    if let Some(rule) = rule {
        return by(rule);
    }
    let top = by(&PinRule::default());
    let count = top.iter().filter(|pinned| **pinned).count();
    if count > 0 && 2 * count <= top.len() {
        return top;
    }
    // All or most of it is at one height: it hangs by what is nearest to the corners of its plan.
    let mut corners = vec![false; top.len()];
    for corner in [Vec3::ZERO, Vec3::X, Vec3::Z, Vec3::X + Vec3::Z] {
        let at = low + corner * (high - low);
        let off =
            |particle: &usize| import.positions[*particle].distance_squared(at.with_y(import.positions[*particle].y));
        if let Some(nearest) = (0..corners.len()).min_by(|a, b| off(a).total_cmp(&off(b))) {
            corners[nearest] = true;
        }
    }
    corners
}

impl MeshCloth {
    pub(super) fn with(self: Rc<Self>, options: &SceneOptions) -> Result<Rc<Self>, String> {
        if options.resolution.is_some() {
            return Err("--resolution is for grid scenes: a mesh has the particles that it has".into());
        }
        let Some(springs) = options.springs else { return Ok(self) };
        if springs.shear {
            return Err("--springs shear is for grid scenes: of a mesh there are structural and skip".into());
        }
        Ok(Rc::new(Self { springs, ..(*self).clone() }))
    }

    /// How many particles are pinned.
    pub fn pin_count(&self) -> usize {
        self.pinned.iter().filter(|pinned| **pinned).count()
    }

    /// In how many pieces it is, and how many of them have no pin.
    pub fn pieces(&self) -> (usize, usize) {
        let count = self.pinned.len();
        let mut parent: Vec<usize> = (0..count).collect();
        fn root(parent: &mut [usize], mut at: usize) -> usize {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        }
        for constraint in self.constraints(1.0) {
            let [a, b] = constraint.particles.map(|particle| root(&mut parent, particle as usize));
            parent[a] = b;
        }
        let mut held = vec![false; count];
        for particle in 0..count {
            held[root(&mut parent, particle)] |= self.pinned[particle];
        }
        let roots = (0..count).filter(|&at| parent[at] == at);
        roots.fold((0, 0), |(pieces, loose), at| (pieces + 1, loose + usize::from(!held[at])))
    }

    pub(super) fn build(&self, rest_scale: f32) -> Model {
        let free_inv_masses = self.inv_masses();
        let inv_mass = |particle: usize| if self.pinned[particle] { 0.0 } else { free_inv_masses[particle] };
        Model {
            positions: self.import.positions.iter().enumerate().map(|(i, at)| at.extend(inv_mass(i))).collect(),
            triangles: self.import.triangles.clone(),
            constraints: self.constraints(rest_scale),
            rest_scale,
            free_inv_masses,
        }
    }

    /// A third of each triangle's mass at each corner, half of each line's at each end.
    fn inv_masses(&self) -> Vec<f32> {
        let at = |particle: u32| self.import.positions[particle as usize];
        let mut masses = vec![0.0f32; self.import.positions.len()];
        for triangle in &self.import.triangles {
            let [a, b, c] = triangle.map(at);
            let share = DENSITY * 0.5 * (b - a).cross(c - a).length() / 3.0;
            triangle.iter().for_each(|&corner| masses[corner as usize] += share);
        }
        for line in &self.import.lines {
            let [a, b] = line.map(at);
            line.iter().for_each(|&end| masses[end as usize] += LINE_DENSITY * 0.5 * a.distance(b));
        }
        let least = LEAST_MASS * masses.iter().sum::<f32>() / masses.len() as f32;
        masses.iter().map(|mass| 1.0 / mass.max(least).max(1e-9)).collect()
    }

    pub(super) fn constraints(&self, rest_scale: f32) -> Vec<DistanceConstraint> {
        let Import { positions, triangles, lines, .. } = &self.import;
        let mut edges = topology::edges(triangles);
        edges.extend(lines.iter().map(|&[a, b]| [a.min(b), a.max(b)]));
        let mut joined: HashSet<[u32; 2]> = edges.iter().copied().collect();
        let length = |a: u32, b: u32| positions[a as usize].distance(positions[b as usize]);
        // Corners that an edge joins already, or another bend, need no second constraint; those of faces that lie folded onto
        // one another are at one place.
        let across: Vec<[u32; 2]> = topology::hinges(triangles)
            .into_iter()
            .filter(|&[a, b, c, d]| length(c, d) > FOLDED * length(a, b))
            .map(|[_, _, c, d]| [c, d])
            .filter(|pair| joined.insert(*pair))
            .collect();
        let (low, high) = bounds(positions);
        let shortest = SHORTEST * (high - low).length();
        let groups = [(self.springs.structural, Group::Edge, edges), (self.springs.skip, Group::Bend, across)];
        let wanted = groups.into_iter().filter(|(wanted, ..)| *wanted);
        wanted
            .flat_map(|(_, group, pairs)| (0..).zip(pairs).map(move |(index, particles)| (group, index, particles)))
            .filter_map(|(group, index, particles): (Group, u32, [u32; 2])| {
                let [a, b] = particles.map(|particle| positions[particle as usize]);
                let length = a.distance(b);
                (length > shortest).then_some(DistanceConstraint {
                    particles,
                    rest_length: length * rest_scale,
                    group,
                    side: index % 2 == 1,
                })
            })
            .collect()
    }
}
