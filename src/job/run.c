// run.c - one method on one task until the budget is spent: ask, evaluate (or look it up), tell.
//
// What is the same for all methods and kinds happens here: where a run starts, repeats, rounds,
// the log, the clock, every reason to end.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "log_inside.h"
#include "repeats.h"
#include "starling/job.h"
#include "starling/learn/flock.h"
#include "windows.h"

const char *const sl_stop_names[6] = {"samples",     "seconds",         "target",
                                      "interrupted", "space exhausted", NULL};
const char *const sl_start_names[3] = {"default", "none", NULL};

const char *sl_stop_text(const SlTaskKind *kind, SlStopReason reason) {
    return kind->dear && reason == SL_STOP_SAMPLES ? "budget" : sl_stop_names[reason];
}

enum {
    ROUND = 64,            // points a method may propose at once
    DEAR_ROUND = 256,      // the same where a sample takes longer than thinking
    CHUNK = 8,             // noisy programs built and run between two looks at the clock
    CLOCK_EVERY = 16,      // samples between two looks at the clock
    MOST_REFUSED = 10000,  // points that break rules, beyond a hundred per sample
    TINY_POINTS = 1 << 16, // spaces up to this many points end when all were seen
};
#define WATCH_SECONDS 0.05 // between two calls of the watch

typedef struct {
    const SlRunSetup *setup;
    SlWatch *watch;
    void *context;
    SlArena work; // everything but the results
    SlAgents agents;
    SlTask *task;
    const SlSpace *space;
    const SlTaskKind *kind;
    int64_t limit;     // samples, 0 = none
    void *state;       // of the method
    int32_t *points;   // (round, n_params)
    SlSample *samples; // (round)
    uint64_t *keys;    // (round) dear kinds: of the points evaluated in one go
    double best;       // least value so far
    double begun, watched;

    const SlLogTask *known; // what the log has of this task when it begins, NULL = nothing
    SlRepeats *repeats;     // dear kinds: what was evaluated in this run
    uint8_t *seen;          // (unseen at the start) points of a tiny space; NULL = not tiny
    int64_t unseen;         // points

    int curve_room;
    SlCurvePoint *curve; // (curve_room)
    Windows windows;
    SlRecord record;
    bool stopped;
    SlStatus status;
    SlError *err;
} Run;

// the first reason stays
static void stop(Run *run, SlStopReason reason) {
    if (run->stopped) return;
    run->stopped = true;
    run->record.stopped = reason;
}

static void fail_memory(Run *run) {
    if (run->status == SL_OK)
        run->status = sl_fail(run->err, SL_ENOMEM, "not enough memory for the run");
}

static const int32_t *point_at(const Run *run, int i) {
    return run->points + (ptrdiff_t)i * run->space->n_params;
}

// ---- what follows a sample ----

static bool tell_watch(Run *run, SlEventKind kind) {
    SlEvent event = {.kind = kind,
                     .n_all = 1,
                     .n_done = kind == SL_EVENT_END,
                     .samples = sl_task_samples(run->task),
                     .replayed = run->record.replayed,
                     .failures = run->record.failures,
                     .value = run->best,
                     .bound = NAN,
                     .floor = sl_task_floor(run->task),
                     .seconds = sl_clock_seconds() - run->begun};
    bool ends = run->watch && run->watch(run->context, &event);
    if (ends) stop(run, SL_STOP_ASKED);
    return ends;
}

// after the first sample and then now and then: is the time over, does anyone want an end?
static void look_at_clock(Run *run, int64_t samples) {
    if (!run->kind->dear && samples != 1 && samples % CLOCK_EVERY != 0) return;
    double limit = run->setup->budget.seconds;
    if (!run->watch && limit <= 0) return;
    double now = sl_clock_seconds();
    if (limit > 0 && now - run->begun >= limit) stop(run, SL_STOP_SECONDS);
    if (samples != 1 && now - run->watched < WATCH_SECONDS) return;
    run->watched = now;
    tell_watch(run, SL_EVENT_SAMPLE);
}

// asked while an evaluator of the user's is at work
static bool wants_stop(void *context) {
    Run *run = context;
    double limit = run->setup->budget.seconds;
    if (limit > 0 && sl_clock_seconds() - run->begun >= limit) stop(run, SL_STOP_SECONDS);
    return run->stopped || tell_watch(run, SL_EVENT_SAMPLE);
}

