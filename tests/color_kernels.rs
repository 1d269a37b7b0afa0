//! Each kernel of colouring against its twin, on both read paths and to the bit; and whole runs of them, pass by pass.

mod common;
#[path = "twins/color.rs"]
mod twins;

use std::rc::Rc;

use glow::HasContext;
use tartan::coloring::gpu::schedule::params;
use tartan::coloring::gpu::state::{EMPTY_ROUND, ends};
use tartan::coloring::gpu::{
    COLOR_KERNELS, ColorKernel, ColorKernels, ColorPass, ColorState, EdgeTables, Facts, GpuColoring, IncidenceTables,
    Schedule, Stage, Status, point_order,
};
use tartan::coloring::{Choice, Coloring, ColoringOptions, Incidence, Priority, UNCOLORED, first_fit};
use tartan::constraint::distance::{Springs, grid};
use tartan::gpu::layout::{
    Batch, ClassCounter, ColorParams, Plan, Round, color_location, color_storage, color_texture, location,
};
use tartan::gpu::{Buffer, BufferTexture, Gl, ReadPath, Shaders};

use common::{Gpu, Random};
use twins::{Call, Colors};

/// Rounds that there is room for.
const ROUNDS: usize = 900;

fn kernels(gpu: &Gpu) -> Vec<Rc<ColorKernels>> {
    let compile = |read_path| Rc::new(ColorKernels::new(gpu, &Shaders::embedded(), read_path).expect("they compile"));
    [ReadPath::Storage, ReadPath::Texture].map(compile).into()
}

fn world(gpu: &Gpu, incidence: &Incidence, stride: u32) -> Colors {
    let facts = Facts::of(incidence, &gpu.limits);
    let (n, points) = (incidence.primitive_count(), incidence.point_count());
    let is_edges = incidence.max_arity() <= 2;
    let table = if is_edges { points * stride as usize } else { 0 };
    Colors {
        params: ColorParams { stride, ..params(&facts, 1) },
        incidence: incidence.clone(),
        ends: if is_edges { incidence.primitives().map(ends).collect() } else { Vec::new() },
        colors: vec![UNCOLORED; n],
        speculations: vec![UNCOLORED; n],
        lists: [vec![0; n], vec![0; n]],
        rounds: vec![EMPTY_ROUND; ROUNDS],
        plans: vec![Plan::default(); n],
        masks: vec![0; if is_edges { points * stride.div_ceil(32) as usize } else { 0 }],
        slots: vec![UNCOLORED; table],
        claims: vec![0; table],
        classes: Vec::new(),
        base_order: (0..n as u32).collect(),
        order: vec![0; n],
        counters: Vec::new(),
        batches: Vec::new(),
    }
}

/// Lists primitives for a round.
fn list(world: &mut Colors, round: u32, primitives: &[u32]) {
    world.lists[round as usize % 2][..primitives.len()].copy_from_slice(primitives);
    let count = primitives.len() as u32;
    world.rounds[round as usize] = Round { groups: count.div_ceil(256), count, ..EMPTY_ROUND };
}

fn uncolored(world: &Colors) -> Vec<u32> {
    let with = (0..).zip(&world.colors).zip(world.incidence.primitives());
    with.filter(|((_, color), points)| **color == UNCOLORED && !points.is_empty()).map(|((one, _), _)| one).collect()
}

