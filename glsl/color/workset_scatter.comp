// workset_scatter: the primitives, each to its place.
//
// One invocation a chunk, which alone writes the chunk's counters, and places that no other chunk has.
//   reads   BaseOrderBuffer, ColorBuffer, CounterBuffer
//   writes  OrderBuffer, CounterBuffer
#version 450
#include "common/workset.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = ORDER) writeonly buffer OrderBuffer { uint order[]; };

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= chunkCount) return;

    uint end = min((id + 1u) * chunk, primitiveCount);
    for (uint i = id * chunk; i < end; ++i) {
        uint primitive = baseOrder(i);
        uint counter = colorOf(primitive) * chunkCount + id;
        uint place = counters[counter];
        order[place] = primitive;
        counters[counter] = place + 1u;
    }
}
