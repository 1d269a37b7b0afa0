// color_balance_plan: how many primitives each class gives to its partner in this round.
//
// One workgroup, which goes over the classes of the palette twice: sizes first, then what hangs on the partner's size.
//   reads   ClassBuffer: sizes, and what moved in the round before
//   writes  ClassBuffer
// A class above the mean gives to a partner below it, until either is at the mean.
#version 450
#include "common/class_counters.glsl"

layout(local_size_x = LOCAL_SIZE) in;

layout(location = 0) uniform uint u_Round;

uint transferOf(uint size, uint partnerSize) {
    uint low = primitiveCount / palette;
    uint high = (primitiveCount + palette - 1u) / palette;
    if (size <= low || partnerSize >= high || size <= partnerSize + 1u) return 0u;
    return min(size - low, high - partnerSize);
}

void main() {
    for (uint color = gl_LocalInvocationID.x; color < palette; color += LOCAL_SIZE) {
        classes[color].size = uint(int(classes[color].size) + classes[color].moved);
        classes[color].moved = 0;
        classes[color].candidates = 0u;
    }
    memoryBarrierBuffer();
    barrier();
    for (uint color = gl_LocalInvocationID.x; color < palette; color += LOCAL_SIZE) {
        classes[color].transfer = transferOf(classes[color].size, classes[partnerOf(color, u_Round)].size);
    }
}
