//! Parameters of the simulation and of the view: plain values with units, defaults and ranges.

use std::fmt;
use std::str::FromStr;

use glam::Vec3;
use serde::Serialize;

/// How constraints are solved in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverKind {
    /// One batch after the other; a batch reads what the batches before it wrote.
    #[default]
    GaussSeidel,
    /// All constraints at once from the same positions; a particle moves by the mean of its corrections.
    Jacobi,
    /// The fullest batches one after the other, then all others at once: small batches cost a barrier each.
    Hybrid,
}

impl SolverKind {
    pub const ALL: [Self; 3] = [Self::GaussSeidel, Self::Jacobi, Self::Hybrid];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "gauss-seidel",
            Self::Jacobi => "jacobi",
            Self::Hybrid => "hybrid",
        }
    }

    /// The name in the window.
    pub fn title(self) -> &'static str {
        match self {
            Self::GaussSeidel => "Gauss-Seidel",
            Self::Jacobi => "Jacobi",
            Self::Hybrid => "Hybrid",
        }
    }

    /// Jacobi, or from there Gauss-Seidel.
    pub fn toggled(self) -> Self {
        match self {
            Self::GaussSeidel | Self::Hybrid => Self::Jacobi,
            Self::Jacobi => Self::GaussSeidel,
        }
    }
}

impl fmt::Display for SolverKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SolverKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("no solver `{text}`: it is gauss-seidel, jacobi or hybrid"))
    }
}

/// In which order an iteration takes the batches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BatchOrder {
    /// As they are numbered.
    #[default]
    Forward,
    /// Every second iteration backwards.
    Alternating,
    /// In each iteration another order, the same in every substep.
    Shuffled,
}

impl BatchOrder {
    pub const ALL: [Self; 3] = [Self::Forward, Self::Alternating, Self::Shuffled];

    pub fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Alternating => "alternating",
            Self::Shuffled => "shuffled",
        }
    }
}

impl FromStr for BatchOrder {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|order| order.name() == text);
        found.ok_or_else(|| format!("no order `{text}`: it is forward, alternating or shuffled"))
    }
}

/// How a substep is integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Integrator {
    /// From the last positions and velocities: robust, and it takes motion away.
    #[default]
    First,
    /// From the last two: motion lasts.
    Second,
}

impl Integrator {
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    pub fn name(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

impl FromStr for Integrator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|integrator| integrator.name() == text);
        found.ok_or_else(|| format!("no integrator `{text}`: it is first or second"))
    }
}

/// What the solver is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimParams {
    pub solver: SolverKind,
    /// Passes over all constraints in a substep.
    pub iterations: u32,
    /// Equal parts of a step.
    pub substeps: u32,
    /// Jacobi iterations after those of a substep: they spread over all batches what the last ones left to the others.
    pub smooth: u32,
    pub order: BatchOrder,
    pub integrator: Integrator,
    /// Batches that the hybrid solver takes one after the other, the fullest first.
    pub colored_batches: u32,
    /// Length of a step, s.
    pub dt: f32,
    /// Acceleration of free particles, m/s².
    pub gravity: Vec3,
    /// Rate at which velocities decay, 1/s.
    pub damping: f32,
    /// α of the distance constraints, m/N: the inverse of a spring's stiffness. At 0 they are stiff. Above, Gauss-Seidel alone
    /// solves them.
    pub compliance: f32,
    /// ω of the Jacobi solver: the factor on the mean correction.
    pub relaxation: f32,
}

impl Default for SimParams {
    fn default() -> Self {
        Self {
            solver: SolverKind::GaussSeidel,
            iterations: 10,
            substeps: 2,
            smooth: 0,
            order: BatchOrder::Forward,
            integrator: Integrator::First,
            colored_batches: 8,
            dt: 1.0 / 60.0,
            gravity: Vec3::new(0.0, -9.81, 0.0),
            damping: 0.5,
            compliance: 0.0,
            relaxation: 1.0,
        }
    }
}

