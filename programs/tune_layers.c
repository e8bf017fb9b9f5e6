// tune_layers.c - layers side by side: the tuner's run, then what is shown beside it: the untuned
// schedule, the optimum, on a CPU both once more in turns.
#include <math.h>
#include <string.h>

#include "interrupt.h"
#include "map_progress.h"
#include "tune_command.h"

enum {
    HISTORY = 20000,     // measurements of other tasks to start from, at most
    EASY_POINTS = 10000, // spaces up to this size have their optimum shown unless it is not wanted
    MOST_PROVING = 1 << 20, // measurements
    DUEL_ROUNDS = 5,
};

// ---- memory ----

struct TuneArena {
    SlArena arena;
    TuneArena *next;
};

SlArena *tune_new_arena(Tune *tune) {
    TuneArena *made = command_need(SL_NEW(tune->arena, 1, TuneArena));
    sl_arena_init(&made->arena, 0);
    made->next = tune->arenas;
    tune->arenas = made;
    return &made->arena;
}

void tune_free(Tune *tune) {
    for (TuneArena *at = tune->arenas; at; at = at->next) sl_arena_free(&at->arena);
    if (tune->pool) sl_pool_free(tune->pool);
}

// ---- work on all layers ----

typedef struct Job Job;
struct Job {
    Tune *tune;
    TuneLayer *layers; // (n_layers)
    int64_t budget;
    bool always; // after an interruption too
    SlStatus (*work)(const Job *job, TuneLayer *layer, int worker, SlError *err);
    SlStatus *statuses; // (n_layers)
    SlError *errors;
};

static void do_item(void *context, int item, int worker) {
    const Job *job = context;
    TuneLayer *layer = &job->layers[item];
    if (!layer->tuning || (interrupt_caught() && !job->always)) return;
    job->statuses[item] = job->work(job, layer, worker, &job->errors[item]);
}

// the first error in order
static SlStatus do_all(Job *job, SlError *err) {
    int n = job->tune->n_layers;
    job->statuses = command_need(SL_NEW(job->tune->arena, n, SlStatus));
    job->errors = command_need(SL_NEW(job->tune->arena, n, SlError));
    sl_pool_run(job->tune->pool, n, do_item, job);
    for (int i = 0; i < n; i++) {
        if (job->statuses[i] == SL_OK) continue;
        *err = job->errors[i];
        return job->statuses[i];
    }
    return SL_OK;
}

// ---- runs ----

// a task of its own for every run: samples count from 0
static SlStatus tune_task_again(const TuneLayer *layer, SlTask **task, SlError *err) {
    return sl_task_make(sl_task_setup(layer->tuning), layer->arena, task, err);
}

static SlStatus tune_one(const Job *job, TuneLayer *layer, int worker, SlError *err) {
    const Tune *tune = job->tune;
    SlHistory history = {0};
    SlRunSetup setup = {.method = tune->tuner,
                        .options = tune->tuner_options,
                        .seed = (uint64_t)tune->options->seed,
                        .stream = sl_task_name(layer->tuning),
                        .budget = {.samples = job->budget, .seconds = tune->options->time},
                        .start = SL_START_NONE,
                        .log = tune->log};
    SlStatus status = SL_OK;
    if (tune->transfer)
        status =
            sl_log_history(tune->transfer, layer->tuning, HISTORY, layer->arena, &history, err);
    if (status != SL_OK) return status;
    setup.history = history.n ? &history : NULL;
    layer->n_history = history.n;
    void *at = tune_progress_begin(tune->progress, worker, "", layer->layer.name);
    status = tune_task_again(layer, &setup.task, err);
    if (status == SL_OK)
        status = sl_run(&setup, tune_progress_watch, at, layer->arena, &layer->record, err);
    tune_progress_end(tune->progress, worker, true);
    layer->tuned = status == SL_OK;
    if (layer->tuned) layer->best = tune_value(tune, tune_found(&layer->record));
    return status;
}

SlStatus tune_layers(Tune *tune, TuneLayer *layers, int64_t budget, SlError *err) {
    Job job = {.tune = tune, .layers = layers, .budget = budget, .work = tune_one};
    SlStatus status = do_all(&job, err);
    for (int i = 0; i < tune->n_layers; i++) {
        const SlRecord *record = &layers[i].record;
        if (!layers[i].tuned) continue;
        tune->replayed += record->replayed;
        tune->measured += record->samples - record->replayed;
        tune->method_seconds += record->method_seconds;
        tune->measure_seconds += record->eval_seconds;
    }
    return status;
}

// ---- beside them ----

static void measure_untuned(const Tune *tune, TuneLayer *layer) {
    int32_t point[SL_MAX_PARAMS];
    SlSample measured;
    sl_task_start(layer->tuning, point);
    sl_task_eval(layer->tuning, 1, point, &measured);
    layer->untuned = tune_value(tune, measured.value);
}

