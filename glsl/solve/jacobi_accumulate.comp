// jacobi_accumulate: the corrections of all constraints, added up by particle.
//
// One invocation a constraint. Positions are only read; corrections go by integer atomics into fixed-point sums, which are
// the same whatever the order.
//   reads   ConstraintBuffer[u_BatchOffset .. u_BatchOffset + u_BatchCount), PositionBuffer
//   writes  DeltaBuffer: x, y, z of a particle, each as a low and a high word
#version 450
#include "common/fetch.glsl"
#include "common/batch.glsl"
#include "common/params.glsl"
#include "common/distance.glsl"
#include "common/fixed_point.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = DELTAS) buffer DeltaBuffer { int deltas[]; };

void accumulate(uint word, float component) {
    // A limit keeps the sum of any number of connected constraints within 63 bits. What is no number becomes the limit.
    float steps = roundEven(component * deltaScale);
    float magnitude = abs(steps) <= deltaLimit ? abs(steps) : deltaLimit;
    ivec2 addend = toFixed(steps < 0.0 ? -magnitude : magnitude);
    if (addend.x != 0) addend.y += overflowOf(atomicAdd(deltas[word], addend.x), addend.x);
    if (addend.y != 0) atomicAdd(deltas[word + 1u], addend.y);
}

void accumulate(uint particle, vec3 delta) {
    accumulate(particle * 6u, delta.x);
    accumulate(particle * 6u + 2u, delta.y);
    accumulate(particle * 6u + 4u, delta.z);
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= u_BatchCount) return;

    Constraint c = fetchConstraint(u_BatchOffset + id);
    vec4 pA = fetchPosition(c.indexA);
    vec4 pB = fetchPosition(c.indexB);
    vec3 correction = distanceCorrection(pA, pB, c.restLength);

    if (pA.w > 0.0) accumulate(c.indexA, -correction * pA.w);
    if (pB.w > 0.0) accumulate(c.indexB, correction * pB.w);
}
