// The projection of a distance constraint, without buffers.
#ifndef DISTANCE_GLSL
#define DISTANCE_GLSL

// Particles closer than this have no direction to be moved in, m.
const float MIN_DISTANCE = 1e-6;

// The displacement of B for each unit of its inverse mass; A's is the opposite.
//
//   C(pA, pB) = |pA - pB| - d,   correction = C / (wA + wB) n,   n = (pA - pB) / |pA - pB|
//
// Müller, Heidelberger, Hennix, Ratcliff 2007, "Position Based Dynamics", eq. 10 and 11. Zero where there is no direction
// (coincident particles) and where nothing can move (both pinned).
vec3 distanceCorrection(vec4 pA, vec4 pB, float restLength) {
    vec3 delta = pA.xyz - pB.xyz;
    float currentDist = length(delta);
    float wSum = pA.w + pB.w;
    if (currentDist < MIN_DISTANCE || wSum == 0.0) return vec3(0.0);
    float error = currentDist - restLength;
    return (error / wSum) * (delta / currentDist);
}

#endif
