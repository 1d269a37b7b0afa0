// edge_resolve: an edge whose claims stand at both points keeps its colour; the others go on to the next round.
//
// One invocation an entry of the list. The colour is free at both points, and nobody else has its claim to it there.
//   reads   EdgeBuffer, PlanBuffer of its own edge, ClaimBuffer, the list
//   writes  ColorBuffer of its own edge, SlotBuffer, MaskBuffer by atomicOr; or the next list
// Gebremedhin and Manne 2000, algorithm 2, phase 2.
#version 450
#include "common/claims.glsl"
#include "common/worklist.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    uint color = planOf(edge).first;
    uvec2 points = pointsOf(edge);
    uint mark = markOf(edge);
    if (color != UNCOLORED && isGranted(points.x, color, mark) && isGranted(points.y, color, mark)) {
        setColor(edge, points, color);
    } else {
        appendForNextRound(edge);
    }
}