static void extend_curve(Run *run, int64_t sample, double value) {
    int n = run->record.n_curve;
    if (n == run->curve_room) {
        int room = n ? 2 * n : 64;
        SlCurvePoint *curve = SL_NEW(&run->work, room, SlCurvePoint);
        if (!curve) {
            fail_memory(run);
            return;
        }
        if (n) memcpy(curve, run->curve, (size_t)n * sizeof *curve);
        run->curve = curve;
        run->curve_room = room;
    }
    run->curve[n] = (SlCurvePoint){.sample = sample, .value = value};
    run->record.n_curve++;
}

static void mark_seen(Run *run, const int32_t *point) {
    if (!run->seen || !point) return;
    int64_t index = 0;
    for (int i = 0; i < run->space->n_params; i++) {
        int32_t last = run->space->params[i].n - 1;
        int32_t value = point[i] < 0 ? 0 : point[i] > last ? last : point[i];
        index = index * run->space->params[i].n + value;
    }
    if (run->seen[index]) return;
    run->seen[index] = 1;
    if (--run->unseen == 0) stop(run, SL_STOP_SPACE);
}

// What every sample is followed by: the curve, windows, and every reason to end. `number` counts
// from 1; `point` NULL: outside the space.
static void after_sample(Run *run, int64_t number, const int32_t *point, const SlSample *sample) {
    const SlBudget *budget = &run->setup->budget;
    run->record.failures += !isfinite(sample->value);
    if (sample->value < run->best) {
        run->best = sample->value;
        extend_curve(run, number, sample->value);
        bool met = budget->target > 0 && sample->value <= budget->target * sl_task_floor(run->task);
        if (met) stop(run, SL_STOP_TARGET);
    }
    if (!sl_windows_add(&run->windows, number, point, sample->value)) fail_memory(run);
    mark_seen(run, point);
    if (run->limit > 0 && number >= run->limit) stop(run, SL_STOP_SAMPLES);
    look_at_clock(run, number);
}

// What a rule of the space refuses costs nothing; a method that proposes nothing else ends.
static void after_refusal(Run *run, const int32_t *point) {
    mark_seen(run, point);
    if (++run->record.refused > MOST_REFUSED + 100 * run->limit) stop(run, SL_STOP_SPACE);
}

// ---- evaluating ----

// what is known of a point without evaluating: of this run, or of the log; false = nothing
static bool look_up(Run *run, const int32_t *point, SlSample *sample, int64_t **counter) {
    if (!run->kind->dear) return false;
    const SlSample *known = sl_repeats_find(run->repeats, sl_task_key(run->task, point));
    *counter = &run->record.repeats;
    if (!known && run->known) {
        known = sl_log_sample(run->known, run->task, point);
        *counter = &run->record.replayed;
    }
    if (known) *sample = *known;
    return known;
}

// point i stands among points first..i-1 too; keeps its key
static bool is_twin(Run *run, int first, int i) {
    run->keys[i] = sl_task_key(run->task, point_at(run, i));
    for (int k = first; k < i; k++)
        if (run->keys[k] == run->keys[i]) return true;
    return false;
}

// How many of points first..n-1 are evaluated in one go: up to the first that is known, or will be
// by then. Programs of the user's get all at once, whatever the number of copies.
static int chunk_of(Run *run, int first, int n) {
    SlSample sample;
    int64_t *counter;
    int most = run->kind->wide ? n - first : run->kind->noisy ? CHUNK : 1, m = 0;
    if (most > n - first) most = n - first;
    do {
        if (is_twin(run, first, first + m)) break;
        m++;
    } while (m < most && !look_up(run, point_at(run, first + m), &sample, &counter));
    return m;
}

static void keep_samples(Run *run, int first, int n) {
    const SlRunSetup *setup = run->setup;
    for (int i = first; i < first + n && run->status == SL_OK; i++) {
        // what was interrupted has no answer
        if (run->samples[i].error == SL_KERNEL_UNKNOWN && run->stopped) break;
        if (!sl_repeats_add(run->repeats, sl_task_key(run->task, point_at(run, i)),
                            &run->samples[i]))
            fail_memory(run);
        if (setup->log && run->status == SL_OK && !run->samples[i].free)
            run->status = sl_log_add(setup->log, run->task, point_at(run, i), &run->samples[i],
                                     setup->method->name, setup->seed, run->err);
    }
}

