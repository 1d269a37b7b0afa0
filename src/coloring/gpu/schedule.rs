//! Which rounds follow one another: the algorithm, as plain data.
//!
//! Rounds are planned some at a time. Between them the host learns how many primitives have no colour yet, and decides on
//! the next stage; within them nothing is read back.

use crate::coloring::{Choice, ColoringOptions, Priority};
use crate::gpu::layout::ColorParams;

use super::ColorKernel;

/// Rounds that are planned without looking.
const ROUNDS_AT_ONCE: u32 = 16;

/// Speculative rounds of edges. Few find a free colour afterwards.
const SPECULATIVE_ROUNDS: u32 = 3;

/// Rounds of short paths, and the edges of a short path at most. They do without pairs of colours, where most edges wait for
/// their pair's round.
const SHORT_ROUNDS: u32 = 8;
const SHORT_PATH: u32 = 8;

/// Edges of a long path.
pub const LONG_PATH: u32 = 512;

/// Edges of paths followed in search of a colouring with as many colours as the bound, before one more is allowed.
const STEPS: u32 = 1 << 20;

/// Rounds of that search.
const ROUNDS_AT_BOUND: u32 = 512;

/// Rounds with one colour more. Grids take ten; where two constraints join the same two particles, no number may do.
const ROUNDS_ABOVE_BOUND: u32 = 64;

/// Above so many edges, a colouring with as many colours as the bound is not looked for where points have nearly all as many
/// edges as the bound: on a grid that takes seconds, one colour more a tenth of one.
const MANY: u32 = 1 << 16;

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Edges: colours that some have already are entered by point, those outside the palette are taken away.
    Enter,
    /// Edges: free colours, on a palette of `bound + extra` colours.
    Speculate {
        extra: u32,
        rounds_left: u32,
    },
    /// Edges: free colours, and short paths where there are none.
    Short {
        extra: u32,
        rounds_left: u32,
    },
    /// Edges: free colours, and long paths where there are none.
    Long {
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

impl Stage {
    /// What is going on, in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            Self::Enter => "entering",
            Self::Speculate { .. } | Self::Finish { .. } => "speculating",
            Self::Short { .. } => "short paths",
            Self::Long { .. } => "long paths",
            Self::Done => "done",
            Self::GaveUp => "given up",
        }
    }
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
    /// `entered` says whether some primitives have their colours already.
    pub fn new(facts: Facts, options: ColoringOptions, entered: bool) -> Self {
        let paths = options.recolor && facts.edges;
        // Edges claim a colour at a point; what else decides between them takes a look at all neighbours.
        let stage = match paths && options.choice == Choice::Random && options.priority != Priority::Degree {
            true if entered => Stage::Enter,
            true => facts.speculate(),
            false => Stage::Finish { enter: paths },
        };
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
        let lowest = options.choice == Choice::Lowest;
        let (palette, paired, max_path) = match self.stage {
            Stage::Speculate { extra, .. } => (bound + extra, 0, 0),
            Stage::Short { extra, .. } => (bound + extra, 0, SHORT_PATH),
            Stage::Long { extra, .. } => (bound + extra, 1, LONG_PATH),
            // The lowest of all colours there could be.
            Stage::Finish { .. } if lowest => (self.facts.primitive_count, 0, 0),
            _ => (bound, 0, 0),
        };
        ColorParams {
            palette,
            paired,
            max_path,
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
            Stage::Enter => return vec![ColorPass { kernel: ColorKernel::EdgeEnter, round: self.round - 1 }],
            Stage::Speculate { rounds_left, .. } => {
                let rounds = rounds.min(*rounds_left);
                *rounds_left -= rounds;
                ([ColorKernel::EdgeAssign, ColorKernel::EdgeResolve], rounds)
            }
            Stage::Short { rounds_left, .. } | Stage::Long { rounds_left, .. } => {
                let rounds = rounds.min(*rounds_left);
                *rounds_left -= rounds;
                ([ColorKernel::EdgePlan, ColorKernel::EdgeApply], rounds)
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
        let above_bound = Stage::Long { extra: 1, rounds_left: ROUNDS_ABOVE_BOUND };
        self.stage = match self.stage {
            Stage::Finish { enter: true } if status.left == 0 => Stage::Enter,
            _ if status.left == 0 => Stage::Done,
            Stage::Enter => self.facts.speculate(),
            Stage::Speculate { extra, rounds_left: 0 } => Stage::Short { extra, rounds_left: SHORT_ROUNDS },
            Stage::Short { extra: 0, rounds_left: 0 } => Stage::Long { extra: 0, rounds_left: ROUNDS_AT_BOUND },
            Stage::Short { extra: 1, rounds_left: 0 } => above_bound,
            Stage::Long { extra: 0, rounds_left } if rounds_left == 0 || status.steps > STEPS => above_bound,
            Stage::Long { extra: 1, rounds_left: 0 } => Stage::Finish { enter: false },
            stage => stage,
        };
        if self.round > self.options.max_rounds && !self.is_over() {
            self.stage = Stage::GaveUp;
        }
    }
}

impl Facts {
    /// The first rounds of edges.
    fn speculate(&self) -> Stage {
        let (entries, places) = (u64::from(self.entries), u64::from(self.point_count) * u64::from(self.lower_bound));
        let extra = self.primitive_count > MANY && entries * 8 > places * 7;
        Stage::Speculate { extra: u32::from(extra), rounds_left: SPECULATIVE_ROUNDS }
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
        stride: facts.lower_bound + 1,
        ..ColorParams::default()
    }
}
