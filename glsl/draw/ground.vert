// ground: a square in the plane y = 0 around the point that the camera looks at.
#version 450
#include "common/view.glsl"

layout(location = 0) uniform vec4 u_Center; // xyz, m; w half the side, m

layout(location = 0) out vec2 v_Place;  // x and z, m
layout(location = 1) out vec2 v_Offset; // from the centre, in half sides

void main() {
    v_Offset = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_Place = u_Center.xz + v_Offset * u_Center.w;
    gl_Position = viewProjection * vec4(v_Place.x, 0.0, v_Place.y, 1.0);
}
