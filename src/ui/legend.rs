//! The right panel: what the colours mean, the residual over time, and where the time goes.

use egui::{Align2, Color32, FontId, Rect, RichText, Sense, Stroke, TextStyle, Ui, pos2, vec2};

use super::control_panel::percent;
use super::{plot, theme};
use crate::params::ConstraintColoring;
use crate::render::palette;
use crate::viewer::{BatchStats, Controls, Stats};

const ROW: f32 = 19.0;
/// Batches that are listed before the list scrolls within itself.
const ROWS_SHOWN: usize = 16;

pub fn show(ui: &mut Ui, controls: &mut Controls, stats: &Stats) {
    match controls.view.constraint_coloring {
        ConstraintColoring::Strain => strain_scale(ui, controls),
        ConstraintColoring::Group => groups(ui, stats),
        ConstraintColoring::Batch | ConstraintColoring::Hidden => {}
    }
    batches(ui, controls, stats);
    theme::heading(ui, "STRETCH, RMS OVER FRAMES");
    plot::residual(ui, &stats.history);
    theme::heading(ui, "GPU TIME OF A STEP");
    passes(ui, stats);
}

fn batches(ui: &mut Ui, controls: &mut Controls, stats: &Stats) {
    theme::heading(ui, "BATCHES");
    let counts = format!("{} colours, at least {} are needed", stats.batches.len(), stats.lower_bound);
    ui.label(counts).on_hover_text("No colouring has fewer colours than there are constraints at one particle");
    histogram(ui, controls, stats);
    let largest = stats.batches.iter().map(|batch| batch.residual.mean).fold(1e-9, f64::max);
    header(ui);
    egui::ScrollArea::vertical().id_salt("batches").max_height(ROW * ROWS_SHOWN as f32).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for (index, batch) in stats.batches.iter().enumerate() {
            let chosen = controls.view.isolated_batch == Some(index);
            if batch_row(ui, index, batch, chosen, largest).clicked() {
                controls.view.isolated_batch = (!chosen).then_some(index);
            }
        }
    });
    let hint = if controls.view.isolated_batch.is_some() {
        "click again, or Esc, for all"
    } else {
        "click a batch to see it alone"
    };
    ui.label(RichText::new(hint).weak().size(11.0));
}

/// A bar for each batch, as high as it has constraints, and a line after as many as there have to be.
fn histogram(ui: &mut Ui, controls: &mut Controls, stats: &Stats) {
    let count = stats.batches.len().max(1);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 40.0), Sense::click());
    let response = response
        .on_hover_text("Constraints in each batch; the line stands where no colouring could have stopped before");
    let painter = ui.painter();
    painter.rect_filled(rect, 2.0, ui.visuals().extreme_bg_color);
    let largest = stats.batches.iter().map(|batch| batch.batch.count).max().unwrap_or(1).max(1);
    let step = rect.width() / count.max(stats.lower_bound as usize) as f32;
    for (index, batch) in stats.batches.iter().enumerate() {
        let height = (rect.height() - 4.0) * batch.batch.count as f32 / largest as f32;
        let left = rect.left() + step * index as f32;
        let gap = if step > 4.0 { 1.0 } else { 0.0 };
        let bar = Rect::from_min_max(
            pos2(left + gap, rect.bottom() - height.max(1.0)),
            pos2((left + step - gap).max(left + gap + 0.5), rect.bottom()),
        );
        let shown = controls.view.isolated_batch.is_none_or(|isolated| isolated == index);
        let color = theme::rgb(palette::color(index)).gamma_multiply(if shown { 1.0 } else { 0.3 });
        painter.rect_filled(bar, 0.0, color);
    }
    let bound = rect.left() + step * stats.lower_bound as f32;
    painter.vline(bound.min(rect.right() - 1.0), rect.y_range(), Stroke::new(1.5, Color32::WHITE));
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.clicked()) {
        let index = ((at.x - rect.left()) / step) as usize;
        let chosen = controls.view.isolated_batch == Some(index);
        controls.view.isolated_batch = (index < count && !chosen).then_some(index);
    }
}

/// Right edges of the columns for batch, size and residual, from the left edge of a row.
const COLUMNS: [f32; 3] = [46.0, 100.0, 168.0];

fn header(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    for (text, edge) in ["batch", "size", "|C|/d, mean"].into_iter().zip(COLUMNS) {
        let at = pos2(rect.left() + edge, rect.center().y);
        ui.painter().text(at, Align2::RIGHT_CENTER, text, FontId::proportional(10.5), ui.visuals().weak_text_color());
    }
}

