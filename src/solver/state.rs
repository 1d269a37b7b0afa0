//! The buffers of a simulation.

use std::rc::Rc;

use glam::Vec4;

use crate::coloring::Workset;
use crate::constraint::DistanceConstraint;
use crate::gpu::layout::{Constraint, History, storage, texture};
use crate::gpu::{Buffer, BufferTexture, Gl};
use crate::scene::Model;

/// Fixed-point steps in the mean rest length. Leaves 2²⁸ rest lengths of room and resolves a thousandth of what a float does.
const STEPS_PER_REST_LENGTH: f64 = (1u64 << 34) as f64;

/// What the kernels read and write, in the layout of `glsl/common/layout.glsl`.
pub struct State {
    /// p*: xyz in metres, w the inverse mass.
    pub positions: Buffer<Vec4>,
    /// x: the positions at the start of the substep.
    pub prev_positions: Buffer<Vec4>,
    /// v, m/s.
    pub velocities: Buffer<Vec4>,
    /// In solve order.
    pub constraints: Buffer<Constraint>,
    /// Sums of corrections, fixed point: six words a particle.
    pub deltas: Buffer<i32>,
    /// Constraints connected to a particle.
    pub valences: Buffer<u32>,
    /// Those of them that are in the hybrid solver's tail.
    pub tail_valences: Buffer<u32>,
    /// Of the constraints with compliance, in solve order.
    pub lambdas: Buffer<f32>,
    /// Of the particles, for the integrator of second order.
    pub histories: Buffer<History>,
    position_texture: BufferTexture,
    constraint_texture: BufferTexture,
    /// Fixed-point steps in a metre.
    pub delta_scale: f32,
    /// Largest correction that may be added, in steps.
    pub delta_limit: f32,
}

impl State {
    pub fn new(gl: &Rc<Gl>, model: &Model, workset: &Workset) -> Self {
        let constraints = in_solve_order(workset);
        let (delta_scale, delta_limit) = fixed_point(&constraints, &workset.valences);
        let positions = Buffer::new(gl, "positions", &model.positions);
        let lambdas = Buffer::zeroed(gl, "lambdas", constraints.len());
        let constraints = Buffer::new(gl, "constraints", &constraints);
        Self {
            prev_positions: Buffer::new(gl, "prev_positions", &model.positions),
            velocities: Buffer::zeroed(gl, "velocities", model.positions.len()),
            deltas: Buffer::zeroed(gl, "deltas", 6 * model.positions.len()),
            valences: Buffer::new(gl, "valences", &workset.valences),
            tail_valences: Buffer::zeroed(gl, "tail_valences", model.positions.len()),
            position_texture: BufferTexture::new(gl, "positions", glow::RGBA32F, &positions),
            constraint_texture: BufferTexture::new(gl, "constraints", glow::RGBA32UI, &constraints),
            positions,
            constraints,
            lambdas,
            histories: Buffer::zeroed(gl, "histories", model.positions.len()),
            delta_scale,
            delta_limit,
        }
    }

    /// Takes over the order of another workset of the same constraints.
    pub fn set_order(&self, workset: &Workset) {
        self.constraints.write(0, &in_solve_order(workset));
    }

    /// Binds everything that a kernel may read or write.
    pub fn bind(&self) {
        self.positions.bind_storage(storage::POSITIONS);
        self.constraints.bind_storage(storage::CONSTRAINTS);
        self.prev_positions.bind_storage(storage::PREV_POSITIONS);
        self.velocities.bind_storage(storage::VELOCITIES);
        self.deltas.bind_storage(storage::DELTAS);
        self.valences.bind_storage(storage::VALENCES);
        self.lambdas.bind_storage(storage::LAMBDAS);
        self.bind_textures();
    }

    /// Writes where the particles are and how fast as their history.
    pub fn start_histories(&self) {
        let history = |(position, velocity): (&Vec4, &Vec4)| History {
            position: position.to_array(),
            velocity: velocity.to_array(),
        };
        let (positions, velocities) = (self.prev_positions.read(), self.velocities.read());
        self.histories.write(0, &positions.iter().zip(&velocities).map(history).collect::<Vec<_>>());
    }

    /// Binds positions and constraints as textures, for drawing.
    pub fn bind_textures(&self) {
        self.position_texture.bind(texture::POSITIONS);
        self.constraint_texture.bind(texture::CONSTRAINTS);
    }
}

fn in_solve_order(workset: &Workset) -> Vec<Constraint> {
    let upload = |constraint: &DistanceConstraint| Constraint {
        index_a: constraint.particles[0],
        index_b: constraint.particles[1],
        rest_length: constraint.rest_length,
        padding: 0.0,
    };
    workset.constraints.iter().map(upload).collect()
}

/// Scale and limit of the fixed-point sums, powers of two: `valence` corrections at the limit sum up to less than 2⁶³.
fn fixed_point(constraints: &[Constraint], valences: &[u32]) -> (f32, f32) {
    let total: f64 = constraints.iter().map(|constraint| f64::from(constraint.rest_length)).sum();
    let mean = (total / constraints.len().max(1) as f64).max(1e-6);
    let scale = (STEPS_PER_REST_LENGTH / mean).log2().floor().exp2();
    let valence = valences.iter().copied().max().unwrap_or(0).max(1);
    let limit = 2f64.powi(62 - valence.next_power_of_two().ilog2() as i32);
    (scale as f32, limit as f32)
}
