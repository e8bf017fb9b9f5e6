// rivals.c - what networks, kernels and weights taught before say of a point.
#include "rivals.h"

#include <math.h>
#include <string.h>

#include "flock_inside.h"

static const double MOST_INPUT = 4; // deviations beyond which an input is cut off

bool sl_rivals_asker(const SlRivals *rivals, const float *deviation, double bend, SlArena *arena,
                     SlRivalAsker *asker) {
    const int n_inputs = rivals->shape.width[0];
    *asker = (SlRivalAsker){
        .rivals = rivals, .deviation = deviation, .bend = bend, .n_inputs = n_inputs};
    asker->x = SL_NEW(arena, SL_RIVAL_ROWS * n_inputs, SlReal);
    asker->work = SL_NEW(arena, sl_mlp_work(&rivals->shape, SL_RIVAL_ROWS), SlReal);
    return asker->x && asker->work;
}

void sl_rivals_scale(const SlRivals *rivals, const float *deviation, const float *row, SlReal *x) {
    for (int f = 0; f < rivals->shape.width[0]; f++) {
        double v = ((double)row[f] - (double)rivals->mean[f]) / (double)deviation[f];
        x[f] = (SlReal)fmin(fmax(v, -MOST_INPUT), MOST_INPUT);
    }
}

static void scale_rows(const SlRivalAsker *asker, int n, const float *inputs) {
    const size_t width = (size_t)asker->n_inputs;
    for (size_t i = 0; i < (size_t)n; i++)
        sl_rivals_scale(asker->rivals, asker->deviation, inputs + i * width, asker->x + i * width);
}

const SlReal *sl_rivals_ask(const SlRivalAsker *asker, int net, int n, const float *inputs) {
    const SlRivals *rivals = asker->rivals;
    scale_rows(asker, n, inputs);
    return sl_mlp_forward(&rivals->shape, rivals->weights[net], n, asker->x, asker->work);
}

void sl_rivals_embed(const SlRivalAsker *asker, int net, const float *row, float *last) {
    SlMlpShape shape = asker->rivals->shape;
    shape.n_layers--;
    scale_rows(asker, 1, row);
    const SlReal *out =
        sl_mlp_forward(&shape, asker->rivals->weights[net], 1, asker->x, asker->work);
    for (int i = 0; i < SL_RIVAL_LAST; i++) last[i] = (float)out[i];
}

void sl_rivals_guess(const SlRivalAsker *asker, int n, const float *inputs, float *guess,
                     float *doubt) {
    double sum[SL_RIVAL_ROWS] = {0}, square[SL_RIVAL_ROWS] = {0};
    const int nets = asker->rivals->n_nets;
    const double bend = asker->bend;
    for (int net = 0; net < nets; net++) {
        const SlReal *one = sl_rivals_ask(asker, net, n, inputs);
        for (int i = 0; i < n; i++) {
            sum[i] += (double)one[i];
            square[i] += (double)one[i] * (double)one[i];
        }
    }
    for (int i = 0; i < n; i++) {
        double mean = sum[i] / nets, target = fmax(mean, -0.1);
        bool bent = bend > 0 && target > 0;
        double slope = bent ? exp(target / bend) : 1;
        guess[i] = (float)(bent ? sl_flock_unbend(target, bend) : target);
        if (doubt) doubt[i] = (float)(slope * sqrt(fmax(square[i] / nets - mean * mean, 0)));
    }
}

double sl_rivals_weigh(const SlRivalTerms *terms, const float *inputs) {
    double sum = 0;
    for (int k = 0; k < terms->n; k++)
        sum += (double)terms->weight[k] * (double)inputs[terms->input[k]];
    return sum;
}

// ---- kernels ----

void sl_rivals_groups(const SlTask *task, const float *deviation, SlRivalGroups *groups) {
    const int n_context = sl_task_n_context(task);
    const bool nests = sl_task_kind(task)->maps && sl_task_space(task)->accel;
    *groups = (SlRivalGroups){
        .n_inputs = sl_flock_n_inputs(task), .first = n_context, .deviation = deviation};
    for (int f = n_context; f < groups->n_inputs; f++) {
        groups->group[f] = nests ? (uint8_t)sl_task_feature_group(task, f - n_context) : 0;
        groups->size[groups->group[f]]++;
    }
}

void sl_rivals_apart(const SlRivalGroups *groups, const float *a, const float *b,
                     double by_group[SL_KERNEL_GROUPS]) {
    for (int g = 0; g < SL_KERNEL_GROUPS; g++) by_group[g] = 0;
    for (int f = groups->first; f < groups->n_inputs; f++) {
        double d = ((double)a[f] - (double)b[f]) / (double)groups->deviation[f];
        by_group[groups->group[f]] += d * d;
    }
    for (int g = 0; g < SL_KERNEL_GROUPS; g++)
        if (groups->size[g] > 0) by_group[g] /= groups->size[g];
}

// Matern 5/2 of a squared distance
static double matern(double square) {
    double d = sqrt(5 * square);
    return (1 + d + 5 * square / 3) * exp(-d);
}

double sl_rivals_covary(const SlRivalKernel *kernel, double square, int n, const double *last) {
    double mean = 0;
    for (int k = 0; k < n; k++) mean += matern(last[k]) / n;
    return exp(kernel->inputs) * matern(square) + exp(kernel->last) * mean;
}

// ---- is it sound? ----

static bool in_range(double x) {
    return x >= -40 && x <= 40; // a logarithm; false for NAN
}

static bool kernel_sound(const SlRivalKernel *kernel) {
    bool sound = in_range(kernel->inputs) && in_range(kernel->last) && in_range(kernel->reach) &&
                 in_range(kernel->noise);
    for (int g = 0; g < SL_KERNEL_GROUPS; g++) sound &= in_range(kernel->length[g]);
    return sound;
}

const char *sl_rivals_check(const SlRivals *rivals) {
    if (!kernel_sound(&rivals->process) || !kernel_sound(&rivals->fidelity))
        return "a kernel in it is impossible";
    return NULL;
}

SlMlpShape sl_rivals_shape(int n_inputs) {
    return (SlMlpShape){3, {n_inputs, SL_RIVAL_HIDDEN, SL_RIVAL_LAST, 1}, SL_LEAKY_RELU};
}
