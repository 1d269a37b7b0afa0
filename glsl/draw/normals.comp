// normals: a smooth normal at each particle of the surface.
//
// One invocation a particle gathers the triangles around it, so nothing is added up by two.
//   reads   positions, FanOffsetBuffer, FanBuffer (for each triangle at a particle, its two other corners in order)
//   writes  NormalBuffer
// Σ (b − p) × (c − p): each triangle counts by its area. Zero where a particle has none, or only triangles without area.
#version 450
#include "common/fetch.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = NORMALS) writeonly buffer NormalBuffer { vec4 normals[]; };
layout(std430, binding = FAN_OFFSETS) readonly buffer FanOffsetBuffer { uint fanOffsets[]; };
layout(std430, binding = FANS) readonly buffer FanBuffer { uvec2 fans[]; };

layout(location = 0) uniform uint u_ParticleCount;

void main() {
    uint particle = gl_GlobalInvocationID.x;
    if (particle >= u_ParticleCount) return;

    vec3 p = fetchPosition(particle).xyz;
    vec3 sum = vec3(0.0);
    uint end = fanOffsets[particle + 1u];
    for (uint fan = fanOffsets[particle]; fan < end; ++fan) {
        uvec2 corners = fans[fan];
        sum += cross(fetchPosition(corners.x).xyz - p, fetchPosition(corners.y).xyz - p);
    }
    float size = length(sum);
    normals[particle] = vec4(size > 1e-20 ? sum / size : vec3(0.0), 0.0);
}
