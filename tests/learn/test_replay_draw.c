// test_replay_draw.c - which rows make a batch: uniform ones, neighbours of references with every
// corner of Algorithm 1, references by priority.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "learn/replay_inside.h"
#include "replay_help.h"

enum { BATCH = 1024, MOST = 2048 };

static SlReplay *held(SlSampling sampling, int neighbors, int64_t capacity, int64_t n) {
    SlReplaySetup setup = counted_setup(SL_LAYOUT_JOINT, sampling, capacity);
    setup.neighbors = neighbors;
    SlReplay *replay = replay_need(&setup);
    counted_add(replay, 0, n);
    return replay;
}

static SlRng rng_of(uint64_t seed) {
    SlRng rng;
    sl_rng_init(&rng, seed, "draws");
    return rng;
}

static int draw(const SlReplay *replay, int batch, SlRng *rng, uint32_t *rows) {
    assert_in_range(sl_replay_room(replay, batch), batch, MOST);
    const int n = sl_replay_draw(replay, batch, rng, rows);
    assert_in_range(n, batch, sl_replay_room(replay, batch));
    for (int i = 0; i < n; i++) assert_true(rows[i] < sl_replay_n(replay));
    return n;
}

// chi-square of counts (n) against what was expected of each
static double chi_square(int n, const double *counts, const double *expected) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    return sum;
}

// mean and deviation of chi-square with k degrees of freedom are k and sqrt(2k)
static bool likely(double chi, int degrees) {
    const double off = (chi - degrees) / sqrt(2.0 * degrees);
    return -4 < off && off < 5;
}

// ---- uniform

static void uniform_batches_have_exactly_the_size(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_UNIFORM, 3, 50, 20);
    uint32_t rows[MOST];
    SlRng rng = rng_of(1);
    assert_int_equal(sl_replay_room(replay, BATCH), BATCH);
    assert_int_equal(draw(replay, BATCH, &rng, rows), BATCH);
    assert_int_equal(draw(replay, 1, &rng, rows), 1);
    sl_replay_free(replay);
}

static void uniform_rows_are_alike_and_come_back(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_UNIFORM, 3, 50, 40);
    double counts[40] = {0}, expected[40];
    uint32_t rows[MOST];
    SlRng rng = rng_of(2);
    for (int i = 0; i < 40; i++) {
        draw(replay, BATCH, &rng, rows);
        for (int k = 0; k < BATCH; k++) counts[rows[k]]++;
        expected[i] = BATCH; // more rows in a batch than there are: with replacement
    }
    assert_true(likely(chi_square(40, counts, expected), 39));
    sl_replay_free(replay);
}

// ---- neighbours: the corner cases in the order of docs/replay.md

// checks a batch against the references that the same stream gives; returns how many there were
static int follows_the_algorithm(const SlReplay *replay, int n, const uint32_t *rows,
                                 SlRng references, int batch) {
    const int64_t reach = replay->setup.neighbors, d = sl_replay_n(replay);
    int at = 0, n_references = 0;
    for (; at < batch; n_references++) {
        const int64_t i = (int64_t)sl_rng_below(&references, (uint64_t)d);
        for (int64_t r = i - reach; r <= i + reach; r++) {
            if (r < 0 || r >= d || r == i) continue; // case 1, case 3
            assert_true(at < n);
            assert_int_equal(rows[at++], r);
        }
    }
    assert_int_equal(at, n);
    return n_references;
}

static void references_are_not_part_of_their_neighbours(void **state) {
    (void)state;
    // with two rows the neighbour of one is the other
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 1, 10, 2);
    uint32_t rows[MOST];
    SlRng rng = rng_of(3), same = rng;
    const int n = draw(replay, 100, &rng, rows);
    assert_int_equal(n, 100);
    for (int i = 0; i < n; i++) assert_int_equal(rows[i], 1 - sl_rng_below(&same, 2));
    sl_replay_free(replay);
}

