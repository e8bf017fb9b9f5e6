// replay_trace.c - the addresses that a gather reads and writes, for simulated caches.
//
// They follow from the layout alone, so a replay of any size can be simulated without its memory.
#include "replay_inside.h"

enum { ACTIONS = SL_PARTICLE_ACTIONS };
static const uint64_t huge_page = (uint64_t)1 << 21;

// so many bytes, from a page of their own on
static uint64_t place(uint64_t bytes, uint64_t *end) {
    const uint64_t at = *end;
    *end = (at + bytes + huge_page - 1) / huge_page * huge_page;
    return at;
}

void sl_trace_init(const SlReplaySetup *setup, bool states, int batch, SlCaches *caches,
                   ReplayTrace *trace) {
    const int n_seen = states ? setup->n_state : setup->n_agents * setup->n_observed;
    uint64_t end = huge_page;
    *trace = (ReplayTrace){.setup = setup,
                           .plan = sl_replay_plan(setup),
                           .states = states,
                           .batch = batch,
                           .n_seen = n_seen,
                           .batch_row = n_seen + setup->n_agents * ACTIONS,
                           .caches = caches};
    const uint64_t held = (uint64_t)trace->plan.stride * (uint64_t)setup->capacity * sizeof(float);
    const uint64_t rows = (uint64_t)batch, row = (uint64_t)trace->batch_row;
    // space for doubles, which Python's arrays have
    trace->x = place(rows * row * sizeof(double), &end);
    trace->next = place(rows * row * sizeof(double), &end);
    trace->rewards = place(rows * sizeof(SlReal), &end);
    trace->ended = place(rows * sizeof(SlReal), &end);
    trace->buffers = end;
    trace->buffer_bytes = (held + huge_page - 1) / huge_page * huge_page;
}

static void write_numbers(const ReplayTrace *trace, uint64_t to, size_t first, size_t n) {
    sl_caches_touch(trace->caches, to + first * sizeof(SlReal), n * sizeof(SlReal), true);
}

// row i of the batch, of the agents in a row of the replay, of which `buffer` is the first
static void write_row(const ReplayTrace *trace, int buffer, size_t i) {
    const RowPlan *plan = &trace->plan;
    const size_t row = i * (size_t)trace->batch_row, agents = plan->ended - plan->rewards;
    const size_t each = (size_t)trace->n_seen / (size_t)trace->setup->n_agents;
    const bool separate = trace->setup->layout == SL_LAYOUT_SEPARATE;
    const size_t first = separate ? (size_t)buffer * each : 0;
    const size_t n = separate ? each : (size_t)trace->n_seen;
    write_numbers(trace, trace->x, row + first, n);
    write_numbers(trace, trace->next, row + first, n);
    write_numbers(trace, trace->x, row + (size_t)trace->n_seen + (size_t)buffer * ACTIONS,
                  agents * ACTIONS);
}

void sl_trace_gather(const ReplayTrace *trace, int n, const uint32_t *rows, int agent, bool all) {
    const RowPlan *plan = &trace->plan;
    const int n_buffers = sl_replay_buffers(trace->setup);
    for (int b = 0; b < n_buffers; b++) {
        const uint64_t buffer = trace->buffers + (uint64_t)b * trace->buffer_bytes;
        for (int i = 0; i < n; i++) {
            sl_caches_touch(trace->caches,
                            buffer + (uint64_t)rows[i] * plan->stride * sizeof(float),
                            plan->n * sizeof(float), false);
            if (all) write_row(trace, b, (size_t)i);
            if (n_buffers > 1 && b != agent) continue;
            write_numbers(trace, trace->rewards, (size_t)i, 1);
            write_numbers(trace, trace->ended, (size_t)i, 1);
        }
    }
}

void sl_trace_fill(const ReplayTrace *trace, int64_t n) {
    const uint64_t row = (uint64_t)trace->plan.stride * sizeof(float);
    for (int64_t r = trace->setup->capacity - n; r < trace->setup->capacity; r++)
        for (int b = 0; b < sl_replay_buffers(trace->setup); b++)
            sl_caches_touch(trace->caches,
                            trace->buffers + (uint64_t)b * trace->buffer_bytes + (uint64_t)r * row,
                            trace->plan.n * sizeof(float), true);
}
