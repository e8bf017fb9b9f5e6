// study_run.c - run the cells of a plan that a store does not have, side by side.
//
// What a cell gives depends on the cell alone, so the order may follow the clock: within a seed the
// cells that take longest begin first, and the last thread to end has little left to do.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study_cells.h"

#define LIFE_SECONDS 0.2 // between two signs of life

// A cell that is to be run.
typedef struct {
    SlPlanCell cell;
    const char *fingerprint;
    int kind;     // of work: a row of the plan, or behind them the kind of cell
    double units; // samples of a run, else 1
    bool taken;
} Item;

// Work of one kind.
typedef struct {
    double seconds, units; // of what has ended
    double waiting;        // units that nobody has begun
    double rate;           // seconds per unit, with what is under way; NAN = not known
} Pace;

// What a worker is at.
typedef struct {
    const Item *item; // NULL = nothing
    double begun;
    int64_t samples;
} Flight;

typedef struct {
    const SlPlan *plan;
    SlStore *store;
    SlStudyWatch *watch;
    void *context;
    SlArena arena;
    Item *items;        // (n_items) in the order of the plan
    int n_items, first; // before `first` all are taken
    int n_workers;
    Flight *flights; // (n_workers)

    pthread_mutex_t lock; // around all that follows
    Pace *paces;          // (n_rows + SL_N_CELLS)
    SlStudyProgress now;
    double begun, told;
    double samples, samples_done; // of all runs of the plan
    bool stopping;
    SlStatus status;
    SlError err;
} Study;

static SlStatus no_memory(Study *study) {
    return sl_fail(&study->err, SL_ENOMEM, "not enough memory for the study");
}

// ---- what is to be done ----

static int pace_of(const SlPlan *plan, const SlPlanCell *cell) {
    return cell->kind == SL_CELL_RUN ? cell->row : plan->n_rows + (int)cell->kind;
}

static double units_of(const SlPlan *plan, const SlPlanCell *cell) {
    return cell->kind == SL_CELL_RUN ? (double)plan->rows[cell->row].samples : 1;
}

// a cell that the store has tells how long its like take
static void count_done(Study *study, const SlPlanCell *cell, const SlStoreEntry *entry) {
    Pace *pace = &study->paces[pace_of(study->plan, cell)];
    double units = units_of(study->plan, cell);
    study->now.n_done++;
    study->now.n_before++;
    if (cell->kind == SL_CELL_RUN) study->samples_done += units;
    if (isnan(entry->seconds)) return;
    pace->seconds += entry->seconds;
    pace->units += cell->kind == SL_CELL_RUN ? (double)entry->samples : 1;
}

static void add_item(Study *study, const SlPlanCell *cell, const char *fingerprint) {
    Item *item = &study->items[study->n_items++];
    *item = (Item){.cell = *cell,
                   .fingerprint = fingerprint,
                   .kind = pace_of(study->plan, cell),
                   .units = units_of(study->plan, cell)};
    study->paces[item->kind].waiting += item->units;
}

// all cells but those that the store has, of the same fingerprint and whole
static SlStatus gather(Study *study) {
    int n = 0, n_entries = 0;
    SlPlanCell *cells = NULL;
    SlStoreEntry *entries = NULL;
    SlStatus status = sl_plan_cells(study->plan, &study->arena, &n, &cells, &study->err);
    if (status == SL_OK)
        status = sl_store_index(study->store, &study->arena, &n_entries, &entries, &study->err);
    if (status != SL_OK) return status;
    study->items = SL_NEW(&study->arena, n, Item);
    study->now.n_cells = n;
    if (!study->items) return no_memory(study);
    for (int i = 0; i < n; i++) {
        SlCell cell = sl_plan_cell(study->plan, &cells[i]);
        const char *print = sl_cell_fingerprint(&cell, &study->arena);
        if (!print) return no_memory(study);
        if (cells[i].kind == SL_CELL_RUN) study->samples += units_of(study->plan, &cells[i]);
        const SlStoreEntry *entry = sl_store_entry(n_entries, entries, cells[i].key);
        if (entry && !entry->broken && strcmp(entry->fingerprint, print) == 0)
            count_done(study, &cells[i], entry);
        else
            add_item(study, &cells[i], print);
    }
    return SL_OK;
}

