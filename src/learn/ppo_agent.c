// ppo_agent.c - one learner of proximal policy optimisation.
//
// Schulman, Wolski, Dhariwal, Radford, Klimov: Proximal policy optimization algorithms (2017), with
// generalised advantage estimation (Schulman et al. 2016):
//   maximise mean(min(rho A, clip(rho, 1 - c, 1 + c) A) + e H),  rho = pi_new / pi_old,
// where pi is the product over the agent's heads, so that one ratio holds for all its choices.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "ppo.h"

// --- Making one ----------------------------------------------------------------------------------

static SlMlpShape network(const SlPpoOptions *options, int outputs) {
    SlMlpShape shape = {.n_layers = (int)options->layers + 1, .activation = SL_TANH};
    for (int l = 1; l < shape.n_layers; l++) shape.width[l] = (int)options->hidden;
    shape.width[0] = SL_PPO_INPUTS;
    shape.width[shape.n_layers] = outputs;
    return shape;
}

// heads for the parameters that have a choice; returns the number of outputs
static int lay_out_heads(const SlSpace *space, int n, const int *params, SlPpoAgent *agent) {
    int outputs = 0;
    for (int i = 0; i < n; i++) {
        const SlParam *param = &space->params[params[i]];
        if (param->n <= 1) continue;
        bool permutation = param->kind == SL_PERMUTATION;
        int width = permutation ? param->n_items : param->n;
        agent->heads[agent->n_heads++] = (SlPpoHead){
            .param = params[i], .first = outputs, .width = width, .permutation = permutation};
        outputs += width;
    }
    return outputs;
}

static bool make_network(const SlMlpShape *shape, double rate, SlRng *rng, SlArena *arena,
                         SlReal **params, SlReal **grad, SlAdam *adam) {
    size_t n = sl_mlp_params(shape);
    *params = SL_NEW(arena, n, SlReal);
    *grad = SL_NEW(arena, n, SlReal);
    if (!*params || !*grad || !sl_adam_make(n, rate, arena, adam)) return false;
    sl_mlp_init(shape, rng, *params);
    return true;
}

bool sl_ppo_agent_make(const SlSpace *space, const SlPpoOptions *options, int n, const int *params,
                       SlRng *rng, SlArena *arena, SlPpoAgent *agent) {
    *agent = (SlPpoAgent){.heads = SL_NEW(arena, n, SlPpoHead),
                          .logp = SL_NEW(arena, options->rollout, double)};
    if (!agent->heads || !agent->logp) return false;
    int outputs = lay_out_heads(space, n, params, agent);
    if (agent->n_heads == 0) return true; // nothing to choose, nothing to learn
    agent->logits = SL_NEW(arena, outputs, double);
    agent->p = SL_NEW(arena, outputs, double);
    agent->norms = SL_NEW(arena, agent->n_heads, double);
    agent->policy_shape = network(options, outputs);
    agent->value_shape = network(options, 1);
    bool made = agent->logits && agent->p && agent->norms &&
                make_network(&agent->policy_shape, options->rate, rng, arena, &agent->policy,
                             &agent->policy_grad, &agent->policy_adam) &&
                make_network(&agent->value_shape, options->rate, rng, arena, &agent->value,
                             &agent->value_grad, &agent->value_adam);
    // every choice is about equally likely at first
    if (made) sl_mlp_scale_last(&agent->policy_shape, (SlReal)0.01, agent->policy);
    return made;
}

