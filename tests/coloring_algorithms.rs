//! The colouring algorithms that run in sequence, against oracles written apart from them.

mod common;

use std::collections::{BTreeSet, HashSet};

use common::Random;
use proptest::prelude::*;
use tartan::coloring::{
    Algorithm, ColoringOptions, CpuColoringError, GridShape, Incidence, Priority, UNCOLORED, color_on_cpu, dsatur,
    first_fit, jones_plassmann, misra_gries, smallest_last, validate,
};
use tartan::constraint::distance::{Springs, grid};

/// Those that colour anything.
const GENERAL: [Algorithm; 5] = [
    Algorithm::FirstFit,
    Algorithm::LargestFirst,
    Algorithm::SmallestLast,
    Algorithm::Dsatur,
    Algorithm::JonesPlassmann,
];

fn options(algorithm: Algorithm) -> ColoringOptions {
    ColoringOptions { algorithm, ..ColoringOptions::default() }
}

/// Panics unless each primitive has a colour below the count and no point sees one twice.
fn assert_proper(what: &str, incidence: &Incidence, colors: &[u32], count: u32) {
    let mut seen = HashSet::new();
    assert_eq!(colors.len(), incidence.primitive_count(), "{what}");
    for (primitive, (points, color)) in incidence.primitives().zip(colors).enumerate() {
        assert!(*color < count, "{what}: primitive {primitive} has colour {color} of {count}");
        for point in points {
            assert!(seen.insert((*point, *color)), "{what}: colour {color} twice at point {point}");
        }
    }
}

fn grid_of(columns: u32, rows: u32, springs: Springs) -> Incidence {
    let edges = grid(columns, rows, 0.1, springs, 1.0);
    Incidence::new((columns * rows) as usize, edges.iter().map(|edge| edge.particles))
}

fn every_springs() -> impl Iterator<Item = Springs> {
    (1..8).map(|bits| Springs { structural: bits & 1 > 0, shear: bits & 2 > 0, skip: bits & 4 > 0 })
}

/// A hub with `rim` spokes, its rim closed where `closed`.
fn fan(rim: u32, closed: bool) -> Incidence {
    let spokes = (1..=rim).map(|i| [0, i]);
    let edges =
        if closed { spokes.chain((1..=rim).map(|i| [i, i % rim + 1])).collect() } else { spokes.collect::<Vec<_>>() };
    Incidence::new(rim as usize + 1, edges)
}

/// The neighbours of each primitive, by comparing all with all.
fn conflicts(incidence: &Incidence) -> Vec<BTreeSet<usize>> {
    let sets: Vec<BTreeSet<u32>> = incidence.primitives().map(|points| points.iter().copied().collect()).collect();
    (0..sets.len()).map(|a| (0..sets.len()).filter(|&b| a != b && !sets[a].is_disjoint(&sets[b])).collect()).collect()
}

fn random_incidence(random: &mut Random, points: usize, primitives: usize, arity: usize) -> Incidence {
    let list: Vec<Vec<u32>> =
        (0..primitives).map(|_| (0..random.below(arity + 1)).map(|_| random.below(points) as u32).collect()).collect();
    Incidence::new(points, list)
}

/// A graph without parallel edges.
fn simple_graph(random: &mut Random, points: usize, edges: usize) -> Incidence {
    let mut seen = BTreeSet::new();
    for _ in 0..edges {
        let (a, b) = (random.below(points) as u32, random.below(points) as u32);
        if a != b {
            seen.insert([a.min(b), a.max(b)]);
        }
    }
    let mut edges: Vec<_> = seen.into_iter().collect();
    random.shuffle(&mut edges);
    Incidence::new(points, edges)
}

