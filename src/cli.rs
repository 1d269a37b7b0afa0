//! The command line.

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use glam::Vec3;

use crate::constraint::distance::Springs;
use crate::mesh::{Format, ImportOptions};
use crate::params::{BatchOrder, SimParams, SolverKind};
use crate::scene::{self, MeshOptions, Scene, SceneOptions};

/// A desktop laboratory for GPU cloth: Position-Based Dynamics in OpenGL 4.5 compute shaders, coloured by batch.
///
/// Without a command, opens the viewer.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub view: ViewArgs,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open the viewer
    View(ViewArgs),
    /// Simulate without a window; figures and pictures come out
    Run(RunArgs),
    /// Colour the primitives of a scene or mesh, and say how good the colouring is
    Color(ColorArgs),
    /// Measure on this machine's OpenGL
    Bench(BenchArgs),
    /// List the scenes
    Scenes,
    /// Say what this machine's OpenGL offers and what Tartan chose of it
    Info,
}

#[derive(Args, Clone, Debug, Default)]
pub struct ViewArgs {
    /// A scene of `tartan scenes`, or a mesh file: .obj, .ply or .stl [default: hanging]
    pub scene: Option<String>,
    #[command(flatten)]
    pub options: Options,
}

#[derive(Args, Clone, Debug)]
pub struct RunArgs {
    /// A scene of `tartan scenes`, or a mesh file: .obj, .ply or .stl
    pub scene: String,
    #[command(flatten)]
    pub options: Options,
    /// Steps to simulate [default: the scene's]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub frames: Option<u32>,
    /// Write all figures as one JSON object; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Write the residual of every frame as a table
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,
    /// Write a picture of the last frame
    #[arg(long, value_name = "FILE.png", help_heading = "Output")]
    pub screenshot: Option<PathBuf>,
    /// Write the cloth at the end as a mesh; with a run of # in the name one for each frame, as cloth-####.obj
    #[arg(long, value_name = "FILE.obj|FILE.ply", help_heading = "Output")]
    pub export: Option<PathBuf>,
    /// Write a picture of every frame into this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub record: Option<PathBuf>,
    /// Pixels of the pictures
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x800", help_heading = "Output")]
    pub size: String,
}

#[derive(Args, Clone, Debug)]
pub struct BenchArgs {
    /// What is measured
    #[arg(long, value_enum, default_value_t = Suite::Coloring)]
    pub suite: Suite,
    /// Particles along a side of the grid
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(2..=1024))]
    pub resolution: u32,
    /// Write all figures as one JSON object; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Write the figures as a table
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub csv: Option<PathBuf>,
}

/// What there is to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Suite {
    /// Algorithms that colour, on the GPU and beside it
    Coloring,
}

