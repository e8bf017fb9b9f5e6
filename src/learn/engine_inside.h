// engine_inside.h - inside the training engine: the networks of all agents, one agent's update on
// one batch, and the work it needs.
//
// Flow: engine.c steps worlds and fills the replay -> engine_round.c draws and gathers batches ->
//       sl_agent_target, _critic, _actor (engine_update.c), each over blocks of rows on a pool ->
//       soft updates.
#pragma once

#include "starling/approx/dense.h"
#include "starling/learn/engine.h"

enum {
    SL_ENGINE_BLOCK = 128, // rows that one item of work takes
    SL_ENGINE_CRITICS = 2, // at most, of one agent
};

// What all networks share.
typedef struct {
    SlAlgo algo;
    bool folded;
    int n_agents, n_observed, n_state, n_critics;
    int n_seen;  // numbers before the actions in a critic's row: all observations, or the state
    int n_first; // those and all actions: what the first critic layer is computed from
    int hidden;
    SlMlpShape actor, critic; // the critic's inputs are observations and actions, folded or not
    size_t actor_params, critic_params;
    SlObserved *map; // (n_agents, n_observed)
    double gamma, tau, regulariser, entropy;
    SlTrain train;
} SlNets;

// The networks of one agent, each one block.
typedef struct {
    SlReal *actor, *target_actor;
    SlReal *critic[SL_ENGINE_CRITICS], *target_critic[SL_ENGINE_CRITICS];
    SlReal *actor_mean, *actor_square; // of Adam
    SlReal *critic_mean[SL_ENGINE_CRITICS], *critic_square[SL_ENGINE_CRITICS];
    int64_t steps;
} SlLearner;

// A batch: rows of n_first numbers. The actions of `next` are those of the target actors.
typedef struct {
    int n;
    SlReal *x, *next;        // (n, n_first)
    SlReal *rewards, *ended; // (n) of the agent that learns
    const SlReal *u_target;  // (n_agents, n, 5) uniform, for target actions
    const SlReal *u_policy;  // (n, 5)
} SlAgentBatch;

// Everything an update writes on its way; rows are those of the batch.
typedef struct {
    SlReal *h1, *h2, *dz1, *dz2;   // (rows, hidden) of a critic
    SlReal *a1, *a2, *da1, *da2;   // (rows, hidden) of an actor
    SlReal *q, *dq;                // (rows)
    SlReal *y;                     // (n_agents, rows of the batch) targets
    SlReal *rewards, *ended;       // (n_agents, rows of the batch) of a batch for all
    SlReal *own, *dlogits;         // (rows, n_observed), (rows, 5)
    SlReal *grad, *first, *dfirst; // params of the larger network; (n_first, hidden) twice
    SlReal *first2;                // (n_first, hidden) of a second critic
    SlReal *turned;                // weights above the first layer of a critic and an actor
    SlReal **scratch;              // per worker
    int n_workers;
} SlAgentWork;

size_t sl_agent_scratch(const SlNets *nets); // numbers of one worker's scratch

// Work for so many rows, without workers; then space for more workers. False without memory.
bool sl_agent_work_make(const SlNets *nets, int rows, SlArena *arena, SlAgentWork *work);
bool sl_agent_work_widen(const SlNets *nets, int workers, SlArena *arena, SlAgentWork *work);

// Weights of the first critic layer on the state, M W in `room` (n_first, hidden); without folding
// they are what they are. And the gradient of the weights from that of the folded ones.
const SlReal *sl_agent_fold(const SlNets *nets, const SlReal *params, SlReal *room);
void sl_agent_unfold(const SlNets *nets, const SlReal *folded, SlReal *grad);

// The three phases of one agent's update. `learners` (n_agents). sl_agent_actions fills the actions
// of batch->next alone; sl_agent_target needs them.
typedef struct {
    const SlNets *nets;
    SlLearner *learners;
    int agent;
    const SlAgentBatch *batch;
    SlAgentWork *work;
    SlPool *pool; // NULL = this thread
} SlAgentJob;
SlReal *sl_agent_y(const SlAgentJob *job); // (n) its targets
void sl_agent_actions(const SlAgentJob *job);
void sl_agent_target(const SlAgentJob *job);  // fills its row of work->y
void sl_agent_critics(const SlAgentJob *job); // a step of each critic towards y
void sl_agent_actor(const SlAgentJob *job);   // a step of the actor up its first critic
void sl_agent_soften(const SlAgentJob *job);  // targets follow

// --- The engine

bool sl_engine_is_folded(const SlEngineSetup *setup);
// The setup without `auto` and with the number of transitions before the first round.
SlEngineSetup sl_engine_settled(const SlEngineSetup *setup);

struct SlEngine {
    SlEngineSetup setup;
    SlArena arena;
    SlNets nets;
    SlLearner *learners; // (n_agents)
    size_t n_weights, n_moments;
    SlReal *weights, *moments; // all networks, all of Adam's, each one block
    SlParticles *world;
    SlParticleShape shape;
    SlReplay *replay;
    size_t row_bytes;   // of a transition in it
    SlRng draws;        // of rows
    SlNoise act, train; // Gumbel noise of acting, of training

    // worlds: what is seen now, what comes of a step
    float *observations, *next_observations; // (n_envs, n_agents, n_observed)
    float *state, *next_state;               // (n_envs, n_state)
    float *actions, *rewards;                // (n_envs, n_agents, 5), (n_envs, n_agents)
    float *shaping;  // (n_envs, n_agents) beside the rewards, NULL = none; then their sum
    uint8_t *ended;  // (n_envs)
    double *running; // (teams, n_envs) returns of episodes under way
    SlReal *seen, *a1, *a2, *logits, *u; // (n_envs, ...) of one agent, for acting

    // a round
    uint32_t *rows;
    SlAgentBatch batch;
    SlReal *u_target, *u_policy;
    SlAgentWork work;
    SlReal *errors; // (rows) for priorities

    SlCounters *counters; // of sampling, NULL = none
    SlEngineState so_far;
    float *returns[SL_ENGINE_TEAMS]; // (room_returns) each, of which so_far.episodes
    int64_t room_returns;
};

// The time since *begun goes to a phase; *begun is now.
void sl_engine_spend(SlEngine *engine, SlPhase phase, double *begun);

// One update of all agents (engine_round.c).
void sl_engine_round(SlEngine *engine, SlPool *pool);
