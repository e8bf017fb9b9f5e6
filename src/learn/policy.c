// policy.c - free policies of the parameters of a space, taught by PPO.
//
// For agent a, sample j, ratio r = p_new(own choices) / p_old(own choices), advantage A:
//   maximise sum_j min(r A, clip(r, 1 - c, 1 + c) A) + entropy bonus, by Adam on the logits.
#include "policy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static int width_of(const SlParam *param) {
    return param->kind == SL_PERMUTATION ? param->n_items : param->n;
}

// what drawing needs: running sums of exp for softmax, exp of each score for Plackett-Luce
void sl_policy_refresh(SlPolicy *policy) {
    const SlSpace *space = policy->space;
    for (int i = 0; i < space->n_params; i++) {
        int first = policy->first[i], n = policy->first[i + 1] - first;
        const SlReal *logits = policy->logits + first;
        double *weights = policy->weights + first;
        double most = -INFINITY, sum = 0;
        for (int v = 0; v < n; v++) most = fmax(most, (double)logits[v]);
        for (int v = 0; v < n; v++) {
            double weight = exp((double)logits[v] - most);
            sum += weight;
            weights[v] = space->params[i].kind == SL_PERMUTATION ? weight : sum;
        }
    }
}

void sl_policy_reset(SlPolicy *policy) {
    int n = policy->first[policy->space->n_params];
    memset(policy->logits, 0, (size_t)n * sizeof *policy->logits);
    sl_adam_reset(&policy->adam);
    sl_policy_refresh(policy);
}

static void make_kernel(SlPolicy *policy) {
    double width = policy->options.kernel, sum = 1;
    policy->kernel[0] = 1;
    for (int s = 1; s < 3; s++) {
        policy->kernel[s] = width > 0 ? exp(-0.5 * s * s / (width * width)) : 0;
        sum += 2 * policy->kernel[s];
    }
    for (int s = 0; s < 3; s++) policy->kernel[s] /= sum;
}

bool sl_policy_make(const SlSpace *space, const SlAgents *agents, const SlPolicyOptions *options,
                    SlArena *arena, SlPolicy *policy) {
    *policy = (SlPolicy){.space = space, .agents = *agents, .options = *options};
    for (int i = 0; i < space->n_params; i++)
        policy->first[i + 1] = policy->first[i] + width_of(&space->params[i]);
    int n = policy->first[space->n_params];
    policy->logits = SL_NEW(arena, n, SlReal);
    policy->grad = SL_NEW(arena, n, SlReal);
    policy->weights = SL_NEW(arena, n, double);
    int widest = 1;
    for (int i = 0; i < space->n_params; i++)
        if (widest < width_of(&space->params[i])) widest = width_of(&space->params[i]);
    policy->before = SL_NEW(arena, agents->n_agents * SL_POLICY_BATCH, double);
    policy->pulls = SL_NEW(arena, agents->n_agents * SL_POLICY_BATCH, double);
    policy->wide = SL_NEW(arena, widest, double);
    policy->wide_grad = SL_NEW(arena, widest, double);
    bool made = sl_adam_make((size_t)n, options->rate, arena, &policy->adam);
    if (!made || !policy->logits || !policy->grad || !policy->weights || !policy->before ||
        !policy->pulls || !policy->wide || !policy->wide_grad)
        return false;
    make_kernel(policy);
    sl_policy_reset(policy);
    return true;
}

// first value whose running sum lies above u
static int32_t find_sum(int n, const double *sums, double u) {
    int low = 0, high = n - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sums[middle] > u)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int32_t draw_order(int n, const double *weights, SlRng *rng) {
    double left[SL_N_DIMS] = {0}, sum = 0;
    uint8_t order[SL_N_DIMS] = {0};
    for (int i = 0; i < n; i++) sum += left[i] = weights[i];
    for (int place = 0; place < n; place++) {
        double u = sl_rng_uniform(rng) * sum;
        int chosen = 0;
        for (int i = 0; i < n; i++) {
            if (left[i] <= 0) continue;
            chosen = i; // the last one left if rounding eats the rest
            u -= left[i];
            if (u < 0) break;
        }
        order[place] = (uint8_t)chosen;
        sum -= left[chosen];
        left[chosen] = 0;
    }
    return sl_permutation_number(n, order);
}

int32_t sl_policy_draw(const SlPolicy *policy, int i, SlRng *rng) {
    const SlParam *param = &policy->space->params[i];
    const double *weights = policy->weights + policy->first[i];
    if (param->n == 1) return 0;
    if (param->kind == SL_PERMUTATION) return draw_order(param->n_items, weights, rng);
    return find_sum(param->n, weights, sl_rng_uniform(rng) * weights[param->n - 1]);
}

static double order_logp(int n, const double *weights, int32_t number) {
    uint8_t order[SL_N_DIMS];
    sl_permutation(n, number, order);
    double tail = 0, product = 1; // of the probabilities, last draw first
    for (int place = n - 1; place >= 0; place--) {
        double weight = weights[order[place]];
        tail += weight;
        product *= weight / tail;
    }
    return log(fmax(product, 1e-300));
}

