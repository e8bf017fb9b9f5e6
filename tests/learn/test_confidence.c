// test_confidence.c - Confidence Sampling: draws by softmax, thresholds,
// synthesis.
#include "learn/confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/toy_task.h"

enum { KNOBS = 3, MOST = 64 };
static const int VALUES[KNOBS] = {8, 8, 8};

typedef struct {
    SlArena arena;
    ToyTask toy;
    SlRng rng;
    SlConfidence confidence;
    int n;
    int32_t points[MOST * KNOBS];
    double values[MOST];
    int32_t out[MOST * KNOBS];
    int n_out;
} World;

static World w;

static bool first_is_even(const SlSpace *space, const int32_t *point) {
    (void)space;
    return point[0] % 2 == 0;
}

static double nothing(const SlSpace *space, const int32_t *point) {
    (void)space, (void)point;
    return 1;
}

static int set_up(void **state) {
    (void)state;
    memset(&w, 0, sizeof w);
    sl_arena_init(&w.arena, 0);
    sl_rng_init(&w.rng, 1, "confidence");
    toy_task_init(&w.toy, KNOBS, VALUES);
    w.toy.value = nothing;
    w.confidence =
        (SlConfidence){.task = &w.toy.task, .asked = sl_keyset_make(0, &w.arena), .temperature = 1};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sl_arena_free(&w.arena);
    return 0;
}

static void add(int32_t a, int32_t b, int32_t c, double value) {
    int32_t *point = w.points + (ptrdiff_t)w.n * KNOBS;
    point[0] = a;
    point[1] = b;
    point[2] = c;
    w.values[w.n++] = value;
}

static int sample(int want) {
    size_t used = w.arena.used;
    w.n_out =
        sl_confidence_sample(&w.confidence, w.n, w.points, w.values, want, &w.rng, &w.arena, w.out);
    assert_true(w.arena.used == used); // scratch is given back
    return w.n_out;
}

static int64_t index_of(const int32_t *point) {
    return sl_space_index(&w.toy.space, point);
}

// which candidate a proposal is, -1 = it was made up
static int candidate(int i) {
    for (int c = 0; c < w.n; c++)
        if (index_of(w.points + (ptrdiff_t)c * KNOBS) == index_of(w.out + (ptrdiff_t)i * KNOBS))
            return c;
    return -1;
}

// ---- drawing ----

enum { DRAWS = 20000 };

static void draws_follow_the_softmax_of_the_values(void **state) {
    (void)state;
    static const double temperatures[] = {1, 0.5, 3};
    for (int i = 0; i < 5; i++) add(i, 0, 0, i == 4 ? -1 : 0.6 * i);
    for (int t = 0; t < 3; t++) {
        double sum = 0, chi = 0, p[5];
        int counts[5] = {0};
        w.confidence.temperature = temperatures[t];
        for (int i = 0; i < 5; i++) sum += p[i] = exp(w.values[i] / temperatures[t]);
        for (int d = 0; d < DRAWS; d++) {
            assert_int_equal(sample(1), 1);
            counts[candidate(0)]++;
        }
        for (int i = 0; i < 5; i++) {
            double expected = DRAWS * p[i] / sum;
            chi += (counts[i] - expected) * (counts[i] - expected) / expected;
        }
        assert_true(chi < 18.5); // one in a thousand is above, with four degrees of freedom
    }
}

// of two drawn the lower one is below their median: what is left is the best,
// where it was drawn at all
static void draws_are_without_replacement(void **state) {
    (void)state;
    const double e[] = {1, exp(1), exp(2)};
    const double all = e[0] + e[1] + e[2];
    for (int i = 0; i < 3; i++) add(i, 0, 0, i);
    double missed = e[0] / all * (e[1] / (all - e[0])) + e[1] / all * (e[0] / (all - e[1]));
    int best = 0;
    for (int d = 0; d < DRAWS; d++) {
        assert_int_equal(sample(2), 1);
        best += candidate(0) == 2;
    }
    double deviation = sqrt(DRAWS * missed * (1 - missed));
    assert_true(fabs(DRAWS - best - DRAWS * missed) < 4 * deviation);
    // all of them: every one once
    w.confidence.threshold = SL_THRESHOLD_MEAN;
    memset(w.values, 0, sizeof w.values);
    assert_int_equal(sample(3), 3);
    assert_int_equal(candidate(0) + candidate(1) + candidate(2), 3);
}

static void temperature_0_is_the_deviation_of_the_values(void **state) {
    (void)state;
    w.confidence.temperature = 0;
    for (int i = 0; i < 20; i++) add(i % 8, i / 8, 0, sin(i));
    int drawn[50];
    SlRng start = w.rng;
    for (int d = 0; d < 50; d++) drawn[d] = (sample(1), candidate(0));
    w.rng = start;
    for (int i = 0; i < w.n; i++) w.values[i] = 1e6 * w.values[i] + 1e7;
    for (int d = 0; d < 50; d++) assert_int_equal(drawn[d], (sample(1), candidate(0)));
    w.rng = start;
    for (int i = 0; i < w.n; i++) w.values[i] = 1e-9 * sin(i);
    for (int d = 0; d < 50; d++) assert_int_equal(drawn[d], (sample(1), candidate(0)));
}

