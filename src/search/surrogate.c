// surrogate.c - an ensemble of two networks on all samples of a run.
//
// Each learns on its own minibatches: Huber loss, Adam with decoupled decay. A third of every
// minibatch comes from the newest quarter, so that what was just found counts.
#include "surrogate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

struct SlSurrogate {
    int n;
    SlSurrogateOptions options;
    SlMlpShape shape;
    SlReal *params[SL_SURROGATE_NETS];
    SlAdam adam[SL_SURROGATE_NETS];
    SlReal *grad, *work, *batch, *slope; // work, batch, slope: for SL_SURROGATE_ROWS rows
    int64_t room, seen;
    float *rows;    // (room, n)
    double *scores; // (room)
    double best;
    SlRng rng;
};

static bool alloc_model(SlSurrogate *model, SlArena *arena) {
    size_t n = sl_mlp_params(&model->shape);
    model->grad = SL_NEW(arena, n, SlReal);
    model->work = SL_NEW(arena, sl_mlp_work(&model->shape, SL_SURROGATE_ROWS), SlReal);
    model->batch = SL_NEW(arena, SL_SURROGATE_ROWS * model->n, SlReal);
    model->slope = SL_NEW(arena, SL_SURROGATE_ROWS * model->n, SlReal);
    model->rows = SL_NEW(arena, model->room * model->n, float);
    model->scores = SL_NEW(arena, model->room, double);
    for (int k = 0; k < SL_SURROGATE_NETS; k++) {
        model->params[k] = SL_NEW(arena, n, SlReal);
        if (!model->params[k] || !sl_adam_make(n, model->options.rate, arena, &model->adam[k]))
            return false;
    }
    return model->grad && model->work && model->batch && model->slope && model->rows &&
           model->scores;
}

SlSurrogate *sl_surrogate_make(int n, const SlSurrogateOptions *options, int64_t most, SlRng rng,
                               SlArena *arena) {
    SlSurrogate *model = SL_NEW(arena, 1, SlSurrogate);
    if (!model) return NULL;
    int hidden = (int)options->hidden;
    *model = (SlSurrogate){.n = n,
                           .options = *options,
                           .shape = {3, {n, hidden, hidden, 1}, SL_LEAKY_RELU},
                           .room = most,
                           .best = INFINITY,
                           .rng = rng};
    if (!alloc_model(model, arena)) return NULL;
    for (int k = 0; k < SL_SURROGATE_NETS; k++) {
        model->adam[k].beta2 = 0.99;
        model->adam[k].decay = options->decay;
        sl_mlp_init(&model->shape, &model->rng, model->params[k]);
        sl_mlp_scale_last(&model->shape, (SlReal)0.1, model->params[k]);
    }
    return model;
}

int64_t sl_surrogate_n(const SlSurrogate *model) {
    return model->seen;
}

void sl_surrogate_add(SlSurrogate *model, const double *x, double score) {
    int64_t row = model->seen++ % model->room;
    for (int i = 0; i < model->n; i++) model->rows[row * model->n + i] = (float)x[i];
    model->scores[row] = score;
    model->best = fmin(model->best, score);
}

// what is taught of a score: fine near the best, coarse far from it
static double lesson(const SlSurrogate *model, double score) {
    return log1p(fmax(score - model->best, 0) / model->options.focus);
}

static int64_t draw_row(SlSurrogate *model) {
    int64_t n = model->seen < model->room ? model->seen : model->room;
    int64_t span = sl_rng_below(&model->rng, 3) == 0 ? (n + 3) / 4 : n;
    int64_t back = 1 + (int64_t)sl_rng_below(&model->rng, (uint64_t)span);
    return (model->seen - back) % model->room;
}

static void learn_batch(SlSurrogate *model, int k) {
    double lessons[SL_SURROGATE_BATCH];
    SlReal pull[SL_SURROGATE_BATCH];
    for (int j = 0; j < SL_SURROGATE_BATCH; j++) {
        int64_t row = draw_row(model);
        for (int i = 0; i < model->n; i++)
            model->batch[j * model->n + i] = (SlReal)model->rows[row * model->n + i];
        lessons[j] = lesson(model, model->scores[row]);
    }
    const SlReal *guess = sl_mlp_forward(&model->shape, model->params[k], SL_SURROGATE_BATCH,
                                         model->batch, model->work);
    for (int j = 0; j < SL_SURROGATE_BATCH; j++) {
        double error = (double)guess[j] - lessons[j];
        pull[j] = (SlReal)(fmin(fmax(error, -1), 1) / SL_SURROGATE_BATCH);
    }
    memset(model->grad, 0, model->adam[k].n * sizeof *model->grad);
    sl_mlp_backward(&model->shape, model->params[k], SL_SURROGATE_BATCH, model->batch, model->work,
                    pull, model->grad, NULL);
    sl_adam_step(&model->adam[k], model->params[k], model->grad);
}

void sl_surrogate_learn(SlSurrogate *model, int steps) {
    for (int step = 0; step < steps && model->seen > 0; step++)
        for (int k = 0; k < SL_SURROGATE_NETS; k++) learn_batch(model, k);
}

static void take_rows(SlSurrogate *model, int rows, const double *xs) {
    assert(rows <= SL_SURROGATE_ROWS);
    for (int i = 0; i < rows * model->n; i++) model->batch[i] = (SlReal)xs[i];
}

void sl_surrogate_guess(SlSurrogate *model, int rows, const double *xs, double optimism,
                        double *guesses) {
    double mean[SL_SURROGATE_ROWS] = {0}, square[SL_SURROGATE_ROWS] = {0};
    take_rows(model, rows, xs);
    for (int k = 0; k < SL_SURROGATE_NETS; k++) {
        const SlReal *guess =
            sl_mlp_forward(&model->shape, model->params[k], rows, model->batch, model->work);
        for (int j = 0; j < rows; j++) {
            mean[j] += (double)guess[j] / SL_SURROGATE_NETS;
            square[j] += (double)guess[j] * (double)guess[j] / SL_SURROGATE_NETS;
        }
    }
    for (int j = 0; j < rows; j++)
        guesses[j] = mean[j] - optimism * sqrt(fmax(square[j] - mean[j] * mean[j], 0));
}

void sl_surrogate_slope(SlSurrogate *model, int net, int rows, const double *xs, double *slopes) {
    SlReal pull[SL_SURROGATE_ROWS];
    take_rows(model, rows, xs);
    for (int j = 0; j < rows; j++) pull[j] = 1;
    sl_mlp_forward(&model->shape, model->params[net], rows, model->batch, model->work);
    sl_mlp_backward(&model->shape, model->params[net], rows, model->batch, model->work, pull,
                    model->grad, model->slope);
    for (int i = 0; i < rows * model->n; i++) slopes[i] = (double)model->slope[i];
}
