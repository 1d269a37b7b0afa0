// jacobi_apply: moves each particle by the mean of its corrections.
//
// One invocation a particle. Leaves the sums at zero for the next iteration.
//   reads   DeltaBuffer, ValenceBuffer (constraints connected to a particle)
//   writes  PositionBuffer.xyz of free particles, DeltaBuffer
// p += ω Σ Δp / n, with n the number of connected constraints.
#version 450
#include "common/positions.glsl"
#include "common/params.glsl"
#include "common/fixed_point.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = DELTAS) buffer DeltaBuffer { int deltas[]; };
layout(std430, binding = VALENCES) readonly buffer ValenceBuffer { uint valences[]; };

float take(uint word) {
    float sum = fromFixed(ivec2(deltas[word], deltas[word + 1u]));
    deltas[word] = 0;
    deltas[word + 1u] = 0;
    return sum / deltaScale;
}

void main() {
    uint particle = gl_GlobalInvocationID.x;
    if (particle >= particleCount) return;

    uint valence = valences[particle];
    vec4 p = positions[particle];
    if (valence == 0u || p.w == 0.0) return;
    vec3 sum = vec3(take(particle * 6u), take(particle * 6u + 2u), take(particle * 6u + 4u));
    positions[particle].xyz = p.xyz + sum * (relaxation / float(valence));
}