// points from `first` on, as many as go at once; returns how many were evaluated or looked up
static int evaluate_some(Run *run, int first, int n) {
    int64_t *counter;
    if (look_up(run, point_at(run, first), &run->samples[first], &counter)) {
        ++*counter;
        // from the log: the next time it is a repeat
        if (counter == &run->record.replayed &&
            !sl_repeats_add(run->repeats, sl_task_key(run->task, point_at(run, first)),
                            &run->samples[first]))
            fail_memory(run);
        sl_task_replay(run->task, point_at(run, first), &run->samples[first]);
        return 1;
    }
    if (!run->kind->dear) {
        sl_task_eval(run->task, 1, point_at(run, first), &run->samples[first]);
        return 1;
    }
    int m = chunk_of(run, first, n);
    double begun = sl_clock_seconds();
    sl_task_eval(run->task, m, point_at(run, first), run->samples + first);
    run->record.eval_seconds += sl_clock_seconds() - begun;
    keep_samples(run, first, m);
    const char *broken = sl_task_broken(run->task);
    if (broken && run->status == SL_OK) run->status = sl_fail(run->err, SL_EINPUT, "%s", broken);
    return m;
}

// evaluate n points until something says stop; returns how many count
static int evaluate_round(Run *run, int n) {
    int done = 0;
    while (done < n && !run->stopped && run->status == SL_OK) {
        int64_t number = sl_task_samples(run->task);
        int m = evaluate_some(run, done, n);
        for (int i = 0; i < m && run->status == SL_OK; i++, done++) {
            number += !run->samples[done].free;
            if (run->samples[done].free)
                after_refusal(run, point_at(run, done));
            else
                after_sample(run, number, point_at(run, done), &run->samples[done]);
        }
    }
    return done;
}

// ---- rounds ----

static void let_hear(const Run *run, int n) {
    if (run->setup->hear) run->setup->hear(run->setup->hearing, n, run->points, run->samples);
}

static void meet(Run *run, int n) {
    let_hear(run, n);
    sl_method_meet(run->setup->method, run->state, n, run->points, run->samples);
}

// Begin with the point nearest to the default mapping; it fits whatever is done about points that
// do not. Where the space has no equal of the default mapping and no constraints forbid it, it is
// priced first, so that no run ends above it; the method is told of the point alone.
static SlStatus start_at_mapping(Run *run) {
    const SlSpace *space = run->space;
    SlMapping mapping, nearest;
    SlStatus status = sl_mapping_default(space->layer, space->accel, &mapping, run->err);
    if (status != SL_OK) return status;
    sl_space_encode(space, &mapping, run->points);
    sl_space_mapping(space, run->points, true, &nearest);
    bool inside = sl_mapping_key(space->layer, &mapping) == sl_mapping_key(space->layer, &nearest);
    if (!inside && !space->constrained) {
        sl_task_eval_mapping(run->task, &mapping, run->samples);
        after_sample(run, sl_task_samples(run->task), NULL, run->samples);
        if (run->stopped) return SL_OK;
    }
    sl_space_encode(space, &nearest, run->points);
    sl_task_eval_mapping(run->task, &nearest, run->samples);
    after_sample(run, sl_task_samples(run->task), run->points, run->samples);
    meet(run, 1);
    return SL_OK;
}

static SlStatus start_at_default(Run *run) {
    if (!run->kind->dear) return start_at_mapping(run);
    sl_task_start(run->task, run->points);
    meet(run, evaluate_round(run, 1));
    return run->status;
}

static double clock_of(const Run *run) {
    return run->kind->dear ? sl_clock_seconds() : 0;
}

// ask for points, evaluate them until something says stop, tell what came of them
static void round_of_points(Run *run) {
    const SlMethod *method = run->setup->method;
    int most = run->kind->dear ? DEAR_ROUND : ROUND;
    int64_t left = run->limit > 0 ? run->limit - sl_task_samples(run->task) : most;
    int room = left < most ? (int)left : most;
    double begun = clock_of(run);
    int n = method->ask(run->state, room, run->points);
    run->record.method_seconds += clock_of(run) - begun;
    assert(n <= room);
    if (n <= 0) {
        stop(run, SL_STOP_SPACE);
        return;
    }
    int done = evaluate_round(run, n);
    if (run->status != SL_OK) return;
    let_hear(run, done);
    begun = clock_of(run);
    method->tell(run->state, done, run->points, run->samples);
    run->record.method_seconds += clock_of(run) - begun;
}

