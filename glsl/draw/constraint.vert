// constraint: ribbons, a quad a constraint, as wide on the screen as asked.
//
// Six vertices a constraint of the batch, without vertex buffers. A bending constraint lies on the threads between its ends,
// so it is drawn as an arc that swings out to one side; its quad has room for the arc and the fragment shader follows it.
#version 450
#include "common/fetch.glsl"
#include "common/batch.glsl"
#include "common/view.glsl"

layout(binding = 2) uniform usamplerBuffer u_Tags; // group in the low bits, side in bit 8
layout(binding = 3) uniform samplerBuffer u_Normals;

layout(binding = 5) uniform samplerBuffer u_Paint; // colour, and half the factor on the width

layout(location = 3) uniform int u_Mode; // 0 plain, 1 by strain, 2 by group, 3 each its own
layout(location = 4) uniform vec4 u_Color;
layout(location = 5) uniform vec4 u_Strain[3]; // shortened, at rest, stretched
layout(location = 8) uniform vec4 u_Groups[5];
layout(location = 13) uniform float u_Width; // factor on the width
layout(location = 14) uniform int u_Prominent; // 1 for a batch that is looked at: it stays strong however dense

layout(location = 0) noperspective out float v_Along;  // 0 at A, 1 at B
layout(location = 1) noperspective out float v_Across; // pixels from the straight line
layout(location = 2) flat out float v_HalfWidth;       // pixels
layout(location = 3) flat out float v_Bow;             // of the arc, pixels
layout(location = 4) flat out vec4 v_Color;

const uint SHEAR = 2u;
const uint BEND = 3u;
const vec4 NOWHERE = vec4(0.0, 0.0, 0.0, 1.0); // for all vertices: a quad without area, that needs no clipping

vec3 colorOf(uint group, float strain, vec3 paint) {
    if (u_Mode == 3) return paint;
    if (u_Mode == 1) {
        float t = clamp(strain / strainRange, -1.0, 1.0);
        return mix(u_Strain[1].rgb, t < 0.0 ? u_Strain[0].rgb : u_Strain[2].rgb, abs(t));
    }
    return u_Mode == 2 ? u_Groups[group].rgb : u_Color.rgb;
}

// Where between A and B the ribbon starts and ends, so that all of it is before the eye. Start above end: nowhere.
vec2 inFront(float wA, float wB) {
    const float NEAREST = 0.025; // m, beyond the near plane
    if (max(wA, wB) < NEAREST) return vec2(1.0, 0.0);
    float cut = (NEAREST - wA) / (wB - wA);
    return vec2(wA < NEAREST ? cut : 0.0, wB < NEAREST ? cut : 1.0);
}

// How far apart the threads beside this one are on the screen, pixels: what a cell of the cloth, of so many metres along
// and across, covers there, by its side along the thread. Seen from the side, long threads are close together.
float spacingOf(uint particle, vec3 point, vec2 cell, float w, float side) {
    vec3 normal = texelFetch(u_Normals, int(particle)).xyz;
    float facing = dot(normal, normal) > 0.0 ? abs(dot(normal, normalize(eye - point))) : 1.0;
    float focal = 0.5 * viewport.y * length(vec3(viewProjection[0].y, viewProjection[1].y, viewProjection[2].y));
    vec2 faceOn = cell * focal / w;
    return faceOn.y * min(faceOn.x * facing / max(side, 1e-3), 1.0);
}

void main() {
    uint index = u_BatchOffset + uint(gl_VertexID) / 6u;
    Constraint c = fetchConstraint(index);
    uint tag = texelFetch(u_Tags, int(index)).x;
    uint group = tag & 0xffu;
    vec3 a = fetchPosition(c.indexA).xyz;
    vec3 b = fetchPosition(c.indexB).xyz;

    // A bending constraint spans two cells, and cuts across what the cloth folds between its ends: it is lifted higher.
    float length3d = distance(a, b);
    float sides = group == BEND ? 0.5 : group == SHEAR ? 0.7071 : 1.0;
    float cell = length3d * sides;
    float lift = (group == BEND ? 0.6 : 0.3) * cell;
    vec4 clipA = viewProjection * vec4(lifted(a, lift), 1.0);
    vec4 clipB = viewProjection * vec4(lifted(b, lift), 1.0);
    vec2 part = inFront(clipA.w, clipB.w);
    if (part.x >= part.y) {
        gl_Position = NOWHERE;
        return;
    }
    vec4 endA = mix(clipA, clipB, part.x);
    vec4 endB = mix(clipA, clipB, part.y);
    vec2 pixelA = 0.5 * viewport * endA.xy / endA.w;
    vec2 pixelB = 0.5 * viewport * endB.xy / endB.w;
    float span = distance(pixelA, pixelB);
    vec2 along = span > 1e-3 ? (pixelB - pixelA) / span : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);

    // Ribbons cover a fixed part of the cloth however close the threads are: below a pixel they get fainter, not
    // thinner. What crosses a cell or runs beside a thread gives way first.
    float side = span * sides / (part.y - part.x);
    // What is far too long for one direction does not draw the threads across it apart.
    vec2 cellSides = vec2(cell, min(cell, 2.5 * c.restLength * sides));
    float spacing = spacingOf(c.indexA, a, cellSides, max(endA.w, endB.w), side);
    float widest = ribbonWidth * pixelsPerPoint;
    float crowd = spacing / pixelsPerPoint;
    vec4 paint = u_Mode == 3 ? texelFetch(u_Paint, int(index)) : vec4(0.5);
    float width = min(widest, 0.28 * spacing) * u_Width * 2.0 * paint.a;
    float alpha = u_Color.a;
    if (group == SHEAR || group == BEND) width *= 0.62;
    if (u_Prominent != 0) {
        width = max(width, min(widest, 1.6 * pixelsPerPoint));
    } else {
        alpha *= group == BEND ? smoothstep(5.0, 15.0, crowd) : group == SHEAR ? smoothstep(4.0, 13.0, crowd) : 1.0;
        alpha *= min(width, 1.0) * smoothstep(0.5, 4.0, crowd);
        if (alpha < 0.01) {
            gl_Position = NOWHERE;
            return;
        }
    }
    v_HalfWidth = 0.5 * max(width, 1.0);
    float bow = group == BEND ? min(0.81 * widest + 0.8, 0.26 * min(spacing, side)) : 0.0;
    v_Bow = (tag & 0x100u) != 0u ? bow : -bow;
    v_Color = vec4(colorOf(group, length3d / max(c.restLength, 1e-6) - 1.0, paint.rgb), alpha);

    const ivec2 CORNERS[6] = ivec2[](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(0, 1), ivec2(1, 0), ivec2(1, 1));
    ivec2 corner = CORNERS[gl_VertexID % 6];
    // The quad ends where the cover does. An arc is narrow where it starts, on its inner side.
    float margin = v_HalfWidth + 0.5;
    float inner = group == BEND ? 0.5 * v_HalfWidth + 0.5 : margin;
    vec2 edges = v_Bow < 0.0 ? vec2(v_Bow - margin, inner) : vec2(-inner, v_Bow + margin);
    v_Along = corner.x == 0 ? part.x : part.y;
    v_Across = corner.y == 0 ? edges.x : edges.y;
    vec4 clip = corner.x == 0 ? endA : endB;
    gl_Position = vec4(clip.xy + across * v_Across * clip.w * 2.0 / viewport, clip.zw);
}