/// Runs one pass on the GPU, from the state as it is.
fn run(gl: &Rc<Gl>, kernels: &ColorKernels, kernel: ColorKernel, before: &Colors, call: Call) -> Colors {
    let state = ColorState::new(gl, &before.colors, before.rounds.len());
    state.params.write(0, &[before.params]);
    state.lists.write(0, &[before.lists[0].clone(), before.lists[1].clone()].concat());
    state.rounds.write(0, &before.rounds);
    state.plans.write(0, &before.plans);
    state.bind();
    let tables = IncidenceTables::new(gl, &before.incidence);
    tables.speculations.write(0, &before.speculations);
    let edges = (!before.ends.is_empty()).then(|| EdgeTables::new(gl, &before.incidence, before.params.stride));
    let is_edge = kernel.name().starts_with("edge_");
    if let Some(edges) = &edges {
        edges.masks.write(0, &before.masks);
        edges.slots.write(0, &before.slots);
        edges.claims.write(0, &before.claims);
    }
    match &edges {
        Some(edges) if is_edge => edges.bind(),
        _ => tables.bind(),
    }
    let classes = Buffer::new(gl, "classes", &before.classes);
    let base_order = Buffer::new(gl, "base_order", &before.base_order);
    let base_texture = BufferTexture::new(gl, "base_order", glow::R32UI, &base_order);
    let order = Buffer::new(gl, "order", &before.order);
    let counters = Buffer::new(gl, "counters", &before.counters);
    let batches = Buffer::new(gl, "batches", &before.batches);
    let name = kernel.name();
    if name.contains("balance") {
        classes.bind_storage(color_storage::CLASSES);
    } else if name == "color_recolor" {
        order.bind_storage(color_storage::ORDER);
    } else if name.starts_with("workset") {
        base_order.bind_storage(color_storage::BASE_ORDER);
        base_texture.bind(color_texture::BASE_ORDER);
        order.bind_storage(color_storage::ORDER);
        counters.bind_storage(color_storage::COUNTERS);
        batches.bind_storage(color_storage::BATCHES);
    }
    let program = kernels.get(kernel);
    program.bind();
    match kernel {
        ColorKernel::Recolor => {
            program.set_u32(location::BATCH_OFFSET, call.batch.0);
            program.set_u32(location::BATCH_COUNT, call.batch.1);
            program.dispatch(call.batch.1);
        }
        ColorKernel::WorksetHistogram | ColorKernel::WorksetScan | ColorKernel::WorksetScatter => {
            program.set_u32(color_location::COLOR_COUNT, call.color_count);
            program.dispatch(if kernel == ColorKernel::WorksetScan { 1 } else { before.params.chunk_count });
        }
        _ => {
            program.set_u32(color_location::ROUND, call.round);
            if name.starts_with("edge_") && !name.contains("balance") && kernel != ColorKernel::EdgeEnter {
                program.set_u32(color_location::EPOCH, call.epoch);
            }
            match kernel {
                ColorKernel::BalancePlan => program.dispatch(1),
                ColorKernel::BalanceCount | ColorKernel::EdgeBalanceCount | ColorKernel::EdgeEnter => {
                    program.dispatch(before.params.primitive_count);
                }
                _ => program.dispatch_indirect(&state.rounds, call.round),
            }
        }
    }
    unsafe { gl.memory_barrier(glow::ALL_BARRIER_BITS) };
    let lists = state.lists.read();
    let (even, odd) = lists.split_at(before.colors.len());
    Colors {
        colors: state.colors.read(),
        speculations: tables.speculations.read(),
        lists: [even.to_vec(), odd.to_vec()],
        rounds: state.rounds.read(),
        plans: state.plans.read(),
        masks: edges.as_ref().map(|edges| edges.masks.read()).unwrap_or_default(),
        slots: edges.as_ref().map(|edges| edges.slots.read()).unwrap_or_default(),
        claims: edges.as_ref().map(|edges| edges.claims.read()).unwrap_or_default(),
        classes: classes.read(),
        order: order.read(),
        counters: counters.read(),
        batches: batches.read(),
        ..before.clone()
    }
}

/// Panics unless both are the same to the bit, lists as sets.
fn assert_same(what: &str, gpu: &Colors, twin: &Colors) {
    first_difference(what, "colors", &gpu.colors, &twin.colors);
    first_difference(what, "speculations", &gpu.speculations, &twin.speculations);
    first_difference(what, "rounds", &gpu.rounds, &twin.rounds);
    first_difference(what, "plans", &gpu.plans, &twin.plans);
    first_difference(what, "masks", &gpu.masks, &twin.masks);
    first_difference(what, "slots", &gpu.slots, &twin.slots);
    first_difference(what, "claims", &gpu.claims, &twin.claims);
    first_difference(what, "classes", &gpu.classes, &twin.classes);
    first_difference(what, "order", &gpu.order, &twin.order);
    first_difference(what, "counters", &gpu.counters, &twin.counters);
    first_difference(what, "batches", &gpu.batches, &twin.batches);
    for parity in 0..2 {
        // A list is as long as the longest of its rounds; beyond it there is what earlier ones left.
        let (mut one, mut other) = (gpu.lists[parity].clone(), twin.lists[parity].clone());
        one.sort_unstable();
        other.sort_unstable();
        first_difference(what, "a list", &one, &other);
    }
}

/// Panics at the first element that differs.
fn first_difference<T: PartialEq + std::fmt::Debug>(what: &str, buffer: &str, gpu: &[T], twin: &[T]) {
    assert_eq!(gpu.len(), twin.len(), "{what}: {buffer}");
    if let Some(at) = (0..gpu.len()).find(|&at| gpu[at] != twin[at]) {
        panic!("{what}: {buffer}[{at}] is {:?}, and the twin's {:?}", gpu[at], twin[at]);
    }
}

