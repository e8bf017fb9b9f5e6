// test_run.c - a run spends its budget exactly, ends for the right reason and keeps the best.
#include "support/check.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "job_help.h"
#include "starling/approx.h"

static const char small_layer[] = "conv:K=16,C=12,P=14,Q=14,R=3,S=3";

// mappings have no lower bounds of points, and nobody taught a flock
static bool suits_mappings(const SlMethod *method) {
    return !(method->needs & (SL_NEEDS_FLOORS | SL_NEEDS_FLOCK));
}

// those that need seconds for a hundred samples: test_methods has few of all
static bool is_quick(const SlMethod *method) {
    static const char *const slow[] = {"gradient", "draft", "dcoc", "dcoc-paper", "chameleon"};
    bool found = false;
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        found |= strcmp(method->name, slow[i]) == 0;
    return suits_mappings(method) && !found;
}

static void every_method_is_found_by_its_name(void **state) {
    (void)state;
    int n = 0;
    for (const SlMethod *method = NULL; (method = sl_method_at(n)) != NULL; n++)
        assert_ptr_equal(sl_method_find(method->name), method);
    assert_true(n >= 20);
    assert_string_equal(sl_method_at(0)->name, "random");
    assert_non_null(sl_method_find("marl-paper"));
    assert_non_null(sl_method_find("oracle"));
    assert_null(sl_method_find("rando"));
    assert_null(sl_method_at(n + 1));
    assert_null(sl_method_at(-1));
}

static void a_run_takes_exactly_its_samples(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    for (int i = 0; sl_method_at(i); i++) {
        if (!is_quick(sl_method_at(i))) continue;
        static const int64_t budgets[] = {1, 2, 63, 130};
        for (int b = 0; b < 4; b++) {
            Job job = world_job(&world, "edp", sl_method_at(i)->name);
            job.run.budget.samples = budgets[b];
            job.run.start = b % 2 ? SL_START_NONE : SL_START_DEFAULT;
            SlRecord record = job_run(&job, &world.arena);
            assert_int_equal(record.samples, budgets[b]);
            assert_int_equal(record.stopped, SL_STOP_SAMPLES);
            assert_true(record.floor_multiple >= 1);
            assert_in_range(record.best.sample, 1, budgets[b]);
            assert_good_curve(&record);
        }
    }
    world_free(&world);
}

static void the_first_sample_is_the_default_mapping(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "latency", "random");
    job.run.budget.samples = 1;
    SlRecord record = job_run(&job, &world.arena);
    SlMapping mapping;
    assert_int_equal(sl_mapping_default(&world.layer, &world.accel, &mapping, NULL), SL_OK);
    assert_true(sl_mapping_key(&world.layer, &mapping) ==
                sl_mapping_key(&world.layer, &record.best.mapping));
    world_free(&world);
}

// remembers what it is told first, and asks for nothing but the middle of the space; never has
// space for more than three samples
typedef struct {
    const SlSpace *space;
    int samples;
} Listener;
static int32_t heard[SL_MAX_PARAMS];
static double heard_value;

static void *listen_make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    (void)options;
    Listener *listener = SL_NEW(arena, 1, Listener);
    if (listener) listener->space = sl_task_space(setup->task);
    return listener;
}

static int listen_ask(void *state, int room, int32_t *points) {
    Listener *listener = state;
    assert_in_range(room, 1, 3 - listener->samples);
    for (int i = 0; i < listener->space->n_params; i++)
        points[i] = listener->space->params[i].n / 2;
    return 1;
}

static void listen_tell(void *state, int n, const int32_t *points, const SlSample *outcomes) {
    Listener *listener = state;
    listener->samples += n;
    if (listener->samples > 1) return;
    memcpy(heard, points, (size_t)listener->space->n_params * sizeof *points);
    heard_value = outcomes->value;
}

static const SlOption no_options[] = {{0}};
static const SlMethod listener_method = {.name = "listener",
                                         .options = no_options,
                                         .make = listen_make,
                                         .ask = listen_ask,
                                         .tell = listen_tell};

// patches of 16 x 16: the default mapping cuts R and S outside L2, the space does not
static const char patches[] = "conv:K=768,C=3,P=14,Q=14,R=16,S=16,stride=16";

