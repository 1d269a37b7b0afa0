// update_velocity_second: the velocity that the constraints left over, to second order, and the position committed.
//
// One invocation a particle.
//   reads   PositionBuffer (p*), PrevPositionBuffer (x), VelocityBuffer (v), HistoryBuffer (x a substep before)
//   writes  VelocityBuffer, PrevPositionBuffer, HistoryBuffer
// v' = (3 p* − 4 x + x₋₁) / (2 Δt), x₋₁ = x, v₋₁ = v, x = p*: the second backward differentiation formula.
#version 450
#include "common/layout.glsl"
#include "common/params.glsl"
#include "common/history.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = POSITIONS) readonly buffer PositionBuffer { vec4 positions[]; };
layout(std430, binding = PREV_POSITIONS) buffer PrevPositionBuffer { vec4 prevPositions[]; };
layout(std430, binding = VELOCITIES) buffer VelocityBuffer { vec4 velocities[]; };

void main() {
    uint particle = gl_GlobalInvocationID.x;
    if (particle >= particleCount) return;

    vec4 p = positions[particle];
    vec4 x = prevPositions[particle];
    vec4 v = velocities[particle];
    vec3 before = histories[particle].position.xyz;
    velocities[particle] = vec4((3.0 * (p.xyz - x.xyz) - (x.xyz - before)) / (2.0 * dt), 0.0);
    prevPositions[particle] = p;
    histories[particle] = History(x, v);
}
