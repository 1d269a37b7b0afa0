// Edges: primitives of two points, or of one, which has it twice. What is known of a point and a colour is looked up, not
// searched for.
//
//   slot  the edge of that colour at that point; UNCOLORED where there is none
//   mask  the colours that edges at a point have, 32 a word
// FETCH_TEXTURE as in fetch.glsl.
#ifndef EDGES_GLSL
#define EDGES_GLSL

#include "common/layout.glsl"
#include "common/color_params.glsl"

layout(std430, binding = COLORS) buffer ColorBuffer { uint colors[]; };
layout(std430, binding = MASKS) buffer MaskBuffer { uint masks[]; };
layout(std430, binding = SLOTS) buffer SlotBuffer { uint slots[]; };
layout(std430, binding = PLANS) buffer PlanBuffer { Plan plans[]; };

// What is to be done with an edge.
#define PLAN_WAIT 0u   // nothing in this round
#define PLAN_DIRECT 1u // take a colour that is free at both points
#define PLAN_CHAIN 2u  // swap the path that starts at one point, then take its first colour
#define PLAN_SHIFT 3u  // take the colour of a neighbour, which then has none
#define PLAN_SWAP 4u   // swap a path, and look again in the next round
#define PLAN_KINDS 7u
#define PLAN_FROM_Y 8u // added where the path starts at the edge's second point

#if FETCH_TEXTURE

layout(binding = 0) uniform usamplerBuffer u_Edges;
layout(binding = 1) uniform usamplerBuffer u_Colors;
layout(binding = 2) uniform usamplerBuffer u_Masks;
layout(binding = 3) uniform usamplerBuffer u_Slots;
layout(binding = 5) uniform usamplerBuffer u_Plans;

uvec2 pointsOf(uint edge) { return texelFetch(u_Edges, int(edge)).xy; }
uint colorOf(uint edge) { return texelFetch(u_Colors, int(edge)).x; }
uint maskWord(uint index) { return texelFetch(u_Masks, int(index)).x; }
uint slotWord(uint index) { return texelFetch(u_Slots, int(index)).x; }
Plan planOf(uint edge) {
    uvec4 plan = texelFetch(u_Plans, int(edge));
    return Plan(plan.x, plan.y, plan.z, plan.w);
}

#else

layout(std430, binding = EDGES) readonly buffer EdgeBuffer { uvec2 edges[]; };

uvec2 pointsOf(uint edge) { return edges[edge]; }
uint colorOf(uint edge) { return colors[edge]; }
uint maskWord(uint index) { return masks[index]; }
uint slotWord(uint index) { return slots[index]; }
Plan planOf(uint edge) { return plans[edge]; }

#endif

uint startOf(Plan plan, uvec2 points) { return (plan.kind & PLAN_FROM_Y) == 0u ? points.x : points.y; }

#define WORD 32u

uint maskWords() { return (stride + WORD - 1u) / WORD; }
uint maskIndex(uint point, uint color) { return point * maskWords() + color / WORD; }
uint maskBit(uint color) { return 1u << (color % WORD); }
uint slotIndex(uint point, uint color) { return point * stride + color; }

// The colours `word` · 32 and up that no edge at a point has, of those in the palette.
uint freeWord(uint point, uint word) {
    uint left = palette - word * WORD;
    uint inPalette = left >= WORD ? 0xffffffffu : (1u << left) - 1u;
    return ~maskWord(point * maskWords() + word) & inPalette;
}

bool isFreeAt(uint point, uint color) {
    return (maskWord(maskIndex(point, color)) & maskBit(color)) == 0u;
}

uint edgeOfColor(uint point, uint color) {
    return slotWord(slotIndex(point, color));
}

uint otherPoint(uint edge, uint point) {
    uvec2 points = pointsOf(edge);
    return points.x == point ? points.y : points.x;
}

// The place of bit number `rank`, counted from the lowest; the word has that many.
uint bitOfRank(uint word, uint rank) {
    for (; rank > 0u; --rank) word &= word - 1u;
    return uint(findLSB(word));
}

// A random colour that is free at both points, from the first word that has one, starting at a random word; UNCOLORED where
// none is.
uint freeColor(uvec2 points, uint bits) {
    uint words = (palette + WORD - 1u) / WORD;
    uint first = words > 1u ? (bits >> 20) % words : 0u;
    for (uint i = 0u; i < words; ++i) {
        uint word = (first + i) % words;
        uint free = freeWord(points.x, word) & freeWord(points.y, word);
        if (free != 0u) return word * WORD + bitOfRank(free, bits % uint(bitCount(free)));
    }
    return UNCOLORED;
}

// Gives an edge a colour that is free at its points. Others may give other colours at the same points meanwhile.
void setColor(uint edge, uvec2 points, uint color) {
    colors[edge] = color;
    slots[slotIndex(points.x, color)] = edge;
    slots[slotIndex(points.y, color)] = edge;
    atomicOr(masks[maskIndex(points.x, color)], maskBit(color));
    atomicOr(masks[maskIndex(points.y, color)], maskBit(color));
}

// Alternating paths: the connected runs of the edges of two colours. Where such a path is swapped from end to end, every point
// but its two ends keeps the colours that it had (Kempe 1879; Vizing 1964 for edges).

struct PathEnd {
    uint point;
    uint edge;  // the last one; UNCOLORED of a path without edges
    uint edges; // how many; maxPath + 1 when there may be more
};

// Follows the path from a point that has an edge of `first`, or none, and no edge of `second`.
PathEnd followPath(uint start, uint first, uint second) {
    PathEnd end = PathEnd(start, UNCOLORED, 0u);
    uint color = first;
    while (end.edges <= maxPath) {
        uint edge = edgeOfColor(end.point, color);
        if (edge == UNCOLORED) break;
        uint point = otherPoint(edge, end.point);
        bool dangling = point == end.point;
        end = PathEnd(point, edge, end.edges + 1u);
        if (dangling) break;
        color = first + second - color;
    }
    return end;
}

void flipMasks(uint point, uint first, uint second) {
    atomicXor(masks[maskIndex(point, first)], maskBit(first));
    atomicXor(masks[maskIndex(point, second)], maskBit(second));
}

// Swaps the two colours along a path of at least one edge that followPath came to the end of. What is looked up at a point is looked up before it
// is changed there.
void swapPath(uint start, uint first, uint second) {
    uint point = start;
    uint color = first;
    uint edge = edgeOfColor(start, first);
    flipMasks(start, first, second);
    slots[slotIndex(start, first)] = UNCOLORED;
    slots[slotIndex(start, second)] = edge;
    for (uint edges = 0u; edges < maxPath; ++edges) {
        uint other = first + second - color;
        uint far = otherPoint(edge, point);
        colors[edge] = other;
        if (far == point) return;
        uint next = edgeOfColor(far, other);
        slots[slotIndex(far, other)] = edge;
        slots[slotIndex(far, color)] = next;
        if (next == UNCOLORED) {
            flipMasks(far, first, second);
            return;
        }
        point = far;
        edge = next;
        color = other;
    }
}

#endif
