// Where the particles were, and how fast, a substep before the last one.
#ifndef HISTORY_GLSL
#define HISTORY_GLSL

#include "common/layout.glsl"

layout(std430, binding = HISTORIES) buffer HistoryBuffer { History histories[]; };

#endif
