//! Scenes: what hangs where, and the parameters it starts with.
//!
//! A [`Scene`] is a short description; [`Scene::build`] makes the particles, triangles and constraints of it.

mod builtin;
mod mesh_cloth;
mod shape;

use std::rc::Rc;

use glam::{Vec3, Vec4};

use crate::coloring::{ColoringOptions, GridShape, Incidence};
use crate::constraint::distance::{self, DistanceConstraint, Springs};
use crate::mesh;
use crate::params::{SimParams, check};

pub use builtin::{NAMES, builtin};
pub use mesh_cloth::{MeshCloth, MeshOptions, of_mesh};
use shape::Shape;

/// Particles along a side. At 1024 the constraints of all springs fill the 128 MiB that OpenGL 4.5 promises a storage block.
pub const RESOLUTION: std::ops::RangeInclusive<u32> = 2..=1024;

/// Rest length over original length. Below a hundredth the threads are shorter than a kernel tells from nothing.
pub const REST_SCALE: std::ops::RangeInclusive<f32> = 0.01..=10.0;

/// Mass of a cloth, kg/m²: a light cotton. The built-in ones are a square metre.
const DENSITY: f32 = 0.2;

/// A cloth, and how it is run and seen at first.
#[derive(Clone, Debug)]
pub struct Scene {
    /// A built-in name, or a file's.
    pub name: String,
    /// One line for the list of scenes.
    pub description: &'static str,
    pub params: SimParams,
    /// Rest length over original length.
    pub rest_scale: f32,
    /// Frames that `run` simulates unless told otherwise.
    pub frames: u32,
    pub camera: CameraPose,
    /// How its constraints are coloured.
    pub coloring: ColoringOptions,
    pub cloth: Cloth,
}

/// What hangs.
#[derive(Clone, Debug)]
pub enum Cloth {
    Grid(GridCloth),
    Mesh(Rc<MeshCloth>),
}

/// A cloth of rectangular cells, a metre by a metre.
#[derive(Clone, Copy, Debug)]
pub struct GridCloth {
    /// Particles along a side.
    pub resolution: u32,
    pub springs: Springs,
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
    /// Inverse mass of each particle when it is not pinned, 1/kg.
    pub free_inv_masses: Vec<f32>,
}

impl Scene {
    /// Takes over what `options` sets; the error is a sentence that names the option and its range.
    pub fn with(mut self, options: &SceneOptions) -> Result<Self, String> {
        if let Some(rest_scale) = options.rest_scale {
            check("rest-scale", rest_scale, &REST_SCALE)?;
            self.rest_scale = rest_scale;
        }
        self.cloth = match self.cloth {
            Cloth::Grid(grid) => Cloth::Grid(grid.with(options)?),
            Cloth::Mesh(mesh) => Cloth::Mesh(mesh.with(options)?),
        };
        if self.constraints().is_empty() {
            let at = self.resolution().map(|resolution| format!(" at --resolution {resolution}")).unwrap_or_default();
            return Err(format!(
                "scene {} has no constraints with these --springs{at}: choose others, or more particles",
                self.name
            ));
        }
        Ok(self)
    }

    /// Particles, triangles and constraints.
    pub fn build(&self) -> Model {
        match &self.cloth {
            Cloth::Grid(grid) => grid.build(self.rest_scale),
            Cloth::Mesh(mesh) => mesh.build(self.rest_scale),
        }
    }

    /// Particles along a side of a grid.
    pub fn resolution(&self) -> Option<u32> {
        self.grid_cloth().map(|grid| grid.resolution)
    }

    /// Its name; of a file without its folders.
    pub fn title(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name)
    }

    /// What the colouring of a grid in closed form is told.
    pub fn grid(&self) -> Option<GridShape> {
        self.grid_cloth().map(|grid| {
            let (columns, rows) = grid.size();
            GridShape { columns, rows, springs: grid.springs }
        })
    }

    fn grid_cloth(&self) -> Option<&GridCloth> {
        match &self.cloth {
            Cloth::Grid(grid) => Some(grid),
            Cloth::Mesh(_) => None,
        }
    }

    fn constraints(&self) -> Vec<DistanceConstraint> {
        match &self.cloth {
            Cloth::Grid(grid) => grid.constraints(self.rest_scale),
            Cloth::Mesh(mesh) => mesh.constraints(self.rest_scale),
        }
    }
}

impl GridCloth {
    fn with(mut self, options: &SceneOptions) -> Result<Self, String> {
        if let Some(resolution) = options.resolution {
            check("resolution", resolution, &RESOLUTION).map_err(|error| {
                format!(
                    "{error}: a cloth needs two particles a side, and a larger one more memory than OpenGL 4.5 promises"
                )
            })?;
            self.resolution = resolution;
        }
        self.springs = options.springs.unwrap_or(self.springs);
        Ok(self)
    }

    fn build(&self, rest_scale: f32) -> Model {
        let (columns, rows) = self.size();
        let free_inv_mass = (columns * rows) as f32 / DENSITY;
        let place = self.shape.sampler(columns, rows);
        let positions: Vec<Vec4> = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(column, row)| {
                let inv_mass = if self.pins.holds(column, row, columns, rows) { 0.0 } else { free_inv_mass };
                place(column, row).extend(inv_mass)
            })
            .collect();
        Model {
            free_inv_masses: vec![free_inv_mass; positions.len()],
            positions,
            triangles: mesh::grid_triangles(columns, rows),
            constraints: self.constraints(rest_scale),
            rest_scale,
        }
    }

    /// Columns and rows.
    fn size(&self) -> (u32, u32) {
        (if self.chain { 1 } else { self.resolution }, self.resolution)
    }

    fn constraints(&self, rest_scale: f32) -> Vec<DistanceConstraint> {
        let (columns, rows) = self.size();
        distance::grid(columns, rows, 1.0 / (rows - 1) as f32, self.springs, rest_scale)
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
