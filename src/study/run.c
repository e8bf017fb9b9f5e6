// run.c - one method on one task until the budget is spent: ask, evaluate, tell.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "study_inside.h"
#include "windows.h"

const char *const sl_stop_names[6] = {"samples",     "seconds",         "target",
                                      "interrupted", "space exhausted", NULL};
const char *const sl_start_names[3] = {"default", "none", NULL};

enum {
    BATCH = 64,            // points a method may propose at once
    CLOCK_EVERY = 16,      // samples between two looks at the clock
    TINY_POINTS = 1 << 16, // spaces up to this many points end when all were seen
};
#define WATCH_SECONDS 0.05 // between two calls of the watch

typedef struct {
    const SlRunSetup *setup;
    int index;
    SlWatch *watch;
    void *context;
    SlArena work; // everything but the results
    SlAgents agents;
    SlTask *task;
    void *state;         // of the method
    int32_t *points;     // (BATCH, n_params)
    SlOutcome *outcomes; // (BATCH)
    double floor;        // NAN = none
    double begun, watched;

    uint8_t *seen;  // (n_unseen at the start) points of a tiny space met so far; NULL = not tiny
    int64_t unseen; // points

    SlCurvePoint *curve; // (curve_room)
    int n_curve, curve_room;
    Windows windows;
    bool stopped;
    SlStopReason reason;
    bool no_memory;
} Run;

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// the first reason stays
static void stop(Run *run, SlStopReason reason) {
    if (run->stopped) return;
    run->stopped = true;
    run->reason = reason;
}

static double best_value(const Run *run) {
    const SlBest *best = sl_task_best(run->task);
    return best ? best->outcome.value : INFINITY;
}

static void tell_watch(Run *run, bool finished) {
    if (!run->watch) return;
    SlProgress progress = {.run = run->index,
                           .samples = sl_task_samples(run->task),
                           .value = best_value(run),
                           .floor = run->floor,
                           .finished = finished};
    if (run->watch(run->context, &progress)) stop(run, SL_STOP_ASKED);
}

// after the first sample and then now and then: is the time over, does anyone want an end?
static void look_at_clock(Run *run, int64_t samples) {
    if (samples != 1 && samples % CLOCK_EVERY != 0) return;
    double limit = run->setup->budget.seconds;
    if (!run->watch && limit <= 0) return;
    double now = now_seconds();
    if (limit > 0 && now - run->begun >= limit) stop(run, SL_STOP_SECONDS);
    if (samples != 1 && now - run->watched < WATCH_SECONDS) return;
    run->watched = now;
    tell_watch(run, false);
}

// one more point of the curve; false without memory
static bool extend_curve(Run *run, int64_t sample, double value) {
    if (run->n_curve == run->curve_room) {
        int room = run->curve_room ? 2 * run->curve_room : 64;
        SlCurvePoint *curve = SL_NEW(&run->work, room, SlCurvePoint);
        if (!curve) return false;
        if (run->n_curve) memcpy(curve, run->curve, (size_t)run->n_curve * sizeof *curve);
        run->curve = curve;
        run->curve_room = room;
    }
    run->curve[run->n_curve++] = (SlCurvePoint){.sample = sample, .value = value};
    return true;
}

// the number of points if there are few, else 0
static int64_t tiny_points(const SlSpace *space) {
    int64_t n = 1;
    for (int i = 0; i < space->n_params && n <= TINY_POINTS; i++) n *= space->params[i].n;
    return n <= TINY_POINTS ? n : 0;
}

static void mark_seen(Run *run, const int32_t *point) {
    if (!run->seen || !point) return;
    const SlSpace *space = run->setup->space;
    int64_t index = 0;
    for (int i = 0; i < space->n_params; i++) {
        int32_t last = space->params[i].n - 1;
        int32_t value = point[i] < 0 ? 0 : point[i] > last ? last : point[i];
        index = index * space->params[i].n + value;
    }
    if (run->seen[index]) return;
    run->seen[index] = 1;
    if (--run->unseen == 0) stop(run, SL_STOP_SPACE);
}

