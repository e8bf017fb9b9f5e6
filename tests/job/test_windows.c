// test_windows.c - stretches of a run: mean returns, and what the points chose in them.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "job_help.h"

enum { MOST = 400 };

// everything that a run asked for and was told; the points are random
static struct {
    int n;
    SlRng rng;
    const SlSpace *space;
    int32_t points[MOST][SL_MAX_PARAMS];
    double values[MOST];
} heard;

static void *hear_make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    (void)options;
    heard.n = 0;
    heard.space = sl_task_space(setup->task);
    sl_rng_init(&heard.rng, setup->seed, "windows");
    return SL_NEW(arena, 1, int);
}

static int hear_ask(void *state, int room, int32_t *points) {
    (void)state;
    int n = room < 7 ? room : 7;
    for (int i = 0; i < n; i++)
        sl_space_sample(heard.space, &heard.rng, points + (ptrdiff_t)i * heard.space->n_params);
    return n;
}

static void hear_tell(void *state, int n, const int32_t *points, const SlSample *outcomes) {
    (void)state;
    for (int i = 0; i < n; i++, heard.n++) {
        memcpy(heard.points[heard.n], points + (ptrdiff_t)i * heard.space->n_params,
               (size_t)heard.space->n_params * sizeof *points);
        heard.values[heard.n] = outcomes[i].value;
    }
}

static const SlOption no_options[] = {{0}};
static const SlMethod hear = {
    .name = "hear", .options = no_options, .make = hear_make, .ask = hear_ask, .tell = hear_tell};

static Job job_of(const World *world, int64_t samples, int n_windows) {
    Job job = world_job(world, "edp", "random");
    job.run.method = &hear;
    job.run.start = SL_START_NONE;
    job.task.illegal = SL_ILLEGAL_PENALTY;
    job.run.budget.samples = samples;
    job.run.n_windows = n_windows;
    job.run.trace = n_windows > 0;
    return job;
}

// the share of one parameter over samples first..last, from what was heard
static double share_of(int p, int first, int last, const int32_t *best) {
    const SlParam *param = &heard.space->params[p];
    double sum = 0;
    for (int s = first; s <= last; s++) {
        int32_t value = heard.points[s - 1][p];
        if (param->kind == SL_ORDINAL)
            sum += param->n > 1 ? (double)value / (param->n - 1) : 0;
        else
            sum += value == best[p];
    }
    return sum / (last - first + 1);
}

static void windows_and_trace_are_means_over_their_samples(void **state) {
    (void)state;
    static const int shapes[][2] = {{400, 10}, {100, 7}, {50, 50}, {30, 40}, {1, 1}, {399, 100}};
    static World world;
    world_make(&world, "conv:K=8,C=6,P=7,Q=7", "eyeriss");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int budget = shapes[i][0], n = shapes[i][1] < budget ? shapes[i][1] : budget;
        Job job = job_of(&world, budget, shapes[i][1]);
        SlRecord record = job_run(&job, &world.arena);
        int32_t best[SL_MAX_PARAMS] = {0};
        bool any = record.best.sample > 0;
        if (any) sl_space_encode(&world.space, &record.best.mapping, best);
        assert_int_equal(record.n_windows, n);
        for (int w = 0, last = 0; w < n; w++) {
            int first = last + 1;
            double sum = 0;
            last = (w + 1) * budget / n;
            for (int s = first; s <= last; s++)
                if (isfinite(heard.values[s - 1])) sum += 1 / heard.values[s - 1];
            assert_int_equal(record.windows[w].last, last);
            double mean = sum / (last - first + 1);
            assert_true(fabs(record.windows[w].mean_inverse - mean) <= 1e-12 * mean);
            for (int p = 0; p < world.space.n_params && any; p++) {
                double traced = record.trace[w * world.space.n_params + p];
                assert_true(fabs(traced - share_of(p, first, last, best)) < 1e-6);
            }
        }
    }
    world_free(&world);
}

static void a_run_that_ends_early_has_the_windows_that_were_begun(void **state) {
    (void)state;
    static World world;
    world_make(&world, "conv:K=8,C=6,P=7,Q=7", "eyeriss");
    Job job = job_of(&world, MOST, 10);
    job.task.illegal = SL_ILLEGAL_REPAIR;
    SlRecord whole = job_run(&job, &world.arena);
    // stop at the second best: somewhere inside a window
    assert_true(whole.n_curve >= 3);
    const SlCurvePoint *at = &whole.curve[whole.n_curve - 3];
    job.run.budget.target = at->value / whole.floor * (1 + 1e-12);
    SlRecord early = job_run(&job, &world.arena);
    assert_int_equal(early.stopped, SL_STOP_TARGET);
    assert_true(early.samples < MOST);
    int begun = (int)((early.samples + 39) / 40);
    assert_int_equal(early.n_windows, begun);
    assert_int_equal(early.windows[begun - 1].last, early.samples);
    for (int w = 0; w + 1 < begun; w++)
        assert_memory_equal(&early.windows[w], &whole.windows[w], sizeof *early.windows);
    world_free(&world);
}

static void windows_change_nothing_else(void **state) {
    (void)state;
    static World world;
    world_make(&world, "conv:K=8,C=6,P=7,Q=7", "eyeriss");
    Job job = world_job(&world, "edp", "local"); // from the default mapping
    job.run.budget.samples = 200;
    SlRecord plain = job_run(&job, &world.arena);
    assert_int_equal(plain.n_windows, 0);
    assert_null(plain.trace);
    job.run.n_windows = 20;
    job.run.trace = true;
    SlRecord traced = job_run(&job, &world.arena);
    assert_same_record(&plain, &traced);
    assert_int_equal(traced.n_windows, 20);
    world_free(&world);
}

static void windows_without_samples_are_refused(void **state) {
    (void)state;
    static World world;
    world_make(&world, "conv:K=8,C=6,P=7,Q=7", "eyeriss");
    Job job = job_of(&world, 0, 10);
    SlRecord record;
    SlError err = {0};
    job.run.budget.seconds = 1;
    assert_int_equal(job_try(&job, NULL, NULL, &world.arena, &record, &err), SL_EINPUT);
    assert_string_equal(err.text, "windows need a budget of samples");
    job = job_of(&world, 10, 0);
    job.run.trace = true;
    assert_int_equal(job_try(&job, NULL, NULL, &world.arena, &record, &err), SL_EINPUT);
    assert_string_equal(err.text, "a trace needs windows");
    job = job_of(&world, 10, -1);
    assert_int_equal(job_try(&job, NULL, NULL, &world.arena, &record, &err), SL_EINPUT);
    world_free(&world);
}

static void little_memory_is_said(void **state) {
    (void)state;
    static World world;
    world_make(&world, "conv:K=8,C=6,P=7,Q=7", "eyeriss");
    Job job = job_of(&world, MOST, 100);
    SlStatus status = SL_ENOMEM;
    int failed = 0;
    for (size_t limit = 1000; status != SL_OK; limit += 4001, failed++) {
        SlArena arena;
        SlRecord record;
        sl_arena_init(&arena, limit);
        status = job_try(&job, NULL, NULL, &arena, &record, NULL);
        assert_true(status == SL_OK || status == SL_ENOMEM);
        sl_arena_free(&arena);
    }
    assert_true(failed > 5);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_and_trace_are_means_over_their_samples),
        cmocka_unit_test(a_run_that_ends_early_has_the_windows_that_were_begun),
        cmocka_unit_test(windows_change_nothing_else),
        cmocka_unit_test(windows_without_samples_are_refused),
        cmocka_unit_test(little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
