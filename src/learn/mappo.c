// mappo.c - multi-agent proximal policy optimisation: Yu et al., The surprising effectiveness of
// PPO in cooperative multi-agent games (NeurIPS 2022).
//
// Each agent maximises mean(min(rho A, clip(rho, 1 - c, 1 + c) A) + e H) of its own policy, which
// sees its own observation; the advantage A is that of the shared reward by the critic, which sees
// the state. Critics regress returns, clipped around the old value.
#include "mappo.h"

#include <math.h>
#include <string.h>

enum { CHOICES = 3 }; // down, stay, up

typedef struct {
    SlMlpShape shape;
    SlReal *params, *grad;
    SlAdam adam;
} Net;

typedef struct {
    int n_heads;
    int heads[SL_MAX_PARAMS]; // knobs it moves
    Net policy;
} Actor;

struct SlMappo {
    SlEnv *env;
    const SlEnvShape *shape;
    SlMappoOptions options;
    SlRng rng;
    int n_rows, n_envs, n_agents, n_critics, n_state;
    Actor actors[SL_N_PROFESSIONS];
    Net critics[SL_N_PROFESSIONS];
    bool begun;

    // a rollout: rows are (step, env)
    float *seen;      // (n_rows + n_envs, n_agents, n_observed); the last ones after the rollout
    float *states;    // (n_rows + n_envs, n_state)
    int32_t *actions; // (n_rows, n_heads)
    double *logp;     // (n_rows, n_agents)
    int32_t *reached; // (n_rows, n_heads)
    double *rewards;  // (n_rows)
    uint8_t *dones;   // (n_rows)
    double *values, *advantages, *returns; // (n_critics, n_rows [+ n_envs])

    // scratch
    float *shared; // (n_envs, n_agents) rewards
    SlReal *x, *work, *dout;
    int *index; // (n_rows)
    int batch_rows;
};

// ---- making ----

static SlMlpShape net_shape(int inputs, int layers, int hidden, int outputs) {
    SlMlpShape shape = {.n_layers = layers + 1, .activation = SL_TANH};
    for (int l = 1; l <= layers; l++) shape.width[l] = hidden;
    shape.width[0] = inputs;
    shape.width[layers + 1] = outputs;
    return shape;
}

static bool net_make(Net *net, SlMlpShape shape, double rate, SlRng *rng, SlArena *arena) {
    size_t n = sl_mlp_params(&shape);
    *net =
        (Net){.shape = shape, .params = SL_NEW(arena, n, SlReal), .grad = SL_NEW(arena, n, SlReal)};
    if (!net->params || !net->grad || !sl_adam_make(n, rate, arena, &net->adam)) return false;
    net->adam.epsilon = 1e-5; // of the reference implementations
    sl_mlp_init(&shape, rng, net->params);
    return true;
}

static int critic_inputs(const SlMappo *m) {
    return m->options.critic == SL_CRITIC_CENTRAL ? m->n_state : m->shape->n_observed;
}

static bool make_nets(SlMappo *m, SlArena *arena) {
    const SlMappoOptions *o = &m->options;
    bool made = true;
    for (int k = 0; k < m->shape->n_heads; k++) {
        Actor *actor = &m->actors[m->shape->agent[k]];
        actor->heads[actor->n_heads++] = k;
    }
    for (int a = 0; a < m->n_agents && made; a++) {
        Actor *actor = &m->actors[a];
        if (actor->n_heads == 0) continue;
        made = net_make(
            &actor->policy,
            net_shape(m->shape->n_observed, o->actor_layers, o->hidden, CHOICES * actor->n_heads),
            o->rate, &m->rng, arena);
        if (made) sl_mlp_scale_last(&actor->policy.shape, (SlReal)0.01, actor->policy.params);
    }
    for (int c = 0; c < m->n_critics && made; c++)
        made = net_make(&m->critics[c], net_shape(critic_inputs(m), o->critic_layers, o->hidden, 1),
                        o->rate, &m->rng, arena);
    return made;
}

