// edge_balance_count: the edges that could leave a class that gives, and the paths that could be swapped to the same effect.
//
// One invocation an edge. It can change to the partner's colour when that is free at both its points. Where it is free at one,
// the edge starts a path of the two colours, and when the path also ends with an edge of the class, swapping it takes one
// edge from the class and gives it to the partner. Of the two edges at the ends, the lower one speaks for the path.
//   reads   EdgeBuffer, ColorBuffer, MaskBuffer, SlotBuffer, ClassBuffer.transfer
//   writes  PlanBuffer of its own edge, ClassBuffer.candidates, the next list
#version 450
#include "common/edges.glsl"
#include "common/worklist.glsl"
#include "common/class_counters.glsl"

layout(local_size_x = LOCAL_SIZE) in;

// Where the path starts; UNCOLORED where there is none to swap, or another edge speaks for it.
uint startOf(uint edge, uint color, uint partner) {
    uvec2 points = pointsOf(edge);
    if (points.x == UNCOLORED) return UNCOLORED;
    bool freeX = isFreeAt(points.x, partner);
    bool freeY = isFreeAt(points.y, partner);
    if (freeX && freeY) return points.x;
    if (!freeX && !freeY) return UNCOLORED;
    uint start = freeX ? points.x : points.y;
    PathEnd end = followPath(start, color, partner);
    return end.edges <= maxPath && end.edges % 2u == 1u && edge < end.edge ? start : UNCOLORED;
}

void main() {
    uint edge = gl_GlobalInvocationID.x;
    if (edge >= primitiveCount) return;

    uint color = colorOf(edge);
    if (color >= palette || classes[color].transfer == 0u) return;
    uint partner = partnerOf(color, u_Round);
    uint start = startOf(edge, color, partner);
    if (start == UNCOLORED) return;
    plans[edge] = Plan(PLAN_SWAP | (start == pointsOf(edge).x ? 0u : PLAN_FROM_Y), color, partner, start);
    atomicAdd(classes[color].candidates, 1u);
    appendForNextRound(edge);
}
