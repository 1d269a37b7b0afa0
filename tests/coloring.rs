//! Colouring and worksets, without OpenGL.

mod common;

use proptest::prelude::*;
use tartan::coloring::{Coloring, Conflict, Incidence, Invalid, UNCOLORED, Workset, first_fit, validate};
use tartan::constraint::distance::{Springs, grid};
use tartan::constraint::{DistanceConstraint, Group};

use common::Random;

/// Two constraints of one colour that share a particle, by looking at every pair of constraints.
fn conflict_by_brute_force(primitives: &[[u32; 2]], colors: &[u32]) -> Option<(usize, usize)> {
    for second in 0..primitives.len() {
        for first in 0..second {
            let share = primitives[first].iter().any(|particle| primitives[second].contains(particle));
            if share && colors[first] == colors[second] {
                return Some((first, second));
            }
        }
    }
    None
}

fn primitives(constraints: &[DistanceConstraint]) -> Vec<[u32; 2]> {
    constraints.iter().map(|constraint| constraint.particles).collect()
}

fn assert_sound(point_count: usize, primitives: &[[u32; 2]]) -> Coloring {
    let incidence = Incidence::new(point_count, primitives);
    let coloring = first_fit(&incidence);
    assert_eq!(coloring.colors.len(), primitives.len());
    assert_eq!(conflict_by_brute_force(primitives, &coloring.colors), None);
    assert_eq!(validate(&incidence, &coloring), Ok(()));
    let bound = incidence.lower_bound();
    assert!(coloring.color_count >= bound && coloring.color_count <= (2 * bound).saturating_sub(1));
    for color in 0..coloring.color_count {
        assert!(coloring.colors.contains(&color), "colour {color} of {} is used", coloring.color_count);
    }
    assert!(coloring.colors.iter().all(|&color| color < coloring.color_count));
    assert_eq!(first_fit(&incidence), coloring, "the same again");
    coloring
}

#[test]
fn nothing_has_no_colour_and_a_constraint_has_one() {
    assert_eq!(assert_sound(0, &[]).color_count, 0);
    assert_eq!(assert_sound(3, &[]).color_count, 0);
    assert_eq!(assert_sound(2, &[[1, 0]]).color_count, 1);
}

#[test]
fn a_hub_takes_a_colour_for_each_constraint() {
    let hub: Vec<[u32; 2]> = (1..=300).map(|spoke| if spoke % 2 == 0 { [0, spoke] } else { [spoke, 0] }).collect();
    assert_eq!(assert_sound(301, &hub).colors, (0..300).collect::<Vec<u32>>());
    // A rim closes every word's boundary from the other side as well.
    let rim = (1..=300).map(|spoke| [spoke, spoke % 300 + 1]);
    assert_eq!(assert_sound(301, &hub.iter().copied().chain(rim).collect::<Vec<_>>()).color_count, 300);
}

/// The most constraints at one particle is as few as there can be: 4, 8 and 12 once a grid has a particle whose
/// neighbours are all there, which for skip-one springs takes five a side.
#[test]
fn grids_take_as_few_colours_as_they_can() {
    let structural = Springs::STRUCTURAL;
    let shear = Springs { shear: true, ..structural };
    for (springs, full, full_from) in [(structural, 4, 3), (shear, 8, 3), (Springs::ALL, 12, 5)] {
        for side in (2..=64).chain([100, 255, 256]) {
            let primitives = primitives(&grid(side, side, 0.1, springs, 1.0));
            let particle_count = (side * side) as usize;
            let incidence = Incidence::new(particle_count, &primitives);
            let coloring = if side <= 12 { assert_sound(particle_count, &primitives) } else { first_fit(&incidence) };
            assert_eq!(validate(&incidence, &coloring), Ok(()));
            assert_eq!(coloring.color_count, incidence.lower_bound(), "a side of {side}");
            assert_eq!(coloring.color_count == full, side >= full_from, "a side of {side}");
        }
    }
}

