// codesign_env.c - walks on the parameters of a task as a vectorised environment of three agents,
// after CHAMELEON's (Ahn et al. 2020): moves of -1, 0, +1, clamped; the reward is what a cost model
// makes of the point reached, less graded penalties for what it breaks.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "env_inside.h"
#include "starling/task/codesign.h"

static const double PENALTY_MOST = 2;

typedef struct {
    SlEnv env; // first: an SlEnv is one of these
    SlCodesignEnvSetup setup;
    const SlSpace *space;
    int agent[SL_MAX_PARAMS], place[SL_MAX_PARAMS]; // of each knob: whose it is, which of those
    int32_t n_choices[SL_MAX_PARAMS];
    int most_knobs;         // of one agent
    float layer[SL_N_DIMS]; // the same in every observation
    SlRng rng;
    int32_t *points, *reached; // (n_envs, n_params)
    int *steps;                // (n_envs) of the episode at hand
    double *scores;            // (n_envs)
} CodesignEnv;

// ---- what is seen ----

static float share(const SlParam *knob, int32_t index) {
    return knob->n > 1 ? (float)index / (float)(knob->n - 1) : 0;
}

static void observe(const CodesignEnv *me, SlEnvBuffers *buffers) {
    const SlEnvShape *shape = &me->env.shape;
    size_t all = (size_t)shape->n_envs * (size_t)shape->n_agents * (size_t)shape->n_observed;
    memset(buffers->observations, 0, all * sizeof *buffers->observations);
    for (ptrdiff_t e = 0; e < shape->n_envs; e++) {
        const int32_t *point = me->points + e * me->space->n_params;
        float *rows = buffers->observations + e * shape->n_agents * shape->n_observed;
        for (int k = 0; k < me->space->n_params; k++)
            rows[(ptrdiff_t)me->agent[k] * shape->n_observed + me->place[k]] =
                share(&me->space->params[k], point[k]);
        for (ptrdiff_t a = 0; a < shape->n_agents; a++)
            memcpy(rows + a * shape->n_observed + me->most_knobs, me->layer, sizeof me->layer);
    }
}

int sl_codesign_n_state(const SlEnv *env) {
    return ((const CodesignEnv *)env)->space->n_params + SL_N_DIMS + 3;
}

void sl_codesign_state(const SlEnv *env, int n, const int32_t *points, float *states) {
    const CodesignEnv *me = (const CodesignEnv *)env;
    int n_params = me->space->n_params;
    for (ptrdiff_t i = 0; i < n; i++) {
        const int32_t *point = points + i * n_params;
        float *state = states + i * sl_codesign_n_state(env);
        SlFault fault;
        sl_task_check(me->setup.task, point, &fault);
        for (int k = 0; k < n_params; k++) state[k] = share(&me->space->params[k], point[k]);
        memcpy(state + n_params, me->layer, sizeof me->layer);
        state[n_params + SL_N_DIMS] = (float)fmin(fault.resources, PENALTY_MOST);
        state[n_params + SL_N_DIMS + 1] = (float)fmin(fault.buffers, PENALTY_MOST);
        state[n_params + SL_N_DIMS + 2] = fault.structure ? 1 : 0;
    }
}

// ---- steps ----

static void begin(CodesignEnv *me, ptrdiff_t e) {
    int32_t *point = me->points + e * me->space->n_params;
    me->steps[e] = 0;
    if (me->setup.start) {
        me->setup.start(me->setup.context, &me->rng, point);
        return;
    }
    for (int k = 0; k < me->space->n_params; k++)
        point[k] = (int32_t)sl_rng_below(&me->rng, (uint64_t)me->space->params[k].n);
}

static void reset(SlEnv *env, uint64_t seed, SlEnvBuffers *buffers) {
    CodesignEnv *me = (CodesignEnv *)env;
    sl_rng_init(&me->rng, seed, "codesign");
    for (int e = 0; e < env->shape.n_envs; e++) begin(me, e);
    observe(me, buffers);
}

// returns how many knobs stayed where they were
static int move(const CodesignEnv *me, const int32_t *actions, int32_t *point) {
    int stayed = 0;
    for (int k = 0; k < me->space->n_params; k++) {
        int32_t to = point[k] + actions[k] - 1;
        if (to < 0) to = 0;
        if (to >= me->space->params[k].n) to = me->space->params[k].n - 1;
        stayed += to == point[k];
        point[k] = to;
    }
    return stayed;
}

