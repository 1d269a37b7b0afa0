//! Which rounds follow one another: the algorithm, as plain data.
//!
//! Rounds are planned some at a time. Between them the host learns how many primitives have no colour yet, and decides on
//! the next stage; within them nothing is read back.

use crate::coloring::{Choice, ColoringOptions, Priority};
use crate::gpu::layout::ColorParams;

use super::ColorKernel;

/// Rounds that are planned without looking.
const ROUNDS_AT_ONCE: u32 = 16;

/// Speculative rounds on a palette of as many colours as the bound. Few primitives find a free one there afterwards.
const SPECULATIVE_ROUNDS: u32 = 4;

/// Edges of paths followed in search of a colouring with as many colours as the bound, before one more is allowed: so many a
/// primitive, and so many on top. Longer searches end at the bound on grids of a million edges too, but take seconds.
const STEPS_PER_PRIMITIVE: u32 = 4;
const STEPS: u32 = 1 << 19;

/// Rounds of that search.
const ROUNDS_AT_BOUND: u32 = 512;

/// Rounds with one colour more. Grids take ten; where two constraints join the same two particles, no number may do.
const ROUNDS_ABOVE_BOUND: u32 = 64;

/// Edges of a path that is followed.
const MAX_PATH: u32 = 512;

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Edges: their colours are entered by point, those above the bound are taken away; then speculation, or paths at once.
    Enter {
        speculate: bool,
    },
    /// Edges: speculate and resolve, the rounds that are left of it when paths take over.
    Speculate {
        rounds_left: u32,
    },
    /// Edges: alternating paths on a palette of `bound + extra` colours.
    Chains {
        extra: u32,
        rounds_left: u32,
    },
    /// Speculate and resolve until all have colours, however many; edges may then enter with what they have.
    Finish {
        enter: bool,
    },
    Done,
    /// There are primitives without colours, and no more rounds.
    GaveUp,
}

/// What an incidence is, as far as the schedule goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub primitive_count: u32,
    pub point_count: u32,
    /// Entries of the CSR arrays.
    pub entries: u32,
    /// Points of every primitive; 0 when they differ.
    pub arity: u32,
    pub lower_bound: u32,
    /// Whether all are edges, of at most two points, and what is known of a point and a colour fits into a table.
    pub edges: bool,
}

/// One dispatch, ordered before the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorPass {
    pub kernel: ColorKernel,
    pub round: u32,
}

/// What the host learns between rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// Primitives without a colour.
    pub left: u32,
    /// Edges of paths followed so far.
    pub steps: u32,
}

/// The state of a run.
#[derive(Clone, Debug)]
pub struct Schedule {
    facts: Facts,
    options: ColoringOptions,
    stage: Stage,
    /// The next round, from 1.
    round: u32,
}

impl Schedule {
    pub fn new(facts: Facts, options: ColoringOptions) -> Self {
        let paths = options.recolor && facts.edges;
        // Edges claim a colour at a point; what else decides between them takes a look at all neighbours.
        let speculate = paths && options.choice == Choice::Random && options.priority != Priority::Degree;
        let stage = if speculate { Stage::Enter { speculate } } else { Stage::Finish { enter: paths } };
        Self { facts, options, stage, round: 1 }
    }

    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The next round, from 1.
    pub fn round(&self) -> u32 {
        self.round
    }

    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Done | Stage::GaveUp)
    }

    /// The parameters of the rounds that come next.
    pub fn params(&self) -> ColorParams {
        let (bound, options) = (self.facts.lower_bound, &self.options);
        let extra = if let Stage::Chains { extra, .. } = self.stage { extra } else { 0 };
        let lowest = options.choice == Choice::Lowest;
        let palette = match self.stage {
            // The lowest of all colours there could be.
            Stage::Finish { .. } if lowest => self.facts.primitive_count,
            _ => bound + extra,
        };
        ColorParams {
            palette,
            overflow: u32::from(matches!(self.stage, Stage::Finish { .. })),
            choice: u32::from(!lowest),
            priority: options.priority as u32,
            ..params(&self.facts, options.seed)
        }
    }

    /// The passes of the next rounds: at most `rounds`, and not more than go without looking.
    pub fn next(&mut self, rounds: u32) -> Vec<ColorPass> {
        let until_given_up = (self.options.max_rounds + 1).saturating_sub(self.round);
        let rounds = rounds.min(ROUNDS_AT_ONCE).min(until_given_up);
        let (kernels, rounds) = match &mut self.stage {
            // Appends to the list of the round that comes next.
            Stage::Enter { .. } => return vec![ColorPass { kernel: ColorKernel::EdgeEnter, round: self.round - 1 }],
            Stage::Speculate { rounds_left } => {
                let rounds = rounds.min(*rounds_left);
                *rounds_left -= rounds;
                ([ColorKernel::EdgeAssign, ColorKernel::EdgeResolve], rounds)
            }
            Stage::Chains { rounds_left, .. } => {
                let rounds = rounds.min(*rounds_left);
                *rounds_left -= rounds;
                ([ColorKernel::EdgeChainPlan, ColorKernel::EdgeChainApply], rounds)
            }
            Stage::Finish { .. } => ([ColorKernel::Assign, ColorKernel::Resolve], rounds),
            Stage::Done | Stage::GaveUp => return Vec::new(),
        };
        let first = self.round;
        self.round += rounds;
        (first..self.round).flat_map(|round| kernels.map(|kernel| ColorPass { kernel, round })).collect()
    }

    /// Decides on the stage of the rounds that come next.
    pub fn look(&mut self, status: Status) {
        let budget = self.facts.primitive_count.saturating_mul(STEPS_PER_PRIMITIVE).saturating_add(STEPS);
        let at_bound = Stage::Chains { extra: 0, rounds_left: ROUNDS_AT_BOUND };
        self.stage = match self.stage {
            Stage::Finish { enter: true } if status.left == 0 => Stage::Enter { speculate: false },
            _ if status.left == 0 => Stage::Done,
            Stage::Enter { speculate: true } => Stage::Speculate { rounds_left: SPECULATIVE_ROUNDS },
            Stage::Enter { speculate: false } | Stage::Speculate { rounds_left: 0 } => at_bound,
            Stage::Chains { extra: 0, rounds_left } if rounds_left == 0 || status.steps > budget => {
                Stage::Chains { extra: 1, rounds_left: ROUNDS_ABOVE_BOUND }
            }
            Stage::Chains { extra: 1, rounds_left: 0 } => Stage::Finish { enter: false },
            stage => stage,
        };
        if self.round > self.options.max_rounds && !self.is_over() {
            self.stage = Stage::GaveUp;
        }
    }
}

/// The parameters that hang on the incidence alone.
pub fn params(facts: &Facts, seed: u32) -> ColorParams {
    let n = facts.primitive_count;
    ColorParams {
        primitive_count: n,
        point_count: facts.point_count,
        arity: facts.arity,
        points_start: n + 1,
        point_offsets_start: n + 1 + facts.entries,
        primitives_start: n + 1 + facts.entries + facts.point_count + 1,
        palette: facts.lower_bound,
        seed,
        priority_bits: u32::BITS - n.saturating_sub(1).leading_zeros(),
        max_path: MAX_PATH,
        stride: facts.lower_bound + 1,
        ..ColorParams::default()
    }
}
