// test_engine.c - the training engine: setups, layouts, modes, threads, checkpoints.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "starling/learn/engine.h"
#include "support/check.h"

// small enough for sanitizers: learns from the tenth episode on
static SlEngineSetup small(void) {
    SlEngineSetup setup;
    sl_engine_init(&setup);
    setup.hidden = 16;
    setup.batch = 40;
    setup.warm = 250;
    setup.capacity = 600;
    setup.update_every = 50;
    return setup;
}

static SlEngine *make(const SlEngineSetup *setup) {
    SlEngine *engine;
    SlError err;
    if (sl_engine_make(setup, &engine, &err) != SL_OK) fail_msg("%s", err.text);
    return engine;
}

static bool same_weights(const SlEngine *a, const SlEngine *b) {
    const SlReal *x, *y;
    size_t n = sl_engine_weights(a, &x);
    assert_int_equal(n, sl_engine_weights(b, &y));
    return memcmp(x, y, n * sizeof *x) == 0;
}

// largest difference of a weight
static double apart(const SlEngine *a, const SlEngine *b) {
    const SlReal *x, *y;
    size_t n = sl_engine_weights(a, &x);
    sl_engine_weights(b, &y);
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs((double)(x[i] - y[i])));
    return most;
}

static SlEngine *trained(const SlEngineSetup *setup, int64_t episodes, SlPool *pool) {
    SlEngine *engine = make(setup);
    sl_engine_run(engine, episodes, pool, NULL, NULL);
    return engine;
}

static void expect_refused(const SlEngineSetup *setup, const char *reason) {
    const char *got = sl_engine_check(setup);
    assert_non_null(got);
    if (!strstr(got, reason)) fail_msg("expected '%s', got '%s'", reason, got);
}

static void setups_that_cannot_be_are_refused_with_a_reason(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    assert_null(sl_engine_check(&setup));
    setup.mode = SL_MODE_FOLDED;
    setup.layout = SL_LAYOUT_JOINT;
    expect_refused(&setup, "layout 'state'");
    setup = small();
    setup.algo = SL_N_ALGOS;
    expect_refused(&setup, "algorithm");
    setup = small();
    setup.sampling = SL_SAMPLE_NEIGHBOR;
    setup.neighbors = INT64_C(1) << 32 | 3;
    expect_refused(&setup, "neighbors");
    setup = small();
    setup.warm = 601;
    expect_refused(&setup, "more than the replay holds");
    setup = small();
    setup.batch = 0;
    expect_refused(&setup, "batches");
    setup = small();
    setup.rate = NAN;
    expect_refused(&setup, "rate");
    setup = small();
    setup.world.n_agents = 0;
    assert_non_null(sl_engine_check(&setup));
}

static void what_is_left_open_is_settled_by_the_engine(void **state) {
    (void)state;
    SlEngineSetup setup;
    sl_engine_init(&setup);
    assert_int_equal(setup.batch, 1024);
    assert_int_equal(setup.layout, SL_LAYOUT_AUTO);
    setup.hidden = 4;
    setup.batch = 8;
    setup.capacity = 300;
    for (int mode = 0; mode < SL_N_MODES; mode++) {
        bool folded = mode == SL_MODE_FOLDED || mode == SL_MODE_FOLDED_SHARED;
        setup.mode = mode;
        SlEngine *engine = make(&setup);
        const SlEngineSetup *settled = sl_engine_setup(engine);
        assert_int_equal(settled->layout, folded ? SL_LAYOUT_STATE : SL_LAYOUT_JOINT);
        assert_int_equal(settled->warm, 25 * 8);
        sl_engine_free(engine);
    }
}

static void every_layout_trains_the_same_networks(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    SlEngine *engines[SL_N_LAYOUTS];
    for (int l = 0; l < SL_N_LAYOUTS; l++) {
        setup.layout = (SlReplayLayout)l;
        engines[l] = trained(&setup, 30, NULL);
        if (l > 0) assert_true(same_weights(engines[0], engines[l]));
    }
    for (int l = 0; l < SL_N_LAYOUTS; l++) sl_engine_free(engines[l]);
}

