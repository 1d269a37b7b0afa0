//! The left panel: scene, playback, solver and view.

use std::ops::RangeInclusive;

use egui::{Slider, SliderClamping, Ui};

use super::{coloring_panel, theme};
use crate::params::{BatchOrder, ConstraintColoring, Integrator, SolverKind, range};
use crate::scene;
use crate::viewer::{Controls, Stats};

/// The largest cloth that the slider offers; the command line takes more.
const SLIDER_RESOLUTION: u32 = 256;

pub fn show(ui: &mut Ui, controls: &mut Controls, stats: &Stats) {
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new("Tartan").size(18.0).strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("?").on_hover_text("Keys and mouse").clicked() {
                controls.show_help = !controls.show_help;
            }
            ui.weak(format!("{:.0} fps", stats.fps));
        });
    });

    theme::heading(ui, "SCENE");
    egui::ComboBox::from_id_salt("scene")
        .width(ui.available_width())
        .selected_text(file_name(&controls.scene))
        .show_ui(ui, |ui| {
            for name in scene::NAMES {
                ui.selectable_value(&mut controls.scene, name.to_owned(), name);
            }
        });
    resolution(ui, controls);

    ui.add_space(4.0);
    ui.columns(3, |columns| {
        let play = if controls.playing { "Pause" } else { "Play" };
        if wide_button(&mut columns[0], play).on_hover_text("Space").clicked() {
            controls.playing = !controls.playing;
        }
        if wide_button(&mut columns[1], "Step").on_hover_text("N").clicked() {
            controls.playing = false;
            controls.requests.step = true;
        }
        if wide_button(&mut columns[2], "Reset").on_hover_text("R").clicked() {
            controls.requests.reset = true;
        }
    });

    theme::heading(ui, "SOLVER");
    ui.horizontal(|ui| {
        for (kind, width) in SolverKind::ALL.into_iter().zip([96.0, 66.0, 74.0]) {
            let button = egui::Button::selectable(controls.params.solver == kind, kind.title());
            if ui.add(button.min_size(egui::vec2(width, 24.0))).on_hover_text("J switches").clicked() {
                controls.params.solver = kind;
            }
        }
    });
    let params = &mut controls.params;
    row(ui, "Iterations", Slider::new(&mut params.iterations, within(range::ITERATIONS, 1, 200)).logarithmic(true));
    row(ui, "Substeps", Slider::new(&mut params.substeps, within(range::SUBSTEPS, 1, 50)).logarithmic(true));
    row(ui, "Smoothing", Slider::new(&mut params.smooth, within(range::SMOOTH, 0, 50)))
        .on_hover_text("Jacobi iterations after those of a substep");
    if params.solver == SolverKind::Hybrid {
        let batches = (stats.batches.len() as u32).max(1);
        row(ui, "Coloured", Slider::new(&mut params.colored_batches, 0..=batches).suffix(" batches"))
            .on_hover_text("The fullest batches, taken one after the other; the others go at once");
    }
    let mut dt_ms = params.dt * 1e3;
    if row(ui, "Time step", Slider::new(&mut dt_ms, 1.0..=50.0).suffix(" ms").max_decimals(1)).changed() {
        params.dt = dt_ms * 1e-3;
    }
    let integrators = Integrator::ALL.map(|integrator| (integrator, integrator.name()));
    let about = "first: robust, takes motion away; second (BDF2): motion lasts";
    one_of(ui, "Integrator", &mut params.integrator, integrators, about);
    ui.add_enabled_ui(params.solver != SolverKind::Jacobi, |ui| {
        let orders = BatchOrder::ALL.map(|order| (order, order.name()));
        one_of(ui, "Order", &mut params.order, orders, "In which order an iteration takes the batches");
    });
    row(ui, "Gravity", Slider::new(&mut params.gravity.y, -20.0..=20.0).suffix(" m/s²").max_decimals(2));
    row(ui, "Damping", Slider::new(&mut params.damping, 0.0..=10.0).suffix(" /s").max_decimals(2));
    let keeps = params.keeps_compliance();
    ui.add_enabled_ui(keeps, |ui| {
        let slider = Slider::new(&mut params.compliance, within(range::COMPLIANCE, 0.0, 1.0));
        row(ui, "Compliance", slider.logarithmic(true).smallest_positive(1e-6).custom_formatter(three_digits))
            .on_hover_text("m/N: how far a constraint gives way to a newton; 0 is stiff")
            .on_disabled_hover_text("Gauss-Seidel without smoothing keeps it; all else is stiff");
    });
    ui.add_enabled_ui(params.solver == SolverKind::Jacobi, |ui| {
        row(ui, "Jacobi ω", Slider::new(&mut params.relaxation, within(range::RELAXATION, 0.1, 2.0)).max_decimals(2));
    });

    theme::heading(ui, "COLOUR BY");
    ui.columns(4, |columns| {
        for (column, coloring) in columns.iter_mut().zip(ConstraintColoring::ALL) {
            let chosen = controls.view.constraint_coloring == coloring;
            if choice(column, chosen, coloring.title()).on_hover_text("C switches").clicked() {
                controls.view.constraint_coloring = coloring;
            }
        }
    });
    row(ui, "Thread width", Slider::new(&mut controls.view.ribbon_width, 1.0..=6.0).suffix(" px").max_decimals(1));
    ui.horizontal(|ui| {
        ui.checkbox(&mut controls.view.show_cloth, "Cloth");
        ui.checkbox(&mut controls.view.show_pins, "Pins");
        ui.checkbox(&mut controls.view.show_ground, "Ground");
    });

    coloring_panel::show(ui, controls, stats);

    theme::heading(ui, "FIGURES");
    egui::Grid::new("figures").num_columns(2).min_col_width(104.0).spacing([6.0, 3.0]).show(ui, |ui| {
        let mut figure = |name: &str, value: String| {
            ui.weak(name);
            ui.monospace(value);
            ui.end_row();
        };
        figure("Frame", stats.frame.to_string());
        figure("Clock", format!("{:.0} % of real time", stats.speed * 100.0));
        figure("Particles", stats.particles.to_string());
        figure("Constraints", stats.constraints.to_string());
        figure("Stretch, rms", percent(stats.residual.rms));
        figure("Stretch, max", percent(stats.residual.max));
    });
}