double sl_policy_logp(const SlPolicy *policy, int i, int32_t value) {
    const SlParam *param = &policy->space->params[i];
    const double *weights = policy->weights + policy->first[i];
    if (param->n == 1) return 0;
    if (param->kind == SL_PERMUTATION) return order_logp(param->n_items, weights, value);
    double p = weights[value] - (value > 0 ? weights[value - 1] : 0);
    return log(fmax(p / weights[param->n - 1], 1e-300));
}

// --- learning

// gradient of one choice's log-probability and of the entropy, times their scales
static void add_choice_grad(const SlPolicy *policy, int i, int32_t value, double scale,
                            double *grad) {
    const SlParam *param = &policy->space->params[i];
    const double *weights = policy->weights + policy->first[i];
    int n = param->n;
    for (int v = 0; v < n; v++)
        grad[v] -= scale * (weights[v] - (v > 0 ? weights[v - 1] : 0)) / weights[n - 1];
    if (param->kind != SL_ORDINAL || policy->options.kernel <= 0) {
        grad[value] += scale;
        return;
    }
    // what lies beyond the ends counts for the end
    for (int step = -2; step <= 2; step++) {
        int v = value + step < 0 ? 0 : value + step >= n ? n - 1 : value + step;
        grad[v] += scale * policy->kernel[step < 0 ? -step : step];
    }
}

static void add_order_grad(const SlPolicy *policy, int i, int32_t value, double scale, double bonus,
                           double *grad) {
    const SlParam *param = &policy->space->params[i];
    uint8_t order[SL_N_DIMS];
    double scores[SL_N_DIMS];
    sl_permutation(param->n_items, value, order);
    for (int v = 0; v < param->n_items; v++)
        scores[v] = (double)policy->logits[policy->first[i] + v];
    sl_plackett_logp_grad(param->n_items, scores, order, scale, grad);
    sl_plackett_entropy_grad(param->n_items, scores, order, bonus, grad);
}

static void add_entropy_grad(const SlPolicy *policy, int i, double bonus, double *grad) {
    int first = policy->first[i], n = policy->first[i + 1] - first;
    for (int v = 0; v < n; v++) policy->wide[v] = (double)policy->logits[first + v];
    sl_categorical_entropy_grad(n, policy->wide, bonus, grad);
}

static bool drew(const SlPolicySample *sample, int agent) {
    return sample->drew[agent / 64] >> (agent % 64) & 1;
}

// log-probabilities (n_agents, n) of the choices of every agent that drew
static void agent_logps(const SlPolicy *policy, int n, const SlPolicySample *batch, double *logp) {
    memset(logp, 0, (size_t)policy->agents.n_agents * (size_t)n * sizeof *logp);
    for (int i = 0; i < policy->space->n_params; i++) {
        int agent = policy->agents.agent[i];
        for (int j = 0; j < n; j++)
            if (drew(&batch[j], agent))
                logp[agent * n + j] += sl_policy_logp(policy, i, batch[j].point[i]);
    }
}

// weight of each sample's gradient for an agent: 0 where the clipped side is the smaller one
static double pull(const SlPolicy *policy, double now, double before, double advantage) {
    double ratio = exp(now - before), clip = policy->options.clip;
    bool stopped = advantage >= 0 ? ratio > 1 + clip : ratio < 1 - clip;
    return stopped ? 0 : ratio * advantage;
}

static void add_param_grad(SlPolicy *policy, int i, int n, const SlPolicySample *batch,
                           const double *pulls) {
    const SlParam *param = &policy->space->params[i];
    int first = policy->first[i], width = policy->first[i + 1] - first;
    int agent = policy->agents.agent[i], learners = 0;
    double *grad = policy->wide_grad;
    memset(grad, 0, (size_t)width * sizeof *grad);
    bool order = param->kind == SL_PERMUTATION;
    double bonus = policy->options.entropy;
    for (int j = 0; j < n; j++) {
        if (!drew(&batch[j], agent)) continue;
        learners++;
        if (order)
            add_order_grad(policy, i, batch[j].point[i], pulls[agent * n + j], bonus, grad);
        else if (pulls[agent * n + j] != 0)
            add_choice_grad(policy, i, batch[j].point[i], pulls[agent * n + j], grad);
    }
    if (learners == 0) return;
    if (!order) add_entropy_grad(policy, i, bonus * learners, grad);
    // Adam goes downhill
    for (int v = 0; v < width; v++) policy->grad[first + v] = (SlReal)(-grad[v] / learners);
}

void sl_policy_learn(SlPolicy *policy, int n, const SlPolicySample *batch) {
    assert(n >= 1 && n <= SL_POLICY_BATCH);
    double *before = policy->before, *pulls = policy->pulls;
    int n_agents = policy->agents.n_agents, n_logits = policy->first[policy->space->n_params];
    agent_logps(policy, n, batch, before);
    for (int64_t epoch = 0; epoch < policy->options.epochs; epoch++) {
        agent_logps(policy, n, batch, pulls);
        for (int a = 0; a < n_agents; a++)
            for (int j = 0; j < n; j++)
                pulls[a * n + j] =
                    pull(policy, pulls[a * n + j], before[a * n + j], batch[j].advantage);
        memset(policy->grad, 0, (size_t)n_logits * sizeof *policy->grad);
        for (int i = 0; i < policy->space->n_params; i++)
            if (policy->space->params[i].n > 1) add_param_grad(policy, i, n, batch, pulls);
        sl_adam_step(&policy->adam, policy->logits, policy->grad);
        sl_policy_refresh(policy);
    }
}
