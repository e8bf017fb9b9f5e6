// test_replay_trace.c - the addresses of a gather: lines and pages counted by hand, and rows where
// a real gather finds them.
#include "learn/replay_inside.h"
#include "support/check.h"

// two agents that see 20 numbers, of a state of 30 of which 4 are fixed
static SlReplaySetup setup_of(SlReplayLayout layout) {
    return (SlReplaySetup){.layout = layout,
                           .sampling = SL_SAMPLE_UNIFORM,
                           .capacity = 1000,
                           .n_agents = 2,
                           .n_observed = 20,
                           .n_state = 30,
                           .n_fixed = 4};
}

// caches that are empty again
typedef struct {
    SlArena arena;
    SlCaches caches;
    SlReplaySetup setup;
    ReplayTrace trace;
} Bench;

static void make(SlReplayLayout layout, bool states, Bench *bench) {
    sl_arena_init(&bench->arena, 0);
    assert_true(sl_caches_make(&sl_caches_zen5, &bench->arena, &bench->caches));
    bench->setup = setup_of(layout);
    sl_trace_init(&bench->setup, states, 4, &bench->caches, &bench->trace);
}

static void assert_reads(const Bench *bench, int lines, int misses, int pages) {
    assert_int_equal(bench->caches.reads, lines);
    assert_int_equal(bench->caches.read_misses[SL_CACHE_L1], misses);
    assert_int_equal(bench->caches.read_misses[SL_CACHE_TLB_4K], pages);
}

// a row of an agent: 2 x 20 + 5 + 1 + 1 = 47 numbers, 3 lines of 16, stride 48: 192 bytes; rows 0
// and 1 lie in the first page of each buffer, row 21 begins 4,032 bytes in and ends in the second
static void separate_buffers_are_read_one_after_the_other(void **state) {
    (void)state;
    static const uint32_t rows[] = {0, 1, 0, 21};
    Bench bench;
    make(SL_LAYOUT_SEPARATE, false, &bench);
    sl_trace_gather(&bench.trace, 4, rows, 1, true);
    assert_reads(&bench, 2 * 4 * 3, 2 * 3 * 3, 2 * 2);
    // buffers are as far apart as their memory: one huge page
    assert_int_equal(bench.trace.buffer_bytes, 1 << 21);
    assert_int_equal(bench.caches.read_misses[SL_CACHE_TLB_2M], 2);
    sl_arena_free(&bench.arena);
}

// a row of both: 2 (2 x 20 + 5 + 1) + 1 = 93 numbers, 6 lines
static void joint_rows_are_read_once(void **state) {
    (void)state;
    static const uint32_t rows[] = {7, 7, 9};
    Bench bench;
    make(SL_LAYOUT_JOINT, false, &bench);
    sl_trace_gather(&bench.trace, 3, rows, 0, true);
    assert_reads(&bench, 18, 12, 1);
    sl_arena_free(&bench.arena);
}

// 30 + 26 + 10 + 2 + 1 = 69 numbers, 5 lines; a row of the batch has 30 numbers and 10 actions: 160
// bytes, x in 2 pieces of which the second shares the line of the first or not
static void states_are_written_as_they_are(void **state) {
    (void)state;
    static const uint32_t rows[] = {0};
    Bench bench;
    make(SL_LAYOUT_STATE, true, &bench);
    sl_trace_gather(&bench.trace, 1, rows, 0, true);
    assert_reads(&bench, 5, 5, 1);
    // x: 120 bytes in 2 lines; next: 2; actions: bytes 120 to 160 in 2; reward, end
    assert_int_equal(bench.caches.writes, 2 + 2 + 2 + 1 + 1);
    assert_int_equal(bench.caches.write_misses[SL_CACHE_L1], 3 + 2 + 1 + 1);
    // rewards alone: what a gather asks for is read, nothing else is written
    sl_caches_forget(&bench.caches);
    sl_trace_gather(&bench.trace, 1, rows, 1, false);
    assert_int_equal(bench.caches.reads, 5);
    assert_int_equal(bench.caches.writes, 2);
    sl_arena_free(&bench.arena);
}

// what is written for a real gather: as many numbers as the batch has
static void all_of_a_batch_is_written(void **state) {
    (void)state;
    static const uint32_t rows[] = {3, 14, 15, 92};
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        Bench bench;
        make((SlReplayLayout)l, false, &bench);
        sl_trace_gather(&bench.trace, 4, rows, 0, true);
        // rows of 2 (20 + 5) numbers, 200 bytes: 4 of them in 13 lines; next without the last 40
        // bytes in 12 (bytes 0-160, 200-360, 400-560, 600-760)
        assert_int_equal(bench.caches.write_misses[SL_CACHE_L1], 13 + 12 + 1 + 1);
        sl_arena_free(&bench.arena);
    }
}

// the next observation of a row is the observation of the next one, in the very same place
static void lists_share_observations_between_rows(void **state) {
    (void)state;
    static const uint32_t one[] = {500}, next[] = {501}, far[] = {900};
    Bench bench;
    make(SL_LAYOUT_SEPARATE, false, &bench);
    sl_trace_list(&bench.trace, 1, one);
    const double first = bench.caches.read_misses[SL_CACHE_L1];
    sl_trace_list(&bench.trace, 1, next);
    const double second = bench.caches.read_misses[SL_CACHE_L1] - first;
    sl_trace_list(&bench.trace, 1, far);
    const double third = bench.caches.read_misses[SL_CACHE_L1] - first - second;
    assert_true(second < 0.7 * third);
    // 8 + 88 + 2 x 80 + 2 x 16 + 24 + 8 x 20 + 2 x 24 bytes of each of two agents
    assert_int_equal(sl_trace_list_bytes(&bench.setup), 2 * (8 + 88 + 160 + 32 + 24 + 160 + 48));
    sl_arena_free(&bench.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(separate_buffers_are_read_one_after_the_other),
        cmocka_unit_test(joint_rows_are_read_once),
        cmocka_unit_test(states_are_written_as_they_are),
        cmocka_unit_test(all_of_a_batch_is_written),
        cmocka_unit_test(lists_share_observations_between_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
