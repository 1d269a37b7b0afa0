//! What is done to a simulation between steps, and the order of what a step does.

mod common;

use glam::{Vec3, Vec4};
use tartan::coloring::Batch;
use tartan::gpu::Shaders;
use tartan::params::{SimParams, SolverKind};
use tartan::solver::{Kernel, Pass, Simulation, substep_passes};

use common::start::{scene, start};
use common::{Gpu, bits, shader_folder};

/// Drift is measured from where a particle was pinned.
#[test]
fn drift_is_seen() {
    let gpu = Gpu::open();
    let simulation = start(&gpu, &scene("hanging"), SolverKind::GaussSeidel);
    let mut positions = simulation.read_positions();
    let pinned = *simulation.pins().keys().next().expect("a corner is pinned");
    positions[pinned as usize].y += 0.25;
    assert_eq!(simulation.pinned_drift_max(&positions), 0.25);
}

#[test]
fn times_are_booked_by_kernel_and_step() {
    let gpu = Gpu::open();
    let mut simulation = start(&gpu, &scene("chain"), SolverKind::GaussSeidel);
    (0..5).for_each(|_| simulation.step());
    simulation.finish();
    let kernels: Vec<Kernel> = simulation.pass_times().keys().copied().collect();
    assert_eq!(kernels, [Kernel::Predict, Kernel::ProjectDistance, Kernel::UpdateVelocity]);
    assert!(simulation.pass_times().values().all(|time| time.steps == 5 && time.total_ms > 0.0));

    // Of a paused simulation that is looked at frame after frame.
    for _ in 0..5 {
        simulation.residuals();
    }
    let residual = simulation.pass_times().get(&Kernel::Residual).map_or(0, |time| time.steps);
    assert!(residual >= 4, "{residual} of 5 are booked: times pile up while nothing steps");

    simulation.step();
    simulation.reset();
    simulation.finish();
    assert!(simulation.pass_times().is_empty(), "from before the reset: {:?}", simulation.pass_times());
}

#[test]
fn a_reload_that_fails_leaves_what_runs() {
    let gpu = Gpu::open();
    let [mut reloaded, mut undisturbed] = [(); 2].map(|()| start(&gpu, &scene("chain"), SolverKind::Jacobi));
    let folder = shader_folder::with("", |text| text);
    let shaders = Shaders::in_folder(folder.path()).expect("all files are there");
    // The last kernel, so that the others have been compiled by then.
    let residual = folder.path().join(Kernel::Residual.path());
    let text = std::fs::read_to_string(&residual).expect("it was written");
    std::fs::write(&residual, text.replace("void main", "void mian")).expect("a file");
    assert!(reloaded.reload(&shaders).is_err());
    std::fs::write(&residual, text).expect("a file");
    reloaded.step();
    reloaded.reload(&shaders).expect("it is whole again");
    reloaded.step();
    (0..2).for_each(|_| undisturbed.step());
    assert_eq!(bits(&reloaded.read_positions()), bits(&undisturbed.read_positions()));

    let predict = folder.path().join(Kernel::Predict.path());
    let text = std::fs::read_to_string(&predict).expect("it was written");
    std::fs::write(&predict, text.replace("+ gravity", "- gravity")).expect("a file");
    reloaded.reload(&shaders).expect("it compiles");
    reloaded.step();
    undisturbed.step();
    assert_ne!(bits(&reloaded.read_positions()), bits(&undisturbed.read_positions()), "an edit takes effect");
}

/// Of the tests themselves: [`Gpu`] looks for errors when it goes.
#[test]
#[should_panic = "the driver reported errors"]
fn an_error_of_opengl_fails_a_test() {
    use glow::HasContext;
    let gpu = Gpu::open();
    unsafe { gpu.enable(0xDEAD) };
}