static void a_default_mapping_outside_the_space_is_priced_too(void **state) {
    (void)state;
    World world;
    world_make(&world, patches, "eyeriss");
    Job job = world_job(&world, "latency", "random");
    job.run.method = &listener_method;
    job.run.budget.samples = 3;
    SlRecord record = job_run(&job, &world.arena);
    SlMapping mapping;
    assert_int_equal(sl_mapping_default(&world.layer, &world.accel, &mapping, NULL), SL_OK);
    assert_int_equal(record.samples, 3);
    assert_int_equal(record.best.sample, 1);
    assert_true(sl_mapping_key(&world.layer, &mapping) ==
                sl_mapping_key(&world.layer, &record.best.mapping));

    // the method hears the truth about a point of the space
    SlTask *task = job_task(&job, &world.arena);
    SlSample outcome;
    sl_task_eval(task, 1, heard, &outcome);
    assert_true(outcome.value == heard_value);
    assert_true(heard_value > record.best.outcome.value);

    // constraints would forbid it
    world.space.constrained = true;
    record = job_run(&job, &world.arena);
    assert_int_equal(record.samples, 3);
    assert_true(record.curve[0].value == heard_value);
    world_free(&world);
}

static void the_record_prices_the_best_mapping(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "edp", "local");
    SlRecord record = job_run(&job, &world.arena);
    SlCost cost;
    SlFit fit;
    sl_cost_eval(&world.layer, &world.accel, &record.best.mapping, &cost);
    assert_true(sl_mapping_fit(&world.layer, &world.accel, &record.best.mapping, &fit));
    assert_true(sl_goal_value(&job.task.goal, &cost) == record.best.outcome.value);
    assert_true(record.cost.energy_pj == cost.energy_pj);
    assert_true(record.floor_multiple == record.best.outcome.value / record.floor);
    assert_true(record.seconds > 0);
    world_free(&world);
}

// weights and biases of a network of `outputs` with the 5 inputs and 2 x 32 units of marl-paper
static int64_t network_weights(int64_t outputs) {
    return 6 * 32 + 33 * 32 + 33 * outputs;
}

static void a_record_has_the_weights_and_the_memory_of_the_method(void **state) {
    (void)state;
    World world;
    SlAgents one = {.n_agents = 1};
    world_make(&world, small_layer, "eyeriss");
    int64_t many = 0, outputs = 0;
    for (int i = 0; i < world.space.n_params; i++) {
        const SlParam *param = &world.space.params[i];
        int64_t width = param->kind == SL_PERMUTATION ? param->n_items : param->n;
        if (param->n < 2) continue;
        outputs += width;
        many += network_weights(width) + network_weights(1);
    }
    Job job = world_job(&world, "edp", "marl-paper");
    SlRecord record = job_run(&job, &world.arena);
    assert_int_equal(record.n_weights, many);
    // gradients and two moments of Adam besides
    assert_in_range(record.state_bytes, 4 * many * (int64_t)sizeof(SlReal), 1 << 22);
    job.run.agents = &one;
    assert_int_equal(job_run(&job, &world.arena).n_weights,
                     network_weights(outputs) + network_weights(1));
    job = world_job(&world, "edp", "marl");
    assert_true(job_run(&job, &world.arena).n_weights > outputs);
    job = world_job(&world, "edp", "random");
    record = job_run(&job, &world.arena);
    assert_int_equal(record.n_weights, 0);
    assert_true(record.state_bytes > 0);
    world_free(&world);
}

static void a_target_ends_the_run_at_the_sample_that_meets_it(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "edp", "local");
    job.run.start = SL_START_NONE;
    SlRecord whole = job_run(&job, &world.arena);
    assert_true(whole.n_curve >= 3);
    // the value of a point in the middle of the curve as the target
    SlCurvePoint middle = whole.curve[whole.n_curve / 2];
    job.run.budget.target = middle.value / whole.floor * (1 + 1e-12);
    SlRecord record = job_run(&job, &world.arena);
    assert_int_equal(record.stopped, SL_STOP_TARGET);
    assert_int_equal(record.samples, middle.sample);
    assert_true(record.best.outcome.value == middle.value);
    assert_good_curve(&record);

    // a default mapping that is good enough is all there is
    job.run.start = SL_START_DEFAULT;
    job.run.budget.target = 1e9;
    record = job_run(&job, &world.arena);
    assert_int_equal(record.samples, 1);
    assert_int_equal(record.stopped, SL_STOP_TARGET);
    world_free(&world);
}

static void without_a_floor_no_target_is_met(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "area", "random");
    job.run.budget.target = 1e9;
    SlRecord record = job_run(&job, &world.arena);
    assert_int_equal(record.stopped, SL_STOP_SAMPLES);
    assert_true(isnan(record.floor) && isnan(record.floor_multiple));
    world_free(&world);
}