/// Runs a pass on both read paths and its twin; the state is then the twin's.
fn step(gpu: &Gpu, kernels: &[Rc<ColorKernels>], kernel: ColorKernel, world: &mut Colors, call: Call) {
    let before = world.clone();
    twins::twin(kernel.name())(world, call);
    for kernels in kernels {
        let after = run(gpu, kernels, kernel, &before, call);
        assert_same(&format!("{} by {:?}, {call:?}", kernel.name(), kernels.read_path), &after, world);
        // The order that the GPU appended in is as good as the twin's.
        if kernels.read_path == ReadPath::Texture {
            world.lists = after.lists;
        }
    }
}

fn random_incidence(random: &mut Random, points: usize, primitives: usize, arity: std::ops::Range<usize>) -> Incidence {
    let list: Vec<Vec<u32>> = (0..primitives)
        .map(|_| (0..arity.start + random.below(arity.len())).map(|_| random.below(points) as u32).collect())
        .collect();
    Incidence::new(points, list)
}

fn grid_edges(side: u32, springs: Springs) -> Incidence {
    let edges = grid(side, side, 0.1, springs, 1.0);
    Incidence::new((side * side) as usize, edges.iter().map(|edge| edge.particles))
}

fn hub(spokes: u32) -> Incidence {
    Incidence::new(spokes as usize + 1, (1..=spokes).map(|i| [0, i]))
}

/// Of any arity, around the sizes of a workgroup, with hubs, parallel ones and some without points.
fn general() -> Vec<Incidence> {
    let random = &mut Random(29);
    let mut all: Vec<Incidence> = [1, 255, 256, 257].iter().map(|&n| random_incidence(random, 400, n, 0..6)).collect();
    all.push(random_incidence(random, 300, 1500, 3..4));
    all.push(random_incidence(random, 2000, 3000, 4..5));
    all.push(random_incidence(random, 12, 200, 1..5));
    all.push(grid_edges(12, Springs::ALL));
    all.push(hub(200));
    all
}

/// Of two points at most.
fn edges() -> Vec<Incidence> {
    let random = &mut Random(31);
    let mut all: Vec<Incidence> = [1, 255, 256, 257].iter().map(|&n| random_incidence(random, 200, n, 0..3)).collect();
    all.push(random_incidence(random, 40, 600, 2..3));
    all.push(grid_edges(24, Springs::ALL));
    all.push(grid_edges(20, Springs::STRUCTURAL));
    all.push(hub(70));
    all.push(Incidence::new(3, [[0, 1], [0, 1], [1, 2], [2, 2]]));
    all
}

fn variants() -> impl Iterator<Item = (Priority, Choice, u32)> {
    Priority::ALL.into_iter().flat_map(|priority| Choice::ALL.map(|choice| (priority, choice, 7)))
}

#[test]
fn every_kernel_has_a_twin() {
    let mut names: Vec<&str> = COLOR_KERNELS.iter().map(|kernel| kernel.name()).collect();
    let mut twins: Vec<&str> = twins::TWINS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    twins.sort_unstable();
    assert_eq!(names, twins);
}

#[test]
fn color_assign_and_color_resolve_are_their_twins() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu);
    for incidence in general() {
        let bound = incidence.lower_bound();
        let few = incidence.primitive_count() < 300;
        for (priority, choice, seed) in variants() {
            let mut palettes = vec![bound];
            if few {
                palettes.extend([1, 63, 64, 65, 130]);
            }
            for palette in palettes {
                let mut world = world(&gpu, &incidence, 1);
                world.params =
                    ColorParams { palette, seed, priority: priority as u32, choice: choice as u32, ..world.params };
                let all = uncolored(&world);
                list(&mut world, 1, &all);
                for round in 1..=3 {
                    let call = Call { round, ..Call::default() };
                    step(&gpu, &kernels, ColorKernel::Assign, &mut world, call);
                    step(&gpu, &kernels, ColorKernel::Resolve, &mut world, call);
                }
                assert!(world.rounds[2].count < all.len() as u32, "somebody got a colour");
            }
        }
    }
}

