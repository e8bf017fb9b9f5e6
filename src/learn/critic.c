// critic.c - the central critic.
//
// Linear model: Bayesian regression of the score on the features, updated with every sample
// (recursive least squares). With estimates among the features it starts from them: weight 2 on
// half the logarithm of estimated latency and of estimated energy, 0 elsewhere. Two networks learn
// what the linear model leaves, each on its own minibatches of the replay, in units of its recent
// size, clipped at two of them; Huber loss, Adam with decoupled decay. A third of every minibatch
// comes from the newest quarter.
#include "critic.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const double CLIP = 2; // most that the networks are taught, in units of the error
static const double NOISE2 = 0.02 * 0.02; // variance of a score about the linear model
static const double LEAST_ERROR = 0.005;
static const double LEVEL_DEVIATION =
    10; // of the constant of the linear model, before the first sample

// prior of the linear model: mean weights and their variances
static void start_linear(SlCritic *critic) {
    int n = critic->n_features + 1;
    for (int f = 0; f < n; f++) {
        bool bias = f == n - 1, estimate = f < critic->n_estimates;
        double deviation = bias ? LEVEL_DEVIATION : estimate ? 1 : 0.1;
        if (!bias && !critic->sees[f]) deviation = 0;
        critic->spread[f * n + f] = deviation * deviation;
        bool trusted = estimate && !critic->options.residual;
        critic->weights[f] = !bias && trusted && critic->sees[f] ? 2 : 0;
    }
}

static bool alloc_critic(SlCritic *critic, SlArena *arena) {
    size_t n = sl_mlp_params(&critic->shape), n_linear = (size_t)critic->n_features + 1;
    critic->sees = SL_NEW(arena, critic->n_features, bool);
    critic->weights = SL_NEW(arena, n_linear, double);
    critic->spread = SL_NEW(arena, n_linear * n_linear, double);
    critic->gain = SL_NEW(arena, n_linear, double);
    critic->grad = SL_NEW(arena, n, SlReal);
    critic->work = SL_NEW(arena, sl_mlp_work(&critic->shape, SL_CRITIC_ROWS), SlReal);
    critic->batch = SL_NEW(arena, SL_CRITIC_ROWS * critic->n_features, SlReal);
    critic->features = SL_NEW(arena, critic->room * critic->n_features, float);
    critic->scores = SL_NEW(arena, critic->room, double);
    for (int k = 0; k < SL_CRITIC_NETS; k++) {
        critic->params[k] = SL_NEW(arena, n, SlReal);
        if (!critic->params[k] || !sl_adam_make(n, critic->options.rate, arena, &critic->adam[k]))
            return false;
    }
    return critic->sees && critic->weights && critic->spread && critic->gain && critic->grad &&
           critic->work && critic->batch && critic->features && critic->scores;
}

int64_t sl_critic_weights(const SlCritic *critic) {
    return critic->n_features + 1 + SL_CRITIC_NETS * (int64_t)sl_mlp_params(&critic->shape);
}

SlCritic *sl_critic_make(const SlTask *task, const SlCriticOptions *options, int64_t room,
                         SlRng rng, SlArena *arena) {
    SlCritic *critic = SL_NEW(arena, 1, SlCritic);
    if (!critic) return NULL;
    int n_features = sl_task_n_features(task), hidden = (int)options->hidden;
    *critic = (SlCritic){.n_features = n_features,
                         .n_estimates = sl_task_n_estimates(task),
                         .shape = {3, {n_features, hidden, hidden, 1}, SL_LEAKY_RELU},
                         .options = *options,
                         .room = room,
                         .error2 = 0.1 * 0.1,
                         .rng = rng};
    if (!alloc_critic(critic, arena)) return NULL;
    for (int f = 0; f < n_features; f++) {
        SlFeatureGroup group = sl_task_feature_group(task, f);
        critic->sees[f] = (int)group <= (int)options->sight;
    }
    start_linear(critic);
    for (int k = 0; k < SL_CRITIC_NETS; k++) {
        critic->adam[k].beta2 = 0.99;
        critic->adam[k].decay = options->decay;
        sl_mlp_init(&critic->shape, &critic->rng, critic->params[k]);
        sl_mlp_scale_last(&critic->shape, (SlReal)0.1, critic->params[k]);
    }
    return critic;
}