fn batch_row(ui: &mut Ui, index: usize, stats: &BatchStats, chosen: bool, largest: f64) -> egui::Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let response = response.on_hover_ui(|ui| {
        ui.label(format!("Batch {index}: {} constraints that share no particle", stats.batch.count));
        ui.label(format!("|C| / d: rms {}, max {}", percent(stats.residual.rms), percent(stats.residual.max)));
        ui.label(format!("length / original length: {:.3} on average", stats.residual.length_ratio_mean));
        ui.weak("Click to see it alone");
    });
    let painter = ui.painter();
    if chosen || response.hovered() {
        let fill = if chosen { ui.visuals().selection.bg_fill } else { ui.visuals().widgets.hovered.weak_bg_fill };
        painter.rect_filled(rect, 3.0, fill);
    }
    let color = theme::rgb(palette::color(index));
    let swatch = Rect::from_center_size(pos2(rect.left() + 12.0, rect.center().y), vec2(14.0, 11.0));
    painter.rect_filled(swatch, 2.0, color);
    let font = TextStyle::Monospace.resolve(ui.style());
    let cells = [index.to_string(), stats.batch.count.to_string(), percent(stats.residual.mean)];
    for (text, edge) in cells.into_iter().zip(COLUMNS) {
        let at = pos2(rect.left() + edge, rect.center().y);
        painter.text(at, Align2::RIGHT_CENTER, text, font.clone(), ui.visuals().text_color());
    }
    // How the residual compares with that of the worst batch.
    let room = Rect::from_min_max(
        pos2(rect.left() + COLUMNS[2] + 8.0, rect.center().y - 3.0),
        pos2(rect.right() - 4.0, rect.center().y + 3.0),
    );
    painter.rect_filled(room, 1.0, ui.visuals().extreme_bg_color);
    let share = (stats.residual.mean / largest).clamp(0.0, 1.0) as f32;
    painter.rect_filled(Rect::from_min_size(room.min, vec2(room.width() * share, room.height())), 1.0, color);
    response
}

fn strain_scale(ui: &mut Ui, controls: &mut Controls) {
    theme::heading(ui, "STRAIN: LENGTH AGAINST REST LENGTH");
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 14.0), Sense::hover());
    let steps = 96;
    for step in 0..steps {
        let t = (step as f32 + 0.5) / steps as f32;
        let left = egui::lerp(rect.x_range(), step as f32 / steps as f32);
        let right = egui::lerp(rect.x_range(), (step + 1) as f32 / steps as f32);
        let slice = Rect::from_x_y_ranges(left..=right + 0.5, rect.y_range());
        ui.painter().rect_filled(slice, 0.0, theme::rgb(palette::strain_color(2.0 * t - 1.0)));
    }
    ui.painter().rect_stroke(rect, 0.0, Stroke::new(1.0, Color32::from_gray(70)), egui::StrokeKind::Inside);
    let (labels, _) = ui.allocate_exact_size(vec2(ui.available_width(), 13.0), Sense::hover());
    let range = controls.view.strain_range * 100.0;
    let ticks = [
        (labels.left_center(), Align2::LEFT_CENTER, format!("−{range:.0} %")),
        (labels.center(), Align2::CENTER_CENTER, "at rest".to_owned()),
        (labels.right_center(), Align2::RIGHT_CENTER, format!("+{range:.0} %")),
    ];
    for (at, align, text) in ticks {
        ui.painter().text(at, align, text, FontId::proportional(11.0), ui.visuals().text_color());
    }
    let mut percent = range;
    let slider =
        egui::Slider::new(&mut percent, 1.0..=100.0).logarithmic(true).suffix(" %").max_decimals(0).text("range");
    if ui.add(slider.clamping(egui::SliderClamping::Edits)).changed() {
        controls.view.strain_range = percent * 0.01;
    }
}

fn groups(ui: &mut Ui, stats: &Stats) {
    theme::heading(ui, "TYPES OF CONSTRAINT");
    ui.horizontal_wrapped(|ui| {
        for &group in &stats.groups {
            let (rect, _) = ui.allocate_exact_size(vec2(14.0, 11.0), Sense::hover());
            ui.painter().rect_filled(rect, 2.0, theme::rgb(palette::group_color(group)));
            ui.label(group.name());
            ui.add_space(4.0);
        }
    });
}

fn passes(ui: &mut Ui, stats: &Stats) {
    egui::Grid::new("passes").num_columns(2).min_col_width(150.0).spacing([6.0, 3.0]).show(ui, |ui| {
        let mut row = |name: RichText, ms: f64| {
            ui.label(name);
            ui.monospace(format!("{ms:>6.2} ms"));
            ui.end_row();
        };
        for (kernel, ms) in &stats.passes {
            row(RichText::new(*kernel).monospace(), *ms);
        }
        row(RichText::new("together"), stats.passes.iter().map(|(_, ms)| ms).sum());
    });
}
