// edge_enter: enters the colours of all edges into slots and masks, and lists the edges that have none in the palette.
//
// One invocation an edge. Slots and masks are clear before.
//   reads   EdgeBuffer, ColorBuffer of its own edge
//   writes  SlotBuffer, MaskBuffer; or ColorBuffer of its own edge and the next list
#version 450
#include "common/edges.glsl"
#include "common/worklist.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint edge = gl_GlobalInvocationID.x;
    if (edge >= primitiveCount) return;

    uint color = colorOf(edge);
    uvec2 points = pointsOf(edge);
    // An edge without points has no neighbours, and whatever colour it was given.
    if (points.x == UNCOLORED) return;
    if (color < palette) {
        setColor(edge, points, color);
    } else {
        colors[edge] = UNCOLORED;
        appendForNextRound(edge);
    }
}
