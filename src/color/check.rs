//! Colourings from elsewhere: the file that `--coloring` writes and `--check` reads.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Result, anyhow};
use serde::{Deserialize, Serialize};

use crate::cli::UsageError;
use crate::coloring::{Coloring, Conflict, Incidence, Invalid, UNCOLORED, validate};
use crate::output::print;

/// A colouring with what it colours.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ColoringFile {
    /// What the primitives are; for people.
    #[serde(default)]
    pub elements: String,
    /// The points of each primitive, whatever numbers they have.
    pub points: Vec<Vec<u64>>,
    /// The primitives of each colour, by their places in `points`.
    pub colors: Vec<Vec<u64>>,
}

impl ColoringFile {
    pub fn new(elements: String, primitives: &[Vec<u32>], coloring: &Coloring) -> Self {
        let mut colors = vec![Vec::new(); coloring.color_count as usize];
        for (primitive, &color) in (0..).zip(&coloring.colors).filter(|(_, color)| **color != UNCOLORED) {
            colors[color as usize].push(primitive);
        }
        let points = primitives.iter().map(|points| points.iter().map(|&point| point.into()).collect());
        Self { elements, points: points.collect(), colors }
    }
}

/// Finds out whether the file holds a colouring: each primitive once, no two of one colour at a point. The error is a sentence.
pub fn check(file: &ColoringFile) -> Result<(), String> {
    let primitive_count = file.points.len();
    let mut colors = vec![UNCOLORED; primitive_count];
    for (color, primitives) in (0u32..).zip(&file.colors) {
        for &primitive in primitives {
            let place = usize::try_from(primitive).ok().and_then(|primitive| colors.get_mut(primitive));
            let place = place.ok_or_else(|| {
                format!("colour {color} names primitive {primitive}, and there are {primitive_count}, counted from 0")
            })?;
            if *place != UNCOLORED {
                return Err(format!("primitive {primitive} has colour {place} and colour {color}"));
            }
            *place = color;
        }
    }
    // Points may have any numbers: they are counted as they come.
    let mut numbers: HashMap<u64, u32> = HashMap::new();
    let mut names = Vec::new();
    let primitives: Vec<Vec<u32>> = file
        .points
        .iter()
        .map(|points| {
            let number = |&point: &u64| {
                *numbers.entry(point).or_insert_with(|| {
                    names.push(point);
                    names.len() as u32 - 1
                })
            };
            points.iter().map(number).collect()
        })
        .collect();
    let incidence = Incidence::new(names.len(), &primitives);
    let coloring = Coloring { colors, color_count: file.colors.len() as u32 };
    validate(&incidence, &coloring).map_err(|invalid| match invalid {
        Invalid::Conflict(Conflict { first, second, color, point }) => {
            let point = names[point as usize];
            format!("primitives {first} and {second} both have colour {color} and share point {point}")
        }
        invalid => invalid.to_string(),
    })
}

/// `tartan color --check`: of a scene, the file has to name the same points.
pub(super) fn run(path: &Path, scene: Option<&[Vec<u32>]>) -> Result<()> {
    let shown = path.display();
    let text =
        std::fs::read_to_string(path).map_err(|error| UsageError(format!("cannot read {shown}: {}", error.kind())))?;
    let file: ColoringFile = serde_json::from_str(&text).map_err(|error| UsageError(format!("{shown}: {error}")))?;
    let invalid = |reason: String| anyhow!("{shown} is not valid: {reason}");
    if let Some(scene) = scene {
        same(&file.points, scene).map_err(invalid)?;
    }
    check(&file).map_err(invalid)?;
    let largest = file.colors.iter().map(Vec::len).max().unwrap_or(0);
    print(format_args!(
        "{shown} is valid: {} primitives in {} colours, {largest} in the largest",
        file.points.len(),
        file.colors.len()
    ))?;
    Ok(())
}

/// Whether the primitives are those of the scene, in its order.
fn same(points: &[Vec<u64>], scene: &[Vec<u32>]) -> Result<(), String> {
    if points.len() != scene.len() {
        return Err(format!("it has {} primitives, and the scene {}", points.len(), scene.len()));
    }
    for (primitive, (points, wanted)) in points.iter().zip(scene).enumerate() {
        let (mut points, mut wanted): (Vec<u64>, Vec<u64>) =
            (points.clone(), wanted.iter().map(|&point| point.into()).collect());
        points.sort_unstable();
        wanted.sort_unstable();
        if points != wanted {
            return Err(format!("primitive {primitive} has the points {points:?}, and {wanted:?} in the scene"));
        }
    }
    Ok(())
}
