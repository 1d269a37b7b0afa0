// Random bits that are a function of what they are for: the same on every driver and in every order.
#ifndef HASH_GLSL
#define HASH_GLSL

// A bijection of the 32-bit words with every bit of the result hanging on every bit of x (a xor-shift-multiply finaliser
// with Wellons' constants).
uint mixBits(uint x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

uint hashOf(uint a, uint b) {
    return mixBits(a ^ mixBits(b + 0x9e3779b9u));
}

#endif