// ---- time ----

static void measure(Study *study, double now) {
    for (int kind = 0; kind < study->plan->n_rows + SL_N_CELLS; kind++) {
        Pace *pace = &study->paces[kind];
        double seconds = pace->seconds, units = pace->units;
        for (int w = 0; w < study->n_workers; w++) {
            const Flight *flight = &study->flights[w];
            if (!flight->item || flight->item->kind != kind || flight->samples == 0) continue;
            seconds += now - flight->begun;
            units += (double)flight->samples;
        }
        pace->rate = units > 0 ? seconds / units : NAN;
    }
}

// the mean over rows that are known; NAN = none is
static double mean_rate(const Study *study) {
    double sum = 0;
    int n = 0;
    for (int r = 0; r < study->plan->n_rows; r++) {
        if (isnan(study->paces[r].rate)) continue;
        sum += study->paces[r].rate;
        n++;
    }
    return n ? sum / n : NAN;
}

// what a unit takes as far as anyone knows: other rows speak for a row, its limit for a proof
static double guess_rate(const Study *study, int kind) {
    const SlPlan *plan = study->plan;
    if (!isnan(study->paces[kind].rate)) return study->paces[kind].rate;
    if (kind < plan->n_rows) return mean_rate(study);
    return kind == plan->n_rows + SL_CELL_PROOF ? plan->prove_seconds : 0;
}

// seconds that all cells still take, one after the other; NAN = not known
static double work_left(Study *study, double now) {
    double sum = 0;
    measure(study, now);
    for (int kind = 0; kind < study->plan->n_rows + SL_N_CELLS; kind++) {
        double units = study->paces[kind].waiting;
        for (int w = 0; w < study->n_workers; w++) {
            const Flight *flight = &study->flights[w];
            if (flight->item && flight->item->kind == kind)
                units += flight->item->units - (double)flight->samples;
        }
        if (units > 0) sum += units * guess_rate(study, kind);
    }
    return sum;
}

static double share_done(const Study *study) {
    const SlStudyProgress *now = &study->now;
    double done = study->samples_done;
    if (study->samples == 0)
        return now->n_cells ? (double)(now->n_done + now->n_failed) / now->n_cells : 1;
    for (int w = 0; w < study->n_workers; w++)
        if (study->flights[w].item) done += (double)study->flights[w].samples;
    return fmin(done / study->samples, 1);
}

// the lock is held: one thread at a time
static void tell(Study *study, const char *key) {
    double now = sl_clock_seconds();
    if (!study->watch || (!key && now - study->told < LIFE_SECONDS)) return;
    study->told = now;
    study->now.key = key;
    study->now.seconds = now - study->begun;
    study->now.eta_seconds = work_left(study, now) / study->n_workers;
    study->now.work = share_done(study);
    if (study->watch(study->context, &study->now)) study->stopping = true;
}

// ---- one worker ----

static bool same_round(const Item *a, const Item *b) {
    bool runs = a->cell.kind == SL_CELL_RUN;
    if (runs != (b->cell.kind == SL_CELL_RUN)) return false;
    return !runs || a->cell.seed == b->cell.seed;
}

// The next cell: what serves all runs goes first, then seed by seed. Within that the longest one;
// of what is not known yet the first.
static Item *take(Study *study) {
    while (study->first < study->n_items && study->items[study->first].taken) study->first++;
    if (study->first == study->n_items) return NULL;
    const Item *head = &study->items[study->first];
    double longest = -1;
    int chosen = study->first;
    measure(study, sl_clock_seconds());
    for (int i = study->first; i < study->n_items && same_round(head, &study->items[i]); i++) {
        const Item *other = &study->items[i];
        if (other->taken) continue;
        double rate = study->paces[other->kind].rate;
        double seconds = isnan(rate) ? INFINITY : rate * other->units;
        if (seconds <= longest) continue;
        longest = seconds;
        chosen = i;
    }
    Item *item = &study->items[chosen];
    item->taken = true;
    study->paces[item->kind].waiting -= item->units;
    return item;
}