static bool make_scratch(SlMappo *m, SlArena *arena) {
    size_t rows = (size_t)m->batch_rows, work = 0;
    size_t widest = (size_t)(m->n_state > m->shape->n_observed ? m->n_state : m->shape->n_observed);
    for (int a = 0; a < m->n_agents; a++) {
        if (m->actors[a].n_heads == 0) continue;
        size_t n = sl_mlp_work(&m->actors[a].policy.shape, m->batch_rows);
        work = n > work ? n : work;
    }
    for (int c = 0; c < m->n_critics; c++) {
        size_t n = sl_mlp_work(&m->critics[c].shape, m->batch_rows);
        work = n > work ? n : work;
    }
    m->x = SL_NEW(arena, rows * widest, SlReal);
    m->work = SL_NEW(arena, work, SlReal);
    m->dout = SL_NEW(arena, rows * CHOICES * SL_MAX_PARAMS, SlReal);
    return m->x && m->work && m->dout;
}

static bool make_rollout(SlMappo *m, SlArena *arena) {
    size_t rows = (size_t)m->n_rows, more = rows + (size_t)m->n_envs;
    size_t heads = (size_t)m->shape->n_heads, agents = (size_t)m->n_agents;
    m->seen = SL_NEW(arena, more * agents * (size_t)m->shape->n_observed, float);
    m->states = SL_NEW(arena, more * (size_t)m->n_state, float);
    m->actions = SL_NEW(arena, rows * heads, int32_t);
    m->reached = SL_NEW(arena, rows * heads, int32_t);
    m->logp = SL_NEW(arena, rows * agents, double);
    m->rewards = SL_NEW(arena, rows, double);
    m->dones = SL_NEW(arena, rows, uint8_t);
    m->values = SL_NEW(arena, (size_t)m->n_critics * more, double);
    m->advantages = SL_NEW(arena, (size_t)m->n_critics * rows, double);
    m->returns = SL_NEW(arena, (size_t)m->n_critics * rows, double);
    m->shared = SL_NEW(arena, (size_t)m->n_envs * agents, float);
    m->index = SL_NEW(arena, rows, int);
    return m->seen && m->states && m->actions && m->reached && m->logp && m->rewards && m->dones &&
           m->values && m->advantages && m->returns && m->shared && m->index;
}

SlMappo *sl_mappo_make(SlEnv *env, const SlMappoOptions *options, uint64_t seed, const char *stream,
                       SlArena *arena) {
    SlMappo *m = SL_NEW(arena, 1, SlMappo);
    if (!m) return NULL;
    const SlEnvShape *shape = sl_env_shape(env);
    *m = (SlMappo){.env = env,
                   .shape = shape,
                   .options = *options,
                   .n_envs = shape->n_envs,
                   .n_agents = shape->n_agents,
                   .n_rows = options->steps * shape->n_envs,
                   .n_critics = options->critic == SL_CRITIC_CENTRAL ? 1 : shape->n_agents,
                   .n_state = sl_codesign_n_state(env)};
    m->batch_rows = options->minibatch > 256 ? options->minibatch : 256;
    if (m->batch_rows < m->n_envs) m->batch_rows = m->n_envs;
    sl_rng_init(&m->rng, seed, stream);
    return make_nets(m, arena) && make_scratch(m, arena) && make_rollout(m, arena) ? m : NULL;
}

// ---- critics ----

// values (n) by critic c of rows of states, or of what its agent sees
static void criticise(SlMappo *m, int c, int n, const float *rows, ptrdiff_t stride,
                      double *values) {
    int inputs = critic_inputs(m);
    for (int first = 0; first < n; first += m->batch_rows) {
        int rows_now = n - first < m->batch_rows ? n - first : m->batch_rows;
        for (ptrdiff_t i = 0; i < rows_now; i++)
            for (int j = 0; j < inputs; j++)
                m->x[i * inputs + j] = (SlReal)rows[(first + i) * stride + j];
        const Net *net = &m->critics[c];
        const SlReal *out = sl_mlp_forward(&net->shape, net->params, rows_now, m->x, m->work);
        for (int i = 0; i < rows_now; i++) values[first + i] = (double)out[i];
    }
}