#[test]
fn every_algorithm_colours_everything_properly() {
    let random = &mut Random(7);
    let mut incidences = vec![
        Incidence::new(0, Vec::<[u32; 2]>::new()),
        Incidence::new(5, vec![[0, 1], [0, 1], [1, 0], [2, 2]]),
        Incidence::new(3, vec![vec![], vec![0], vec![0, 1, 2], vec![], vec![1]]),
        fan(300, true),
        fan(44, false),
    ];
    incidences.extend(every_springs().map(|springs| grid_of(7, 5, springs)));
    incidences.extend((1..30).map(|size| random_incidence(random, 3 + size, 3 * size, size % 7)));
    for (number, incidence) in incidences.iter().enumerate() {
        for algorithm in GENERAL {
            for balance in [false, true] {
                for priority in Priority::ALL {
                    let options = ColoringOptions { balance, priority, ..options(algorithm) };
                    let colored = color_on_cpu(incidence, &options, None).expect("it is small");
                    let what = format!("{algorithm} on number {number}, balance {balance}");
                    let coloring = &colored.coloring;
                    assert_proper(&what, incidence, &coloring.colors, coloring.color_count);
                    assert_eq!(validate(incidence, coloring), Ok(()), "{what}");
                    assert!(coloring.color_count >= incidence.lower_bound(), "{what}");
                }
            }
        }
    }
}

#[test]
fn a_grid_takes_two_colours_a_direction() {
    for (columns, rows) in [(1, 1), (1, 2), (2, 2), (3, 3), (4, 5), (5, 4), (1, 9), (9, 1), (16, 17), (64, 64)] {
        for springs in every_springs() {
            let incidence = grid_of(columns, rows, springs);
            let shape = GridShape { columns, rows, springs };
            let result = color_on_cpu(&incidence, &options(Algorithm::Grid), Some(shape));
            if incidence.primitive_count() == 0 {
                assert_eq!(result, Err(CpuColoringError::NoGrid));
                continue;
            }
            let coloring = result.expect("a grid").coloring;
            let what = format!("{columns} × {rows} {springs:?}");
            assert_proper(&what, &incidence, &coloring.colors, coloring.color_count);
            assert!(coloring.sizes().iter().all(|&size| size > 0), "{what}: no class is empty");
            let directions =
                2 * u32::from(springs.structural) + 2 * u32::from(springs.shear) + 2 * u32::from(springs.skip);
            assert!(coloring.color_count <= 2 * directions, "{what}");
            if columns > 4 && rows > 4 {
                assert_eq!(coloring.color_count, incidence.lower_bound(), "{what}");
            }
        }
    }
}

#[test]
fn the_grids_colouring_is_for_grids_only() {
    let options = options(Algorithm::Grid);
    assert_eq!(color_on_cpu(&fan(5, true), &options, None), Err(CpuColoringError::NoGrid));
    let shape = GridShape { columns: 3, rows: 3, springs: Springs::ALL };
    assert_eq!(color_on_cpu(&fan(5, true), &options, Some(shape)), Err(CpuColoringError::NoGrid));
}

#[test]
fn misra_gries_takes_one_colour_more_than_the_bound_at_most() {
    let random = &mut Random(11);
    for size in 2..60 {
        let incidence = simple_graph(random, size, size * (1 + size % 9));
        let coloring = misra_gries(&incidence);
        assert_proper("a simple graph", &incidence, &coloring.colors, coloring.color_count);
        assert!(coloring.color_count <= incidence.lower_bound() + 1, "{size}");
    }
    // Complete graphs of an odd number of points need that colour more.
    for points in [3, 5, 7, 9] {
        let edges: Vec<[u32; 2]> = (0..points).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
        let coloring = misra_gries(&Incidence::new(points as usize, edges));
        assert_eq!(coloring.color_count, points, "the complete graph of {points} points");
    }
    for (side, springs) in [(64, Springs::STRUCTURAL), (64, Springs::ALL)] {
        let incidence = grid_of(side, side, springs);
        let coloring = misra_gries(&incidence);
        assert_proper("a grid", &incidence, &coloring.colors, coloring.color_count);
        assert!(coloring.color_count <= incidence.lower_bound() + 1);
    }
    let faces = Incidence::new(3, [[0, 1, 2]]);
    let error = color_on_cpu(&faces, &options(Algorithm::MisraGries), None).expect_err("a face is no edge");
    assert_eq!(error, CpuColoringError::NotEdges { primitive: 0, points: 3 });
}