#[test]
fn color_recolor_is_its_twin() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu);
    for incidence in general() {
        let coloring = first_fit(&incidence);
        let mut world = world(&gpu, &incidence, 1);
        world.params.palette = coloring.color_count;
        world.order.sort_by_key(|_| 0);
        let mut order: Vec<u32> = (0..coloring.colors.len() as u32).collect();
        order.sort_by_key(|&one| coloring.colors[one as usize]);
        world.order = order;
        let mut ends = vec![0];
        coloring.sizes().iter().for_each(|size| ends.push(ends[ends.len() - 1] + size));
        for class in (0..coloring.color_count as usize).rev().step_by(1 + coloring.color_count as usize / 8) {
            let call = Call { batch: (ends[class], ends[class + 1] - ends[class]), ..Call::default() };
            step(&gpu, &kernels, ColorKernel::Recolor, &mut world, call);
        }
    }
}

/// Class counters of the colours as they are.
fn count_classes(world: &mut Colors, palette: u32) {
    let coloring = Coloring { colors: world.colors.clone(), color_count: palette };
    let class = |&size: &u32| ClassCounter { size, ..ClassCounter::default() };
    // And one that is none.
    world.classes = coloring.sizes().iter().chain(&[99]).map(class).collect();
}

#[test]
fn balancing_kernels_are_their_twins() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu);
    let each = |incidence: &Incidence, of_edges: bool, max_path: u32| {
        let coloring = first_fit(incidence);
        let palette = coloring.color_count;
        let mut world = world(&gpu, incidence, palette);
        world.params = ColorParams { palette, seed: 3, max_path, ..world.params };
        world.colors = coloring.colors;
        count_classes(&mut world, palette);
        let (count, go) = if of_edges {
            step(&gpu, &kernels, ColorKernel::EdgeEnter, &mut world, Call::default());
            (ColorKernel::EdgeBalanceCount, ColorKernel::EdgeBalanceMove)
        } else {
            (ColorKernel::BalanceCount, ColorKernel::BalanceMove)
        };
        for pair in 0..palette.min(6) {
            let call = Call { round: 2 * pair + 1, ..Call::default() };
            step(&gpu, &kernels, ColorKernel::BalancePlan, &mut world, call);
            step(&gpu, &kernels, count, &mut world, call);
            step(&gpu, &kernels, go, &mut world, Call { round: call.round + 1, ..call });
        }
        world.classes.iter().map(|class| class.transfer + class.candidates).sum::<u32>()
    };
    let mut moved = 0;
    general().iter().for_each(|incidence| moved += each(incidence, false, 0));
    for max_path in [3, 40] {
        edges().iter().for_each(|incidence| moved += each(incidence, true, max_path));
    }
    assert!(moved > 0, "something could move");
}

#[test]
fn edge_kernels_are_their_twins() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu);
    for incidence in edges() {
        let bound = incidence.lower_bound();
        for (index, (priority, extra, seed)) in
            [(Priority::Hash, 0, 1), (Priority::Index, 0, 5), (Priority::Hash, 1, 9)].into_iter().enumerate()
        {
            // Strides and palettes around the words that colours are kept in.
            for stride in [bound + 1, 33, 65] {
                if stride < bound + 1 || (stride != bound + 1 && index != 0) {
                    continue;
                }
                let mut world = world(&gpu, &incidence, stride);
                let palette = if stride == bound + 1 { bound + extra } else { stride };
                world.params = ColorParams { palette, seed, priority: priority as u32, ..world.params };
                // Some have colours already, and some of those are none of the palette.
                let random = &mut Random(u64::from(seed));
                let colored = first_fit(&incidence).colors;
                for (color, first) in world.colors.iter_mut().zip(colored) {
                    *color = if random.below(3) == 0 { first } else { UNCOLORED };
                }
                let call = |round: u32| Call { round, epoch: round, ..Call::default() };
                step(&gpu, &kernels, ColorKernel::EdgeEnter, &mut world, call(0));
                for round in 1..=2 {
                    step(&gpu, &kernels, ColorKernel::EdgeAssign, &mut world, call(round));
                    step(&gpu, &kernels, ColorKernel::EdgeResolve, &mut world, call(round));
                }
                for round in 3..=16 {
                    (world.params.paired, world.params.max_path) = if round < 7 { (0, 8) } else { (1, 512) };
                    if round > 14 {
                        world.params.max_path = 2;
                    }
                    step(&gpu, &kernels, ColorKernel::EdgePlan, &mut world, call(round));
                    step(&gpu, &kernels, ColorKernel::EdgeApply, &mut world, call(round));
                }
            }
        }
    }
}

