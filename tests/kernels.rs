//! Each kernel against its twin, on both read paths.

mod common;
mod twins;

use glam::{Vec3, Vec4};
use tartan::coloring::Batch;
use tartan::gpu::layout::{Constraint, Params};
use tartan::gpu::{Shaders, Stage, source};
use tartan::params::SolverKind;
use tartan::scene::{NAMES, builtin};
use tartan::solver::{KERNELS, Kernel, Kernels, ReadPath, Simulation, substep_passes};

use common::world::{Call, GUARDS, PAIR_KINDS, Sums, TOLERANCE, World, from_words, hub, lattice, pairs};
use common::{Gpu, Random, assert_near};

/// Nothing, one, around the size of a workgroup, and many off that size.
const COUNTS: [usize; 6] = [0, 1, 255, 256, 257, 100_003];

/// Runs `kernel` and its twin on each world, on both read paths, and compares.
fn compare(kernel: Kernel, sums: Sums, worlds: &[(World, Call)]) {
    let gpu = Gpu::open();
    let twin = twins::twin(kernel.name());
    for read_path in [ReadPath::Storage, ReadPath::Texture] {
        let kernels = Kernels::new(&gpu, &Shaders::embedded(), read_path).expect("the kernels compile");
        for (world, call) in worlds {
            println!("{} by {read_path:?}: {call:?}", kernel.name());
            let mut wanted = world.clone();
            twin(&mut wanted, *call);
            world.run(&gpu, &kernels, kernel, *call).assert_is(&wanted, world, sums);
        }
    }
}

/// `count` pairs that are to be handled, between others that are not.
fn batch_of_pairs(seed: u64, count: usize, first_kind: usize) -> (World, Call) {
    let (lead, world) = (5, pairs(seed, 5 + count + GUARDS, first_kind));
    (world, Call { batch: Batch { offset: lead, count: count as u32 }, residual_offset: 3, first: false })
}

/// Every count, and for a single constraint every kind of pair.
fn batches_of_pairs() -> Vec<(World, Call)> {
    let counts = COUNTS.into_iter().map(|count| batch_of_pairs(count as u64, count, 0));
    let kinds = (0..PAIR_KINDS).map(|kind| batch_of_pairs(7, 1, kind));
    counts.chain(kinds).collect()
}

/// Particles anywhere, each tenth of them pinned, with sums that one word and two are needed for.
fn particles(count: usize) -> (World, Call) {
    let random = &mut Random(count as u64);
    let positions = (0..count)
        .map(|particle| random.point(2.0).extend(if particle % 10 == 3 { 0.0 } else { random.between(0.1, 10.0) }));
    let mut world = World::new(&mut Random(1), positions.collect(), Vec::new());
    for (particle, position) in world.positions.iter().enumerate() {
        world.valences[particle] = random.below(13) as u32;
        let size = [2f32.powi(30), 2f32.powi(33), 2f32.powi(42)][random.below(3)];
        if position.w > 0.0 {
            world.deltas[particle] = random.point(size).to_array().map(|steps| steps as i64);
        }
    }
    let call = Call::all(&world);
    (world, call)
}

#[test]
fn every_kernel_has_a_twin_and_every_twin_a_kernel() {
    let kernels = KERNELS.map(Kernel::name);
    let twins = twins::TWINS.map(|(name, _)| name);
    for kernel in kernels {
        assert!(twins.contains(&kernel), "kernel {kernel} has no twin in tests/twins");
    }
    for twin in twins {
        assert!(kernels.contains(&twin), "twin {twin} has no kernel");
    }
}

#[test]
fn every_kernel_has_a_file_and_every_file_a_kernel() {
    let files: Vec<String> = source::files()
        .into_iter()
        .filter(|path| path.starts_with("solve/") && Stage::of(path) == Some(Stage::Compute))
        .collect();
    for (index, kernel) in KERNELS.into_iter().enumerate() {
        assert!(files.iter().any(|file| file == kernel.path()), "no file {}", kernel.path());
        assert_eq!(kernel as usize, index, "{} stands at its own place: programs are found by it", kernel.name());
    }
    for file in files {
        assert!(KERNELS.iter().any(|kernel| kernel.path() == file), "glsl/{file} is not in KERNELS");
    }
}

