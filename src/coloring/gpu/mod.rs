//! Colouring on the GPU: speculation, alternating paths, recolouring, balance and worksets, over one [`Incidence`].
//!
//! Edges, primitives of at most two points, speculate for a few rounds on a palette of as many colours as the lower bound.
//! What finds no free colour is helped by alternating paths, many at once, until all have one; where that takes too long,
//! the palette gets one colour more, with which Vizing's theorem says that there is a colouring of a graph without parallel
//! edges. Large grids get it from the start. Other primitives speculate until all have a colour and then are recoloured class by class.

mod kernels;
pub mod schedule;
pub mod state;

use std::rc::Rc;

use glow::HasContext;

pub use kernels::{COLOR_KERNELS, ColorKernel, ColorKernels};
pub use schedule::{ColorPass, Facts, Schedule, Stage, Status};
pub use state::{ColorState, EdgeTables, IncidenceTables};

use super::{Colored, Coloring, ColoringOptions, Incidence, UNCOLORED, Worksets, first_fit_in_order, serial_order};
use crate::gpu::context::Limits;
use crate::gpu::layout::{
    Batch, ClassCounter, ColorParams, Plan, Round, color_location, color_storage, color_texture, location,
};
use crate::gpu::source::ShaderError;
use crate::gpu::{Buffer, BufferTexture, Gl, LOCAL_SIZE, ReadPath, Shaders};

/// What each later read of a kernel's output needs: storage reads, texture fetches, and arguments of a dispatch.
const AFTER_KERNEL: u32 =
    glow::SHADER_STORAGE_BARRIER_BIT | glow::TEXTURE_FETCH_BARRIER_BIT | glow::COMMAND_BARRIER_BIT;

/// Passes over all classes: iterated greedy gains little after a few.
const RECOLOR_PASSES: u32 = 8;

/// Passes over all pairs of classes.
const BALANCE_PASSES: u32 = 12;

/// Counters of worksets at most: primitives are sorted in chunks as small as this allows.
const COUNTERS: u32 = 1 << 20;

/// The fewest primitives that one invocation sorts.
const CHUNK: u32 = 64;

/// Why a colouring cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ColoringError {
    #[error(transparent)]
    Shader(#[from] ShaderError),
    #[error(
        "colouring needs {needed} bytes in one block, and this driver allows {allowed}: colour on the CPU, as with first-fit"
    )]
    TooLarge { needed: u64, allowed: u64 },
}

/// An incidence being coloured.
pub struct GpuColoring {
    gl: Rc<Gl>,
    kernels: Rc<ColorKernels>,
    incidence: Incidence,
    facts: Facts,
    options: ColoringOptions,
    state: ColorState,
    /// Made when a kernel first needs them.
    tables: Option<IncidenceTables>,
    edges: Option<EdgeTables>,
    schedule: Schedule,
    status: Status,
    /// The kernel that chose colours in the round before.
    chose: Option<ColorKernel>,
    /// The round at which the claims were clear.
    claims_from: u32,
    /// Rounds of recolouring, one a class and pass.
    recolored: u32,
}

impl GpuColoring {
    /// Uploads `incidence`. Primitives of many points, and those at hubs, get their colours here, one after the other.
    pub fn new(
        gl: &Rc<Gl>,
        kernels: &Rc<ColorKernels>,
        incidence: Incidence,
        options: ColoringOptions,
    ) -> Result<Self, ColoringError> {
        let facts = Facts::of(&incidence, &gl.limits);
        fits(gl, &facts)?;
        let colors = serial_colors(&incidence, &facts, &options);
        let entered = colors.iter().any(|&color| color != UNCOLORED);
        let schedule = Schedule::new(facts, options, entered);
        let mut coloring = Self {
            gl: gl.clone(),
            kernels: kernels.clone(),
            state: ColorState::new(gl, &colors, options.max_rounds as usize + 3),
            tables: None,
            edges: None,
            status: Status { left: colors.len() as u32, steps: 0 },
            chose: None,
            claims_from: 0,
            recolored: 0,
            incidence,
            facts,
            options,
            schedule,
        };
        if coloring.schedule.stage() != Stage::Enter {
            coloring.list(&colors);
        }
        Ok(coloring)
    }

