//! What the window shows, apart from the window: a simulation, a camera, and the figures and controls between them and the
//! panels.

mod coloring;

use std::collections::VecDeque;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

use anyhow::Result;
use glam::{Vec2, Vec4};

use crate::clock::Clock;
use crate::coloring::gpu::ColorKernels;
use crate::coloring::{Batch, ColoredStats, ColoringOptions};
use crate::constraint::Group;
use crate::gpu::{Gl, Shaders};
use crate::headless::{report_import, simulation};
use crate::mesh::Format;
use crate::params::{SimParams, SolverKind, ViewOptions};
use crate::recoloring::{Progress, Recoloring};
use crate::render::{Camera, Renderer, Target};
use crate::scene::{self, MeshOptions, Scene, SceneOptions};
use crate::solver::{Residual, Simulation};
use crate::watch::ShaderWatcher;

/// Frames that the residual plot shows.
const HISTORY: usize = 600;

/// How near the cursor a particle must be to be picked, points.
const PICK_RADIUS: f32 = 14.0;

/// Above this many particles the one under the cursor is looked for on a click only: it takes a readback.
const HOVER_PARTICLES: u32 = 50_000;

/// How near the cursor a constraint must be to be read, points.
const CONSTRAINT_RADIUS: f32 = 5.0;

/// How long a notice stays.
pub const NOTICE: Duration = Duration::from_secs(4);

/// What the panels edit: plain values, acted upon once the panels are done.
#[derive(Clone, Debug, PartialEq)]
pub struct Controls {
    /// A built-in name, or the path of a mesh file.
    pub scene: String,
    /// Particles along a side of a grid; `None` of a mesh.
    pub resolution: Option<u32>,
    pub params: SimParams,
    pub view: ViewOptions,
    /// Of the next colouring.
    pub coloring: ColoringOptions,
    pub playing: bool,
    pub show_panels: bool,
    pub show_help: bool,
    /// Asked for by a key or a button, until it is done.
    pub requests: Requests,
}

/// Things to do once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    pub step: bool,
    pub reset: bool,
    pub frame_camera: bool,
    pub toggle_pin: bool,
    pub screenshot: bool,
    /// Colour anew, or go on to the end with the colouring that is under way.
    pub recolor: bool,
    /// One round of the colouring that is under way, or of a new one.
    pub color_round: bool,
    /// Give the colouring under way up.
    pub stop_coloring: bool,
}

/// What the panels show.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    pub frame: u64,
    /// Frames drawn in a second.
    pub fps: f64,
    /// Simulated seconds in a second.
    pub speed: f64,
    pub particles: u32,
    pub constraints: u32,
    pub lower_bound: u32,
    pub batches: Vec<BatchStats>,
    /// The types of constraint that there are.
    pub groups: Vec<Group>,
    pub residual: Residual,
    pub history: VecDeque<Sample>,
    /// GPU time by kernel in the last step, ms.
    pub passes: Vec<(&'static str, f64)>,
    /// The particle under the cursor or held by it.
    pub marked_particle: Option<u32>,
    /// The constraint under the cursor.
    pub marked_constraint: Option<ConstraintStats>,
    /// How the colouring that the solver uses came about.
    pub colored: ColoredStats,
    /// The colouring that is under way.
    pub coloring: Option<Progress>,
    pub shader_error: Option<String>,
    /// A sentence to show for a while.
    pub notice: Option<(String, Instant)>,
}

/// A batch as the legend lists it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchStats {
    pub batch: Batch,
    pub residual: Residual,
}

/// A constraint as the panels show it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstraintStats {
    /// Place in the model's list of constraints.
    pub index: u32,
    pub batch: u32,
    pub group: Group,
    pub particles: [u32; 2],
    /// Constraints that share a particle with it.
    pub neighbors: u32,
    /// m
    pub rest_length: f32,
}

/// The residual after a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub frame: u64,
    pub solver: SolverKind,
    /// Root mean square of |C| / rest length.
    pub rms: f64,
}

/// The cursor over the scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cursor {
    /// Pixels from the scene's top left corner.
    pub at: Vec2,
    /// Size of the scene, pixels.
    pub viewport: Vec2,
    /// Pixels in a point.
    pub scale: f32,
}

