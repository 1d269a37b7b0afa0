// What the colouring kernels are told.
#ifndef COLOR_PARAMS_GLSL
#define COLOR_PARAMS_GLSL

layout(std140, binding = 2) uniform ColorParams {
    uint primitiveCount;
    uint pointCount;
    uint arity;             // points of every primitive; 0 when they differ
    uint pointsStart;       // where the parts of IncidenceBuffer start; the offsets of primitives are at 0
    uint pointOffsetsStart;
    uint primitivesStart;
    uint palette;           // colours to choose from
    uint paired;            // 1: colours are paired and paths may be long, see edge_plan
    uint choice;            // CHOICE_*
    uint priority;          // PRIORITY_*
    uint seed;
    uint priorityBits;      // bits that number the primitives, see claims.glsl
    uint maxPath;           // edges of a path that is followed
    uint stride;            // colours that there is room for at a point, see edges.glsl
    uint chunk;             // primitives that one invocation sorts, see workset_histogram
    uint chunkCount;
};

// The colour that a colour is paired with in a round; itself when it rests.
uint partnerOf(uint color, uint round) {
    return (round % palette + palette - color) % palette;
}

#define CHOICE_LOWEST 0u
#define CHOICE_RANDOM 1u

#define PRIORITY_INDEX 0u
#define PRIORITY_HASH 1u
#define PRIORITY_DEGREE 2u

#endif
