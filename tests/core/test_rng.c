// test_rng.c - the published sequence, streams, and the shape of each distribution.
#include "support/check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "starling/core/rng.h"

static void the_sequence_is_the_published_one(void **state) {
    (void)state;
    // xoshiro256starstar.c by Blackman & Vigna with state {1, 2, 3, 4}; the same ten numbers are
    // the test vector of the Rust crate rand_xoshiro
    static const uint64_t expected[] = {11520u,
                                        0u,
                                        1509978240u,
                                        1215971899390074240u,
                                        1216172134540287360u,
                                        607988272756665600u,
                                        16172922978634559625u,
                                        8476171486693032832u,
                                        10595114339597558777u,
                                        2904607092377533576u};
    SlRng rng = {{1, 2, 3, 4}};
    for (int i = 0; i < 10; i++) assert_true(sl_rng_next(&rng) == expected[i]);
}

static void a_stream_depends_on_seed_and_name_alone(void **state) {
    (void)state;
    SlRng a, b, c, d;
    sl_rng_init(&a, 7, "cell 3");
    sl_rng_init(&b, 7, "cell 3");
    sl_rng_init(&c, 8, "cell 3");
    sl_rng_init(&d, 7, "cell 4");
    assert_memory_equal(&a, &b, sizeof a);
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = sl_rng_next(&a);
        same += x == sl_rng_next(&c);
        same += x == sl_rng_next(&d);
    }
    assert_int_equal(same, 0);
}

static void a_stream_never_changes_between_versions(void **state) {
    (void)state;
    // computed in Python from the definitions of FNV-1a, splitmix64 and xoshiro256**, with
    // FNV-1a("foobar") = 0x85944171F73967E8 and splitmix64(1234567) = 6457827717110365317 checked
    SlRng rng;
    sl_rng_init(&rng, 42, "starling");
    assert_true(sl_rng_next(&rng) == 6485213496001003644u);
    assert_true(sl_rng_next(&rng) == 4843848898747471841u);
}

static void below_reaches_every_value_equally_often(void **state) {
    (void)state;
    enum { N = 10, DRAWS = 100000 };
    SlRng rng;
    sl_rng_init(&rng, 1, "below");
    int counts[N] = {0};
    for (int i = 0; i < DRAWS; i++) counts[sl_rng_below(&rng, N)]++;
    // chi-square with 9 degrees of freedom: 33.7 has probability 1e-4
    double chi = 0, mean = (double)DRAWS / N;
    for (int i = 0; i < N; i++) chi += (counts[i] - mean) * (counts[i] - mean) / mean;
    assert_true(chi < 33.7);
    for (int i = 0; i < 100; i++) assert_int_equal(sl_rng_below(&rng, 1), 0);
}

static void below_is_not_biased_for_huge_ranges(void **state) {
    (void)state;
    // with n = 3/4 of 2^64 a plain multiplication or modulo favours some values two to one
    SlRng rng;
    sl_rng_init(&rng, 2, "huge");
    uint64_t n = (uint64_t)3 << 62;
    int third = 0, modulo = 0;
    for (int i = 0; i < 30000; i++) {
        uint64_t x = sl_rng_below(&rng, n);
        assert_true(x < n);
        third += x < n / 3;
        modulo += x % 3 == 0;
    }
    assert_true(abs(third - 10000) < 400);
    assert_true(abs(modulo - 10000) < 400);
}

static void range_includes_both_ends(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 3, "range");
    bool seen[5] = {false};
    for (int i = 0; i < 1000; i++) {
        int64_t x = sl_rng_range(&rng, -2, 2);
        assert_true(x >= -2 && x <= 2);
        seen[x + 2] = true;
    }
    for (int i = 0; i < 5; i++) assert_true(seen[i]);
    bool negative = false, positive = false;
    for (int i = 0; i < 100; i++) {
        int64_t x = sl_rng_range(&rng, INT64_MIN, INT64_MAX);
        negative = negative || x < 0;
        positive = positive || x > 0;
    }
    assert_true(negative && positive);
    assert_true(sl_rng_range(&rng, INT64_MIN, INT64_MIN) == INT64_MIN);
}

static void uniform_has_the_moments_of_a_uniform(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 4, "uniform");
    double sum = 0, squares = 0;
    enum { DRAWS = 200000 };
    for (int i = 0; i < DRAWS; i++) {
        double x = sl_rng_uniform(&rng);
        assert_true(x >= 0 && x < 1);
        sum += x;
        squares += x * x;
    }
    // four standard errors
    assert_true(fabs(sum / DRAWS - 0.5) < 4 * sqrt(1.0 / 12 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1.0 / 3) < 4 * sqrt(4.0 / 45 / DRAWS));
}

static void normal_has_the_moments_of_a_normal(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 5, "normal");
    double sum = 0, squares = 0, fourth = 0;
    enum { DRAWS = 200000 };
    for (int i = 0; i < DRAWS; i++) {
        double x = sl_rng_normal(&rng);
        sum += x;
        squares += x * x;
        fourth += x * x * x * x;
    }
    assert_true(fabs(sum / DRAWS) < 4 * sqrt(1.0 / DRAWS));
    assert_true(fabs(squares / DRAWS - 1) < 4 * sqrt(2.0 / DRAWS));
    assert_true(fabs(fourth / DRAWS - 3) < 4 * sqrt(96.0 / DRAWS));
}

static void a_shuffle_gives_every_permutation_equally_often(void **state) {
    (void)state;
    enum { DRAWS = 24000 };
    SlRng rng;
    sl_rng_init(&rng, 6, "shuffle");
    int counts[256] = {0};
    for (int i = 0; i < DRAWS; i++) {
        int items[4] = {0, 1, 2, 3};
        sl_rng_shuffle(&rng, 4, items);
        counts[items[0] | items[1] << 2 | items[2] << 4 | items[3] << 6]++;
    }
    int reached = 0;
    double chi = 0, mean = DRAWS / 24.0;
    for (int i = 0; i < 256; i++) {
        if (counts[i] == 0) continue;
        reached++;
        chi += (counts[i] - mean) * (counts[i] - mean) / mean;
    }
    // chi-square with 23 degrees of freedom: 58.6 has probability 6e-5
    assert_int_equal(reached, 24);
    assert_true(chi < 58.6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sequence_is_the_published_one),
        cmocka_unit_test(a_stream_depends_on_seed_and_name_alone),
        cmocka_unit_test(a_stream_never_changes_between_versions),
        cmocka_unit_test(below_reaches_every_value_equally_often),
        cmocka_unit_test(below_is_not_biased_for_huge_ranges),
        cmocka_unit_test(range_includes_both_ends),
        cmocka_unit_test(uniform_has_the_moments_of_a_uniform),
        cmocka_unit_test(normal_has_the_moments_of_a_normal),
        cmocka_unit_test(a_shuffle_gives_every_permutation_equally_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
