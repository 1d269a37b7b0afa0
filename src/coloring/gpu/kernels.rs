//! The kernels of colouring: the one list of them, and their programs.

use std::rc::Rc;

use crate::gpu::program::stem;
use crate::gpu::source::ShaderError;
use crate::gpu::{Gl, Program, ReadPath, Shaders};

/// A kernel of colouring. Its name is the stem of its file, its label, its twin and its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColorKernel {
    Assign,
    Resolve,
    Recolor,
    BalancePlan,
    BalanceCount,
    BalanceMove,
    EdgeEnter,
    EdgeAssign,
    EdgeResolve,
    EdgePlan,
    EdgeApply,
    EdgeBalanceCount,
    EdgeBalanceMove,
    WorksetHistogram,
    WorksetScan,
    WorksetScatter,
}

/// Every kernel of colouring.
pub const COLOR_KERNELS: [ColorKernel; 16] = [
    ColorKernel::Assign,
    ColorKernel::Resolve,
    ColorKernel::Recolor,
    ColorKernel::BalancePlan,
    ColorKernel::BalanceCount,
    ColorKernel::BalanceMove,
    ColorKernel::EdgeEnter,
    ColorKernel::EdgeAssign,
    ColorKernel::EdgeResolve,
    ColorKernel::EdgePlan,
    ColorKernel::EdgeApply,
    ColorKernel::EdgeBalanceCount,
    ColorKernel::EdgeBalanceMove,
    ColorKernel::WorksetHistogram,
    ColorKernel::WorksetScan,
    ColorKernel::WorksetScatter,
];

impl ColorKernel {
    /// The file, relative to `glsl/`.
    pub fn path(self) -> &'static str {
        match self {
            Self::Assign => "color/color_assign.comp",
            Self::Resolve => "color/color_resolve.comp",
            Self::Recolor => "color/color_recolor.comp",
            Self::BalancePlan => "color/color_balance_plan.comp",
            Self::BalanceCount => "color/color_balance_count.comp",
            Self::BalanceMove => "color/color_balance_move.comp",
            Self::EdgeEnter => "color/edge_enter.comp",
            Self::EdgeAssign => "color/edge_assign.comp",
            Self::EdgeResolve => "color/edge_resolve.comp",
            Self::EdgePlan => "color/edge_plan.comp",
            Self::EdgeApply => "color/edge_apply.comp",
            Self::EdgeBalanceCount => "color/edge_balance_count.comp",
            Self::EdgeBalanceMove => "color/edge_balance_move.comp",
            Self::WorksetHistogram => "color/workset_histogram.comp",
            Self::WorksetScan => "color/workset_scan.comp",
            Self::WorksetScatter => "color/workset_scatter.comp",
        }
    }

    pub fn name(self) -> &'static str {
        stem(self.path())
    }
}

/// The programs of all kernels of colouring, for any number of incidences.
pub struct ColorKernels {
    programs: Vec<Program>,
    pub read_path: ReadPath,
}

impl ColorKernels {
    /// Compiles every kernel, or none.
    pub fn new(gl: &Rc<Gl>, shaders: &Shaders, read_path: ReadPath) -> Result<Self, ShaderError> {
        let programs = COLOR_KERNELS
            .iter()
            .map(|kernel| Program::new(gl, shaders, &[kernel.path()], &read_path.defines()))
            .collect::<Result<_, _>>()?;
        Ok(Self { programs, read_path })
    }

    pub fn get(&self, kernel: ColorKernel) -> &Program {
        &self.programs[kernel as usize]
    }
}