/// A scene being looked at.
pub struct Viewer {
    pub controls: Controls,
    pub stats: Stats,
    gl: Rc<Gl>,
    shaders: Shaders,
    watcher: Option<ShaderWatcher>,
    scene: Scene,
    /// Of mesh files that are opened later.
    mesh_options: MeshOptions,
    sim: Simulation,
    renderer: Renderer,
    /// Compiled when they are first needed.
    color_kernels: Option<Rc<ColorKernels>>,
    recoloring: Option<Recoloring>,
    /// Whether it goes on by itself.
    coloring_runs: bool,
    camera: Camera,
    clock: Clock,
    /// The particle that the mouse drags.
    dragged: Option<u32>,
    /// Over the scene.
    cursor: Option<Cursor>,
    /// The constraint under it, by its place in solve order.
    marked_constraint: Option<u32>,
    speed: Rate,
    fps: Rate,
}

impl Viewer {
    pub fn new(gl: &Rc<Gl>, scene: Scene, shaders: Shaders, mesh_options: MeshOptions) -> Result<Self> {
        report_import(&scene);
        let watcher = shaders.folder().map(ShaderWatcher::new).transpose()?;
        let (sim, colored) = simulation(gl, &shaders, &scene)?;
        let renderer = Renderer::new(gl, &shaders, &sim)?;
        let mut viewer = Self {
            controls: Controls {
                scene: scene.name.clone(),
                resolution: scene.resolution(),
                params: scene.params,
                view: ViewOptions::default(),
                coloring: scene.coloring,
                playing: true,
                show_panels: true,
                show_help: false,
                requests: Requests::default(),
            },
            stats: Stats { colored, ..Stats::default() },
            gl: gl.clone(),
            camera: Camera::new(scene.camera),
            clock: Clock::default(),
            dragged: None,
            cursor: None,
            marked_constraint: None,
            speed: Rate::default(),
            fps: Rate::default(),
            shaders,
            watcher,
            scene,
            mesh_options,
            sim,
            renderer,
            color_kernels: None,
            recoloring: None,
            coloring_runs: false,
        };
        viewer.measure();
        Ok(viewer)
    }

    /// Does what the controls ask for and lets `elapsed` seconds pass.
    pub fn update(&mut self, elapsed: f64) {
        self.reload_shaders();
        self.apply_controls();
        self.go_on_coloring();
        let params = self.sim.params;
        let steps = if self.controls.playing {
            self.clock.steps(elapsed, f64::from(params.dt), self.step_cost())
        } else {
            u32::from(self.controls.requests.step)
        };
        self.controls.requests.step = false;
        for _ in 0..steps {
            self.sim.step();
        }
        if steps > 0 {
            self.measure();
        }
        self.stats.fps = self.fps.add(1.0, elapsed);
        self.stats.speed = self.speed.add(f64::from(steps) * f64::from(params.dt), elapsed);
    }

    /// GPU seconds of the last step; before the first one nobody knows, and it is taken alone.
    fn step_cost(&self) -> f64 {
        if self.stats.frame == 0 {
            return f64::INFINITY;
        }
        self.stats.passes.iter().map(|(_, ms)| ms * 1e-3).sum()
    }

    /// Draws the scene on a display of `scale` pixels a point.
    pub fn draw(&mut self, target: &Target, scale: f32) {
        let marked_particle = self.stats.marked_particle;
        let marked_constraint = self.marked_constraint;
        let view = ViewOptions { marked_particle, marked_constraint, pixels_per_point: scale, ..self.controls.view };
        self.renderer.draw(&self.sim, &self.camera, &view, target);
    }

    /// The window's title.
    pub fn title(&self) -> String {
        format!(
            "Tartan: {} · {} · {} colours · {:.0} fps",
            self.scene_title(),
            self.sim.params.solver.title(),
            self.stats.batches.len(),
            self.stats.fps
        )
    }

    /// The scene's name; of a file without its folders.
    pub fn scene_title(&self) -> &str {
        self.scene.title()
    }

    /// Opens a mesh file. Where that fails, the scene that is there stays, and the reason is shown.
    pub fn open(&mut self, path: &Path) {
        self.controls.scene = path.display().to_string();
        self.rebuild();
    }

    /// Shows a sentence for a while, and logs it.
    pub fn notify(&mut self, text: String) {
        log::info!("{text}");
        self.stats.notice = Some((text, Instant::now()));
    }