static void whole_micro_batches_are_taken_and_no_reference_in_vain(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 3, 200000, 200000);
    uint32_t rows[MOST];
    SlRng rng = rng_of(4), same = rng;
    assert_int_equal(sl_replay_room(replay, BATCH), BATCH + 5);
    const int n = draw(replay, BATCH, &rng, rows);
    assert_int_equal(n, 1026);
    assert_int_equal(follows_the_algorithm(replay, n, rows, same, BATCH), 171);
    // so many numbers were drawn, not one for every row
    for (int i = 0; i < 171; i++) sl_rng_below(&same, 200000);
    assert_memory_equal(&rng, &same, sizeof rng);
    // a batch that whole micro-batches fill gets no more
    assert_int_equal(draw(replay, 1020, &rng, rows), 1020);
    assert_int_equal(draw(replay, 1, &rng, rows), 6);
    sl_replay_free(replay);
}

static void micro_batches_end_where_what_is_held_ends(void **state) {
    (void)state;
    uint32_t rows[MOST];
    bool first = false, last = false;
    for (int held_rows = 2; held_rows < 30; held_rows++) {
        // the capacity is beyond what is held, or all of it
        for (int room = 0; room < 2; room++) {
            SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 5, held_rows + 10 * room, held_rows);
            for (uint64_t seed = 0; seed < 10; seed++) {
                SlRng rng = rng_of(seed), same = rng;
                const int n = draw(replay, 64, &rng, rows);
                follows_the_algorithm(replay, n, rows, same, 64);
                first = first || rows[0] == 0;
                last = last || rows[n - 1] == (uint32_t)held_rows - 1;
            }
            sl_replay_free(replay);
        }
    }
    assert_true(first && last);
}

// sizes of the micro-batches of every reference
static void borders_give_between_n_and_2n_rows(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 3, 20, 20);
    int sizes[20] = {0};
    uint32_t rows[MOST];
    SlRng rng = rng_of(5);
    for (int i = 0; i < 1000; i++) {
        SlRng same = rng;
        const uint64_t reference = sl_rng_below(&same, 20);
        sizes[reference] = draw(replay, 1, &rng, rows);
    }
    for (int i = 0; i < 20; i++) {
        const int before = i < 3 ? i : 3, after = 19 - i < 3 ? 19 - i : 3;
        assert_int_equal(sizes[i], before + after);
    }
    sl_replay_free(replay);
}

// memory, not time, makes neighbours: the newest and the oldest meet at the head of the ring
static void neighbours_at_the_head_of_a_full_ring_are_newest_and_oldest(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 2, 20, 27); // row 6 is newest, row 7 oldest
    uint32_t rows[MOST];
    SlReal rewards[4];
    SlReplayBatch batch = {.rewards = rewards};
    SlRng rng = rng_of(6);
    bool met = false;
    for (int i = 0; i < 500; i++) {
        const int n = draw(replay, 1, &rng, rows);
        if (n < 4 || rows[0] != 5 || rows[1] != 6) continue;
        sl_replay_gather(replay, n, rows, &batch);
        assert_int_equal(rows[2], 8);
        assert_true(rewards[0] == 25 && rewards[1] == 26 && rewards[2] == 8 && rewards[3] == 9);
        met = true;
    }
    assert_true(met);
    sl_replay_free(replay);
}

// episodes end every 5 rows here, and each row has its own next observation
static void neighbours_cross_the_borders_of_episodes(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 3, 100, 100);
    uint32_t rows[MOST];
    SlReal ended[8], next[8 * 6];
    SlReplayBatch batch = {.ended = ended, .next_observed = next, .next_row = 6};
    SlRng rng = rng_of(7);
    for (int i = 0; i < 100; i++) {
        const int n = draw(replay, 1, &rng, rows);
        sl_replay_gather(replay, n, rows, &batch);
        SlReal ends = 0;
        for (int k = 0; k < n; k++) {
            assert_true(next[6 * k] == (SlReal)rows[k] + (SlReal)0.5);
            assert_true(ended[k] == (rows[k] % 5 == 0));
            ends += ended[k];
        }
        assert_true(n < 6 || ends >= 1 || (rows[2] + 1) % 5 == 0);
    }
    sl_replay_free(replay);
}

