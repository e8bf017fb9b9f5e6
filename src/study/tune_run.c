// tune_run.c - one tuner on one task until the budget is spent: ask, measure (or look it up in the
// log), tell.
#include <assert.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "starling/study/tune.h"

const char *const sl_tune_stop_names[6] = {"budget",      "seconds",         "target",
                                           "interrupted", "space exhausted", NULL};

enum {
    ROUND = 256, // points a tuner may ask for at once
    CHUNK = 8,   // programs built and run between two looks at the clock
};
#define WATCH_SECONDS 0.05 // between two calls of the watch

typedef struct {
    const SlTuneSetup *setup;
    SlTuneWatch *watch;
    void *context;
    SlArena work; // everything but the results
    const SlKnobs *knobs;
    int64_t limit;           // measurements
    bool noiseless;          // equal points have equal values
    const SlTuneTask *known; // what the log has of this task when it begins, NULL = nothing
    void *state;             // of the tuner
    int32_t *points;         // (ROUND, n_knobs)
    SlMeasured *measured;    // (ROUND)
    double begun, watched;

    SlCurvePoint *curve; // (curve_room)
    int curve_room;
    SlTuneRecord record;
    bool stopped;
    SlStatus status;
    SlError *err;
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
    run->record.stopped = reason;
}

static void fail_memory(Run *run) {
    if (run->status == SL_OK)
        run->status = sl_fail(run->err, SL_ENOMEM, "not enough memory for the run");
}

static const int32_t *point_at(const Run *run, int i) {
    return run->points + (ptrdiff_t)i * run->knobs->n_knobs;
}

// ---- what follows a measurement ----

static void tell_watch(Run *run, bool finished) {
    if (!run->watch) return;
    SlTuneProgress progress = {.measurements = run->record.measurements,
                               .replayed = run->record.replayed,
                               .failures = run->record.failures,
                               .value = run->record.value,
                               .finished = finished};
    if (run->watch(run->context, &progress)) stop(run, SL_STOP_ASKED);
}

