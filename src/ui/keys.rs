//! The keys: what each one does, and the list that the window shows.

use crate::params::ConstraintColoring;
use crate::viewer::Controls;

/// Keys and mouse, as the help lists them.
pub const LIST: &[(&str, &str)] = &[
    ("Space", "play or pause"),
    ("N", "one step"),
    ("R", "back to the start"),
    ("J", "Jacobi or Gauss-Seidel"),
    ("C", "colour by batch, strain, type, or not at all"),
    ("P", "pin or let go of the particle under the cursor"),
    ("F", "frame the cloth"),
    ("H", "hide or show the panels"),
    ("F12", "save a picture of the window"),
    ("?", "this list"),
    ("Esc", "close this list, show all batches"),
    ("Left drag", "move a particle; beside the cloth, orbit"),
    ("Right drag", "pan"),
    ("Wheel", "zoom"),
];

/// A key that does something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Character(char),
    Space,
    Escape,
    F12,
}

/// Does what a key asks for; whether it is one of the [`LIST`].
pub fn press(key: Key, controls: &mut Controls) -> bool {
    match key {
        Key::Space => controls.playing = !controls.playing,
        Key::F12 => controls.requests.screenshot = true,
        Key::Escape => {
            if controls.show_help {
                controls.show_help = false;
            } else {
                controls.view.isolated_batch = None;
            }
        }
        Key::Character(letter) => match letter.to_ascii_lowercase() {
            'n' => {
                controls.playing = false;
                controls.requests.step = true;
            }
            'r' => controls.requests.reset = true,
            'j' => controls.params.solver = controls.params.solver.toggled(),
            'c' => controls.view.constraint_coloring = next(controls.view.constraint_coloring),
            'p' => controls.requests.toggle_pin = true,
            'f' => controls.requests.frame_camera = true,
            'h' => controls.show_panels = !controls.show_panels,
            '?' => controls.show_help = !controls.show_help,
            _ => return false,
        },
    }
    true
}

fn next(coloring: ConstraintColoring) -> ConstraintColoring {
    let all = ConstraintColoring::ALL;
    let place = all.iter().position(|other| *other == coloring).unwrap_or(0);
    all[(place + 1) % all.len()]
}
