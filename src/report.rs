//! What a run found out: the JSON object of `tartan run --json`, and its summary as text.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::coloring::ColoredStats;
use crate::constraint::Group;
use crate::gpu::Gl;
use crate::params::{BatchOrder, Integrator, SolverKind};
use crate::solver::{Kernel, Residual, RowResidual, Simulation};

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub scene: String,
    pub solver: SolverKind,
    pub iterations: u32,
    pub substeps: u32,
    /// α of the distance constraints, m/N.
    pub compliance: f32,
    /// Jacobi iterations after those of a substep.
    pub smooth: u32,
    pub order: BatchOrder,
    pub integrator: Integrator,
    pub frames: u64,
    /// Length of a step, s.
    pub dt: f32,
    pub particles: u32,
    /// Constraints by type.
    pub constraints: BTreeMap<&'static str, u32>,
    pub colors: usize,
    /// The algorithm that found them.
    pub coloring: &'static str,
    /// Its rounds; 0 of an algorithm in sequence.
    pub coloring_rounds: u32,
    /// The most constraints at one particle.
    pub lower_bound: u32,
    /// Sizes of the batches, in solve order.
    pub worksets: Vec<u32>,
    /// |C| / rest length over all distance constraints.
    pub residual: ResidualReport,
    pub by_color: Vec<ColorReport>,
    /// How far a pinned particle is from where it is pinned, m.
    pub pinned_drift_max: f32,
    /// Whether every coordinate is a finite number.
    pub finite: bool,
    /// XXH3 of the bits of the final positions.
    pub state_hash: String,
    pub gl: GlReport,
    pub time: TimeReport,
}

#[derive(Clone, Debug, Serialize)]
pub struct ResidualReport {
    pub mean: f64,
    pub rms: f64,
    pub max: f64,
}

/// The constraints of one colour and group.
#[derive(Clone, Debug, Serialize)]
pub struct ColorReport {
    pub color: u32,
    pub group: Group,
    pub count: u32,
    /// Mean of |C| / rest length.
    pub residual_mean: f64,
    /// Mean of length / original length.
    pub length_ratio_mean: f64,
}

#[derive(Clone, Debug, Serialize)]
pub struct GlReport {
    pub vendor: String,
    pub renderer: String,
    pub version: String,
    pub errors: u32,
    pub warnings: u32,
}

#[derive(Clone, Debug, Serialize)]
pub struct TimeReport {
    pub total_s: f64,
    /// Wall time of a step until the GPU was done.
    pub step_ms_median: f64,
    /// GPU time of a step by kernel, ms.
    pub passes: BTreeMap<&'static str, f64>,
}

impl Report {
    /// Reads the state back and sums it up. `steps` is the wall time of each step.
    pub fn new(
        gl: &Gl,
        scene: &str,
        colored: &ColoredStats,
        sim: &mut Simulation,
        steps: &[Duration],
        total: Duration,
    ) -> Self {
        let rows = sim.residuals();
        let residual = Residual::merge(rows.iter().map(|row| &row.residual));
        let positions = sim.read_positions();
        sim.finish();
        let mut sorted = steps.to_vec();
        sorted.sort_unstable();
        let median = sorted.get(sorted.len() / 2).copied().unwrap_or_default();
        let params = &sim.params;
        Self {
            scene: scene.into(),
            solver: params.solver,
            iterations: params.iterations,
            substeps: params.substeps,
            compliance: params.compliance,
            smooth: params.smooth,
            order: params.order,
            integrator: params.integrator,
            frames: sim.frame(),
            dt: params.dt,
            particles: sim.particle_count(),
            constraints: BTreeMap::from([("distance", sim.workset().constraints.len() as u32)]),
            colors: sim.workset().batches.len(),
            coloring: colored.algorithm.name(),
            coloring_rounds: colored.rounds,
            lower_bound: sim.workset().lower_bound,
            worksets: sim.workset().batches.iter().map(|batch| batch.count).collect(),
            residual: ResidualReport { mean: residual.mean, rms: residual.rms, max: residual.max },
            by_color: rows.iter().map(ColorReport::of).collect(),
            pinned_drift_max: sim.pinned_drift_max(&positions),
            finite: positions.iter().all(|position| position.is_finite()),
            state_hash: format!("{:016x}", xxh3_64(bytemuck::cast_slice(&positions))),
            gl: GlReport {
                vendor: gl.driver.vendor.clone(),
                renderer: gl.driver.renderer.clone(),
                version: gl.driver.version.clone(),
                errors: gl.messages.errors(),
                warnings: gl.messages.warnings(),
            },
            time: TimeReport {
                total_s: total.as_secs_f64(),
                step_ms_median: median.as_secs_f64() * 1e3,
                passes: sim
                    .pass_times()
                    .iter()
                    .filter(|(kernel, _)| **kernel != Kernel::Residual)
                    .map(|(kernel, time)| (kernel.name(), time.total_ms / time.steps.max(1) as f64))
                    .collect(),
            },
        }
    }
}

impl ColorReport {
    fn of(row: &RowResidual) -> Self {
        Self {
            color: row.color,
            group: row.group,
            count: row.residual.count,
            residual_mean: row.residual.mean,
            length_ratio_mean: row.residual.length_ratio_mean,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let constraints: u32 = self.constraints.values().sum();
        writeln!(
            f,
            "{}: {} frames of {}, {} × {} iterations a step of {:.2} ms",
            self.scene,
            self.frames,
            self.solver.title(),
            self.substeps,
            self.iterations,
            self.dt * 1e3
        )?;
        writeln!(
            f,
            "{} particles, {constraints} constraints in {} colours (no colouring has fewer than {})",
            self.particles, self.colors, self.lower_bound
        )?;
        writeln!(
            f,
            "|C| / rest length: mean {:.3} %, rms {:.3} %, max {:.3} %",
            self.residual.mean * 100.0,
            self.residual.rms * 100.0,
            self.residual.max * 100.0
        )?;
        writeln!(f, "{:>6} {:>6} {:>7} {:>10} {:>13}", "colour", "group", "count", "|C|/rest", "length ratio")?;
        for row in &self.by_color {
            writeln!(
                f,
                "{:>6} {:>6} {:>7} {:>8.3} % {:>13.4}",
                row.color,
                row.group.name(),
                row.count,
                row.residual_mean * 100.0,
                row.length_ratio_mean
            )?;
        }
        let state = if self.finite { "all positions finite" } else { "POSITIONS ARE NOT FINITE" };
        writeln!(f, "{state}, pins moved {} m, state {}", self.pinned_drift_max, self.state_hash)?;
        let passes: Vec<String> = self.time.passes.iter().map(|(kernel, ms)| format!("{kernel} {ms:.3}")).collect();
        writeln!(f, "{:.3} ms a step ({})", self.time.step_ms_median, passes.join(", "))?;
        write!(f, "{}, {} errors, {} warnings", self.gl.renderer, self.gl.errors, self.gl.warnings)
    }
}
