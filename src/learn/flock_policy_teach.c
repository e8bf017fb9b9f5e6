// flock_policy_teach.c - policies by imitation of the best points of every task.
//
// A point at distance d (log of its value over the task's best) weighs exp(-d / falloff); the
// weights of a task sum to one. Loss: minus the weighted log-probability of every choice, given the
// choices before it in one half of the passes and all others in the other half. Adam (Kingma & Ba
// 2015), its rate falling to zero in a straight line.
//
// Points are taken as they stand after repair, where the space can say it: what does not fit into a
// buffer teaches nothing about sizes.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flock_inside.h"

enum { BATCH = 32, MOST_POINTS = 256 };
static const double FARTHEST = 4;   // points beyond so many falloffs teach nothing
static const double WIDE_SPEED = 2; // products per time of a joint layer over an agent's, measured

// By the likelihood of the best points of tasks held out of 300; longer or faster teaching
// overfits.
const SlFlockPolicyOptions sl_flock_policy_usual = {
    .hidden = 24, .epochs = 12, .rate = 1e-3, .decay = 1, .falloff = 0.1, .most = 48};

typedef struct {
    int task;
    double weight;
    const int32_t *point; // (n_params)
    const float *x;       // (n_inputs)
} Example;

typedef struct {
    int n_lessons;
    const SlLesson *lessons;
    SlFlockPolicyOptions options;
    SlFlockPolicy *policy;
    SlBoundPolicy *bound; // (n_lessons)
    int n_examples, epochs;
    Example *examples; // by task
    SlArena *arenas;   // (n_trunks)
    bool *failed;      // (n_trunks)
} Teacher;

// ---- heads ----

// spreads first, then clusters, orders, tiles from the outermost level in, knobs
static int rank_of(const SlChoice *key) {
    static const int rank[] = {[SL_ROLE_ORDER] = 2,
                               [SL_ROLE_PARALLEL] = 0,
                               [SL_ROLE_TILE] = 3,
                               [SL_ROLE_CLUSTER] = 1,
                               [SL_ROLE_KNOB] = 4};
    return rank[key->role] * 128 + (key->role == SL_ROLE_TILE ? key->level : 0);
}

static void add_head(SlFlockPolicy *policy, const SlParam *param, const SlChoice *key) {
    for (int h = 0; h < policy->n_heads; h++)
        if (sl_choice_suits(&policy->heads[h].key, param)) return;
    if (policy->n_heads == SL_MAX_PARAMS) return;
    int at = policy->n_heads++;
    for (; at > 0 && rank_of(&policy->heads[at - 1].key) > rank_of(key); at--)
        policy->heads[at] = policy->heads[at - 1];
    policy->heads[at] = (SlHead){.key = *key};
    policy->heads[at].key.value = 0;
    policy->heads[at].key.whole = false;
}

// every parameter that some task lets choose
static void find_heads(const Teacher *teacher, SlFlockPolicy *policy) {
    for (int k = 0; k < teacher->n_lessons; k++) {
        const SlSpace *space = sl_task_space(teacher->lessons[k].task);
        const int32_t origin[SL_MAX_PARAMS] = {0};
        SlChoice keys[SL_MAX_PARAMS];
        sl_choices_of(space, origin, keys);
        for (int i = 0; i < space->n_params; i++) {
            const SlParam *param = &space->params[i];
            if (param->n < 2) continue;
            if (param->kind != SL_PERMUTATION && param->n > SL_HEAD_MOST_VALUES) continue;
            add_head(policy, param, &keys[i]);
        }
    }
}

static bool find_scales(const Teacher *teacher, SlFlockPolicy *policy, SlArena *arena) {
    const int n = policy->n_context;
    double square[SL_FLOCK_MAX_INPUTS] = {0}, sum[SL_FLOCK_MAX_INPUTS] = {0};
    policy->mean = SL_NEW(arena, n, float);
    policy->deviation = SL_NEW(arena, n, float);
    if (!policy->mean || !policy->deviation) return false;
    for (int k = 0; k < teacher->n_lessons; k++) {
        float context[SL_FLOCK_MAX_INPUTS];
        sl_task_context(teacher->lessons[k].task, context);
        for (int c = 0; c < n; c++) {
            sum[c] += (double)context[c];
            square[c] += (double)context[c] * (double)context[c];
        }
    }
    for (int c = 0; c < n; c++) {
        double mean = sum[c] / teacher->n_lessons;
        double variance = square[c] / teacher->n_lessons - mean * mean;
        policy->mean[c] = (float)mean;
        policy->deviation[c] = (float)fmax(sqrt(fmax(variance, 0)), 0.1);
    }
    return true;
}

// ---- shapes of equal size ----

