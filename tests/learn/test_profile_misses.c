// test_profile_misses.c - sampling in simulated caches: what must fit, what must not, what
// neighbours save, and what is refused.
#include <string.h>

#include "starling/learn/engine_profile.h"
#include "support/check.h"

static SlEngineSetup setup_of(int agents, int layout, int sampling) {
    SlEngineSetup setup;
    sl_engine_init(&setup);
    setup.world.n_agents = agents;
    setup.layout = layout;
    setup.sampling = sampling;
    return setup;
}

static SlMisses simulate(const SlEngineSetup *setup, int64_t rows, bool list) {
    SlMisses misses;
    SlError err;
    assert_int_equal(sl_engine_misses(setup, rows, list, &misses, &err), SL_OK);
    assert_int_equal(misses.rows, rows);
    return misses;
}

// tag, 3 agents: rows of 3 lines in each of 3 buffers, 1,024 rows for each of 3 agents
static void every_line_of_every_agent_is_read(void **state) {
    (void)state;
    const SlEngineSetup setup = setup_of(3, SL_LAYOUT_SEPARATE, SL_SAMPLE_UNIFORM);
    const SlMisses misses = simulate(&setup, 100000, false);
    assert_int_equal(misses.row_bytes, 576);
    assert_int_equal(misses.reads, 3 * 3 * 3 * 1024);
    for (int l = 0; l + 1 < SL_N_CACHE_LEVELS; l++)
        if (l != SL_CACHE_L3 && l != SL_CACHE_WALK_4K)
            assert_true(misses.read_misses[l] >= misses.read_misses[l + 1]);
    assert_true(misses.read_misses[SL_CACHE_L1] <= misses.reads);
}

static void small_replays_stay_in_the_last_cache(void **state) {
    (void)state;
    const SlEngineSetup setup = setup_of(3, SL_LAYOUT_STATE, SL_SAMPLE_UNIFORM);
    const SlMisses small = simulate(&setup, 10000, false), large = simulate(&setup, 1000000, false);
    assert_true(small.read_misses[SL_CACHE_L3] < 0.01 * small.reads);
    assert_true(large.read_misses[SL_CACHE_L3] > 0.8 * large.reads);
    // 2.56 MB are 625 pages, 256 MB are more than the second TLB has
    assert_true(small.read_misses[SL_CACHE_WALK_4K] < 1);
    assert_true(large.read_misses[SL_CACHE_WALK_4K] > 2000);
    assert_true(large.read_misses[SL_CACHE_WALK_2M] < 1);
}

// rows are whole lines, so neighbours share none; but they share pages. Python's objects share
// lines.
static void neighbours_save_pages_and_lines_of_lists(void **state) {
    (void)state;
    const SlEngineSetup uniform = setup_of(3, SL_LAYOUT_SEPARATE, SL_SAMPLE_UNIFORM);
    const SlEngineSetup neighbor = setup_of(3, SL_LAYOUT_SEPARATE, SL_SAMPLE_NEIGHBOR);
    const SlMisses a = simulate(&uniform, 1000000, false), b = simulate(&neighbor, 1000000, false);
    const SlMisses c = simulate(&uniform, 1000000, true), d = simulate(&neighbor, 1000000, true);
    assert_true(b.read_misses[SL_CACHE_L3] > 0.95 * a.read_misses[SL_CACHE_L3]);
    assert_true(b.read_misses[SL_CACHE_TLB_4K] < 0.3 * a.read_misses[SL_CACHE_TLB_4K]);
    assert_true(d.read_misses[SL_CACHE_L3] < 0.8 * c.read_misses[SL_CACHE_L3]);
    assert_true(d.read_misses[SL_CACHE_TLB_4K] < 0.3 * c.read_misses[SL_CACHE_TLB_4K]);
}

// 3.9 times in the paper
static void pages_grow_with_the_square_of_the_agents(void **state) {
    (void)state;
    const SlEngineSetup three = setup_of(3, SL_LAYOUT_SEPARATE, SL_SAMPLE_UNIFORM);
    const SlEngineSetup six = setup_of(6, SL_LAYOUT_SEPARATE, SL_SAMPLE_UNIFORM);
    const SlMisses a = simulate(&three, 1000000, false), b = simulate(&six, 1000000, false);
    const double growth = b.read_misses[SL_CACHE_TLB_4K] / a.read_misses[SL_CACHE_TLB_4K];
    assert_true(3.7 < growth && growth < 4.1);
}

static void shared_batches_are_read_once(void **state) {
    (void)state;
    SlEngineSetup setup = setup_of(4, SL_LAYOUT_JOINT, SL_SAMPLE_PRIORITY);
    const SlMisses own = simulate(&setup, 5000, false);
    setup.mode = SL_MODE_SHARED;
    const SlMisses shared = simulate(&setup, 5000, false);
    assert_true(shared.reads > 0.24 * own.reads && shared.reads < 0.26 * own.reads);
    // the same again, number by number
    const SlMisses again = simulate(&setup, 5000, false);
    assert_memory_equal(&shared, &again, sizeof again);
}

static void what_cannot_be_simulated_is_refused(void **state) {
    (void)state;
    SlEngineSetup setup = setup_of(3, SL_LAYOUT_JOINT, SL_SAMPLE_UNIFORM);
    SlMisses misses;
    SlError err;
    assert_int_equal(sl_engine_misses(&setup, 1, false, &misses, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "2 to 2147483647"));
    setup.mode = SL_MODE_FOLDED;
    assert_int_equal(sl_engine_misses(&setup, 100, false, &misses, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "state"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_every_agent_is_read),
        cmocka_unit_test(small_replays_stay_in_the_last_cache),
        cmocka_unit_test(neighbours_save_pages_and_lines_of_lists),
        cmocka_unit_test(pages_grow_with_the_square_of_the_agents),
        cmocka_unit_test(shared_batches_are_read_once),
        cmocka_unit_test(what_cannot_be_simulated_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
