// update_velocity: the velocity that the constraints left over, and the position committed.
//
// One invocation a particle.
//   reads   PositionBuffer (p*), PrevPositionBuffer (x)
//   writes  VelocityBuffer, PrevPositionBuffer
// v = (p* - x) / Δt, x = p*; Müller et al. 2007, algorithm 1, lines 13 and 14.
#version 450
#include "common/layout.glsl"
#include "common/params.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = POSITIONS) readonly buffer PositionBuffer { vec4 positions[]; };
layout(std430, binding = PREV_POSITIONS) buffer PrevPositionBuffer { vec4 prevPositions[]; };
layout(std430, binding = VELOCITIES) writeonly buffer VelocityBuffer { vec4 velocities[]; };

void main() {
    uint particle = gl_GlobalInvocationID.x;
    if (particle >= particleCount) return;

    vec4 p = positions[particle];
    vec3 x = prevPositions[particle].xyz;
    velocities[particle] = vec4((p.xyz - x) / dt, 0.0);
    prevPositions[particle] = p;
}
