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
#define LAMBDAS 7

// In kernels to second order, which use no deltas
#define HISTORIES 4

// Storage blocks of the drawing kernels, which do not run beside the solver's
#define NORMALS 2
#define FAN_OFFSETS 3
#define FANS 4

// Storage blocks of the colouring kernels, which do not run beside the others
#define INCIDENCE 0
#define COLORS 1
#define SPECULATIONS 2
#define LISTS 3
#define ROUNDS 4
#define CLAIMS 5
#define PLANS 6

// Instead of some of them, in kernels over edges
#define EDGES 0
#define MASKS 2
#define SLOTS 7

// in kernels that balance
#define CLASSES 5

// and in kernels that sort
#define BATCHES 4
#define BASE_ORDER 5
#define ORDER 6
#define COUNTERS 7

#define UNCOLORED 0xffffffffu

struct Constraint {
    uint indexA;
    uint indexB;
    float restLength; // m
    float padding;
};

struct History {
    vec4 position; // m
    vec4 velocity; // m/s
};

struct Residual {
    float sum;            // of |C| / rest length
    float sumSquares;     // of its square
    float max;
    float lengthRatioSum; // of length / original length
};

// A round of colouring: the arguments of its indirect dispatch, then how many primitives its list holds. Rounds count from 1;
// in row 0, `count` sums up the edges of all paths that were followed.
struct Round {
    uint groups;
    uint groupsY; // 1
    uint groupsZ; // 1
    uint count;
};

// What a primitive means to do, see edges.glsl.
struct Plan {
    uint kind;
    uint first;  // the colour it takes, or the first of the path
    uint second; // the other colour of the path; of a shift, the neighbour
    uint end;    // the point where the path ends; of a shift, the point that the neighbour leaves
};

#endif
