//! Which particles of a mesh are pinned, as a rule.

use std::str::FromStr;

use glam::Vec3;

/// A rule: a particle is pinned where any of its terms holds.
#[derive(Clone, Debug, PartialEq)]
pub struct PinRule {
    terms: Vec<Vec<Condition>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Condition {
    /// The vertices of the file from one to another, counted from 1.
    Vertices(u32, u32),
    /// A coordinate is above (or below) a share of the bounding box.
    Above(usize, f32),
    Below(usize, f32),
}

/// Share of the box's height that counts as its top row, and so for the other sides.
const ROW: f32 = 0.01;

/// The names of sides: the axis, and whether it is the upper end.
const SIDES: [(&str, usize, bool); 6] = [
    ("left", 0, false),
    ("right", 0, true),
    ("bottom", 1, false),
    ("top", 1, true),
    ("back", 2, false),
    ("front", 2, true),
];

impl Default for PinRule {
    /// The top row.
    fn default() -> Self {
        Self { terms: vec![side(1, true)] }
    }
}

fn side(axis: usize, upper: bool) -> Vec<Condition> {
    vec![if upper { Condition::Above(axis, 1.0 - ROW) } else { Condition::Below(axis, ROW) }]
}

impl PinRule {
    /// Whether a particle is pinned that is made of the file's vertices `vertices`, counted from 0, at `place`, in shares of
    /// the bounding box.
    pub fn holds(&self, vertices: &[u32], place: Vec3) -> bool {
        let holds = |condition: &Condition| match *condition {
            Condition::Vertices(first, last) => vertices.iter().any(|vertex| (first..=last).contains(&(vertex + 1))),
            Condition::Above(axis, share) => place[axis] >= share,
            Condition::Below(axis, share) => place[axis] <= share,
        };
        self.terms.iter().any(|term| term.iter().all(holds))
    }
}

impl FromStr for PinRule {
    type Err = String;

    /// Terms with commas between, of which one has to hold: `none`, `top` and the other sides, `corners`, a vertex `12` or a
    /// range `12-40`, or a comparison as `y>0.9` with the bounding box from 0 to 1. `&` joins terms that have to hold at once.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut terms = Vec::new();
        for term in text.split(',').map(str::trim) {
            match term {
                "none" => {}
                "corners" => {
                    for [x, y] in [[false, false], [false, true], [true, false], [true, true]] {
                        terms.push([side(0, x), side(1, y)].concat());
                    }
                }
                _ => terms.push(term.split('&').map(|part| condition(part.trim())).collect::<Result<_, _>>()?),
            }
        }
        Ok(Self { terms })
    }
}

fn condition(text: &str) -> Result<Condition, String> {
    if let Some((_, axis, upper)) = SIDES.into_iter().find(|(name, ..)| *name == text) {
        return Ok(side(axis, upper)[0]);
    }
    let no = || {
        format!(
            "no pins `{text}`: a list is wanted of none, top, bottom, left, right, front, back, corners, vertices as 12 or 12-40, \
             or comparisons as y>0.9 with the bounding box from 0 to 1"
        )
    };
    if let Some(at) = text.find(['>', '<']) {
        let axis = ["x", "y", "z"].iter().position(|axis| *axis == text[..at].trim()).ok_or_else(no)?;
        let share: f32 = text[at + 1..].trim_start_matches('=').trim().parse().map_err(|_| no())?;
        if !share.is_finite() {
            return Err(no());
        }
        return Ok(if text.as_bytes()[at] == b'>' {
            Condition::Above(axis, share)
        } else {
            Condition::Below(axis, share)
        });
    }
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|&number| number > 0);
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (number(first), number(last)) {
        (Some(first), Some(last)) if first <= last => Ok(Condition::Vertices(first, last)),
        _ => Err(no()),
    }
}
