//! One substep as a list of passes: the algorithm, as plain data.

use crate::coloring::{Batch, Workset};
use crate::params::{SimParams, SolverKind};

use super::Kernel;

/// One dispatch. What it writes is ordered before all that the next one reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    pub kernel: Kernel,
    /// The constraints it handles; `None` when it runs over the particles.
    pub batch: Option<Batch>,
}

impl Pass {
    fn particles(kernel: Kernel) -> Self {
        Self { kernel, batch: None }
    }

    fn constraints(kernel: Kernel, batch: Batch) -> Self {
        Self { kernel, batch: Some(batch) }
    }
}

/// The passes of one substep: predict, iterate over the constraints, update the velocities.
pub fn substep_passes(params: &SimParams, workset: &Workset) -> Vec<Pass> {
    let iteration: Vec<Pass> = match params.solver {
        SolverKind::GaussSeidel => {
            workset.batches.iter().map(|&batch| Pass::constraints(Kernel::ProjectDistance, batch)).collect()
        }
        SolverKind::Jacobi => {
            let all = Batch { offset: 0, count: workset.constraints.len() as u32 };
            vec![Pass::constraints(Kernel::JacobiAccumulate, all), Pass::particles(Kernel::JacobiApply)]
        }
    };
    let mut passes = vec![Pass::particles(Kernel::Predict)];
    for _ in 0..params.iterations {
        passes.extend_from_slice(&iteration);
    }
    passes.push(Pass::particles(Kernel::UpdateVelocity));
    passes
}
