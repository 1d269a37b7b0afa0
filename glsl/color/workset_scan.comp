// workset_scan: where the primitives of each colour and chunk go, and begin and length of each batch.
//
// One workgroup. Each invocation sums up a run of counters, the sums are summed up in steps of a doubling width (Hillis and
// Steele 1986), and each invocation writes its run.
//   reads   CounterBuffer
//   writes  CounterBuffer: the sum of all counters before; BatchBuffer
#version 450
#include "common/workset.glsl"

layout(local_size_x = LOCAL_SIZE) in;

struct Batch {
    uint begin;
    uint length;
};

layout(std430, binding = BATCHES) writeonly buffer BatchBuffer { Batch batches[]; };

shared uint sums[LOCAL_SIZE];

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint total = u_ColorCount * chunkCount;
    uint run = (total + LOCAL_SIZE - 1u) / LOCAL_SIZE;
    uint begin = min(lane * run, total);
    uint end = min(begin + run, total);
    uint sum = 0u;
    for (uint i = begin; i < end; ++i) sum += counters[i];
    sums[lane] = sum;
    barrier();
    for (uint step = 1u; step < LOCAL_SIZE; step *= 2u) {
        uint before = lane >= step ? sums[lane - step] : 0u;
        barrier();
        sums[lane] += before;
        barrier();
    }
    uint before = sums[lane] - sum;
    for (uint i = begin; i < end; ++i) {
        uint count = counters[i];
        counters[i] = before;
        before += count;
    }
    memoryBarrierBuffer();
    barrier();
    for (uint color = lane; color < u_ColorCount; color += LOCAL_SIZE) {
        uint first = counters[color * chunkCount];
        uint next = color + 1u < u_ColorCount ? counters[(color + 1u) * chunkCount] : primitiveCount;
        batches[color] = Batch(first, next - first);
    }
}