#[test]
fn reset_returns_to_the_first_bits() {
    let gpu = Gpu::open();
    let mut simulation = start(&gpu, &scene("hanging"), SolverKind::Jacobi);
    let first = simulation.read_positions();
    let run = |simulation: &mut Simulation| {
        (0..5).for_each(|_| simulation.step());
        bits(&simulation.read_positions())
    };
    let once = run(&mut simulation);
    simulation.hold(500, Vec3::ZERO);
    simulation.set_pinned(0, false);
    simulation.step();
    simulation.reset();
    assert_eq!((simulation.frame(), simulation.held()), (0, None));
    assert!(simulation.pins().contains_key(&0) && simulation.pass_times().is_empty());
    assert_eq!(bits(&simulation.read_positions()), bits(&first));
    assert_eq!(run(&mut simulation), once, "velocities and sums are back as well");
    assert_eq!(simulation.frame(), 5);
}

#[test]
fn a_held_particle_stays_where_it_is_held_until_it_is_released() {
    let gpu = Gpu::open();
    let mut simulation = start(&gpu, &scene("hanging"), SolverKind::GaussSeidel);
    let (held, other) = (300, 400);
    let at = |simulation: &Simulation, particle: usize| simulation.read_positions()[particle];
    let to = Vec3::new(0.1, 0.9, 0.2);
    simulation.hold(held, to);
    simulation.step();
    assert_eq!((at(&simulation, held as usize), simulation.held()), (to.extend(0.0), Some(held)));
    assert!(!simulation.pins().contains_key(&held), "held is not pinned");

    simulation.hold(held, to + Vec3::X);
    simulation.step();
    assert_eq!(at(&simulation, held as usize), (to + Vec3::X).extend(0.0), "it follows");

    simulation.hold(other, to);
    let free = simulation.model().free_inv_masses[0];
    assert_eq!(at(&simulation, held as usize).w, free, "one at a time: the first is let go");
    simulation.release();
    assert_eq!((at(&simulation, other as usize), simulation.held()), (to.extend(free), None));
    assert_eq!(simulation.state().velocities.read()[other as usize], Vec4::ZERO, "what it moved at before is gone");
    simulation.release();
    simulation.step();
    assert_ne!(at(&simulation, other as usize), to.extend(free), "it falls again");
}

#[test]
fn a_pinned_particle_is_held_to_where_it_is_put() {
    let gpu = Gpu::open();
    let mut simulation = start(&gpu, &scene("hanging"), SolverKind::GaussSeidel);
    (0..5).for_each(|_| simulation.step());
    let (corner, middle) = (0, 500);
    let place = simulation.read_positions()[middle as usize].truncate();
    simulation.set_pinned(middle, true);
    assert_eq!(simulation.pins()[&middle], place, "pinned where it is");
    simulation.step();
    assert_eq!(simulation.read_positions()[middle as usize], place.extend(0.0));

    let moved = Vec3::new(-0.3, 1.4, 0.1);
    simulation.hold(corner, moved);
    simulation.step();
    simulation.release();
    simulation.step();
    assert_eq!(
        simulation.read_positions()[corner as usize],
        moved.extend(0.0),
        "a pin goes where it is put, and stays"
    );
    assert_eq!(simulation.pinned_drift_max(&simulation.read_positions()), 0.0);

    simulation.set_pinned(middle, false);
    let free = simulation.model().free_inv_masses[0];
    assert_eq!(simulation.read_positions()[middle as usize], place.extend(free), "let go at rest");
    simulation.step();
    assert_ne!(simulation.read_positions()[middle as usize].truncate(), place);

    simulation.hold(middle, place);
    simulation.set_pinned(middle, true);
    simulation.release();
    simulation.step();
    assert_eq!(simulation.read_positions()[middle as usize], place.extend(0.0), "pinned while held, it stays");
}

