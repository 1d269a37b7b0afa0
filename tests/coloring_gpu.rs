//! Colouring on the GPU, from end to end: valid by brute force, near the bound, the same in every run.

mod common;

use std::collections::HashSet;
use std::rc::Rc;

use tartan::coloring::gpu::{ColorKernels, Facts, GpuColoring, Schedule, Stage, Status, kernels};
use tartan::coloring::{
    Choice, Colored, ColoringOptions, Elements, Incidence, Invalid, Priority, UNCOLORED, Workset, first_fit,
    solve_order, validate,
};
use tartan::constraint::distance::{Springs, grid};
use tartan::gpu::{ReadPath, Shaders};
use tartan::scene::{NAMES, builtin};

use common::{Gpu, Random};

/// Panics unless no point sees a colour twice: written apart from the program's own validation.
fn assert_no_point_sees_a_colour_twice(incidence: &Incidence, colors: &[u32]) {
    let mut seen = HashSet::new();
    for (points, color) in incidence.primitives().zip(colors) {
        assert_ne!(*color, UNCOLORED);
        for point in points {
            assert!(seen.insert((*point, *color)), "colour {color} twice at point {point}");
        }
    }
}

fn color(gpu: &Gpu, kernels: &Rc<ColorKernels>, incidence: &Incidence, options: ColoringOptions) -> Colored {
    let mut run = GpuColoring::new(gpu, kernels, incidence.clone(), options).expect("it fits");
    run.run_to_end();
    let colored = run.colored();
    assert_no_point_sees_a_colour_twice(incidence, &colored.coloring.colors);
    assert_eq!(validate(incidence, &colored.coloring), Ok(()));
    colored
}

fn grid_edges(side: u32, springs: Springs) -> Incidence {
    let constraints = grid(side, side, 0.1, springs, 1.0);
    Incidence::new((side * side) as usize, constraints.iter().map(|constraint| constraint.particles))
}

/// The sides of a square of squares, each with one diagonal.
fn plane(side: u32) -> Incidence {
    let at = |x: u32, y: u32| y * side + x;
    let cells = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let edges: Vec<[u32; 2]> = cells
        .flat_map(|(x, y)| {
            let right = (x + 1 < side).then(|| [at(x, y), at(x + 1, y)]);
            let below = (y + 1 < side).then(|| [at(x, y), at(x, y + 1)]);
            let across = (x + 1 < side && y + 1 < side).then(|| [at(x, y), at(x + 1, y + 1)]);
            [right, below, across].into_iter().flatten()
        })
        .collect();
    Incidence::new((side * side) as usize, edges)
}

/// A hub with spokes to a closed rim.
fn fan(rim: u32) -> Incidence {
    let spokes = (1..=rim).map(|i| [0, i]);
    Incidence::new(rim as usize + 1, spokes.chain((1..=rim).map(|i| [i, i % rim + 1])))
}

/// A sphere of triangles with uneven valences: rings of different lengths, sewn together.
fn sphere() -> Incidence {
    let rings: Vec<u32> =
        (1..40).map(|i| 3 + (60.0 * (f64::from(i) / 40.0 * std::f64::consts::PI).sin()) as u32).collect();
    let mut first = 1;
    let mut edges: Vec<[u32; 2]> = (0..rings[0]).map(|i| [0, 1 + i]).collect();
    for (index, &count) in rings.iter().enumerate() {
        edges.extend((0..count).map(|i| [first + i, first + (i + 1) % count]));
        if let Some(&next) = rings.get(index + 1) {
            let (mut i, mut j) = (0, 0);
            while i < count || j < next {
                edges.push([first + i % count, first + count + j % next]);
                if u64::from(i + 1) * u64::from(next) <= u64::from(j + 1) * u64::from(count) { i += 1 } else { j += 1 }
            }
        }
        first += count;
    }
    edges.iter_mut().for_each(|edge| edge.sort_unstable());
    edges.sort_unstable();
    edges.dedup();
    Incidence::new(first as usize, edges)
}

/// What is asked of default settings: the bound where `exact`, else one more at most.
#[test]
fn edges_take_as_few_colours_as_the_bound_or_one_more() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    let structural = Springs::STRUCTURAL;
    let shear = Springs { shear: true, ..structural };
    for (name, incidence, bound, exact) in [
        ("64 structural", grid_edges(64, structural), 4, true),
        ("64 shear", grid_edges(64, shear), 8, false),
        ("64 all", grid_edges(64, Springs::ALL), 12, false),
        ("plane", plane(50), 6, true),
        ("pole", fan(44), 44, true),
        ("fan", fan(300), 300, true),
        ("sphere", sphere(), sphere().lower_bound(), true),
        ("128 shear", grid_edges(128, shear), 8, false),
    ] {
        assert_eq!(incidence.lower_bound(), bound, "{name}");
        for seed in 1..=3 {
            let options = ColoringOptions { seed, ..ColoringOptions::default() };
            let colors = color(&gpu, &kernels, &incidence, options).coloring.color_count;
            assert!(colors == bound || !exact && colors == bound + 1, "{name}, seed {seed}: {colors} of {bound}");
        }
    }
}