typedef struct {
    Study *study;
    int worker;
} Worker;

static bool watch_cell(void *context, const SlEvent *event) {
    const Worker *worker = context;
    Study *study = worker->study;
    pthread_mutex_lock(&study->lock);
    study->flights[worker->worker].samples = event->samples;
    tell(study, NULL);
    bool stop = study->stopping;
    pthread_mutex_unlock(&study->lock);
    return stop;
}

static void land(Study *study, int worker, const SlCellRecord *record) {
    Flight *flight = &study->flights[worker];
    Pace *pace = &study->paces[flight->item->kind];
    bool run = record->kind == SL_CELL_RUN;
    pace->seconds += record->seconds;
    pace->units += run ? (double)record->samples : 1;
    if (run) study->samples_done += flight->item->units;
    if (record->reason)
        study->now.n_failed++;
    else
        study->now.n_done++;
    *flight = (Flight){0};
    tell(study, record->key);
}

// the first failure of the store ends the study
static void keep_status(Study *study, SlStatus status, const SlError *err) {
    study->stopping = true;
    if (study->status != SL_OK) return;
    study->status = status;
    study->err = *err;
}

static void work_on(void *context, int number, int worker) {
    (void)number; // which cell is next is decided now
    Study *study = context;
    pthread_mutex_lock(&study->lock);
    Item *item = study->stopping ? NULL : take(study);
    if (item) study->flights[worker] = (Flight){.item = item, .begun = sl_clock_seconds()};
    pthread_mutex_unlock(&study->lock);
    if (!item) return;

    Worker me = {study, worker};
    SlArena arena;
    SlCell cell = sl_plan_cell(study->plan, &item->cell);
    SlCellFound found;
    SlCellRecord record;
    SlError why, err = {0};
    sl_arena_init(&arena, 0);
    SlStatus ran = sl_cell_run(&cell, watch_cell, &me, &arena, &found, &record, &why);
    // failing is a record too; but a program that cannot be run fails everywhere
    bool broken = ran == SL_EINPUT && study->plan->program;
    bool whole = !found.stopped && !broken;
    record.fingerprint = item->fingerprint;
    SlStatus status = whole ? sl_store_put(study->store, &record, &err) : SL_OK;

    pthread_mutex_lock(&study->lock);
    if (broken) keep_status(study, ran, &why);
    if (status != SL_OK) keep_status(study, status, &err);
    if (whole && status == SL_OK)
        land(study, worker, &record);
    else
        study->flights[worker] = (Flight){0};
    pthread_mutex_unlock(&study->lock);
    sl_arena_free(&arena);
}

// ---- the study ----

static SlStatus prepare(Study *study) {
    study->paces = SL_NEW(&study->arena, study->plan->n_rows + SL_N_CELLS, Pace);
    study->flights = SL_NEW(&study->arena, study->n_workers, Flight);
    if (!study->paces || !study->flights) return no_memory(study);
    return gather(study);
}

SlStatus sl_study_run(const SlPlan *plan, SlStore *store, SlPool *pool, SlStudyWatch *watch,
                      void *context, SlError *err) {
    Study study = {.plan = plan,
                   .store = store,
                   .watch = watch,
                   .context = context,
                   .n_workers = pool ? sl_pool_threads(pool) : 1,
                   .begun = sl_clock_seconds()};
    sl_arena_init(&study.arena, 0);
    pthread_mutex_init(&study.lock, NULL);
    study.status = sl_study_check(plan, store, &study.err);
    if (study.status == SL_OK) study.status = prepare(&study);
    if (study.status == SL_OK) {
        pthread_mutex_lock(&study.lock);
        tell(&study, NULL); // how much there is to do
        pthread_mutex_unlock(&study.lock);
    }
    if (study.status == SL_OK && pool) {
        sl_pool_run(pool, study.n_items, work_on, &study);
    } else if (study.status == SL_OK) {
        for (int i = 0; i < study.n_items; i++) work_on(&study, i, 0);
    }
    sl_store_settle(store);
    if (study.status != SL_OK && err) *err = study.err;
    pthread_mutex_destroy(&study.lock);
    sl_arena_free(&study.arena);
    return study.status;
}
