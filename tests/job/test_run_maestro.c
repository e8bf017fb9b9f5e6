// test_run_maestro.c - runs priced by MAESTRO's model: every method, any number of threads.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "job_help.h"

enum { SAMPLES = 40 };

static void world_of_maestro(World *world, const char *layer) {
    SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    SlConstraints constraints;
    world_make(world, layer, "gamma168");
    assert_int_equal(sl_kind_space(&sl_kind_maestro, &world->arena, &constraints, &options, NULL),
                     SL_OK);
    assert_int_equal(
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, &world->space, NULL),
        SL_OK);
}

static Job maestro_job(const World *world, const char *goal, const char *method) {
    Job job = world_job(world, goal, method);
    job.task.kind = &sl_kind_maestro;
    job.run.budget.samples = SAMPLES;
    return job;
}

// what a record says against a task of its own
static void expect_record(World *world, const Job *job, const SlRecord *record) {
    SlTask *task = job_task(job, &world->arena);
    SlSample outcome;
    SlCost native;
    assert_true(record->best.sample > 0);
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
        if (sl_method_at(i)->needs & (SL_NEEDS_FLOORS | SL_NEEDS_FLOCK)) continue;
        World world;
        world_of_maestro(&world, "conv:K=16,C=12,P=14,Q=14,R=3,S=3");
        Job job = maestro_job(&world, "edp", sl_method_at(i)->name);
        SlRecord record = job_run(&job, &world.arena);
        assert_true(isnan(record.floor) && isnan(record.floor_multiple));
        assert_int_equal(record.samples, SAMPLES);
        expect_record(&world, &job, &record);
        assert_good_curve(&record);
        world_free(&world);
    }
}

static void latency_has_a_floor_that_stops_a_run(void **state) {
    (void)state;
    World world;
    SlRecord record;
    world_of_maestro(&world, "conv:K=64,C=64,P=28,Q=28");
    Job job = maestro_job(&world, "latency", "gamma");
    job.run.budget = (SlBudget){.samples = 100000, .target = 2};
    assert_int_equal(job_try(&job, NULL, NULL, &world.arena, &record, NULL), SL_OK);
    assert_true(record.floor == 64.0 * 64 * 28 * 28 / 168);
    assert_int_equal(record.stopped, SL_STOP_TARGET);
    assert_true(record.floor_multiple >= 1 && record.floor_multiple <= 2);
    expect_record(&world, &job, &record);
    world_free(&world);
}

enum { N_RUNS = 6 };
typedef struct {
    Job jobs[N_RUNS];
    SlArena arenas[N_RUNS];
    SlRecord records[N_RUNS];
} Batch;

static void run_item(void *context, int item, int worker) {
    Batch *batch = context;
    (void)worker;
    batch->records[item] = job_run(&batch->jobs[item], &batch->arenas[item]);
}

static void threads_make_no_difference(void **state) {
    (void)state;
    static Batch batches[2];
    World world;
    world_of_maestro(&world, "dw:G=24,P=20,Q=20,R=3,S=3");
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < N_RUNS; i++) {
            Job *job = &batches[t].jobs[i];
            *job = maestro_job(&world, i % 2 ? "latency" : "edp", i % 3 ? "gamma" : "marl");
            job->run.seed = (uint64_t)i;
            sl_arena_init(&batches[t].arenas[i], 0);
        }
        SlPool *pool = sl_pool_make(t ? 3 : 1);
        assert_non_null(pool);
        sl_pool_run(pool, N_RUNS, run_item, &batches[t]);
        sl_pool_free(pool);
    }
    for (int i = 0; i < N_RUNS; i++)
        assert_same_record(&batches[0].records[i], &batches[1].records[i]);
    for (int i = 0; i < 2 * N_RUNS; i++) sl_arena_free(&batches[i / N_RUNS].arenas[i % N_RUNS]);
    world_free(&world);
}

static void a_pair_that_does_not_suit_is_refused(void **state) {
    (void)state;
    World world;
    SlRecord record;
    SlError err = {0};
    world_make(&world, "conv:K=16,C=12,P=14,Q=14", "nvdla");
    Job job = maestro_job(&world, "latency", "random");
    assert_int_equal(job_try(&job, NULL, NULL, &world.arena, &record, &err), SL_EINPUT);
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
