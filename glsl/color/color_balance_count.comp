// color_balance_count: the primitives that could leave a class that gives.
//
// One invocation a primitive. It can change to the partner's colour when that is free at all its points.
//   reads   IncidenceBuffer, ColorBuffer, ClassBuffer.transfer
//   writes  ClassBuffer.candidates, the next list
#version 450
#include "common/incidence.glsl"
#include "common/worklist.glsl"
#include "common/class_counters.glsl"

layout(local_size_x = LOCAL_SIZE) in;

bool isFree(uint primitive, uint color) {
    Run points = pointsOf(primitive);
    for (uint i = points.begin; i < points.end; ++i) {
        Run at = primitivesAt(incidenceWord(i));
        for (uint j = at.begin; j < at.end; ++j) {
            if (colorOf(incidenceWord(j)) == color) return false;
        }
    }
    return true;
}

void main() {
    uint primitive = gl_GlobalInvocationID.x;
    if (primitive >= primitiveCount) return;

    uint color = colorOf(primitive);
    if (color >= palette || classes[color].transfer == 0u) return;
    if (!isFree(primitive, partnerOf(color, u_Round))) return;
    atomicAdd(classes[color].candidates, 1u);
    appendForNextRound(primitive);
}
