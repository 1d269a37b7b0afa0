//! The kernels: the one list of them, and their programs.

use std::rc::Rc;

use crate::gpu::program::stem;
use crate::gpu::source::ShaderError;
use crate::gpu::{Gl, Program, ReadPath, Shaders};

/// A kernel of the solver. Its name is the stem of its file, its label, its row of timings, its twin and its test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kernel {
    Predict,
    PredictSecond,
    ProjectDistance,
    ProjectCompliant,
    JacobiAccumulate,
    JacobiApply,
    UpdateVelocity,
    UpdateVelocitySecond,
    Residual,
}

/// Every kernel, in the order of a step.
pub const KERNELS: [Kernel; 9] = [
    Kernel::Predict,
    Kernel::PredictSecond,
    Kernel::ProjectDistance,
    Kernel::ProjectCompliant,
    Kernel::JacobiAccumulate,
    Kernel::JacobiApply,
    Kernel::UpdateVelocity,
    Kernel::UpdateVelocitySecond,
    Kernel::Residual,
];

impl Kernel {
    /// The file, relative to `glsl/`.
    pub fn path(self) -> &'static str {
        match self {
            Self::Predict => "solve/predict.comp",
            Self::PredictSecond => "solve/predict_second.comp",
            Self::ProjectDistance => "solve/project_distance.comp",
            Self::ProjectCompliant => "solve/project_compliant.comp",
            Self::JacobiAccumulate => "solve/jacobi_accumulate.comp",
            Self::JacobiApply => "solve/jacobi_apply.comp",
            Self::UpdateVelocity => "solve/update_velocity.comp",
            Self::UpdateVelocitySecond => "solve/update_velocity_second.comp",
            Self::Residual => "solve/residual.comp",
        }
    }

    /// Whether it reads or writes histories.
    pub fn is_second_order(self) -> bool {
        matches!(self, Self::PredictSecond | Self::UpdateVelocitySecond)
    }

    pub fn name(self) -> &'static str {
        stem(self.path())
    }
}

/// The programs of all kernels.
pub struct Kernels {
    programs: Vec<Program>,
}

impl Kernels {
    /// Compiles every kernel, or none: a reload that fails leaves the programs that run as they are.
    pub fn new(gl: &Rc<Gl>, shaders: &Shaders, read_path: ReadPath) -> Result<Self, ShaderError> {
        let programs = KERNELS
            .iter()
            .map(|kernel| Program::new(gl, shaders, &[kernel.path()], &read_path.defines()))
            .collect::<Result<_, _>>()?;
        Ok(Self { programs })
    }

    pub fn get(&self, kernel: Kernel) -> &Program {
        &self.programs[kernel as usize]
    }
}
