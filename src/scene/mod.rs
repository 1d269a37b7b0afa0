//! Scenes: what hangs where, and the parameters it starts with.
//!
//! A [`Scene`] is a short description; [`Scene::build`] makes the particles, triangles and constraints of it.

mod builtin;
mod shape;

use glam::{Vec3, Vec4};

use crate::coloring::{ColoringOptions, GridShape, Incidence};
use crate::constraint::distance::{self, DistanceConstraint, Springs};
use crate::mesh;
use crate::params::{SimParams, check};

pub use builtin::{NAMES, builtin};
use shape::Shape;

/// Particles along a side. At 1024 the constraints of all springs fill the 128 MiB that OpenGL 4.5 promises a storage block.
pub const RESOLUTION: std::ops::RangeInclusive<u32> = 2..=1024;

/// Rest length over original length. Below a hundredth the threads are shorter than a kernel tells from nothing.
pub const REST_SCALE: std::ops::RangeInclusive<f32> = 0.01..=10.0;

/// Mass of a whole cloth, kg: one square metre of a light cotton.
const MASS: f32 = 0.2;

/// A cloth of rectangular cells and how it is run and seen at first.
#[derive(Clone, Debug)]
pub struct Scene {
    pub name: &'static str,
    /// One line for the list of scenes.
    pub description: &'static str,
    pub params: SimParams,
    /// Particles along a side.
    pub resolution: u32,
    pub springs: Springs,
    /// Rest length over original length.
    pub rest_scale: f32,
    /// Frames that `run` simulates unless told otherwise.
    pub frames: u32,
    pub camera: CameraPose,
    /// How its constraints are coloured.
    pub coloring: ColoringOptions,
    /// Whether it is one column only.
    chain: bool,
    shape: Shape,
    pins: Pins,
}

/// Where the camera stands at first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPose {
    /// The point looked at, m.
    pub target: Vec3,
    /// From the target to the eye, m.
    pub distance: f32,
    /// Turn about the vertical axis from +z, radians.
    pub yaw: f32,
    /// Rise above the horizon, radians.
    pub pitch: f32,
}

/// Which particles of a grid are pinned; row 0 is the top one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pins {
    /// First and last of the top row.
    TopCorners,
    TopRow,
    /// First and last of each row.
    SideColumns,
    Corners,
}

/// What a user may change in a scene before it is built.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SceneOptions {
    pub resolution: Option<u32>,
    pub springs: Option<Springs>,
    pub rest_scale: Option<f32>,
}

/// What there is to simulate, as plain data.
#[derive(Clone, Debug)]
pub struct Model {
    /// xyz in metres, w the inverse mass in 1/kg, 0 for pinned.
    pub positions: Vec<Vec4>,
    /// Of the surface; empty for a chain.
    pub triangles: Vec<[u32; 3]>,
    pub constraints: Vec<DistanceConstraint>,
    /// Rest length over original length.
    pub rest_scale: f32,
    /// Inverse mass of a particle that is not pinned, 1/kg.
    pub free_inv_mass: f32,
}

impl Scene {
    /// Takes over what `options` sets; the error is a sentence that names the option and its range.
    pub fn with(mut self, options: &SceneOptions) -> Result<Self, String> {
        if let Some(resolution) = options.resolution {
            check("resolution", resolution, &RESOLUTION).map_err(|error| {
                format!(
                    "{error}: a cloth needs two particles a side, and a larger one more memory than OpenGL 4.5 promises"
                )
            })?;
            self.resolution = resolution;
        }
        if let Some(springs) = options.springs {
            self.springs = springs;
        }
        if let Some(rest_scale) = options.rest_scale {
            check("rest-scale", rest_scale, &REST_SCALE)?;
            self.rest_scale = rest_scale;
        }
        if self.build_constraints().is_empty() {
            return Err(format!(
                "scene {} has no constraints with these --springs at --resolution {}: choose others, or more particles",
                self.name, self.resolution
            ));
        }
        Ok(self)
    }

    /// Particles, triangles and constraints.
    pub fn build(&self) -> Model {
        let (columns, rows) = self.size();
        let free_inv_mass = (columns * rows) as f32 / MASS;
        let place = self.shape.sampler(columns, rows);
        let positions = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(column, row)| {
                let inv_mass = if self.pins.holds(column, row, columns, rows) { 0.0 } else { free_inv_mass };
                place(column, row).extend(inv_mass)
            })
            .collect();
        Model {
            positions,
            triangles: mesh::grid_triangles(columns, rows),
            constraints: self.build_constraints(),
            rest_scale: self.rest_scale,
            free_inv_mass,
        }
    }

    /// The grid that it is.
    pub fn grid(&self) -> Option<GridShape> {
        let (columns, rows) = self.size();
        Some(GridShape { columns, rows, springs: self.springs })
    }

    /// Columns and rows.
    fn size(&self) -> (u32, u32) {
        (if self.chain { 1 } else { self.resolution }, self.resolution)
    }

    fn build_constraints(&self) -> Vec<DistanceConstraint> {
        let (columns, rows) = self.size();
        distance::grid(columns, rows, 1.0 / (rows - 1) as f32, self.springs, self.rest_scale)
    }
}

impl Model {
    /// Which constraints touch which particles, for colouring.
    pub fn incidence(&self) -> Incidence {
        Incidence::new(self.positions.len(), self.constraints.iter().map(|constraint| constraint.particles))
    }
}

impl Pins {
    fn holds(self, column: u32, row: u32, columns: u32, rows: u32) -> bool {
        let (side, top, bottom) = (column == 0 || column == columns - 1, row == 0, row == rows - 1);
        match self {
            Self::TopCorners => side && top,
            Self::TopRow => top,
            Self::SideColumns => side,
            Self::Corners => side && (top || bottom),
        }
    }
}
