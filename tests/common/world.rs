//! Everything that kernels read and write, as plain data: filled from a seed, run through a kernel or its twin,
//! compared.

use std::rc::Rc;

use glam::{Vec3, Vec4};
use tartan::coloring::{Batch, Workset};
use tartan::constraint::{DistanceConstraint, Group};
use tartan::gpu::layout::{Constraint, History, Params, Residual, location, storage, uniform};
use tartan::gpu::{Buffer, Gl};
use tartan::scene::Model;
use tartan::solver::{Kernel, Kernels, State};

use super::Random;

/// Elements past the end of what a kernel is told to handle; it must leave them alone.
pub const GUARDS: usize = 7;

/// Eight roundings of a float: a driver may take 2.5 for a division, and a few more stand around it.
pub const TOLERANCE: f32 = 1e-6;

/// How fixed-point sums compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sums {
    Exact,
    /// To [`TOLERANCE`] of a metre or of the sum.
    Near,
}

/// What there is in memory.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub params: Params,
    pub positions: Vec<Vec4>,
    pub prev_positions: Vec<Vec4>,
    pub velocities: Vec<Vec4>,
    pub constraints: Vec<Constraint>,
    /// Sums of corrections, fixed-point steps.
    pub deltas: Vec<[i64; 3]>,
    pub valences: Vec<u32>,
    pub residuals: Vec<Residual>,
    /// Of the constraints, from iterations before.
    pub lambdas: Vec<f32>,
    pub histories: Vec<History>,
}

/// What a kernel is told to handle.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub batch: Batch,
    pub residual_offset: u32,
    /// Whether the constraints are taken for the first time in the substep.
    pub first: bool,
}

impl Call {
    pub fn all(world: &World) -> Self {
        Self { batch: Batch { offset: 0, count: world.constraints.len() as u32 }, residual_offset: 0, first: false }
    }
}

/// Parameters of the kernel tests: none of them is 0 or 1, so that none can be left out unseen.
pub fn params() -> Params {
    Params {
        gravity: [0.5, -9.81, 0.25],
        dt: 1.0 / 180.0,
        velocity_scale: 0.97,
        relaxation: 0.8,
        delta_scale: 2f32.powi(40),
        delta_limit: 2f32.powi(52),
        rest_scale: 0.75,
        compliance: 0.002,
        ..Params::default()
    }
}

impl World {
    /// Particles at `positions`, with random velocities and previous positions, and guards behind the last.
    pub fn new(random: &mut Random, mut positions: Vec<Vec4>, constraints: Vec<Constraint>) -> Self {
        let particle_count = positions.len();
        positions.extend((0..GUARDS).map(|_| random.point(1.0).extend(1.0)));
        let mut valences = vec![0; positions.len()];
        for constraint in &constraints {
            valences[constraint.index_a as usize] += 1;
            valences[constraint.index_b as usize] += 1;
        }
        Self {
            params: Params { particle_count: particle_count as u32, ..params() },
            prev_positions: positions.iter().map(|p| (p.truncate() + random.point(0.1)).extend(p.w + 1.0)).collect(),
            velocities: positions.iter().map(|_| random.point(5.0).extend(0.0)).collect(),
            deltas: vec![[0; 3]; positions.len()],
            residuals: (0..constraints.len().div_ceil(256) + 2 * GUARDS)
                .map(|_| Residual { sum: -1.0, sum_squares: -2.0, max: -3.0, length_ratio_sum: -4.0 })
                .collect(),
            histories: positions
                .iter()
                .map(|p| History {
                    position: (p.truncate() + random.point(0.1)).extend(7.0).to_array(),
                    velocity: random.point(5.0).extend(0.0).to_array(),
                })
                .collect(),
            positions,
            lambdas: constraints.iter().map(|_| random.between(-1e-4, 1e-4)).collect(),
            constraints,
            valences,
        }
    }

    /// Runs `kernel` alone on the GPU; what it leaves behind.
    pub fn run(&self, gl: &Rc<Gl>, kernels: &Kernels, kernel: Kernel, call: Call) -> Self {
        let state = self.upload(gl);
        let params = Buffer::new(gl, "params", &[self.params]);
        let residuals = Buffer::new(gl, "residuals", &self.residuals);
        state.bind();
        params.bind_uniform(uniform::PARAMS);
        residuals.bind_storage(storage::RESIDUALS);
        if kernel.is_second_order() {
            state.histories.bind_storage(storage::HISTORIES);
        }
        let program = kernels.get(kernel);
        program.bind();
        match kernel {
            Kernel::Predict
            | Kernel::PredictSecond
            | Kernel::JacobiApply
            | Kernel::UpdateVelocity
            | Kernel::UpdateVelocitySecond => {
                program.dispatch(self.params.particle_count);
            }
            Kernel::ProjectDistance | Kernel::ProjectCompliant | Kernel::JacobiAccumulate | Kernel::Residual => {
                program.set_u32(location::BATCH_OFFSET, call.batch.offset);
                program.set_u32(location::BATCH_COUNT, call.batch.count);
                if kernel == Kernel::ProjectCompliant {
                    program.set_u32(location::FIRST, u32::from(call.first));
                }
                if kernel == Kernel::Residual {
                    program.set_u32(location::RESIDUAL_OFFSET, call.residual_offset);
                }
                program.dispatch(call.batch.count);
            }
        }
        Self {
            params: self.params,
            positions: state.positions.read(),
            prev_positions: state.prev_positions.read(),
            velocities: state.velocities.read(),
            constraints: state.constraints.read(),
            deltas: from_words(&state.deltas.read()),
            valences: state.valences.read(),
            residuals: residuals.read(),
            lambdas: state.lambdas.read(),
            histories: state.histories.read(),
        }
    }

