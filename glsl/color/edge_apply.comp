// edge_apply: carries out the plans of the edges whose claims all stand; the others go on to the next round.
//
// One invocation an entry of the list. What it looks up, an edge of a colour at a point, nobody else changes: see edge_plan
// for why two plans that are granted do not meet.
//   reads   EdgeBuffer, SlotBuffer, PlanBuffer of its own edge, ClaimBuffer, the list
//   writes  ColorBuffer, SlotBuffer and MaskBuffer of its own edge and along its path, the next list
// Gebremedhin and Manne 2000, algorithm 2, phase 2.
#version 450
#include "common/claims.glsl"
#include "common/worklist.glsl"

layout(local_size_x = LOCAL_SIZE) in;

bool isPlanGranted(uvec2 points, Plan plan, uint mark) {
    uint kind = plan.kind & PLAN_KINDS;
    if (kind == PLAN_WAIT) return false;
    uint color = placeOf(plan.first, u_Round);
    if (!isGranted(points.x, color, mark) || !isGranted(points.y, color, mark)) return false;
    if (paired == 0u && kind == PLAN_CHAIN) {
        return isPathGranted(startOf(plan, points), plan.first, plan.second, mark);
    }
    return isGranted(plan.end, color, mark);
}

// The neighbour gives its colour up; at the point that it shares, and of a parallel edge at both, it is taken over at once.
void takeFrom(uint neighbor, uint color, uint end) {
    colors[neighbor] = UNCOLORED;
    slots[slotIndex(end, color)] = UNCOLORED;
    atomicAnd(masks[maskIndex(end, color)], ~maskBit(color));
}

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    Plan plan = planOf(edge);
    uint kind = plan.kind & PLAN_KINDS;
    uvec2 points = pointsOf(edge);
    if (!isPlanGranted(points, plan, markOf(edge))) {
        appendForNextRound(edge);
        return;
    }
    if (kind == PLAN_CHAIN || kind == PLAN_SWAP) swapPath(startOf(plan, points), plan.first, plan.second);
    if (kind == PLAN_SWAP) {
        appendForNextRound(edge);
        return;
    }
    if (kind == PLAN_SHIFT) {
        takeFrom(plan.second, plan.first, plan.end);
        appendForNextRound(plan.second);
    }
    setColor(edge, points, plan.first);
}