#[derive(Args, Clone, Debug)]
pub struct ColorArgs {
    /// A scene of `tartan scenes`, or a mesh file: .obj, .ply or .stl
    #[arg(required_unless_present = "check")]
    pub scene: Option<String>,
    /// What is coloured: edges (the distance constraints), faces, hinges (two faces at an edge), points (each with those that
    /// edges join it to)
    #[arg(long, value_name = "KIND", default_value = "edges")]
    pub elements: String,
    /// gebremedhin-manne (on the GPU), first-fit, largest-first, smallest-last, dsatur, jones-plassmann, misra-gries, grid
    #[arg(long, value_name = "NAME", default_value = "gebremedhin-manne")]
    pub algorithm: String,
    /// Which of two that chose one colour keeps it: index, hash, degree
    #[arg(long, value_name = "NAME", default_value = "hash")]
    pub priority: String,
    /// Which free colour is chosen on the GPU: lowest, random
    #[arg(long, value_name = "NAME", default_value = "random")]
    pub choice: String,
    /// Primitives of this many points or more go first, one after the other; 0: all do
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub max_valence: u32,
    /// Leave the first colouring as it is, where recolouring would save colours
    #[arg(long)]
    pub no_recolor: bool,
    /// Then even the batches out
    #[arg(long)]
    pub balance: bool,
    /// Of all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u32,
    /// Rounds on the GPU before it is given up as not finished
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_rounds: u32,
    /// Let primitives that meet at pinned particles only have the same colour: nothing moves those
    #[arg(long)]
    pub skip_pinned: bool,
    #[command(flatten)]
    pub cloth: ClothArgs,
    /// Write all figures as one JSON object; `-` for standard output
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Write the primitives in their colours, to be looked at in other programs
    #[arg(long, value_name = "FILE.ply|FILE.obj", help_heading = "Output")]
    pub out: Option<PathBuf>,
    /// Write who conflicts with whom, for other colouring programs: DIMACS or MatrixMarket
    #[arg(long, value_name = "FILE.col|FILE.mtx", help_heading = "Output")]
    pub conflict_graph: Option<PathBuf>,
    /// Write the points of each primitive and the primitives of each colour
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub coloring: Option<PathBuf>,
    /// Instead of colouring, check a colouring from elsewhere, in the form that --coloring writes; of a scene, if one is named
    #[arg(long, value_name = "FILE.json", help_heading = "Output")]
    pub check: Option<PathBuf>,
}

/// What a scene is started with, the same in every command. What is not given comes from the scene.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Simulation")]
pub struct Options {
    /// gauss-seidel, jacobi or hybrid
    #[arg(long, value_name = "NAME")]
    pub solver: Option<String>,
    /// Passes over all constraints in a substep
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub iterations: Option<u32>,
    /// Equal parts of a step
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub substeps: Option<u32>,
    /// Jacobi iterations after those of a substep
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub smooth: Option<u32>,
    /// Order of the batches in an iteration: forward, alternating or shuffled
    #[arg(long, value_name = "NAME")]
    pub order: Option<String>,
    /// first: robust, takes motion away; second: motion lasts (BDF2)
    #[arg(long, value_name = "NAME")]
    pub integrator: Option<String>,
    /// Batches that the hybrid solver takes one after the other, the fullest first; the others go at once
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub colored_batches: Option<u32>,
    /// Length of a step, s
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub dt: Option<f32>,
    /// Acceleration along y, m/s²
    #[arg(long, value_name = "G", allow_negative_numbers = true)]
    pub gravity: Option<f32>,
    /// Rate at which velocities decay, 1/s
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub damping: Option<f32>,
    /// Compliance of the distance constraints, m/N; 0 is stiff
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    pub compliance: Option<f32>,
    /// Factor on a particle's mean correction in the Jacobi solver
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    pub omega: Option<f32>,
    /// Algorithm that colours the constraints: gebremedhin-manne (on the GPU), first-fit, largest-first, smallest-last, dsatur,
    /// jones-plassmann, misra-gries, grid [default: the scene's]
    #[arg(long, value_name = "NAME")]
    pub coloring: Option<String>,
    #[command(flatten)]
    pub cloth: ClothArgs,
}

/// What is there to be simulated or coloured, the same in every command.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Cloth")]
pub struct ClothArgs {
    /// Particles along a side of the cloth
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub resolution: Option<u32>,
    /// Distance constraints of the cloth: a list of structural, shear, skip
    #[arg(long, value_name = "LIST")]
    pub springs: Option<String>,
    /// Rest length over original length
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub rest_scale: Option<f32>,
    /// What of a mesh is pinned: a list of none, top, bottom, left, right, front, back, corners, vertices as 12 or 12-40, or
    /// comparisons as `y>0.9&x<0.1` with the bounding box from 0 to 1 [default: top]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub pin: Option<String>,
    /// Unit of a mesh file: auto, m, cm, mm, in or ft [default: auto, the one that makes it as large as a cloth]
    #[arg(long, value_name = "UNIT")]
    pub unit: Option<String>,
    /// How far apart vertices of a mesh file may be that are one, in diagonals of its bounding box, or off [default: 1e-6]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub weld: Option<String>,
    /// Read the shaders from this folder, laid out as `glsl/`, and reload them when they are saved
    #[arg(long, value_name = "DIR")]
    pub shader_dir: Option<PathBuf>,
}

