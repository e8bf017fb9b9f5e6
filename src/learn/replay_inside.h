// replay_inside.h - inside the replay: where numbers lie in a row, and what rows lie in.
#pragma once

#include <string.h>

#include "starling/learn/replay.h"

// Where the parts of a row begin. Layout `state`: observed = state, next = the part of the next
// state that moves. Layout `separate`: everything of one agent.
typedef struct {
    size_t observed, actions, rewards, next, ended;
    size_t n;      // numbers used
    size_t stride; // numbers from row to row, of whole cache lines
} RowPlan;

// Observations in a row of a state: n numbers from `plus` on, minus those at `minus` and minus + 1
// in turn. -1 = zeros.
typedef struct {
    int32_t plus, minus, n;
} ObservedRun;

typedef struct {
    int n;
    ObservedRun *runs; // (n), observation after observation, agent after agent
} RunList;

// Memory from the system, zero where never written.
typedef struct {
    void *at; // NULL = none
    size_t bytes;
    bool huge; // 2 MiB pages were promised
} Pages;

// False without memory; aligned to 2 MiB. `small`: pages of the system's own size.
bool sl_pages_make(size_t bytes, bool small, Pages *pages);
void sl_pages_free(Pages *pages);

// Sums of weights over rows: node i has children 2i and 2i+1, row r is node n_leaves + r.
typedef struct {
    Pages pages;
    double *nodes; // (2 * n_leaves); NULL = no priorities
    int64_t n_leaves;
    double largest; // weight of a row so far; what new rows get
} PriorityTree;

bool sl_priority_make(int64_t n_rows, PriorityTree *tree);
void sl_priority_set(PriorityTree *tree, int64_t row, double weight);
void sl_priority_rebuild(PriorityTree *tree); // sums, after the leaves were written
uint32_t sl_priority_draw(const PriorityTree *tree, SlRng *rng);

struct SlReplay {
    SlReplaySetup setup; // its map is ours
    SlArena arena;       // of small things
    RowPlan plan;
    RunList seen, seen_next; // layout `state`
    int n_buffers;           // n_agents of layout `separate`, else 1
    Pages *buffers;          // (n_buffers)
    int64_t n, next;         // transitions held; row that the next one goes to
    PriorityTree tree;
};

RowPlan sl_replay_plan(const SlReplaySetup *setup);
bool sl_replay_runs(const SlReplaySetup *setup, const RowPlan *plan, SlArena *arena, bool next,
                    RunList *list); // false without memory

static inline int sl_replay_buffers(const SlReplaySetup *setup) {
    return setup->layout == SL_LAYOUT_SEPARATE ? setup->n_agents : 1;
}

// bytes of one transition of all agents
static inline size_t sl_replay_all_bytes(const SlReplaySetup *setup) {
    return sl_replay_plan(setup).stride * sizeof(float) * (size_t)sl_replay_buffers(setup);
}

static inline float *sl_replay_row(const SlReplay *replay, int buffer, int64_t row) {
    return (float *)replay->buffers[buffer].at + (size_t)row * replay->plan.stride;
}

// NULL, or what is wrong with the setup.
const char *sl_replay_check(const SlReplaySetup *setup);

// --- Addresses of a gather, for simulated caches (replay_trace.c, replay_list.c)

// A replay that has addresses and no memory. A gather writes `x`, rows of what was seen and done,
// `next`, rows of what was seen then, rewards and ends; rows of both have `batch_row` numbers.
typedef struct {
    const SlReplaySetup *setup;
    RowPlan plan;
    bool states;           // states are wanted, not observations; layout `state` alone
    int batch;             // most rows of a gather
    int n_seen, batch_row; // numbers before the actions, numbers of a row
    uint64_t buffer_bytes; // from buffer to buffer
    uint64_t buffers, x, next, rewards, ended; // where they begin
    SlCaches *caches;
} ReplayTrace;

// Everything lies behind each other, in pages of 2 MiB of its own. `batch`: rows of a gather at
// most.
void sl_trace_init(const SlReplaySetup *setup, bool states, int batch, SlCaches *caches,
                   ReplayTrace *trace);
// What sl_replay_gather reads and writes, a whole row at a time; `agent` is that of the rewards. Of
// rewards alone (`all` false) rows are read nevertheless, since a gather asks for them.
void sl_trace_gather(const ReplayTrace *trace, int n, const uint32_t *rows, int agent, bool all);
// The same for a list of tuples of arrays per agent, as Python's original has it.
void sl_trace_list(const ReplayTrace *trace, int n, const uint32_t *rows);
// Caches as they are when the last `n` rows were just written, one after the other.
void sl_trace_fill(const ReplayTrace *trace, int64_t n);
void sl_trace_fill_list(const ReplayTrace *trace, int64_t n);
size_t sl_trace_list_bytes(const SlReplaySetup *setup); // of one transition of all agents