#[test]
fn a_large_grid_takes_few_rounds() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    let shear = Springs { shear: true, ..Springs::STRUCTURAL };
    let colored = color(&gpu, &kernels, &grid_edges(256, shear), ColoringOptions::default());
    assert!(colored.rounds <= 128, "{} rounds", colored.rounds);
    assert!(colored.coloring.color_count <= 9);
}

#[test]
fn balanced_grids_have_batches_of_one_size() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    for springs in [Springs::STRUCTURAL, Springs { shear: true, ..Springs::STRUCTURAL }, Springs::ALL] {
        for (choice, recolor) in [(Choice::Random, true), (Choice::Lowest, true), (Choice::Lowest, false)] {
            let options = ColoringOptions { balance: true, choice, recolor, ..ColoringOptions::default() };
            let sizes = color(&gpu, &kernels, &grid_edges(48, springs), options).coloring.sizes();
            let ratio = f64::from(*sizes.iter().max().unwrap()) / f64::from(*sizes.iter().min().unwrap());
            assert!(ratio <= 1.1, "{springs:?} {choice}: {ratio} by {sizes:?}");
        }
    }
}

/// Faces and hinges of a cloth.
fn of_scene(elements: Elements) -> Incidence {
    let model = builtin("curtain").expect("a scene").build();
    Incidence::new(model.positions.len(), elements.of(&model))
}

#[test]
fn recolouring_saves_colours_and_never_takes_more() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    let mut saved = 0;
    for elements in [Elements::Faces, Elements::Hinges, Elements::Points] {
        let incidence = of_scene(elements);
        for (priority, choice) in
            Priority::ALL.into_iter().flat_map(|priority| Choice::ALL.map(|choice| (priority, choice)))
        {
            let options = ColoringOptions { priority, choice, ..ColoringOptions::default() };
            let after = color(&gpu, &kernels, &incidence, options).coloring.color_count;
            let before = color(&gpu, &kernels, &incidence, ColoringOptions { recolor: false, ..options });
            let before = before.coloring.color_count;
            assert!(after <= before, "{elements} {priority} {choice}: {before} became {after}");
            saved += before - after;
        }
    }
    assert!(saved > 0, "somewhere it helps");
}

#[test]
fn everything_is_coloured_properly_by_every_option_and_the_same_each_time() {
    let gpu = Gpu::open();
    let both = [ReadPath::Storage, ReadPath::Texture]
        .map(|path| Rc::new(ColorKernels::new(&gpu, &Shaders::embedded(), path).expect("they compile")));
    let random = &mut Random(43);
    let mut lists: Vec<Vec<Vec<u32>>> = (0..6)
        .map(|size| {
            let points = 4 + 30 * size;
            (0..300).map(|_| (0..random.below(2 + size)).map(|_| random.below(points) as u32).collect()).collect()
        })
        .collect();
    // A primitive of more points than are coloured in parallel, and a hub of small ones.
    lists.push((0..40).map(|i| if i == 7 { (0..30).collect() } else { vec![i % 30, (i + 1) % 30] }).collect());
    lists.push((0..200).map(|i| vec![0, 1 + i, (7 * i) % 190 + 2]).collect());
    for list in lists {
        let points = list.iter().flatten().max().map_or(0, |point| point + 1) as usize;
        let incidence = Incidence::new(points, &list);
        for (priority, choice) in
            Priority::ALL.into_iter().flat_map(|priority| Choice::ALL.map(|choice| (priority, choice)))
        {
            for (max_valence, balance) in [(20, false), (0, false), (3, true)] {
                let options = ColoringOptions { priority, choice, max_valence, balance, ..ColoringOptions::default() };
                let [one, other] = [0, 1].map(|path| color(&gpu, &both[path], &incidence, options));
                assert_eq!(one, other, "{priority} {choice} on both read paths");
                assert_eq!(one, color(&gpu, &both[0], &incidence, options), "again");
            }
        }
    }
}

#[test]
fn large_primitives_go_first_in_the_order_of_their_size() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    // The larger of two that share a point has the lower colour, though it comes later.
    let list: Vec<Vec<u32>> = vec![(0..21).collect(), (20..45).collect(), vec![0, 44], vec![50, 51]];
    let colored = color(
        &gpu,
        &kernels,
        &Incidence::new(60, &list),
        ColoringOptions { recolor: false, ..ColoringOptions::default() },
    );
    assert_eq!(&colored.coloring.colors[..2], &[1, 0]);
    assert_eq!((colored.high_valence.count, colored.high_valence.max, colored.high_valence.threshold), (2, 25, 20));
    // All one after the other: the colours of first-fit, without a round.
    let grid = grid_edges(9, Springs::ALL);
    let serial = color(&gpu, &kernels, &grid, ColoringOptions { max_valence: 0, ..ColoringOptions::default() });
    assert_eq!((serial.coloring, serial.rounds), (first_fit(&grid), 0));
}