// where the inputs of critic c begin, and how far apart its rows are
static const float *critic_rows(const SlMappo *m, int c, ptrdiff_t *stride) {
    if (m->options.critic == SL_CRITIC_CENTRAL) {
        *stride = m->n_state;
        return m->states;
    }
    *stride = (ptrdiff_t)m->n_agents * m->shape->n_observed;
    return m->seen + (ptrdiff_t)c * m->shape->n_observed;
}

// own critics know no points but those they stood at: they see the knobs of their agent
static void own_view(const SlMappo *m, const float *state, int agent, float *seen) {
    const Actor *actor = &m->actors[agent];
    int n_params = m->shape->n_heads, own = m->shape->n_observed - SL_N_DIMS;
    memset(seen, 0, (size_t)m->shape->n_observed * sizeof *seen);
    for (int h = 0; h < actor->n_heads; h++) seen[h] = state[actor->heads[h]];
    memcpy(seen + own, state + n_params, SL_N_DIMS * sizeof *seen);
}

void sl_mappo_values(SlMappo *m, int n, const int32_t *points, double *values) {
    enum { PIECE = 64 };
    float states[PIECE * (SL_MAX_PARAMS + SL_N_DIMS + 3)];
    float seen[PIECE * (SL_MAX_PARAMS + SL_N_DIMS)];
    double part[PIECE];
    for (int first = 0; first < n; first += PIECE) {
        int now = n - first < PIECE ? n - first : PIECE;
        sl_codesign_state(m->env, now, points + (ptrdiff_t)first * m->shape->n_heads, states);
        if (m->options.critic == SL_CRITIC_CENTRAL) {
            criticise(m, 0, now, states, m->n_state, values + first);
            continue;
        }
        for (int i = 0; i < now; i++) values[first + i] = 0;
        for (int c = 0; c < m->n_critics; c++) {
            for (ptrdiff_t i = 0; i < now; i++)
                own_view(m, states + i * m->n_state, c, seen + i * m->shape->n_observed);
            criticise(m, c, now, seen, m->shape->n_observed, part);
            for (int i = 0; i < now; i++) values[first + i] += part[i] / m->n_critics;
        }
    }
}

// ---- walking ----

static void head_logits(const SlMappo *m, const SlReal *out, int head, double z[CHOICES]) {
    for (int i = 0; i < CHOICES; i++)
        z[i] = (double)out[CHOICES * head + i] / m->options.temperature;
}

// actions of one agent in all environments, and their log-probabilities
static void choose(SlMappo *m, int agent, const float *seen, int32_t *actions, double *logp) {
    const Actor *actor = &m->actors[agent];
    int n_observed = m->shape->n_observed;
    if (actor->n_heads == 0) {
        for (ptrdiff_t e = 0; e < m->n_envs; e++) logp[e * m->n_agents + agent] = 0;
        return;
    }
    for (ptrdiff_t e = 0; e < m->n_envs; e++)
        for (int j = 0; j < n_observed; j++)
            m->x[e * n_observed + j] = (SlReal)seen[(e * m->n_agents + agent) * n_observed + j];
    const Net *net = &actor->policy;
    const SlReal *out = sl_mlp_forward(&net->shape, net->params, m->n_envs, m->x, m->work);
    for (ptrdiff_t e = 0; e < m->n_envs; e++) {
        double sum = 0, z[CHOICES];
        for (int h = 0; h < actor->n_heads; h++) {
            head_logits(m, out + e * CHOICES * actor->n_heads, h, z);
            int choice = sl_categorical_sample(CHOICES, z, &m->rng);
            actions[e * m->shape->n_heads + actor->heads[h]] = choice;
            sum += sl_categorical_logp(CHOICES, z, choice);
        }
        logp[e * m->n_agents + agent] = sum;
    }
}

