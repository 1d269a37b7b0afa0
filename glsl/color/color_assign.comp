// color_assign: each primitive of the list speculates on a colour that no neighbour has: of the palette, or above it where all of that is
// taken.
//
// One invocation an entry of the list.
//   reads   IncidenceBuffer, ColorBuffer, the list
//   writes  SpeculationBuffer of its own primitive
// Gebremedhin and Manne 2000, algorithm 2, phase 1. Forbidden colours are gathered 64 at a time.
#version 450
#include "common/color_set.glsl"
#include "common/worklist.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

// A random free colour of the palette, from the first window that has one, starting at a random window.
uint randomFree(uint primitive) {
    uint bits = hashOf(primitive, seed + u_Round);
    uint windows = (palette + WINDOW - 1u) / WINDOW;
    uint first = windows > 1u ? mixBits(bits) % windows : 0u;
    for (uint i = 0u; i < windows; ++i) {
        uint window = (first + i) % windows * WINDOW;
        uvec2 free = freeOf(primitive, window, palette);
        if (!isEmpty(free)) return window + bitOfRank(free, bits % sizeOf(free));
    }
    return UNCOLORED;
}

uint lowestFree(uint primitive, uint from, uint limit) {
    for (uint window = from / WINDOW * WINDOW; window < limit; window += WINDOW) {
        uvec2 free = freeOf(primitive, window, limit);
        if (from > window) free &= ~bitsBelow(from - window);
        if (!isEmpty(free)) return window + bitOfRank(free, 0u);
    }
    return UNCOLORED;
}

void main() {
    uint primitive = listed();
    if (primitive == UNCOLORED) return;

    uint color = choice == CHOICE_LOWEST ? lowestFree(primitive, 0u, palette) : randomFree(primitive);
    // No colouring needs more colours than there are primitives.
    if (color == UNCOLORED) color = lowestFree(primitive, palette, primitiveCount);
    speculations[primitive] = color;
}