#[test]
fn a_colouring_that_is_given_up_is_not_solved() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    for incidence in [grid_edges(16, Springs::ALL), of_scene(Elements::Faces)] {
        let options = ColoringOptions { max_rounds: 2, ..ColoringOptions::default() };
        let mut run = GpuColoring::new(&gpu, &kernels, incidence.clone(), options).expect("it fits");
        run.run_to_end();
        assert_eq!(run.schedule().stage(), Stage::GaveUp);
        assert_eq!(run.schedule().round(), 3, "two rounds were run");
        let left = run.colors().iter().filter(|color| **color == UNCOLORED).count();
        assert!(left > 0 && run.left() as usize == left);
        assert!(!run.conflicts().is_empty() && run.conflicts().len() <= left);
        let coloring = run.colored().coloring;
        assert!(matches!(validate(&incidence, &coloring), Err(Invalid::Unfinished { count, .. }) if count == left));
    }
}

#[test]
fn what_the_gpu_sorted_is_what_the_solver_takes() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu, &Shaders::embedded()).expect("the kernels compile");
    for name in NAMES {
        let model = builtin(name).expect("a scene").build();
        let incidence = model.incidence();
        let mut run = GpuColoring::new(&gpu, &kernels, incidence.clone(), ColoringOptions::default()).expect("it fits");
        run.run_to_end();
        let coloring = run.colored().coloring;
        let worksets = run.worksets(&solve_order(&model.constraints));
        let sorted = Workset::sorted(&model.constraints, &incidence, &coloring, worksets);
        assert_eq!(sorted, Workset::new(&model.constraints, &incidence, &coloring), "{name}");
    }
}

/// This driver runs dispatches one after the other, so that no result shows a missing barrier: the text does.
#[test]
fn every_dispatch_of_colouring_is_followed_by_a_barrier() {
    let text = include_str!("../src/coloring/gpu/mod.rs");
    let all = text.matches(".dispatch(").count() + text.matches(".dispatch_indirect(").count();
    let mut seen = 0;
    for (name, last) in [("run(", ".dispatch("), ("recolor(", ".dispatch("), ("worksets_of(", ".dispatch(")] {
        let body = text.split("\n    fn ").find(|body| body.starts_with(name)).expect("the function is there");
        let body = &body[..body.find("\n    }\n").expect("it ends")];
        seen += body.matches(".dispatch(").count() + body.matches(".dispatch_indirect(").count();
        let barrier = body.rfind("self.barrier();").expect("it has a barrier");
        assert!(body.rfind(last) < Some(barrier) && body.rfind(".dispatch_indirect(") < Some(barrier), "{name}");
        assert!(!body.contains("return;") || name == "recolor(", "{name} does not leave before");
    }
    assert_eq!(seen, all, "nothing else dispatches");
    let bits = &text[text.find("const AFTER_KERNEL").expect("declared")..];
    let bits = &bits[..bits.find(';').expect("it ends")];
    for bit in ["SHADER_STORAGE_BARRIER_BIT", "TEXTURE_FETCH_BARRIER_BIT", "COMMAND_BARRIER_BIT"] {
        assert!(bits.contains(bit), "{bits}");
    }
}

#[test]
fn a_schedule_ends_whatever_is_left() {
    let facts = Facts { primitive_count: 1000, point_count: 500, entries: 2000, arity: 2, lower_bound: 4, edges: true };
    let seen = |facts: Facts, options: ColoringOptions, left: u32| {
        let mut schedule = Schedule::new(facts, options, false);
        let mut stages = vec![schedule.stage().name()];
        while !schedule.is_over() {
            assert!(schedule.next(u32::MAX).len() <= 64, "it is looked at from time to time");
            schedule.look(Status { left, steps: 0 });
            if stages.last() != Some(&schedule.stage().name()) {
                stages.push(schedule.stage().name());
            }
            assert!(schedule.round() <= options.max_rounds + 1);
        }
        (stages, schedule.round())
    };
    let options = ColoringOptions::default();
    assert_eq!(seen(facts, options, 0).0, ["speculating", "done"]);
    let (stages, round) = seen(facts, options, 5);
    assert_eq!(stages, ["speculating", "short paths", "long paths", "speculating", "given up"]);
    assert_eq!(round, options.max_rounds + 1);
    let general = Facts { edges: false, ..facts };
    assert_eq!(seen(general, ColoringOptions { max_rounds: 3, ..options }, 5), (vec!["speculating", "given up"], 4));
}
