//! The part of the left panel that colours anew: which algorithm, and how far it is.

use egui::{ComboBox, RichText, Ui};

use super::control_panel::wide_button;
use super::theme;
use crate::coloring::{Algorithm, Choice, Priority};
use crate::render::palette;
use crate::viewer::{Controls, Stats};

pub fn show(ui: &mut Ui, controls: &mut Controls, stats: &Stats) {
    theme::heading(ui, "COLOURING");
    let options = &mut controls.coloring;
    let under_way = stats.coloring.is_some();
    ui.add_enabled_ui(!under_way, |ui| {
        ComboBox::from_id_salt("algorithm")
            .width(ui.available_width())
            .selected_text(options.algorithm.title())
            .show_ui(ui, |ui| {
                for algorithm in Algorithm::ALL {
                    ui.selectable_value(&mut options.algorithm, algorithm, algorithm.title());
                }
            });
        ui.horizontal(|ui| {
            let parallel = matches!(options.algorithm, Algorithm::GebremedhinManne | Algorithm::JonesPlassmann);
            ui.add_enabled_ui(parallel, |ui| {
                combo(ui, "priority", &mut options.priority, Priority::ALL.map(|priority| (priority, priority.name())))
                    .on_hover_text("Which of two constraints that chose one colour keeps it");
            });
            ui.add_enabled_ui(options.algorithm == Algorithm::GebremedhinManne, |ui| {
                combo(ui, "choice", &mut options.choice, Choice::ALL.map(|choice| (choice, choice.name())))
                    .on_hover_text("Which free colour a constraint chooses");
            });
            ui.checkbox(&mut options.balance, "even")
                .on_hover_text("Then move constraints from large batches to small ones");
        });
    });
    ui.columns(3, |columns| {
        if wide_button(&mut columns[0], "Colour").on_hover_text("Colour all constraints anew").clicked() {
            controls.requests.recolor = true;
        }
        let by_rounds = controls.coloring.algorithm == Algorithm::GebremedhinManne;
        columns[1].add_enabled_ui(by_rounds, |ui| {
            let button =
                wide_button(ui, "Round").on_hover_text("One round; the solver keeps its batches until the end");
            if button.on_disabled_hover_text("This algorithm does not go by rounds").clicked() {
                controls.requests.color_round = true;
            }
        });
        columns[2].add_enabled_ui(under_way, |ui| {
            if wide_button(ui, "Cancel").clicked() {
                controls.requests.stop_coloring = true;
            }
        });
    });
    match &stats.coloring {
        Some(progress) => {
            ui.label(format!("round {} · {} · {} left", progress.rounds, progress.stage, progress.left));
            ui.horizontal(|ui| {
                key(ui, palette::UNCOLORED, "no colour yet");
                key(ui, palette::CONFLICT, "lost its choice");
            });
        }
        None => {
            let colored = &stats.colored;
            let rounds = if colored.rounds > 0 { format!(" · {} rounds", colored.rounds) } else { String::new() };
            let ms = colored.time.as_secs_f64() * 1e3;
            let text = format!("{}{rounds} · {ms:.1} ms", colored.algorithm.title());
            ui.label(RichText::new(text).weak().size(11.0)).on_hover_text("How the batches that are in use came about");
        }
    }
}

fn combo<T: PartialEq + Copy, const N: usize>(
    ui: &mut Ui,
    id: &str,
    value: &mut T,
    all: [(T, &'static str); N],
) -> egui::Response {
    let name = all.iter().find(|(one, _)| one == value).map_or("", |(_, name)| name);
    ComboBox::from_id_salt(id)
        .width(72.0)
        .selected_text(name)
        .show_ui(ui, |ui| {
            for (one, name) in all {
                ui.selectable_value(value, one, name);
            }
        })
        .response
}

/// What a colour stands for.
fn key(ui: &mut Ui, color: [u8; 3], meaning: &str) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(14.0, 11.0), egui::Sense::hover());
    ui.painter().rect_filled(rect, 2.0, theme::rgb(color));
    ui.label(RichText::new(meaning).size(11.0));
    ui.add_space(4.0);
}