static void equal_values_are_all_good_enough(void **state) {
    (void)state;
    w.confidence.temperature = 0;
    for (int t = 0; t < SL_N_THRESHOLDS; t++) {
        w.confidence.threshold = (SlThreshold)t;
        w.confidence.synthesis = SL_SYNTHESIS_HALF;
        w.n = 0;
        for (int i = 0; i < 16; i++) add(i % 8, i / 8, 0, 0.1);
        assert_int_equal(sample(3), 3); // three times 0.1 is more than 0.3
        assert_int_equal(sample(8), 8);
        for (int i = 0; i < 8; i++) assert_true(candidate(i) >= 0);
    }
}

static void few_candidates_are_few_proposals(void **state) {
    (void)state;
    w.confidence.synthesis = SL_SYNTHESIS_HALF;
    assert_int_equal(sample(10), 0);
    add(1, 1, 1, 0.5);
    assert_int_equal(sample(10), 1);
    assert_int_equal(candidate(0), 0);
    add(2, 2, 2, 0.7);
    assert_int_equal(sample(10), 2);
    add(3, 3, 3, 0.9);
    assert_int_equal(sample(10), 3);
}

// ---- thresholds ----

static int kept_of(SlThreshold threshold, int n, const double *values, int want) {
    w.confidence.threshold = threshold;
    w.n = 0;
    for (int i = 0; i < n; i++) add(i % 8, i / 8, 0, values[i]);
    sample(want);
    return w.n_out;
}

static void thresholds_are_medians_or_means(void **state) {
    (void)state;
    const double skewed[] = {0, 0, 0, 0, 10}, even[] = {1, 2, 3, 4, 5, 6};
    assert_int_equal(kept_of(SL_THRESHOLD_DRAWN, 5, skewed, 5), 5);
    assert_int_equal(kept_of(SL_THRESHOLD_ALL, 5, skewed, 5), 5);
    assert_int_equal(kept_of(SL_THRESHOLD_MEAN, 5, skewed, 5), 1);
    assert_int_equal(candidate(0), 4);
    assert_int_equal(kept_of(SL_THRESHOLD_DRAWN, 6, even, 6), 3);
    assert_int_equal(kept_of(SL_THRESHOLD_MEAN, 6, even, 6), 3);
    for (int i = 0; i < 3; i++) assert_true(candidate(i) >= 3);
}

// the median of all is not that of the drawn, which are the best ones where
// draws are cold
static void the_median_of_all_is_lower_than_that_of_the_drawn(void **state) {
    (void)state;
    double values[32];
    for (int i = 0; i < 32; i++) values[i] = i;
    w.confidence.temperature = 1e-6;
    assert_int_equal(kept_of(SL_THRESHOLD_DRAWN, 32, values, 8), 4);
    for (int i = 0; i < 4; i++) assert_true(candidate(i) >= 28);
    assert_int_equal(kept_of(SL_THRESHOLD_ALL, 32, values, 8), 8);
    for (int i = 0; i < 8; i++) assert_true(candidate(i) >= 24);
}

// ---- synthesis ----

// the four best have 2 in common in every knob, never all at once; the four
// others have 7
static void add_half_and_half(void) {
    const int32_t high[4][KNOBS] = {{2, 2, 0}, {2, 0, 2}, {0, 2, 2}, {2, 2, 4}};
    for (int i = 0; i < 4; i++) add(high[i][0], high[i][1], high[i][2], 1 + 0.01 * i);
    for (int i = 0; i < 4; i++) add(7, 7, i, 0.1 * i);
}

static void none_leaves_what_is_low_away(void **state) {
    (void)state;
    add_half_and_half();
    assert_int_equal(sample(8), 4);
    for (int i = 0; i < 4; i++) assert_in_range(candidate(i), 0, 3);
}

static void mode_makes_one_point_of_what_is_most_frequent(void **state) {
    (void)state;
    const int32_t mode[KNOBS] = {2, 2, 2};
    w.confidence.synthesis = SL_SYNTHESIS_MODE;
    add_half_and_half();
    for (int d = 0; d < 20; d++) {
        assert_int_equal(sample(8), 5);
        assert_memory_equal(w.out + (ptrdiff_t)4 * KNOBS, mode, sizeof mode);
    }
    // not again
    SlKeySet *asked = sl_keyset_make(4, &w.arena);
    sl_keyset_add(asked, (uint64_t)index_of(mode));
    w.confidence.asked = asked;
    assert_int_equal(sample(8), 4);
}

static void a_mode_among_the_proposals_is_not_repeated(void **state) {
    (void)state;
    w.confidence.synthesis = SL_SYNTHESIS_MODE;
    add(2, 2, 2, 3);
    add(2, 2, 1, 2);
    add(0, 0, 0, -1);
    add(0, 0, 1, -2);
    assert_int_equal(sample(4), 2);
}

