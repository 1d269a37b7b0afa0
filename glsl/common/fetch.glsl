// Reads of positions and constraints, by one of two paths over the same memory.
//
// FETCH_TEXTURE 1 reads them as buffer textures, 0 as storage blocks. Mesa's software driver turns a storage load that
// differs between invocations into a loop over its lanes; a texture fetch is five times faster there. Writes go through the
// storage block in both cases. Reading an element through the texture in the dispatch that writes another is well defined;
// nobody reads what somebody else writes within a dispatch.
#ifndef FETCH_GLSL
#define FETCH_GLSL

#include "common/layout.glsl"

#if FETCH_TEXTURE

layout(binding = 0) uniform samplerBuffer u_Positions;
layout(binding = 1) uniform usamplerBuffer u_Constraints;

vec4 fetchPosition(uint particle) {
    return texelFetch(u_Positions, int(particle));
}

Constraint fetchConstraint(uint index) {
    uvec4 texel = texelFetch(u_Constraints, int(index));
    return Constraint(texel.x, texel.y, uintBitsToFloat(texel.z), 0.0);
}

#else

#include "common/positions.glsl"

layout(std430, binding = CONSTRAINTS) readonly buffer ConstraintBuffer {
    Constraint constraints[];
};

vec4 fetchPosition(uint particle) {
    return positions[particle];
}

Constraint fetchConstraint(uint index) {
    return constraints[index];
}

#endif
#endif
