// replay.h - what agents have seen, kept to be sampled again: three layouts, three ways to sample.
//
// Flow: sl_replay_make -> sl_replay_add, a time step at a time -> sl_replay_draw (indices) ->
//       sl_replay_gather (a batch for training). Layouts hold the same transitions and give the
//       same batches, number by number.
#pragma once

#include "starling/approx.h"
#include "starling/task/particle.h"

SL_API_BEGIN

typedef enum {
    SL_LAYOUT_SEPARATE, // a buffer per agent: observation, action, reward, next observation, end
    SL_LAYOUT_JOINT,    // one row per time step: all of these of all agents
    SL_LAYOUT_STATE,    // one row per time step: world state, actions, rewards, next state, end
    SL_N_LAYOUTS
} SlReplayLayout;
extern const char *const sl_replay_layout_names[SL_N_LAYOUTS + 1]; // "separate", "joint", "state"

typedef enum {
    SL_SAMPLE_UNIFORM,  // every row alike, with replacement
    SL_SAMPLE_NEIGHBOR, // rows around references (Algorithm 1 of Gogineni et al. 2023)
    SL_SAMPLE_PRIORITY, // references by priority, their neighbours with them (our reading of the
                        // authors' later work)
    SL_N_SAMPLINGS
} SlSampling;
extern const char *const sl_sampling_names[SL_N_SAMPLINGS + 1]; // "uniform", "neighbor", "priority"

typedef struct {
    SlReplayLayout layout;
    SlSampling sampling;
    int neighbors;    // on each side of a reference, 1..64; 3 in the paper; not for uniform
    int64_t capacity; // transitions, 2..2^31-1; then the oldest go
    int n_agents, n_observed, n_state;
    int n_fixed; // last numbers of a state that never change within a transition (landmarks); kept
                 // once
    const SlObserved *map; // (n_agents, n_observed) observations of a state; copied; layout `state`
    double priority_power; // of |TD error|, 0..1; 0.6
    bool small_pages;      // of the system's own size, not of 2 MiB, to compare them
} SlReplaySetup;

typedef struct SlReplay SlReplay;

// Memory comes from the system in whole pages, of 2 MiB where it gives them and small ones are not
// wanted, and is touched as rows are written; NULL without memory.
SlReplay *sl_replay_make(const SlReplaySetup *setup);
void sl_replay_free(SlReplay *replay);
size_t sl_replay_row_bytes(const SlReplaySetup *setup); // of one transition of all agents
bool sl_replay_huge_pages(const SlReplay *replay);      // the system was asked and agreed

// One time step of one env. Floats, whatever SlReal is.
typedef struct {
    const float *observations, *next_observations; // (n_agents, n_observed)
    const float *state, *next_state;               // (n_state)
    const float *actions;                          // (n_agents, 5)
    const float *rewards;                          // (n_agents)
    bool ended;                                    // no future: not the end of time alone
} SlTransition;
void sl_replay_add(SlReplay *replay, const SlTransition *transition);
int64_t sl_replay_n(const SlReplay *replay); // transitions held

// Rows for a batch of `batch`: exactly that many, or with neighbours the first number of whole
// micro-batches that reaches it: at most batch + 2 * neighbors - 1, and one more by priority, where
// references are part of their micro-batch. `rows` has space for sl_replay_room(batch). At least
// two transitions must be held. Returns how many rows; the same list serves all agents' buffers.
int sl_replay_room(const SlReplay *replay, int batch);
int sl_replay_draw(const SlReplay *replay, int batch, SlRng *rng, uint32_t *rows);

// What a gather writes; NULL where not wanted. Row-major with `*_row` numbers between rows.
typedef struct {
    SlReal *observed, *next_observed; // (n, n_agents * n_observed), agent after agent
    size_t observed_row, next_row;
    SlReal *state, *next_state; // (n, n_state); layout `state` alone
    size_t state_row;           // of both
    SlReal *actions;            // (n, n_agents * 5)
    size_t actions_row;
    SlReal *rewards, *ended; // (n) of agent `agent`; ended: 1 or 0
    int agent;
} SlReplayBatch;
// Any thread, several at a time.
void sl_replay_gather(const SlReplay *replay, int n, const uint32_t *rows, SlReplayBatch *batch);

// Priorities of rows after training on them: |TD error| (n). Of new rows: the largest so far.
// Sampling `priority` alone.
void sl_replay_prioritise(SlReplay *replay, int n, const uint32_t *rows, const SlReal *errors);

// A checkpoint: everything that is held, to and from an open file, in this machine's own layout.
// SL_EIO: cannot be written. SL_EINPUT: of another setup, or cut off, and then nothing is held.
SlStatus sl_replay_save(const SlReplay *replay, void *file, SlError *err); // FILE *
SlStatus sl_replay_load(SlReplay *replay, void *file, SlError *err);

SL_API_END
