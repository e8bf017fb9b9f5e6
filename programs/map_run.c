// map_run.c - the job of `starling map` as people see it: progress, records, Ctrl-C.
#include <assert.h>
#include <math.h>

#include "interrupt.h"
#include "map.h"
#include "map_progress.h"

// What the threads share.
typedef struct {
    Map *map;
    Progress *progress;
    double begun;
    bool proving;
} Work;

// ---- events ----

static void begin_proofs(Work *work, const SlEvent *event) {
    work->proving = true;
    work->map->seconds = seconds_now() - work->begun;
    progress_prove(work->progress, event->n_all);
}

static bool watch(void *context, const SlEvent *event) {
    Work *work = context;
    switch (event->kind) {
    case SL_EVENT_BEGIN:
        progress_begin(work->progress, event);
        break;
    case SL_EVENT_SAMPLE:
        progress_update(work->progress, event);
        break;
    case SL_EVENT_BOUND:
        progress_bound(work->progress, event);
        break;
    case SL_EVENT_END:
        progress_end(work->progress, event);
        break;
    case SL_EVENT_PROOFS:
        begin_proofs(work, event);
        break;
    }
    return interrupt_caught() != 0;
}

// ---- records ----

// no mapping anyone finds is below a bound
static void check_bound(const Map *map, const MapLayer *layer) {
    const SlProof *proof = &layer->job->proof;
    double most = proof->value * (1 + 1e-9), found = layer->job->record.best.outcome.value;
    // not as a quotient: a value may be 0, such as the area where nothing takes any
    assert(fabs(layer_value(map, layer, &proof->mapping) - proof->value) <= 1e-9 * proof->value);
    assert(proof->status == SL_PROOF_OUTSIDE || proof->lower_bound <= most);
    assert(layer->job->record.best.sample == 0 || proof->value <= found * (1 + 1e-9));
    (void)map, (void)most, (void)found;
}

// what is through is written at once
static SlStatus keep(void *context, SlJobTask *task, const SlProveSetup *proof, SlError *err) {
    const Work *work = context;
    const Map *map = work->map;
    const MapLayer *layer = map->layers;
    while (layer->job != task) layer++;
    SlStatus status = SL_OK;
    if (proof && task->proof.status != SL_PROOF_UNCOVERED) check_bound(map, layer);
    if (!map->dir) return SL_OK;
    if (proof && layer_has_bound(layer)) status = certificate_write(map, layer, proof, err);
    return status == SL_OK ? record_write(map, layer, err) : status;
}

// ---- the job ----

static int n_todo(const Map *map) {
    int n = 0;
    for (int i = 0; i < map->n_layers && !map->exact; i++) n += !map->layers[i].job->resumed;
    return n;
}

// one thread where there is one layer to search, all of them where it is to be proven; a program of
// the user's has copies of its own
static SlPool *make_pool(const Map *map) {
    bool alone = (n_todo(map) < 2 && !map->prove) || map_is_process(map);
    SlPool *pool = sl_pool_make(alone ? 1 : (int)map->options->threads);
    return pool ? pool : command_need(sl_pool_make(1));
}

SlStatus map_run(Map *map, SlError *err) {
    Interrupt interrupt;
    Work work = {.map = map, .begun = seconds_now()};
    SlPool *pool = make_pool(map);
    work.progress = progress_make(map, n_todo(map), sl_pool_threads(pool));
    interrupt_begin(&interrupt);
    SlStatus status = sl_job_run(map->job, pool, watch, keep, &work, err);
    double seconds = seconds_now() - work.begun;
    map->proof_seconds = work.proving ? seconds - map->seconds : 0;
    if (!work.proving) map->seconds = seconds;
    map->signal = interrupt_caught();
    interrupt_end(&interrupt);
    progress_close(work.progress);
    sl_pool_free(pool);
    return status;
}
