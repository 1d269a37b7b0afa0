// edge_plan: what each edge of the list can do to get a colour of the palette, and the places that it claims for it.
//
// One invocation an entry of the list.
//   reads   EdgeBuffer, MaskBuffer, SlotBuffer, the list
//   writes  PlanBuffer of its own edge, ClaimBuffer by atomicMax, the sum of edges followed in rounds[0]
// A random colour that is free at both points is taken at once: Gebremedhin and Manne 2000, algorithm 2, phase 1, with points
// and colours in the place of neighbours. Else, of an edge (u, v), a is free at u and b at v: swap the path from v that
// starts with a; then a is free at both. If that path ends at u, the edge takes b, and the edge of colour b at u looks on in
// its place: a step of Vizing's fan.
// What is swapped must not meet another's swap. While paths are short, an edge claims all of its path. For long ones the
// colours are paired, in a round colour a with (round − a) mod palette: paths of different pairs share no edge, and those of
// one pair are the same when they share an end, so that the ends are all that is claimed. Where no pair fits, a path that
// starts at u is swapped at times, so that other pairs come up.
#version 450
#include "common/claims.glsl"
#include "common/worklist.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

// Colours of u that are tried against v.
const uint MAX_TRIES = 8u;

// The path that an edge (u, v) looks into: `first` of it is free at u and the other colour at v, or it is to be swapped.
struct Path {
    uint kind; // PLAN_CHAIN, PLAN_SWAP, or PLAN_WAIT for none
    uint start;
    uint first;
    uint second;
};

Path shortPath(uint u, uint v, uint bits) {
    uint a = freeColor(uvec2(u), bits);
    uint b = freeColor(uvec2(v), bits >> 8);
    return Path(a == UNCOLORED || b == UNCOLORED ? PLAN_WAIT : PLAN_CHAIN, v, a, b);
}

Path pairedPath(uint u, uint v, uint bits) {
    uint tries = 0u;
    for (uint word = 0u; word * WORD < palette; ++word) {
        for (uint free = freeWord(u, word); free != 0u && tries < MAX_TRIES; free &= free - 1u) {
            ++tries;
            uint a = word * WORD + uint(findLSB(free));
            uint b = partnerOf(a, u_Round);
            if (a != b && isFreeAt(v, b)) return Path(PLAN_CHAIN, v, a, b);
        }
    }
    uint a = freeColor(uvec2(u), bits >> 2);
    if ((bits & 3u) != 3u || a == UNCOLORED) return Path(PLAN_WAIT, u, 0u, 0u);
    uint b = partnerOf(a, u_Round);
    return Path(a == b || isFreeAt(u, b) ? PLAN_WAIT : PLAN_SWAP, u, b, a);
}

Plan newPlan(uint edge, uvec2 points) {
    uint bits = hashOf(edge, seed + u_Round);
    uint color = freeColor(points, bits >> 4);
    if (color != UNCOLORED) return Plan(PLAN_DIRECT, color, 0u, points.x);

    uint u = (bits & 1u) != 0u ? points.y : points.x;
    uint v = (bits & 1u) != 0u ? points.x : points.y;
    Path path = paired == 0u ? shortPath(u, v, bits >> 4) : pairedPath(u, v, bits >> 1);
    if (path.kind == PLAN_WAIT) return Plan(PLAN_WAIT, 0u, 0u, 0u);

    PathEnd end = followPath(path.start, path.first, path.second);
    atomicAdd(rounds[0].count, end.edges);
    uint side = path.start == points.y ? PLAN_FROM_Y : 0u;
    bool ends = end.edges <= maxPath;
    if (ends && (path.kind == PLAN_SWAP || end.point != u)) {
        return Plan(path.kind | side, path.first, path.second, end.point);
    }
    if (path.kind == PLAN_SWAP) return Plan(PLAN_WAIT, 0u, 0u, 0u);
    uint neighbor = edgeOfColor(u, path.second);
    return Plan(PLAN_SHIFT, path.second, neighbor, otherPoint(neighbor, u));
}

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    uvec2 points = pointsOf(edge);
    Plan plan = newPlan(edge, points);
    plans[edge] = plan;
    uint kind = plan.kind & PLAN_KINDS;
    if (kind == PLAN_WAIT) return;
    uint mark = markOf(edge);
    uint color = placeOf(plan.first, u_Round);
    claim(points.x, color, mark);
    claim(points.y, color, mark);
    if (kind == PLAN_DIRECT) return;
    if (paired == 0u && kind == PLAN_CHAIN) {
        claimPath(startOf(plan, points), plan.first, plan.second, mark);
    } else {
        claim(plan.end, color, mark);
    }
}