#[test]
fn marks_without_room_for_epochs_are_the_twins_too() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu);
    let incidence = grid_edges(9, Springs::ALL);
    for priority_bits in [31, 32] {
        let mut world = world(&gpu, &incidence, 13);
        world.params = ColorParams { priority_bits, priority: 1, palette: 12, ..world.params };
        let all = uncolored(&world);
        list(&mut world, 1, &all);
        let call = Call { round: 1, epoch: 1, ..Call::default() };
        step(&gpu, &kernels, ColorKernel::EdgeAssign, &mut world, call);
        step(&gpu, &kernels, ColorKernel::EdgeResolve, &mut world, call);
    }
}

#[test]
fn workset_kernels_are_their_twins() {
    let gpu = Gpu::open();
    let kernels = kernels(&gpu);
    for incidence in general() {
        let coloring = first_fit(&incidence);
        for chunk in [1, 7, 64, 5000] {
            let mut world = world(&gpu, &incidence, 1);
            let chunk_count = world.params.primitive_count.div_ceil(chunk);
            world.params = ColorParams { chunk, chunk_count, ..world.params };
            world.colors = coloring.colors.clone();
            Random(2).shuffle(&mut world.base_order);
            // Whatever was there before.
            world.counters = vec![77; (coloring.color_count * chunk_count) as usize + 3];
            world.batches = vec![Batch { begin: 7, length: 7 }; coloring.color_count as usize + 3];
            let call = Call { color_count: coloring.color_count, ..Call::default() };
            for kernel in [ColorKernel::WorksetHistogram, ColorKernel::WorksetScan, ColorKernel::WorksetScatter] {
                step(&gpu, &kernels, kernel, &mut world, call);
            }
            // By colour, and within one as they stood.
            let mut wanted = world.base_order.clone();
            wanted.sort_by_key(|&one| coloring.colors[one as usize]);
            assert_eq!(world.order, wanted);
        }
    }
}

/// Follows the schedule from end to end with GPU and twin side by side, and sees the same colours come out of the whole.
#[test]
fn whole_runs_are_their_twins_pass_by_pass() {
    let gpu = Gpu::open();
    let both = kernels(&gpu);
    let random = &mut Random(37);
    let incidences = [
        grid_edges(10, Springs::ALL),
        random_incidence(random, 60, 200, 1..5),
        Incidence::new(6, (0..6).flat_map(|a| (0..a).map(move |b| [a, b]))),
        // A triangle's edges need one more than the bound; parallel ones more than that.
        Incidence::new(3, [[0, 1], [1, 2], [2, 0], [0, 1], [1, 2]]),
    ];
    for incidence in incidences {
        for (priority, choice) in [(Priority::Hash, Choice::Random), (Priority::Degree, Choice::Lowest)] {
            let options = ColoringOptions { priority, choice, seed: 11, max_rounds: 800, ..ColoringOptions::default() };
            let facts = Facts::of(&incidence, &gpu.limits);
            let mut schedule = Schedule::new(facts, options, false);
            let mut world = world(&gpu, &incidence, facts.lower_bound + 1);
            let all = uncolored(&world);
            list(&mut world, 1, &all);
            // Without points, without neighbours: the host gives these their colours.
            for one in 0..world.colors.len() {
                if world.incidence.points_of(one as u32).is_empty() {
                    world.colors[one] = one as u32 % facts.lower_bound;
                }
            }
            schedule.look(Status { left: all.len() as u32, steps: 0 });
            let mut entered_at = None;
            while !schedule.is_over() {
                let stage = schedule.stage();
                world.params = schedule.params();
                if matches!(stage, Stage::Finish { .. }) {
                    world.speculations = world.colors.clone();
                } else if entered_at.is_none() {
                    entered_at = Some(schedule.round() - 1);
                }
                for ColorPass { kernel, round } in schedule.next(u32::MAX) {
                    let epoch = round - entered_at.unwrap_or(0).min(round);
                    step(&gpu, &both[1..], kernel, &mut world, Call { round, epoch, ..Call::default() });
                }
                let count = |round: u32| world.rounds[round as usize].count;
                schedule.look(Status { left: count(schedule.round()), steps: count(0) });
            }
            let mut whole = GpuColoring::new(&gpu, &both[1], incidence.clone(), options).expect("it fits");
            while !whole.schedule().is_over() {
                whole.run_rounds(u32::MAX);
            }
            assert_eq!(whole.schedule().stage(), schedule.stage());
            assert_eq!(whole.colors(), world.colors, "{priority} {choice}");
            if schedule.stage() == Stage::Done {
                let order = point_order(&incidence);
                let worksets = whole.worksets(&order);
                let sorted = tartan::coloring::Worksets::sorted(&Coloring::of(world.colors.clone()), &order);
                assert_eq!(worksets, sorted);
            }
        }
    }
}
