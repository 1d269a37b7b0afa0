// predict: where each particle would go without constraints.
//
// One invocation a particle.
//   reads   PrevPositionBuffer (x), VelocityBuffer (v), PositionBuffer.w (inverse mass)
//   writes  PositionBuffer.xyz (p*)
// p* = x + v Δt + g Δt²; Müller et al. 2007, algorithm 1, lines 5 to 7. A pinned particle stays where it is.
#version 450
#include "common/positions.glsl"
#include "common/params.glsl"

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
    vec3 v = velocities[particle].xyz * velocityScale;
    positions[particle].xyz = x + v * dt + gravity * (dt * dt);
}
