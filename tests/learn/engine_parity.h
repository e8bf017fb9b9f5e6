// engine_parity.h - two recorded rounds of MADDPG (tests/data/marl/README.md) played again, in the
// precision of whoever includes this.
#pragma once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/engine_inside.h"
#include "support/check.h"

enum { AGENTS = 3, SEEN = 16, BATCH = 64, HIDDEN = 64, WIDTH = AGENTS * (SEEN + 5) };
enum { ALL_SEEN = AGENTS * BATCH * SEEN, ALL_ACTIONS = AGENTS * BATCH * 5 };

static double *read_doubles(SlArena *arena, const char *name, size_t n) {
    char path[1024], *data;
    size_t bytes;
    SlError err;
    snprintf(path, sizeof path, "%s/tests/data/marl/%s.f64.gz", SL_SOURCE_DIR, name);
    if (sl_file_read_gzip(path, 1 << 24, arena, &data, &bytes, &err) != SL_OK)
        fail_msg("%s", err.text);
    assert_int_equal(bytes, n * sizeof(double));
    double *out = SL_NEW(arena, n, double);
    memcpy(out, data, bytes);
    return out;
}

// The shapes and constants of the recording.
static SlNets parity_nets(void) {
    SlNets nets = {
        .algo = SL_MADDPG,
        .n_agents = AGENTS,
        .n_observed = SEEN,
        .n_critics = 1,
        .n_seen = AGENTS * SEEN,
        .n_first = WIDTH,
        .hidden = HIDDEN,
        .actor = {.n_layers = 3, .width = {SEEN, HIDDEN, HIDDEN, 5}, .activation = SL_RELU},
        .critic = {.n_layers = 3, .width = {WIDTH, HIDDEN, HIDDEN, 1}, .activation = SL_RELU},
        .gamma = 0.95,
        .tau = 0.01,
        .regulariser = 1e-3,
        .train = {.rate = 0.01,
                  .beta1 = 0.9,
                  .beta2 = 0.999,
                  .epsilon = 1e-8,
                  .most = 0.5,
                  .form = SL_ADAM_TF1}};
    nets.actor_params = sl_mlp_params(&nets.actor);
    nets.critic_params = sl_mlp_params(&nets.critic);
    return nets;
}

static void parity_learners(const SlNets *nets, SlArena *arena, SlReal *weights,
                            SlLearner *learners) {
    for (int i = 0; i < AGENTS; i++) {
        SlLearner *l = &learners[i];
        *l = (SlLearner){.actor = weights, .target_actor = weights + nets->actor_params};
        l->critic[0] = weights + 2 * nets->actor_params;
        l->target_critic[0] = l->critic[0] + nets->critic_params;
        weights = l->target_critic[0] + nets->critic_params;
        l->actor_mean = SL_NEW(arena, nets->actor_params, SlReal);
        l->actor_square = SL_NEW(arena, nets->actor_params, SlReal);
        l->critic_mean[0] = SL_NEW(arena, nets->critic_params, SlReal);
        l->critic_square[0] = SL_NEW(arena, nets->critic_params, SlReal);
    }
}

static const double *to_reals(const double *from, size_t n, SlReal *to) {
    for (size_t i = 0; i < n; i++) to[i] = (SlReal)from[i];
    return from + n;
}

// rows of observations, then of actions, from arrays by agent
static void join(const double *observed, const double *actions, SlReal *x) {
    for (int r = 0; r < BATCH; r++)
        for (int i = 0; i < AGENTS; i++) {
            SlReal *seen = x + r * WIDTH + i * SEEN, *act = x + r * WIDTH + AGENTS * SEEN + i * 5;
            to_reals(observed + ((size_t)i * BATCH + (size_t)r) * SEEN, SEEN, seen);
            if (actions) to_reals(actions + ((size_t)i * BATCH + (size_t)r) * 5, 5, act);
        }
}

