// color_recolor: one class of an old colouring takes new colours, the lowest free ones.
//
// One invocation a primitive of the class. They share no point, so that none is another's neighbour; the host puts a barrier
// between classes. ColorBuffer holds the new colours, UNCOLORED where a class has not had its turn.
//   reads   OrderBuffer[u_BatchOffset .. u_BatchOffset + u_BatchCount), IncidenceBuffer, ColorBuffer of neighbours
//   writes  ColorBuffer of its own primitive
// Iterated greedy, Culberson 1992: whatever the order of the classes, there are not more colours than before.
#version 450
#include "common/color_set.glsl"
#include "common/batch.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(std430, binding = ORDER) readonly buffer OrderBuffer { uint order[]; };

void main() {
    uint id = gl_GlobalInvocationID.x;
    if (id >= u_BatchCount) return;

    uint primitive = order[u_BatchOffset + id];
    for (uint window = 0u; window < palette; window += WINDOW) {
        uvec2 free = freeOf(primitive, window, palette);
        if (!isEmpty(free)) {
            colors[primitive] = window + bitOfRank(free, 0u);
            return;
        }
    }
}
