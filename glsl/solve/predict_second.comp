// predict_second: where each particle would go without constraints, to second order.
//
// One invocation a particle.
//   reads   PrevPositionBuffer (x), VelocityBuffer (v), HistoryBuffer (x and v a substep before), PositionBuffer.w
//   writes  PositionBuffer.xyz (p*)
// p* = (4 x − x₋₁) / 3 + (8 v − 2 v₋₁) Δt / 9 + 4/9 g Δt²: the second backward differentiation formula (Curtiss and
// Hirschfelder 1952) for x' = v and v' = g, with the constraints' forces left out. A pinned particle stays where it is.
#version 450
#include "common/positions.glsl"
#include "common/params.glsl"
#include "common/history.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = PREV_POSITIONS) readonly buffer PrevPositionBuffer { vec4 prevPositions[]; };
layout(std430, binding = VELOCITIES) readonly buffer VelocityBuffer { vec4 velocities[]; };

void main() {
    uint particle = gl_GlobalInvocationID.x;
    if (particle >= particleCount) return;

    vec3 x = prevPositions[particle].xyz;
    if (positions[particle].w == 0.0) {
        positions[particle].xyz = x;
        return;
    }
    History before = histories[particle];
    vec3 v = velocities[particle].xyz * velocityScale;
    vec3 vBefore = before.velocity.xyz * velocityScale;
    // As a step from x, so that nothing is lost where little moves.
    vec3 coast = (x - before.position.xyz) / 3.0;
    positions[particle].xyz = x + coast + (8.0 * v - 2.0 * vBefore) * (dt / 9.0) + gravity * (4.0 / 9.0 * dt * dt);
}
