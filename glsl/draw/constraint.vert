// constraint: ribbons, a quad a constraint, as wide on the screen as asked.
//
// Six vertices a constraint of the batch, without vertex buffers. A bending constraint lies on the threads between its ends,
// so it is drawn as an arc that swings out to one side; its quad has room for the arc and the fragment shader follows it.
#version 450
#include "common/fetch.glsl"
#include "common/batch.glsl"
#include "common/view.glsl"

layout(binding = 2) uniform usamplerBuffer u_Tags; // group in the low bits, side in bit 8

layout(location = 3) uniform int u_Mode; // 0 plain, 1 by strain, 2 by group
layout(location = 4) uniform vec4 u_Color;
layout(location = 5) uniform vec4 u_Strain[3]; // shortened, at rest, stretched
layout(location = 8) uniform vec4 u_Groups[4];
layout(location = 12) uniform float u_Width; // factor on the width

layout(location = 0) noperspective out float v_Along;  // 0 at A, 1 at B
layout(location = 1) noperspective out float v_Across; // pixels from the straight line
layout(location = 2) flat out float v_HalfWidth;       // pixels
layout(location = 3) flat out float v_Bow;             // of the arc, pixels
layout(location = 4) flat out vec4 v_Color;

const uint SHEAR = 2u;
const uint BEND = 3u;

vec3 colorOf(uint group, float strain) {
    if (u_Mode == 1) {
        float t = clamp(strain / strainRange, -1.0, 1.0);
        return mix(u_Strain[1].rgb, t < 0.0 ? u_Strain[0].rgb : u_Strain[2].rgb, abs(t));
    }
    return u_Mode == 2 ? u_Groups[group].rgb : u_Color.rgb;
}

void main() {
    uint index = u_BatchOffset + uint(gl_VertexID) / 6u;
    Constraint c = fetchConstraint(index);
    uint tag = texelFetch(u_Tags, int(index)).x;
    uint group = tag & 0xffu;
    vec3 a = fetchPosition(c.indexA).xyz;
    vec3 b = fetchPosition(c.indexB).xyz;

    // Lifted off the cloth by part of a cell; a bending constraint spans two.
    float lift = 0.25 * c.restLength * (group == BEND ? 0.5 : 1.0);
    vec4 clipA = viewProjection * vec4(lifted(a, lift), 1.0);
    vec4 clipB = viewProjection * vec4(lifted(b, lift), 1.0);
    if (min(clipA.w, clipB.w) < 1e-3) {
        // Behind the eye at one end: no direction on the screen.
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
        return;
    }
    vec2 pixelA = 0.5 * viewport * clipA.xy / clipA.w;
    vec2 pixelB = 0.5 * viewport * clipB.xy / clipB.w;
    float span = distance(pixelA, pixelB);
    vec2 along = span > 1e-3 ? (pixelB - pixelA) / span : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);

    // Threads closer than their width would run into one surface: they get thinner and then fainter.
    float cell = group == BEND ? 0.5 * span : span;
    float widest = ribbonWidth * pixelsPerPoint;
    float width = min(widest, 0.28 * cell) * u_Width;
    float alpha = u_Color.a * clamp(cell / (5.0 * pixelsPerPoint), 0.12, 1.0);
    // What crosses a cell or runs beside a thread gives way to the threads.
    if (group >= SHEAR) width *= 0.62;
    v_HalfWidth = 0.5 * max(width, 0.8);
    v_Bow = 0.0;
    if (group == BEND) v_Bow = min(0.81 * widest + 0.8, 0.26 * cell) * ((tag & 0x100u) != 0u ? 1.0 : -1.0);
    v_Color = vec4(colorOf(group, distance(a, b) / max(c.restLength, 1e-6) - 1.0), alpha);

    const ivec2 CORNERS[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));
    ivec2 corner = CORNERS[gl_VertexID % 6];
    float margin = v_HalfWidth + 1.0;
    v_Along = float(corner.x);
    v_Across = corner.y == 0 ? min(v_Bow, 0.0) - margin : max(v_Bow, 0.0) + margin;
    vec4 clip = corner.x == 0 ? clipA : clipB;
    gl_Position = vec4(clip.xy + across * v_Across * clip.w * 2.0 / viewport, clip.zw);
}
