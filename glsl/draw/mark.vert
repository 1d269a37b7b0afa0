// mark: a disc of fixed size on the screen at each particle of a list.
#version 450
#include "common/fetch.glsl"
#include "common/view.glsl"

layout(binding = 4) uniform usamplerBuffer u_Marks; // x the particle, y what it is marked as

layout(location = 0) out vec2 v_Offset; // points from the centre
layout(location = 1) flat out uint v_Kind;

void main() {
    uvec2 mark = texelFetch(u_Marks, gl_VertexID / 6).xy;
    vec4 clip = viewProjection * vec4(lifted(fetchPosition(mark.x).xyz, 0.02), 1.0);
    const vec2 CORNERS[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(-1, 1), vec2(1, -1), vec2(1, 1));
    v_Offset = CORNERS[gl_VertexID % 6] * 12.0;
    v_Kind = mark.y;
    gl_Position = vec4(clip.xy + v_Offset * (pixelsPerPoint * clip.w * 2.0) / viewport, clip.zw);
}
