//! Stanford PLY, as text or binary of either byte order.

use glam::Vec3;
use ply_rs_bw::parser::{ParseError, Parser, Reader};
use ply_rs_bw::ply::{ElementDef, Encoding, Property, PropertyAccess, PropertyAccessResult, PropertyType, ScalarType};

use super::source::{Cause, Source};

/// A vertex, a face or an edge: what cloth needs of their properties.
#[derive(Default)]
struct Record {
    position: [f64; 3],
    ends: [i64; 2],
    vertices: Vec<i64>,
}

impl PropertyAccess for Record {
    fn new() -> Self {
        Self::default()
    }

    fn set_property(&mut self, name: &str, property: Property) -> PropertyAccessResult {
        match name {
            "x" | "y" | "z" => self.position[usize::from(name.as_bytes()[0] - b'x')] = scalar(&property),
            "vertex1" | "vertex2" => self.ends[usize::from(name == "vertex2")] = scalar(&property) as i64,
            "vertex_indices" | "vertex_index" => self.vertices = list(&property),
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

fn scalar(property: &Property) -> f64 {
    match *property {
        Property::Char(value) => value.into(),
        Property::UChar(value) => value.into(),
        Property::Short(value) => value.into(),
        Property::UShort(value) => value.into(),
        Property::Int(value) => value.into(),
        Property::UInt(value) => value.into(),
        Property::Float(value) => value.into(),
        Property::Double(value) => value,
        _ => f64::NAN,
    }
}

fn list(property: &Property) -> Vec<i64> {
    fn all<T: Copy + Into<i64>>(values: &[T]) -> Vec<i64> {
        values.iter().map(|&value| value.into()).collect()
    }
    match property {
        Property::ListChar(values) => all(values),
        Property::ListUChar(values) => all(values),
        Property::ListShort(values) => all(values),
        Property::ListUShort(values) => all(values),
        Property::ListInt(values) => all(values),
        Property::ListUInt(values) => all(values),
        // No vertex has such a number.
        _ => vec![-1; 3],
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Source, Cause> {
    let parser = Parser::<Record>::new();
    let mut reader = Reader::new(bytes);
    let header = parser.read_header(&mut reader).map_err(cause)?;
    for (_, element) in &header.elements {
        fits(element, header.encoding, reader.get_ref().len())?;
    }
    let mut source = Source::default();
    for (name, element) in &header.elements {
        let records = parser.read_payload_for_element(&mut reader, element, &header).map_err(cause)?;
        match name.as_str() {
            "vertex" => {
                require(element, &["x", "y", "z"])?;
                let place = |record: &Record| Vec3::from_array(record.position.map(|coordinate| coordinate as f32));
                source.positions = records.iter().map(place).collect();
            }
            "face" => {
                if !["vertex_indices", "vertex_index"].iter().any(|name| element.properties.contains_key(*name)) {
                    return Err((None, "its faces have no vertex_indices".into()));
                }
                for (face, record) in records.iter().enumerate() {
                    let vertices = numbers(&record.vertices, "face", face)?;
                    if vertices.len() < 3 {
                        return Err((
                            None,
                            format!("face {} has {} vertices: three or more are wanted", face + 1, vertices.len()),
                        ));
                    }
                    source.faces.push(vertices);
                }
            }
            "edge" => {
                require(element, &["vertex1", "vertex2"])?;
                for (edge, record) in records.iter().enumerate() {
                    let ends = numbers(&record.ends, "edge", edge)?;
                    source.lines.push([ends[0], ends[1]]);
                }
            }
            "tristrips" => return Err((None, "its faces are triangle strips: export it with separate faces".into())),
            _ => {}
        }
    }
    Ok(source)
}

fn numbers(vertices: &[i64], what: &str, index: usize) -> Result<Vec<u32>, Cause> {
    let number = |&vertex: &i64| u32::try_from(vertex).map_err(|_| vertex);
    vertices
        .iter()
        .map(number)
        .collect::<Result<_, _>>()
        .map_err(|vertex| (None, format!("{what} {} names vertex {vertex}", index + 1)))
}

fn require(element: &ElementDef, names: &[&str]) -> Result<(), Cause> {
    match names.iter().find(|name| !element.properties.contains_key(**name)) {
        Some(missing) => Err((None, format!("its {} elements have no {missing}", element.name))),
        None => Ok(()),
    }
}

/// Whether as many bytes are left as so many elements take at least: a count in a header is only a claim.
fn fits(element: &ElementDef, encoding: Encoding, left: usize) -> Result<(), Cause> {
    let size = |kind: &ScalarType| match kind {
        ScalarType::Char | ScalarType::UChar => 1,
        ScalarType::Short | ScalarType::UShort => 2,
        ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
        ScalarType::Double => 8,
    };
    let least: usize = element
        .properties
        .iter()
        .map(|(_, property)| match (&property.data_type, encoding) {
            // A digit and a blank or the end of the line.
            (_, Encoding::Ascii) => 2,
            (PropertyType::Scalar(kind), _) => size(kind),
            (PropertyType::List(length, _), _) => size(length),
        })
        .sum();
    // The last line of a text may have no end.
    if element.count > 0 && (least == 0 || element.count.saturating_mul(least) > left.saturating_add(1)) {
        return Err((
            None,
            format!("its header promises {} {} elements, and the file is too short", element.count, element.name),
        ));
    }
    Ok(())
}

fn cause(error: ParseError) -> Cause {
    let line = error.line();
    let text = error.to_string();
    // The first line says what, the one below it quotes the file.
    let mut lines = text.lines();
    let (what, quote) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let quote = quote.trim().strip_prefix("String: ").unwrap_or_default();
    let what = what.split_once(": ").filter(|_| line.is_some()).map_or(what, |(_, what)| what).trim_end_matches('.');
    let quote: String = quote.trim().chars().filter(|letter| !letter.is_control()).take(40).collect();
    (line, if quote.is_empty() { what.into() } else { format!("{what}: {quote}") })
}