void sl_mappo_walk(SlMappo *m) {
    ptrdiff_t n_envs = m->n_envs, heads = m->shape->n_heads;
    ptrdiff_t view = (ptrdiff_t)m->n_agents * m->shape->n_observed;
    SlEnvBuffers buffers = {.observations = m->seen, .rewards = m->shared};
    if (!m->begun)
        sl_env_reset(m->env, sl_rng_next(&m->rng), &buffers);
    else // where the last rollout ended
        memmove(m->seen, m->seen + m->n_rows * view, (size_t)(n_envs * view) * sizeof *m->seen);
    m->begun = true;
    for (int t = 0; t < m->options.steps; t++) {
        ptrdiff_t row = t * n_envs;
        int32_t *actions = m->actions + row * heads;
        sl_codesign_state(m->env, m->n_envs, sl_codesign_points(m->env),
                          m->states + row * m->n_state);
        for (int a = 0; a < m->n_agents; a++)
            choose(m, a, m->seen + row * view, actions, m->logp + row * m->n_agents);
        buffers.actions = actions;
        buffers.observations = m->seen + (row + n_envs) * view;
        buffers.dones = m->dones + row;
        sl_env_step(m->env, NULL, &buffers);
        for (ptrdiff_t e = 0; e < n_envs; e++)
            m->rewards[row + e] = (double)m->shared[e * m->n_agents];
        memcpy(m->reached + row * heads, sl_codesign_reached(m->env),
               (size_t)(n_envs * heads) * sizeof *m->reached);
    }
    sl_codesign_state(m->env, m->n_envs, sl_codesign_points(m->env),
                      m->states + m->n_rows * (ptrdiff_t)m->n_state);
}

const int32_t *sl_mappo_reached(const SlMappo *m, int *n) {
    *n = m->n_rows;
    return m->reached;
}

const double *sl_mappo_rewards(const SlMappo *m) {
    return m->rewards;
}

// ---- learning ----

// advantages and returns of critic c, by generalised advantage estimation
static void estimate(SlMappo *m, int c) {
    const SlMappoOptions *o = &m->options;
    ptrdiff_t stride, n_envs = m->n_envs, more = m->n_rows + n_envs;
    const float *rows = critic_rows(m, c, &stride);
    double *values = m->values + c * more, *advantages = m->advantages + (ptrdiff_t)c * m->n_rows;
    double *returns = m->returns + (ptrdiff_t)c * m->n_rows;
    criticise(m, c, (int)more, rows, stride, values);
    for (ptrdiff_t e = 0; e < n_envs; e++) {
        double running = 0;
        for (ptrdiff_t t = o->steps - 1; t >= 0; t--) {
            ptrdiff_t row = t * n_envs + e;
            double alive = m->dones[row] ? 0 : 1;
            double error = m->rewards[row] + o->gamma * alive * values[row + n_envs] - values[row];
            running = error + o->gamma * o->lambda * alive * running;
            advantages[row] = running;
            returns[row] = running + values[row];
        }
    }
    double mean = 0, square = 0;
    for (int i = 0; i < m->n_rows; i++) mean += advantages[i] / m->n_rows;
    for (int i = 0; i < m->n_rows; i++)
        square += (advantages[i] - mean) * (advantages[i] - mean) / m->n_rows;
    double scale = 1 / (sqrt(square) + 1e-8);
    for (int i = 0; i < m->n_rows; i++) advantages[i] = (advantages[i] - mean) * scale;
}

static void net_step(SlMappo *m, Net *net) {
    size_t n = sl_mlp_params(&net->shape);
    if (m->options.most_norm > 0) sl_clip_norm(n, net->grad, m->options.most_norm);
    sl_adam_step(&net->adam, net->params, net->grad);
}

// gradient of the loss by the outputs of one row
static void actor_row(const SlMappo *m, const Actor *actor, int agent, int row, int n,
                      double entropy, const SlReal *out, SlReal *dout) {
    const SlMappoOptions *o = &m->options;
    int c = m->n_critics == 1 ? 0 : agent;
    double advantage = m->advantages[(ptrdiff_t)c * m->n_rows + row];
    double logp = 0, z[SL_MAX_PARAMS][CHOICES], grad[CHOICES];
    const int32_t *actions = m->actions + (ptrdiff_t)row * m->shape->n_heads;
    for (int h = 0; h < actor->n_heads; h++) {
        head_logits(m, out, h, z[h]);
        logp += sl_categorical_logp(CHOICES, z[h], actions[actor->heads[h]]);
    }
    double ratio = exp(logp - m->logp[(ptrdiff_t)row * m->n_agents + agent]);
    bool clipped = advantage > 0 ? ratio > 1 + o->clip : ratio < 1 - o->clip;
    double push = clipped ? 0 : ratio * advantage;
    for (int h = 0; h < actor->n_heads; h++) {
        memset(grad, 0, sizeof grad);
        sl_categorical_logp_grad(CHOICES, z[h], actions[actor->heads[h]], -push / n, grad);
        sl_categorical_entropy_grad(CHOICES, z[h], -entropy / n, grad);
        for (int i = 0; i < CHOICES; i++)
            dout[CHOICES * h + i] = (SlReal)(grad[i] / o->temperature);
    }
}

