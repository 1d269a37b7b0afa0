//! A colouring under way beside the simulation, which goes on with the one that it has.

use std::rc::Rc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::coloring::gpu::{ColorKernels, GpuColoring, Stage};
use crate::coloring::{Colored, ColoringOptions, GridShape, Incidence, UNCOLORED, Worksets, color_on_cpu};
use crate::gpu::Gl;
use crate::render::{Paint, palette};

/// A run of an algorithm, a part at a time.
pub struct Recoloring {
    pub options: ColoringOptions,
    /// The order within a batch.
    order: Vec<u32>,
    job: Job,
    /// Time that it took so far.
    spent: Duration,
}

enum Job {
    Gpu(Box<GpuColoring>),
    /// On a thread of its own: an algorithm in sequence has no rounds to stop between.
    Cpu {
        result: Receiver<Result<(Colored, Worksets)>>,
        since: Instant,
    },
    Finished(Colored, Worksets),
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Rounds that were run; of an algorithm in sequence none.
    pub rounds: u32,
    /// Constraints without a colour.
    pub left: u32,
    pub stage: &'static str,
}

impl Recoloring {
    /// Starts on the GPU; nothing is run yet.
    pub fn on_gpu(
        gl: &Rc<Gl>,
        kernels: &Rc<ColorKernels>,
        incidence: Incidence,
        options: ColoringOptions,
        order: Vec<u32>,
    ) -> Result<Self> {
        let start = Instant::now();
        let run = GpuColoring::new(gl, kernels, incidence, options)?;
        Ok(Self { options, order, job: Job::Gpu(Box::new(run)), spent: start.elapsed() })
    }

    /// Starts on a thread.
    pub fn on_cpu(incidence: Incidence, options: ColoringOptions, grid: Option<GridShape>, order: Vec<u32>) -> Self {
        let (send, result) = channel();
        let sorted_from = order.clone();
        std::thread::spawn(move || {
            let colored = color_on_cpu(&incidence, &options, grid).map(|colored| {
                let worksets = Worksets::sorted(&colored.coloring, &sorted_from);
                (colored, worksets)
            });
            // Nobody listens any more where the run was cancelled.
            let _ = send.send(colored.map_err(anyhow::Error::from));
        });
        Self { options, order, job: Job::Cpu { result, since: Instant::now() }, spent: Duration::ZERO }
    }

    /// Goes on for about `budget`, or by one round where there is none; whether it is at its end.
    pub fn advance(&mut self, budget: Option<Duration>) -> Result<bool> {
        let start = Instant::now();
        let done = match &mut self.job {
            Job::Finished(..) => true,
            Job::Gpu(run) => {
                loop {
                    run.run_rounds(1);
                    if run.schedule().is_over() || budget.is_none_or(|budget| start.elapsed() >= budget) {
                        break;
                    }
                }
                if run.schedule().is_over() {
                    run.run_to_end();
                    if run.schedule().stage() == Stage::GaveUp {
                        return Err(anyhow!(
                            "not coloured: {} constraints have no colour after {} rounds",
                            run.left(),
                            self.options.max_rounds
                        ));
                    }
                    let worksets = run.worksets(&self.order);
                    self.job = Job::Finished(run.colored(), worksets);
                }
                matches!(self.job, Job::Finished(..))
            }
            Job::Cpu { result, since } => match result.try_recv() {
                Ok(colored) => {
                    self.spent = since.elapsed();
                    let (colored, worksets) = colored?;
                    self.job = Job::Finished(colored, worksets);
                    return Ok(true);
                }
                Err(TryRecvError::Empty) => false,
                Err(TryRecvError::Disconnected) => return Err(anyhow!("the colouring's thread died")),
            },
        };
        self.spent += start.elapsed();
        Ok(done)
    }

    pub fn progress(&self) -> Progress {
        match &self.job {
            Job::Gpu(run) => {
                let schedule = run.schedule();
                Progress { rounds: schedule.round() - 1, left: run.left(), stage: schedule.stage().name() }
            }
            Job::Cpu { .. } => Progress { stage: "working", ..Progress::default() },
            Job::Finished(colored, _) => Progress { rounds: colored.rounds, left: 0, stage: "done" },
        }
    }

    /// The result, once [`Self::advance`] has said that it is there, and the time that it took.
    pub fn finished(self) -> Option<(Colored, Worksets, Duration)> {
        match self.job {
            Job::Finished(colored, worksets) => Some((colored, worksets, self.spent)),
            _ => None,
        }
    }

    /// A colour to draw each constraint in: of its batch to be, grey where it has none yet, red where it has just lost the one
    /// that it chose. `None` where nothing is known until the end.
    pub fn paint(&self) -> Option<Vec<Paint>> {
        let Job::Gpu(run) = &self.job else { return None };
        let paint = |color: u32| match color {
            UNCOLORED => Paint { rgb: palette::UNCOLORED, width: 0.6 },
            color => Paint { rgb: palette::color(color as usize), width: 1.0 },
        };
        let mut painted: Vec<Paint> = run.colors().into_iter().map(paint).collect();
        for conflict in run.conflicts() {
            painted[conflict as usize] = Paint { rgb: palette::CONFLICT, width: 1.6 };
        }
        Some(painted)
    }
}
