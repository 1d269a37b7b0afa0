//! What a colouring is worth: the JSON object of `tartan color --json`, and its summary as text.

use std::fmt;

use serde::Serialize;

use crate::coloring::{Colored, ColoringOptions, Crowd, Elements, Incidence, Worksets, validate};

#[derive(Clone, Debug, Serialize)]
pub struct ColorReport {
    pub source: String,
    pub elements: &'static str,
    pub algorithm: &'static str,
    pub priority: &'static str,
    pub seed: u32,
    pub points: usize,
    pub primitives: usize,
    pub colors: u32,
    /// The most primitives at one point.
    pub lower_bound: u32,
    pub rounds: u32,
    /// Whether each primitive has a colour.
    pub finished: bool,
    /// Whether, in addition, no two of one colour share a point.
    pub valid: bool,
    /// Primitives of each colour.
    pub sizes: Vec<u32>,
    /// The largest size over the smallest.
    pub balance: f64,
    /// Primitives of many points.
    pub high_valence: Crowd,
    /// Points with many primitives.
    pub hubs: Crowd,
    /// From incidence to worksets.
    pub time_ms: f64,
    pub worksets: Runs,
}

/// Where the primitives of each colour stand in solve order.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Runs {
    pub begin: Vec<u32>,
    pub length: Vec<u32>,
}

impl ColorReport {
    pub fn new(
        source: &str,
        elements: Elements,
        options: &ColoringOptions,
        incidence: &Incidence,
        colored: &Colored,
        finished: bool,
    ) -> Self {
        let sizes = colored.coloring.sizes();
        let smallest = sizes.iter().copied().min().unwrap_or(0);
        Self {
            source: source.into(),
            elements: elements.name(),
            algorithm: options.algorithm.name(),
            priority: options.priority.name(),
            seed: options.seed,
            points: incidence.point_count(),
            primitives: incidence.primitive_count(),
            colors: colored.coloring.color_count,
            lower_bound: incidence.lower_bound(),
            rounds: colored.rounds,
            finished,
            valid: validate(incidence, &colored.coloring).is_ok(),
            balance: f64::from(sizes.iter().copied().max().unwrap_or(0)) / f64::from(smallest.max(1)),
            sizes,
            high_valence: colored.high_valence,
            hubs: colored.hubs,
            time_ms: 0.0,
            worksets: Runs::default(),
        }
    }

    pub fn with_worksets(mut self, worksets: &Worksets, time_ms: f64) -> Self {
        self.worksets = Runs { begin: worksets.begin.clone(), length: worksets.length.clone() };
        self.time_ms = time_ms;
        self
    }
}

/// Characters of the longest bar, and batches that get one each.
const BAR: u32 = 40;
const BARS: usize = 32;

impl fmt::Display for ColorReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{}: {} {} at {} points", self.source, self.primitives, self.elements, self.points)?;
        let rounds = if self.rounds > 0 { format!(", {} rounds", self.rounds) } else { String::new() };
        writeln!(f, "{}{rounds}, {:.1} ms from incidence to worksets", self.algorithm, self.time_ms)?;
        writeln!(f, "{} colours; no colouring has fewer than {}", self.colors, self.lower_bound)?;
        let valid = match (self.finished, self.valid) {
            (true, true) => "valid: no two of one colour share a point",
            (true, false) => "NOT VALID: two of one colour share a point",
            (false, _) => "not finished",
        };
        writeln!(f, "{valid}; largest batch / smallest {:.3}", self.balance)?;
        let Crowd { threshold, count, max } = self.high_valence;
        if count > 0 {
            writeln!(f, "{count} {} of {threshold} points or more went first, the largest of {max}", self.elements)?;
        }
        let Crowd { threshold, count, max } = self.hubs;
        if count > 0 {
            writeln!(f, "{count} points with {threshold} {} or more, {max} at most", self.elements)?;
        }
        let largest = self.sizes.iter().copied().max().unwrap_or(1).max(1);
        for (color, size) in self.sizes.iter().enumerate().take(BARS) {
            let bar = "█".repeat((size * BAR).div_ceil(largest) as usize);
            writeln!(f, "{color:>6} {size:>9} {bar}")?;
        }
        if self.sizes.len() > BARS {
            writeln!(f, "{:>6} and {} more colours", "…", self.sizes.len() - BARS)?;
        }
        Ok(())
    }
}