/// Constraints between particles chosen at random; few particles make hubs.
fn random_graph() -> impl Strategy<Value = (usize, Vec<[u32; 2]>)> {
    (2usize..60).prop_flat_map(|particle_count| {
        let ends = (0..particle_count as u32, 1..particle_count as u32);
        let other = move |(a, step)| [a, (a + step) % particle_count as u32];
        (Just(particle_count), prop::collection::vec(ends.prop_map(other), 0..300))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn first_fit_is_sound_on_random_graphs((particle_count, primitives) in random_graph()) {
        assert_sound(particle_count, &primitives);
    }

    /// Of any colours at all, most of them wrong.
    #[test]
    fn validate_judges_as_brute_force_does((point_count, primitives) in random_graph(), seed: u64, color_count in 1u32..200) {
        let random = &mut Random(seed);
        let colors = primitives.iter().map(|_| random.below(color_count as usize) as u32).collect();
        let coloring = Coloring { colors, color_count };
        let found = validate(&Incidence::new(point_count, &primitives), &coloring);
        prop_assert_eq!(found.is_err(), conflict_by_brute_force(&primitives, &coloring.colors).is_some());
        if let Err(error) = found {
            let Invalid::Conflict(Conflict { first, second, color, point }) = error else { panic!("{error}") };
            prop_assert!(first < second);
            prop_assert!([first, second].iter().all(|&index| coloring.colors[index as usize] == color));
            prop_assert!([first, second].iter().all(|&index| primitives[index as usize].contains(&point)));
        }
    }

    #[test]
    fn a_workset_is_the_constraints_in_solve_order((particle_count, primitives) in random_graph(), seed: u64) {
        let random = &mut Random(seed);
        let constraints: Vec<DistanceConstraint> = (0u32..)
            .zip(&primitives)
            // The rest length tells constraints apart.
            .map(|(index, &particles)| DistanceConstraint {
                particles,
                rest_length: index as f32,
                group: Group::ALL[random.below(4)],
                side: false,
            })
            .collect();
        let incidence = Incidence::new(particle_count, &primitives);
        let coloring = first_fit(&incidence);
        let workset = Workset::new(&constraints, &incidence, &coloring).expect("it is valid");
        assert_in_solve_order(&constraints, &coloring, &workset);
    }
}

fn assert_in_solve_order(constraints: &[DistanceConstraint], coloring: &Coloring, workset: &Workset) {
    let mut places = workset.order.clone();
    places.sort_unstable();
    assert_eq!(places, (0..constraints.len() as u32).collect::<Vec<_>>(), "each constraint once");
    for (constraint, &place) in workset.constraints.iter().zip(&workset.order) {
        assert_eq!(*constraint, constraints[place as usize]);
    }

    let color_of = |place: u32| coloring.colors[workset.order[place as usize] as usize];
    assert_eq!(workset.batches.len(), coloring.color_count as usize);
    let mut next = 0;
    for (color, batch) in (0u32..).zip(&workset.batches) {
        assert_eq!(batch.offset, next, "batch {color} starts where the one before it ends");
        next += batch.count;
        assert!((batch.offset..next).all(|place| color_of(place) == color));
    }
    assert_eq!(next as usize, constraints.len());

    next = 0;
    for row in &workset.rows {
        assert!(row.offset == next && row.count > 0, "rows cut the batches without a gap: {row:?}");
        next += row.count;
        let places = row.offset..next;
        assert!(places.clone().all(|place| color_of(place) == row.color));
        let part = &workset.constraints[places.start as usize..places.end as usize];
        assert!(part.iter().all(|constraint| constraint.group == row.group));
        let lower: Vec<u32> =
            part.iter().map(|constraint| constraint.particles[0].min(constraint.particles[1])).collect();
        assert!(lower.is_sorted(), "memory is walked forwards: {lower:?}");
    }
    assert_eq!(next as usize, constraints.len());
    let keys: Vec<(u32, Group)> = workset.rows.iter().map(|row| (row.color, row.group)).collect();
    assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "one row for a colour and group: {keys:?}");
}

/// A grid's colouring with two constraints at a particle painted in one more colour.
fn with_a_conflict() -> (Vec<DistanceConstraint>, Incidence, Coloring, Conflict) {
    let constraints = grid(5, 5, 0.1, Springs::STRUCTURAL, 1.0);
    let incidence = Incidence::new(25, primitives(&constraints));
    let mut coloring = first_fit(&incidence);
    let at = |particles: [u32; 2]| constraints.iter().position(|c| c.particles == particles).expect("an edge");
    let (first, second) = (at([11, 12]), at([12, 17]));
    let color = coloring.color_count;
    (coloring.colors[first], coloring.colors[second], coloring.color_count) = (color, color, color + 1);
    let conflict = Conflict { first: first as u32, second: second as u32, color, point: 12 };
    (constraints, incidence, coloring, conflict)
}

#[test]
fn a_planted_conflict_is_named_and_refused() {
    let (constraints, incidence, coloring, conflict) = with_a_conflict();
    assert_eq!(validate(&incidence, &coloring), Err(conflict.into()));
    assert_eq!(Workset::new(&constraints, &incidence, &coloring), Err(conflict.into()));
    let Conflict { first, second, .. } = conflict;
    assert_eq!(conflict.to_string(), format!("primitives {first} and {second} both have colour 4 and share point 12"));
}

#[test]
fn what_is_no_whole_colouring_is_refused() {
    let (_, incidence, _, _) = with_a_conflict();
    let whole = first_fit(&incidence);
    let mut unfinished = whole.clone();
    (unfinished.colors[3], unfinished.colors[7]) = (UNCOLORED, UNCOLORED);
    let refusal = validate(&incidence, &unfinished).expect_err("two have no colour");
    assert_eq!(refusal, Invalid::Unfinished { first: 3, count: 2, primitives: 40 });
    assert_eq!(refusal.to_string(), "2 of 40 primitives have no colour, the first of them 3");
    let short = Coloring::of(whole.colors[1..].to_vec());
    assert_eq!(validate(&incidence, &short), Err(Invalid::Length { colors: 39, primitives: 40 }));
    let beyond = Coloring { color_count: 3, ..whole };
    assert!(matches!(validate(&incidence, &beyond), Err(Invalid::Range { color: 3, color_count: 3, .. })));
}

/// Faces, hinges and clusters, with points named twice and points left out, against lists made by looking.
#[test]
fn incidence_is_what_looking_finds() {
    let primitives: [&[u32]; 6] = [&[0, 1, 2], &[2, 1, 3, 4], &[5, 5], &[], &[0, 1, 2, 3, 4, 5, 6], &[7, 8]];
    for left_out in [None, Some(2)] {
        let incidence = Incidence::without(10, primitives, |point| Some(point) == left_out);
        assert_eq!((incidence.point_count(), incidence.primitive_count()), (10, 6));
        let mut most = 0;
        for point in 0..10 {
            let at: Vec<u32> = (0..6u32)
                .filter(|&index| primitives[index as usize].contains(&point) && Some(point) != left_out)
                .collect();
            assert_eq!(incidence.primitives_at(point), at);
            most = most.max(at.len());
        }
        assert_eq!(incidence.lower_bound() as usize, most);
        for index in 0..6u32 {
            let mut points = primitives[index as usize].to_vec();
            points.dedup();
            points.retain(|&point| Some(point) != left_out);
            assert_eq!(incidence.points_of(index), points);
            let neighbors: Vec<u32> = (0..6u32)
                .filter(|&other| {
                    other != index && primitives[other as usize].iter().any(|point| points.contains(point))
                })
                .collect();
            assert_eq!(incidence.neighbors(index), neighbors);
        }
    }
    assert_eq!(Incidence::new(3, [[0u32; 0]; 2]).lower_bound(), 1, "two primitives without points take one colour");
}
