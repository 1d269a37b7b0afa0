//! Wavefront OBJ: vertices, faces of any number of vertices, lines; objects and groups are taken together.
//!
//! Read here, and not by a crate: those that are kept up number vertices anew for each object or stop the program at statements
//! for curves, and none says the line of an error, while the statements that cloth needs are four.

use glam::Vec3;

use super::source::{Cause, Source};

/// Reads vertices (`v`), faces (`f`, `fo`) and lines (`l`); other statements are passed over.
pub(super) fn read(bytes: &[u8]) -> Result<Source, Cause> {
    let mut source = Source::default();
    // A statement goes on in the next line after a backslash; it is numbered by its first one.
    let mut statement = String::new();
    let mut first = 1;
    if bytes.contains(&0) {
        return Err((None, "it is no text in UTF-8 or the like: save it as such".into()));
    }
    for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        // Names and comments may be in any encoding.
        let line = String::from_utf8_lossy(line);
        let line = line.split('#').next().unwrap_or_default().trim_end();
        if statement.is_empty() {
            first = number;
        }
        if let Some(part) = line.strip_suffix('\\') {
            statement.push_str(part);
            statement.push(' ');
            continue;
        }
        statement.push_str(line);
        read_statement(&statement, &mut source).map_err(|cause| (Some(first), cause))?;
        statement.clear();
    }
    read_statement(&statement, &mut source).map_err(|cause| (Some(first), cause))?;
    Ok(source)
}

fn read_statement(statement: &str, source: &mut Source) -> Result<(), String> {
    let mut words = statement.split_whitespace();
    match words.next() {
        Some("v") => source.positions.push(position(words)?),
        Some("f" | "fo") => {
            let face = words.map(|word| vertex(word, source.positions.len())).collect::<Result<Vec<u32>, _>>()?;
            if face.len() < 3 {
                return Err(format!("a face of {} vertices: three or more are wanted", face.len()));
            }
            source.faces.push(face);
        }
        Some("l") => {
            let line = words.map(|word| vertex(word, source.positions.len())).collect::<Result<Vec<u32>, _>>()?;
            if line.len() < 2 {
                return Err("a line of one vertex: two or more are wanted".into());
            }
            source.lines.extend(line.windows(2).map(|pair| [pair[0], pair[1]]));
        }
        _ => {}
    }
    Ok(())
}

/// Three numbers; a weight or a colour may follow.
fn position<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Vec3, String> {
    let mut coordinate = || {
        let word = words.next().ok_or("a vertex has three coordinates, and some are missing")?;
        let number: f32 = word.parse().map_err(|_| format!("`{word}` is no number"))?;
        if number.is_finite() { Ok(number) } else { Err(format!("`{word}` is no coordinate")) }
    };
    Ok(Vec3::new(coordinate()?, coordinate()?, coordinate()?))
}

/// The vertex of `7`, `7/1`, `7/1/2` or `7//2`, from 0. Negative numbers count back from the last vertex so far.
fn vertex(word: &str, count: usize) -> Result<u32, String> {
    let number = word.split('/').next().unwrap_or_default();
    let index: i64 = number.parse().map_err(|_| format!("`{word}` names no vertex"))?;
    let place = if index < 0 { index.saturating_add(count as i64) } else { index - 1 };
    match u32::try_from(place) {
        Ok(place) if (place as usize) < count => Ok(place),
        _ => Err(format!("vertex {index} is named, and there are {count} so far")),
    }
}
