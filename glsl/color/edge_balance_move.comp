// edge_balance_move: as many of the paths that take an edge from a class as it gives, chosen at random.
//
// One invocation an entry of the list. The paths are different ones of their pair of colours, and pairs share no colour.
//   reads   EdgeBuffer, SlotBuffer, PlanBuffer of its own edge, ClassBuffer.transfer and .candidates, the list
//   writes  ColorBuffer, SlotBuffer and MaskBuffer along its path, ClassBuffer.moved
#version 450
#include "common/edges.glsl"
#include "common/worklist.glsl"
#include "common/class_counters.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    Plan plan = planOf(edge);
    if (!goes(plan.first, hashOf(edge, seed + u_Round))) return;
    swapPath(startOf(plan, pointsOf(edge)), plan.first, plan.second);
    book(plan.first, plan.second);
}