    fn apply_controls(&mut self) {
        if self.controls.scene != self.scene.name || self.controls.resolution != self.scene.resolution() {
            self.rebuild();
        }
        if self.controls.params.solver != self.sim.params.solver {
            log::info!("solver {} at frame {}", self.controls.params.solver, self.sim.frame());
        }
        self.sim.params = self.controls.params;
        let requests = std::mem::take(&mut self.controls.requests);
        if requests.reset {
            self.sim.reset();
            self.dragged = None;
            self.stats.history.clear();
            self.measure();
        }
        if requests.frame_camera {
            self.camera = Camera::new(self.scene.camera);
        }
        if requests.toggle_pin {
            self.toggle_pin();
        }
        if requests.stop_coloring {
            self.stop_coloring();
        }
        if requests.recolor || requests.color_round {
            self.coloring_runs = requests.recolor;
            if let Err(error) = self.color(requests.color_round) {
                self.stop_coloring();
                self.notify(format!("{error:#}"));
            }
        }
        self.controls.requests.step = requests.step;
        self.controls.requests.screenshot = requests.screenshot;
    }

    /// Pins the particle under the cursor, or lets it go.
    fn toggle_pin(&mut self) {
        let at_cursor = || self.pick_at(self.cursor?);
        let Some(particle) = self.stats.marked_particle.or_else(at_cursor) else {
            self.notify("no particle is under the cursor".into());
            return;
        };
        let pinned = !self.sim.pins().contains_key(&particle);
        self.sim.set_pinned(particle, pinned);
        self.notify(format!("particle {particle} {}", if pinned { "pinned" } else { "let go" }));
    }

    /// Another scene, or the same one at another resolution.
    fn rebuild(&mut self) {
        let same_scene = self.controls.scene == self.scene.name;
        let options = SceneOptions {
            resolution: self.controls.resolution.filter(|_| same_scene),
            springs: self.scene.grid().filter(|_| same_scene).map(|grid| grid.springs),
            rest_scale: same_scene.then_some(self.scene.rest_scale),
        };
        let name = &self.controls.scene;
        let found = match Format::of(Path::new(name)) {
            Some(_) => scene::of_mesh(Path::new(name), &self.mesh_options).map_err(|error| error.to_string()),
            None => scene::builtin(name),
        };
        let built = found.and_then(|scene| scene.with(&options));
        let built = built.map_err(anyhow::Error::msg).and_then(|mut scene| {
            if same_scene {
                scene.params = self.controls.params;
                scene.coloring = self.scene.coloring;
            } else {
                scene.params.solver = self.controls.params.solver;
            }
            let (sim, colored) = simulation(&self.gl, &self.shaders, &scene)?;
            let renderer = Renderer::new(&self.gl, &self.shaders, &sim)?;
            Ok((scene, sim, colored, renderer))
        });
        match built {
            Ok((scene, sim, colored, renderer)) => {
                if !same_scene {
                    self.camera = Camera::new(scene.camera);
                }
                (self.sim, self.renderer) = (sim, renderer);
                self.stop_coloring();
                self.stats.colored = colored;
                self.controls.coloring = scene.coloring;
                self.controls.params = scene.params;
                self.controls.view.isolated_batch = None;
                self.scene = scene;
                self.dragged = None;
                self.stats.history.clear();
                self.measure();
                report_import(&self.scene);
                match self.scene.resolution() {
                    Some(resolution) => log::info!("scene {} at resolution {resolution}", self.scene.name),
                    None => self.notify(format!("{}: {} particles", self.scene.name, self.sim.particle_count())),
                }
            }
            Err(error) => self.notify(format!("{error:#}")),
        }
        (self.controls.scene, self.controls.resolution) = (self.scene.name.clone(), self.scene.resolution());
    }

    /// Takes over shaders that were saved. A program that does not compile leaves the one before running.
    fn reload_shaders(&mut self) {
        if !self.watcher.as_mut().is_some_and(ShaderWatcher::take_change) {
            return;
        }
        // The kernels of colouring are compiled when they are next needed.
        self.color_kernels = None;
        match self.sim.reload(&self.shaders).and_then(|()| self.renderer.reload(&self.shaders)) {
            Ok(()) => {
                self.stats.shader_error = None;
                self.notify("shaders reloaded".into());
            }
            Err(error) => {
                log::error!("shaders not reloaded: {error}");
                self.stats.shader_error = Some(error.to_string());
            }
        }
    }

