// replay_list.c - the addresses that the original's sampling touches: per agent a Python list of
// tuples (observation, action, reward, next observation, end), as in openai/maddpg at 3ceefa0.
//
// Sizes are those of CPython 3.7 and NumPy 1.21 on 64 bits. Their allocators keep objects of one
// size together, so each kind of object is an array here, in the order of making: time step after
// time step, agent after agent. The next observation of a row is the observation of the row behind
// it, the very same object.
#include "replay_inside.h"

// bytes of one
enum {
    SLOT = 8,    // pointer in a list
    TUPLE = 88,  // head of the collector, of the object, five pointers
    ARRAY = 80,  // array object
    SHAPE = 16,  // its dimensions and strides
    ACTION = 24, // five floats, in multiples of 8
    NUMBER = 24, // float object
    NUMBERS = 2, // reward and end
    DOUBLE = 8,  // of an observation
};

// Kinds of objects. Every agent has its own list; the others are shared by all.
typedef enum { TUPLES, ARRAYS, SHAPES, ACTIONS, SEEN, FLOATS, LISTS, N_KINDS } Kind;

static uint64_t size_of(const SlReplaySetup *setup, Kind kind) {
    const uint64_t sizes[N_KINDS] = {[TUPLES] = TUPLE,
                                     [ARRAYS] =
                                         (uint64_t)2 * ARRAY, // of an action, then of what is seen
                                     [SHAPES] = (uint64_t)2 * SHAPE,
                                     [ACTIONS] = ACTION,
                                     [SEEN] = (uint64_t)DOUBLE * (uint64_t)setup->n_observed,
                                     [FLOATS] = (uint64_t)NUMBERS * NUMBER,
                                     [LISTS] = SLOT};
    return sizes[kind];
}

size_t sl_trace_list_bytes(const SlReplaySetup *setup) {
    uint64_t bytes = 0;
    for (int k = 0; k < N_KINDS; k++) bytes += size_of(setup, (Kind)k);
    return (size_t)(bytes * (uint64_t)setup->n_agents);
}

// where the objects of a kind begin; there is one time step more than rows
static uint64_t base_of(const ReplayTrace *trace, Kind kind) {
    const uint64_t objects =
        (uint64_t)(trace->setup->capacity + 1) * (uint64_t)trace->setup->n_agents;
    uint64_t base = trace->buffers;
    for (int k = 0; k < (int)kind; k++)
        base += (objects * size_of(trace->setup, (Kind)k) + 4095) / 4096 * 4096;
    return base;
}

// `bytes` from byte `from` on, of the object of a kind, of a time step and an agent
static void read_object(const ReplayTrace *trace, Kind kind, uint64_t step, int agent,
                        uint64_t from, uint64_t bytes) {
    const uint64_t place = step * (uint64_t)trace->setup->n_agents + (uint64_t)agent;
    const uint64_t at = base_of(trace, kind) + place * size_of(trace->setup, kind) + from;
    sl_caches_touch(trace->caches, at, bytes, false);
}

// the array of what was seen: object, shape, numbers
static void read_seen(const ReplayTrace *trace, uint64_t step, int agent) {
    read_object(trace, ARRAYS, step, agent, ARRAY, ARRAY);
    read_object(trace, SHAPES, step, agent, SHAPE, SHAPE);
    read_object(trace, SEEN, step, agent, 0, size_of(trace->setup, SEEN));
}

static void read_row(const ReplayTrace *trace, uint64_t row, int agent) {
    const uint64_t list =
        base_of(trace, LISTS) + (uint64_t)agent * (uint64_t)(trace->setup->capacity + 1) * SLOT;
    sl_caches_touch(trace->caches, list + row * SLOT, SLOT, false);
    read_object(trace, TUPLES, row, agent, 0, TUPLE);
    read_seen(trace, row, agent);
    read_object(trace, ARRAYS, row, agent, 0, ARRAY);
    read_object(trace, SHAPES, row, agent, 0, SHAPE);
    read_object(trace, ACTIONS, row, agent, 0, ACTION);
    read_object(trace, FLOATS, row, agent, 0, (uint64_t)NUMBERS * NUMBER);
    read_seen(trace, row + 1, agent);
}

void sl_trace_list(const ReplayTrace *trace, int n, const uint32_t *rows) {
    // of every agent new arrays of doubles, one behind the other
    const uint64_t seen = size_of(trace->setup, SEEN), room = (uint64_t)trace->batch * seen;
    for (int agent = 0; agent < trace->setup->n_agents; agent++) {
        for (int i = 0; i < n; i++) {
            const uint64_t to = (uint64_t)agent * room + (uint64_t)i * seen;
            read_row(trace, rows[i], agent);
            sl_caches_touch(trace->caches, trace->x + to, seen, true);
            sl_caches_touch(trace->caches, trace->next + to, seen, true);
        }
    }
}

void sl_trace_fill_list(const ReplayTrace *trace, int64_t n) {
    for (int64_t r = trace->setup->capacity - n; r < trace->setup->capacity; r++)
        for (int agent = 0; agent < trace->setup->n_agents; agent++)
            read_row(trace, (uint64_t)r, agent);
}
