// cloth: the surface, one vertex a particle.
#version 450
#include "common/fetch.glsl"
#include "common/view.glsl"

layout(binding = 3) uniform samplerBuffer u_Normals;

layout(location = 0) out vec3 v_Point;
layout(location = 1) out vec3 v_Normal;

void main() {
    v_Point = fetchPosition(uint(gl_VertexID)).xyz;
    v_Normal = texelFetch(u_Normals, gl_VertexID).xyz;
    gl_Position = viewProjection * vec4(v_Point, 1.0);
}
