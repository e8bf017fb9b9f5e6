// activate.c - tanh, ReLU and leaky ReLU, vector by vector.
#include "activate.h"

#include "vectors.h"

// The slope below zero of the activations that have one.
static SlReal slope_of(SlActivation activation) {
    return activation == SL_LEAKY_RELU ? (SlReal)0.05 : 0;
}

#ifdef SL_APPROX_DOUBLE
enum { EXPONENT_BIAS = 1023, MANTISSA_BITS = 52, N_TERMS = 14 };
static const SlReal tanh_is_one = 20; // from here on, rounded
#else
enum { EXPONENT_BIAS = 127, MANTISSA_BITS = 23, N_TERMS = 8 };
static const SlReal tanh_is_one = 10; // from here on, rounded
#endif

// tanh in the network's precision: with t = exp(-2 |x|) - 1, |tanh x| = -t / (2 + t).
//
// -2 |x| = k log 2 + r with |r| <= log(2) / 2; exp(r) - 1 by its Taylor series, which loses no
// digits near zero; then t = 2^k (exp(r) - 1) + (2^k - 1). NaN stays NaN.
INLINE Vec vec_tanh(Vec x) {
    const SlReal log_2 = (SlReal)0.69314718055994531, by_log_2 = (SlReal)1.4426950408889634;
    Vec size = vec_select(x < 0, -x, x);
    size = vec_select(size < tanh_is_one, size, vec_all(tanh_is_one));
    Vec y = -2 * size;
    VecBits k = __builtin_convertvector(y * by_log_2 - (SlReal)0.5, VecBits); // nearest, as y <= 0
    Vec r = y - __builtin_convertvector(k, Vec) * log_2;
    Vec series = vec_all(1);
    for (int i = N_TERMS; i > 1; i--) series = 1 + r * series * (1 / (SlReal)i);
    Vec power = (Vec)((k + EXPONENT_BIAS) << MANTISSA_BITS);
    Vec t = power * (r * series) + (power - 1);
    Vec result = -t / (2 + t);
    result = vec_select(x < 0, -result, result);
    return vec_select(x == x, result, x); // NOLINT(misc-redundant-expression): NaN differs
}

static void all_tanh(size_t n, SlReal *y) {
    for (size_t i = 0; i < n; i += LANES) {
        vec_store(y + i, n - i, vec_tanh(vec_load(y + i, n - i)));
    }
}

static void all_leaky(size_t n, SlReal slope, SlReal *y) {
    for (size_t i = 0; i < n; i += LANES) {
        Vec v = vec_load(y + i, n - i);
        vec_store(y + i, n - i, vec_select(v > 0, v, slope * v));
    }
}

static void back_tanh(size_t n, const SlReal *y, SlReal *dy) {
    for (size_t i = 0; i < n; i += LANES) {
        Vec v = vec_load(y + i, n - i);
        vec_store(dy + i, n - i, vec_load(dy + i, n - i) * (1 - v * v));
    }
}

static void back_leaky(size_t n, SlReal slope, const SlReal *y, SlReal *dy) {
    for (size_t i = 0; i < n; i += LANES) {
        Vec v = vec_load(y + i, n - i), d = vec_load(dy + i, n - i);
        vec_store(dy + i, n - i, vec_select(v > 0, d, slope * d));
    }
}

void sl_activate(SlActivation activation, size_t n, SlReal *y) {
    if (activation == SL_TANH) {
        all_tanh(n, y);
    } else {
        all_leaky(n, slope_of(activation), y);
    }
}

void sl_activate_back(SlActivation activation, size_t n, const SlReal *y, SlReal *dy) {
    if (activation == SL_TANH) {
        back_tanh(n, y, dy);
    } else {
        back_leaky(n, slope_of(activation), y, dy);
    }
}
