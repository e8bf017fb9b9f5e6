// test_run_maestro.c - runs priced by MAESTRO's model: every method, any number of threads.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "study_help.h"

enum { SAMPLES = 40 };

static void world_of_maestro(World *world, const char *layer) {
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    SlConstraints constraints;
    world_make(world, layer, "gamma168");
    assert_int_equal(sl_model_space(SL_MODEL_MAESTRO, &world->arena, &constraints, &options, NULL),
                     SL_OK);
    assert_int_equal(
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, &world->space, NULL),
        SL_OK);
}

static SlRunSetup maestro_setup(const World *world, const char *goal, const char *method) {
    SlRunSetup setup = run_setup(world, goal, method);
    setup.model = SL_MODEL_MAESTRO;
    setup.budget.samples = SAMPLES;
    return setup;
}

// what a record says against a task of its own
static void expect_record(World *world, const SlRunSetup *setup, const SlRecord *record) {
    SlTaskSetup task_setup = {
        .space = &world->space, .goal = setup->goal, .model = SL_MODEL_MAESTRO};
    SlTask *task = sl_task_make(&task_setup, &world->arena);
    SlSample outcome;
    SlCost native;
    assert_true(task && record->best.sample > 0);
    sl_task_eval_mapping(task, &record->best.mapping, &outcome);
    assert_memory_equal(&outcome, &record->best.outcome, sizeof outcome);
    sl_cost_eval(&world->layer, &world->accel, &record->best.mapping, &native);
    assert_true(record->cost.latency_cycles == native.latency_cycles);
    assert_true(record->cost.energy_pj == native.energy_pj);
    assert_true(record->cost.energy_pj != outcome.energy_pj);
}

// EDP has no floor here
static void every_method_searches_with_maestro(void **state) {
    (void)state;
    for (int i = 0; sl_method_at(i); i++) {
        World world;
        SlRecord record;
        SlError err = {0};
        world_of_maestro(&world, "conv:K=16,C=12,P=14,Q=14,R=3,S=3");
        SlRunSetup setup = maestro_setup(&world, "edp", sl_method_at(i)->name);
        SlStatus status = sl_run(&setup, NULL, NULL, &world.arena, &record, &err);
        if (status != SL_OK) fail_msg("%s: %s", sl_method_at(i)->name, err.text);
        assert_true(isnan(record.floor) && isnan(record.floor_multiple));
        assert_int_equal(record.samples, SAMPLES);
        expect_record(&world, &setup, &record);
        assert_good_curve(&record);
        world_free(&world);
    }
}

static void latency_has_a_floor_that_stops_a_run(void **state) {
    (void)state;
    World world;
    SlRecord record;
    world_of_maestro(&world, "conv:K=64,C=64,P=28,Q=28");
    SlRunSetup setup = maestro_setup(&world, "latency", "gamma");
    setup.budget = (SlBudget){.samples = 100000, .target = 2};
    assert_int_equal(sl_run(&setup, NULL, NULL, &world.arena, &record, NULL), SL_OK);
    assert_true(record.floor == 64.0 * 64 * 28 * 28 / 168);
    assert_int_equal(record.stopped, SL_STOP_TARGET);
    assert_true(record.floor_multiple >= 1 && record.floor_multiple <= 2);
    expect_record(&world, &setup, &record);
    world_free(&world);
}

static void threads_make_no_difference(void **state) {
    (void)state;
    enum { N = 6 };
    World world;
    SlRunSetup setups[N];
    SlArena arenas[2 * N];
    SlRecord records[2 * N];
    world_of_maestro(&world, "dw:G=24,P=20,Q=20,R=3,S=3");
    for (int i = 0; i < N; i++) {
        setups[i] = maestro_setup(&world, i % 2 ? "latency" : "edp", i % 3 ? "gamma" : "marl");
        setups[i].seed = (uint64_t)i;
    }
    for (int i = 0; i < 2 * N; i++) sl_arena_init(&arenas[i], 0);
    for (int t = 0; t < 2; t++) {
        SlPool *pool = sl_pool_make(t ? 3 : 1);
        assert_non_null(pool);
        SlStatus status = sl_run_all(N, setups, pool, NULL, NULL, arenas + (ptrdiff_t)t * N,
                                     records + (ptrdiff_t)t * N, NULL);
        assert_int_equal(status, SL_OK);
        sl_pool_free(pool);
    }
    for (int i = 0; i < N; i++) assert_same_record(&records[i], &records[N + i]);
    for (int i = 0; i < 2 * N; i++) sl_arena_free(&arenas[i]);
    world_free(&world);
}

static void a_pair_that_does_not_suit_is_refused(void **state) {
    (void)state;
    World world;
    SlRecord record;
    SlError err = {0};
    world_make(&world, "conv:K=16,C=12,P=14,Q=14", "nvdla");
    SlRunSetup setup = maestro_setup(&world, "latency", "random");
    assert_int_equal(sl_run(&setup, NULL, NULL, &world.arena, &record, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "MAESTRO's machine"));
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_searches_with_maestro),
        cmocka_unit_test(latency_has_a_floor_that_stops_a_run),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(a_pair_that_does_not_suit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