    /// Reads the figures of the state as it is.
    fn measure(&mut self) {
        let rows = self.sim.residuals();
        let batches = self.sim.workset().batches.iter();
        self.stats.batches = (0u32..)
            .zip(batches)
            .map(|(color, &batch)| BatchStats {
                batch,
                residual: Residual::merge(rows.iter().filter(|row| row.color == color).map(|row| &row.residual)),
            })
            .collect();
        self.stats.residual = Residual::merge(rows.iter().map(|row| &row.residual));
        self.stats.groups = rows.iter().map(|row| row.group).collect();
        self.stats.groups.sort_unstable();
        self.stats.groups.dedup();
        self.stats.frame = self.sim.frame();
        self.stats.particles = self.sim.particle_count();
        self.stats.constraints = self.sim.workset().constraints.len() as u32;
        self.stats.lower_bound = self.sim.workset().lower_bound;
        let solver = self.sim.params.solver;
        log::debug!("frame {} solver {solver} rms {:.6}", self.stats.frame, self.stats.residual.rms);
        self.stats.history.push_back(Sample { frame: self.stats.frame, solver, rms: self.stats.residual.rms });
        if self.stats.history.len() > HISTORY {
            self.stats.history.pop_front();
        }
        self.stats.passes = self.sim.last_pass_times().iter().map(|(kernel, ms)| (kernel.name(), *ms)).collect();
    }

    /// The cursor is over the scene, and not over a panel.
    pub fn hover(&mut self, cursor: Option<Cursor>) {
        self.cursor = cursor;
        if let Some(particle) = self.dragged {
            if let Some(cursor) = cursor {
                let through = self.position(particle).truncate();
                let at = self.camera.drag_point(cursor.at, cursor.viewport, through);
                self.sim.hold(particle, at);
            }
            self.stats.marked_particle = Some(particle);
        } else if self.sim.particle_count() <= HOVER_PARTICLES {
            self.stats.marked_particle = cursor.and_then(|cursor| self.pick_at(cursor));
        }
        self.marked_constraint = cursor
            .filter(|_| self.dragged.is_none() && self.sim.particle_count() <= HOVER_PARTICLES)
            .and_then(|cursor| self.constraint_at(cursor));
        self.stats.marked_constraint = self.marked_constraint.map(|place| self.constraint_stats(place));
    }

    fn position(&self, particle: u32) -> Vec4 {
        self.sim.state().positions.read_range(particle as usize, 1)[0]
    }

    fn pick_at(&self, cursor: Cursor) -> Option<u32> {
        self.camera.pick(&self.sim.read_positions(), cursor.at, cursor.viewport, PICK_RADIUS * cursor.scale)
    }

    /// Takes hold of the particle at the cursor, if there is one.
    pub fn grab(&mut self, cursor: Cursor) -> bool {
        self.dragged = self.pick_at(cursor);
        if let Some(particle) = self.dragged {
            let at = self.position(particle).truncate();
            self.sim.hold(particle, at);
            log::info!("holding particle {particle} at {:.3} {:.3} {:.3}", at.x, at.y, at.z);
        }
        self.dragged.is_some()
    }

    /// Lets go of what the mouse holds.
    pub fn release(&mut self) {
        if let Some(particle) = self.dragged.take() {
            let at = self.position(particle).truncate();
            self.sim.release();
            log::info!("let go of particle {particle} at {:.3} {:.3} {:.3}", at.x, at.y, at.z);
        }
    }

    pub fn camera_mut(&mut self) -> &mut Camera {
        &mut self.camera
    }

    /// Whether something moves or may have changed without an event: a frame is then due.
    pub fn is_live(&self) -> bool {
        let notice = self.stats.notice.as_ref().is_some_and(|(_, since)| since.elapsed() <= NOTICE + NOTICE / 8);
        self.controls.playing || self.coloring_runs || self.watcher.is_some() || notice
    }
}

/// An amount a second, over the last half second.
#[derive(Clone, Copy, Debug, Default)]
struct Rate {
    amount: f64,
    seconds: f64,
    shown: f64,
}

impl Rate {
    fn add(&mut self, amount: f64, seconds: f64) -> f64 {
        self.amount += amount;
        self.seconds += seconds;
        if self.seconds >= 0.5 {
            self.shown = self.amount / self.seconds;
            (self.amount, self.seconds) = (0.0, 0.0);
        }
        self.shown
    }
}
