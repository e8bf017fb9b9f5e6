// engine_round.c - one round: every agent draws a batch (or all share one) and learns from it.
#include <math.h>

#include "engine_inside.h"

void sl_engine_spend(SlEngine *engine, SlPhase phase, double *begun) {
    double now = sl_clock_seconds();
    engine->so_far.seconds[phase] += now - *begun;
    *begun = now;
}

// rows of the batch: observations or states, and the actions of all agents
static void gather(SlEngine *engine, int agent) {
    const SlNets *nets = &engine->nets;
    SlAgentBatch *batch = &engine->batch;
    size_t row = (size_t)nets->n_first;
    SlReplayBatch wanted = {.actions = batch->x + nets->n_seen,
                            .actions_row = row,
                            .rewards = batch->rewards,
                            .ended = batch->ended,
                            .agent = agent};
    if (nets->folded) {
        wanted.state = batch->x;
        wanted.next_state = batch->next;
        wanted.state_row = row;
    } else {
        wanted.observed = batch->x;
        wanted.next_observed = batch->next;
        wanted.observed_row = wanted.next_row = row;
    }
    sl_replay_gather(engine->replay, batch->n, engine->rows, &wanted);
}

// rewards and ends of all agents in the rows that were drawn; they lie close together
static void gather_rewards(SlEngine *engine) {
    size_t n = (size_t)engine->batch.n;
    for (int i = 0; i < engine->nets.n_agents; i++) {
        SlReplayBatch wanted = {.rewards = engine->work.rewards + (size_t)i * n,
                                .ended = engine->work.ended + (size_t)i * n,
                                .agent = i};
        sl_replay_gather(engine->replay, engine->batch.n, engine->rows, &wanted);
    }
}

static void draw(SlEngine *engine) {
    engine->batch.n =
        sl_replay_draw(engine->replay, (int)engine->setup.batch, &engine->draws, engine->rows);
}

void sl_engine_count(SlEngine *engine, SlCounters *counters) {
    engine->counters = counters;
}

// a batch of an agent, counted where that is wanted
static void sample(SlEngine *engine, int agent) {
    if (engine->counters) sl_counters_start(engine->counters);
    draw(engine);
    gather(engine, agent);
    if (engine->counters) sl_counters_stop(engine->counters);
}

static void draw_noise(SlEngine *engine, bool target) {
    size_t n = (size_t)engine->batch.n * SL_PARTICLE_ACTIONS;
    if (target)
        sl_noise_uniform(&engine->train, n * (size_t)engine->nets.n_agents, engine->u_target);
    else
        sl_noise_uniform(&engine->train, n, engine->u_policy);
}

static void learn(SlEngine *engine, const SlAgentJob *job, double *begun) {
    sl_agent_critics(job);
    sl_engine_spend(engine, SL_PHASE_Q, begun);
    draw_noise(engine, false);
    sl_agent_actor(job);
    sl_engine_spend(engine, SL_PHASE_P, begun);
}

// what a batch was worth before the critics learnt from it; of a shared batch, to the last agent
static void prioritise(SlEngine *engine, const SlAgentJob *job) {
    if (engine->setup.sampling != SL_SAMPLE_PRIORITY) return;
    const SlReal *y = sl_agent_y(job);
    for (int r = 0; r < engine->batch.n; r++)
        engine->errors[r] = (SlReal)fabs((double)(engine->work.q[r] - y[r]));
    sl_replay_prioritise(engine->replay, engine->batch.n, engine->rows, engine->errors);
}

static void own_batches(SlEngine *engine, SlAgentJob *job, double *begun) {
    for (job->agent = 0; job->agent < engine->nets.n_agents; job->agent++) {
        sample(engine, job->agent);
        sl_engine_spend(engine, SL_PHASE_SAMPLE, begun);
        draw_noise(engine, true);
        sl_agent_actions(job);
        sl_agent_target(job);
        sl_engine_spend(engine, SL_PHASE_TARGET, begun);
        learn(engine, job, begun);
        prioritise(engine, job);
        sl_agent_soften(job);
        sl_engine_spend(engine, SL_PHASE_REST, begun);
    }
}

static void all_targets(SlEngine *engine, SlAgentJob *job) {
    SlAgentBatch batch = engine->batch;
    job->batch = &batch;
    for (job->agent = 0; job->agent < engine->nets.n_agents; job->agent++) {
        batch.rewards = engine->work.rewards + (size_t)job->agent * (size_t)batch.n;
        batch.ended = engine->work.ended + (size_t)job->agent * (size_t)batch.n;
        sl_agent_target(job);
    }
    job->batch = &engine->batch;
}

// all targets come first: they read the next observations, everything after them the present ones,
// and either alone may stay in a cache
static void one_batch(SlEngine *engine, SlAgentJob *job, double *begun) {
    const int n_agents = engine->nets.n_agents;
    sample(engine, 0);
    gather_rewards(engine);
    sl_engine_spend(engine, SL_PHASE_SAMPLE, begun);
    draw_noise(engine, true);
    sl_agent_actions(job);
    all_targets(engine, job);
    sl_engine_spend(engine, SL_PHASE_TARGET, begun);
    for (job->agent = 0; job->agent < n_agents; job->agent++) learn(engine, job, begun);
    job->agent = n_agents - 1;
    prioritise(engine, job);
    for (job->agent = 0; job->agent < n_agents; job->agent++) sl_agent_soften(job);
    sl_engine_spend(engine, SL_PHASE_REST, begun);
}

void sl_engine_round(SlEngine *engine, SlPool *pool) {
    SlEngineMode mode = (SlEngineMode)engine->setup.mode;
    SlAgentJob job = {.nets = &engine->nets,
                      .learners = engine->learners,
                      .batch = &engine->batch,
                      .work = &engine->work,
                      .pool = pool};
    double begun = sl_clock_seconds();
    if (mode == SL_MODE_SHARED || mode == SL_MODE_FOLDED_SHARED)
        one_batch(engine, &job, &begun);
    else
        own_batches(engine, &job, &begun);
    engine->so_far.rounds++;
}