// what it does not see has no weight; four sums, so that they run side by side
static double linear_guess(const SlCritic *critic, const float *features) {
    int n = critic->n_features, whole = n - n % 4;
    double sum[4] = {critic->weights[n]};
    for (int f = 0; f < whole; f += 4)
        for (int k = 0; k < 4; k++) sum[k] += critic->weights[f + k] * (double)features[f + k];
    for (int f = whole; f < n; f++) sum[0] += critic->weights[f] * (double)features[f];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// y += a x, both (n)
static void add_scaled(int n, double a, const double *x, double *y) {
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}

// recursive least squares: one sample with variance NOISE2
static void learn_linear(SlCritic *critic, const float *features, double score) {
    int n = critic->n_features + 1;
    double *gain = critic->gain;
    double variance = NOISE2, error = score - linear_guess(critic, features);
    memcpy(gain, critic->spread + (ptrdiff_t)(n - 1) * n, (size_t)n * sizeof *gain);
    for (int f = 0; f < n - 1; f++)
        if (critic->sees[f] && features[f] != 0)
            add_scaled(n, (double)features[f], critic->spread + (ptrdiff_t)f * n, gain);
    for (int f = 0; f < n - 1; f++) variance += gain[f] * (double)features[f];
    variance += gain[n - 1];
    add_scaled(n, error / variance, gain, critic->weights);
    for (int f = 0; f < n; f++)
        if (gain[f] != 0)
            add_scaled(n, -gain[f] / variance, gain, critic->spread + (ptrdiff_t)f * n);
}

void sl_critic_add(SlCritic *critic, const float *features, double score) {
    int64_t row = critic->seen % critic->room;
    memcpy(critic->features + row * critic->n_features, features,
           (size_t)critic->n_features * sizeof *features);
    if (critic->seen == 0) critic->origin = score;
    score -= critic->origin;
    critic->scores[row] = score;
    double error = score - linear_guess(critic, features);
    double share = critic->seen < 100 ? 1 / (double)(critic->seen + 2) : 0.01;
    critic->error2 += share * (fmin(error * error, 4 * critic->error2 + 1e-4) - critic->error2);
    critic->seen++;
    learn_linear(critic, features, score);
}

static double error_size(const SlCritic *critic) {
    return fmax(sqrt(critic->error2), LEAST_ERROR);
}

// what the networks are taught of an error in their units
static double teach(double error) {
    return fmin(fmax(error, -CLIP), CLIP);
}

// one step of one network on rows (n, n_features) with targets (n)
static void learn_rows(SlCritic *critic, int k, int n, const SlReal *rows, const double *targets) {
    SlReal *guess = sl_mlp_forward(&critic->shape, critic->params[k], n, rows, critic->work);
    SlReal pull[SL_CRITIC_BATCH];
    for (int j = 0; j < n; j++) {
        double error = (double)guess[j] - targets[j];
        pull[j] = (SlReal)(fmin(fmax(error, -1), 1) / n);
    }
    memset(critic->grad, 0, critic->adam[k].n * sizeof *critic->grad);
    sl_mlp_backward(&critic->shape, critic->params[k], n, rows, critic->work, pull, critic->grad,
                    NULL);
    sl_adam_step(&critic->adam[k], critic->params[k], critic->grad);
}

static void take_row(SlCritic *critic, int j, const float *features) {
    for (int f = 0; f < critic->n_features; f++)
        critic->batch[j * critic->n_features + f] = critic->sees[f] ? (SlReal)features[f] : 0;
}

// a row of the replay, with a chance of one third among the newest quarter
static int64_t draw_row(SlCritic *critic) {
    int64_t n = critic->seen < critic->room ? critic->seen : critic->room;
    int64_t span = sl_rng_below(&critic->rng, 3) == 0 ? (n + 3) / 4 : n;
    int64_t back = 1 + (int64_t)sl_rng_below(&critic->rng, (uint64_t)span);
    return (critic->seen - back) % critic->room;
}

void sl_critic_learn(SlCritic *critic, int steps) {
    if (critic->seen < 2) return;
    double scale = 1 / error_size(critic);
    for (int step = 0; step < steps; step++) {
        for (int k = 0; k < SL_CRITIC_NETS; k++) {
            double targets[SL_CRITIC_BATCH];
            for (int j = 0; j < SL_CRITIC_BATCH; j++) {
                int64_t row = draw_row(critic);
                const float *features = critic->features + row * critic->n_features;
                take_row(critic, j, features);
                double error = critic->scores[row] - linear_guess(critic, features);
                targets[j] = teach(scale * error);
            }
            learn_rows(critic, k, SL_CRITIC_BATCH, critic->batch, targets);
        }
    }
}

// the level of the scores is another on every layer
static void forget_level(SlCritic *critic) {
    int n = critic->n_features + 1;
    for (int f = 0; f < n; f++) critic->spread[f * n + n - 1] = critic->spread[(n - 1) * n + f] = 0;
    critic->spread[n * n - 1] = LEVEL_DEVIATION * LEVEL_DEVIATION;
}

void sl_critic_warm(SlCritic *critic, const SlExamples *examples, int epochs) {
    assert(examples->n_features == critic->n_features);
    for (int row = 0; row < examples->n; row++)
        learn_linear(critic, examples->centred + (ptrdiff_t)row * critic->n_features,
                     (double)examples->targets[row]);
    int steps = epochs * examples->n / SL_CRITIC_BATCH;
    double scale = 1 / error_size(critic);
    for (int step = 0; step < steps * SL_CRITIC_NETS; step++) {
        double targets[SL_CRITIC_BATCH];
        for (int j = 0; j < SL_CRITIC_BATCH; j++) {
            int64_t row = (int64_t)sl_rng_below(&critic->rng, (uint64_t)examples->n);
            double guess = linear_guess(critic, examples->centred + row * critic->n_features);
            take_row(critic, j, examples->features + row * critic->n_features);
            targets[j] = teach(scale * ((double)examples->targets[row] - guess));
        }
        learn_rows(critic, step % SL_CRITIC_NETS, SL_CRITIC_BATCH, critic->batch, targets);
    }
    forget_level(critic);
}

void sl_critic_guess(SlCritic *critic, int n, const float *features, double optimism,
                     double *guesses) {
    assert(n <= SL_CRITIC_ROWS);
    double mean[SL_CRITIC_ROWS] = {0}, square[SL_CRITIC_ROWS] = {0};
    for (int j = 0; j < n; j++) take_row(critic, j, features + (ptrdiff_t)j * critic->n_features);
    for (int k = 0; k < SL_CRITIC_NETS; k++) {
        const SlReal *guess =
            sl_mlp_forward(&critic->shape, critic->params[k], n, critic->batch, critic->work);
        for (int j = 0; j < n; j++) {
            mean[j] += (double)guess[j] / SL_CRITIC_NETS;
            square[j] += (double)guess[j] * (double)guess[j] / SL_CRITIC_NETS;
        }
    }
    double scale = error_size(critic);
    for (int j = 0; j < n; j++) {
        double doubt = sqrt(fmax(square[j] - mean[j] * mean[j], 0));
        guesses[j] = linear_guess(critic, features + (ptrdiff_t)j * critic->n_features) +
                     scale * (mean[j] - optimism * doubt);
    }
}
