//! What an algorithm is told, and what it says of its result: plain values with names, ranges and defaults.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::{Coloring, HUB_VALENCE, Incidence};

/// How primitives are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// On the GPU: speculate, resolve, then recolour towards the bound (Gebremedhin and Manne 2000).
    #[default]
    GebremedhinManne,
    FirstFit,
    LargestFirst,
    SmallestLast,
    Dsatur,
    JonesPlassmann,
    /// Edges only: at most one colour above the bound.
    MisraGries,
    /// Grid scenes only: the colours written down in closed form.
    Grid,
}

impl Algorithm {
    pub const ALL: [Self; 8] = [
        Self::GebremedhinManne,
        Self::FirstFit,
        Self::LargestFirst,
        Self::SmallestLast,
        Self::Dsatur,
        Self::JonesPlassmann,
        Self::MisraGries,
        Self::Grid,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::GebremedhinManne => "gebremedhin-manne",
            Self::FirstFit => "first-fit",
            Self::LargestFirst => "largest-first",
            Self::SmallestLast => "smallest-last",
            Self::Dsatur => "dsatur",
            Self::JonesPlassmann => "jones-plassmann",
            Self::MisraGries => "misra-gries",
            Self::Grid => "grid",
        }
    }

    /// The name in the window.
    pub fn title(self) -> &'static str {
        match self {
            Self::GebremedhinManne => "Gebremedhin–Manne (GPU)",
            Self::FirstFit => "First-fit",
            Self::LargestFirst => "Largest first",
            Self::SmallestLast => "Smallest last",
            Self::Dsatur => "DSATUR",
            Self::JonesPlassmann => "Jones–Plassmann",
            Self::MisraGries => "Misra–Gries",
            Self::Grid => "Grid",
        }
    }
}

/// Which of two primitives that speculate on one colour keeps it, when both have as many points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Priority {
    /// The lower index. On an ordered mesh a wave that crosses it, in as many rounds.
    Index,
    /// A random one, the same for the same seed.
    #[default]
    Hash,
    /// The one with more neighbours, then a random one.
    Degree,
}

impl Priority {
    pub const ALL: [Self; 3] = [Self::Index, Self::Hash, Self::Degree];

    pub fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::Hash => "hash",
            Self::Degree => "degree",
        }
    }
}

/// Which free colour a primitive speculates on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The lowest one.
    Lowest,
    /// A random one among as many colours as the lower bound; the lowest one above them when none is free.
    #[default]
    Random,
}

impl Choice {
    pub const ALL: [Self; 2] = [Self::Lowest, Self::Random];

    pub fn name(self) -> &'static str {
        match self {
            Self::Lowest => "lowest",
            Self::Random => "random",
        }
    }
}

macro_rules! named {
    ($($kind:ident: $what:literal),*) => {$(
        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $kind {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
                    let names = Self::ALL.map(Self::name).join(", ");
                    format!(concat!("no ", $what, " `{}`: it is one of {}"), text, names)
                })
            }
        }
    )*};
}

named!(Algorithm: "algorithm", Priority: "priority", Choice: "choice");

/// What the algorithms are told. Each takes of it what concerns it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColoringOptions {
    pub algorithm: Algorithm,
    pub priority: Priority,
    pub choice: Choice,
    /// Primitives of this many points or more are coloured first, one after the other, the largest first; 0: all are.
    pub max_valence: u32,
    /// Whether classes are recoloured towards the lower bound once the first colouring stands.
    pub recolor: bool,
    /// Whether primitives then move from large classes to small ones.
    pub balance: bool,
    /// Of all random choices.
    pub seed: u32,
    /// Rounds on the GPU before the colouring is given up as not finished.
    pub max_rounds: u32,
}

impl Default for ColoringOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::default(),
            priority: Priority::default(),
            choice: Choice::default(),
            max_valence: 20,
            recolor: true,
            balance: false,
            seed: 1,
            max_rounds: 4096,
        }
    }
}

/// A colouring and how it came about.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colored {
    pub coloring: Coloring,
    /// Rounds of the parallel algorithms; 0 for those in sequence.
    pub rounds: u32,
    /// Primitives of many points, which went first.
    pub high_valence: Crowd,
    /// Points with many primitives; the largest sets the lower bound.
    pub hubs: Crowd,
}

impl Colored {
    /// What an algorithm found, with what is special about its input.
    pub fn new(incidence: &Incidence, options: &ColoringOptions, coloring: Coloring, rounds: u32) -> Self {
        let threshold = options.max_valence;
        let high_valence = match incidence.arity() {
            // All or none.
            Some(max) => {
                let count = if max >= threshold { incidence.primitive_count() as u32 } else { 0 };
                Crowd { threshold, count, max }
            }
            None => Crowd::of(threshold, incidence.primitives().map(|points| points.len() as u32)),
        };
        Self { coloring, rounds, high_valence, hubs: Crowd::of(HUB_VALENCE, incidence.valences()) }
    }
}

/// A colouring that is in use, and how it came about.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ColoredStats {
    pub algorithm: Algorithm,
    /// 0 of an algorithm in sequence.
    pub rounds: u32,
    pub time: Duration,
}

/// What has at least `threshold` of something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Crowd {
    pub threshold: u32,
    /// How many there are.
    pub count: u32,
    /// The most that there is of it, whether above the threshold or below.
    pub max: u32,
}

impl Crowd {
    /// Counts `sizes` against a threshold.
    pub fn of(threshold: u32, sizes: impl IntoIterator<Item = u32>) -> Self {
        sizes.into_iter().fold(Self { threshold, ..Self::default() }, |crowd, size| Self {
            count: crowd.count + u32::from(size >= threshold),
            max: crowd.max.max(size),
            ..crowd
        })
    }
}
