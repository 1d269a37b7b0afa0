//! A running simulation: the one path that the window and the headless run both step.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{Vec3, Vec4};
use glow::HasContext;

use crate::coloring::{Batch, Invalid, Workset};
use crate::gpu::layout::{self, History, Params, location, storage, uniform};
use crate::gpu::source::ShaderError;
use crate::gpu::timeline::Timeline;
use crate::gpu::{Buffer, Gl, Shaders};
use crate::params::{Integrator, SimParams, SolverKind};
use crate::scene::Model;

use super::passes::split;
use super::{KERNELS, Kernel, Kernels, Pass, ReadPath, Residual, RowResidual, State, substep_passes};

/// Why a simulation cannot start.
#[derive(Debug, thiserror::Error)]
pub enum SimulationError {
    #[error(transparent)]
    Shader(#[from] ShaderError),
    #[error("the constraints are not coloured: {0}")]
    Coloring(#[from] Invalid),
    #[error("the scene's {what} need {needed} {unit}, and this driver allows {allowed}: choose a smaller --resolution")]
    TooLarge { what: &'static str, unit: &'static str, needed: u64, allowed: u64 },
}

/// What each later read of a kernel's output needs: the next kernel's storage reads and texture fetches, and the texture
/// fetches of a draw.
const AFTER_KERNEL: u32 = glow::SHADER_STORAGE_BARRIER_BIT | glow::TEXTURE_FETCH_BARRIER_BIT;

/// A model on the GPU, with the parameters that it is stepped with.
pub struct Simulation {
    pub params: SimParams,
    gl: Rc<Gl>,
    model: Model,
    workset: Workset,
    state: State,
    kernels: Kernels,
    read_path: ReadPath,
    params_buffer: Buffer<Params>,
    residual_buffer: Buffer<layout::Residual>,
    /// How many batches were coloured when the valences of the tail were counted.
    tail_of: Option<u32>,
    /// The substep's length, s, that the histories are apart; `None` while there are none.
    history_dt: Option<f32>,
    frame: u64,
    /// Where pinned particles are held, m.
    pins: BTreeMap<u32, Vec3>,
    /// The particle that the mouse holds.
    held: Option<u32>,
    timeline: Timeline<Kernel>,
    pass_times: BTreeMap<Kernel, PassTime>,
    /// The kernels of the last step that was timed, and of the last residual, ms.
    last_pass_times: BTreeMap<Kernel, f64>,
}

/// GPU time of a kernel, summed over the steps that were timed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PassTime {
    pub steps: u64,
    pub total_ms: f64,
}

impl Simulation {
    /// Uploads `model`, its constraints in the order of `workset`.
    pub fn new(
        gl: &Rc<Gl>,
        shaders: &Shaders,
        read_path: ReadPath,
        model: Model,
        workset: Workset,
        params: SimParams,
    ) -> Result<Self, SimulationError> {
        fits(gl, &model)?;
        let kernels = Kernels::new(gl, shaders, read_path)?;
        let simulation = Self {
            params,
            gl: gl.clone(),
            state: State::new(gl, &model, &workset),
            read_path,
            params_buffer: Buffer::zeroed(gl, "params", 1),
            residual_buffer: residual_buffer(gl, &kernels, &workset),
            tail_of: None,
            history_dt: None,
            frame: 0,
            pins: pins(&model),
            held: None,
            timeline: Timeline::new(gl),
            pass_times: BTreeMap::new(),
            last_pass_times: BTreeMap::new(),
            kernels,
            model,
            workset,
        };
        simulation.warm_up();
        Ok(simulation)
    }

    /// Runs each kernel over nothing. Drivers finish compiling at the first dispatch (40 ms each on Mesa's software one),
    /// which would otherwise stall the first step and be booked as its time.
    fn warm_up(&self) {
        self.params_buffer.write(0, &[Params::default()]);
        self.params_buffer.bind_uniform(uniform::PARAMS);
        self.state.bind();
        self.residual_buffer.bind_storage(storage::RESIDUALS);
        for kernel in KERNELS {
            self.kernels.get(kernel).bind();
            // Neither particles nor constraints: the uniforms of a new program are 0, and so are the parameters.
            self.kernels.get(kernel).dispatch(1);
        }
        unsafe { self.gl.memory_barrier(AFTER_KERNEL) };
    }