#[test]
fn predict_is_its_twin() {
    compare(Kernel::Predict, Sums::Exact, &COUNTS.map(particles));
}

#[test]
fn update_velocity_is_its_twin() {
    compare(Kernel::UpdateVelocity, Sums::Exact, &COUNTS.map(particles));
}

#[test]
fn predict_second_is_its_twin() {
    compare(Kernel::PredictSecond, Sums::Exact, &COUNTS.map(particles));
}

#[test]
fn update_velocity_second_is_its_twin() {
    compare(Kernel::UpdateVelocitySecond, Sums::Exact, &COUNTS.map(particles));
}

#[test]
fn project_distance_is_its_twin() {
    compare(Kernel::ProjectDistance, Sums::Exact, &batches_of_pairs());
}

#[test]
fn residual_is_its_twin() {
    let mut worlds = batches_of_pairs();
    worlds.push((hub(1), Call { batch: Batch { offset: 10, count: 280 }, residual_offset: 2, first: false }));
    compare(Kernel::Residual, Sums::Exact, &worlds);
}

#[test]
fn project_compliant_is_its_twin() {
    for first in [false, true] {
        let worlds: Vec<(World, Call)> =
            batches_of_pairs().into_iter().map(|(world, call)| (world, Call { first, ..call })).collect();
        compare(Kernel::ProjectCompliant, Sums::Exact, &worlds);
    }
}

/// Without compliance it is project_distance, to the bit, whatever λ was.
#[test]
fn project_compliant_without_compliance_is_project_distance() {
    let gpu = Gpu::open();
    for read_path in [ReadPath::Storage, ReadPath::Texture] {
        let kernels = Kernels::new(&gpu, &Shaders::embedded(), read_path).expect("the kernels compile");
        for (mut world, call) in batches_of_pairs() {
            world.params.compliance = 0.0;
            let bits = |kernel| common::bits(&world.run(&gpu, &kernels, kernel, call).positions);
            assert!(bits(Kernel::ProjectCompliant) == bits(Kernel::ProjectDistance), "{call:?} by {read_path:?}");
        }
    }
}

#[test]
fn jacobi_accumulate_is_near_its_twin_for_any_offset() {
    compare(Kernel::JacobiAccumulate, Sums::Near, &batches_of_pairs());
}

#[test]
fn jacobi_accumulate_sums_exactly() {
    let mut worlds = Vec::new();
    for count in COUNTS {
        let mut world = lattice(count as u64, count + 5 + GUARDS);
        let random = &mut Random(11);
        for sum in world.deltas.iter_mut().flatten() {
            // At the ends of the low word, so that addends of either sign carry.
            let low = [i64::from(i32::MAX), i64::from(i32::MIN), -1, 0, 1 << 31, 0xFFFF_FFFF][random.below(6)];
            *sum = low + ((random.below(2001) as i64 - 1000) << 32);
        }
        worlds
            .push((world, Call { batch: Batch { offset: 5, count: count as u32 }, residual_offset: 0, first: false }));
    }
    // In the coarser steps corrections have to be rounded.
    for (seed, scale) in [(0, 40), (1, 40), (2, 24), (3, 20)] {
        let mut world = hub(seed);
        world.params.delta_scale = 2f32.powi(scale);
        let call = Call::all(&world);
        worlds.push((world, call));
    }
    compare(Kernel::JacobiAccumulate, Sums::Exact, &worlds);
}

/// The limit is 4096 m: corrections below it, above it and far above it, of either sign, and one that is no number.
#[test]
fn jacobi_accumulate_keeps_to_the_limit() {
    let (mut positions, mut constraints) = (Vec::new(), Vec::new());
    for far in [Vec3::X * 8000.0, Vec3::NEG_Y * 10_000.0, Vec3::X * 1e12, Vec3::ONE * 1e30] {
        let first = positions.len() as u32;
        positions.extend([Vec4::new(0.0, 0.0, 0.0, 1.0), far.extend(1.0)]);
        constraints.push(Constraint { index_a: first, index_b: first + 1, ..Default::default() });
    }
    let world = World::new(&mut Random(0), positions, constraints);
    let call = Call::all(&world);
    let mut wanted = world.clone();
    twins::twin("jacobi_accumulate")(&mut wanted, call);
    let (limit, below) = (world.params.delta_limit as i64, 4000 << 40);
    assert_eq!(wanted.deltas[..2], [[below, 0, 0], [-below, 0, 0]]);
    assert_eq!(wanted.deltas[2..6], [[0, -limit, 0], [0, limit, 0], [limit, 0, 0], [-limit, 0, 0]]);
    assert_eq!(wanted.deltas[6..8], [[limit; 3]; 2]);
    compare(Kernel::JacobiAccumulate, Sums::Exact, &[(world, call)]);
}

