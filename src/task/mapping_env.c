// mapping_env.c - a mapping task as a vectorised multi-agent environment: each step every agent
// chooses the values of its parameters, and all share what came of the mapping.
//
// Work is split into fixed groups of environments, each with a task of its own, so that nothing
// depends on the threads; what is shared (references, rewards, the best) is settled afterwards, in
// order.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "env_inside.h"

enum { MAX_GROUPS = 64 }; // tasks hold tables of 200 KB, so there are not as many as environments

typedef struct {
    SlEnv env; // first: an SlEnv is one of these
    SlMappingEnvSetup setup;
    SlAgents agents;
    const SlSpace *space;
    int n_groups;
    SlTask *tasks[MAX_GROUPS];
    SlObserver observer;
    double reference; // score against which logs are taken
    bool has_reference;
    int most_heads;     // of one agent
    int step;           // of the episode at hand
    int32_t *heads;     // (n_params) place of the parameter among those of its agent
    int32_t *n_choices; // (n_params)
    SlSample *outcomes; // (n_envs) of the last step
    float *seen;        // (n_envs, SL_N_OBSERVED) what the agents see of them
    double *rewards;    // (n_envs)
    int *order;         // (n_envs) scratch
    float *world;       // (n_world) layer and accelerator, the same in every observation
    int n_world;
    SlBest best;
} MappingEnv;

static int first_env(const MappingEnv *me, int group) {
    return (int)((int64_t)group * me->env.shape.n_envs / me->n_groups);
}

// --- Observations: the paper's four | own last choices | budget left | layer | accelerator ---

static float within_one(double x) {
    return (float)fmax(0, fmin(1, x));
}

// log2 of the eight extents / 16, of the MAC lanes / 20, of the bytes of every level on chip / 32
static void describe_world(MappingEnv *me) {
    const SlAccel *accel = me->space->accel;
    int n = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        me->world[n++] = within_one(log2((double)me->space->layer->dims[d]) / 16);
    me->world[n++] = within_one(log2((double)sl_accel_macs(accel)) / 20);
    for (int l = 1; l < accel->n_levels; l++)
        me->world[n++] = within_one(log2((double)accel->levels[l].capacity_bytes) / 32);
    assert(n == me->n_world);
}

static int64_t samples(const SlEnv *env) {
    const MappingEnv *me = (const MappingEnv *)env;
    int64_t n = 0;
    for (int g = 0; g < me->n_groups; g++) n += sl_task_samples(me->tasks[g]);
    return n;
}

static float budget_left(const MappingEnv *me) {
    if (me->setup.budget == 0) return 1;
    return within_one(1 - (double)samples(&me->env) / (double)me->setup.budget);
}

// own choices of the last step as 0..1; `actions` NULL = none yet, zeros
static void write_choices(const MappingEnv *me, const int32_t *actions, float *row) {
    const SlEnvShape *shape = &me->env.shape;
    for (int i = 0; actions && i < shape->n_heads; i++) {
        int last = me->n_choices[i] - 1;
        double share = last > 0 ? (double)actions[i] / last : 0;
        float *own = row + (ptrdiff_t)me->agents.agent[i] * shape->n_observed + SL_N_OBSERVED;
        own[me->heads[i]] = within_one(share);
    }
}

// all agents of one environment; `seen` and `actions` NULL = a new episode
static void write_observation(const MappingEnv *me, const float *seen, const int32_t *actions,
                              float left, float *row) {
    const SlEnvShape *shape = &me->env.shape;
    memset(row, 0, (size_t)shape->n_agents * (size_t)shape->n_observed * sizeof *row);
    for (int a = 0; a < shape->n_agents; a++) {
        float *out = row + (ptrdiff_t)a * shape->n_observed;
        if (seen) memcpy(out, seen, SL_N_OBSERVED * sizeof *out);
        if (me->setup.observe == SL_OBSERVE_PAPER) continue;
        out += SL_N_OBSERVED + me->most_heads;
        out[0] = left;
        memcpy(out + 1, me->world, (size_t)me->n_world * sizeof *out);
    }
    if (me->setup.observe == SL_OBSERVE_EXTENDED) write_choices(me, actions, row);
}

static void observe(const MappingEnv *me, bool fresh, SlEnvBuffers *buffers) {
    const SlEnvShape *shape = &me->env.shape;
    ptrdiff_t stride = (ptrdiff_t)shape->n_agents * shape->n_observed;
    float left = budget_left(me);
    for (ptrdiff_t e = 0; e < shape->n_envs; e++) {
        const int32_t *actions = fresh ? NULL : buffers->actions + e * shape->n_heads;
        const float *seen = fresh ? NULL : me->seen + e * SL_N_OBSERVED;
        write_observation(me, seen, actions, left, buffers->observations + e * stride);
    }
}

// --- Steps ---

static void reset(SlEnv *env, uint64_t seed, SlEnvBuffers *buffers) {
    MappingEnv *me = (MappingEnv *)env;
    (void)seed; // nothing is drawn here
    me->step = 0;
    observe(me, true, buffers);
}

typedef struct {
    MappingEnv *me;
    const int32_t *actions;
} StepWork;

static void eval_group(void *context, int group, int worker) {
    (void)worker;
    const StepWork *work = context;
    MappingEnv *me = work->me;
    for (int e = first_env(me, group); e < first_env(me, group + 1); e++) {
        const int32_t *point = work->actions + (ptrdiff_t)e * me->env.shape.n_heads;
        sl_task_eval(me->tasks[group], 1, point, &me->outcomes[e]);
    }
}