static void overlapping_micro_batches_repeat_rows(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 3, 100, 100);
    uint32_t rows[MOST];
    int counts[100] = {0}, twice = 0;
    SlRng rng = rng_of(8);
    const int n = draw(replay, BATCH, &rng, rows);
    for (int i = 0; i < n; i++) twice += ++counts[rows[i]] == 2;
    assert_in_range(twice, 80, 100);
    sl_replay_free(replay);
}

static void the_same_stream_gives_the_same_rows_and_agents_draw_their_own(void **state) {
    (void)state;
    for (int k = 0; k < SL_N_SAMPLINGS; k++) {
        SlReplay *replay = held((SlSampling)k, 3, 3000, 3000);
        uint32_t rows[3][MOST];
        SlRng rng = rng_of(9), again = rng;
        const int n = draw(replay, 100, &rng, rows[0]);
        assert_int_equal(draw(replay, 100, &again, rows[1]), n);
        draw(replay, 100, &rng, rows[2]);
        assert_memory_equal(rows[0], rows[1], (size_t)n * sizeof **rows);
        assert_memory_not_equal(rows[0], rows[2], (size_t)n * sizeof **rows);
        sl_replay_free(replay);
    }
}

// a row is drawn once for each reference within reach: the outermost rows less often
static void inner_rows_are_alike_and_the_outermost_rarer(void **state) {
    (void)state;
    enum { D = 40, BATCHES = 4000 };
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 3, 64, D);
    double counts[D] = {0}, expected[D];
    uint32_t rows[MOST];
    SlRng rng = rng_of(10);
    int n_references = 0;
    for (int b = 0; b < BATCHES; b++, n_references++) {
        const int n = draw(replay, 1, &rng, rows); // one reference
        for (int i = 0; i < n; i++) counts[rows[i]]++;
    }
    for (int i = 0; i < D; i++) {
        const int before = i < 3 ? i : 3, after = D - 1 - i < 3 ? D - 1 - i : 3;
        expected[i] = (double)n_references * (before + after) / D;
        // each count is binomial: five deviations
        assert_true(fabs(counts[i] - expected[i]) < 5 * sqrt(expected[i]));
    }
    double inner = 0, outer = counts[0] + counts[D - 1];
    for (int i = 3; i < D - 3; i++) inner += counts[i] / (D - 6);
    assert_true(outer / 2 < 0.65 * inner && outer / 2 > 0.35 * inner);
    sl_replay_free(replay);
}

static void references_of_neighbours_are_uniform(void **state) {
    (void)state;
    enum { D = 50 };
    SlReplay *replay = held(SL_SAMPLE_NEIGHBOR, 1, 64, D);
    double counts[D] = {0}, expected[D];
    uint32_t rows[MOST];
    SlRng rng = rng_of(11);
    for (int b = 0; b < 100 * D; b++) {
        const int n = draw(replay, 1, &rng, rows);
        counts[n == 2 ? rows[0] + 1 : rows[0] == 1 ? 0 : D - 1]++;
    }
    for (int i = 0; i < D; i++) expected[i] = 100;
    assert_true(likely(chi_square(D, counts, expected), D - 1));
    sl_replay_free(replay);
}

// ---- priorities

// how often each reference comes; micro-batches of one reference and its neighbours
static void count_references(const SlReplay *replay, int draws, SlRng *rng, double *counts) {
    for (int i = 0; i < draws; i++) counts[sl_priority_draw(&replay->tree, rng)]++;
}

static void priorities_follow_errors(void **state) {
    (void)state;
    enum { D = 37 };
    SlReplay *replay = held(SL_SAMPLE_PRIORITY, 3, 50, D);
    double counts[D] = {0}, expected[D], sum = 0;
    uint32_t rows[D];
    SlReal errors[D];
    for (int i = 0; i < D; i++) {
        rows[i] = (uint32_t)i;
        errors[i] = (SlReal)((i % 2 ? -1 : 1) * (0.1 + i % 9));
        sum += expected[i] = pow(fabs((double)errors[i]), 0.6);
    }
    sl_replay_prioritise(replay, D, rows, errors);
    for (int i = 0; i < D; i++) expected[i] *= 1000 * D / sum;
    SlRng rng = rng_of(12);
    count_references(replay, 1000 * D, &rng, counts);
    assert_true(likely(chi_square(D, counts, expected), D - 1));
    sl_replay_free(replay);
}