static void look_at_clock(Run *run) {
    double limit = run->setup->seconds, now = now_seconds();
    if (limit > 0 && now - run->begun >= limit) stop(run, SL_STOP_SECONDS);
    if (run->record.measurements != 1 && now - run->watched < WATCH_SECONDS) return;
    run->watched = now;
    tell_watch(run, false);
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

static void keep_best(Run *run, const int32_t *point, const SlMeasured *measured) {
    SlTuneRecord *record = &run->record;
    if (!(measured->value < record->value)) return;
    record->found = true;
    record->value = measured->value;
    record->spread = measured->spread;
    record->found_at = record->measurements;
    memcpy(record->best, point, (size_t)run->knobs->n_knobs * sizeof *point);
    extend_curve(run, record->found_at, record->value);
    if (measured->value <= run->setup->target) stop(run, SL_STOP_TARGET);
}

static void after_measurement(Run *run, int i, bool replayed) {
    SlTuneRecord *record = &run->record;
    record->measurements++;
    record->replayed += replayed;
    record->failures += !isfinite(run->measured[i].value);
    keep_best(run, point_at(run, i), &run->measured[i]);
    if (record->measurements >= run->knobs->n_points) stop(run, SL_STOP_SPACE);
    if (record->measurements >= run->limit) stop(run, SL_STOP_SAMPLES);
    look_at_clock(run);
}

// ---- measuring ----

static const SlMeasured *look_up(const Run *run, int i) {
    if (!run->known) return NULL;
    return sl_tune_log_measured(run->setup->log, run->known,
                                sl_knobs_index(run->knobs, point_at(run, i)));
}

// points first..n-1, as many as are measured in one go
static int measure_some(Run *run, int first, int n) {
    int most = run->noiseless ? 1 : CHUNK, m = 1;
    while (m < most && first + m < n && !look_up(run, first + m)) m++;
    double begun = now_seconds();
    sl_tuning_measure(run->setup->tuning, m, point_at(run, first), run->measured + first);
    run->record.measure_seconds += now_seconds() - begun;
    const SlTuneSetup *setup = run->setup;
    for (int i = first; i < first + m && setup->log && run->status == SL_OK; i++)
        run->status = sl_tune_log_add(setup->log, setup->tuning, point_at(run, i),
                                      &run->measured[i], setup->tuner->name, setup->seed, run->err);
    return m;
}

// measure n points until something says stop; returns how many count
static int measure_round(Run *run, int n) {
    int done = 0;
    while (done < n && !run->stopped && run->status == SL_OK) {
        const SlMeasured *known = look_up(run, done);
        if (known) run->measured[done] = *known;
        int m = known ? 1 : measure_some(run, done, n);
        for (int i = 0; i < m && !run->stopped; i++) after_measurement(run, done++, known != NULL);
    }
    return done;
}

// ---- rounds ----

static void round_of_points(Run *run) {
    const SlTuner *tuner = run->setup->tuner;
    int64_t left = run->limit - run->record.measurements;
    int room = left < ROUND ? (int)left : ROUND;
    double begun = now_seconds();
    int n = tuner->ask(run->state, room, run->points);
    run->record.method_seconds += now_seconds() - begun;
    assert(n <= room);
    if (n <= 0) {
        stop(run, SL_STOP_SPACE);
        return;
    }
    int done = measure_round(run, n);
    begun = now_seconds();
    if (run->status == SL_OK) tuner->tell(run->state, done, run->points, run->measured);
    run->record.method_seconds += now_seconds() - begun;
}

static const char *setup_fault(const SlTuneSetup *setup) {
    if (setup->measurements < 0 || !(setup->seconds >= 0) || !(setup->target >= 0))
        return "a budget has no negative numbers";
    if (setup->measurements == 0 && setup->seconds == 0)
        return "a budget needs measurements or seconds";
    return NULL;
}

// options of the tuner, its defaults where none are given; NULL without memory
static const void *tuner_options(Run *run) {
    const SlTuner *tuner = run->setup->tuner;
    if (run->setup->options) return run->setup->options;
    void *options = sl_arena_alloc(&run->work, 1, tuner->options_bytes + 1);
    if (options) sl_options_init(tuner->options, options);
    return options;
}

static bool make_state(Run *run) {
    const SlTuneSetup *setup = run->setup;
    const void *options = tuner_options(run);
    SlTunerSetup tuner = {.tuning = setup->tuning,
                          .seed = setup->seed,
                          .stream = setup->stream,
                          .budget = run->limit,
                          .history = setup->history};
    double begun = now_seconds();
    run->state = options ? setup->tuner->make(&tuner, options, &run->work) : NULL;
    run->record.method_seconds += now_seconds() - begun;
    return run->state != NULL;
}

static bool make_run(Run *run) {
    const SlTuneSetup *setup = run->setup;
    run->points = SL_NEW(&run->work, (int64_t)ROUND * run->knobs->n_knobs, int32_t);
    run->measured = SL_NEW(&run->work, ROUND, SlMeasured);
    if (setup->log) run->known = sl_tune_log_find(setup->log, setup->tuning);
    return run->points && run->measured && make_state(run);
}

// the curve up to the last measurement, in the caller's arena; whether it is the optimum
static void finish(Run *run, SlArena *arena, SlTuneRecord *record) {
    SlTuneRecord *own = &run->record;
    if (own->found && own->found_at < own->measurements)
        extend_curve(run, own->measurements, own->value);
    own->curve = SL_NEW(arena, own->n_curve, SlCurvePoint);
    if (!own->curve) fail_memory(run);
    if (run->status != SL_OK) return;
    if (own->n_curve) memcpy(own->curve, run->curve, (size_t)own->n_curve * sizeof *own->curve);
    bool all = own->measurements >= run->knobs->n_points;
    bool exact = run->setup->tuner == sl_tuner_find("oracle") && sl_oracle_proved(run->state);
    own->proven = own->found && run->noiseless && (all || exact);
    own->seconds = now_seconds() - run->begun;
    *record = *own;
    tell_watch(run, true);
}

static void run_through(Run *run) {
    const char *fault = setup_fault(run->setup);
    if (fault) {
        run->status = sl_fail(run->err, SL_EINPUT, "%s", fault);
        return;
    }
    if (!make_run(run)) fail_memory(run);
    while (!run->stopped && run->status == SL_OK) round_of_points(run);
}

SlStatus sl_tune_run(const SlTuneSetup *setup, SlTuneWatch *watch, void *context, SlArena *arena,
                     SlTuneRecord *record, SlError *err) {
    Run run = {.setup = setup, .watch = watch, .context = context, .err = err};
    run.knobs = sl_tuning_knobs(setup->tuning);
    run.noiseless = sl_tuning_setup(setup->tuning)->target == SL_TARGET_VTA;
    run.limit = setup->measurements ? setup->measurements : SL_TUNE_MOST;
    if (run.limit > run.knobs->n_points) run.limit = run.knobs->n_points;
    run.record.value = INFINITY;
    run.begun = run.watched = now_seconds();

    // scratch has a home of its own, within what the caller's arena may still hand out
    size_t left = arena->limit - arena->used;
    sl_arena_init(&run.work, left ? left : 1);
    run_through(&run);
    if (run.status == SL_OK) finish(&run, arena, record);
    sl_arena_free(&run.work);
    return run.status;
}

SlStatus sl_tune_optimum(SlTuning *tuning, SlTuneLimit limit, SlTuneWatch *watch, void *context,
                         SlArena *arena, SlTuneRecord *record, SlError *err) {
    SlTuneSetup setup = {.tuning = tuning,
                         .tuner = sl_tuner_find("oracle"),
                         .stream = "optimum",
                         .measurements = limit.measurements,
                         .seconds = limit.seconds};
    if (!setup.tuner) return sl_fail(err, SL_EINPUT, "there is no tuner 'oracle'");
    if (!limit.measurements && limit.seconds == 0)
        setup.measurements = sl_tuning_knobs(tuning)->n_points;
    return sl_tune_run(&setup, watch, context, arena, record, err);
}