#[test]
fn misra_gries_colours_parallel_edges_too() {
    let random = &mut Random(5);
    for size in 2..20 {
        let edges: Vec<Vec<u32>> =
            (0..4 * size).map(|_| (0..1 + random.below(2)).map(|_| random.below(size) as u32).collect()).collect();
        let incidence = Incidence::new(size, edges);
        let coloring = misra_gries(&incidence);
        assert_proper("a multigraph", &incidence, &coloring.colors, coloring.color_count);
    }
}

/// The degeneracy: the most, over all steps, that what has the fewest neighbours left still has.
fn degeneracy(mut neighbors: Vec<BTreeSet<usize>>) -> usize {
    let mut left: BTreeSet<usize> = (0..neighbors.len()).collect();
    let mut most = 0;
    while let Some(&least) = left.iter().min_by_key(|&&one| neighbors[one].len()) {
        most = most.max(neighbors[least].len());
        left.remove(&least);
        for other in std::mem::take(&mut neighbors[least]) {
            neighbors[other].remove(&least);
        }
    }
    most
}

#[test]
fn smallest_last_stays_within_the_degeneracy() {
    let random = &mut Random(3);
    for size in 2..40 {
        // Two edges of a simple graph share one point at most, so that degrees are numbers of neighbours.
        let incidence = simple_graph(random, size, 2 * size);
        let coloring = smallest_last(&incidence);
        let most = degeneracy(conflicts(&incidence)) as u32 + 1;
        assert!(coloring.color_count <= most, "{size}: {} colours, {most} allowed", coloring.color_count);
    }
}

#[test]
fn dsatur_takes_two_colours_where_two_do() {
    let random = &mut Random(17);
    // Paths and even rings of edges, in random order: their conflicts are paths and even rings too.
    for length in 1..40 {
        for ring in [false, true] {
            if ring && length % 2 == 1 {
                continue;
            }
            let points = if ring { length } else { length + 1 };
            let mut edges: Vec<[u32; 2]> = (0..length).map(|i| [i, (i + 1) % points]).collect();
            random.shuffle(&mut edges);
            let incidence = Incidence::new(points as usize, edges);
            let coloring = dsatur(&incidence);
            assert_proper("a ring or path", &incidence, &coloring.colors, coloring.color_count);
            assert!(coloring.color_count <= 2, "length {length}, ring {ring}");
        }
    }
}

/// First-fit by looking at all neighbours.
fn greedy(neighbors: &[BTreeSet<usize>], order: impl IntoIterator<Item = usize>) -> Vec<u32> {
    let mut colors = vec![UNCOLORED; neighbors.len()];
    for one in order {
        let seen: BTreeSet<u32> = neighbors[one].iter().map(|&other| colors[other]).collect();
        colors[one] = (0..).find(|color| !seen.contains(color)).expect("there are more colours than neighbours");
    }
    colors
}

#[test]
fn first_fit_and_jones_plassmann_are_greedy_in_their_orders() {
    let random = &mut Random(23);
    for size in 1..30 {
        let incidence = random_incidence(random, size + 2, 3 * size, 5);
        let neighbors = conflicts(&incidence);
        let in_order = greedy(&neighbors, 0..neighbors.len());
        assert_eq!(first_fit(&incidence).colors, in_order);
        let (by_index, _) = jones_plassmann(&incidence, Priority::Index, size as u32);
        assert_eq!(by_index.colors, in_order);
    }
}

#[test]
fn largest_first_starts_with_the_most_neighbours() {
    // A star whose hub edge is last in the list: its middle edges have the most neighbours and get the lowest colours.
    let incidence = Incidence::new(8, [[4, 5], [5, 6], [6, 7], [0, 1], [0, 2], [0, 3], [0, 4]]);
    let colored = color_on_cpu(&incidence, &options(Algorithm::LargestFirst), None).expect("small");
    assert_eq!(colored.coloring.colors[6], 0, "the edge from the hub to the path has four neighbours");
}

