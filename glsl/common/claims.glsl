// Claims: of edges that want the same place in a round, the one with the highest mark has it. A place is a point and a colour.
#ifndef CLAIMS_GLSL
#define CLAIMS_GLSL

#include "common/edges.glsl"

layout(location = 1) uniform uint u_Epoch; // rounds since the claims were cleared, from 1

layout(std430, binding = CLAIMS) buffer ClaimBuffer { uint claims[]; };

#if FETCH_TEXTURE
layout(binding = 6) uniform usamplerBuffer u_Claims;
uint claimWord(uint index) { return texelFetch(u_Claims, int(index)).x; }
#else
uint claimWord(uint index) { return claims[index]; }
#endif

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

// The colour under which an edge claims the points where it takes `color`: while colours are paired, one of both.
uint placeOf(uint color, uint round) {
    return paired == 0u ? color : min(color, partnerOf(color, round));
}

void claim(uint point, uint color, uint mark) {
    atomicMax(claims[slotIndex(point, color)], mark);
}

bool isGranted(uint point, uint color, uint mark) {
    return claimWord(slotIndex(point, color)) == mark;
}

// Claims both colours at every point of a path that followPath came to the end of.
void claimPath(uint start, uint first, uint second, uint mark) {
    uint point = start;
    uint color = first;
    for (uint edges = 0u; edges <= maxPath; ++edges) {
        claim(point, first, mark);
        claim(point, second, mark);
        uint edge = edgeOfColor(point, color);
        if (edge == UNCOLORED) return;
        uint far = otherPoint(edge, point);
        if (far == point) return;
        point = far;
        color = first + second - color;
    }
}

// Whether all of a path was granted. Others write slots meanwhile, but none of a place that is granted: what is looked up is
// looked up after its claim.
bool isPathGranted(uint start, uint first, uint second, uint mark) {
    uint point = start;
    uint color = first;
    for (uint edges = 0u; edges <= maxPath; ++edges) {
        if (!isGranted(point, first, mark) || !isGranted(point, second, mark)) return false;
        uint edge = edgeOfColor(point, color);
        if (edge == UNCOLORED) return true;
        uint far = otherPoint(edge, point);
        if (far == point) return true;
        point = far;
        color = first + second - color;
    }
    return false;
}

#endif
