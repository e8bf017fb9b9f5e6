// test_engine_profile.c - phases of engines that take turns: times, rows, what is refused.
#include <math.h>
#include <string.h>

#include "starling/learn/engine_profile.h"
#include "support/check.h"

enum { N = 3 };

static void make_setups(SlEngineSetup setups[static N]) {
    static const int layouts[N] = {SL_LAYOUT_SEPARATE, SL_LAYOUT_JOINT, SL_LAYOUT_STATE};
    for (int i = 0; i < N; i++) {
        sl_engine_init(&setups[i]);
        setups[i].world.n_agents = 2;
        setups[i].hidden = 4;
        setups[i].batch = 8;
        setups[i].layout = layouts[i];
    }
}

static void every_engine_has_times_that_add_up(void **state) {
    (void)state;
    SlEngineSetup setups[N];
    SlEngineProfile profiles[N];
    SlError err;
    const SlProfileSetup setup = {.rounds = 3, .fill = 110, .bytes = 1e9};
    make_setups(setups);
    assert_int_equal(sl_engine_profile(N, setups, &setup, NULL, profiles, &err), SL_OK);
    for (int i = 0; i < N; i++) {
        const SlEngineProfile *one = &profiles[i];
        double shares = 0;
        assert_int_equal(one->rows, 100); // whole episodes
        assert_true(one->row_bytes > 0);
        for (int p = 0; p < SL_N_PHASES; p++) {
            const SlPhaseTime *time = &one->phases[p];
            assert_true(0 <= time->low && time->low <= time->median && time->median <= time->high);
            shares += sl_profile_share(one, (SlPhase)p);
        }
        assert_true(fabs(shares - 1) < 1e-12);
        assert_true(one->all.median > 0 && sl_profile_update(one) > 0);
        assert_true(one->phases[SL_PHASE_Q].median > 0); // an update in every unit
        for (int c = 0; c < SL_N_COUNTERS; c++)
            assert_true(isnan(one->counts[c]) || one->counts[c] >= 0);
    }
}

static void rows_are_as_many_as_memory_allows(void **state) {
    (void)state;
    SlEngineSetup setups[N];
    SlEngineProfile profiles[N];
    SlError err;
    double bytes = 0;
    SlProfileSetup setup = {.rounds = 1, .fill = 1000, .bytes = 60000};
    make_setups(setups);
    assert_int_equal(sl_engine_profile(N, setups, &setup, NULL, profiles, &err), SL_OK);
    for (int i = 0; i < N; i++) bytes += (double)profiles[i].row_bytes;
    int64_t rows = (int64_t)(60000 / bytes) / 25 * 25;
    assert_true(25 <= rows && rows < 1000);
    for (int i = 0; i < N; i++) assert_int_equal(profiles[i].rows, rows);
    // one episode at least
    setup.bytes = 1;
    assert_int_equal(sl_engine_profile(N, setups, &setup, NULL, profiles, &err), SL_OK);
    assert_int_equal(profiles[0].rows, 25);
}

static void setups_that_cannot_be_are_refused(void **state) {
    (void)state;
    SlEngineSetup setups[N];
    SlEngineProfile profiles[N];
    SlError err;
    SlProfileSetup setup = {.rounds = 1, .fill = 100, .bytes = 1e9};
    make_setups(setups);
    setups[2].batch = 0;
    assert_int_equal(sl_engine_profile(N, setups, &setup, NULL, profiles, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "batches"));
    make_setups(setups);
    setup.rounds = 0;
    assert_int_equal(sl_engine_profile(N, setups, &setup, NULL, profiles, &err), SL_EINPUT);
    // 256 agents with wide layers: terabytes
    make_setups(setups);
    setup.rounds = 1;
    setups[1].world.n_agents = 256;
    setups[1].hidden = 1024;
    assert_int_equal(sl_engine_profile(2, setups, &setup, NULL, profiles, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "the networks of 2 engines need"));
}

static void sampling_is_simulated_where_it_is_wanted(void **state) {
    (void)state;
    SlEngineSetup setups[N];
    SlEngineProfile profiles[N];
    SlError err;
    const SlProfileSetup setup = {.rounds = 1, .fill = 100, .bytes = 1e9, .simulate = 5000};
    make_setups(setups);
    setups[1] = setups[0];
    setups[1].algo = SL_MASAC;
    assert_int_equal(sl_engine_profile(N, setups, &setup, NULL, profiles, &err), SL_OK);
    for (int i = 0; i < N; i++) assert_int_equal(profiles[i].misses.rows, 5000);
    // algorithms sample alike
    assert_memory_equal(&profiles[0].misses, &profiles[1].misses, sizeof(SlMisses));
    assert_int_equal(profiles[1].list.rows, 5000);
    assert_int_equal(profiles[2].list.rows, 0); // layout state
    assert_true(profiles[0].list.reads > profiles[0].misses.reads);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_engine_has_times_that_add_up),
        cmocka_unit_test(rows_are_as_many_as_memory_allows),
        cmocka_unit_test(setups_that_cannot_be_are_refused),
        cmocka_unit_test(sampling_is_simulated_where_it_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