// the best of a group, its sample counted over all environments: group g has sample s of its own
// in step (s - 1) / m, at its environment (s - 1) mod m
static void consider_group(MappingEnv *me, int group) {
    const SlBest *own = sl_task_best(me->tasks[group]);
    if (!own) return;
    int first = first_env(me, group), m = first_env(me, group + 1) - first;
    int64_t before = own->sample - 1;
    int64_t sample = before / m * me->env.shape.n_envs + first + before % m + 1;
    double value = own->outcome.value, best = me->best.outcome.value;
    bool better =
        me->best.sample == 0 || value < best || (value == best && sample < me->best.sample);
    if (!better) return;
    me->best = *own;
    me->best.sample = sample;
}

// without a floor, logs are taken against the first outcome that is legal
static void find_reference(MappingEnv *me) {
    for (int e = 0; e < me->env.shape.n_envs && !me->has_reference; e++) {
        if (!isfinite(me->outcomes[e].value)) continue;
        me->reference = me->outcomes[e].score;
        me->has_reference = true;
    }
}

static void reward(MappingEnv *me, float *rewards) {
    const SlEnvShape *shape = &me->env.shape;
    find_reference(me);
    sl_rewards(me->setup.reward, shape->n_envs, me->outcomes, me->reference, me->order,
               me->rewards);
    for (int e = 0; e < shape->n_envs; e++)
        for (int a = 0; a < shape->n_agents; a++) *rewards++ = (float)me->rewards[e];
}

static void step(SlEnv *env, SlPool *pool, SlEnvBuffers *buffers) {
    MappingEnv *me = (MappingEnv *)env;
    StepWork work = {me, buffers->actions};
    if (pool)
        sl_pool_run(pool, me->n_groups, eval_group, &work);
    else
        for (int g = 0; g < me->n_groups; g++) eval_group(&work, g, 0);
    for (int g = 0; g < me->n_groups; g++) consider_group(me, g);
    for (ptrdiff_t e = 0; e < env->shape.n_envs; e++)
        sl_observe(&me->observer, &me->outcomes[e], me->seen + e * SL_N_OBSERVED);

    reward(me, buffers->rewards);
    bool done = ++me->step == me->setup.episode_steps;
    if (done) me->step = 0;
    memset(buffers->dones, done, (size_t)env->shape.n_envs);
    observe(me, done, buffers);
    if (buffers->outcomes)
        memcpy(buffers->outcomes, me->outcomes, (size_t)env->shape.n_envs * sizeof *me->outcomes);
}

static const SlBest *best(const SlEnv *env) {
    const MappingEnv *me = (const MappingEnv *)env;
    return me->best.sample > 0 ? &me->best : NULL;
}

static const SlEnvKind mapping_kind = {reset, step, samples, best};

// --- Making ---

// which head of its agent each parameter is
static void number_heads(MappingEnv *me) {
    int n_heads[SL_MAX_PARAMS] = {0};
    for (int i = 0; i < me->space->n_params; i++) {
        me->heads[i] = n_heads[me->agents.agent[i]]++;
        if (me->heads[i] >= me->most_heads) me->most_heads = me->heads[i] + 1;
        me->n_choices[i] = me->space->params[i].n;
    }
}

static bool make_buffers(MappingEnv *me, SlArena *arena) {
    int n_envs = me->setup.n_envs, n_params = me->space->n_params;
    me->heads = SL_NEW(arena, n_params, int32_t);
    me->n_choices = SL_NEW(arena, n_params, int32_t);
    me->outcomes = SL_NEW(arena, n_envs, SlSample);
    me->seen = SL_NEW(arena, (size_t)n_envs * SL_N_OBSERVED, float);
    me->rewards = SL_NEW(arena, n_envs, double);
    me->order = SL_NEW(arena, n_envs, int);
    me->n_world = SL_N_DIMS + me->space->accel->n_levels;
    me->world = SL_NEW(arena, me->n_world, float);
    for (int g = 0; g < me->n_groups; g++) {
        if (sl_task_make(&me->setup.task, arena, &me->tasks[g], NULL) != SL_OK) return false;
    }
    return me->heads && me->n_choices && me->outcomes && me->seen && me->rewards && me->order &&
           me->world;
}

static void take_floor(MappingEnv *me) {
    double score = log(sl_task_floor(me->tasks[0]));
    me->has_reference = isfinite(score);
    me->reference = me->has_reference ? score : 0;
}

SlEnv *sl_mapping_env_make(const SlMappingEnvSetup *setup, SlArena *arena) {
    assert(setup->n_envs >= 1 && setup->episode_steps >= 1 && setup->budget >= 0);
    assert(!sl_agents_check(setup->task.space, setup->agents));
    MappingEnv *me = SL_NEW(arena, 1, MappingEnv);
    if (!me) return NULL;
    me->setup = *setup;
    me->agents = *setup->agents;
    me->setup.agents = &me->agents;
    me->space = setup->task.space;
    me->n_groups = setup->n_envs < MAX_GROUPS ? setup->n_envs : MAX_GROUPS;
    if (!make_buffers(me, arena)) return NULL;
    number_heads(me);
    describe_world(me);
    take_floor(me);
    sl_observer_init(&me->observer, me->tasks[0]);
    bool extended = setup->observe == SL_OBSERVE_EXTENDED;
    me->env.kind = &mapping_kind;
    me->env.shape = (SlEnvShape){
        .n_envs = setup->n_envs,
        .n_agents = me->agents.n_agents,
        .n_observed = SL_N_OBSERVED + (extended ? me->most_heads + 1 + me->n_world : 0),
        .n_heads = me->space->n_params,
        .agent = me->agents.agent,
        .n_choices = me->n_choices,
        .episode_steps = setup->episode_steps,
    };
    return &me->env;
}
