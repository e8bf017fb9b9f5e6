// job_help.c - runs of tests, and records compared.
#include "job_help.h"

#include <string.h>

#include "support/check.h"

const char *const quick_methods[N_QUICK_METHODS] = {"random", "grid", "autotvm-ga", "draft",
                                                    "oracle"};

static const SlMethod *method_of(const char *name) {
    const SlMethod *method = sl_method_find(name);
    assert_non_null(method);
    return method;
}

Job world_job(const World *world, const char *goal, const char *method) {
    return (Job){
        .task = {.space = &world->space, .goal = world_goal(goal)},
        .run = {
            .method = method_of(method), .seed = 1, .stream = "test", .budget = {.samples = 500}}};
}

static void read_layer(const char *text, SlLayer *layer) {
    SlError err;
    if (sl_layer_parse(text, layer, &err) != SL_OK) fail_msg("%s", err.text);
}

Job vta_job(const char *layer, SlHardware hardware, const char *method, int64_t samples) {
    Job job = {.task = {.kind = &sl_kind_vta},
               .run = {.method = method_of(method),
                       .seed = 1,
                       .stream = "test",
                       .budget = {.samples = samples},
                       .start = SL_START_NONE},
               .vta = {.hardware = hardware}};
    sl_vta_core_init(&job.vta.core);
    read_layer(layer, &job.layer);
    return job;
}

Job cpu_job(const char *layer) {
    Job job = {.task = {.kind = &sl_kind_cpu}, .cpu = {.threads = 1}};
    read_layer(layer, &job.layer);
    return job;
}

static SlStatus make_task(const Job *job, SlArena *arena, SlTask **task, SlError *err) {
    SlTaskSetup setup = job->task;
    if (setup.kind == &sl_kind_vta || setup.kind == &sl_kind_cpu) setup.layer = &job->layer;
    if (setup.kind == &sl_kind_vta) setup.options = &job->vta;
    if (setup.kind == &sl_kind_cpu) setup.options = &job->cpu;
    return sl_task_make(&setup, arena, task, err);
}

SlTask *job_task(const Job *job, SlArena *arena) {
    SlTask *task = NULL;
    SlError err = {0};
    if (make_task(job, arena, &task, &err) != SL_OK) fail_msg("%s", err.text);
    return task;
}

SlStatus job_try(const Job *job, SlWatch *watch, void *context, SlArena *arena, SlRecord *record,
                 SlError *err) {
    SlArena own;
    SlRunSetup setup = job->run;
    sl_arena_init(&own, 0);
    SlStatus status = make_task(job, &own, &setup.task, err);
    if (status == SL_OK) status = sl_run(&setup, watch, context, arena, record, err);
    sl_task_close(setup.task);
    sl_arena_free(&own);
    return status;
}

SlRecord job_watched(const Job *job, SlWatch *watch, void *context, SlArena *arena) {
    SlRecord record = {0};
    SlError err = {0};
    if (job_try(job, watch, context, arena, &record, &err) != SL_OK)
        fail_msg("%s: %s", job->run.method->name, err.text);
    return record;
}

SlRecord job_run(const Job *job, SlArena *arena) {
    return job_watched(job, NULL, NULL, arena);
}

static void assert_same_curve(const SlRecord *a, const SlRecord *b) {
    assert_int_equal(a->n_curve, b->n_curve);
    for (int i = 0; i < a->n_curve; i++) {
        assert_int_equal(a->curve[i].sample, b->curve[i].sample);
        assert_memory_equal(&a->curve[i].value, &b->curve[i].value, sizeof(double));
    }
}

void assert_same_record(const SlRecord *a, const SlRecord *b) {
    assert_memory_equal(&a->best.mapping, &b->best.mapping, sizeof a->best.mapping);
    assert_memory_equal(&a->best.outcome, &b->best.outcome, sizeof a->best.outcome);
    assert_memory_equal(a->best.point, b->best.point, sizeof a->best.point);
    assert_int_equal(a->best.sample, b->best.sample);
    assert_memory_equal(&a->cost.latency_cycles, &b->cost.latency_cycles, sizeof(double));
    assert_memory_equal(&a->cost.energy_pj, &b->cost.energy_pj, sizeof(double));
    assert_memory_equal(&a->cost.area_min_um2, &b->cost.area_min_um2, sizeof(double));
    assert_memory_equal(&a->floor, &b->floor, sizeof(double));
    assert_memory_equal(&a->floor_multiple, &b->floor_multiple, sizeof(double));
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->repeats, b->repeats);
    assert_int_equal(a->failures, b->failures);
    assert_int_equal(a->stopped, b->stopped);
    assert_int_equal(a->proven, b->proven);
    assert_same_curve(a, b);
}

void assert_good_curve(const SlRecord *record) {
    assert_true(record->n_curve >= 1);
    for (int i = 1; i < record->n_curve; i++) {
        const SlCurvePoint *before = &record->curve[i - 1], *point = &record->curve[i];
        assert_true(point->sample > before->sample);
        // only the end may say the same value again
        bool end = i == record->n_curve - 1;
        assert_true(point->value < before->value || (end && point->value == before->value));
    }
    const SlCurvePoint *last = &record->curve[record->n_curve - 1];
    assert_int_equal(last->sample, record->samples);
    assert_true(last->value == record->best.outcome.value);
}
