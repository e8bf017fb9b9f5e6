// exp_log.h - the exponential and the logarithm of eight floats or four doubles at a time.
//
// Multiplications, additions, one division and bits of numbers, in a fixed order, so every
// instruction set gives the same bits. Compiled for AVX2 wherever SL_CLONES asks for it.
#pragma once

#include "vectors.h"

#ifdef SL_APPROX_DOUBLE
typedef uint64_t WideBits __attribute__((vector_size(32)));
typedef int64_t WideMask __attribute__((vector_size(32)));
#define EXP_LOG_OF(of_float, of_double) (of_double)
#else
typedef uint32_t WideBits __attribute__((vector_size(32)));
typedef int32_t WideMask __attribute__((vector_size(32)));
#define EXP_LOG_OF(of_float, of_double) (of_float)
#endif
typedef SlReal Wide __attribute__((vector_size(32)));

enum {
    WIDE = sizeof(Wide) / sizeof(SlReal),
    WIDE_MANTISSA = EXP_LOG_OF(23, 52),
    WIDE_BIAS = EXP_LOG_OF(127, 1023),
};

// log 2 in two numbers; whole multiples of the first, up to the largest exponent, are exact
static const SlReal wide_log_2_high = EXP_LOG_OF(0.693359375F, 0x1.62e42fee00000p-1);
static const SlReal wide_log_2_low = EXP_LOG_OF(-2.12194440e-4F, 0x1.a39ef35793c76p-33);

INLINE Wide wide_all(SlReal x) {
    return x - (Wide){0};
}

INLINE Wide wide_select(WideMask held, Wide yes, Wide no) {
    return (Wide)((held & (WideMask)yes) | (~held & (WideMask)no));
}

INLINE Wide wide_load(const SlReal *at) {
    Wide v;
    memcpy(&v, at, sizeof v);
    return v;
}

INLINE void wide_store(SlReal *at, Wide v) {
    memcpy(at, &v, sizeof v);
}

// e^x for x <= 80; 0 below -87, in doubles below -708. NaN stays NaN.
//
// x = k log 2 + r with |r| <= log(2) / 2, and e^r by its Taylor series.
INLINE Wide wide_exp(Wide x) {
    // 1 / i!
    static const SlReal terms[] = {1,
                                   1,
                                   (SlReal)(1 / 2.0),
                                   (SlReal)(1 / 6.0),
                                   (SlReal)(1 / 24.0),
                                   (SlReal)(1 / 120.0),
                                   (SlReal)(1 / 720.0),
                                   (SlReal)(1 / 5040.0),
                                   (SlReal)(1 / 40320.0),
                                   (SlReal)(1 / 362880.0),
                                   (SlReal)(1 / 3628800.0),
                                   (SlReal)(1 / 39916800.0),
                                   (SlReal)(1 / 479001600.0),
                                   (SlReal)(1 / 6227020800.0)};
    const SlReal round = EXP_LOG_OF(0x1.8p23F, 0x1.8p52); // added, the unit is the last bit
    const SlReal least = EXP_LOG_OF(-87, -708);
    const Wide given = x;
    x = wide_select(x > least, x, wide_all(least));
    Wide rounded = x * (SlReal)1.4426950408889634 + round;
    Wide k = rounded - round;
    Wide r = (x - k * wide_log_2_high) - k * wide_log_2_low;
    Wide series = wide_all(terms[EXP_LOG_OF(7, 13)]);
    for (int i = EXP_LOG_OF(6, 12); i >= 0; i--) series = series * r + terms[i];
    Wide power = (Wide)(((WideBits)rounded + WIDE_BIAS) << WIDE_MANTISSA);
    Wide result = wide_select(given < least, wide_all(0), power * series);
    return wide_select(given == given, result, given); // NOLINT(misc-redundant-expression): NaN
}

// The natural logarithm of x, a normal number above 0.
//
// x = 2^k (1 + f) with sqrt(1/2) <= 1 + f < sqrt(2), and log(1 + f) = 2 artanh(s) with
// s = f / (2 + f), which loses no digits near 1.
INLINE Wide wide_log(Wide x) {
    const WideBits root_half = (WideBits)wide_all((SlReal)0.70710678118654752);
    const SlReal whole = EXP_LOG_OF(0x1p23F, 0x1p52); // its last bits hold whole numbers
    WideBits bits = (WideBits)x;
    WideBits biased = (bits - root_half + ((WideBits)wide_all(1))) >> WIDE_MANTISSA; // k + bias
    Wide m = (Wide)(bits - ((biased - WIDE_BIAS) << WIDE_MANTISSA));
    Wide k = (Wide)(biased | (WideBits)wide_all(whole)) - (whole + WIDE_BIAS);
    Wide f = m - 1, s = f / (f + 2), z = s * s;
    enum { LAST = EXP_LOG_OF(5, 11) };
    Wide series = wide_all(1 / (SlReal)(2 * LAST + 1));
    for (int i = LAST - 1; i >= 1; i--) series = series * z + 1 / (SlReal)(2 * i + 1);
    Wide twice = s + s;
    return k * wide_log_2_high + (twice + (twice * (z * series) + k * wide_log_2_low));
}