// one agent's update on its recorded batch; returns what follows it, *worst is that of the targets
static const double *play_agent(SlAgentJob *job, SlAgentBatch *batch, SlReal *u_target,
                                SlReal *u_policy, const double *at, double *worst) {
    const double *observed = at, *actions = observed + ALL_SEEN;
    at = to_reals(actions + ALL_ACTIONS, BATCH, batch->rewards);
    join(observed, actions, batch->x);
    join(at, NULL, batch->next);
    at = to_reals(at + ALL_SEEN, BATCH, batch->ended);
    at = to_reals(at, ALL_ACTIONS, u_target);
    at = to_reals(at, BATCH * 5, u_policy);
    sl_agent_actions(job);
    sl_agent_target(job);
    const SlReal *y = sl_agent_y(job);
    for (int r = 0; r < BATCH; r++) *worst = fmax(*worst, fabs((double)y[r] - at[r]));
    sl_agent_critics(job);
    sl_agent_actor(job);
    sl_agent_soften(job);
    return at + BATCH;
}

// Largest difference of a weight, largest relative L2 distance of a tensor, largest of a target.
typedef struct {
    double weight, tensor, target;
} Distance;

static double tensor_distance(size_t n, const SlReal *got, const double *want) {
    double apart = 0, length = 0;
    for (size_t i = 0; i < n; i++) {
        apart += ((double)got[i] - want[i]) * ((double)got[i] - want[i]);
        length += want[i] * want[i];
    }
    return sqrt(apart / length);
}

static const double *compare_net(const SlMlpShape *shape, const SlReal *got, const double *want,
                                 Distance *out) {
    for (int l = 0; l < 3; l++) {
        size_t sizes[2] = {(size_t)shape->width[l] * (size_t)shape->width[l + 1],
                           (size_t)shape->width[l + 1]};
        for (int t = 0; t < 2; t++) {
            out->tensor = fmax(out->tensor, tensor_distance(sizes[t], got, want));
            for (size_t i = 0; i < sizes[t]; i++)
                out->weight = fmax(out->weight, fabs((double)got[i] - want[i]));
            got += sizes[t];
            want += sizes[t];
        }
    }
    return want;
}

static Distance play_recording(SlPool *pool) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlNets nets = parity_nets();
    size_t n = AGENTS * 2 * (nets.actor_params + nets.critic_params);
    const double *init = read_doubles(&arena, "init", n), *after = read_doubles(&arena, "after", n);
    const double *at = read_doubles(&arena, "rounds", 51456);
    SlReal *weights = SL_NEW(&arena, n, SlReal);
    to_reals(init, n, weights);
    SlLearner learners[AGENTS];
    parity_learners(&nets, &arena, weights, learners);
    SlReal *u_target = SL_NEW(&arena, ALL_ACTIONS, SlReal);
    SlReal *u_policy = SL_NEW(&arena, BATCH * 5, SlReal);
    SlAgentBatch batch = {.n = BATCH,
                          .x = SL_NEW(&arena, BATCH * WIDTH, SlReal),
                          .next = SL_NEW(&arena, BATCH * WIDTH, SlReal),
                          .rewards = SL_NEW(&arena, BATCH, SlReal),
                          .ended = SL_NEW(&arena, BATCH, SlReal),
                          .u_target = u_target,
                          .u_policy = u_policy};
    SlAgentWork work = {0};
    assert_true(sl_agent_work_make(&nets, BATCH, &arena, &work));
    assert_true(sl_agent_work_widen(&nets, pool ? sl_pool_threads(pool) : 1, &arena, &work));
    SlAgentJob job = {
        .nets = &nets, .learners = learners, .batch = &batch, .work = &work, .pool = pool};
    Distance out = {0};
    for (int round = 0; round < 2; round++)
        for (job.agent = 0; job.agent < AGENTS; job.agent++)
            at = play_agent(&job, &batch, u_target, u_policy, at, &out.target);
    const double *want = after;
    for (int i = 0; i < AGENTS; i++) {
        want = compare_net(&nets.actor, learners[i].actor, want, &out);
        want = compare_net(&nets.actor, learners[i].target_actor, want, &out);
        want = compare_net(&nets.critic, learners[i].critic[0], want, &out);
        want = compare_net(&nets.critic, learners[i].target_critic[0], want, &out);
    }
    sl_arena_free(&arena);
    return out;
}
