//! Colours and spacings of the panels.

use egui::{Color32, CornerRadius, Frame, Margin, Stroke, TextStyle, Visuals};

/// What is chosen or live.
pub const ACCENT: Color32 = Color32::from_rgb(0x6c, 0xb6, 0xff);
/// Under the panels: what the window is cleared to.
pub const PANEL: [u8; 3] = [0x17, 0x19, 0x1e];
const EDGE: Color32 = Color32::from_rgb(0x2c, 0x30, 0x38);

/// Makes the context dark and compact.
pub fn apply(context: &egui::Context) {
    let mut visuals = Visuals::dark();
    visuals.window_fill = rgb(PANEL);
    visuals.window_stroke = Stroke::new(1.0, EDGE);
    visuals.extreme_bg_color = Color32::from_rgb(0x10, 0x12, 0x16);
    visuals.selection.bg_fill = Color32::from_rgb(0x24, 0x55, 0x8a);
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
    }
    visuals.widgets.noninteractive.fg_stroke.color = Color32::from_rgb(0xc8, 0xcd, 0xd6);
    visuals.widgets.noninteractive.bg_stroke.color = EDGE;
    context.set_theme(egui::Theme::Dark);
    context.set_visuals(visuals);
    context.all_styles_mut(|style| {
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.slider_width = 88.0;
        style.interaction.selectable_labels = false;
        for (name, size) in [(TextStyle::Body, 13.0), (TextStyle::Button, 13.0), (TextStyle::Monospace, 12.0)] {
            style.text_styles.insert(name.clone(), egui::FontId { size, ..name.resolve(style) });
        }
    });
}

/// Of a side panel, which has no fill of its own.
pub fn panel_frame() -> Frame {
    Frame::new().inner_margin(Margin::symmetric(12, 10))
}

/// Of a line over the scene.
pub fn note_frame() -> Frame {
    Frame::new()
        .fill(rgb(PANEL).gamma_multiply(0.92))
        .stroke(Stroke::new(1.0, EDGE))
        .corner_radius(6.0)
        .inner_margin(Margin::symmetric(12, 8))
}

/// A colour of the palette.
pub fn rgb([r, g, b]: [u8; 3]) -> Color32 {
    Color32::from_rgb(r, g, b)
}

/// A heading within a panel.
pub fn heading(ui: &mut egui::Ui, text: &str) {
    ui.add_space(8.0);
    ui.label(egui::RichText::new(text).size(11.5).strong().color(Color32::from_rgb(0x8b, 0x93, 0xa1)));
}