    /// Advances by one step of `params.dt`, in `params.substeps` parts.
    pub fn step(&mut self) {
        self.prepare();
        if self.params.solver == SolverKind::Hybrid {
            self.count_tail();
        }
        let passes = substep_passes(&self.params, &self.workset);
        let dt = Some(self.params.dt / self.params.substeps as f32);
        for _ in 0..self.params.substeps {
            match self.params.integrator {
                Integrator::First => {
                    self.history_dt = None;
                    self.run(&passes);
                }
                // The first substep has one state to go by; so has one after a change of its length.
                Integrator::Second if self.history_dt != dt => {
                    self.state.start_histories();
                    self.history_dt = dt;
                    let first = SimParams { integrator: Integrator::First, ..self.params };
                    self.prepare_for(Integrator::First);
                    self.run(&substep_passes(&first, &self.workset));
                    self.prepare();
                }
                Integrator::Second => self.run(&passes),
            }
        }
        self.timeline.close();
        self.book_arrived();
        self.frame += 1;
    }

    /// Counts the constraints that each particle has in the hybrid solver's tail, where that has changed.
    fn count_tail(&mut self) {
        let colored = self.params.colored_batches;
        if self.tail_of == Some(colored) {
            return;
        }
        let mut valences = vec![0u32; self.model.positions.len()];
        let (_, tail) = split(&self.workset, colored);
        for batch in tail {
            let range = batch.offset as usize..(batch.offset + batch.count) as usize;
            for particle in self.workset.constraints[range].iter().flat_map(|constraint| constraint.particles) {
                valences[particle as usize] += 1;
            }
        }
        self.state.tail_valences.write(0, &valences);
        self.tail_of = Some(colored);
    }

    /// Uploads the parameters and binds what the kernels read and write.
    fn prepare(&self) {
        self.prepare_for(self.params.integrator);
    }

    fn prepare_for(&self, integrator: Integrator) {
        let params = &self.params;
        // To second order the constraints' forces act over two thirds of the substep, twice.
        let reach: f32 = if integrator == Integrator::Second { 2.0 / 3.0 } else { 1.0 };
        let dt = params.dt / params.substeps as f32;
        self.params_buffer.write(
            0,
            &[Params {
                gravity: params.gravity.to_array(),
                dt,
                velocity_scale: (-params.damping * dt).exp(),
                relaxation: params.relaxation,
                delta_scale: self.state.delta_scale,
                delta_limit: self.state.delta_limit,
                rest_scale: self.model.rest_scale,
                particle_count: self.particle_count(),
                compliance: params.compliance / (reach * reach),
                padding: 0.0,
            }],
        );
        self.params_buffer.bind_uniform(uniform::PARAMS);
        self.state.bind();
    }

    /// Runs the passes in order, each one ordered before the next.
    fn run(&mut self, passes: &[Pass]) {
        let mut bound = None;
        for pass in passes {
            let program = self.kernels.get(pass.kernel);
            if bound != Some(pass.kernel) {
                self.timeline.mark(pass.kernel, pass.kernel.name());
                program.bind();
                bound = Some(pass.kernel);
                if pass.kernel.is_second_order() {
                    self.state.histories.bind_storage(storage::HISTORIES);
                } else {
                    self.state.deltas.bind_storage(storage::DELTAS);
                }
            }
            if pass.kernel == Kernel::ProjectCompliant {
                program.set_u32(location::FIRST, u32::from(pass.first));
            }
            if pass.kernel == Kernel::JacobiApply {
                let valences = if pass.of_tail { &self.state.tail_valences } else { &self.state.valences };
                valences.bind_storage(storage::VALENCES);
            }
            match pass.batch {
                Some(Batch { offset, count }) => {
                    program.set_u32(location::BATCH_OFFSET, offset);
                    program.set_u32(location::BATCH_COUNT, count);
                    program.dispatch(count);
                }
                None => program.dispatch(self.model.positions.len() as u32),
            }
            // The only barrier of the solver: what a pass wrote is there for whatever reads it next.
            unsafe { self.gl.memory_barrier(AFTER_KERNEL) };
        }
    }

