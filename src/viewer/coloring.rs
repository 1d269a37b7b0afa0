//! What the window shows of colouring: a run of it beside the simulation, and the constraint under the cursor.

use std::time::Duration;

use anyhow::Result;

use super::{CONSTRAINT_RADIUS, ConstraintStats, Cursor, Viewer};
use crate::coloring::gpu as gpu_coloring;
use crate::coloring::{Algorithm, Colored, ColoredStats, ColoringOptions, Workset, Worksets, solve_order};
use crate::recoloring::Recoloring;

/// Time in a frame that a colouring under way gets.
const BUDGET: Duration = Duration::from_millis(8);

impl Viewer {
    /// Starts a colouring where none is under way; runs a round of it where one is asked for.
    pub(super) fn color(&mut self, one_round: bool) -> Result<()> {
        if self.recoloring.is_none() {
            let (options, model) = (self.controls.coloring, self.sim.model());
            let (incidence, order) = (model.incidence(), solve_order(&model.constraints));
            self.recoloring = Some(if options.algorithm == Algorithm::GebremedhinManne {
                let kernels = match &self.color_kernels {
                    Some(kernels) => kernels.clone(),
                    None => gpu_coloring::kernels(&self.gl, &self.shaders)?,
                };
                self.color_kernels = Some(kernels.clone());
                Recoloring::on_gpu(&self.gl, &kernels, incidence, options, order)?
            } else {
                Recoloring::on_cpu(incidence, options, self.scene.grid(), order)
            });
        }
        if one_round { self.advance_coloring(None) } else { Ok(()) }
    }

    /// Gives a colouring that goes on by itself its part of the frame.
    pub(super) fn go_on_coloring(&mut self) {
        if self.coloring_runs
            && let Err(error) = self.advance_coloring(Some(BUDGET))
        {
            self.stop_coloring();
            self.notify(format!("{error:#}"));
        }
    }

    fn advance_coloring(&mut self, budget: Option<Duration>) -> Result<()> {
        let Some(recoloring) = &mut self.recoloring else { return Ok(()) };
        let done = recoloring.advance(budget)?;
        if done {
            let options = recoloring.options;
            let result = self.recoloring.take().and_then(Recoloring::finished);
            let (colored, worksets, time) = result.expect("it is done");
            self.take_over(options, &colored, worksets, time)?;
        } else {
            let progress = recoloring.progress();
            log::debug!("coloring round {} left {}", progress.rounds, progress.left);
            self.stats.coloring = Some(progress);
            if let Some(paint) = recoloring.paint() {
                let order = &self.sim.workset().order;
                let in_solve_order: Vec<_> = order.iter().map(|&index| paint[index as usize]).collect();
                self.renderer.set_paint(Some(&in_solve_order));
            }
        }
        Ok(())
    }

    /// Solves by a new colouring from now on.
    fn take_over(
        &mut self,
        options: ColoringOptions,
        colored: &Colored,
        worksets: Worksets,
        time: Duration,
    ) -> Result<()> {
        let model = self.sim.model();
        let workset = Workset::sorted(&model.constraints, &model.incidence(), &colored.coloring, worksets)?;
        self.renderer.set_workset(&workset);
        self.sim.set_workset(workset);
        self.stop_coloring();
        self.scene.coloring = options;
        self.controls.view.isolated_batch = None;
        self.stats.colored = ColoredStats { algorithm: options.algorithm, rounds: colored.rounds, time };
        self.measure();
        let count = self.stats.batches.len();
        let rounds = if colored.rounds > 0 { format!(" in {} rounds", colored.rounds) } else { String::new() };
        self.notify(format!("{}: {count} colours{rounds}", options.algorithm.title()));
        Ok(())
    }

    pub(super) fn stop_coloring(&mut self) {
        (self.recoloring, self.coloring_runs, self.stats.coloring) = (None, false, None);
        self.renderer.set_paint(None);
    }

    /// The constraint at the cursor, by its place in solve order.
    pub(super) fn constraint_at(&self, cursor: Cursor) -> Option<u32> {
        self.camera.pick_constraint(
            &self.sim.read_positions(),
            &self.sim.workset().constraints,
            cursor.at,
            cursor.viewport,
            CONSTRAINT_RADIUS * cursor.scale,
            self.controls.view.ribbon_width * cursor.scale,
        )
    }

    pub(super) fn constraint_stats(&self, place: u32) -> ConstraintStats {
        let workset = self.sim.workset();
        let constraint = &workset.constraints[place as usize];
        let at = |particle: u32| workset.valences[particle as usize];
        let [a, b] = constraint.particles;
        // Parallel constraints count at both particles.
        let parallel = workset.constraints.iter().filter(|other| is_parallel(other.particles, [a, b])).count() as u32;
        ConstraintStats {
            index: workset.order[place as usize],
            batch: workset.batches.partition_point(|batch| batch.offset + batch.count <= place) as u32,
            group: constraint.group,
            particles: [a, b],
            neighbors: at(a) + at(b) - 1 - parallel,
            rest_length: constraint.rest_length,
        }
    }
}

fn is_parallel([a, b]: [u32; 2], [c, d]: [u32; 2]) -> bool {
    (a, b) == (c, d) || (a, b) == (d, c)
}