/// Least and greatest value of each parameter; the panel's sliders and [`SimParams::validate`] share them.
pub mod range {
    use std::ops::RangeInclusive;

    pub const ITERATIONS: RangeInclusive<u32> = 1..=10_000;
    pub const SUBSTEPS: RangeInclusive<u32> = 1..=1_000;
    pub const SMOOTH: RangeInclusive<u32> = 0..=10_000;
    /// A tenth of a second is already far from what positions can follow; a microsecond leaves no motion in an `f32`.
    pub const DT: RangeInclusive<f32> = 1e-6..=0.1;
    pub const GRAVITY: RangeInclusive<f32> = -1000.0..=1000.0;
    pub const DAMPING: RangeInclusive<f32> = 0.0..=1000.0;
    /// A thread of a millionth of a newton a metre gives way to its own weight.
    pub const COMPLIANCE: RangeInclusive<f32> = 0.0..=1e6;
    /// Beyond 2 an over-relaxed Jacobi diverges.
    pub const RELAXATION: RangeInclusive<f32> = 0.01..=2.0;
}

impl SimParams {
    /// Whether constraints give way as their compliance says; the other ways of solving are stiff.
    pub fn keeps_compliance(&self) -> bool {
        self.solver == SolverKind::GaussSeidel && self.smooth == 0
    }

    /// Checks every value against [`range`]; the error names the option and the range.
    pub fn validate(&self) -> Result<(), String> {
        check("iterations", self.iterations, &range::ITERATIONS)?;
        check("substeps", self.substeps, &range::SUBSTEPS)?;
        check("smooth", self.smooth, &range::SMOOTH)?;
        check("dt", self.dt, &range::DT)?;
        for component in self.gravity.to_array() {
            check("gravity", component, &range::GRAVITY)?;
        }
        check("damping", self.damping, &range::DAMPING)?;
        check("compliance", self.compliance, &range::COMPLIANCE)?;
        if self.compliance > 0.0 && !self.keeps_compliance() {
            return Err(format!(
                "--compliance {} needs --solver gauss-seidel and --smooth 0: the other ways of solving are stiff",
                self.compliance
            ));
        }
        check("omega", self.relaxation, &range::RELAXATION)
    }
}

/// A sentence about an option whose value is outside `range`; NaN is outside every range.
pub(crate) fn check<T: PartialOrd + fmt::Display>(
    name: &str,
    value: T,
    range: &std::ops::RangeInclusive<T>,
) -> Result<(), String> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(format!("--{name} {value} is outside its range, {} to {}", range.start(), range.end()))
}

/// What colours the constraints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConstraintColoring {
    #[default]
    Batch,
    Strain,
    Group,
    Hidden,
}

impl ConstraintColoring {
    pub const ALL: [Self; 4] = [Self::Batch, Self::Strain, Self::Group, Self::Hidden];

    pub fn title(self) -> &'static str {
        match self {
            Self::Batch => "Batch",
            Self::Strain => "Strain",
            Self::Group => "Type",
            Self::Hidden => "None",
        }
    }
}

/// What the picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewOptions {
    pub constraint_coloring: ConstraintColoring,
    /// Draw this batch alone, the others faintly.
    pub isolated_batch: Option<usize>,
    pub show_cloth: bool,
    pub show_pins: bool,
    pub show_ground: bool,
    /// Widest ribbon, points.
    pub ribbon_width: f32,
    /// Pixels in a point: 2 on a display of high density.
    pub pixels_per_point: f32,
    /// Strain at either end of the strain colours.
    pub strain_range: f32,
    /// A particle to mark: under the cursor, or held by it.
    pub marked_particle: Option<u32>,
    /// The constraint under the cursor, by its place in solve order.
    pub marked_constraint: Option<u32>,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            constraint_coloring: ConstraintColoring::Batch,
            isolated_batch: None,
            show_cloth: true,
            show_pins: true,
            show_ground: true,
            ribbon_width: 3.0,
            pixels_per_point: 1.0,
            strain_range: 0.1,
            marked_particle: None,
            marked_constraint: None,
        }
    }
}