    fn upload(&self, gl: &Rc<Gl>) -> State {
        let constraints: Vec<DistanceConstraint> = self
            .constraints
            .iter()
            .map(|constraint| DistanceConstraint {
                particles: [constraint.index_a, constraint.index_b],
                rest_length: constraint.rest_length,
                group: Group::Warp,
                side: false,
            })
            .collect();
        let model = Model {
            positions: self.positions.clone(),
            triangles: Vec::new(),
            constraints: constraints.clone(),
            rest_scale: self.params.rest_scale,
            free_inv_masses: vec![1.0; self.positions.len()],
        };
        let order = (0..constraints.len() as u32).collect();
        let valences = vec![0; model.positions.len()];
        let state = State::new(gl, &model, &Workset { constraints, order, valences, ..Workset::default() });
        state.prev_positions.write(0, &self.prev_positions);
        state.velocities.write(0, &self.velocities);
        state.deltas.write(0, &to_words(&self.deltas));
        state.valences.write(0, &self.valences);
        state.lambdas.write(0, &self.lambdas);
        state.histories.write(0, &self.histories);
        state
    }

    /// Panics unless `self`, from the GPU, is what `twin` made of `before`: what the twin left alone to the bit, floats
    /// that it wrote to [`TOLERANCE`] of their size or of a metre, sums likewise or exactly.
    pub fn assert_is(&self, twin: &Self, before: &Self, sums: Sums) {
        let vectors = [
            ("positions", &self.positions, &twin.positions, &before.positions),
            ("prev_positions", &self.prev_positions, &twin.prev_positions, &before.prev_positions),
            ("velocities", &self.velocities, &twin.velocities, &before.velocities),
        ];
        for (what, got, wanted, before) in vectors {
            assert_eq!(got.len(), wanted.len(), "{what}: lengths");
            for (index, ((got, wanted), before)) in got.iter().zip(wanted).zip(before).enumerate() {
                let same = got.to_array().map(f32::to_bits) == wanted.to_array().map(f32::to_bits);
                let size = 1f32.max(wanted.truncate().length()).max(before.truncate().length());
                let near = (got.truncate() - wanted.truncate()).length() <= TOLERANCE * size && got.w == wanted.w;
                let touched = wanted != before;
                assert!(same || touched && near, "{what}[{index}] is {got}, not {wanted}; it was {before}");
            }
        }
        for (index, (got, wanted)) in self.deltas.iter().zip(&twin.deltas).enumerate() {
            let near = got.iter().zip(wanted).all(|(got, wanted)| {
                let size = (wanted.abs() as f32).max(self.params.delta_scale);
                got == wanted || sums == Sums::Near && (got - wanted).abs() as f32 <= TOLERANCE * size
            });
            assert!(near, "deltas[{index}] are {got:?}, not {wanted:?}");
        }
        for (index, (got, wanted)) in self.residuals.iter().zip(&twin.residuals).enumerate() {
            // |length / d - 1| is a difference of what stands in `length_ratio_sum` and loses what that is rounded by.
            let size = wanted.length_ratio_sum.abs().max(wanted.sum.abs()) + 256.0;
            let pairs = [
                (got.sum, wanted.sum, size),
                (got.sum_squares, wanted.sum_squares, size.max(wanted.sum_squares)),
                (got.max, wanted.max, wanted.max.max(1.0)),
                (got.length_ratio_sum, wanted.length_ratio_sum, size),
            ];
            let near = pairs.iter().all(|(got, wanted, size)| (got - wanted).abs() <= TOLERANCE * size);
            let untouched = *wanted == before.residuals[index];
            assert!(got == wanted || near && !untouched, "residuals[{index}] is {got:?}, not {wanted:?}");
        }
        for (index, (got, wanted)) in self.lambdas.iter().zip(&twin.lambdas).enumerate() {
            let near = (got - wanted).abs() <= TOLERANCE * wanted.abs().max(0.1) && *wanted != before.lambdas[index];
            assert!(got == wanted || near, "lambdas[{index}] is {got}, not {wanted}");
        }
        assert_eq!(self.histories, twin.histories);
        assert_eq!(self.constraints, before.constraints);
        assert_eq!(self.valences, before.valences);
    }
}

/// Low and high word of each sum.
pub fn to_words(deltas: &[[i64; 3]]) -> Vec<i32> {
    let split = |sum: &i64| [*sum as i32, ((sum - i64::from(*sum as i32)) >> 32) as i32];
    deltas.iter().flatten().flat_map(split).collect()
}

