//! The panels: figures in, edits of plain parameters out.

mod coloring_panel;
mod control_panel;
pub mod keys;
mod legend;
mod plot;
mod theme;

use egui::{Align2, Color32, Rect, RichText, Ui};

use crate::viewer::{Controls, NOTICE, Stats};

pub use theme::{PANEL, apply as apply_theme};

/// Widths of the panels, points.
const LEFT: f32 = 272.0;
const RIGHT: f32 = 252.0;

/// Lays the panels out; what is left for the scene is returned, in points.
pub fn show(ui: &mut Ui, controls: &mut Controls, stats: &Stats) -> Rect {
    let mut scene = ui.max_rect();
    if controls.show_panels {
        scene.min.x = (scene.min.x + LEFT).min(scene.max.x);
        scene.max.x = (scene.max.x - RIGHT).max(scene.min.x);
        let frame = theme::panel_frame();
        egui::Panel::left("controls").exact_size(LEFT).resizable(false).show_separator_line(false).frame(frame).show(
            ui,
            |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| control_panel::show(ui, controls, stats));
            },
        );
        egui::Panel::right("legend").exact_size(RIGHT).resizable(false).show_separator_line(false).frame(frame).show(
            ui,
            |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| legend::show(ui, controls, stats));
            },
        );
    }
    let context = ui.ctx().clone();
    if !controls.show_panels {
        note(&context, "hint", Align2::LEFT_BOTTOM, [12.0, -12.0], scene, RichText::new("H shows the panels").weak());
    }
    let at_cursor = at_cursor(stats);
    let noted = controls.show_panels && !at_cursor.is_empty();
    if noted {
        let text = RichText::new(at_cursor).monospace();
        note(&context, "at the cursor", Align2::LEFT_BOTTOM, [12.0, -12.0], scene, text);
    }
    if let Some((text, since)) = &stats.notice
        && since.elapsed() < NOTICE
    {
        // Above what is said of the cursor.
        let above = if noted { -132.0 } else { -16.0 };
        note(&context, "notice", Align2::CENTER_BOTTOM, [0.0, above], scene, RichText::new(text));
    }
    if let Some(error) = &stats.shader_error {
        let text = format!("The shaders were not reloaded; the last good ones run.\n\n{error}");
        let text = RichText::new(text).monospace().color(Color32::from_rgb(0xff, 0x9a, 0x8a));
        note(&context, "shader error", Align2::CENTER_TOP, [0.0, 16.0], scene, text);
    }
    if controls.show_help {
        help(&context, controls);
    }
    scene
}

/// What is under the cursor.
fn at_cursor(stats: &Stats) -> String {
    let mut lines = Vec::new();
    if let Some(particle) = stats.marked_particle {
        lines.push(format!("particle    {particle}"));
    }
    if let Some(constraint) = &stats.marked_constraint {
        let [a, b] = constraint.particles;
        lines.push(format!("constraint  {} ({})", constraint.index, constraint.group));
        lines.push(format!("batch       {}", constraint.batch));
        lines.push(format!("particles   {a}, {b}"));
        lines.push(format!("valence     {} neighbours", constraint.neighbors));
        lines.push(format!("rest length {:.1} mm", constraint.rest_length * 1e3));
    }
    lines.join("\n")
}

/// A line of text over the scene.
fn note(context: &egui::Context, id: &str, anchor: Align2, offset: [f32; 2], scene: Rect, text: RichText) {
    let corner = anchor.pos_in_rect(&scene) + egui::vec2(offset[0], offset[1]);
    egui::Area::new(egui::Id::unique(id)).pivot(anchor).fixed_pos(corner).interactable(false).show(context, |ui| {
        ui.set_max_width((scene.width() - 32.0).max(100.0));
        theme::note_frame().show(ui, |ui| ui.label(text));
    });
}

fn help(context: &egui::Context, controls: &mut Controls) {
    let mut open = true;
    egui::Window::new("Keys and mouse")
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false)
        .open(&mut open)
        .show(context, |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([18.0, 6.0]).show(ui, |ui| {
                for (key, action) in keys::LIST {
                    ui.label(RichText::new(*key).strong().monospace());
                    ui.label(*action);
                    ui.end_row();
                }
            });
        });
    controls.show_help &= open;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coloring::ColoringOptions;
    use crate::params::{ConstraintColoring, SimParams, ViewOptions};
    use crate::viewer::Requests;

    #[test]
    fn panels_that_nobody_touches_change_nothing() {
        // All of it is allowed on the command line and beyond what the sliders offer.
        let params = SimParams {
            iterations: 5_000,
            substeps: 700,
            dt: 0.1,
            gravity: glam::Vec3::new(0.0, -500.0, 0.0),
            damping: 300.0,
            relaxation: 0.02,
            ..SimParams::default()
        };
        for params in [params, SimParams::default(), SimParams { dt: 1e-6, ..params }] {
            for constraint_coloring in ConstraintColoring::ALL {
                let before = Controls {
                    scene: "hanging".into(),
                    resolution: Some(1000),
                    params,
                    view: ViewOptions { constraint_coloring, ..ViewOptions::default() },
                    coloring: ColoringOptions::default(),
                    playing: true,
                    show_panels: true,
                    show_help: true,
                    requests: Requests::default(),
                };
                let mut controls = before.clone();
                let context = egui::Context::default();
                for _ in 0..3 {
                    let mut output = context.run_ui(egui::RawInput::default(), |ui| {
                        show(ui, &mut controls, &Stats::default());
                    });
                    // Nothing is painted.
                    output.textures_delta.clear();
                }
                assert_eq!(controls, before);
            }
        }
    }
}
