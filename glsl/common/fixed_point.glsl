// Sums that do not depend on the order: 64-bit fixed point in two 32-bit words.
//
// Core OpenGL 4.5 adds integers atomically, 32 bits at a time, and no floats. One word is too short: at a resolution that
// keeps float accuracy it overflows a fraction of a rest length from rest. A sum is low + 2^32 high, both signed, with the
// overflow of the low word passed on by hand. Its low word is the sum modulo 2^32 and so its high word is settled too,
// whatever the order in which invocations add. A small addend, of either sign, costs one atomic.
#ifndef FIXED_POINT_GLSL
#define FIXED_POINT_GLSL

const float WORD = 4294967296.0; // 2^32

// `value` steps, a whole number of at most 2^62 in magnitude: x the low word, y the high one. Exact.
ivec2 toFixed(float value) {
    float high = roundEven(value / WORD);
    float low = value - high * WORD;
    if (low == 0.5 * WORD) {
        low = -low;
        high += 1.0;
    }
    return ivec2(int(low), int(high));
}

// The nearest float, up to the rounding of the two words.
float fromFixed(ivec2 words) {
    return float(words.y) * WORD + float(words.x);
}

// 1, -1 or 0: what adding `addend` to `before` overflowed by, in units of 2^32.
int overflowOf(int before, int addend) {
    int after = before + addend;
    return int(addend > 0 && after < before) - int(addend < 0 && after > before);
}

#endif
