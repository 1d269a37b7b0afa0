// Which primitives touch which points, both ways, and the colours as they are: src/coloring/incidence.rs in one buffer.
//
// FETCH_TEXTURE as in fetch.glsl. Where a kernel writes colours or speculations, it says below whose it reads.
#ifndef INCIDENCE_GLSL
#define INCIDENCE_GLSL

#include "common/layout.glsl"
#include "common/color_params.glsl"

layout(std430, binding = COLORS) buffer ColorBuffer { uint colors[]; };
layout(std430, binding = SPECULATIONS) buffer SpeculationBuffer { uint speculations[]; };

#if FETCH_TEXTURE

layout(binding = 0) uniform usamplerBuffer u_Incidence;
layout(binding = 1) uniform usamplerBuffer u_Colors;
layout(binding = 2) uniform usamplerBuffer u_Speculations;

uint incidenceWord(uint index) { return texelFetch(u_Incidence, int(index)).x; }
uint colorOf(uint primitive) { return texelFetch(u_Colors, int(primitive)).x; }
uint speculationOf(uint primitive) { return texelFetch(u_Speculations, int(primitive)).x; }

#else

layout(std430, binding = INCIDENCE) readonly buffer IncidenceBuffer { uint incidence[]; };

uint incidenceWord(uint index) { return incidence[index]; }
uint colorOf(uint primitive) { return colors[primitive]; }
uint speculationOf(uint primitive) { return speculations[primitive]; }

#endif

// A run of incidence words: the points of a primitive, or the primitives at a point.
struct Run {
    uint begin;
    uint end;
};

Run pointsOf(uint primitive) {
    if (arity != 0u) return Run(pointsStart + primitive * arity, pointsStart + (primitive + 1u) * arity);
    return Run(pointsStart + incidenceWord(primitive), pointsStart + incidenceWord(primitive + 1u));
}

Run primitivesAt(uint point) {
    uint at = pointOffsetsStart + point;
    return Run(primitivesStart + incidenceWord(at), primitivesStart + incidenceWord(at + 1u));
}

#endif