typedef struct {
    int calls, begun, finished;
    int64_t samples, stop_at; // -1 = never
    double value;
} Watcher;

static bool watch(void *context, const SlEvent *event) {
    Watcher *watcher = context;
    watcher->calls++;
    watcher->begun += event->kind == SL_EVENT_BEGIN;
    watcher->finished += event->kind == SL_EVENT_END;
    assert_true(event->samples >= watcher->samples);
    watcher->samples = event->samples;
    watcher->value = event->value;
    assert_int_equal(event->index, 0);
    return watcher->stop_at >= 0 && event->samples >= watcher->stop_at;
}

static void an_interrupt_keeps_the_best_so_far(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "edp", "local");
    job.run.budget.samples = INT64_C(1) << 40;
    Watcher watcher = {.stop_at = 100};
    SlRecord record = job_watched(&job, watch, &watcher, &world.arena);
    assert_int_equal(record.stopped, SL_STOP_ASKED);
    assert_true(record.samples >= 100);
    assert_true(record.best.sample >= 1 && record.floor_multiple >= 1);
    assert_good_curve(&record);
    assert_int_equal(watcher.finished, 1);
    assert_true(watcher.value == record.best.outcome.value);
    world_free(&world);
}

static void an_interrupt_before_the_start_still_prices_one_mapping(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    for (int start = SL_START_DEFAULT; start <= SL_START_NONE; start++) {
        Job job = world_job(&world, "edp", "random");
        job.run.start = (SlStart)start;
        Watcher watcher = {.stop_at = 0};
        SlRecord record = job_watched(&job, watch, &watcher, &world.arena);
        assert_int_equal(record.stopped, SL_STOP_ASKED);
        assert_int_equal(record.samples, 1);
        assert_int_equal(record.best.sample, 1);
    }
    world_free(&world);
}

static void a_watch_that_only_looks_changes_nothing(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    for (int i = 0; sl_method_at(i); i++) {
        if (!is_quick(sl_method_at(i))) continue;
        Job job = world_job(&world, "edp", sl_method_at(i)->name);
        job.run.budget.samples = 150;
        Watcher watcher = {.stop_at = -1};
        SlRecord watched = job_watched(&job, watch, &watcher, &world.arena);
        SlRecord alone = job_run(&job, &world.arena);
        assert_same_record(&watched, &alone);
        assert_true(watcher.calls >= 2 && watcher.finished == 1);
        assert_int_equal(watcher.samples, 150);
    }
    world_free(&world);
}

static void other_seeds_and_streams_give_other_runs(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    Job job = world_job(&world, "edp", "random"), seed = job, stream = job;
    seed.run.seed = 2;
    stream.run.stream = "other";
    job.run.start = seed.run.start = stream.run.start = SL_START_NONE;
    double value = job_run(&job, &world.arena).best.outcome.value;
    assert_true(value != job_run(&seed, &world.arena).best.outcome.value);
    assert_true(value != job_run(&stream, &world.arena).best.outcome.value);
    world_free(&world);
}

static void seconds_end_a_run_without_a_limit_of_samples(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "edp", "random");
    job.run.budget = (SlBudget){.seconds = 0.1};
    SlRecord record = job_run(&job, &world.arena);
    assert_int_equal(record.stopped, SL_STOP_SECONDS);
    assert_true(record.samples > 16);
    assert_true(0.1 <= record.seconds && record.seconds < 20);
    assert_good_curve(&record);
    world_free(&world);
}

static void a_space_of_one_point_ends_at_once(void **state) {
    (void)state;
    World world;
    world_make(&world, "conv:K=1", "eyeriss");
    for (int i = 0; i < world.space.n_params; i++) world.space.params[i].n = 1;
    world.space.n_points = 1;
    for (int i = 0; sl_method_at(i); i++) {
        if (!suits_mappings(sl_method_at(i))) continue;
        Job job = world_job(&world, "edp", sl_method_at(i)->name);
        SlRecord record = job_run(&job, &world.arena);
        assert_int_equal(record.stopped, SL_STOP_SPACE);
        assert_int_equal(record.samples, 1);
        assert_true(record.floor_multiple >= 1);
    }
    world_free(&world);
}