#[test]
fn jones_plassmann_takes_rounds_and_hangs_on_its_seed() {
    let incidence = grid_of(32, 32, Springs::ALL);
    let of = |seed| jones_plassmann(&incidence, Priority::Hash, seed);
    assert_eq!(of(1), of(1));
    assert_ne!(of(1).0, of(2).0);
    let (_, rounds) = of(1);
    assert!((10..100).contains(&rounds), "{rounds} rounds");
    // A path in the order of its edges: one a round.
    let path = Incidence::new(21, (0..20).map(|i| [i, i + 1]));
    assert_eq!(jones_plassmann(&path, Priority::Index, 0).1, 20);
}

#[test]
fn sequential_colours_of_known_grids() {
    let shear = Springs { shear: true, ..Springs::STRUCTURAL };
    assert_eq!(first_fit(&grid_of(256, 256, shear)).color_count, 8);
    for algorithm in GENERAL {
        let colored = color_on_cpu(&fan(300, true), &options(algorithm), None).expect("small");
        assert!(colored.coloring.color_count <= 302, "{algorithm}");
        assert_eq!((colored.hubs.count, colored.hubs.max), (1, 300), "{algorithm}");
    }
}

#[test]
fn balance_evens_classes_out() {
    for springs in [Springs::STRUCTURAL, Springs::ALL] {
        for algorithm in GENERAL {
            let incidence = grid_of(48, 48, springs);
            let plain = color_on_cpu(&incidence, &options(algorithm), None).expect("small").coloring;
            let options = ColoringOptions { balance: true, ..options(algorithm) };
            let even = color_on_cpu(&incidence, &options, None).expect("small").coloring;
            assert_eq!(even.color_count, plain.color_count, "{algorithm}");
            let spread = |sizes: Vec<u32>| sizes.iter().max().unwrap() - sizes.iter().min().unwrap();
            assert!(spread(even.sizes()) <= spread(plain.sizes()), "{algorithm}: {:?}", even.sizes());
        }
    }
    // One free edge for each of the others: the classes can be made equal.
    let incidence = Incidence::new(40, (0..20).map(|i| [2 * i, 2 * i + 1]).chain([[0, 2]]));
    let options = ColoringOptions { balance: true, ..options(Algorithm::FirstFit) };
    let sizes = color_on_cpu(&incidence, &options, None).expect("small").coloring.sizes();
    assert_eq!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap(), 1, "{sizes:?}");
}

#[test]
fn a_hub_of_a_hundred_thousand_is_coloured_or_refused() {
    let incidence = fan(100_000, false);
    for algorithm in [Algorithm::FirstFit, Algorithm::LargestFirst, Algorithm::JonesPlassmann] {
        let coloring = color_on_cpu(&incidence, &options(algorithm), None).expect("in one pass").coloring;
        assert_eq!(coloring.color_count, 100_000, "{algorithm}");
    }
    for algorithm in [Algorithm::SmallestLast, Algorithm::Dsatur, Algorithm::MisraGries] {
        let error = color_on_cpu(&incidence, &options(algorithm), None).expect_err("it takes too long");
        assert_eq!(error, CpuColoringError::TooMuch { algorithm, valence: 100_000 });
    }
}

proptest! {
    #[test]
    fn anything_is_coloured_properly(
        points in 1usize..20,
        lists in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..7), 0..60),
        seed in any::<u32>(),
        which in 0usize..5,
        balance in any::<bool>(),
    ) {
        let primitives: Vec<Vec<u32>> =
            lists.iter().map(|list| list.iter().map(|index| index.index(points) as u32).collect()).collect();
        let incidence = Incidence::new(points, primitives);
        let options = ColoringOptions { seed, balance, ..options(GENERAL[which]) };
        let coloring = color_on_cpu(&incidence, &options, None).expect("small").coloring;
        assert_proper("a random incidence", &incidence, &coloring.colors, coloring.color_count);
    }
}
