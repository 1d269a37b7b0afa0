//! One substep as a list of passes: the algorithm, as plain data.

use crate::coloring::{Batch, Workset, mix_bits};
use crate::params::{BatchOrder, Integrator, SimParams, SolverKind};

use super::Kernel;

/// One dispatch. What it writes is ordered before all that the next one reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    pub kernel: Kernel,
    /// The constraints it handles; `None` when it runs over the particles.
    pub batch: Option<Batch>,
    /// Whether the corrections that it applies are those of the hybrid solver's tail alone: their mean is taken over fewer.
    pub of_tail: bool,
    /// Whether its constraints are taken for the first time in the substep.
    pub first: bool,
}

impl Pass {
    fn particles(kernel: Kernel) -> Self {
        Self { kernel, batch: None, of_tail: false, first: false }
    }

    fn constraints(kernel: Kernel, batch: Batch) -> Self {
        Self { kernel, batch: Some(batch), of_tail: false, first: false }
    }
}

/// The passes of one substep: predict, iterate over the constraints, smooth, update the velocities.
pub fn substep_passes(params: &SimParams, workset: &Workset) -> Vec<Pass> {
    let all = Batch { offset: 0, count: workset.constraints.len() as u32 };
    let jacobi = [Pass::constraints(Kernel::JacobiAccumulate, all), Pass::particles(Kernel::JacobiApply)];
    let (colored, tail) = match params.solver {
        SolverKind::GaussSeidel => (workset.batches.clone(), Vec::new()),
        SolverKind::Jacobi => (Vec::new(), Vec::new()),
        SolverKind::Hybrid => split(workset, params.colored_batches),
    };
    let compliant = params.compliance > 0.0 && params.keeps_compliance();
    let project = if compliant { Kernel::ProjectCompliant } else { Kernel::ProjectDistance };
    let (predict, update) = match params.integrator {
        Integrator::First => (Kernel::Predict, Kernel::UpdateVelocity),
        Integrator::Second => (Kernel::PredictSecond, Kernel::UpdateVelocitySecond),
    };
    let mut passes = vec![Pass::particles(predict)];
    for iteration in 0..params.iterations {
        if params.solver == SolverKind::Jacobi {
            passes.extend_from_slice(&jacobi);
        }
        let batches = in_order(&colored, params.order, iteration);
        passes.extend(batches.map(|batch| Pass { first: iteration == 0, ..Pass::constraints(project, batch) }));
        passes.extend(tail.iter().map(|&batch| Pass::constraints(Kernel::JacobiAccumulate, batch)));
        if !tail.is_empty() {
            passes.push(Pass { of_tail: true, ..Pass::particles(Kernel::JacobiApply) });
        }
    }
    for _ in 0..params.smooth {
        passes.extend_from_slice(&jacobi);
    }
    passes.push(Pass::particles(update));
    passes
}

/// The `count` fullest batches, and the others; both in solve order.
pub fn split(workset: &Workset, count: u32) -> (Vec<Batch>, Vec<Batch>) {
    let mut fullest: Vec<usize> = (0..workset.batches.len()).collect();
    fullest.sort_by_key(|&batch| std::cmp::Reverse(workset.batches[batch].count));
    let mut colored = vec![false; workset.batches.len()];
    fullest.iter().take(count as usize).for_each(|&batch| colored[batch] = true);
    let part = |wanted: bool| {
        workset
            .batches
            .iter()
            .zip(&colored)
            .filter(|(_, colored)| **colored == wanted)
            .map(|(batch, _)| *batch)
            .collect()
    };
    (part(true), part(false))
}

/// The batches as an iteration takes them.
fn in_order(batches: &[Batch], order: BatchOrder, iteration: u32) -> impl Iterator<Item = Batch> {
    let mut batches = batches.to_vec();
    match order {
        BatchOrder::Forward => {}
        BatchOrder::Alternating if iteration % 2 == 1 => batches.reverse(),
        BatchOrder::Alternating => {}
        // By random keys, the same for the same iteration.
        BatchOrder::Shuffled => batches.sort_by_key(|batch| mix_bits(batch.offset ^ mix_bits(iteration + 1))),
    }
    batches.into_iter()
}
