// workset_histogram: the primitives of each colour in each chunk.
//
// One invocation a chunk, which alone writes the chunk's counters.
//   reads   BaseOrderBuffer, ColorBuffer
//   writes  CounterBuffer
#version 450
#include "common/workset.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= chunkCount) return;

    for (uint color = 0u; color < u_ColorCount; ++color) counters[color * chunkCount + id] = 0u;
    uint end = min((id + 1u) * chunk, primitiveCount);
    for (uint i = id * chunk; i < end; ++i) counters[colorOf(baseOrder(i)) * chunkCount + id] += 1u;
}
