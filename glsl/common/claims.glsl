// Claims: of edges that want the same place in a round, the one with the highest mark has it. A place is a point and a colour
// where colours are taken, and a point, under colour 0, where paths are swapped.
#ifndef CLAIMS_GLSL
#define CLAIMS_GLSL

#include "common/edges.glsl"

layout(location = 1) uniform uint u_Epoch; // rounds since the claims were cleared, from 1

layout(std430, binding = CLAIMS) buffer ClaimBuffer { uint claims[]; };

// The mark of an edge in this round: above every mark of earlier rounds, and like no other's.
uint markOf(uint edge) {
    uint bits = priorityBits;
    uint mask = bits == 0u ? 0u : 0xffffffffu >> (32u - bits);
    uint x = (mask - edge) & mask;
    if (priority != PRIORITY_INDEX) {
        // Each step is a bijection of the words of `bits` bits.
        x = (edge * 0x9e3779b1u + (u_Epoch + seed) * 0x85ebca6bu) & mask;
        x ^= x >> (bits / 2u + 1u);
        x = (x * 0xc2b2ae35u) & mask;
    }
    return bits >= 32u ? x : (u_Epoch << bits) | x;
}

void claim(uint point, uint color, uint mark) {
    atomicMax(claims[slotIndex(point, color)], mark);
}

bool isGranted(uint point, uint color, uint mark) {
    return claims[slotIndex(point, color)] == mark;
}

#endif
