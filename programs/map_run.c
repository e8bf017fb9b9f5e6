// map_run.c - the job of `starling map` as people see it: progress, certificates, Ctrl-C.
#include <stdio.h>

#include "interrupt.h"
#include "job_progress.h"
#include "map.h"

// What the threads share.
typedef struct {
    Map *map;
    Progress *progress;
    double begun;
    bool proving;
} Work;

// ---- events ----

static bool watch(void *context, const SlEvent *event) {
    Work *work = context;
    if (event->kind == SL_EVENT_PROOFS) {
        work->proving = true;
        work->map->seconds = sl_clock_seconds() - work->begun;
    }
    progress_event(work->progress, event);
    return interrupt_caught() != 0;
}

static bool watch_variants(void *context, const SlEvent *event) {
    Work *work = context;
    progress_event(work->progress, event);
    return interrupt_caught() != 0;
}

static void show_value(const void *context, double value, size_t n, char *out) {
    const Map *map = context;
    char text[SL_UNIT_ROOM];
    snprintf(out, n, "%s",
             sl_goal_show(&map->mapped.setup.goal, value, map->mapped.eval.accel.clock_mhz, text));
}

static Progress *make_progress(const Map *map, int n_workers) {
    ProgressSetup setup = {.quiet = map->options->common.quiet,
                           .items = "layers",
                           .samples = (double)map->mapped.setup.budget.samples,
                           .seconds = map->options->time,
                           .show = show_value,
                           .context = map};
    return progress_make(&setup, n_workers, map->arena);
}

// ---- proofs ----

// a certificate is written as soon as there is one
static SlStatus keep(void *context, SlJobTask *task, const SlProveSetup *proof, SlError *err) {
    const Work *work = context;
    const Map *map = work->map;
    const SlMappedLayer *layer = map->mapped.layers;
    while (layer->task != task) layer++;
    bool writes = proof && map->dir && sl_job_has_bound(task);
    return writes ? certificate_write(map, layer, proof, err) : SL_OK;
}

// ---- the job ----

static int n_todo(const SlMapped *mapped) {
    int n = 0;
    for (int i = 0; i < mapped->n_layers && mapped->setup.method; i++)
        n += !mapped->layers[i].task->resumed;
    return n;
}

// one thread where there is one layer to search, all of them where it is to be proven; a program of
// the user's has copies of its own
static SlPool *make_pool(const Map *map) {
    const SlJobSetup *setup = &map->mapped.setup;
    bool again = map->options->compare || map->options->sensitivity;
    bool alone = (n_todo(&map->mapped) < 2 && !setup->prove && !again) || setup->kind->wide;
    SlPool *pool = sl_pool_make(alone ? 1 : (int)map->options->threads);
    return pool ? pool : call_need(sl_pool_make(1));
}

static SlStatus finish(Map *map, SlError *err) {
    SlMapped *mapped = &map->mapped;
    mapped->interrupted = map->signal != 0;
    for (int i = 0; i < mapped->n_layers; i++)
        if (!sl_job_mapping(mapped->layers[i].task))
            return map_evaluator_fail(map, &mapped->layers[i], err);
    return sl_mapped_finish(mapped, err);
}

SlStatus map_run(Map *map, SlError *err) {
    Interrupt interrupt;
    Work work = {.map = map, .begun = sl_clock_seconds()};
    SlPool *pool = make_pool(map);
    work.progress = make_progress(map, sl_pool_threads(pool));
    interrupt_begin(&interrupt);
    SlStatus status = sl_job_run(map->mapped.job, pool, watch, keep, &work, err);
    double seconds = sl_clock_seconds() - work.begun;
    map->proof_seconds = work.proving ? seconds - map->seconds : 0;
    if (!work.proving) map->seconds = seconds;
    map->signal = interrupt_caught();
    if (status == SL_OK) status = finish(map, err);
    if (status == SL_OK) status = map_variants_run(map, pool, watch_variants, &work, err);
    map->signal = interrupt_caught();
    interrupt_end(&interrupt);
    progress_close(work.progress);
    sl_pool_free(pool);
    return status;
}
