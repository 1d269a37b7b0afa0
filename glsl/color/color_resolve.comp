// color_resolve: of neighbours that speculate on one colour, one keeps it; the others go on to the next round.
//
// One invocation an entry of the list. Only speculations are compared: a neighbour that has its colour has the same
// speculation, which is forbidden and so was not chosen. Colours are written and not read.
//   reads   IncidenceBuffer, SpeculationBuffer, the list
//   writes  ColorBuffer of its own primitive, or the next list
// Gebremedhin and Manne 2000, algorithm 2, phase 2. The primitive of more points wins, then priority.
#version 450
#include "common/incidence.glsl"
#include "common/worklist.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

uint arityOf(uint primitive) {
    Run points = pointsOf(primitive);
    return points.end - points.begin;
}

// Neighbours by way of every point: one that shares two points counts twice.
uint degreeOf(uint primitive) {
    uint degree = 0u;
    Run points = pointsOf(primitive);
    for (uint i = points.begin; i < points.end; ++i) {
        Run at = primitivesAt(incidenceWord(i));
        degree += at.end - at.begin - 1u;
    }
    return degree;
}

bool beats(uint rival, uint primitive) {
    if (arity == 0u) {
        uint rivalArity = arityOf(rival);
        uint ownArity = arityOf(primitive);
        if (rivalArity != ownArity) return rivalArity > ownArity;
    }
    if (priority == PRIORITY_INDEX) return rival < primitive;
    if (priority == PRIORITY_DEGREE) {
        uint rivalDegree = degreeOf(rival);
        uint ownDegree = degreeOf(primitive);
        if (rivalDegree != ownDegree) return rivalDegree > ownDegree;
    }
    // A bijection of the indices: no two are equal.
    return mixBits(rival ^ seed) > mixBits(primitive ^ seed);
}

bool keeps(uint primitive, uint color) {
    Run points = pointsOf(primitive);
    for (uint i = points.begin; i < points.end; ++i) {
        Run at = primitivesAt(incidenceWord(i));
        for (uint j = at.begin; j < at.end; ++j) {
            uint rival = incidenceWord(j);
            if (rival != primitive && speculationOf(rival) == color && beats(rival, primitive)) return false;
        }
    }
    return true;
}

void main() {
    uint primitive = listed();
    if (primitive == UNCOLORED) return;

    uint color = speculationOf(primitive);
    if (color != UNCOLORED && keeps(primitive, color)) {
        colors[primitive] = color;
    } else {
        appendForNextRound(primitive);
    }
}
