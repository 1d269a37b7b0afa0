// edge_assign: each edge of the list speculates on a random colour that is free at both its points, and claims it there.
//
// One invocation an entry of the list.
//   reads   EdgeBuffer, MaskBuffer, the list
//   writes  PlanBuffer of its own edge, ClaimBuffer by atomicMax
// Gebremedhin and Manne 2000, algorithm 2, phase 1, with points and colours in the place of neighbours.
#version 450
#include "common/claims.glsl"
#include "common/worklist.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint edge = listed();
    if (edge == UNCOLORED) return;

    uvec2 points = pointsOf(edge);
    uint color = freeColor(points, hashOf(edge, seed + u_Round));
    plans[edge].first = color;
    if (color == UNCOLORED) return;
    uint mark = markOf(edge);
    claim(points.x, color, mark);
    claim(points.y, color, mark);
}