    /// Lists what has no colour for round 1.
    fn list(&mut self, colors: &[u32]) {
        let list: Vec<u32> =
            (0..).zip(colors).filter(|(_, color)| **color == UNCOLORED).map(|(primitive, _)| primitive).collect();
        // Odd rounds have the second list.
        self.state.lists.write(colors.len(), &list);
        let count = list.len() as u32;
        let row = Round { groups: count.div_ceil(LOCAL_SIZE), count, ..state::EMPTY_ROUND };
        self.state.rounds.write(1, &[row]);
        self.status.left = count;
        self.schedule.look(self.status);
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    pub fn incidence(&self) -> &Incidence {
        &self.incidence
    }

    /// Primitives without a colour.
    pub fn left(&self) -> u32 {
        self.status.left
    }

    /// The colours as they are, [`UNCOLORED`] where there is none yet.
    pub fn colors(&self) -> Vec<u32> {
        self.state.colors.read()
    }

    /// The primitives that chose a colour in the round before and did not get it: a neighbour that had chosen it too, or that
    /// was in the way, came first.
    pub fn conflicts(&self) -> Vec<u32> {
        let Some(chose) = self.chose else { return Vec::new() };
        let (round, n) = (self.schedule.round(), self.facts.primitive_count);
        let list = self.state.lists.read_range((round % 2 * n) as usize, self.status.left as usize);
        let wanted = |primitive: &u32| {
            let primitive = *primitive as usize;
            match chose {
                ColorKernel::Assign => self.tables().speculations.read_range(primitive, 1)[0] != UNCOLORED,
                ColorKernel::EdgeAssign => self.state.plans.read_range(primitive, 1)[0].first != UNCOLORED,
                _ => self.state.plans.read_range(primitive, 1)[0].kind != state::PLAN_WAIT,
            }
        };
        list.into_iter().filter(wanted).collect()
    }

    /// Runs at most so many rounds, then looks at what is left.
    pub fn run_rounds(&mut self, rounds: u32) {
        let params = self.schedule.params();
        match self.schedule.stage() {
            Stage::Enter | Stage::Speculate { .. } | Stage::Short { .. } | Stage::Long { .. } => {
                if self.edges.is_none() {
                    self.edges = Some(EdgeTables::new(&self.gl, &self.incidence, params.stride));
                    self.claims_from = self.schedule.round() - 1;
                }
                self.start_edges(params);
            }
            Stage::Finish { .. } => {
                self.start(params);
                // A speculation that is out of date would look like a rival's.
                self.tables().speculations.copy_from(&self.state.colors);
            }
            Stage::Done | Stage::GaveUp => return,
        }
        for pass in self.schedule.next(rounds) {
            self.run(pass);
        }
        let count = |row: u32| self.state.rounds.read_range(row as usize, 1)[0].count;
        self.status = Status { left: count(self.schedule.round()), steps: count(0) };
        self.schedule.look(self.status);
    }

    /// Runs to the end: all rounds, then recolouring and balance as the options say.
    pub fn run_to_end(&mut self) {
        while !self.schedule.is_over() {
            self.run_rounds(u32::MAX);
        }
        if self.schedule.stage() == Stage::Done {
            if self.options.recolor && !self.facts.edges {
                self.recolor();
            }
            if self.options.balance {
                self.balance();
            }
        }
    }

    /// The colours as they are, and how they came about.
    pub fn colored(&self) -> Colored {
        let rounds = self.state.rounds.read_range(1, self.schedule.round() as usize - 1);
        let rounds = rounds.iter().filter(|round| round.count > 0).count() as u32 + self.recolored;
        Colored::new(&self.incidence, &self.options, Coloring::of(self.state.colors.read()), rounds)
    }

    /// Uploads parameters and binds what kernels over primitives read and write.
    fn start(&mut self, params: ColorParams) {
        self.state.params.write(0, &[params]);
        self.state.bind();
        if self.tables.is_none() {
            self.tables = Some(IncidenceTables::new(&self.gl, &self.incidence));
        }
        self.tables().bind();
    }

    fn tables(&self) -> &IncidenceTables {
        self.tables.as_ref().expect("start has made them")
    }

    /// Uploads parameters and binds what kernels over edges read and write.
    fn start_edges(&self, params: ColorParams) {
        self.state.params.write(0, &[params]);
        self.state.bind();
        self.edges.as_ref().expect("edges have been entered").bind();
    }

    fn run(&mut self, pass: ColorPass) {
        let program = self.kernels.get(pass.kernel);
        program.bind();
        program.set_u32(color_location::ROUND, pass.round);
        if matches!(pass.kernel, ColorKernel::Assign | ColorKernel::EdgeAssign | ColorKernel::EdgePlan) {
            self.chose = Some(pass.kernel);
        }
        match pass.kernel {
            ColorKernel::Assign | ColorKernel::Resolve | ColorKernel::BalanceMove | ColorKernel::EdgeBalanceMove => {
                program.dispatch_indirect(&self.state.rounds, pass.round)
            }
            ColorKernel::EdgeAssign | ColorKernel::EdgeResolve | ColorKernel::EdgePlan | ColorKernel::EdgeApply => {
                let epochs = 1u64 << (u32::BITS - schedule::params(&self.facts, 0).priority_bits);
                if u64::from(pass.round - self.claims_from) >= epochs {
                    let claims = &self.edges.as_ref().expect("edges have been entered").claims;
                    claims.write(0, &vec![0; claims.len()]);
                    self.claims_from = pass.round - 1;
                }
                program.set_u32(color_location::EPOCH, pass.round - self.claims_from);
                program.dispatch_indirect(&self.state.rounds, pass.round);
            }
            ColorKernel::BalancePlan => program.dispatch(1),
            _ => program.dispatch(self.facts.primitive_count),
        }
        self.barrier();
    }

    fn barrier(&self) {
        unsafe { self.gl.memory_barrier(AFTER_KERNEL) };
    }

    /// Recolours class by class until that saves no colour any more.
    fn recolor(&mut self) {
        let order = point_order(&self.incidence);
        let mut coloring = Coloring::of(self.state.colors.read());
        for pass in 0..RECOLOR_PASSES {
            if coloring.color_count <= self.facts.lower_bound {
                return;
            }
            let sorted = self.worksets_of(coloring.color_count, &order);
            let mut classes: Vec<(u32, u32)> =
                sorted.begin.iter().copied().zip(sorted.length.iter().copied()).collect();
            // In reverse, the last classes, which are the small ones, get the lowest colours and draw others in; largest
            // first, what is left of them is not needed.
            if pass % 2 == 0 {
                classes.reverse();
            } else {
                classes.sort_by_key(|&(begin, length)| (std::cmp::Reverse(length), begin));
            }
            self.start(ColorParams { palette: coloring.color_count, ..schedule::params(&self.facts, 0) });
            self.tables().speculations.write(0, &vec![UNCOLORED; coloring.colors.len()]);
            self.tables().bind_speculations_as_colors();
            let order = Buffer::new(&self.gl, "order", &sorted.order);
            order.bind_storage(color_storage::ORDER);
            let program = self.kernels.get(ColorKernel::Recolor);
            program.bind();
            for (begin, length) in classes {
                program.set_u32(location::BATCH_OFFSET, begin);
                program.set_u32(location::BATCH_COUNT, length);
                program.dispatch(length);
                self.barrier();
                self.recolored += 1;
            }
            self.state.colors.copy_from(&self.tables().speculations);
            let before = coloring.color_count;
            coloring = Coloring::of(self.state.colors.read());
            if coloring.color_count == before && pass % 2 == 1 {
                return;
            }
        }
    }

    /// Moves primitives from large classes to small ones, until they are even or nothing moves any more.
    fn balance(&mut self) {
        let coloring = Coloring::of(self.state.colors.read());
        let palette = coloring.color_count;
        let mut sizes = coloring.sizes();
        // Two rounds of lists for a pairing: who could move, and who moves. A step that shares no factor with the palette comes
        // by every pairing.
        let step = (2..).find(|step| greatest_common_divisor(*step, palette) == 1).expect("there are primes");
        let row_count = (step * palette + 3) as usize;
        let rounds = Buffer::new(&self.gl, "balance_rounds", &vec![state::EMPTY_ROUND; row_count]);
        let spent = std::mem::replace(&mut self.state.rounds, rounds);
        let params = ColorParams {
            palette,
            stride: palette,
            max_path: schedule::LONG_PATH,
            ..schedule::params(&self.facts, self.options.seed)
        };
        let (count, go) = if self.facts.edges {
            self.edges = Some(EdgeTables::new(&self.gl, &self.incidence, palette));
            self.start_edges(params);
            self.run(ColorPass { kernel: ColorKernel::EdgeEnter, round: 0 });
            (ColorKernel::EdgeBalanceCount, ColorKernel::EdgeBalanceMove)
        } else {
            self.start(params);
            (ColorKernel::BalanceCount, ColorKernel::BalanceMove)
        };
        let class = |&size: &u32| ClassCounter { size, ..ClassCounter::default() };
        let classes = Buffer::new(&self.gl, "classes", &sizes.iter().map(class).collect::<Vec<_>>());
        classes.bind_storage(color_storage::CLASSES);
        for _ in 0..BALANCE_PASSES {
            if are_even(&sizes) {
                break;
            }
            self.state.rounds.write(0, &vec![state::EMPTY_ROUND; self.state.rounds.len()]);
            for pair in 0..palette {
                let round = step * pair + 1;
                self.run(ColorPass { kernel: ColorKernel::BalancePlan, round });
                self.run(ColorPass { kernel: count, round });
                self.run(ColorPass { kernel: go, round: round + 1 });
            }
            let now: Vec<u32> =
                classes.read().iter().map(|class| class.size.wrapping_add_signed(class.moved)).collect();
            if now == sizes {
                break;
            }
            sizes = now;
        }
        self.state.rounds = spent;
    }

    /// Sorts the primitives by colour, and within a colour as they stand in `base_order`, which names each once.
    ///
    /// # Panics
    /// When there are primitives without a colour.
    pub fn worksets(&mut self, base_order: &[u32]) -> Worksets {
        assert!(self.schedule.stage() == Stage::Done, "the colouring is finished");
        self.worksets_of(Coloring::of(self.state.colors.read()).color_count, base_order)
    }

    fn worksets_of(&mut self, color_count: u32, base_order: &[u32]) -> Worksets {
        let n = self.facts.primitive_count;
        assert_eq!(base_order.len(), n as usize, "each primitive once");
        if n == 0 {
            return Worksets::default();
        }
        let chunk = CHUNK.max(n.div_ceil((COUNTERS / color_count).max(1)));
        let chunk_count = n.div_ceil(chunk);
        let base = Buffer::new(&self.gl, "base_order", base_order);
        let base_texture = BufferTexture::new(&self.gl, "base_order", glow::R32UI, &base);
        let order: Buffer<u32> = Buffer::zeroed(&self.gl, "order", n as usize);
        let counters: Buffer<u32> = Buffer::zeroed(&self.gl, "counters", (color_count * chunk_count) as usize);
        let batches: Buffer<Batch> = Buffer::zeroed(&self.gl, "batches", color_count as usize);
        self.start(ColorParams { chunk, chunk_count, ..schedule::params(&self.facts, 0) });
        base.bind_storage(color_storage::BASE_ORDER);
        base_texture.bind(color_texture::BASE_ORDER);
        order.bind_storage(color_storage::ORDER);
        counters.bind_storage(color_storage::COUNTERS);
        batches.bind_storage(color_storage::BATCHES);
        let steps = [
            (ColorKernel::WorksetHistogram, chunk_count),
            (ColorKernel::WorksetScan, 1),
            (ColorKernel::WorksetScatter, chunk_count),
        ];
        for (kernel, invocations) in steps {
            let program = self.kernels.get(kernel);
            program.bind();
            program.set_u32(color_location::COLOR_COUNT, color_count);
            program.dispatch(invocations);
            self.barrier();
        }
        let batches = batches.read();
        Worksets {
            order: order.read(),
            begin: batches.iter().map(|batch| batch.begin).collect(),
            length: batches.iter().map(|batch| batch.length).collect(),
        }
    }
}

impl Facts {
    pub fn of(incidence: &Incidence, limits: &Limits) -> Self {
        let (point_count, lower_bound) = (incidence.point_count() as u32, incidence.lower_bound());
        let table = u64::from(point_count) * (u64::from(lower_bound) + 1);
        Self {
            primitive_count: incidence.primitive_count() as u32,
            point_count,
            entries: incidence.all_points().len() as u32,
            arity: incidence.arity().unwrap_or(0),
            lower_bound,
            edges: incidence.max_arity() <= 2
                && table * 4 <= limits.storage_block_bytes
                && table <= limits.buffer_texels,
        }
    }
}

/// The colours of the primitives that get theirs before the rounds; the others have none yet.
fn serial_colors(incidence: &Incidence, facts: &Facts, options: &ColoringOptions) -> Vec<u32> {
    let mut colors = first_fit_in_order(incidence, serial_order(incidence, options.max_valence)).colors;
    for (primitive, color) in (0..).zip(&mut colors) {
        // Without points there are no neighbours.
        if incidence.points_of(primitive).is_empty() {
            *color = primitive % facts.lower_bound;
        }
    }
    colors
}

fn greatest_common_divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Whether nothing is left to gain: no two classes differ by more than one primitive or one in a hundred.
fn are_even(sizes: &[u32]) -> bool {
    let (least, most) = sizes.iter().fold((u32::MAX, 0), |(least, most), &size| (least.min(size), most.max(size)));
    most <= least.saturating_add(1.max(least / 100))
}

/// The primitives by their lowest point, so that those of a class walk memory forwards.
pub fn point_order(incidence: &Incidence) -> Vec<u32> {
    let mut order = Vec::with_capacity(incidence.primitive_count());
    let lowest = |primitive: u32| incidence.points_of(primitive).iter().copied().min();
    order.extend((0..incidence.primitive_count() as u32).filter(|&primitive| lowest(primitive).is_none()));
    for point in 0..incidence.point_count() as u32 {
        let here = incidence.primitives_at(point).iter().copied();
        order.extend(here.filter(|&primitive| lowest(primitive) == Some(point)));
    }
    order
}

/// Whether the driver has room for the incidence.
fn fits(gl: &Gl, facts: &Facts) -> Result<(), ColoringError> {
    let words = u64::from(facts.primitive_count) + 2 * u64::from(facts.entries) + u64::from(facts.point_count) + 2;
    let plans = u64::from(facts.primitive_count) * size_of::<Plan>() as u64;
    let needed = plans.max(words * 4);
    let allowed = gl.limits.storage_block_bytes.min(gl.limits.buffer_texels.saturating_mul(4));
    if needed > allowed { Err(ColoringError::TooLarge { needed, allowed }) } else { Ok(()) }
}

/// Runs every kernel over next to nothing: drivers finish compiling at the first dispatch, which would be booked as the time
/// of the first colouring.
pub fn warm_up(gl: &Rc<Gl>, kernels: &Rc<ColorKernels>) -> Result<(), ColoringError> {
    // A triangle needs a colour more than its bound: edges go through every stage. Faces are the general case.
    let edges = Incidence::new(3, [[0, 1], [1, 2], [2, 0]]);
    let faces = Incidence::new(5, [[0, 1, 2], [2, 3, 4], [0, 3, 1]]);
    for incidence in [edges, faces] {
        let options = ColoringOptions { balance: true, ..ColoringOptions::default() };
        let mut run = GpuColoring::new(gl, kernels, incidence, options)?;
        run.run_to_end();
        run.worksets(&point_order(&run.incidence));
    }
    Ok(())
}

/// Compiles the kernels for this driver.
pub fn kernels(gl: &Rc<Gl>, shaders: &Shaders) -> Result<Rc<ColorKernels>, ShaderError> {
    ColorKernels::new(gl, shaders, ReadPath::for_driver(gl)).map(Rc::new)
}
