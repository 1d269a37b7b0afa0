// edge_chain_plan: what each edge of the list can do to get a colour of the palette, and the points that it needs for it.
//
// One invocation an entry of the list. In a round the colours are paired: colour a with (round − a) mod palette. Paths of
// different pairs share no edge, so all that a swap must not meet is another one at its ends: each edge claims them, and the
// point that it relies on.
//   reads   EdgeBuffer, MaskBuffer, SlotBuffer, the list
//   writes  PlanBuffer of its own edge, ClaimBuffer by atomicMax, the sum of edges followed in rounds[0]
// An edge (u, v) without a colour, a free at u, b free at v: swap the path from v that starts with a; then a is free at
// both. If that path ends at u, the edge takes b and the edge of colour b at u looks on in its place: a step of Vizing's fan.
// Where no pair fits, a path that starts at u is swapped at times, so that other pairs come up.
#version 450
#include "common/claims.glsl"
#include "common/worklist.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

// Colours of u that are tried against v.
const uint MAX_TRIES = 8u;

const Plan WAIT = Plan(PLAN_WAIT, 0u, 0u, 0u, 0u);

uint partnerOf(uint color) {
    return (u_Round % palette + palette - color) % palette;
}

// Where the path from `start` of alternately `first` and `second` ends; UNCOLORED when it is longer than is followed.
uint endOf(uint start, uint first, uint second) {
    PathEnd end = followPath(start, first, second);
    atomicAdd(rounds[0].count, end.edges);
    return end.edges <= maxPath ? end.point : UNCOLORED;
}

Plan chainPlan(uint u, uint v) {
    uint tries = 0u;
    for (uint word = 0u; word * WORD < palette; ++word) {
        for (uint free = freeWord(u, word); free != 0u && tries < MAX_TRIES; free &= free - 1u) {
            ++tries;
            uint a = word * WORD + uint(findLSB(free));
            uint b = partnerOf(a);
            if (a == b || !isFreeAt(v, b)) continue;
            uint end = endOf(v, a, b);
            if (end != UNCOLORED && end != u) return Plan(PLAN_CHAIN, a, b, v, end);
            uint neighbor = edgeOfColor(u, b);
            return Plan(PLAN_SHIFT, b, neighbor, v, otherPoint(neighbor, u));
        }
    }
    return WAIT;
}

Plan swapPlan(uint u, uint bits) {
    uint a = freeColor(uvec2(u), bits);
    if (a == UNCOLORED) return WAIT;
    uint b = partnerOf(a);
    if (a == b || isFreeAt(u, b)) return WAIT;
    uint end = endOf(u, b, a);
    return end == UNCOLORED ? WAIT : Plan(PLAN_SWAP, b, a, u, end);
}

Plan planOf(uint edge, uvec2 points) {
    uint bits = hashOf(edge, seed + u_Round);
    uint color = freeColor(points, bits >> 4);
    if (color != UNCOLORED) return Plan(PLAN_DIRECT, color, 0u, points.x, points.x);
    if ((bits & 1u) != 0u) points = points.yx;
    Plan plan = chainPlan(points.x, points.y);
    return plan.kind == PLAN_WAIT && (bits & 6u) == 6u ? swapPlan(points.x, bits >> 4) : plan;
}

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    uvec2 points = pointsOf(edge);
    Plan plan = planOf(edge, points);
    plans[edge] = plan;
    if (plan.kind == PLAN_WAIT) return;
    uint mark = markOf(edge);
    claim(points.x, 0u, mark);
    claim(points.y, 0u, mark);
    claim(plan.end, 0u, mark);
}
