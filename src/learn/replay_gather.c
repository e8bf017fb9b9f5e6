// replay_gather.c - rows copied into a batch, while coming rows are on their way from memory.
//
// Observations of states are the very differences of the map, in floats, so that every layout gives
// the same bits.
#include <assert.h>

#include "replay_inside.h"

enum { ACTIONS = SL_PARTICLE_ACTIONS, LINE = 16 };
enum { BYTES_AHEAD = 8192, MOST_ROWS_AHEAD = 16 };

typedef float Quad __attribute__((vector_size(16)));

static inline void put(SlReal *to, const float *from, size_t n) {
#ifdef SL_APPROX_DOUBLE
    for (size_t i = 0; i < n; i++) to[i] = (SlReal)from[i];
#else
    memcpy(to, from, n * sizeof *to);
#endif
}

// how many rows before its turn a row is asked for, of which so many numbers are read
static int rows_ahead(size_t read) {
    const size_t n = BYTES_AHEAD / (read * sizeof(float));
    return n < 1 ? 1 : n > MOST_ROWS_AHEAD ? MOST_ROWS_AHEAD : (int)n;
}

static inline void ask_for(const float *row, size_t n) {
    for (size_t i = 0; i < n; i += LINE) __builtin_prefetch(row + i, 0, 3);
}

// out (n) = from minus a pair in turn
static inline void differ(int n, const float *from, float x, float y, SlReal *out) {
    int i = 0;
#ifndef SL_APPROX_DOUBLE
    const Quad own = {x, y, x, y};
    for (; i + 4 <= n; i += 4) {
        Quad seen;
        memcpy(&seen, from + i, sizeof seen);
        seen -= own;
        memcpy(out + i, &seen, sizeof seen);
    }
#endif
    for (; i < n; i++) out[i] = (SlReal)(float)(from[i] - (i % 2 ? y : x));
}

static void see(const RunList *list, const float *row, SlReal *out) {
    static const float zeros[2] = {0};
    for (int r = 0; r < list->n; r++) {
        const ObservedRun run = list->runs[r];
        const float *minus = run.minus < 0 ? zeros : row + run.minus;
        if (run.plus < 0) {
            for (int i = 0; i < run.n; i++) out[i] = (SlReal)(0 - minus[i % 2]);
        } else {
            differ(run.n, row + run.plus, minus[0], run.n > 1 ? minus[1] : 0, out);
        }
        out += run.n;
    }
}

// ---- one row of each layout into place i of the batch

static void copy_state(const SlReplay *replay, const float *row, size_t i, SlReplayBatch *batch) {
    const RowPlan *plan = &replay->plan;
    const size_t n_state = plan->next, moving = plan->actions - plan->next;
    if (batch->state) put(batch->state + i * batch->state_row, row, n_state);
    if (batch->next_state) {
        SlReal *to = batch->next_state + i * batch->state_row;
        put(to, row + plan->next, moving);
        put(to + moving, row + moving, n_state - moving);
    }
    if (batch->observed) see(&replay->seen, row, batch->observed + i * batch->observed_row);
    if (batch->next_observed)
        see(&replay->seen_next, row, batch->next_observed + i * batch->next_row);
}

// the agents of a row, of which `first` is the first
static void copy_observed(const SlReplay *replay, const float *row, int first, size_t i,
                          SlReplayBatch *batch) {
    const RowPlan *plan = &replay->plan;
    const size_t n = plan->next, at = (size_t)first * (size_t)replay->setup.n_observed;
    if (batch->observed) put(batch->observed + i * batch->observed_row + at, row, n);
    if (batch->next_observed)
        put(batch->next_observed + i * batch->next_row + at, row + plan->next, n);
}

static void copy_rest(const RowPlan *plan, const float *row, int first, size_t i,
                      SlReplayBatch *batch) {
    const int agents = (int)(plan->ended - plan->rewards), own = batch->agent - first;
    if (batch->actions)
        put(batch->actions + i * batch->actions_row + (size_t)first * ACTIONS, row + plan->actions,
            (size_t)agents * ACTIONS);
    if (own < 0 || own >= agents) return;
    if (batch->rewards) batch->rewards[i] = (SlReal)row[plan->rewards + (size_t)own];
    if (batch->ended) batch->ended[i] = (SlReal)row[plan->ended];
}

// where the part of a row begins that is read: rewards and ends lie last
static size_t first_read(const RowPlan *plan, const SlReplayBatch *batch) {
    const bool more = batch->state || batch->next_state || batch->observed ||
                      batch->next_observed || batch->actions;
    return more ? 0 : plan->rewards / LINE * LINE;
}

void sl_replay_gather(const SlReplay *replay, int n, const uint32_t *rows, SlReplayBatch *batch) {
    const bool state = replay->setup.layout == SL_LAYOUT_STATE;
    const size_t first = first_read(&replay->plan, batch), read = replay->plan.stride - first;
    const int ahead = rows_ahead(read);
    assert(state || (!batch->state && !batch->next_state));
    assert(0 <= batch->agent && batch->agent < replay->setup.n_agents);
    for (int b = 0; b < replay->n_buffers; b++) {
        for (int i = 0; i < ahead && i < n; i++)
            ask_for(sl_replay_row(replay, b, rows[i]) + first, read);
        for (int i = 0; i < n; i++) {
            const float *row = sl_replay_row(replay, b, rows[i]);
            if (i + ahead < n) ask_for(sl_replay_row(replay, b, rows[i + ahead]) + first, read);
            if (state) {
                copy_state(replay, row, (size_t)i, batch);
            } else {
                copy_observed(replay, row, b, (size_t)i, batch);
            }
            copy_rest(&replay->plan, row, b, (size_t)i, batch);
        }
    }
}