static void learn_actor(SlMappo *m, int agent, int n, const int *index, double entropy) {
    Actor *actor = &m->actors[agent];
    Net *net = &actor->policy;
    int n_observed = m->shape->n_observed, outputs = CHOICES * actor->n_heads;
    for (ptrdiff_t i = 0; i < n; i++) {
        const float *seen = m->seen + ((ptrdiff_t)index[i] * m->n_agents + agent) * n_observed;
        for (int j = 0; j < n_observed; j++) m->x[i * n_observed + j] = (SlReal)seen[j];
    }
    const SlReal *out = sl_mlp_forward(&net->shape, net->params, n, m->x, m->work);
    for (ptrdiff_t i = 0; i < n; i++)
        actor_row(m, actor, agent, index[i], n, entropy, out + i * outputs, m->dout + i * outputs);
    memset(net->grad, 0, sl_mlp_params(&net->shape) * sizeof *net->grad);
    sl_mlp_backward(&net->shape, net->params, n, m->x, m->work, m->dout, net->grad, NULL);
    net_step(m, net);
}

static void learn_critic(SlMappo *m, int c, int n, const int *index) {
    Net *net = &m->critics[c];
    ptrdiff_t stride, more = m->n_rows + m->n_envs;
    int inputs = critic_inputs(m);
    const float *rows = critic_rows(m, c, &stride);
    for (ptrdiff_t i = 0; i < n; i++)
        for (int j = 0; j < inputs; j++) m->x[i * inputs + j] = (SlReal)rows[index[i] * stride + j];
    const SlReal *out = sl_mlp_forward(&net->shape, net->params, n, m->x, m->work);
    for (int i = 0; i < n; i++) {
        double value = (double)out[i], old = m->values[c * more + index[i]];
        double target = m->returns[(ptrdiff_t)c * m->n_rows + index[i]];
        double kept = fmin(fmax(value, old - m->options.clip), old + m->options.clip);
        // the larger of both errors counts; where the clipped one does, nothing moves
        bool still = fabs(kept - target) > fabs(value - target);
        m->dout[i] = still ? 0 : (SlReal)(m->options.value_weight * (value - target) / n);
    }
    memset(net->grad, 0, sl_mlp_params(&net->shape) * sizeof *net->grad);
    sl_mlp_backward(&net->shape, net->params, n, m->x, m->work, m->dout, net->grad, NULL);
    net_step(m, net);
}

void sl_mappo_learn(SlMappo *m, double progress) {
    const SlMappoOptions *o = &m->options;
    double entropy = o->entropy * (1 - 0.9 * fmin(fmax(progress, 0), 1));
    for (int c = 0; c < m->n_critics; c++) estimate(m, c);
    for (int i = 0; i < m->n_rows; i++) m->index[i] = i;
    for (int epoch = 0; epoch < o->epochs; epoch++) {
        sl_rng_shuffle(&m->rng, m->n_rows, m->index);
        for (int first = 0; first < m->n_rows; first += o->minibatch) {
            int n = m->n_rows - first < o->minibatch ? m->n_rows - first : o->minibatch;
            for (int a = 0; a < m->n_agents; a++)
                if (m->actors[a].n_heads) learn_actor(m, a, n, m->index + first, entropy);
            for (int c = 0; c < m->n_critics; c++) learn_critic(m, c, n, m->index + first);
        }
    }
}
