//! A mesh as a file has it.

use std::path::Path;

use glam::Vec3;

use super::{obj, ply, stl};

/// Vertices, faces and lines as they stand in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// In the file's unit; finite.
    pub positions: Vec<Vec3>,
    /// Three or more vertices each, by their places in `positions`.
    pub faces: Vec<Vec<u32>>,
    /// Pairs of vertices that lines join.
    pub lines: Vec<[u32; 2]>,
}

/// Why a mesh is refused: where, and the cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshError {
    /// The name of the file.
    pub file: String,
    /// Counted from 1.
    pub line: Option<usize>,
    pub cause: String,
}

impl std::fmt::Display for MeshError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.cause),
            None => write!(f, "{}: {}", self.file, self.cause),
        }
    }
}

impl std::error::Error for MeshError {}

/// What a reader says: the line, if there is one, and the cause.
pub(super) type Cause = (Option<usize>, String);

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Obj,
    Ply,
    Stl,
}

impl Format {
    /// By the ending of a file's name, in capitals or not.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            _ => None,
        }
    }
}

/// Reads a file in the format that its ending says.
pub fn read(path: &Path) -> Result<Source, MeshError> {
    let file = path.display().to_string();
    let error = |cause: String| MeshError { file: file.clone(), line: None, cause };
    let format = Format::of(path).ok_or_else(|| error("it is no .obj, .ply or .stl file".into()))?;
    let bytes = std::fs::read(path).map_err(|reason| error(format!("cannot be read: {}", reason.kind())))?;
    read_bytes(&bytes, format, &file)
}

/// Reads what a file holds; `file` is its name, for errors.
pub fn read_bytes(bytes: &[u8], format: Format, file: &str) -> Result<Source, MeshError> {
    let read = match format {
        Format::Obj => obj::read(bytes),
        Format::Ply => ply::read(bytes),
        Format::Stl => stl::read(bytes),
    };
    read.and_then(checked).map_err(|(line, cause)| MeshError { file: file.into(), line, cause })
}

/// Every number is one, and every vertex is there.
fn checked(source: Source) -> Result<Source, Cause> {
    let count = source.positions.len();
    if u32::try_from(count).is_err() {
        return Err((None, format!("it has {count} vertices, more than 32 bits can number")));
    }
    if let Some(vertex) = source.positions.iter().position(|position| !position.is_finite()) {
        return Err((None, format!("vertex {} is at {}, which is no place", vertex + 1, source.positions[vertex])));
    }
    let named = source.faces.iter().flatten().chain(source.lines.as_flattened());
    match named.copied().find(|&vertex| vertex as usize >= count) {
        Some(vertex) => Err((None, format!("vertex {vertex} is named, counted from 0, and there are {count}"))),
        None => Ok(source),
    }
}
