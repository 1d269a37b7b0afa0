//! The residual over frames, a line for each solver: the place where the solver was switched shows.

use std::collections::VecDeque;

use egui::{Color32, RichText, Ui};
use egui_plot::{Line, Plot, PlotPoints};

use super::theme;
use crate::params::SolverKind;
use crate::viewer::Sample;

pub fn residual(ui: &mut Ui, history: &VecDeque<Sample>) {
    ui.horizontal(|ui| {
        for solver in SolverKind::ALL.into_iter().filter(|solver| history.iter().any(|one| one.solver == *solver)) {
            ui.label(RichText::new("—").strong().color(color(solver)));
            ui.label(solver.title());
            ui.add_space(6.0);
        }
    });
    let mut lines = Vec::new();
    let samples: Vec<Sample> = history.iter().copied().collect();
    for run in samples.chunk_by(|a, b| a.solver == b.solver) {
        let points: Vec<[f64; 2]> = run.iter().map(|sample| [sample.frame as f64, sample.rms * 100.0]).collect();
        lines.push((run[0].solver, points));
    }
    Plot::new("residual")
        .height(150.0)
        .include_y(0.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .y_grid_spacer(egui_plot::uniform_grid_spacer(|input| {
            let step = step_of((input.bounds.1 - input.bounds.0) / 3.0);
            [step, 10.0 * step, 100.0 * step]
        }))
        .y_axis_formatter(|mark, _| {
            // As many decimals as the step between two marks has.
            let decimals = (-mark.step_size.log10()).ceil().max(0.0) as usize;
            format!("{:.decimals$} %", mark.value)
        })
        .show(ui, |plot| {
            for (solver, points) in lines {
                let line = Line::new(solver.title(), PlotPoints::from(points)).color(color(solver)).width(1.6);
                plot.line(line);
            }
        });
}

/// The next of 1, 2 and 5 times a power of ten.
fn step_of(least: f64) -> f64 {
    let power = 10f64.powf(least.max(1e-9).log10().floor());
    [1.0, 2.0, 5.0].map(|factor| factor * power).into_iter().find(|step| *step >= least).unwrap_or(10.0 * power)
}

fn color(solver: SolverKind) -> Color32 {
    match solver {
        SolverKind::GaussSeidel => theme::ACCENT,
        SolverKind::Jacobi => Color32::from_rgb(0xff, 0xb3, 0x5c),
        SolverKind::Hybrid => Color32::from_rgb(0x9b, 0xe0, 0x7a),
    }
}
