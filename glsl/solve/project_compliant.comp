// project_compliant: one batch of distance constraints with compliance, Gauss-Seidel.
//
// One invocation a constraint. Constraints of a batch share no particle, so positions are updated in place; the host puts a
// barrier between batches. A constraint's λ is its own.
//   reads   ConstraintBuffer[u_BatchOffset .. u_BatchOffset + u_BatchCount), PositionBuffer, LambdaBuffer
//   writes  PositionBuffer.xyz of free particles, LambdaBuffer
// Δλ = (−C − α̃ λ) / (wA + wB + α̃), Δp = ±w n Δλ, λ += Δλ, with α̃ = α / Δt²; Macklin, Müller, Chentanez 2016, "XPBD",
// eq. 17 and 18. λ starts from 0 in each substep and is kept across its iterations: were it set to 0 in each, the cloth would
// be the stiffer the more there are. With α = 0 it is project_distance.
#version 450
#include "common/fetch.glsl"
#include "common/positions.glsl"
#include "common/batch.glsl"
#include "common/params.glsl"
#include "common/distance.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(location = 3) uniform uint u_First; // 1 where the constraints are taken for the first time in the substep

layout(std430, binding = LAMBDAS) buffer LambdaBuffer { float lambdas[]; }; // −N s²

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= u_BatchCount) return;

    uint index = u_BatchOffset + id;
    Constraint c = fetchConstraint(index);
    vec4 pA = fetchPosition(c.indexA);
    vec4 pB = fetchPosition(c.indexB);
    float lambda = u_First != 0u ? 0.0 : lambdas[index];
    float alphaTilde = compliance / (dt * dt);
    vec3 delta = pA.xyz - pB.xyz;
    float currentDist = length(delta);
    float wSum = pA.w + pB.w;
    bool moves = currentDist >= MIN_DISTANCE && wSum != 0.0;
    float impulse = moves ? (currentDist - c.restLength + alphaTilde * lambda) / (wSum + alphaTilde) : 0.0;
    lambdas[index] = lambda - impulse;
    if (!moves) return;
    vec3 correction = impulse * (delta / currentDist);

    if (pA.w > 0.0) positions[c.indexA].xyz = pA.xyz - correction * pA.w;
    if (pB.w > 0.0) positions[c.indexB].xyz = pB.xyz + correction * pB.w;
}