impl ClothArgs {
    /// The scene of this name, or of this mesh file, with what the options change in it; the error is a sentence.
    pub fn scene(&self, name: &str) -> Result<Scene, String> {
        let springs = self.springs.as_deref().map(str::parse::<Springs>).transpose()?;
        let found = match Format::of(Path::new(name)) {
            Some(_) => scene::of_mesh(Path::new(name), &self.mesh_options()?).map_err(|error| error.to_string())?,
            None => {
                let of_meshes =
                    [("--pin", self.pin.is_some()), ("--unit", self.unit.is_some()), ("--weld", self.weld.is_some())];
                let scene = scene::builtin(name)?;
                if let Some((option, _)) = of_meshes.iter().find(|(_, given)| *given) {
                    return Err(format!("{option} is for mesh files, and {name} is a built-in scene"));
                }
                scene
            }
        };
        found.with(&SceneOptions { resolution: self.resolution, springs, rest_scale: self.rest_scale })
    }

    /// How mesh files are taken in and hung.
    pub fn mesh_options(&self) -> Result<MeshOptions, String> {
        Ok(MeshOptions {
            import: ImportOptions {
                weld: self.weld.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
                unit: self.unit.as_deref().map(str::parse).transpose()?.unwrap_or_default(),
            },
            pin: self.pin.as_deref().map(str::parse).transpose()?,
        })
    }
}

impl Options {
    /// The scene of this name, or of this mesh file, with what the options change in it; the error is a sentence.
    pub fn scene(&self, name: &str) -> Result<Scene, String> {
        let mut scene = self.cloth.scene(name)?;
        scene.params = self.params(scene.params)?;
        if let Some(algorithm) = &self.coloring {
            scene.coloring.algorithm = algorithm.parse()?;
        }
        Ok(scene)
    }

    fn params(&self, defaults: SimParams) -> Result<SimParams, String> {
        let params = SimParams {
            solver: self.solver.as_deref().map(str::parse::<SolverKind>).transpose()?.unwrap_or(defaults.solver),
            iterations: self.iterations.unwrap_or(defaults.iterations),
            substeps: self.substeps.unwrap_or(defaults.substeps),
            smooth: self.smooth.unwrap_or(defaults.smooth),
            order: self.order.as_deref().map(str::parse::<BatchOrder>).transpose()?.unwrap_or(defaults.order),
            integrator: match &self.integrator {
                Some(name) => name.parse()?,
                None => defaults.integrator,
            },
            colored_batches: self.colored_batches.unwrap_or(defaults.colored_batches),
            dt: self.dt.unwrap_or(defaults.dt),
            gravity: self.gravity.map_or(defaults.gravity, |gravity| Vec3::new(0.0, gravity, 0.0)),
            damping: self.damping.unwrap_or(defaults.damping),
            compliance: self.compliance.unwrap_or(defaults.compliance),
            relaxation: self.omega.unwrap_or(defaults.relaxation),
        };
        params.validate()?;
        Ok(params)
    }
}

/// What a user asked for that cannot be done: exit status 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Width and height of a picture, as in `1280x800`.
pub fn picture_size(text: &str) -> Result<[u32; 2], String> {
    let side = |text: &str| text.parse::<u32>().ok().filter(|side| (1..=8192).contains(side));
    text.split_once('x')
        .and_then(|(width, height)| Some([side(width)?, side(height)?]))
        .ok_or_else(|| format!("--size {text} is no size: two numbers from 1 to 8192 are wanted, as in 1280x800"))
}
