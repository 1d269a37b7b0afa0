// edge_chain_apply: carries out the plans of the edges whose claims all stand.
//
// One invocation an entry of the list. Paths of one pair of colours that were granted share no end, so they are different
// paths; other pairs swap other colours. What an invocation looks up, an edge of one of its two colours at a point of its
// path, nobody else changes.
//   reads   EdgeBuffer, SlotBuffer, PlanBuffer of its own edge, ClaimBuffer, the list
//   writes  ColorBuffer, SlotBuffer and MaskBuffer of its own edge and along its path, the next list
#version 450
#include "common/claims.glsl"
#include "common/worklist.glsl"

layout(local_size_x = LOCAL_SIZE) in;

bool isGranted(uvec2 points, Plan plan, uint mark) {
    return plan.kind != PLAN_WAIT && isGranted(points.x, 0u, mark) && isGranted(points.y, 0u, mark)
        && isGranted(plan.end, 0u, mark);
}

// The neighbour gives its colour up at the point that it does not share.
void takeFrom(uint neighbor, uint color, uint end, uvec2 points) {
    colors[neighbor] = UNCOLORED;
    if (end == points.x || end == points.y) return;
    slots[slotIndex(end, color)] = UNCOLORED;
    atomicAnd(masks[maskIndex(end, color)], ~maskBit(color));
}

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    Plan plan = plans[edge];
    uvec2 points = pointsOf(edge);
    if (!isGranted(points, plan, markOf(edge))) {
        appendForNextRound(edge);
        return;
    }
    if (plan.kind == PLAN_CHAIN || plan.kind == PLAN_SWAP) swapPath(plan.start, plan.first, plan.second);
    if (plan.kind == PLAN_SWAP) {
        appendForNextRound(edge);
        return;
    }
    if (plan.kind == PLAN_SHIFT) {
        takeFrom(plan.second, plan.first, plan.end, points);
        appendForNextRound(plan.second);
    }
    setColor(edge, points, plan.first);
}
