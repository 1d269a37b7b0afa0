// The run of constraints that a dispatch handles.
#ifndef BATCH_GLSL
#define BATCH_GLSL

layout(location = 0) uniform uint u_BatchOffset;
layout(location = 1) uniform uint u_BatchCount;

#endif
