//! The unit of a file that does not say its unit.

use std::fmt;
use std::str::FromStr;

/// A unit of length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Metre,
    Centimetre,
    Millimetre,
    Inch,
    Foot,
}

impl Unit {
    pub const ALL: [Self; 5] = [Self::Metre, Self::Centimetre, Self::Millimetre, Self::Inch, Self::Foot];

    pub fn name(self) -> &'static str {
        match self {
            Self::Metre => "m",
            Self::Centimetre => "cm",
            Self::Millimetre => "mm",
            Self::Inch => "in",
            Self::Foot => "ft",
        }
    }

    pub fn metres(self) -> f64 {
        match self {
            Self::Metre => 1.0,
            Self::Centimetre => 0.01,
            Self::Millimetre => 0.001,
            Self::Inch => 0.0254,
            Self::Foot => 0.3048,
        }
    }
}

/// What a user says of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitChoice {
    /// The one that makes it as large as a cloth.
    #[default]
    Guess,
    Is(Unit),
}

impl FromStr for UnitChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Guess);
        }
        let unit = Unit::ALL.into_iter().find(|unit| unit.name() == text);
        unit.map(Self::Is).ok_or_else(|| format!("no unit `{text}`: it is one of auto, m, cm, mm, in, ft"))
    }
}

/// Metres of a file's unit, and how they were found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub metres: f64,
    found: Found,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    Told(Unit),
    Guessed(Unit),
    /// No unit fits.
    Fitted,
}

/// Diagonals of things of cloth, m: a handkerchief to a large tent.
const CLOTH: std::ops::RangeInclusive<f64> = 0.2..=8.0;

/// The diagonal, m, that a mesh gets for which no unit fits.
const FITTED: f64 = 2.0;

impl Scale {
    /// Of a mesh whose bounding box has this diagonal in the file's unit.
    pub fn of(choice: UnitChoice, diagonal: f64) -> Self {
        if let UnitChoice::Is(unit) = choice {
            return Self { metres: unit.metres(), found: Found::Told(unit) };
        }
        let fits = |unit: &Unit| CLOTH.contains(&(diagonal * unit.metres()));
        match [Unit::Metre, Unit::Centimetre, Unit::Millimetre].into_iter().find(fits) {
            Some(unit) => Self { metres: unit.metres(), found: Found::Guessed(unit) },
            None => Self { metres: FITTED / diagonal, found: Found::Fitted },
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.found {
            Found::Told(unit) => write!(f, "unit {}", unit.name()),
            Found::Guessed(unit) => write!(f, "unit taken to be {} (--unit says otherwise)", unit.name()),
            Found::Fitted => write!(f, "no unit makes it a cloth: scaled to {FITTED} m across (--unit says otherwise)"),
        }
    }
}