#[test]
fn a_substep_is_predict_iterations_update_velocity() {
    let gpu = Gpu::open();
    let simulation = start(&gpu, &scene("hanging"), SolverKind::GaussSeidel);
    let workset = simulation.workset();
    assert_eq!(workset.batches.len(), 12);
    for iterations in [1, 3] {
        let params = SimParams { iterations, ..simulation.params };
        let passes = substep_passes(&params, workset);
        let [first, middle @ .., last] = passes.as_slice() else { panic!("{passes:?}") };
        assert_eq!((first.kernel, first.batch), (Kernel::Predict, None));
        assert_eq!((last.kernel, last.batch), (Kernel::UpdateVelocity, None));
        assert_eq!(middle.len(), 12 * iterations as usize);
        for iteration in middle.chunks(12) {
            let batches = |pass: &Pass| (pass.kernel, pass.batch);
            let wanted = workset.batches.iter().map(|batch| (Kernel::ProjectDistance, Some(*batch)));
            assert!(iteration.iter().map(batches).eq(wanted), "one pass a batch, in order");
        }

        let passes = substep_passes(&SimParams { solver: SolverKind::Jacobi, ..params }, workset);
        let all = Batch { offset: 0, count: workset.constraints.len() as u32 };
        let iteration = [(Kernel::JacobiAccumulate, Some(all)), (Kernel::JacobiApply, None)];
        let mut wanted = vec![(Kernel::Predict, None)];
        (0..iterations).for_each(|_| wanted.extend(iteration));
        wanted.push((Kernel::UpdateVelocity, None));
        assert_eq!(passes.iter().map(|pass| (pass.kernel, pass.batch)).collect::<Vec<_>>(), wanted);
    }
}

/// A software driver runs dispatches one after the other, so that no result of it shows a missing barrier: the text
/// does.
#[test]
fn every_pass_is_followed_by_a_barrier() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/solver");
    let mut dispatches = 0;
    for file in std::fs::read_dir(folder).expect("the solver's folder") {
        let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
        dispatches += text.matches("dispatch(").count();
    }
    let text = include_str!("../src/solver/simulation.rs");
    let run = body_after(text, "fn run(");
    let passes = body_after(run, "for pass in passes");
    let residuals = body_after(text, "fn residuals(");
    assert_eq!(passes.matches("dispatch(").count(), 2, "over a batch or over the particles:\n{passes}");
    assert_eq!(residuals.matches("dispatch(").count(), 1);
    // Over nothing, so that it writes nothing that anybody reads.
    let warm_up = body_after(text, "fn warm_up(");
    assert_eq!(warm_up.matches("dispatch(").count(), 1);
    assert!(warm_up.contains("write(0, &[Params::default()])"));
    assert_eq!(dispatches, 4, "the solver dispatches nowhere else");

    let barrier = passes.find("memory_barrier(AFTER_KERNEL)").expect("the loop over the passes has a barrier");
    assert!(passes.rfind("dispatch(") < Some(barrier), "the barrier comes after the dispatch");
    let before: i32 = passes[..barrier].chars().map(|c| i32::from(c == '{') - i32::from(c == '}')).sum();
    assert!(before == 1 && passes[..barrier].ends_with("unsafe { self.gl."), "under no condition");
    assert!(!["continue", "break", "return"].iter().any(|word| passes.contains(word)), "no pass leaves early");
    // The residual's rows are apart, and reading a buffer has a barrier of its own.
    assert!(residuals.rfind("dispatch(") < residuals.find("residual_buffer.read()"));
    let bits = text.lines().find(|line| line.starts_with("const AFTER_KERNEL")).expect("it is declared");
    assert!(["SHADER_STORAGE_BARRIER_BIT", "TEXTURE_FETCH_BARRIER_BIT"].iter().all(|bit| bits.contains(bit)), "{bits}");
}

/// The block that opens after `start`, without its braces.
fn body_after<'a>(text: &'a str, start: &str) -> &'a str {
    let from = text.find(start).unwrap_or_else(|| panic!("no `{start}` in the solver"));
    let open = from + text[from..].find('{').expect("a block") + 1;
    let mut depth = 1;
    let end = text[open..].find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth == 0
    });
    &text[open..open + end.expect("the block ends")]
}
