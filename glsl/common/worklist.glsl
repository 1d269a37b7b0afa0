// The primitives that still have no colour: a list for this round, and one that fills for the next.
//
// A round is dispatched indirectly over its list, so that a list that has run empty costs nothing and nobody reads a count
// back. The order of a list is whatever order invocations append in; no kernel depends on it.
#ifndef WORKLIST_GLSL
#define WORKLIST_GLSL

#include "common/layout.glsl"
#include "common/color_params.glsl"

layout(location = 0) uniform uint u_Round;

layout(std430, binding = LISTS) buffer ListBuffer { uint lists[]; };
layout(std430, binding = ROUNDS) buffer RoundBuffer { Round rounds[]; };

#if FETCH_TEXTURE
layout(binding = 4) uniform usamplerBuffer u_Lists;
uint listWord(uint index) { return texelFetch(u_Lists, int(index)).x; }
#else
uint listWord(uint index) { return lists[index]; }
#endif

// The entry of the list that this invocation handles, or UNCOLORED beyond its end.
uint listed() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= rounds[u_Round].count) return UNCOLORED;
    return listWord((u_Round & 1u) * primitiveCount + id);
}

void appendForNextRound(uint primitive) {
    uint next = u_Round + 1u;
    uint at = atomicAdd(rounds[next].count, 1u);
    lists[(next & 1u) * primitiveCount + at] = primitive;
    // The first entry of each workgroup asks for it.
    if (at % LOCAL_SIZE == 0u) atomicAdd(rounds[next].groups, 1u);
}

#endif
