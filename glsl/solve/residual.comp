// residual: how far a batch of constraints is from being satisfied.
//
// One invocation a constraint, one row of partial sums a workgroup; the host adds the rows up.
//   reads   ConstraintBuffer[u_BatchOffset .. u_BatchOffset + u_BatchCount), PositionBuffer
//   writes  ResidualBuffer[u_ResidualOffset + workgroup]
// |C| / d and length / original length, where d = restScale · original length. A constraint without a length (d below
// MIN_DISTANCE) has no ratio and counts as satisfied.
#version 450
#include "common/fetch.glsl"
#include "common/batch.glsl"
#include "common/params.glsl"
#include "common/distance.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(location = 2) uniform uint u_ResidualOffset;

layout(std430, binding = RESIDUALS) writeonly buffer ResidualBuffer { Residual residuals[]; };

shared vec4 rows[LOCAL_SIZE]; // Σ, Σ², max, Σ length ratio

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint id = gl_GlobalInvocationID.x;
    vec4 row = vec4(0.0);
    if (id < u_BatchCount) {
        Constraint c = fetchConstraint(u_BatchOffset + id);
        row.w = 1.0;
        if (c.restLength > MIN_DISTANCE) {
            float ratio = distance(fetchPosition(c.indexA).xyz, fetchPosition(c.indexB).xyz) / c.restLength;
            float residual = abs(ratio - 1.0);
            row = vec4(residual, residual * residual, residual, ratio * restScale);
        }
    }
    rows[lane] = row;
    barrier();

    // A tree, so that the order of the sum and with it every bit is fixed.
    for (uint stride = LOCAL_SIZE / 2; stride > 0; stride /= 2) {
        if (lane < stride) {
            vec4 other = rows[lane + stride];
            rows[lane] = vec4(rows[lane].xy + other.xy, max(rows[lane].z, other.z), rows[lane].w + other.w);
        }
        barrier();
    }
    if (lane == 0) {
        vec4 sum = rows[0];
        residuals[u_ResidualOffset + gl_WorkGroupID.x] = Residual(sum.x, sum.y, sum.z, sum.w);
    }
}
