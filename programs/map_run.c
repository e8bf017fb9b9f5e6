// map_run.c - map every layer on a pool of threads, then prove; Ctrl-C keeps the best so far.
//
// What comes of a layer depends on the layer alone (and, with --warm, on the other layers), never
// on threads or order. Time budgets are the exception: what they reach depends on the machine.
#include <pthread.h>
#include <string.h>

#include "interrupt.h"
#include "map.h"
#include "map_progress.h"
#include "map_prove.h"

// What the threads share.
typedef struct {
    Map *map;
    Progress *progress;
    MapLayer **todo; // (n_todo)
    int n_todo, n_threads;
    const SlMemory *memory; // from the warm start
    double deadline;        // 0 = none
    pthread_mutex_t lock;
    int n_begun;
} Work;

typedef struct {
    Work *work;
    int worker;
} Watcher;

static bool watch(void *context, const SlEvent *now) {
    const Watcher *watcher = context;
    progress_update(watcher->work->progress, watcher->worker, now);
    return interrupt_caught() != 0;
}

// ---- one layer ----

static SlTaskSetup task_setup(const Map *map, const MapLayer *layer) {
    return (SlTaskSetup){.kind = map->kind,
                         .space = &layer->space,
                         .goal = map->goal,
                         .illegal = (SlIllegal)map->options->illegal,
                         .options = map_is_process(map) ? &map->process : NULL};
}

// Algorithm 1: which parameters share an agent; its samples count apart
static SlStatus assign_agents(const Map *map, MapLayer *layer, SlError *err) {
    if (interrupt_caught()) return SL_OK;
    SlTaskSetup task = task_setup(map, layer);
    SlAssignSetup setup = sl_assign_defaults();
    setup.samples = map->options->dataset;
    setup.seed = (uint64_t)map->options->seed;
    return sl_agents_assign(&task, &setup, map->n_agents, &layer->arena, &layer->agents,
                            &layer->assign_samples, err);
}

// an even share of what is left of the time, as many layers running side by side as there are
// threads
static double time_share(Work *work) {
    if (work->deadline <= 0) return 0;
    pthread_mutex_lock(&work->lock);
    int left = work->n_todo - work->n_begun++;
    pthread_mutex_unlock(&work->lock);
    int rounds = (left + work->n_threads - 1) / work->n_threads;
    double share = (work->deadline - seconds_now()) / rounds;
    return share > 1e-3 ? share : 1e-3;
}

static SlRunSetup run_setup(const Map *map, const MapLayer *layer) {
    const MapOptions *options = map->options;
    return (SlRunSetup){.method = map->method,
                        .options = map->method_options,
                        .agents = &layer->agents,
                        .seed = (uint64_t)options->seed,
                        .stream = layer->text,
                        .budget = {.samples = map->samples},
                        .start = (SlStart)options->start,
                        .log = map->log};
}

static SlStatus map_layer(Work *work, MapLayer *layer, int worker, SlError *err) {
    const Map *map = work->map;
    Watcher watcher = {work, worker};
    SlStatus status = assign_agents(map, layer, err);
    if (status != SL_OK) return status;
    SlRunSetup setup = run_setup(map, layer);
    setup.memory = work->memory;
    setup.budget.seconds = time_share(work);
    if (map->options->target > 0) setup.budget.target = 1 + map->options->target / 100;
    SlTaskSetup task = task_setup(map, layer);
    status = sl_task_make(&task, &layer->arena, &setup.task, err);
    if (status == SL_OK)
        status = sl_run(&setup, watch, &watcher, &layer->arena, &layer->record, err);
    // a layer that was cut short is mapped again by the next run
    bool whole = status == SL_OK && layer->record.stopped != SL_STOP_ASKED;
    return whole && map->dir ? record_write(map, layer, err) : status;
}

static void work_on(void *context, int item, int worker) {
    Work *work = context;
    MapLayer *layer = work->todo[item];
    progress_begin(work->progress, layer, worker);
    layer->status = map_layer(work, layer, worker, &layer->err);
    progress_end(work->progress, worker, layer->record.samples);
}

// ---- warm start ----

// Every layer in turn for a few samples, each remembering what those before it remembered. In turn,
// so that the memory does not depend on threads.
static SlStatus warm_up(Work *work, SlError *err) {
    Map *map = work->map;
    if (map->options->warm == 0 || map->n_layers < 2 || work->n_todo == 0) return SL_OK;
    for (int i = 0; i < map->n_layers; i++) {
        MapLayer *layer = &map->layers[i];
        Watcher watcher = {work, 0};
        char stream[INLINE_ROOM + 8] = "warm ";
        SlRecord record;
        SlRunSetup setup = run_setup(map, layer);
        SlAgents each;
        sl_agents_each(&layer->space, &each);
        strncat(stream, layer->text, sizeof stream - 6);
        setup.agents = &each;
        setup.stream = stream;
        setup.budget.samples = map->options->warm;
        setup.memory = work->memory;
        progress_begin(work->progress, layer, 0);
        SlTaskSetup task = task_setup(map, layer);
        SlStatus status = sl_task_make(&task, map->arena, &setup.task, err);
        if (status == SL_OK) status = sl_run(&setup, watch, &watcher, map->arena, &record, err);
        if (status != SL_OK) return status;
        layer->warm_samples = record.samples;
        work->memory = record.memory;
    }
    return SL_OK;
}

// ---- all layers ----

static void gather_todo(Work *work) {
    Map *map = work->map;
    work->todo = command_need(SL_NEW(map->arena, map->n_layers, MapLayer *));
    for (int i = 0; i < map->n_layers && !map->exact; i++)
        if (!map->layers[i].resumed) work->todo[work->n_todo++] = &map->layers[i];
}

static SlStatus run_todo(Work *work, SlPool *pool, SlError *err) {
    SlStatus status = warm_up(work, err);
    if (status != SL_OK) return status;
    sl_pool_run(pool, work->n_todo, work_on, work);
    for (int i = 0; i < work->n_todo; i++) {
        const MapLayer *layer = work->todo[i];
        if (layer->status == SL_OK) continue;
        *err = layer->err;
        return layer->status;
    }
    return SL_OK;
}

// one thread where there is one layer to search, all of them where it is to be proven
static SlPool *make_pool(const Map *map, int n_todo) {
    // a program of the user's has copies of its own
    bool alone = (n_todo < 2 && !map->prove) || map_is_process(map);
    SlPool *pool = sl_pool_make(alone ? 1 : (int)map->options->threads);
    return pool ? pool : command_need(sl_pool_make(1));
}

SlStatus map_run(Map *map, SlError *err) {
    double begun = seconds_now();
    Interrupt interrupt;
    Work work = {.map = map};
    gather_todo(&work);
    SlPool *pool = make_pool(map, work.n_todo);
    work.n_threads = sl_pool_threads(pool);
    if (map->options->time > 0) work.deadline = begun + map->options->time;
    pthread_mutex_init(&work.lock, NULL);
    work.progress = progress_make(map, work.n_todo, work.n_threads);

    interrupt_begin(&interrupt);
    SlStatus status = run_todo(&work, pool, err);
    map->seconds = seconds_now() - begun;
    if (status == SL_OK && map->prove) status = map_prove(map, pool, work.progress, err);
    map->signal = interrupt_caught();
    interrupt_end(&interrupt);

    progress_close(work.progress);
    pthread_mutex_destroy(&work.lock);
    sl_pool_free(pool);
    return status;
}