static void a_small_space_ends_when_every_point_was_seen(void **state) {
    (void)state;
    World world;
    world_make(&world, "linear:K=2,C=2", "eyeriss");
    // only one parameter keeps its choice
    int32_t points = 0;
    for (int i = 0; i < world.space.n_params; i++) {
        SlParam *param = &world.space.params[i];
        if (points == 0 && param->kind == SL_ORDINAL && param->n == 2)
            points = param->n;
        else
            param->n = 1;
    }
    assert_int_equal(points, 2);
    world.space.n_points = 2;
    Job job = world_job(&world, "edp", "random");
    SlRecord record = job_run(&job, &world.arena);
    assert_int_equal(record.stopped, SL_STOP_SPACE);
    assert_in_range(record.samples, 2, 64);
    world_free(&world);
}

// cycles to the 200th power are beyond every number
static void what_has_no_finite_value_is_never_the_best(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    for (int i = 0; sl_method_at(i); i++) {
        if (!is_quick(sl_method_at(i))) continue;
        Job job = world_job(&world, "latency", sl_method_at(i)->name);
        job.task.goal.weight[SL_LATENCY] = 200;
        job.run.budget.samples = 100;
        SlRecord record = job_run(&job, &world.arena);
        assert_int_equal(record.samples, 100);
        assert_int_equal(record.best.sample, 0);
        assert_int_equal(record.n_curve, 0);
        assert_true(isnan(record.floor_multiple));
    }
    world_free(&world);
}

static void expect_refusal(const Job *job, const char *part) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlRecord record;
    SlError err = {0};
    assert_int_equal(job_try(job, NULL, NULL, &arena, &record, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, part));
    assert_int_equal(sl_arena_mark(&arena), 0);
    sl_arena_free(&arena);
}

static void wrong_setups_are_refused(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    Job job = world_job(&world, "edp", "random");
    job.run.budget = (SlBudget){0};
    expect_refusal(&job, "needs samples or seconds");
    job.run.budget.samples = -1;
    expect_refusal(&job, "negative");
    job.run.budget = (SlBudget){.seconds = NAN};
    expect_refusal(&job, "negative");
    job.run.budget = (SlBudget){.samples = 10};
    SlAgents none = {0};
    job.run.agents = &none;
    expect_refusal(&job, "agent");
    world_free(&world);
}

static void too_little_memory_is_reported(void **state) {
    (void)state;
    World world;
    world_make(&world, small_layer, "eyeriss");
    for (int i = 0; sl_method_at(i); i++) {
        if (!is_quick(sl_method_at(i))) continue;
        Job job = world_job(&world, "edp", sl_method_at(i)->name);
        job.run.budget.samples = 50;
        int failed = 0;
        SlStatus status = SL_ENOMEM;
        for (size_t limit = 64; status != SL_OK; limit += limit / 2, failed++) {
            SlArena arena;
            sl_arena_init(&arena, limit);
            SlRecord record;
            status = job_try(&job, NULL, NULL, &arena, &record, NULL);
            if (status != SL_OK) {
                assert_int_equal(status, SL_ENOMEM);
                assert_int_equal(sl_arena_mark(&arena), 0);
            }
            sl_arena_free(&arena);
        }
        assert_true(failed > 3);
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_is_found_by_its_name),
        cmocka_unit_test(a_run_takes_exactly_its_samples),
        cmocka_unit_test(the_first_sample_is_the_default_mapping),
        cmocka_unit_test(a_default_mapping_outside_the_space_is_priced_too),
        cmocka_unit_test(the_record_prices_the_best_mapping),
        cmocka_unit_test(a_record_has_the_weights_and_the_memory_of_the_method),
        cmocka_unit_test(a_target_ends_the_run_at_the_sample_that_meets_it),
        cmocka_unit_test(without_a_floor_no_target_is_met),
        cmocka_unit_test(an_interrupt_keeps_the_best_so_far),
        cmocka_unit_test(an_interrupt_before_the_start_still_prices_one_mapping),
        cmocka_unit_test(a_watch_that_only_looks_changes_nothing),
        cmocka_unit_test(other_seeds_and_streams_give_other_runs),
        cmocka_unit_test(seconds_end_a_run_without_a_limit_of_samples),
        cmocka_unit_test(a_space_of_one_point_ends_at_once),
        cmocka_unit_test(a_small_space_ends_when_every_point_was_seen),
        cmocka_unit_test(what_has_no_finite_value_is_never_the_best),
        cmocka_unit_test(wrong_setups_are_refused),
        cmocka_unit_test(too_little_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