pub fn from_words(words: &[i32]) -> Vec<[i64; 3]> {
    let join = |pair: &[i32]| i64::from(pair[0]) + (i64::from(pair[1]) << 32);
    words.chunks(6).map(|six| std::array::from_fn(|axis| join(&six[2 * axis..]))).collect()
}

/// Kinds of pairs that [`pairs`] goes through.
pub const PAIR_KINDS: usize = 10;

/// `count` constraints that share no particle, from `first_kind` on through all [`PAIR_KINDS`].
pub fn pairs(seed: u64, count: usize, first_kind: usize) -> World {
    let random = &mut Random(seed);
    let mut particles: Vec<u32> = (0..2 * count as u32).collect();
    random.shuffle(&mut particles);
    let mut positions = vec![Vec4::ZERO; 2 * count];
    let constraints = (0..count)
        .map(|index| {
            let (mut a, mut b) = (random.point(1.0), random.point(1.0));
            let mut inv_mass = [random.between(0.1, 10.0), random.between(0.1, 10.0)];
            let mut rest_length = random.between(0.01, 3.0);
            match (first_kind + index) % PAIR_KINDS {
                0 => inv_mass = [0.0; 2],
                1 => inv_mass[random.below(2)] = 0.0,
                2 => b = a,
                3 => rest_length = 0.0,
                // Metres where the rest length is millimetres.
                4 => (b, rest_length) = (a + random.point(1000.0), random.between(0.001, 0.01)),
                5 => (b, rest_length) = (a + random.point(0.01), random.between(100.0, 1000.0)),
                6 => inv_mass[random.below(2)] = 1e4,
                // Closer than there is a direction.
                7 => b = a + Vec3::X * 5e-7,
                // Nothing to do.
                8 => (a, b, rest_length) = (a.floor(), a.floor() + Vec3::X, 1.0),
                _ => {}
            }
            let [index_a, index_b] = [particles[2 * index], particles[2 * index + 1]];
            positions[index_a as usize] = a.extend(inv_mass[0]);
            positions[index_b as usize] = b.extend(inv_mass[1]);
            Constraint { index_a, index_b, rest_length, padding: 0.0 }
        })
        .collect();
    World::new(random, positions, constraints)
}

/// `count` constraints along the axes of a lattice of whole metres, between particles 1, 2 or 4 m apart.
///
/// Distances, directions and shares of the inverse masses are then exact in any arithmetic that follows the formula,
/// and rounding is left to the fixed-point steps: sums must match in every bit. Rest lengths are a millionth off or a
/// thousand times too long, so that corrections of either sign need one word or two.
pub fn lattice(seed: u64, count: usize) -> World {
    let random = &mut Random(seed);
    let side = if count > 10_000 { 40 } else { 8 };
    let positions = (0..side * side * side)
        .map(|index| {
            let inv_mass = if random.below(8) == 0 { 0.0 } else { 2.0 };
            Vec4::new((index % side) as f32, (index / side % side) as f32, (index / side / side) as f32, inv_mass)
        })
        .collect();
    let constraints = (0..count)
        .map(|_| {
            let mut cell = [random.below(side), random.below(side), random.below(side)];
            let number = |cell: [usize; 3]| (cell[0] + side * (cell[1] + side * cell[2])) as u32;
            let (axis, step) = (random.below(3), 1 << random.below(3));
            let from = number(cell);
            cell[axis] = if cell[axis] + step < side { cell[axis] + step } else { cell[axis] - step };
            let ends = if random.below(2) == 0 { [from, number(cell)] } else { [number(cell), from] };
            let distance = step as f32;
            let rest_length = match random.below(4) {
                0 => distance * (1.0 + random.between(-1e-6, 1e-6)),
                1 => distance * random.between(0.0, 2.0),
                2 => distance * random.between(1.0, 1000.0),
                _ => 0.0,
            };
            Constraint { index_a: ends[0], index_b: ends[1], rest_length, padding: 0.0 }
        })
        .collect();
    World::new(random, positions, constraints)
}

/// One particle with 300 constraints along the axes, exact as those of [`lattice`].
pub fn hub(seed: u64) -> World {
    let random = &mut Random(seed);
    let mut positions = vec![Vec4::new(0.0, 0.0, 0.0, 3.0)];
    let constraints = (1..=300)
        .map(|spoke| {
            let distance = 2f32.powi(random.below(6) as i32 - 3);
            let direction = [Vec3::X, Vec3::Y, Vec3::Z][spoke % 3] * if random.below(4) == 0 { -1.0 } else { 1.0 };
            positions.push((direction * distance).extend(1.0));
            let ends = if spoke % 2 == 0 { [0, spoke as u32] } else { [spoke as u32, 0] };
            let rest_length = distance * random.between(0.0, 1.5);
            Constraint { index_a: ends[0], index_b: ends[1], rest_length, padding: 0.0 }
        })
        .collect();
    World::new(random, positions, constraints)
}
