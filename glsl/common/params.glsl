// The parameters of a substep.
#ifndef PARAMS_GLSL
#define PARAMS_GLSL

layout(std140, binding = 0) uniform Params {
    vec3 gravity;        // m/s²
    float dt;            // length of the substep, s
    float velocityScale; // exp(-damping dt)
    float relaxation;    // ω of the Jacobi solver
    float deltaScale;    // fixed-point steps in a metre
    float deltaLimit;    // largest single correction, fixed-point steps
    float restScale;     // rest length / original length
    uint particleCount;
    float compliance;    // of distance constraints, m/N
    float padding;
};

#endif