static void training_changes_all_weights_and_depends_on_the_seed(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    SlEngine *fresh = make(&setup), *old = trained(&setup, 30, NULL);
    setup.seed = 2;
    SlEngine *other = trained(&setup, 30, NULL);
    assert_true(apart(fresh, old) > 1e-3);
    assert_false(same_weights(old, other));
    SlEngineState so_far;
    sl_engine_state(old, &so_far);
    assert_int_equal(so_far.episodes, 30);
    assert_int_equal(so_far.steps, 750);
    // at 250, 300 ... 750 steps
    assert_int_equal(so_far.rounds, 11);
    sl_engine_free(fresh);
    sl_engine_free(old);
    sl_engine_free(other);
}

// the same draws and noise, so only rounding differs
static void folding_is_exact_but_for_rounding(void **state) {
    (void)state;
    for (int algo = 0; algo < SL_N_ALGOS; algo++) {
        for (int shared = 0; shared < 2; shared++) {
            SlEngineSetup setup = small();
            setup.algo = (SlAlgo)algo;
            setup.layout = SL_LAYOUT_STATE;
            setup.world.world = sl_world_find(shared ? "spread" : "tag");
            setup.mode = shared ? SL_MODE_SHARED : SL_MODE_FAITHFUL;
            SlEngine *plain = trained(&setup, 11, NULL);
            setup.mode = shared ? SL_MODE_FOLDED_SHARED : SL_MODE_FOLDED;
            SlEngine *folded = trained(&setup, 11, NULL);
            double off = apart(plain, folded);
            if (off > 2e-4) fail_msg("weights are %g apart", off);
            sl_engine_free(plain);
            sl_engine_free(folded);
        }
    }
}

static void shared_draws_train_other_networks_than_own_ones(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    SlEngine *own = trained(&setup, 20, NULL);
    setup.mode = SL_MODE_SHARED;
    SlEngine *shared = trained(&setup, 20, NULL);
    assert_false(same_weights(own, shared));
    sl_engine_free(own);
    sl_engine_free(shared);
}

static void threads_change_nothing(void **state) {
    (void)state;
    SlPool *pool = sl_pool_make(3);
    for (int mode = 0; mode < SL_N_MODES; mode++) {
        SlEngineSetup setup = small();
        setup.mode = (SlEngineMode)mode;
        setup.layout = SL_LAYOUT_STATE;
        setup.algo = mode % 2 ? SL_MASAC : SL_MADDPG;
        setup.batch = 300; // several blocks
        setup.world.n_envs = 2;
        SlEngine *alone = trained(&setup, 24, NULL), *together = trained(&setup, 24, pool);
        assert_true(same_weights(alone, together));
        sl_engine_free(alone);
        sl_engine_free(together);
    }
    sl_pool_free(pool);
}

static void every_sampling_trains(void **state) {
    (void)state;
    for (int s = 0; s < SL_N_SAMPLINGS; s++) {
        SlEngineSetup setup = small();
        setup.sampling = (SlSampling)s;
        SlEngine *engine = trained(&setup, 20, NULL), *fresh = make(&setup);
        assert_true(apart(engine, fresh) > 1e-3);
        sl_engine_free(engine);
        sl_engine_free(fresh);
    }
}

// ---- shaping, and two teams ----

static void shaping_is_learnt_from_but_not_counted(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    setup.world.script = SL_SCRIPT_SECOND;
    SlEngine *plain = trained(&setup, 20, NULL);
    setup.world.shaping = 1;
    SlEngine *shaped = trained(&setup, 20, NULL);
    // the same play until the first update, and then other weights
    assert_memory_equal(sl_engine_returns(plain, 0), sl_engine_returns(shaped, 0),
                        10 * sizeof(float));
    assert_false(same_weights(plain, shaped));
    // ten for a touch, and nothing else: whole tens, up to the mean over agents
    for (int e = 0; e < 20; e++) {
        const float value = sl_engine_returns(shaped, 0)[e];
        assert_true(value >= 0 && fabsf(value / 10 - roundf(value / 10)) < 1e-5F);
    }
    sl_engine_free(plain);
    sl_engine_free(shaped);
}