/// The last part of a path; a name as it is.
fn file_name(scene: &str) -> &str {
    scene.rsplit(['/', '\\']).next().unwrap_or(scene)
}

/// A share, as a percentage that fits a column.
pub fn percent(share: f64) -> String {
    if share < 10.0 { format!("{:.2} %", share * 100.0) } else { format!("{:.0} %", share * 100.0) }
}

fn resolution(ui: &mut Ui, controls: &mut Controls) {
    // A cloth is built anew only when the slider is let go of, and not for each value on the way.
    let id = ui.scope_id().with("resolution");
    let Some(resolution) = controls.resolution else {
        ui.weak("a mesh: its particles are its vertices");
        return;
    };
    let mut value = ui.data(|data| data.get_temp(id)).unwrap_or(resolution);
    let limit = SLIDER_RESOLUTION.max(resolution);
    let response = row(ui, "Resolution", Slider::new(&mut value, *scene::RESOLUTION.start()..=limit).logarithmic(true));
    if response.dragged() || response.has_focus() {
        ui.data_mut(|data| data.insert_temp(id, value));
    } else {
        ui.data_mut(|data| data.remove::<u32>(id));
        controls.resolution = Some(value);
    }
}

/// A number by its first three digits, and without zeros behind.
fn three_digits(value: f64, _: RangeInclusive<usize>) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let scale = 10f64.powf(2.0 - value.abs().log10().floor());
    format!("{}", ((value * scale).round() / scale) as f32)
}

/// One of several by its name.
fn one_of<T: PartialEq + Copy, const N: usize>(
    ui: &mut Ui,
    text: &str,
    value: &mut T,
    all: [(T, &str); N],
    about: &str,
) {
    ui.horizontal(|ui| {
        name(ui, text);
        let chosen = all.iter().find(|(one, _)| one == value).map_or("", |(_, name)| name);
        let combo = egui::ComboBox::from_id_salt(text).width(134.0).selected_text(chosen).show_ui(ui, |ui| {
            for (one, name) in all {
                ui.selectable_value(value, one, name);
            }
        });
        combo.response.on_hover_text(about);
    });
}

/// What stands before a control.
fn name(ui: &mut Ui, name: &str) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(78.0, 18.0), egui::Sense::hover());
    let color = if ui.is_enabled() { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
    let font = egui::TextStyle::Body.resolve(ui.style());
    ui.painter().text(rect.left_center(), egui::Align2::LEFT_CENTER, name, font, color);
}

fn row(ui: &mut Ui, text: &str, slider: Slider) -> egui::Response {
    ui.horizontal(|ui| {
        name(ui, text);
        // What the command line allows beyond the slider stays as it is until it is edited.
        ui.add(slider.clamping(SliderClamping::Edits))
    })
    .inner
}

/// One of several, as wide as its column.
fn choice(ui: &mut Ui, chosen: bool, text: &str) -> egui::Response {
    ui.vertical_centered_justified(|ui| ui.add(egui::Button::selectable(chosen, text).min_size(egui::vec2(0.0, 24.0))))
        .inner
}

pub fn wide_button(ui: &mut Ui, text: &str) -> egui::Response {
    ui.vertical_centered_justified(|ui| ui.add(egui::Button::new(text).min_size(egui::vec2(0.0, 26.0)))).inner
}

/// The part of a parameter's range that a slider of 88 points can hit.
fn within<T: PartialOrd + Copy>(allowed: RangeInclusive<T>, low: T, high: T) -> RangeInclusive<T> {
    debug_assert!(allowed.contains(&low) && allowed.contains(&high), "a slider offers what the solver takes");
    low..=high
}
