// rng.c - xoshiro256** 1.0, Blackman & Vigna, "Scrambled linear pseudorandom number generators"
// (2018), with streams named by text.
#include "starling/core/rng.h"

#include <assert.h>
#include <math.h>

static uint64_t rotate_left(uint64_t x, int k) {
    return x << k | x >> (64 - k);
}

// splitmix64, Steele, Lea & Flood (2014); the seeding that the authors of xoshiro recommend
static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

// FNV-1a, 64 bits (RFC 9923)
static uint64_t hash_name(const char *name) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
    return hash;
}

void sl_rng_init(SlRng *rng, uint64_t seed, const char *stream) {
    // the seed is scrambled before the name is mixed in: nearby seeds and names stay apart
    uint64_t state = seed;
    state = splitmix(&state) ^ hash_name(stream);
    for (int i = 0; i < 4; i++) rng->s[i] = splitmix(&state);
}

uint64_t sl_rng_next(SlRng *rng) {
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t sl_rng_below(SlRng *rng, uint64_t n) {
    assert(n >= 1);
    // Lemire (2019): the high half of x * n, without the 2^64 mod n draws that would favour some
    unsigned __int128 product = (unsigned __int128)sl_rng_next(rng) * n;
    if ((uint64_t)product < n) {
        uint64_t excess = (0 - n) % n;
        while ((uint64_t)product < excess) product = (unsigned __int128)sl_rng_next(rng) * n;
    }
    return (uint64_t)(product >> 64);
}

int64_t sl_rng_range(SlRng *rng, int64_t lo, int64_t hi) {
    assert(lo <= hi);
    uint64_t n = (uint64_t)hi - (uint64_t)lo + 1; // 0 stands for 2^64
    uint64_t x = n ? sl_rng_below(rng, n) : sl_rng_next(rng);
    return (int64_t)((uint64_t)lo + x);
}

double sl_rng_uniform(SlRng *rng) {
    return (double)(sl_rng_next(rng) >> 11) * 0x1p-53;
}

double sl_rng_normal(SlRng *rng) {
    // Marsaglia's polar method; the second value is dropped, so the state stays the four words
    double u, v, s;
    do {
        u = 2 * sl_rng_uniform(rng) - 1;
        v = 2 * sl_rng_uniform(rng) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    return u * sqrt(-2 * log(s) / s);
}

void sl_rng_shuffle(SlRng *rng, int n, int *items) {
    for (int i = n - 1; i > 0; i--) {
        int j = (int)sl_rng_below(rng, (uint64_t)i + 1);
        int kept = items[i];
        items[i] = items[j];
        items[j] = kept;
    }
}
