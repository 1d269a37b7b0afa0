// Worksets: primitives sorted by colour, in the order that they are given within a colour.
//
// Chunks of the given order are counted, the counts summed up, and the chunks dealt out, each invocation walking its chunk
// forwards: no atomics, and the result does not hang on the order of invocations.
#ifndef WORKSET_GLSL
#define WORKSET_GLSL

#include "common/incidence.glsl"

layout(location = 0) uniform uint u_ColorCount;

// By colour, then by chunk: how many primitives of the colour are in the chunk; after workset_scan, where the first goes.
layout(std430, binding = COUNTERS) coherent buffer CounterBuffer { uint counters[]; };

#if FETCH_TEXTURE
layout(binding = 3) uniform usamplerBuffer u_BaseOrder;
uint baseOrder(uint index) { return texelFetch(u_BaseOrder, int(index)).x; }
#else
layout(std430, binding = BASE_ORDER) readonly buffer BaseOrderBuffer { uint orderBefore[]; };
uint baseOrder(uint index) { return orderBefore[index]; }
#endif

#endif
