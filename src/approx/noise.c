// noise.c - uniform numbers from Philox 4x32-10, Salmon, Moraes, Dror & Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (2011).
//
// Number i of a stream is word i % 4 of block i / 4. A round takes x = (x0, x1, x2, x3) to
// (high(B x2) ^ x1 ^ k0, low(B x2), high(A x0) ^ x3 ^ k1, low(A x0)); keys grow by a constant each.
#include "starling/approx/dense.h"

#include "philox.h"
#include "vectors.h"

#if defined(__x86_64__) && !defined(SL_NO_CLONES)
#define HAS_WIDE_NOISE 1
#include <immintrin.h>
#else
#define HAS_WIDE_NOISE 0
#endif

enum { ROUNDS = 10, AT_ONCE = 16, WORDS = 4 * AT_ONCE }; // blocks and their words
static const uint32_t times_a = 0xD2511F53, times_b = 0xCD9E8D57;
static const uint32_t key_step_0 = 0x9E3779B9, key_step_1 = 0xBB67AE85;

void sl_philox_eval(const uint32_t *counter, const uint32_t *key, uint32_t *words) {
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++, k0 += key_step_0, k1 += key_step_1) {
        uint64_t a = (uint64_t)times_a * x0, b = (uint64_t)times_b * x2;
        x0 = (uint32_t)(b >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)b;
        x2 = (uint32_t)(a >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)a;
    }
    words[0] = x0, words[1] = x1, words[2] = x2, words[3] = x3;
}

static void fill_words(uint64_t first, const uint32_t *key, uint32_t *words) {
    for (uint64_t i = 0; i < AT_ONCE; i++, words += 4) {
        const uint32_t counter[4] = {(uint32_t)(first + i), (uint32_t)((first + i) >> 32)};
        sl_philox_eval(counter, key, words);
    }
}

#if HAS_WIDE_NOISE
typedef uint64_t Lanes __attribute__((vector_size(32))); // words in the lower halves

// four blocks a vector, all vectors in step
__attribute__((target("avx2"))) static void fill_wide(uint64_t first, const uint32_t *key,
                                                      uint32_t *words) {
    enum { VECTORS = 2, BLOCKS = 4 };
    const __m256i a = _mm256_set1_epi64x(times_a), b = _mm256_set1_epi64x(times_b);
    for (uint64_t from = 0; from < AT_ONCE; from += (uint64_t)VECTORS * BLOCKS) {
        Lanes x[VECTORS][4];
        uint32_t k0 = key[0], k1 = key[1];
        for (int v = 0; v < VECTORS; v++) {
            const uint64_t at = first + from + (uint64_t)v * BLOCKS;
            x[v][0] = (Lanes){at, at + 1, at + 2, at + 3};
            x[v][1] = x[v][0] >> 32;
            x[v][2] = x[v][3] = (Lanes){0};
        }
        for (int round = 0; round < ROUNDS; round++, k0 += key_step_0, k1 += key_step_1) {
            for (int v = 0; v < VECTORS; v++) {
                Lanes by_a = (Lanes)_mm256_mul_epu32((__m256i)x[v][0], a);
                Lanes by_b = (Lanes)_mm256_mul_epu32((__m256i)x[v][2], b);
                x[v][0] = (by_b >> 32) ^ x[v][1] ^ k0;
                x[v][1] = by_b;
                x[v][2] = (by_a >> 32) ^ x[v][3] ^ k1;
                x[v][3] = by_a;
            }
        }
        for (int v = 0; v < VECTORS; v++, words += 4 * BLOCKS) {
            const uint64_t low = 0xffffffff;
            Lanes early = (x[v][0] & low) | (x[v][1] << 32),
                  late = (x[v][2] & low) | (x[v][3] << 32);
            __m256i even = _mm256_unpacklo_epi64((__m256i)early, (__m256i)late); // blocks 0, 2
            __m256i odd = _mm256_unpackhi_epi64((__m256i)early, (__m256i)late);  // blocks 1, 3
            _mm256_storeu_si256((__m256i *)words, _mm256_permute2x128_si256(even, odd, 0x20));
            _mm256_storeu_si256((__m256i *)words + 1, _mm256_permute2x128_si256(even, odd, 0x31));
        }
    }
}
#endif

// the middle of one of 2^23 pieces of (0, 1): a float in every case
SL_CLONES static void to_uniform(const uint32_t *words, SlReal *u) {
    for (int i = 0; i < WORDS; i++)
        u[i] = ((SlReal)(int32_t)(words[i] >> 9) + (SlReal)0.5) * (SlReal)0x1p-23;
}

// the numbers of AT_ONCE blocks
static void fill_blocks(bool wide, uint64_t first, const uint32_t *key, SlReal *u) {
    uint32_t words[WORDS];
#if HAS_WIDE_NOISE
    if (wide) {
        fill_wide(first, key, words);
        to_uniform(words, u);
        return;
    }
#endif
    (void)wide;
    fill_words(first, key, words);
    to_uniform(words, u);
}

static bool has_wide(void) {
#if HAS_WIDE_NOISE
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

void sl_noise_init(SlNoise *noise, uint64_t seed, const char *stream) {
    SlRng rng;
    sl_rng_init(&rng, seed, stream);
    *noise = (SlNoise){.key = sl_rng_next(&rng)};
}

void sl_noise_uniform(SlNoise *noise, size_t n, SlReal *u) {
    const uint32_t key[2] = {(uint32_t)noise->key, (uint32_t)(noise->key >> 32)};
    const bool wide = has_wide();
    SlReal some[WORDS];
    while (n > 0) {
        const size_t skip = noise->counter % 4;
        const size_t take = n < WORDS - skip ? n : WORDS - skip;
        if (take == WORDS) {
            fill_blocks(wide, noise->counter / 4, key, u);
        } else {
            fill_blocks(wide, noise->counter / 4, key, some);
            memcpy(u, some + skip, take * sizeof *u);
        }
        noise->counter += take;
        u += take;
        n -= take;
    }
}
