// Sets of colours, 64 at a time: a window starts at a multiple of 64, and bit i of its mask is colour start + i.
#ifndef COLOR_SET_GLSL
#define COLOR_SET_GLSL

#include "common/incidence.glsl"

#define WINDOW 64u

uvec2 bitAt(uint index) {
    return index < 32u ? uvec2(1u << index, 0u) : uvec2(0u, 1u << (index - 32u));
}

// The bits below `count`, which may be beyond the window.
uvec2 bitsBelow(uint count) {
    uint low = count >= 32u ? 0xffffffffu : (1u << count) - 1u;
    uint high = count >= 64u ? 0xffffffffu : count > 32u ? (1u << (count - 32u)) - 1u : 0u;
    return uvec2(low, high);
}

bool isEmpty(uvec2 mask) { return (mask.x | mask.y) == 0u; }

uint sizeOf(uvec2 mask) { return uint(bitCount(mask.x) + bitCount(mask.y)); }

// The index of bit number `rank`, counted from the lowest; the mask has that many.
uint bitOfRank(uvec2 mask, uint rank) {
    uint inLow = uint(bitCount(mask.x));
    uint word = mask.x;
    uint base = 0u;
    if (rank >= inLow) {
        word = mask.y;
        base = 32u;
        rank -= inLow;
    }
    for (; rank > 0u; --rank) word &= word - 1u;
    return base + uint(findLSB(word));
}

// The colours of a window that primitives at `point` have.
uvec2 takenAt(uint point, uint window) {
    uvec2 taken = uvec2(0u);
    Run at = primitivesAt(point);
    for (uint i = at.begin; i < at.end; ++i) {
        // Colours below the window, and UNCOLORED, wrap around to far above it.
        uint index = colorOf(incidenceWord(i)) - window;
        if (index < WINDOW) taken |= bitAt(index);
    }
    return taken;
}

bool isFreeAt(uint point, uint color) {
    Run at = primitivesAt(point);
    for (uint i = at.begin; i < at.end; ++i) {
        if (colorOf(incidenceWord(i)) == color) return false;
    }
    return true;
}

// The colours of a window that no primitive at a point of `primitive` has, of those below `limit`.
uvec2 freeOf(uint primitive, uint window, uint limit) {
    uvec2 taken = ~bitsBelow(limit - window);
    Run points = pointsOf(primitive);
    for (uint i = points.begin; i < points.end; ++i) taken |= takenAt(incidenceWord(i), window);
    return ~taken;
}

#endif
