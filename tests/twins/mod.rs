//! A twin for each kernel: one sequential function of the same name, written from the formula in the kernel's header.
//!
//! Single precision, as the kernels: where an input makes every step of the formula exact, results match in every bit.
//! Sums that a kernel keeps in two words are plain `i64` here.

#![allow(dead_code)]

use glam::{Vec3, Vec4};
use tartan::coloring::Batch;
use tartan::gpu::layout::{Constraint, History, Params, Residual};

use crate::common::world::{Call, World};

/// Constraints that a row of partial residuals stands for.
const GROUP: usize = 256;

/// Particles closer than this have no direction, m.
const MIN_DISTANCE: f32 = 1e-6;

type Twin = fn(&mut World, Call);

/// Every twin by its kernel's name.
pub const TWINS: [(&str, Twin); 9] = [
    ("predict", |w, _| predict(&w.params, &w.prev_positions, &w.velocities, &mut w.positions)),
    ("predict_second", |w, _| {
        predict_second(&w.params, &w.prev_positions, &w.velocities, &w.histories, &mut w.positions);
    }),
    ("project_distance", |w, call| project_distance(part(&w.constraints, call.batch), &mut w.positions)),
    ("project_compliant", |w, call| {
        let range = call.batch.offset as usize..(call.batch.offset + call.batch.count) as usize;
        let lambdas = &mut w.lambdas[range];
        project_compliant(&w.params, call.first, part(&w.constraints, call.batch), lambdas, &mut w.positions);
    }),
    ("jacobi_accumulate", |w, call| {
        jacobi_accumulate(&w.params, part(&w.constraints, call.batch), &w.positions, &mut w.deltas);
    }),
    ("jacobi_apply", |w, _| jacobi_apply(&w.params, &w.valences, &mut w.deltas, &mut w.positions)),
    ("update_velocity", |w, _| update_velocity(&w.params, &w.positions, &mut w.prev_positions, &mut w.velocities)),
    ("update_velocity_second", |w, _| {
        update_velocity_second(&w.params, &w.positions, &mut w.prev_positions, &mut w.velocities, &mut w.histories);
    }),
    ("residual", |w, call| {
        let rows = &mut w.residuals[call.residual_offset as usize..];
        residual(&w.params, part(&w.constraints, call.batch), &w.positions, rows);
    }),
];

/// The twin of a kernel.
pub fn twin(kernel: &str) -> Twin {
    let found = TWINS.iter().find(|(name, _)| *name == kernel);
    found.unwrap_or_else(|| panic!("kernel {kernel} has no twin in tests/twins")).1
}

fn part(constraints: &[Constraint], batch: Batch) -> &[Constraint] {
    &constraints[batch.offset as usize..][..batch.count as usize]
}

/// p* = x + s v Δt + g Δt²
pub fn predict(params: &Params, prev_positions: &[Vec4], velocities: &[Vec4], positions: &mut [Vec4]) {
    for particle in 0..params.particle_count as usize {
        let (x, v, w) = (prev_positions[particle].truncate(), velocities[particle].truncate(), positions[particle].w);
        let moved = v * params.velocity_scale * params.dt + Vec3::from(params.gravity) * params.dt * params.dt;
        positions[particle] = (if w == 0.0 { x } else { x + moved }).extend(w);
    }
}

/// p* = (4 x − x₋₁) / 3 + s (8 v − 2 v₋₁) Δt / 9 + 4/9 g Δt²
pub fn predict_second(
    params: &Params,
    prev_positions: &[Vec4],
    velocities: &[Vec4],
    histories: &[History],
    positions: &mut [Vec4],
) {
    for particle in 0..params.particle_count as usize {
        let (x, v, w) = (prev_positions[particle].truncate(), velocities[particle].truncate(), positions[particle].w);
        let History { position, velocity } = histories[particle];
        let (x_before, v_before) = (Vec4::from(position).truncate(), Vec4::from(velocity).truncate());
        let coast = (4.0 * x - x_before) / 3.0;
        let speed = params.velocity_scale * (8.0 * v - 2.0 * v_before) / 9.0;
        let fall = Vec3::from(params.gravity) * 4.0 / 9.0;
        let moved = coast + speed * params.dt + fall * params.dt * params.dt;
        positions[particle] = (if w == 0.0 { x } else { moved }).extend(w);
    }
}

/// Δp₁ = −w₁/(w₁+w₂) (|p₁−p₂|−d) n and Δp₂ = +w₂/(w₁+w₂) (|p₁−p₂|−d) n, one constraint after the other.
pub fn project_distance(constraints: &[Constraint], positions: &mut [Vec4]) {
    for constraint in constraints {
        let [a, b] = ends(constraint);
        let [delta_a, delta_b] = corrections(positions[a], positions[b], constraint.rest_length);
        positions[a] += delta_a.extend(0.0);
        positions[b] += delta_b.extend(0.0);
    }
}