// ---- making ----

// samples that the method may count on
static int64_t method_budget(const Run *run) {
    const SlRunSetup *setup = run->setup;
    int64_t first = setup->start == SL_START_DEFAULT;
    if (run->limit > 0) return run->limit > first ? run->limit - first : 1;
    double most = setup->budget.seconds * 1e6 / run->kind->us;
    return most < 1 ? 1 : most < 0x1p53 ? (int64_t)most : INT64_C(1) << 53;
}

static const char *setup_fault(const Run *run) {
    const SlBudget *budget = &run->setup->budget;
    if (budget->samples < 0 || !(budget->seconds >= 0) || !(budget->target >= 0))
        return "a budget has no negative numbers";
    if (budget->samples == 0 && budget->seconds == 0) return "a budget needs samples or seconds";
    const char *fault = sl_windows_fault(run->setup);
    return fault ? fault : sl_agents_check(run->space, &run->agents);
}

// options of the method, its defaults where none are given; NULL without memory
static const void *method_options(Run *run) {
    const SlMethod *method = run->setup->method;
    if (run->setup->options) return run->setup->options;
    void *options = sl_arena_alloc(&run->work, 1, method->options_bytes + 1);
    if (options) sl_options_init(method->options, options);
    return options;
}

static bool make_state(Run *run) {
    const SlRunSetup *setup = run->setup;
    const void *options = method_options(run);
    SlMethodSetup method = {.task = run->task,
                            .agents = &run->agents,
                            .seed = setup->seed,
                            .stream = setup->stream ? setup->stream : "",
                            .budget = method_budget(run),
                            .memory = setup->memory,
                            .history = setup->history,
                            .flock = setup->flock};
    double begun = clock_of(run);
    size_t before = run->work.used;
    run->state = options ? setup->method->make(&method, options, &run->work) : NULL;
    run->record.method_seconds += clock_of(run) - begun;
    run->record.state_bytes = (int64_t)(run->work.used - before);
    if (run->state && setup->method->weights)
        run->record.n_weights = setup->method->weights(run->state);
    return run->state != NULL;
}

static bool make_run(Run *run) {
    const SlRunSetup *setup = run->setup;
    int round = run->kind->dear ? DEAR_ROUND : ROUND;
    run->points = SL_NEW(&run->work, (int64_t)round * run->space->n_params, int32_t);
    run->samples = SL_NEW(&run->work, round, SlSample);
    bool tiny = run->space->n_points > 0 && run->space->n_points <= TINY_POINTS;
    if (tiny) run->unseen = run->space->n_points;
    if (tiny) run->seen = SL_NEW(&run->work, run->unseen, uint8_t);
    if (run->kind->dear) run->repeats = sl_repeats_make(&run->work);
    if (run->kind->dear) run->keys = SL_NEW(&run->work, round, uint64_t);
    if (setup->log) run->known = sl_log_find(setup->log, run->task);
    if (!run->points || !run->samples || (tiny && !run->seen)) return false;
    if (run->kind->dear && !(run->repeats && run->keys)) return false;
    return sl_windows_init(&run->windows, setup, &run->work) && make_state(run);
}

static void begin(Run *run) {
    const SlRunSetup *setup = run->setup;
    run->task = setup->task;
    run->space = sl_task_space(run->task);
    run->kind = sl_task_kind(run->task);
    run->best = INFINITY;
    run->begun = run->watched = sl_clock_seconds();
    run->limit = setup->budget.samples;
    if (run->kind->dear) {
        if (run->limit == 0) run->limit = SL_RUN_MOST;
        if (run->space->n_points > 0 && run->limit > run->space->n_points)
            run->limit = run->space->n_points;
    }
    if (setup->agents)
        run->agents = *setup->agents;
    else
        sl_agents_each(run->space, &run->agents);
    sl_task_set_stop(run->task, wants_stop, run);
}

// ---- what came of it ----