// What every sample is followed by: the curve, windows, and every reason to end. `point` NULL:
// outside the space.
static void after_sample(Run *run, const int32_t *point, const SlOutcome *outcome) {
    const SlBudget *budget = &run->setup->budget;
    int64_t samples = sl_task_samples(run->task);
    const SlBest *best = sl_task_best(run->task);
    if (best && best->sample == samples) {
        run->no_memory |= !extend_curve(run, samples, best->outcome.value);
        bool met = budget->target > 0 && best->outcome.value <= budget->target * run->floor;
        if (met) stop(run, SL_STOP_TARGET);
    }
    run->no_memory |= !sl_windows_add(&run->windows, samples, point, outcome->value);
    mark_seen(run, point);
    if (budget->samples > 0 && samples >= budget->samples) stop(run, SL_STOP_SAMPLES);
    look_at_clock(run, samples);
}

// Begin with the point nearest to the default mapping; it fits whatever is done about points that
// do not. Where the space has no equal of the default mapping and no constraints forbid it, it is
// priced first, so that no run ends above it; the method is told of the point alone.
static SlStatus start_at_default(Run *run, SlError *err) {
    const SlSpace *space = run->setup->space;
    SlMapping mapping, nearest;
    SlStatus status = sl_mapping_default(space->layer, space->accel, &mapping, err);
    if (status != SL_OK) return status;
    sl_space_encode(space, &mapping, run->points);
    sl_space_mapping(space, run->points, true, &nearest);
    bool inside = sl_mapping_key(space->layer, &mapping) == sl_mapping_key(space->layer, &nearest);
    if (!inside && !space->constrained) {
        sl_task_eval_mapping(run->task, &mapping, run->outcomes);
        after_sample(run, NULL, run->outcomes);
        if (run->stopped) return SL_OK;
    }
    sl_space_encode(space, &nearest, run->points);
    sl_task_eval_mapping(run->task, &nearest, run->outcomes);
    after_sample(run, run->points, run->outcomes);
    run->setup->method->tell(run->state, 1, run->points, run->outcomes);
    return SL_OK;
}

// ask for points, price them until something says stop, tell what came of them
static void round_of_points(Run *run) {
    const SlMethod *method = run->setup->method;
    int64_t limit = run->setup->budget.samples;
    int64_t left = limit > 0 ? limit - sl_task_samples(run->task) : BATCH;
    int room = left < BATCH ? (int)left : BATCH;
    int n = method->ask(run->state, room, run->points);
    assert(n <= room);
    if (n <= 0) {
        stop(run, SL_STOP_SPACE);
        return;
    }
    int done = 0;
    while (done < n && !run->stopped) {
        const int32_t *point = run->points + (ptrdiff_t)done * run->setup->space->n_params;
        sl_task_eval(run->task, point, &run->outcomes[done]);
        after_sample(run, point, &run->outcomes[done++]);
    }
    method->tell(run->state, done, run->points, run->outcomes);
}

// samples that the method may count on
static int64_t method_budget(const SlRunSetup *setup) {
    int64_t first = setup->start == SL_START_DEFAULT;
    if (setup->budget.samples > 0) {
        return setup->budget.samples > first ? setup->budget.samples - first : 1;
    }
    double most = setup->budget.seconds * 1e6 / sl_model_us(setup->model);
    return most < 1 ? 1 : most < 0x1p53 ? (int64_t)most : INT64_C(1) << 53;
}

static const char *setup_fault(const Run *run) {
    const SlBudget *budget = &run->setup->budget;
    if (budget->samples < 0 || !(budget->seconds >= 0) || !(budget->target >= 0))
        return "a budget has no negative numbers";
    if (budget->samples == 0 && budget->seconds == 0) return "a budget needs samples or seconds";
    const SlSpace *space = run->setup->space;
    const char *fault = sl_model_check(run->setup->model, space->layer, space->accel);
    if (!fault) fault = sl_windows_fault(run->setup);
    return fault ? fault : sl_agents_check(run->setup->space, &run->agents);
}

// options of the method, its defaults where none are given; NULL without memory
static const void *method_options(Run *run) {
    const SlMethod *method = run->setup->method;
    if (run->setup->options || !method->options_bytes) return run->setup->options;
    void *options = sl_arena_alloc(&run->work, 1, method->options_bytes);
    if (options) sl_options_init(method->options, options);
    return options;
}

