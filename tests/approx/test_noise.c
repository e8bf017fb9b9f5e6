// test_noise.c - Philox against the known answers of Random123, streams, uniform numbers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "approx/philox.h"
#include "dense_copies.h"
#include "support/check.h"

// philox4x32, 10 rounds: kat_vectors of Random123 (Salmon et al. 2011)
static const uint32_t known[][10] = {
    {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
    {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d, 0x41c83b0e,
     0xa20bc7c6, 0x6d5451fd},
    {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09, 0x94fdcceb,
     0x5001e420, 0x24126ea1},
};

static void blocks_are_the_known_ones(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint32_t words[4];
        sl_philox_eval(known[i], known[i] + 4, words);
        assert_memory_equal(words, known[i] + 6, sizeof words);
    }
}

static void number_i_is_a_word_of_a_block(void **state) {
    (void)state;
    enum { N = 300 };
    SlNoise noise = {.key = 0x0123456789abcdef, .counter = 0x3fffffff80};
    const uint32_t key[] = {0x89abcdef, 0x01234567};
    SlReal u[N];
    sl_noise_uniform(&noise, N, u);
    assert_true(noise.counter == 0x3fffffff80 + N);
    for (uint64_t i = 0; i < N; i++) { // the lower word of the block's number overflows on the way
        uint64_t block = (0x3fffffff80 + i) / 4;
        const uint32_t counter[] = {(uint32_t)block, (uint32_t)(block >> 32), 0, 0};
        uint32_t words[4];
        sl_philox_eval(counter, key, words);
        double right = (words[i % 4] / 512 + 0.5) / 8388608;
        assert_true((double)u[i] == right);
    }
}

static void numbers_do_not_depend_on_how_many_are_drawn_at_a_time(void **state) {
    (void)state;
    enum { N = 1000 };
    SlNoise whole, pieces, plain;
    SlReal all[N], some[N], again[N];
    sl_noise_init(&whole, 7, "pieces");
    pieces = plain = whole;
    sl_noise_uniform(&whole, N, all);
    for (size_t i = 0, take = 1; i < N; i += take, take = take % 131 + 6) {
        if (take > N - i) take = N - i;
        sl_noise_uniform(&pieces, take, some + i);
    }
    plain_noise_uniform(&plain, N, again);
    assert_memory_equal(all, some, sizeof all);
    assert_memory_equal(all, again, sizeof all);
    assert_true(whole.counter == pieces.counter && pieces.counter == N);
}

static void streams_differ_by_seed_and_name(void **state) {
    (void)state;
    SlNoise a, b, c;
    sl_noise_init(&a, 1, "a");
    sl_noise_init(&b, 1, "b");
    sl_noise_init(&c, 2, "a");
    assert_true(a.key != b.key && a.key != c.key && b.key != c.key);
    assert_true(a.counter == 0);
}

static void numbers_are_uniform_and_never_0_or_1(void **state) {
    (void)state;
    enum { N = 1 << 20, BINS = 16 };
    static SlReal u[N];
    SlNoise noise;
    int bins[BINS] = {0};
    double sum = 0, products = 0;
    sl_noise_init(&noise, 3, "uniform");
    sl_noise_uniform(&noise, N, u);
    for (int i = 0; i < N; i++) {
        assert_true(u[i] > 0 && u[i] < 1);
        bins[(int)(u[i] * BINS)]++;
        sum += (double)u[i];
        if (i > 0) products += ((double)u[i] - 0.5) * ((double)u[i - 1] - 0.5);
    }
    assert_true(fabs(sum / N - 0.5) < 0.0015);
    assert_true(fabs(products / N * 12) < 0.005);
    for (int i = 0; i < BINS; i++) assert_true(abs(bins[i] - N / BINS) < 1300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_the_known_ones),
        cmocka_unit_test(number_i_is_a_word_of_a_block),
        cmocka_unit_test(numbers_do_not_depend_on_how_many_are_drawn_at_a_time),
        cmocka_unit_test(streams_differ_by_seed_and_name),
        cmocka_unit_test(numbers_are_uniform_and_never_0_or_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
