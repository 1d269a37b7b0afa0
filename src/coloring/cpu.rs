//! The algorithms that run in sequence, behind one call.

use super::{
    Algorithm, Colored, Coloring, ColoringOptions, GridShape, Incidence, balance, dsatur, first_fit, grid,
    jones_plassmann, largest_first, misra_gries, smallest_last,
};

/// Steps that an algorithm may take which looks at every pair of primitives at a point: some ten seconds.
const STEPS: u64 = 1 << 32;

/// Words of a table with an entry for each point and colour: 1 GiB.
const TABLE: u64 = 1 << 28;

/// Why an algorithm cannot colour this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CpuColoringError {
    #[error("gebremedhin-manne runs on the GPU")]
    OnGpu,
    #[error("misra-gries colours edges, and primitive {primitive} has {points} points: choose another --algorithm")]
    NotEdges { primitive: u32, points: usize },
    #[error("the colouring of a grid is for the edges of a grid scene: choose another --algorithm")]
    NoGrid,
    #[error(
        "{algorithm} would take more than ten seconds, since a point has {valence} primitives that all conflict: choose \
         first-fit or largest-first"
    )]
    TooMuch { algorithm: Algorithm, valence: u32 },
}

/// Colours by the algorithm that the options name, and evens the classes out where they say so. `grid` is what the primitives
/// are the edges of, if they are.
pub fn color_on_cpu(
    incidence: &Incidence,
    options: &ColoringOptions,
    grid: Option<GridShape>,
) -> Result<Colored, CpuColoringError> {
    let algorithm = options.algorithm;
    let valence = incidence.lower_bound();
    let too_much = CpuColoringError::TooMuch { algorithm, valence };
    let pairs = || incidence.valences().map(|valence| u64::from(valence).pow(2)).sum::<u64>();
    let mut rounds = 0;
    let mut coloring = match algorithm {
        Algorithm::GebremedhinManne => return Err(CpuColoringError::OnGpu),
        Algorithm::FirstFit => first_fit(incidence),
        Algorithm::LargestFirst => largest_first(incidence),
        Algorithm::SmallestLast | Algorithm::Dsatur if pairs() > STEPS => return Err(too_much),
        Algorithm::SmallestLast => smallest_last(incidence),
        Algorithm::Dsatur => dsatur(incidence),
        Algorithm::JonesPlassmann => {
            let coloring: Coloring;
            (coloring, rounds) = jones_plassmann(incidence, options.priority, options.seed);
            coloring
        }
        Algorithm::MisraGries => {
            let not_edges = (0..).zip(incidence.primitives()).find(|(_, points)| points.len() > 2);
            if let Some((primitive, points)) = not_edges {
                return Err(CpuColoringError::NotEdges { primitive, points: points.len() });
            }
            if incidence.point_count() as u64 * (u64::from(valence) + 1) > TABLE {
                return Err(too_much);
            }
            misra_gries(incidence)
        }
        Algorithm::Grid => {
            let shape = grid.ok_or(CpuColoringError::NoGrid)?;
            grid::color_grid(&shape)
                .filter(|coloring| coloring.colors.len() == incidence.primitive_count())
                .ok_or(CpuColoringError::NoGrid)?
        }
    };
    if options.balance {
        balance(incidence, &mut coloring);
    }
    Ok(Colored::new(incidence, options, coloring, rounds))
}
