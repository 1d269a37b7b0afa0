// What host and shaders share; src/gpu/layout.rs holds the other side and a test compares the two.
//
// A position is a vec4: xyz in metres, w the inverse mass in 1/kg, where 0 means pinned.
#ifndef LAYOUT_GLSL
#define LAYOUT_GLSL

// Storage blocks
#define POSITIONS 0
#define CONSTRAINTS 1
#define PREV_POSITIONS 2
#define VELOCITIES 3
#define DELTAS 4
#define VALENCES 5
#define RESIDUALS 6

// Storage blocks of the drawing kernels, which do not run beside the solver's
#define NORMALS 2
#define FAN_OFFSETS 3
#define FANS 4

struct Constraint {
    uint indexA;
    uint indexB;
    float restLength; // m
    float padding;
};

struct Residual {
    float sum;            // of |C| / rest length
    float sumSquares;     // of its square
    float max;
    float lengthRatioSum; // of length / original length
};

#endif