// multiplications of all heads, once
static double products(const SlFlockPolicy *policy) {
    double sum = 0;
    for (int h = 0; h < policy->n_heads; h++)
        sum += policy->hidden * (policy->n_inputs + sl_head_n_out(&policy->heads[h].key));
    return sum;
}

// the joint policy gets the weights of all agents, and passes for as much time
static bool choose_shape(Teacher *teacher) {
    SlFlockPolicy *policy = teacher->policy;
    policy->hidden = teacher->options.hidden;
    policy->n_trunks = policy->n_heads;
    teacher->epochs = teacher->options.epochs;
    if (!sl_flock_policy_lay_out(policy)) return false;
    if (!teacher->options.joint) return true;
    const double weights = (double)policy->trunks[policy->n_trunks], work = products(policy);
    double per_unit = policy->n_inputs + 1;
    for (int h = 0; h < policy->n_heads; h++) per_unit += sl_head_n_out(&policy->heads[h].key);
    policy->n_trunks = 1;
    policy->hidden = (int)fmin(fmax(weights / per_unit, 1), SL_TRUNK_MOST_HIDDEN);
    if (!sl_flock_policy_lay_out(policy)) return false;
    teacher->epochs = (int)fmax(1, round(teacher->epochs * WIDE_SPEED * work / products(policy)));
    return true;
}

// ---- examples ----

// rows of a lesson by score, best first, near enough to the best to teach; how many
static int near_rows(const Teacher *teacher, const SlLesson *lesson, int *rows) {
    const int most = teacher->options.most < MOST_POINTS ? teacher->options.most : MOST_POINTS;
    double least = INFINITY;
    int n = 0;
    for (int i = 0; i < lesson->n; i++) least = fmin(least, log(lesson->values[i]));
    for (int i = 0; i < lesson->n; i++) {
        double score = log(lesson->values[i]);
        if (!lesson->placed[i] || !(score <= least + FARTHEST * teacher->options.falloff)) continue;
        int at = n < most ? n++ : most;
        for (; at > 0 && log(lesson->values[rows[at - 1]]) > score; at--)
            if (at < most) rows[at] = rows[at - 1];
        if (at < most) rows[at] = i;
    }
    return n;
}

static bool add_example(Teacher *teacher, int k, int row, double weight, SlArena *arena) {
    const SlLesson *lesson = &teacher->lessons[k];
    const SlSpace *space = sl_task_space(lesson->task);
    const size_t n = (size_t)space->n_params;
    const int32_t *point = lesson->points + (size_t)row * n;
    int32_t *repaired = SL_NEW(arena, n, int32_t);
    float *x = SL_NEW(arena, teacher->policy->n_inputs, float);
    if (!repaired || !x) return false;
    if (!space->accel || !sl_space_repaired(space, point, repaired))
        memcpy(repaired, point, n * sizeof *point);
    sl_flock_policy_inputs(&teacher->bound[k], repaired, x);
    teacher->examples[teacher->n_examples++] =
        (Example){.task = k, .weight = weight, .point = repaired, .x = x};
    return true;
}

static bool gather_lesson(Teacher *teacher, int k, SlArena *arena) {
    const SlLesson *lesson = &teacher->lessons[k];
    int rows[MOST_POINTS];
    double weights[MOST_POINTS], sum = 0;
    int n = near_rows(teacher, lesson, rows);
    for (int i = 0; i < n; i++) {
        double distance = log(lesson->values[rows[i]]) - log(lesson->values[rows[0]]);
        weights[i] = exp(-distance / teacher->options.falloff);
        sum += weights[i];
    }
    for (int i = 0; i < n; i++)
        if (!add_example(teacher, k, rows[i], weights[i] / sum, arena)) return false;
    return true;
}

static bool gather(Teacher *teacher, SlArena *arena) {
    const int n = teacher->n_lessons;
    teacher->bound = SL_NEW(arena, n, SlBoundPolicy);
    teacher->examples = SL_NEW(arena, n * MOST_POINTS, Example);
    if (!teacher->bound || !teacher->examples) return false;
    for (int k = 0; k < n; k++)
        if (!sl_flock_policy_bind(teacher->policy, teacher->lessons[k].task, arena,
                                  &teacher->bound[k]) ||
            !gather_lesson(teacher, k, arena))
            return false;
    return true;
}

// ---- learning ----

// He et al. (2015) for W; V small, so that heads begin near uniform
static void start_weights(SlFlockPolicy *policy, int trunk, SlRng *rng) {
    const size_t hidden = (size_t)policy->hidden;
    const double scale = sqrt(2.0 / policy->n_inputs);
    SlReal *w = policy->weights + policy->trunks[trunk];
    for (size_t i = 0; i < (size_t)policy->n_inputs * hidden; i++)
        w[i] = (SlReal)(scale * sl_rng_normal(rng));
    for (int h = 0; h < policy->n_heads; h++) {
        if (policy->heads[h].trunk != trunk) continue;
        SlReal *v = policy->weights + policy->heads[h].first;
        for (size_t i = 0; i < hidden * (size_t)sl_head_n_out(&policy->heads[h].key); i++)
            v[i] = (SlReal)(0.02 * sl_rng_normal(rng));
    }
}

