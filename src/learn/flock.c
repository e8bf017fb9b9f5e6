// flock.c - what a flock says of a task it never saw.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flock_inside.h"
#include "starling/task/own_space.h"

const char *const sl_flock_layer_names[SL_N_FLOCK_LAYERS + 1] = {"convolution", "1x1", "depthwise",
                                                                 "product", NULL};

const SlFlockInfo *sl_flock_info(const SlFlock *flock) {
    return &flock->info;
}

// NULL, or what differs: who evaluates, the goal (NULL = none), the numbers that critics see
static const char *find_fault(const SlFlockInfo *info, const SlTaskKind *kind, const SlGoal *goal,
                              int n_context, int n_inputs) {
    char text[64] = "";
    if (strcmp(info->kind, kind->name) != 0) return "it was taught by another evaluator";
    if (goal) sl_goal_text(goal, sizeof text, text);
    if (goal && strcmp(info->goal, text) != 0) return "it was taught another objective";
    if (info->features != SL_FEATURES_VERSION)
        return "it was taught by another version of the program, which sees points otherwise";
    if (info->n_inputs != n_inputs || info->n_context != n_context)
        return "it was taught on machines with other levels, ports or links";
    return NULL;
}

// NULL, or what other core, processor or program it was taught by; rows that somebody measured
// suit any program
static const char *other_evaluator(const SlFlockInfo *info, const SlTask *task) {
    char text[sizeof info->evaluator];
    sl_task_platform(task, sizeof text, text);
    if (strcmp(info->kind, sl_task_kind(task)->name) != 0) return NULL;
    if (!info->evaluator[0] || !text[0] || strcmp(info->evaluator, text) == 0) return NULL;
    if (sl_task_kind(task) == &sl_kind_process) return "it was taught by another program";
    return sl_task_kind(task)->noisy ? "it was taught on another processor, or for other programs"
                                     : "it was taught on another core";
}

const char *sl_flock_check(const SlFlock *flock, const SlTask *task) {
    const SlTaskKind *kind = sl_task_kind(task);
    const char *other = other_evaluator(&flock->info, task);
    if (other) return other;
    bool goal = kind->maps && sl_task_space(task)->accel;
    return find_fault(&flock->info, kind, goal ? &sl_task_setup(task)->goal : NULL,
                      sl_task_n_context(task), sl_flock_n_inputs(task));
}

const char *sl_flock_suits(const SlFlock *flock, const SlTaskKind *kind, const SlGoal *goal,
                           const SlAccel *accel) {
    int n_context = sl_context_n(accel);
    return find_fault(&flock->info, kind, goal, n_context,
                      n_context + sl_features_n(accel) + sl_lines_n(accel));
}

void sl_flock_guess(const SlFlock *flock, int n, const float *inputs, float *guess, float *doubt) {
    enum { BLOCK = 64 };
    float one[BLOCK];
    const int members = flock->info.n_members;
    for (int begin = 0; begin < n; begin += BLOCK) {
        int count = n - begin < BLOCK ? n - begin : BLOCK;
        const float *rows = inputs + (size_t)begin * (size_t)flock->info.n_inputs;
        double sum[BLOCK] = {0}, square[BLOCK] = {0};
        for (int m = 0; m < members; m++) {
            sl_boost_trees_predict(&flock->members[m], count, rows, one);
            for (int i = 0; i < count; i++) {
                sum[i] += (double)one[i];
                square[i] += (double)one[i] * (double)one[i];
            }
        }
        for (int i = 0; i < count; i++) {
            double mean = sum[i] / members;
            double target = fmax(mean, -0.1);
            guess[begin + i] =
                (float)(flock->bend > 0 && target > 0 ? sl_flock_unbend(target, flock->bend)
                                                      : target);
            // how much more the distance changes than its target
            double slope = flock->bend > 0 ? exp(fmax(target, 0) / flock->bend) : 1;
            if (doubt)
                doubt[begin + i] =
                    (float)(slope * sqrt(fmax(square[i] / members - mean * mean, 0)));
        }
    }
}

int sl_flock_portfolio(const SlFlock *flock, const SlTask *task, int room, int32_t *points) {
    enum { NEAREST = 512 };
    const SlSpace *space = sl_task_space(task);
    const int n_context = flock->info.n_context, n_tasks = flock->info.n_tasks;
    float context[SL_FLOCK_MAX_INPUTS];
    double far[NEAREST];
    int order[NEAREST], n = 0, found = 0;
    sl_task_context(task, context);
    for (int k = 0; k < n_tasks; k++) {
        double d = sl_flock_apart(n_context, flock->deviation, context,
                                  flock->tasks + (size_t)k * (size_t)n_context);
        int at = n < NEAREST ? n++ : NEAREST - 1;
        if (at == NEAREST - 1 && n == NEAREST && k >= NEAREST && d >= far[at]) continue;
        while (at > 0 && far[at - 1] > d) {
            far[at] = far[at - 1];
            order[at] = order[at - 1];
            at--;
        }
        far[at] = d;
        order[at] = k;
    }
    // the best point of every near task, then their second ones ...
    for (int round = 0; found < room; round++) {
        bool any = false;
        for (int t = 0; t < n && found < room; t++) {
            int first = 0;
            while (first < flock->info.n_best && flock->best[first].task < order[t]) first++;
            int at = first + round;
            if (at >= flock->info.n_best || flock->best[at].task != order[t]) continue;
            any = true;
            sl_choices_place(space, flock->n_params, flock->choices + flock->best[at].first,
                             points + (size_t)found++ * (size_t)space->n_params);
        }
        if (!any) break;
    }
    return found;
}
