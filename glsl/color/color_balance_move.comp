// color_balance_move: as many of the primitives that could leave a class as it gives, chosen at random.
//
// One invocation an entry of the list. Those of one class share no point, and go to one class, which no other class gives to.
//   reads   ColorBuffer of its own primitive, ClassBuffer.transfer and .candidates, the list
//   writes  ColorBuffer of its own primitive, ClassBuffer.moved
#version 450
#include "common/incidence.glsl"
#include "common/worklist.glsl"
#include "common/class_counters.glsl"
#include "common/hash.glsl"

layout(local_size_x = LOCAL_SIZE) in;

void main() {
    uint primitive = listed();
    if (primitive == UNCOLORED) return;

    uint giver = colorOf(primitive);
    if (!goes(giver, hashOf(primitive, seed + u_Round))) return;
    // The list was made for the round before.
    uint taker = partnerOf(giver, u_Round - 1u);
    colors[primitive] = taker;
    book(giver, taker);
}