static void modes_that_fail_the_check_are_left_out(void **state) {
    (void)state;
    w.toy.valid = first_is_even;
    w.confidence.synthesis = SL_SYNTHESIS_MODE;
    add(1, 2, 0, 3); // candidates are the caller's
    add(1, 0, 2, 2);
    add(0, 0, 0, -1);
    add(0, 0, 1, -2);
    assert_int_equal(sample(4), 3);
    w.confidence.check = true;
    assert_int_equal(sample(4), 2);
}

static void half_fills_up_with_mixes_of_the_confident(void **state) {
    (void)state;
    w.confidence.synthesis = SL_SYNTHESIS_HALF;
    add_half_and_half();
    int modes = 0;
    for (int d = 0; d < 200; d++) {
        SlKeySet *seen = sl_keyset_make(8, &w.arena);
        assert_int_equal(sample(6), 6);
        int made = 0;
        for (int i = 0; i < 6; i++) {
            const int32_t *point = w.out + (ptrdiff_t)i * KNOBS;
            assert_true(sl_keyset_add(seen, (uint64_t)index_of(point)));
            if (candidate(i) >= 0) continue;
            made++;
            modes += point[0] == 2 && point[1] == 2 && point[2] == 2;
        }
        assert_true(made > 0);
    }
    assert_true(modes > 100); // the mode is the likeliest mix
}

static void half_proposes_nothing_old_and_nothing_invalid(void **state) {
    (void)state;
    w.toy.valid = first_is_even;
    w.confidence.synthesis = SL_SYNTHESIS_HALF;
    w.confidence.check = true;
    SlKeySet *asked = sl_keyset_make(512, &w.arena);
    for (int64_t i = 0; i < 512; i += 3) sl_keyset_add(asked, (uint64_t)i);
    w.confidence.asked = asked;
    for (int64_t i = 1; i < 512 && w.n < 40; i += 7) {
        int32_t point[KNOBS];
        sl_space_at(&w.toy.space, i, point);
        if (sl_keyset_has(asked, (uint64_t)i) || point[0] % 2) continue;
        add(point[0], point[1], point[2], (double)(i % 11));
    }
    int made = 0;
    for (int d = 0; d < 200; d++) {
        SlKeySet *seen = sl_keyset_make(64, &w.arena);
        assert_in_range(sample(16), 8, 16);
        for (int i = 0; i < w.n_out; i++) {
            const int32_t *point = w.out + (ptrdiff_t)i * KNOBS;
            for (int k = 0; k < KNOBS; k++) assert_in_range(point[k], 0, 7);
            assert_false(sl_keyset_has(asked, (uint64_t)index_of(point)));
            assert_true(point[0] % 2 == 0);
            assert_true(sl_keyset_add(seen, (uint64_t)index_of(point)));
            made += candidate(i) < 0;
        }
    }
    assert_true(made > 200);
}

// where everything else was asked, nothing can be made
static void half_gives_up_where_nothing_is_new(void **state) {
    (void)state;
    w.confidence.synthesis = SL_SYNTHESIS_HALF;
    add_half_and_half();
    SlKeySet *asked = sl_keyset_make(512, &w.arena);
    for (int64_t i = 0; i < 512; i++) {
        bool is_candidate = false;
        for (int c = 0; c < w.n; c++)
            is_candidate = is_candidate || index_of(w.points + (ptrdiff_t)c * KNOBS) == i;
        if (!is_candidate) sl_keyset_add(asked, (uint64_t)i);
    }
    w.confidence.asked = asked;
    assert_in_range(sample(8), 4, 8);
    for (int i = 0; i < w.n_out; i++) assert_true(candidate(i) >= 0);
}

static void without_memory_there_are_none(void **state) {
    (void)state;
    add_half_and_half();
    bool ever = false;
    for (size_t limit = 1; limit < 8192; limit += 64) {
        SlArena little;
        sl_arena_init(&little, limit);
        int n =
            sl_confidence_sample(&w.confidence, w.n, w.points, w.values, 8, &w.rng, &little, w.out);
        assert_true(n == -1 || n == 4);
        assert_true(little.used == 0);
        ever = ever || n == 4;
        sl_arena_free(&little);
    }
    assert_true(ever);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(draws_follow_the_softmax_of_the_values),
        CASE(draws_are_without_replacement),
        CASE(temperature_0_is_the_deviation_of_the_values),
        CASE(equal_values_are_all_good_enough),
        CASE(few_candidates_are_few_proposals),
        CASE(thresholds_are_medians_or_means),
        CASE(the_median_of_all_is_lower_than_that_of_the_drawn),
        CASE(none_leaves_what_is_low_away),
        CASE(mode_makes_one_point_of_what_is_most_frequent),
        CASE(a_mode_among_the_proposals_is_not_repeated),
        CASE(modes_that_fail_the_check_are_left_out),
        CASE(half_fills_up_with_mixes_of_the_confident),
        CASE(half_proposes_nothing_old_and_nothing_invalid),
        CASE(half_gives_up_where_nothing_is_new),
        CASE(without_memory_there_are_none),
    };
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