    /// Takes in the times that have arrived. Whatever is timed calls it, so that times do not pile up while nothing steps.
    fn book_arrived(&mut self) {
        while let Some(spans) = self.timeline.take_arrived() {
            self.book(&spans);
        }
    }

    fn book(&mut self, spans: &[(Kernel, f64)]) {
        let mut step: BTreeMap<Kernel, f64> = BTreeMap::new();
        for (kernel, ms) in spans {
            *step.entry(*kernel).or_default() += ms;
        }
        for (&kernel, ms) in &step {
            let time = self.pass_times.entry(kernel).or_default();
            *time = PassTime { steps: time.steps + 1, total_ms: time.total_ms + ms };
        }
        // A residual is a run of its own; a step replaces what the step before it ran, maybe with the other solver.
        if [Kernel::Predict, Kernel::PredictSecond].iter().any(|kernel| step.contains_key(kernel)) {
            self.last_pass_times.retain(|kernel, _| *kernel == Kernel::Residual);
        }
        self.last_pass_times.extend(step);
    }

    /// Waits for the GPU and takes in all times that are still under way.
    pub fn finish(&mut self) {
        unsafe { self.gl.finish() };
        while let Some(spans) = self.timeline.take_oldest() {
            self.book(&spans);
        }
    }

    /// The residual of each colour and group, as the positions are now.
    pub fn residuals(&mut self) -> Vec<RowResidual> {
        self.prepare();
        let program = self.kernels.get(Kernel::Residual);
        self.timeline.mark(Kernel::Residual, Kernel::Residual.name());
        program.bind();
        let mut first = Vec::with_capacity(self.workset.rows.len());
        let mut next = 0;
        self.residual_buffer.bind_storage(storage::RESIDUALS);
        for row in &self.workset.rows {
            program.set_u32(location::BATCH_OFFSET, row.offset);
            program.set_u32(location::BATCH_COUNT, row.count);
            program.set_u32(location::RESIDUAL_OFFSET, next);
            program.dispatch(row.count);
            first.push(next as usize);
            next += row.count.div_ceil(program.local_size());
        }
        self.timeline.close();
        let partial = self.residual_buffer.read();
        self.book_arrived();
        first.push(partial.len());
        self.workset
            .rows
            .iter()
            .zip(first.windows(2))
            .map(|(row, part)| RowResidual {
                color: row.color,
                group: row.group,
                residual: Residual::of(row.count, &partial[part[0]..part[1]]),
            })
            .collect()
    }

    /// Back to the model's first state.
    pub fn reset(&mut self) {
        // Times that are still under way belong to the run that ends here.
        self.finish();
        self.state = State::new(&self.gl, &self.model, &self.workset);
        self.pins = pins(&self.model);
        self.held = None;
        (self.tail_of, self.history_dt) = (None, None);
        self.frame = 0;
        self.pass_times.clear();
        self.last_pass_times.clear();
    }

    /// Solves in the order of another workset of the same constraints from the next step on; the cloth stays where it is.
    pub fn set_workset(&mut self, workset: Workset) {
        assert_eq!(workset.constraints.len(), self.workset.constraints.len(), "of the same constraints");
        self.state.set_order(&workset);
        self.residual_buffer = residual_buffer(&self.gl, &self.kernels, &workset);
        self.workset = workset;
        self.tail_of = None;
    }

    /// Compiles all kernels anew. On an error the programs that run stay.
    pub fn reload(&mut self, shaders: &Shaders) -> Result<(), ShaderError> {
        self.kernels = Kernels::new(&self.gl, shaders, self.read_path)?;
        self.warm_up();
        Ok(())
    }

    /// Pins a particle where it is, or lets it go.
    pub fn set_pinned(&mut self, particle: u32, pinned: bool) {
        let position = self.state.positions.read_range(particle as usize, 1)[0].truncate();
        if pinned {
            self.pins.insert(particle, position);
        } else {
            self.pins.remove(&particle);
        }
        self.place(particle, position);
    }

