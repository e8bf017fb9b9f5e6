// map_prove.c - prove how good every mapping is, layer by layer.
//
// Layers are proven side by side; where there are fewer of them than threads, one after the other
// by all threads. What is proven does not depend on it, unless time ends it.
#include "map_prove.h"

#include <assert.h>
#include <math.h>

#include "interrupt.h"

// What the threads share.
typedef struct {
    Map *map;
    Progress *progress;
    MapLayer **todo; // (n_todo)
    int n_todo;
    SlPool *inside; // threads for one layer, NULL = one
} Proving;

typedef struct {
    Progress *progress;
    int worker;
} Watcher;

static bool watch(void *context, const SlProofPoint *now) {
    const Watcher *watcher = context;
    progress_bound(watcher->progress, watcher->worker, now);
    return interrupt_caught() != 0;
}

static bool has_found(const MapLayer *layer) {
    return layer->record.best.sample > 0;
}

// nothing is proven of a layer whose turn did not come, or that was stopped before it had any
// mapping; without a search it has its default mapping
static void leave_open(const Map *map, MapLayer *layer) {
    const SlBest *best = &layer->record.best;
    bool found = has_found(layer);
    double value = found ? best->outcome.value : sl_goal_value(&map->goal, &layer->base->cost);
    layer->proof = (SlProof){.status = SL_PROOF_STOPPED,
                             .value = value,
                             .start = value,
                             .gap = INFINITY,
                             .mapping = found ? best->mapping : layer->base->mapping};
}

// no mapping anyone finds is below a bound
static void check_bound(const Map *map, const MapLayer *layer) {
    const SlProof *proof = &layer->proof;
    double most = proof->value * (1 + 1e-9), found = layer->record.best.outcome.value;
    // not as a quotient: a value may be 0, such as the area where nothing takes any
    assert(fabs(layer_value(map, layer, &proof->mapping) - proof->value) <= 1e-9 * proof->value);
    assert(proof->status == SL_PROOF_OUTSIDE || proof->lower_bound <= most);
    assert(!has_found(layer) || proof->value <= found * (1 + 1e-9));
    (void)map, (void)most, (void)found;
}

static SlStatus prove_layer(Proving *proving, MapLayer *layer, int worker, SlError *err) {
    const Map *map = proving->map;
    Watcher watcher = {proving->progress, worker};
    SlProveSetup setup = {.space = &layer->space,
                          .finder = sl_method_find("local"),
                          .goal = map->goal,
                          .epsilon = map->epsilon,
                          .seconds = map->options->prove_time,
                          .incumbent = has_found(layer) ? &layer->record.best.mapping : NULL,
                          .seed = (uint64_t)map->options->seed,
                          .pool = proving->inside};
    layer->proven = true;
    if (interrupt_caught()) {
        leave_open(map, layer);
        return SL_OK;
    }
    SlStatus status = sl_prove(&setup, watch, &watcher, &layer->arena, &layer->proof, err);
    if (status != SL_OK) return status;
    if (!isfinite(layer->proof.value)) leave_open(map, layer);
    if (layer->proof.status != SL_PROOF_UNCOVERED) check_bound(map, layer);
    if (!map->dir) return SL_OK;
    if (layer_has_bound(layer)) status = certificate_write(map, layer, &setup, err);
    // a proof that was cut short is begun again by the next run
    bool whole = layer->proof.status != SL_PROOF_STOPPED || !interrupt_caught();
    return status == SL_OK && whole ? record_write(map, layer, err) : status;
}

static void work_on(void *context, int item, int worker) {
    Proving *proving = context;
    MapLayer *layer = proving->todo[item];
    progress_begin(proving->progress, layer, worker);
    layer->status = prove_layer(proving, layer, worker, &layer->err);
    progress_end(proving->progress, worker, 0);
}

SlStatus map_prove(Map *map, SlPool *pool, Progress *progress, SlError *err) {
    double begun = seconds_now();
    Proving proving = {.map = map, .progress = progress};
    proving.todo = command_need(SL_NEW(map->arena, map->n_layers, MapLayer *));
    for (int i = 0; i < map->n_layers; i++)
        if (!map->layers[i].proof_resumed) proving.todo[proving.n_todo++] = &map->layers[i];
    progress_prove(progress, proving.n_todo);

    if (proving.n_todo < sl_pool_threads(pool)) {
        proving.inside = pool;
        for (int i = 0; i < proving.n_todo; i++) work_on(&proving, i, 0);
    } else {
        sl_pool_run(pool, proving.n_todo, work_on, &proving);
    }
    map->proof_seconds = seconds_now() - begun;
    for (int i = 0; i < proving.n_todo; i++) {
        const MapLayer *layer = proving.todo[i];
        if (layer->status == SL_OK) continue;
        *err = layer->err;
        return layer->status;
    }
    return SL_OK;
}