static double penalty(const CodesignEnv *me, const int32_t *point) {
    SlFault fault;
    if (sl_task_check(me->setup.task, point, &fault)) return 0;
    return me->setup.resources * fmin(fault.resources, PENALTY_MOST) +
           me->setup.buffers * fmin(fault.buffers, PENALTY_MOST) +
           (fault.structure ? me->setup.structure : 0);
}

static void step(SlEnv *env, SlPool *pool, SlEnvBuffers *buffers) {
    CodesignEnv *me = (CodesignEnv *)env;
    const SlEnvShape *shape = &env->shape;
    int n_params = me->space->n_params;
    (void)pool; // a step takes less than handing it out
    for (ptrdiff_t e = 0; e < shape->n_envs; e++) {
        int stayed = move(me, buffers->actions + e * n_params, me->points + e * n_params);
        me->steps[e]++;
        buffers->dones[e] = me->steps[e] == shape->episode_steps || 4 * stayed >= 3 * n_params;
    }
    size_t all = (size_t)shape->n_envs * (size_t)n_params;
    memcpy(me->reached, me->points, all * sizeof *me->reached);
    me->setup.model(me->setup.context, shape->n_envs, me->reached, me->scores);
    for (ptrdiff_t e = 0; e < shape->n_envs; e++) {
        double reward = me->scores[e] - penalty(me, me->reached + e * n_params);
        for (ptrdiff_t a = 0; a < shape->n_agents; a++)
            buffers->rewards[e * shape->n_agents + a] = (float)reward;
        if (buffers->dones[e]) begin(me, e);
    }
    observe(me, buffers);
}

static int64_t samples(const SlEnv *env) {
    (void)env;
    return 0; // models are asked, nothing is measured
}

static const SlBest *best(const SlEnv *env) {
    (void)env;
    return NULL;
}

// ---- making ----

static void share_out(CodesignEnv *me) {
    int n[SL_N_PROFESSIONS] = {0};
    for (int k = 0; k < me->space->n_params; k++) {
        int agent = me->setup.single ? 0 : (int)sl_param_profession(&me->space->params[k]);
        me->agent[k] = agent;
        me->place[k] = n[agent]++;
        me->n_choices[k] = 3;
        if (n[agent] > me->most_knobs) me->most_knobs = n[agent];
    }
    const SlLayer *layer = sl_task_layer(me->setup.task);
    for (int d = 0; layer && d < SL_N_DIMS; d++)
        me->layer[d] = (float)(log2((double)layer->dims[d]) / 16);
}

SlEnv *sl_codesign_env_make(const SlCodesignEnvSetup *setup, SlArena *arena) {
    static const SlEnvKind kind = {.reset = reset, .step = step, .samples = samples, .best = best};
    CodesignEnv *me = SL_NEW(arena, 1, CodesignEnv);
    if (!me) return NULL;
    *me = (CodesignEnv){.setup = *setup, .space = sl_task_space(setup->task)};
    size_t n = (size_t)setup->n_envs, all = n * (size_t)me->space->n_params;
    me->points = SL_NEW(arena, all, int32_t);
    me->reached = SL_NEW(arena, all, int32_t);
    me->steps = SL_NEW(arena, n, int);
    me->scores = SL_NEW(arena, n, double);
    if (!me->points || !me->reached || !me->steps || !me->scores) return NULL;
    share_out(me);
    me->env.kind = &kind;
    me->env.shape = (SlEnvShape){.n_envs = setup->n_envs,
                                 .n_agents = setup->single ? 1 : SL_N_PROFESSIONS,
                                 .n_observed = me->most_knobs + SL_N_DIMS,
                                 .n_heads = me->space->n_params,
                                 .agent = me->agent,
                                 .n_choices = me->n_choices,
                                 .episode_steps = setup->episode_steps};
    return &me->env;
}

const int32_t *sl_codesign_points(const SlEnv *env) {
    return ((const CodesignEnv *)env)->points;
}

const int32_t *sl_codesign_reached(const SlEnv *env) {
    return ((const CodesignEnv *)env)->reached;
}
