// The positions, as a kernel writes them.
#ifndef POSITIONS_GLSL
#define POSITIONS_GLSL

#include "common/layout.glsl"

layout(std430, binding = POSITIONS) buffer PositionBuffer {
    vec4 positions[]; // w stores the inverse mass
};

#endif