static void both_teams_learn_in_every_mode(void **state) {
    (void)state;
    for (int world = 0; world < 2; world++) {
        for (int mode = 0; mode < SL_N_MODES; mode++) {
            SlEngineSetup setup = small();
            SlEngineState now;
            sl_world_init(sl_world_find(world ? "adversary" : "tag"), &setup.world);
            setup.world.script = SL_SCRIPT_LEARN;
            setup.mode = mode;
            setup.layout = SL_LAYOUT_AUTO;
            SlEngine *fresh = make(&setup), *engine = trained(&setup, 15, NULL);
            const SlReal *before, *after;
            const size_t n = sl_engine_weights(fresh, &before), each = n / 4;
            assert_int_equal(sl_engine_weights(engine, &after), n);
            for (size_t i = 0; i < 4; i++) // three agents and an opponent
                assert_true(memcmp(before + i * each, after + i * each, each * sizeof *after) != 0);
            sl_engine_state(engine, &now);
            assert_true(now.recent[0] == now.recent[0] && now.recent[1] < 0);
            sl_engine_free(fresh);
            sl_engine_free(engine);
        }
    }
}

// folding rebuilds what prey see, and the zeros behind it
static void folding_two_teams_is_exact_but_for_rounding(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    setup.world.script = SL_SCRIPT_LEARN;
    SlEngine *plain = trained(&setup, 11, NULL);
    setup.mode = SL_MODE_FOLDED;
    setup.layout = SL_LAYOUT_AUTO;
    SlEngine *folded = trained(&setup, 11, NULL);
    assert_false(same_weights(plain, folded));
    assert_true(apart(plain, folded) < 1e-3);
    sl_engine_free(plain);
    sl_engine_free(folded);
}

static void networks_larger_than_the_machine_are_refused(void **state) {
    (void)state;
    SlEngineSetup setup = small();
    SlEngine *engine;
    SlError err;
    setup.world.n_agents = 256;
    setup.hidden = 1024;
    setup.capacity = 250;
    assert_int_equal(sl_engine_make(&setup, &engine, &err), SL_ENOMEM);
    assert_null(engine);
    assert_non_null(strstr(err.text, "256 agents with 1024 hidden units take 1"));
    assert_non_null(strstr(err.text, "expected fewer agents or hidden units"));
}

// ---- checkpoints ----

static void a_checkpoint_goes_on_as_if_nothing_had_happened(void **state) {
    (void)state;
    char path[] = "/tmp/starling-engine-XXXXXX";
    assert_int_not_equal(mkstemp(path), -1);
    for (int sampling = 0; sampling < SL_N_SAMPLINGS; sampling++) {
        SlEngineSetup setup = small();
        SlError err;
        setup.sampling = (SlSampling)sampling;
        setup.algo = sampling ? SL_MASAC : SL_MADDPG;
        setup.world.n_envs = 1 + sampling;
        setup.world.script = sampling ? SL_SCRIPT_LEARN : SL_SCRIPT_SECOND;
        setup.world.shaping = 0.5;
        SlEngine *whole = trained(&setup, 40, NULL), *first = trained(&setup, 23, NULL);
        assert_int_equal(sl_engine_save(first, path, &err), SL_OK);
        sl_engine_free(first);
        SlEngine *second = make(&setup);
        if (sl_engine_load(second, path, &err) != SL_OK) fail_msg("%s", err.text);
        sl_engine_run(second, 40, NULL, NULL, NULL);
        assert_true(same_weights(whole, second));
        for (int t = 0; t < sl_engine_teams(whole); t++)
            assert_memory_equal(sl_engine_returns(whole, t), sl_engine_returns(second, t),
                                40 * sizeof(float));
        sl_engine_free(whole);
        sl_engine_free(second);
    }
    unlink(path);
}

// the first line of the checkpoint of a fresh engine
static void name_of(const SlEngineSetup *setup, const char *path, size_t room, char *line) {
    SlError err;
    SlEngine *engine = make(setup);
    assert_int_equal(sl_engine_save(engine, path, &err), SL_OK);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_non_null(fgets(line, (int)room, file));
    fclose(file);
    sl_engine_free(engine);
}