bool sl_ppo_is_bandit(const SlPpoOptions *options) {
    return options->episode == 1;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

bool sl_ppo_scratch_make(int n_agents, const SlPpoAgent *agents, const SlPpoOptions *options,
                         SlArena *arena, SlPpoScratch *scratch) {
    size_t n = (size_t)options->rollout, pieces = (size_t)options->minibatches;
    int rows = sl_ppo_is_bandit(options) ? 1 : (int)((n + pieces - 1) / pieces);
    int values = sl_ppo_is_bandit(options) ? 1 : (int)n + 1;
    size_t outputs = 1, heads = 1, work = 1;
    for (int i = 0; i < n_agents; i++) {
        const SlPpoAgent *agent = &agents[i];
        if (agent->n_heads == 0) continue;
        work = larger(work, sl_mlp_work(&agent->policy_shape, rows));
        work = larger(work, sl_mlp_work(&agent->value_shape, values));
        heads = larger(heads, (size_t)agent->n_heads);
        outputs = larger(outputs, (size_t)agent->policy_shape.width[agent->policy_shape.n_layers]);
    }
    *scratch = (SlPpoScratch){
        .x = SL_NEW(arena, (size_t)rows * SL_PPO_INPUTS, SlReal),
        .work = SL_NEW(arena, work, SlReal),
        .dout = SL_NEW(arena, (size_t)rows * outputs, SlReal),
        .logits = SL_NEW(arena, outputs, double),
        .p = SL_NEW(arena, outputs, double),
        .norms = SL_NEW(arena, heads, double),
        .grad = SL_NEW(arena, outputs, double),
        .values = SL_NEW(arena, n + 1, double),
        .advantages = SL_NEW(arena, n, double),
        .returns = SL_NEW(arena, n, double),
        .index = SL_NEW(arena, n, int),
    };
    return scratch->x && scratch->work && scratch->dout && scratch->logits && scratch->p &&
           scratch->norms && scratch->grad && scratch->values && scratch->advantages &&
           scratch->returns && scratch->index;
}

// --- Choosing ------------------------------------------------------------------------------------

// what a row of outputs says: logits, and of categorical heads their norms and probabilities
static void read_row(const SlPpoAgent *agent, const SlReal *out, double *logits, double *norms,
                     double *p) {
    for (int h = 0; h < agent->n_heads; h++) {
        const SlPpoHead *head = &agent->heads[h];
        double *z = logits + head->first;
        for (int i = 0; i < head->width; i++) z[i] = (double)out[head->first + i];
        if (head->permutation) continue;
        norms[h] = z[0] - sl_categorical_logp(head->width, z, 0);
        sl_softmax(head->width, z, p + head->first);
    }
}

// log-probability of the agent's part of a point
static double point_logp(const SlPpoAgent *agent, const double *logits, const double *norms,
                         const int32_t *point) {
    double logp = 0;
    for (int h = 0; h < agent->n_heads; h++) {
        const SlPpoHead *head = &agent->heads[h];
        int32_t value = point[head->param];
        if (head->permutation) {
            uint8_t order[SL_N_DIMS];
            sl_permutation(head->width, value, order);
            logp += sl_plackett_logp(head->width, logits + head->first, order);
        } else {
            logp += logits[head->first + value] - norms[h];
        }
    }
    return logp;
}

void sl_ppo_look(SlPpoAgent *agent, const SlReal *observed, SlPpoScratch *scratch) {
    if (agent->n_heads == 0) return;
    const SlReal *out =
        sl_mlp_forward(&agent->policy_shape, agent->policy, 1, observed, scratch->work);
    read_row(agent, out, agent->logits, agent->norms, agent->p);
}

static int draw(int n, const double *p, SlRng *rng) {
    double left = sl_rng_uniform(rng);
    for (int i = 0; i < n - 1; i++) {
        if (left < p[i]) return i;
        left -= p[i];
    }
    return n - 1;
}

void sl_ppo_choose(SlPpoAgent *agent, int slot, SlRng *rng, int32_t *point) {
    for (int h = 0; h < agent->n_heads; h++) {
        const SlPpoHead *head = &agent->heads[h];
        if (head->permutation) {
            uint8_t order[SL_N_DIMS];
            sl_plackett_sample(head->width, agent->logits + head->first, rng, order);
            point[head->param] = sl_permutation_number(head->width, order);
        } else {
            point[head->param] = draw(head->width, agent->p + head->first, rng);
        }
    }
    agent->logp[slot] = point_logp(agent, agent->logits, agent->norms, point);
}

// --- The loss of the policy ----------------------------------------------------------------------

// What one sample adds to the gradient of its row: scale * d logp, of orders also bonus * d
// entropy. The rest of categorical heads is the same for all samples and added by close_row.
// Returns the entropy of orders.
static double add_point(const SlPpoAgent *agent, const int32_t *point, double scale, double bonus,
                        SlPpoScratch *scratch) {
    double entropy = 0;
    for (int h = 0; h < agent->n_heads; h++) {
        const SlPpoHead *head = &agent->heads[h];
        const double *z = scratch->logits + head->first;
        double *g = scratch->grad + head->first;
        if (head->permutation) {
            uint8_t order[SL_N_DIMS];
            sl_permutation(head->width, point[head->param], order);
            entropy += sl_plackett_entropy(head->width, z, order);
            sl_plackett_logp_grad(head->width, z, order, scale, g);
            sl_plackett_entropy_grad(head->width, z, order, bonus, g);
        } else {
            g[point[head->param]] += scale;
        }
    }
    return entropy;
}

// what samples of a row have in common, given their number and the sum of their scales; returns the
// entropy of categorical heads
static double close_row(const SlPpoAgent *agent, int n, double scales, double bonus,
                        SlPpoScratch *scratch) {
    double entropy = 0;
    for (int h = 0; h < agent->n_heads; h++) {
        const SlPpoHead *head = &agent->heads[h];
        if (head->permutation) continue;
        const double *z = scratch->logits + head->first, *p = scratch->p + head->first;
        double *g = scratch->grad + head->first;
        for (int i = 0; i < head->width; i++) g[i] -= scales * p[i];
        sl_categorical_entropy_grad(head->width, z, n * bonus, g);
        entropy += sl_categorical_entropy(head->width, z);
    }
    return n * entropy;
}

// the clipped surrogate of one sample, and in *slope its derivative by the log-probability
static double surrogate(double ratio, double advantage, double clip, double *slope) {
    double low = 1 - clip, high = 1 + clip;
    bool clipped = advantage >= 0 ? ratio > high : ratio < low;
    *slope = clipped ? 0 : ratio * advantage;
    return clipped ? (advantage >= 0 ? high : low) * advantage : ratio * advantage;
}

// the rows that the network must see for samples index (n): one if all share it
static int gather(const SlPpoRollout *rollout, int n, const int *index, SlReal *x) {
    if (rollout->shared) {
        memcpy(x, rollout->observed, SL_PPO_INPUTS * sizeof *x);
        return 1;
    }
    for (int i = 0; i < n; i++)
        memcpy(x + (ptrdiff_t)i * SL_PPO_INPUTS,
               rollout->observed + (ptrdiff_t)index[i] * SL_PPO_INPUTS, SL_PPO_INPUTS * sizeof *x);
    return n;
}

// the loss of the samples of one row, and its gradient by the row's outputs
static double row_loss(const SlPpoAgent *agent, const SlPpoRollout *rollout, const SlReal *out,
                       int n, const int *index, const SlPpoStep *step, SlPpoScratch *scratch) {
    read_row(agent, out, scratch->logits, scratch->norms, scratch->p);
    int outputs = agent->policy_shape.width[agent->policy_shape.n_layers];
    memset(scratch->grad, 0, (size_t)outputs * sizeof *scratch->grad);
    double gain = 0, entropy = 0, scales = 0, bonus = step->entropy / step->n;
    for (int i = 0; i < n; i++) {
        int sample = index[i];
        const int32_t *point = rollout->points + (ptrdiff_t)sample * rollout->n_params;
        double logp = point_logp(agent, scratch->logits, scratch->norms, point);
        double slope = 0, ratio = exp(logp - agent->logp[sample]);
        gain += surrogate(ratio, step->advantages[sample], step->clip, &slope) / step->n;
        double scale = -slope / step->n;
        scales += scale;
        entropy += add_point(agent, point, scale, -bonus, scratch);
    }
    entropy += close_row(agent, n, scales, -bonus, scratch);
    return -gain - bonus * entropy;
}

double sl_ppo_policy_loss(SlPpoAgent *agent, const SlPpoRollout *rollout, const int *index,
                          const SlPpoStep *step, SlPpoScratch *scratch) {
    const SlMlpShape *shape = &agent->policy_shape;
    int outputs = shape->width[shape->n_layers];
    int rows = gather(rollout, step->n, index, scratch->x);
    const SlReal *out = sl_mlp_forward(shape, agent->policy, rows, scratch->x, scratch->work);
    double loss = 0;
    for (int row = 0; row < rows; row++) {
        int n = rows == 1 ? step->n : 1;
        ptrdiff_t at = (ptrdiff_t)row * outputs;
        loss += row_loss(agent, rollout, out + at, n, index + row, step, scratch);
        for (int o = 0; o < outputs; o++) scratch->dout[at + o] = (SlReal)scratch->grad[o];
    }
    sl_mlp_backward(shape, agent->policy, rows, scratch->x, scratch->work, scratch->dout,
                    agent->policy_grad, NULL);
    return loss;
}

// --- Learning ------------------------------------------------------------------------------------

// one step on the mean squared error of the values of samples index (n)
static void value_step(SlPpoAgent *agent, const SlPpoRollout *rollout, int n, const int *index,
                       double most_norm, SlPpoScratch *scratch) {
    const SlMlpShape *shape = &agent->value_shape;
    size_t n_params = sl_mlp_params(shape);
    memset(agent->value_grad, 0, n_params * sizeof *agent->value_grad);
    int rows = gather(rollout, n, index, scratch->x);
    const SlReal *out = sl_mlp_forward(shape, agent->value, rows, scratch->x, scratch->work);
    memset(scratch->dout, 0, (size_t)rows * sizeof *scratch->dout);
    for (int i = 0; i < n; i++) {
        int row = rows == 1 ? 0 : i;
        scratch->dout[row] += (SlReal)(2 * ((double)out[row] - scratch->returns[index[i]]) / n);
    }
    sl_mlp_backward(shape, agent->value, rows, scratch->x, scratch->work, scratch->dout,
                    agent->value_grad, NULL);
    if (most_norm > 0) sl_clip_norm(n_params, agent->value_grad, most_norm);
    sl_adam_step(&agent->value_adam, agent->value, agent->value_grad);
}

static void policy_step(SlPpoAgent *agent, const SlPpoOptions *options, const SlPpoRollout *rollout,
                        int n, const int *index, double entropy, SlPpoScratch *scratch) {
    size_t n_params = sl_mlp_params(&agent->policy_shape);
    memset(agent->policy_grad, 0, n_params * sizeof *agent->policy_grad);
    SlPpoStep step = {
        .n = n, .advantages = scratch->advantages, .clip = options->clip, .entropy = entropy};
    sl_ppo_policy_loss(agent, rollout, index, &step, scratch);
    if (options->most_norm > 0) sl_clip_norm(n_params, agent->policy_grad, options->most_norm);
    sl_adam_step(&agent->policy_adam, agent->policy, agent->policy_grad);
}

// values (n + 1) of all observations of the rollout
static void look_ahead(const SlPpoAgent *agent, const SlPpoRollout *rollout,
                       SlPpoScratch *scratch) {
    int rows = rollout->shared ? 1 : rollout->n + 1;
    const SlReal *out =
        sl_mlp_forward(&agent->value_shape, agent->value, rows, rollout->observed, scratch->work);
    for (int i = 0; i <= rollout->n; i++) scratch->values[i] = (double)out[rows == 1 ? 0 : i];
}

// generalised advantages, and the returns that the value function learns
static void estimate(const SlPpoAgent *agent, const SlPpoOptions *options,
                     const SlPpoRollout *rollout, SlPpoScratch *scratch) {
    look_ahead(agent, rollout, scratch);
    double next = 0;
    for (int i = rollout->n - 1; i >= 0; i--) {
        double on = rollout->ends[i] ? 0 : options->gamma;
        double delta = rollout->rewards[i] + on * scratch->values[i + 1] - scratch->values[i];
        next = delta + on * options->lambda * next;
        scratch->advantages[i] = next;
        scratch->returns[i] = next + scratch->values[i];
    }
    if (!options->scale_advantages) return;
    double mean = sl_mean(rollout->n, scratch->advantages);
    double deviation = sqrt(sl_variance(rollout->n, scratch->advantages)) + 1e-8;
    for (int i = 0; i < rollout->n; i++)
        scratch->advantages[i] = (scratch->advantages[i] - mean) / deviation;
}

void sl_ppo_learn(SlPpoAgent *agent, const SlPpoOptions *options, const SlPpoRollout *rollout,
                  double entropy, SlRng *rng, SlPpoScratch *scratch) {
    if (agent->n_heads == 0) return;
    estimate(agent, options, rollout, scratch);
    int pieces = options->minibatches < rollout->n ? (int)options->minibatches : rollout->n;
    for (int i = 0; i < rollout->n; i++) scratch->index[i] = i;
    for (int64_t epoch = 0; epoch < options->epochs; epoch++) {
        if (pieces > 1) sl_rng_shuffle(rng, rollout->n, scratch->index);
        for (int piece = 0; piece < pieces; piece++) {
            int from = (int)((int64_t)rollout->n * piece / pieces);
            int to = (int)((int64_t)rollout->n * (piece + 1) / pieces);
            const int *index = scratch->index + from;
            policy_step(agent, options, rollout, to - from, index, entropy, scratch);
            value_step(agent, rollout, to - from, index, options->most_norm, scratch);
        }
    }
}