static bool make_state(Run *run) {
    const SlRunSetup *setup = run->setup;
    const void *options = method_options(run);
    if (!options && setup->method->options_bytes) return false;
    SlMethodSetup method = {.space = setup->space,
                            .agents = &run->agents,
                            .seed = setup->seed,
                            .stream = setup->stream ? setup->stream : "",
                            .budget = method_budget(setup),
                            .evaluator_us = sl_model_us(setup->model),
                            .illegal = setup->illegal,
                            .memory = setup->memory};
    run->state = setup->method->make(&method, options, &run->work);
    return run->state != NULL;
}

static bool make_run(Run *run) {
    const SlRunSetup *setup = run->setup;
    SlTaskSetup task = {.space = setup->space,
                        .goal = setup->goal,
                        .illegal = setup->illegal,
                        .model = setup->model};
    run->task = sl_task_make(&task, &run->work);
    run->points = SL_NEW(&run->work, (int64_t)BATCH * setup->space->n_params, int32_t);
    run->outcomes = SL_NEW(&run->work, BATCH, SlOutcome);
    run->unseen = tiny_points(setup->space);
    if (run->unseen) run->seen = SL_NEW(&run->work, run->unseen, uint8_t);
    if (!run->task || !run->points || !run->outcomes || (run->unseen && !run->seen)) return false;
    if (!sl_windows_init(&run->windows, setup, &run->work)) return false;
    return make_state(run);
}

// what came of it, in the caller's arena; false without memory
static bool fill_record(Run *run, SlArena *arena, SlRecord *record) {
    const SlRunSetup *setup = run->setup;
    const SlBest *best = sl_task_best(run->task);
    int64_t samples = sl_task_samples(run->task);
    *record = (SlRecord){.floor = run->floor,
                         .floor_multiple = NAN,
                         .samples = samples,
                         .stopped = run->reason,
                         .seconds = now_seconds() - run->begun};
    if (best) {
        record->best = *best;
        sl_cost_eval(setup->space->layer, setup->space->accel, &best->mapping, &record->cost);
        record->floor_multiple = best->outcome.value / run->floor;
        if (best->sample < samples && !extend_curve(run, samples, best->outcome.value))
            return false;
    }
    record->curve = SL_NEW(arena, run->n_curve, SlCurvePoint);
    if (!record->curve) return false;
    if (run->n_curve) memcpy(record->curve, run->curve, (size_t)run->n_curve * sizeof *run->curve);
    record->n_curve = run->n_curve;
    if (!sl_windows_finish(&run->windows, best, arena, record)) return false;
    if (setup->method->remember)
        record->memory = setup->method->remember(run->state, setup->memory, arena);
    return true;
}

static SlStatus run_through(Run *run, SlArena *arena, SlRecord *record, SlError *err) {
    const char *fault = setup_fault(run);
    if (fault) return sl_fail(err, SL_EINPUT, "%s", fault);
    if (!make_run(run)) return sl_fail(err, SL_ENOMEM, "not enough memory for the run");
    if (run->setup->start == SL_START_DEFAULT) {
        SlStatus status = start_at_default(run, err);
        if (status != SL_OK) return status;
    }
    while (!run->stopped && !run->no_memory) round_of_points(run);
    if (run->no_memory || !fill_record(run, arena, record))
        return sl_fail(err, SL_ENOMEM, "not enough memory for the run");
    tell_watch(run, true);
    return SL_OK;
}

SlStatus sl_run_numbered(const SlRunSetup *setup, int index, SlWatch *watch, void *context,
                         SlArena *arena, SlRecord *record, SlError *err) {
    Run run = {.setup = setup, .index = index, .watch = watch, .context = context};
    run.floor =
        sl_model_floor(setup->model, &setup->goal, setup->space->layer, setup->space->accel);
    run.begun = run.watched = now_seconds();
    if (setup->agents) {
        run.agents = *setup->agents;
    } else {
        sl_agents_each(setup->space, &run.agents);
    }

    // scratch has a home of its own, within what the caller's arena may still hand out
    size_t left = arena->limit - arena->used;
    sl_arena_init(&run.work, left ? left : 1);
    SlStatus status = run_through(&run, arena, record, err);
    sl_arena_free(&run.work);
    return status;
}

SlStatus sl_run(const SlRunSetup *setup, SlWatch *watch, void *context, SlArena *arena,
                SlRecord *record, SlError *err) {
    return sl_run_numbered(setup, 0, watch, context, arena, record, err);
}
