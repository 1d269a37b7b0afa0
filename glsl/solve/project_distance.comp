// project_distance: one batch of distance constraints, Gauss-Seidel.
//
// One invocation a constraint. Constraints of a batch share no particle, so positions are updated in place; the host puts a
// barrier between batches.
//   reads   ConstraintBuffer[u_BatchOffset .. u_BatchOffset + u_BatchCount), PositionBuffer
//   writes  PositionBuffer.xyz of free particles
#version 450
#include "common/fetch.glsl"
#include "common/positions.glsl"
#include "common/batch.glsl"
#include "common/distance.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= u_BatchCount) return;

    Constraint c = fetchConstraint(u_BatchOffset + id);
    vec4 pA = fetchPosition(c.indexA);
    vec4 pB = fetchPosition(c.indexB);
    vec3 correction = distanceCorrection(pA, pB, c.restLength);

    // Registers, not `-=`: a second load of what was just read costs as much as the first. Nobody writes a pinned particle.
    if (pA.w > 0.0) positions[c.indexA].xyz = pA.xyz - correction * pA.w;
    if (pB.w > 0.0) positions[c.indexB].xyz = pB.xyz + correction * pB.w;
}