static SlStatus time_best(TuneLayer *layer, SlError *err) {
    if (layer->record.best.sample == 0) return SL_OK;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    sl_task_vta(layer->tuning, layer->record.best.point, &layer->task, &layer->schedule);
    SlStatus status = sl_vta_time(&layer->task, &layer->schedule, &scratch, &layer->time, err);
    sl_arena_free(&scratch);
    return status;
}

static SlStatus find_optimum(const Tune *tune, TuneLayer *layer, int worker, SlError *err) {
    int use = tune->options->optimum;
    bool easy = sl_task_space(layer->tuning)->n_points <= EASY_POINTS;
    if (use == OPTIMUM_OFF || (use == OPTIMUM_AUTO && !easy) || interrupt_caught()) return SL_OK;
    SlBudget limit = {.samples = MOST_PROVING};
    SlTask *task;
    void *at = tune_progress_begin(tune->progress, worker, "optimum of ", layer->layer.name);
    SlStatus status = tune_task_again(layer, &task, err);
    if (status == SL_OK)
        status = sl_run_optimum(task, &limit, tune_progress_watch, at, layer->arena,
                                &layer->optimum, err);
    tune_progress_end(tune->progress, worker, false);
    layer->has_optimum = status == SL_OK;
    return status;
}

static SlStatus compare_vta(const Job *job, TuneLayer *layer, int worker, SlError *err) {
    if (!layer->tuned) return SL_OK;
    measure_untuned(job->tune, layer);
    SlStatus status = time_best(layer, err);
    return status == SL_OK ? find_optimum(job->tune, layer, worker, err) : status;
}

// the best of many noisy times is better than true: both again, in turns
static SlStatus compare_cpu(const Job *job, TuneLayer *layer, int worker, SlError *err) {
    const Tune *tune = job->tune;
    int32_t point[SL_MAX_PARAMS] = {0};
    SlKernelTask task;
    SlKernelSchedule best, untuned;
    SlKernelResult best_result, untuned_result;
    (void)worker, (void)err;
    if (!layer->tuned || layer->record.best.sample == 0) return SL_OK;
    sl_task_start(layer->tuning, point);
    sl_task_cpu(layer->tuning, point, &task, &untuned);
    sl_task_cpu(layer->tuning, layer->record.best.point, &task, &best);
    sl_kernel_duel(&tune->bench, &task, &best, &untuned, DUEL_ROUNDS, &best_result,
                   &untuned_result);
    if (best_result.error || untuned_result.error) return SL_OK;
    layer->duelled = true;
    layer->best = tune_value(tune, best_result.median_s);
    layer->untuned = tune_value(tune, untuned_result.median_s);
    if (!(layer->untuned.value < layer->best.value)) return SL_OK;
    // nothing better was found: the layer keeps what it had
    layer->untuned_won = true;
    layer->best = layer->untuned;
    memcpy(layer->record.best.point, point, sizeof point);
    return SL_OK;
}

static void measure_peak(Tune *tune) {
    SlKernelResult peak;
    sl_kernel_peak(&tune->bench, (SlKernelType)tune->options->type, sl_kernel_vector_bytes(),
                   &peak);
    tune->peak_gops = peak.error == SL_KERNEL_OK ? peak.gops : 0;
}

static SlStatus compare(Tune *tune, SlError *err) {
    bool vta = tune_is_vta(tune);
    Job job = {.tune = tune,
               .layers = tune->layers,
               .always = vta,
               .work = vta ? compare_vta : compare_cpu};
    if (!vta && !interrupt_caught()) measure_peak(tune);
    return do_all(&job, err);
}

// ---- all of it ----

SlStatus tune_run(Tune *tune, SlError *err) {
    Interrupt interrupt;
    int n = 0;
    double begun = seconds_now();
    // programs on a cpu are timed one after the other
    int workers = tune_is_vta(tune) ? (int)tune->options->threads : 1;
    tune->pool = command_need(sl_pool_make(workers));
    for (int i = 0; i < tune->n_layers; i++) n += tune->layers[i].tuning != NULL;
    if (tune->shortlist) n *= tune_shortlist(tune);
    tune->progress = tune_progress_make(tune, n, sl_pool_threads(tune->pool));
    interrupt_begin(&interrupt);
    SlStatus status = tune->shortlist ? tune_cores(tune, err)
                                      : tune_layers(tune, tune->layers, tune->options->budget, err);
    if (status == SL_OK) status = compare(tune, err);
    tune->signal = interrupt_caught();
    interrupt_end(&interrupt);
    tune_progress_close(tune->progress);
    tune->seconds = seconds_now() - begun;
    return status;
}