    /// Holds a particle at a point, m, until [`Self::release`]; what is held before is let go.
    pub fn hold(&mut self, particle: u32, at: Vec3) {
        if self.held != Some(particle) {
            self.release();
            self.held = Some(particle);
        }
        if let Some(pin) = self.pins.get_mut(&particle) {
            *pin = at;
        }
        self.place(particle, at);
    }

    /// Lets go of the particle that is held. A pinned one stays where it was put.
    pub fn release(&mut self) {
        if let Some(particle) = self.held.take() {
            let position = self.state.positions.read_range(particle as usize, 1)[0].truncate();
            self.place(particle, position);
        }
    }

    /// Writes a particle's place, at rest, with the inverse mass that pins and the hold give it.
    fn place(&mut self, particle: u32, at: Vec3) {
        let fixed = self.pins.contains_key(&particle) || self.held == Some(particle);
        let position = at.extend(if fixed { 0.0 } else { self.model.free_inv_masses[particle as usize] });
        self.state.positions.write(particle as usize, &[position]);
        self.state.prev_positions.write(particle as usize, &[position]);
        self.state.velocities.write(particle as usize, &[Vec4::ZERO]);
        self.state.histories.write(particle as usize, &[History { position: position.to_array(), velocity: [0.0; 4] }]);
    }

    /// Positions as they are now: xyz in metres, w the inverse mass.
    pub fn read_positions(&self) -> Vec<Vec4> {
        self.state.positions.read()
    }

    /// How far the pinned particle that moved most is from where it is pinned, m.
    pub fn pinned_drift_max(&self, positions: &[Vec4]) -> f32 {
        self.pins
            .iter()
            .map(|(&particle, pin)| positions[particle as usize].truncate().distance(*pin))
            .fold(0.0, f32::max)
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn workset(&self) -> &Workset {
        &self.workset
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn read_path(&self) -> ReadPath {
        self.read_path
    }

    pub fn particle_count(&self) -> u32 {
        self.model.positions.len() as u32
    }

    /// Steps since the start or the last reset.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Pinned particles and where they are held, m.
    pub fn pins(&self) -> &BTreeMap<u32, Vec3> {
        &self.pins
    }

    /// The particle that the mouse holds.
    pub fn held(&self) -> Option<u32> {
        self.held
    }

    /// GPU time of the kernels of the last step, and of the last residual, whose times have arrived, ms.
    pub fn last_pass_times(&self) -> &BTreeMap<Kernel, f64> {
        &self.last_pass_times
    }

    /// GPU time by kernel.
    pub fn pass_times(&self) -> &BTreeMap<Kernel, PassTime> {
        &self.pass_times
    }
}

fn pins(model: &Model) -> BTreeMap<u32, Vec3> {
    (0..)
        .zip(&model.positions)
        .filter(|(_, position)| position.w == 0.0)
        .map(|(particle, position)| (particle, position.truncate()))
        .collect()
}

/// Room for the partial sums of each row.
fn residual_buffer(gl: &Rc<Gl>, kernels: &Kernels, workset: &Workset) -> Buffer<layout::Residual> {
    let local_size = kernels.get(Kernel::Residual).local_size();
    let partial_sums: u32 = workset.rows.iter().map(|row| row.count.div_ceil(local_size)).sum();
    Buffer::zeroed(gl, "residuals", partial_sums as usize)
}

/// Whether the driver has room for the model.
fn fits(gl: &Gl, model: &Model) -> Result<(), SimulationError> {
    let (particles, constraints) = (model.positions.len() as u64, model.constraints.len() as u64);
    for (what, count, bytes) in [("particles", particles, 24), ("constraints", constraints, 16)] {
        if count * bytes > gl.limits.storage_block_bytes {
            return Err(SimulationError::TooLarge {
                what,
                unit: "bytes",
                needed: count * bytes,
                allowed: gl.limits.storage_block_bytes,
            });
        }
        if count > gl.limits.buffer_texels {
            return Err(SimulationError::TooLarge {
                what,
                unit: "texels",
                needed: count,
                allowed: gl.limits.buffer_texels,
            });
        }
    }
    Ok(())
}