#[test]
fn jacobi_apply_is_its_twin() {
    let mut hub = (hub(5), Call::all(&hub(5)));
    twins::twin("jacobi_accumulate")(&mut hub.0, hub.1);
    assert!(hub.0.deltas[0].iter().any(|sum| sum.abs() > 1 << 40), "the hub's sum needs two words");
    compare(Kernel::JacobiApply, Sums::Exact, &[COUNTS.map(particles).as_slice(), &[hub]].concat());
}

/// One iteration of either solver on each scene in motion. Later on, rounding in one order and the other is what
/// differs: whole runs are held to invariants instead.
#[test]
fn an_iteration_is_its_twins_on_every_scene() {
    let gpu = Gpu::open();
    for name in NAMES {
        for solver in SolverKind::ALL {
            for read_path in [ReadPath::Storage, ReadPath::Texture] {
                println!("{name} by {solver} and {read_path:?}");
                let scene = builtin(name).expect("it is built in");
                let model = scene.build();
                let workset = common::start::workset(&model);
                let params = scene.params;
                let shaders = Shaders::embedded();
                let mut simulation =
                    Simulation::new(&gpu, &shaders, read_path, model, workset, params).expect("it starts");
                (0..3).for_each(|_| simulation.step());
                simulation.params.solver = solver;
                (simulation.params.iterations, simulation.params.substeps) = (1, 1);
                simulation.params.colored_batches = 2;

                let mut world = world_of(&simulation);
                // The mean is over what was added up: all constraints, or those of a tail.
                let mut added = vec![0; world.positions.len()];
                for pass in substep_passes(&simulation.params, simulation.workset()) {
                    let batch = pass.batch.unwrap_or(Batch { offset: 0, count: 0 });
                    match pass.kernel {
                        Kernel::JacobiAccumulate => {
                            let range = batch.offset as usize..(batch.offset + batch.count) as usize;
                            for constraint in &world.constraints[range] {
                                added[constraint.index_a as usize] += 1;
                                added[constraint.index_b as usize] += 1;
                            }
                        }
                        Kernel::JacobiApply => {
                            world.valences = std::mem::replace(&mut added, vec![0; world.positions.len()])
                        }
                        _ => {}
                    }
                    twins::twin(pass.kernel.name())(&mut world, Call { batch, residual_offset: 0, first: pass.first });
                }
                simulation.step();

                // The scenes are a metre or two in size.
                let state = simulation.state();
                assert_near("positions", &state.positions.read(), &world.positions, TOLERANCE);
                assert_near("prev_positions", &state.prev_positions.read(), &world.positions, TOLERANCE);
                let tolerance = TOLERANCE / simulation.params.dt;
                assert_near("velocities", &state.velocities.read(), &world.velocities, tolerance);
                assert!(state.deltas.read().iter().all(|word| *word == 0), "sums are left at zero");
            }
        }
    }
}

fn world_of(simulation: &Simulation) -> World {
    let (params, state) = (&simulation.params, simulation.state());
    let dt = params.dt / params.substeps as f32;
    World {
        params: Params {
            gravity: params.gravity.to_array(),
            dt,
            velocity_scale: (-params.damping * dt).exp(),
            relaxation: params.relaxation,
            delta_scale: state.delta_scale,
            delta_limit: state.delta_limit,
            rest_scale: simulation.model().rest_scale,
            particle_count: simulation.particle_count(),
            ..Params::default()
        },
        positions: state.positions.read(),
        prev_positions: state.prev_positions.read(),
        velocities: state.velocities.read(),
        constraints: state.constraints.read(),
        deltas: from_words(&state.deltas.read()),
        valences: state.valences.read(),
        residuals: Vec::new(),
        lambdas: state.lambdas.read(),
        histories: state.histories.read(),
    }
}
