//! STL, as text or binary: triangles without shared vertices.

use std::collections::HashMap;
use std::io::Cursor;

use glam::Vec3;

use super::source::{Cause, Source};

/// Header, count, and bytes of a triangle of the binary form.
const HEADER: usize = 80;
const TRIANGLE: usize = 50;

/// Reads the triangles; corners at one place are one vertex, in the order in which they come.
pub(super) fn read(bytes: &[u8]) -> Result<Source, Cause> {
    let mut source = Source::default();
    let mut seen = HashMap::new();
    let needed = binary_count(bytes).map(|count| HEADER + 4 + count * TRIANGLE);
    if needed == Some(bytes.len()) || !bytes.starts_with(b"solid") {
        match needed {
            Some(needed) if needed <= bytes.len() => {}
            Some(_) => return Err((None, "its header promises more triangles than the file holds".into())),
            None => return Err((None, "it is too short for an STL file".into())),
        }
        // Some binary files begin as the text form does.
        let mut bytes = bytes.to_vec();
        bytes[..HEADER].fill(0);
        read_solid(&bytes, &mut source, &mut seen).map_err(|cause| (None, cause))?;
    } else {
        for (line, solid) in solids(bytes) {
            read_solid(&solid, &mut source, &mut seen)
                .map_err(|cause| (None, format!("{cause}, in the solid that starts at line {line}")))?;
        }
    }
    Ok(source)
}

/// The solids of a text, each with the number of its first line: the reader stops at the end of one.
fn solids(text: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let mut solids = Vec::new();
    let mut solid: Vec<u8> = Vec::new();
    let mut first = 1;
    for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if solid.is_empty() {
            first = number;
        }
        // The reader knows only blanks.
        solid.extend(line.iter().map(|byte| if byte.is_ascii_whitespace() { b' ' } else { *byte }));
        if line == b"solid" {
            solid.push(b' ');
        }
        solid.push(b'\n');
        if line.starts_with(b"endsolid") {
            solids.push((first, std::mem::take(&mut solid)));
        }
    }
    if !solid.is_empty() {
        solids.push((first, solid));
    }
    solids
}

fn read_solid(bytes: &[u8], source: &mut Source, seen: &mut HashMap<[u32; 3], u32>) -> Result<(), String> {
    let mut cursor = Cursor::new(bytes);
    let triangles = stl_io::create_stl_reader(&mut cursor).map_err(|error| error.to_string())?;
    for (number, triangle) in triangles.enumerate() {
        let triangle = triangle.map_err(|error| format!("triangle {}: {error}", number + 1))?;
        let face = triangle.vertices.map(|vertex| {
            let position = Vec3::from_array(vertex.0);
            *seen.entry(position.to_array().map(f32::to_bits)).or_insert_with(|| {
                source.positions.push(position);
                source.positions.len() as u32 - 1
            })
        });
        source.faces.push(face.to_vec());
    }
    Ok(())
}

/// The count of triangles that a binary header claims.
fn binary_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER..HEADER + 4)?;
    Some(u32::from_le_bytes(count.try_into().ok()?) as usize)
}