static void important_rows_come_with_their_neighbours(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_PRIORITY, 3, 100, 100);
    uint32_t rows[MOST], all[100];
    SlReal errors[100] = {0};
    for (int i = 0; i < 100; i++) all[i] = (uint32_t)i;
    errors[50] = 1e6;
    sl_replay_prioritise(replay, 100, all, errors);
    SlRng rng = rng_of(13);
    assert_int_equal(sl_replay_room(replay, BATCH), BATCH + 6);
    const int n = draw(replay, BATCH, &rng, rows);
    assert_int_equal(n, 147 * 7);
    for (int i = 0; i < n; i++) assert_int_equal(rows[i], 47 + i % 7);
    sl_replay_free(replay);
}

static void new_rows_get_the_largest_priority_so_far(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_PRIORITY, 3, 8, 8);
    const uint32_t rows[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const SlReal errors[8] = {1, 1, 1, 100, 1, 1, 1, 1}, small[8] = {0};
    const double *leaves = replay->tree.nodes + replay->tree.n_leaves;
    sl_replay_prioritise(replay, 8, rows, errors);
    sl_replay_prioritise(replay, 8, rows, small);
    counted_add(replay, 8, 3); // rows 0 to 2 again
    for (int i = 0; i < 3; i++) assert_true(fabs(leaves[i] - pow(100, 0.6)) < 1e-3);
    for (int i = 3; i < 8; i++) assert_true(leaves[i] > 0 && leaves[i] < 1e-3);
    double sum = 0;
    for (int i = 0; i < 8; i++) sum += leaves[i];
    assert_true(fabs(replay->tree.nodes[1] - sum) < 1e-9);
    sl_replay_free(replay);
}

static void errors_of_no_number_do_no_harm(void **state) {
    (void)state;
    SlReplay *replay = held(SL_SAMPLE_PRIORITY, 1, 8, 3);
    const uint32_t some[3] = {0, 1, 2};
    const SlReal errors[3] = {NAN, INFINITY, 0};
    uint32_t rows[MOST];
    SlRng rng = rng_of(14);
    sl_replay_prioritise(replay, 3, some, errors);
    assert_true(isfinite(replay->tree.nodes[1]) && replay->tree.nodes[1] > 0);
    for (int i = 0; i < 100; i++) draw(replay, 10, &rng, rows);
    sl_replay_free(replay);
}

static void only_held_rows_are_drawn_by_priority(void **state) {
    (void)state;
    for (int n = 2; n < 20; n++) {
        SlReplay *replay = held(SL_SAMPLE_PRIORITY, 2, 33, n);
        uint32_t rows[MOST];
        SlRng rng = rng_of((uint64_t)n);
        for (int i = 0; i < 50; i++) draw(replay, 20, &rng, rows); // checks each
        sl_replay_free(replay);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform_batches_have_exactly_the_size),
        cmocka_unit_test(uniform_rows_are_alike_and_come_back),
        cmocka_unit_test(references_are_not_part_of_their_neighbours),
        cmocka_unit_test(whole_micro_batches_are_taken_and_no_reference_in_vain),
        cmocka_unit_test(micro_batches_end_where_what_is_held_ends),
        cmocka_unit_test(borders_give_between_n_and_2n_rows),
        cmocka_unit_test(neighbours_at_the_head_of_a_full_ring_are_newest_and_oldest),
        cmocka_unit_test(neighbours_cross_the_borders_of_episodes),
        cmocka_unit_test(overlapping_micro_batches_repeat_rows),
        cmocka_unit_test(the_same_stream_gives_the_same_rows_and_agents_draw_their_own),
        cmocka_unit_test(inner_rows_are_alike_and_the_outermost_rarer),
        cmocka_unit_test(references_of_neighbours_are_uniform),
        cmocka_unit_test(priorities_follow_errors),
        cmocka_unit_test(important_rows_come_with_their_neighbours),
        cmocka_unit_test(new_rows_get_the_largest_priority_so_far),
        cmocka_unit_test(errors_of_no_number_do_no_harm),
        cmocka_unit_test(only_held_rows_are_drawn_by_priority),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
