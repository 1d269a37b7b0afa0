//! The cloth as a mesh file, for other programs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use glam::Vec4;

use crate::mesh::Format;
use crate::scene::Model;

/// Where the cloth goes: one file, or one a frame where the name has a place for its number.
#[derive(Clone, Debug)]
pub struct Export {
    format: Format,
    path: PathBuf,
    /// Digits of the frame's number, and where they stand in the file's name.
    number: Option<(usize, usize)>,
}

impl Export {
    /// To `path`, which ends in `.obj` or `.ply`; a run of `#` in the file's name is the place of the frame's number.
    pub fn new(path: &Path) -> Result<Self, String> {
        let format = Format::of(path).filter(|format| *format != Format::Stl);
        let format = format.ok_or_else(|| format!("--export {} ends in neither .obj nor .ply", path.display()))?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let number = name.find('#').map(|at| (at, name[at..].chars().take_while(|&letter| letter == '#').count()));
        Ok(Self { format, path: path.into(), number })
    }

    /// Whether each frame has a file of its own.
    pub fn is_sequence(&self) -> bool {
        self.number.is_some()
    }

    /// The file of a frame.
    pub fn path(&self, frame: u32) -> PathBuf {
        let Some((at, digits)) = self.number else { return self.path.clone() };
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.path.with_file_name(format!("{}{frame:0digits$}{}", &name[..at], &name[at + digits..]))
    }

    /// The file's text: particles as vertices in metres, triangles as faces; of what has no triangles, its constraints as
    /// lines.
    pub fn text(&self, model: &Model, positions: &[Vec4]) -> String {
        let lines: Vec<[u32; 2]> = match model.triangles[..] {
            [] => model.constraints.iter().map(|constraint| constraint.particles).collect(),
            _ => Vec::new(),
        };
        match self.format {
            Format::Ply => ply(positions, &model.triangles, &lines),
            _ => obj(positions, &model.triangles, &lines),
        }
    }
}

fn obj(positions: &[Vec4], triangles: &[[u32; 3]], lines: &[[u32; 2]]) -> String {
    let mut text = String::new();
    for at in positions {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "v {} {} {}", at.x, at.y, at.z);
    }
    for [a, b, c] in triangles {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    for [a, b] in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "l {} {}", a + 1, b + 1);
    }
    text
}

fn ply(positions: &[Vec4], triangles: &[[u32; 3]], lines: &[[u32; 2]]) -> String {
    let mut text = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n",
        positions.len()
    );
    if !triangles.is_empty() {
        text += &format!("element face {}\nproperty list uchar int vertex_indices\n", triangles.len());
    }
    if !lines.is_empty() {
        text += &format!("element edge {}\nproperty int vertex1\nproperty int vertex2\n", lines.len());
    }
    text += "end_header\n";
    for at in positions {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{} {} {}", at.x, at.y, at.z);
    }
    for [a, b, c] in triangles {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "3 {a} {b} {c}");
    }
    for [a, b] in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{a} {b}");
    }
    text
}
