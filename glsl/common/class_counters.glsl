// What balancing knows of each class of the palette.
#ifndef CLASS_COUNTERS_GLSL
#define CLASS_COUNTERS_GLSL

#include "common/layout.glsl"
#include "common/color_params.glsl"

struct ClassCounter {
    uint size;       // primitives
    uint transfer;   // to give to its partner in this round
    uint candidates; // primitives or paths that could
    int moved;       // came in this round, less those that left
};

layout(std430, binding = CLASSES) coherent buffer ClassBuffer { ClassCounter classes[]; };

// Whether a candidate of a class moves: on average as many do as the class gives, each with the same chance, whatever its
// place in the list.
bool goes(uint giver, uint bits) {
    uint candidates = classes[giver].candidates;
    uint transfer = classes[giver].transfer;
    return transfer >= candidates || bits % candidates < transfer;
}

void book(uint giver, uint taker) {
    atomicAdd(classes[giver].moved, -1);
    atomicAdd(classes[taker].moved, 1);
}

#endif