static void checkpoints_of_old_keep_their_names(void **state) {
    (void)state;
    char path[] = "/tmp/starling-engine-XXXXXX", line[1024];
    assert_int_not_equal(mkstemp(path), -1);
    SlEngineSetup setup = small();
    setup.sampling = SL_SAMPLE_UNIFORM;
    name_of(&setup, path, sizeof line, line);
    // as version 0.2.0 wrote it
    assert_string_equal(line, "starling engine 1 4 0 3 0 0 0 1 1 25 | 0 0 1 0 3 600 | 16 40 "
                              "0x1.47ae147ae147bp-7 0x1.e666666666666p-1 0x1.47ae147ae147bp-7 "
                              "0x1p-1 0x1.0624dd2f1a9fcp-10 0x1.999999999999ap-5 50 250 1\n");
    setup.world.shaping = 0.5;
    name_of(&setup, path, sizeof line, line);
    assert_non_null(strstr(line, "250 1 | shaping 0x1p-1\n"));
    unlink(path);
}

// eight bytes of a file, `place` bytes after its first line
static void change_number(const char *path, long place, int64_t number) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    while (fgetc(file) != '\n') place++;
    assert_int_equal(fseek(file, place + 1, SEEK_SET), 0);
    assert_int_equal(fwrite(&number, sizeof number, 1, file), 1);
    fclose(file);
}

static void checkpoints_with_impossible_numbers_are_refused(void **state) {
    (void)state;
    char path[] = "/tmp/starling-engine-XXXXXX";
    assert_int_not_equal(mkstemp(path), -1);
    SlEngineSetup setup = small();
    SlError err;
    SlEngine *engine = trained(&setup, 12, NULL);
    // env steps, rounds, then the mean return, episodes, their returns, steps of the first agent
    const struct {
        long place;
        const char *why;
    } numbers[] = {
        {0, "impossible"}, {8, "impossible"}, {24, "cut off"}, {32 + 12 * 4, "impossible"}};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sl_engine_save(engine, path, &err), SL_OK);
        change_number(path, numbers[i].place, -5);
        SlEngine *other = make(&setup);
        assert_int_equal(sl_engine_load(other, path, &err), SL_EINPUT);
        assert_non_null(strstr(err.text, numbers[i].why));
        sl_engine_free(other);
    }
    sl_engine_free(engine);
    unlink(path);
}

static void checkpoints_of_others_or_cut_off_are_refused(void **state) {
    (void)state;
    char path[] = "/tmp/starling-engine-XXXXXX";
    assert_int_not_equal(mkstemp(path), -1);
    SlEngineSetup setup = small();
    SlError err;
    SlEngine *engine = trained(&setup, 12, NULL);
    assert_int_equal(sl_engine_save(engine, path, &err), SL_OK);
    setup.seed = 9;
    SlEngine *other = make(&setup);
    assert_int_equal(sl_engine_load(other, path, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "another setup"));
    assert_int_equal(truncate(path, 5000), 0);
    assert_int_equal(sl_engine_load(engine, path, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "cut off"));
    assert_int_equal(truncate(path, 3), 0);
    assert_int_equal(sl_engine_load(engine, path, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "expected a checkpoint"));
    assert_int_equal(sl_engine_load(engine, "/nowhere/at/all", &err), SL_EINPUT);
    assert_int_equal(sl_engine_save(engine, "/nowhere/at/all", &err), SL_EIO);
    sl_engine_free(engine);
    sl_engine_free(other);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(setups_that_cannot_be_are_refused_with_a_reason),
        cmocka_unit_test(what_is_left_open_is_settled_by_the_engine),
        cmocka_unit_test(every_layout_trains_the_same_networks),
        cmocka_unit_test(training_changes_all_weights_and_depends_on_the_seed),
        cmocka_unit_test(folding_is_exact_but_for_rounding),
        cmocka_unit_test(shared_draws_train_other_networks_than_own_ones),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(every_sampling_trains),
        cmocka_unit_test(shaping_is_learnt_from_but_not_counted),
        cmocka_unit_test(both_teams_learn_in_every_mode),
        cmocka_unit_test(folding_two_teams_is_exact_but_for_rounding),
        cmocka_unit_test(networks_larger_than_the_machine_are_refused),
        cmocka_unit_test(a_checkpoint_goes_on_as_if_nothing_had_happened),
        cmocka_unit_test(checkpoints_of_old_keep_their_names),
        cmocka_unit_test(checkpoints_with_impossible_numbers_are_refused),
        cmocka_unit_test(checkpoints_of_others_or_cut_off_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