// gradient of the loss of one example, all heads of the trunk
static void learn_example(const Teacher *teacher, int trunk, const Example *example, bool all,
                          SlReal *grad) {
    const SlFlockPolicy *policy = teacher->policy;
    const SlBoundPolicy *bound = &teacher->bound[example->task];
    // an average task has so many of the examples of a batch
    const double scale = -example->weight * teacher->n_examples / teacher->n_lessons / BATCH;
    for (int h = 0; h < policy->n_heads; h++) {
        int i = bound->param[h];
        if (i < 0 || policy->heads[h].trunk != trunk || bound->space->params[i].n < 2) continue;
        sl_flock_policy_gradient(bound, example->point, example->x, i, all, scale, grad);
    }
}

static bool teach_trunk(const Teacher *teacher, int trunk, SlArena *arena) {
    SlFlockPolicy *policy = teacher->policy;
    const size_t n = policy->trunks[trunk + 1] - policy->trunks[trunk];
    SlReal *grad = SL_NEW(arena, n, SlReal), *weights = policy->weights + policy->trunks[trunk];
    int *order = SL_NEW(arena, teacher->n_examples, int);
    SlAdam adam;
    SlRng rng;
    char stream[32];
    if (!grad || !order || !sl_adam_make(n, teacher->options.rate, arena, &adam)) return false;
    adam.decay = teacher->options.decay;
    snprintf(stream, sizeof stream, "policy %d", trunk);
    sl_rng_init(&rng, teacher->options.seed, stream);
    start_weights(policy, trunk, &rng);
    for (int i = 0; i < teacher->n_examples; i++) order[i] = i;
    for (int epoch = 0; epoch < teacher->epochs; epoch++) {
        adam.rate = teacher->options.rate * (1 - (double)epoch / teacher->epochs);
        sl_rng_shuffle(&rng, teacher->n_examples, order);
        for (int i = 0; i < teacher->n_examples; i++) {
            learn_example(teacher, trunk, &teacher->examples[order[i]], (i + epoch) % 2, grad);
            if (i % BATCH != BATCH - 1 && i != teacher->n_examples - 1) continue;
            sl_adam_step(&adam, weights, grad);
            memset(grad, 0, n * sizeof *grad);
        }
    }
    return true;
}

static void trunk_work(void *context, int trunk, int worker) {
    Teacher *teacher = context;
    (void)worker;
    teacher->failed[trunk] = !teach_trunk(teacher, trunk, &teacher->arenas[trunk]);
}

static SlStatus teach_trunks(Teacher *teacher, SlPool *pool, SlArena *scratch) {
    const int n = teacher->policy->n_trunks;
    SlStatus status = SL_OK;
    teacher->arenas = SL_NEW(scratch, n, SlArena);
    teacher->failed = SL_NEW(scratch, n, bool);
    if (!teacher->arenas || !teacher->failed) return SL_ENOMEM;
    for (int t = 0; t < n; t++) sl_arena_init(&teacher->arenas[t], 0);
    if (pool)
        sl_pool_run(pool, n, trunk_work, teacher);
    else
        for (int t = 0; t < n; t++) trunk_work(teacher, t, 0);
    for (int t = 0; t < n; t++) {
        if (teacher->failed[t]) status = SL_ENOMEM;
        sl_arena_free(&teacher->arenas[t]);
    }
    return status;
}

SlStatus sl_flock_policy_teach(int n, const SlLesson *lessons, const SlFlockPolicyOptions *options,
                               SlPool *pool, SlArena *arena, SlFlockPolicy *policy) {
    Teacher teacher = {.n_lessons = n, .lessons = lessons, .options = *options, .policy = policy};
    *policy = (SlFlockPolicy){.n_context = sl_task_n_context(lessons[0].task)};
    find_heads(&teacher, policy);
    if (policy->n_heads == 0) return SL_OK;
    if (!choose_shape(&teacher) || !find_scales(&teacher, policy, arena)) return SL_ENOMEM;
    policy->weights = SL_NEW(arena, policy->trunks[policy->n_trunks], SlReal);
    if (!policy->weights) return SL_ENOMEM;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    SlStatus status =
        gather(&teacher, &scratch) ? teach_trunks(&teacher, pool, &scratch) : SL_ENOMEM;
    sl_arena_free(&scratch);
    return status;
}