// no point of the space is below the best
static bool is_proven(const Run *run) {
    const SlMethod *method = run->setup->method;
    bool all = run->kind->dear && run->space->n_points > 0 &&
               sl_task_samples(run->task) - run->record.repeats >= run->space->n_points;
    bool exact = method->proved && method->proved(run->state);
    return run->record.best.sample > 0 && !run->kind->noisy && (all || exact);
}

static void fill_best(Run *run) {
    SlRecord *record = &run->record;
    const SlBest *best = sl_task_best(run->task);
    record->samples = sl_task_samples(run->task);
    record->floor = sl_task_floor(run->task);
    record->floor_multiple = NAN;
    if (!best) return;
    record->best = *best;
    record->floor_multiple = best->outcome.value / record->floor;
    if (run->kind->maps && run->space->accel)
        sl_cost_eval(run->space->layer, run->space->accel, &best->mapping, &record->cost);
    if (best->sample < record->samples) extend_curve(run, record->samples, best->outcome.value);
}

// in the caller's arena
static void finish(Run *run, SlArena *arena, SlRecord *record) {
    SlRecord *own = &run->record;
    const SlMethod *method = run->setup->method;
    size_t mark = sl_arena_mark(arena);
    fill_best(run);
    own->proven = is_proven(run);
    own->curve = SL_NEW(arena, own->n_curve, SlCurvePoint);
    if (!own->curve || !sl_windows_finish(&run->windows, sl_task_best(run->task), arena, own))
        fail_memory(run);
    if (run->status != SL_OK) {
        sl_arena_rewind(arena, mark);
        return;
    }
    if (own->n_curve) memcpy(own->curve, run->curve, (size_t)own->n_curve * sizeof *own->curve);
    if (method->remember) own->memory = method->remember(run->state, run->setup->memory, arena);
    own->seconds = sl_clock_seconds() - run->begun;
    *record = *own;
    tell_watch(run, SL_EVENT_END);
}

// NULL, or what the task lacks that the method needs; a flock comes with the setup
static const char *find_lack(Run *run) {
    const SlRunSetup *setup = run->setup;
    bool taught = setup->flock && setup->method->needs & SL_NEEDS_FLOCK;
    if (!taught) return sl_method_check(setup->method, run->task);
    const char *unfit = sl_flock_check(setup->flock, run->task);
    if (unfit || !setup->method->lacks) return unfit;
    const void *options = method_options(run);
    return options ? setup->method->lacks(options, setup->flock) : NULL;
}

static void run_through(Run *run) {
    const char *fault = setup_fault(run);
    if (fault) run->status = sl_fail(run->err, SL_EINPUT, "%s", fault);
    const char *lacks = fault ? NULL : find_lack(run);
    if (lacks)
        run->status = sl_fail(run->err, SL_EINPUT, "%s: %s", run->setup->method->name, lacks);
    if (run->status != SL_OK) return;
    if (!make_run(run)) fail_memory(run);
    if (run->status == SL_OK && run->setup->start == SL_START_DEFAULT)
        run->status = start_at_default(run);
    while (!run->stopped && run->status == SL_OK) round_of_points(run);
}

SlStatus sl_run(const SlRunSetup *setup, SlWatch *watch, void *context, SlArena *arena,
                SlRecord *record, SlError *err) {
    Run run = {.setup = setup, .watch = watch, .context = context, .err = err};
    begin(&run);
    // scratch has a home of its own, within what the caller's arena may still hand out
    size_t left = arena->limit - arena->used;
    sl_arena_init(&run.work, left ? left : 1);
    run_through(&run);
    if (run.status == SL_OK) finish(&run, arena, record);
    sl_arena_free(&run.work);
    sl_task_set_stop(run.task, NULL, NULL);
    return run.status;
}

SlStatus sl_run_optimum(SlTask *task, const SlBudget *limit, SlWatch *watch, void *context,
                        SlArena *arena, SlRecord *record, SlError *err) {
    SlRunSetup setup = {.task = task,
                        .method = sl_method_find("oracle"),
                        .stream = "optimum",
                        .budget = *limit,
                        .start = SL_START_NONE};
    if (limit->samples == 0 && limit->seconds == 0)
        setup.budget.samples = sl_task_space(task)->n_points;
    return sl_run(&setup, watch, context, arena, record, err);
}