/// Δλ = (−C − α̃ λ) / (w₁ + w₂ + α̃), Δp₁ = w₁ n Δλ, Δp₂ = −w₂ n Δλ, one constraint after the other.
pub fn project_compliant(
    params: &Params,
    first: bool,
    constraints: &[Constraint],
    lambdas: &mut [f32],
    positions: &mut [Vec4],
) {
    let alpha_tilde = params.compliance / (params.dt * params.dt);
    for (constraint, lambda) in constraints.iter().zip(lambdas) {
        let [a, b] = ends(constraint);
        if first {
            *lambda = 0.0;
        }
        let off = positions[a].truncate() - positions[b].truncate();
        let (length, weights) = (off.length(), positions[a].w + positions[b].w);
        if length < MIN_DISTANCE || weights == 0.0 {
            continue;
        }
        let change = (-(length - constraint.rest_length) - alpha_tilde * *lambda) / (weights + alpha_tilde);
        *lambda += change;
        let along = off / length * change;
        let [weight_a, weight_b] = [positions[a].w, positions[b].w];
        positions[a] += (along * weight_a).extend(0.0);
        positions[b] -= (along * weight_b).extend(0.0);
    }
}

/// Each correction in whole steps, none larger than the limit, added to its particle's sum.
pub fn jacobi_accumulate(params: &Params, constraints: &[Constraint], positions: &[Vec4], deltas: &mut [[i64; 3]]) {
    for constraint in constraints {
        let ends = ends(constraint);
        let corrections = corrections(positions[ends[0]], positions[ends[1]], constraint.rest_length);
        for (particle, correction) in ends.into_iter().zip(corrections) {
            if positions[particle].w == 0.0 {
                continue;
            }
            for (sum, component) in deltas[particle].iter_mut().zip(correction.to_array()) {
                let steps = f64::from(component) * f64::from(params.delta_scale);
                let limit = f64::from(params.delta_limit);
                *sum += if steps.is_nan() { limit } else { steps.round_ties_even().clamp(-limit, limit) } as i64;
            }
        }
    }
}

/// p += ω Σ Δp / n, and Σ Δp = 0 for the next iteration.
pub fn jacobi_apply(params: &Params, valences: &[u32], deltas: &mut [[i64; 3]], positions: &mut [Vec4]) {
    for particle in 0..params.particle_count as usize {
        if valences[particle] == 0 || positions[particle].w == 0.0 {
            continue;
        }
        let sum = deltas[particle].map(|steps| (steps as f64 / f64::from(params.delta_scale)) as f32);
        positions[particle] += (params.relaxation * Vec3::from(sum) / valences[particle] as f32).extend(0.0);
        deltas[particle] = [0; 3];
    }
}

/// v = (p* − x) / Δt, x = p*
pub fn update_velocity(params: &Params, positions: &[Vec4], prev_positions: &mut [Vec4], velocities: &mut [Vec4]) {
    for particle in 0..params.particle_count as usize {
        let moved = positions[particle].truncate() - prev_positions[particle].truncate();
        velocities[particle] = (moved / params.dt).extend(0.0);
        prev_positions[particle] = positions[particle];
    }
}

/// v' = (3 p* − 4 x + x₋₁) / (2 Δt), x₋₁ = x, v₋₁ = v, x = p*
pub fn update_velocity_second(
    params: &Params,
    positions: &[Vec4],
    prev_positions: &mut [Vec4],
    velocities: &mut [Vec4],
    histories: &mut [History],
) {
    for particle in 0..params.particle_count as usize {
        let (p, x, v) = (positions[particle], prev_positions[particle], velocities[particle]);
        let before = Vec4::from(histories[particle].position).truncate();
        // In double precision: the formula takes large numbers from one another.
        let [p3, x3, before] = [p.truncate(), x.truncate(), before].map(|at| at.as_dvec3());
        let speed = (3.0 * p3 - 4.0 * x3 + before) / (2.0 * f64::from(params.dt));
        velocities[particle] = speed.as_vec3().extend(0.0);
        prev_positions[particle] = p;
        histories[particle] = History { position: x.to_array(), velocity: v.to_array() };
    }
}

/// Σ r, Σ r², max r with r = |C| / d, and Σ length / original length, a row for each group of constraints. Without a
/// length (d below a micrometre) r is 0 and the ratio 1.
pub fn residual(params: &Params, constraints: &[Constraint], positions: &[Vec4], rows: &mut [Residual]) {
    for (row, group) in rows.iter_mut().zip(constraints.chunks(GROUP)) {
        let mut sums = [0.0; 4];
        for constraint in group {
            let [a, b] = ends(constraint).map(|particle| positions[particle].truncate().as_dvec3());
            let rest_length = f64::from(constraint.rest_length);
            let (residual, length_ratio) = if constraint.rest_length > MIN_DISTANCE {
                let original = rest_length / f64::from(params.rest_scale);
                ((a.distance(b) - rest_length).abs() / rest_length, a.distance(b) / original)
            } else {
                (0.0, 1.0)
            };
            sums = [
                sums[0] + residual,
                sums[1] + residual * residual,
                f64::max(sums[2], residual),
                sums[3] + length_ratio,
            ];
        }
        let [sum, sum_squares, max, length_ratio_sum] = sums.map(|sum| sum as f32);
        *row = Residual { sum, sum_squares, max, length_ratio_sum };
    }
}

fn ends(constraint: &Constraint) -> [usize; 2] {
    [constraint.index_a as usize, constraint.index_b as usize]
}

/// Δp₁ and Δp₂; none where there is no direction or nothing that can move.
fn corrections(a: Vec4, b: Vec4, rest_length: f32) -> [Vec3; 2] {
    let (between, w_sum) = (a.truncate() - b.truncate(), a.w + b.w);
    let distance = between.length();
    if distance < MIN_DISTANCE || w_sum == 0.0 {
        return [Vec3::ZERO; 2];
    }
    let n = between / distance;
    [-(a.w / w_sum) * (distance - rest_length) * n, b.w / w_sum * (distance - rest_length) * n]
}
