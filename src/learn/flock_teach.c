// flock_teach.c - the central critic: boosted trees taught by the samples of many tasks.
//
// Target of a point: the logarithm of its value over the best of its task, at most `cap` (failures
// have the cap), bent so that differences near the best weigh more:
//
//   target = bend log(1 + distance / bend)             bend > 0; distance itself where bend = 0
//
// Member m is taught by all tasks but those whose number leaves m when divided by the number of
// members. So each task has one critic that never saw it: what it says of the task's points is how
// the flock is judged, and where members differ little was seen.
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "flock_inside.h"
#include "starling/task/own_space.h"

static const double NEAR = 0.5; // log of value over best

const SlOption sl_teach_options[] = {
    SL_OPT_WHOLE(SlTeachOptions, "members", members, "4", 2, SL_FLOCK_MAX_MEMBERS, "N",
                 "critics, each trained without one share of the tasks"),
    SL_OPT_WHOLE(SlTeachOptions, "trees", trees, "400", 1, 10000, "N", "trees per critic"),
    SL_OPT_WHOLE(SlTeachOptions, "depth", depth, "4", 1, SL_BOOST_MAX_DEPTH, "N",
                 "depth of a tree"),
    SL_OPT_REAL(SlTeachOptions, "rate", rate, "0.1", 0.001, 1, "X",
                "learning rate of the boosting"),
    SL_OPT_REAL(SlTeachOptions, "share", share, "0.5", 0.01, 1, "X",
                "share of the samples seen by each tree"),
    SL_OPT_REAL(SlTeachOptions, "cap", cap, "2", 0.01, 100, "X",
                "cap on log(value / best); worse points count as equally bad"),
    SL_OPT_REAL(SlTeachOptions, "bend", bend, "0.3", 0, 100, "X",
                "log distance from the best below which differences weigh most; 0 = equal weights"),
    SL_OPT_WHOLE(SlTeachOptions, "best", best, "8", 1, 1000, "N", "best points kept per task"),
    SL_OPT_FLAG(SlTeachOptions, "policies", policies,
                "train policies of the agents, and of a single agent for comparison"),
    SL_OPT_FLAG(SlTeachOptions, "rivals", rivals,
                "train rival estimators to compare the critic with (docs/methods/flock.md)"),
    {0},
};

double sl_flock_bend(double distance, double cap, double bend) {
    distance = fmin(distance, cap);
    return bend > 0 ? bend * log1p(distance / bend) : distance;
}

double sl_flock_unbend(double target, double bend) {
    return bend > 0 ? bend * expm1(target / bend) : target;
}

// ---- rows ----

typedef struct {
    int n_lessons, n_inputs, n_rows;
    const SlLesson *lessons;
    SlTeachOptions options;
    double *least; // (n_lessons) score
    float *x, *y;  // (n_rows, n_inputs), (n_rows) bent
    float *far;    // (n_rows) distance, at most the cap
    int *task;     // (n_rows)
    SlFlock *flock;
    SlArena arenas[SL_FLOCK_MAX_MEMBERS];
    bool failed[SL_FLOCK_MAX_MEMBERS];
    double *tau, *regret1, *regret3, *error2; // (n_lessons)
} Teacher;

static bool gather_rows(Teacher *teacher, SlArena *scratch) {
    for (int k = 0; k < teacher->n_lessons; k++) teacher->n_rows += teacher->lessons[k].n;
    size_t rows = (size_t)teacher->n_rows, width = (size_t)teacher->n_inputs;
    teacher->x = SL_NEW(scratch, rows * width, float);
    teacher->y = SL_NEW(scratch, rows, float);
    teacher->far = SL_NEW(scratch, rows, float);
    teacher->task = SL_NEW(scratch, rows, int);
    teacher->least = SL_NEW(scratch, teacher->n_lessons, double);
    teacher->tau = SL_NEW(scratch, 4 * teacher->n_lessons, double);
    if (!teacher->x || !teacher->y || !teacher->far || !teacher->task || !teacher->least ||
        !teacher->tau)
        return false;
    teacher->regret1 = teacher->tau + teacher->n_lessons;
    teacher->regret3 = teacher->regret1 + teacher->n_lessons;
    teacher->error2 = teacher->regret3 + teacher->n_lessons;
    int row = 0;
    for (int k = 0; k < teacher->n_lessons; k++) {
        const SlLesson *lesson = &teacher->lessons[k];
        double least = INFINITY;
        for (int i = 0; i < lesson->n; i++) least = fmin(least, log(lesson->values[i]));
        teacher->least[k] = least;
        memcpy(teacher->x + (size_t)row * width, lesson->inputs,
               (size_t)lesson->n * width * sizeof *teacher->x);
        for (int i = 0; i < lesson->n; i++, row++) {
            teacher->task[row] = k;
            double distance = log(lesson->values[i]) - least;
            teacher->far[row] = (float)fmin(distance, teacher->options.cap);
            teacher->y[row] =
                (float)sl_flock_bend(distance, teacher->options.cap, teacher->options.bend);
        }
    }
    return true;
}

// ---- critics ----

static bool left_out(const Teacher *teacher, int member, int task) {
    int64_t members = teacher->options.members;
    return members > 1 && task % members == member;
}

static bool copy_trees(const SlBoostTrees *from, SlArena *arena, SlBoostTrees *to) {
    size_t leaves = (size_t)from->n_trees << from->depth, nodes = leaves - (size_t)from->n_trees;
    *to = *from;
    to->nodes = SL_NEW(arena, nodes, SlBoostNode);
    to->leaves = SL_NEW(arena, leaves, float);
    if (!to->nodes || !to->leaves) return false;
    memcpy(to->nodes, from->nodes, nodes * sizeof *to->nodes);
    memcpy(to->leaves, from->leaves, leaves * sizeof *to->leaves);
    return true;
}

// one critic, in an arena of its own
static bool fit_member(Teacher *teacher, int m, SlArena *arena) {
    const SlTeachOptions *options = &teacher->options;
    size_t width = (size_t)teacher->n_inputs, room = (size_t)teacher->n_rows;
    float *x = SL_NEW(arena, room * width, float), *y = SL_NEW(arena, room, float);
    if (!x || !y) return false;
    int n = 0;
    for (int row = 0; row < teacher->n_rows; row++) {
        if (left_out(teacher, m, teacher->task[row])) continue;
        memcpy(x + (size_t)n * width, teacher->x + (size_t)row * width, width * sizeof *x);
        y[n++] = teacher->y[row];
    }
    int deeper = options->depth > 3 ? (int)options->depth - 3 : 0;
    SlBoost *boost = sl_boost_make(teacher->n_inputs, n, (int)options->trees << deeper, arena);
    if (!boost) return false;
    SlBoostOptions fit = {.loss = SL_BOOST_SQUARED,
                          .depth = (int)options->depth,
                          .rounds = (int)options->trees,
                          .rate = options->rate,
                          .lambda = 1,
                          .child = 5,
                          .top = 1,
                          .share = options->share};
    SlRng rng;
    char stream[32];
    snprintf(stream, sizeof stream, "critic %d", m);
    sl_rng_init(&rng, options->seed, stream);
    sl_boost_fit(boost, &fit, n, x, y, NULL, &rng);
    teacher->flock->members[m] = *sl_boost_trees(boost);
    return true;
}

static void fit_work(void *context, int m, int worker) {
    Teacher *teacher = context;
    (void)worker;
    teacher->failed[m] = !fit_member(teacher, m, &teacher->arenas[m]);
}

// ---- how good they are ----

// Kendall's tau-a of guesses and targets (n); rows of equal targets do not count
static double kendall(int n, const float *guess, const float *target) {
    double agree = 0, pairs = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            float a = target[i] - target[j], b = guess[i] - guess[j];
            if (a == 0) continue;
            pairs++;
            agree += b == 0 ? 0 : (a > 0) == (b > 0) ? 1 : -1;
        }
    return pairs > 0 ? agree / pairs : 1;
}

// variance of the error of guesses (n, bent) among points near the best
static double error_near(const SlLesson *lesson, double least, const float *guess, double bend) {
    double sum = 0, square = 0;
    int n = 0;
    for (int i = 0; i < lesson->n; i++) {
        double distance = log(lesson->values[i]) - least;
        if (distance > NEAR) continue;
        double error = distance - sl_flock_unbend((double)guess[i], bend);
        sum += error;
        square += error * error;
        n++;
    }
    return n > 1 ? fmax(square / n - sum / n * (sum / n), 0) : 0;
}

// the least score among the `picks` best guesses (ties: the first), over the best
static double regret(const SlLesson *lesson, double least, const float *guess, int picks) {
    int chosen[8];
    double best = INFINITY;
    for (int p = 0; p < picks && p < lesson->n; p++) {
        int at = -1;
        for (int i = 0; i < lesson->n; i++) {
            bool taken = false;
            for (int q = 0; q < p; q++) taken |= chosen[q] == i;
            if (!taken && (at < 0 || guess[i] < guess[at])) at = i;
        }
        chosen[p] = at;
        best = fmin(best, log(lesson->values[at]));
    }
    return best - least;
}

static void judge_work(void *context, int k, int worker) {
    Teacher *teacher = context;
    const SlLesson *lesson = &teacher->lessons[k];
    (void)worker;
    float guess[4096];
    int n = lesson->n < 4096 ? lesson->n : 4096, row = 0;
    int m = (int)(k % teacher->options.members);
    while (teacher->task[row] != k) row++;
    sl_boost_trees_predict(&teacher->flock->members[m], n, lesson->inputs, guess);
    SlLesson seen = *lesson;
    seen.n = n;
    teacher->tau[k] = kendall(n, guess, teacher->y + row);
    teacher->error2[k] = error_near(&seen, teacher->least[k], guess, teacher->options.bend);
    teacher->regret1[k] = regret(&seen, teacher->least[k], guess, 1);
    teacher->regret3[k] = regret(&seen, teacher->least[k], guess, 3);
}

void sl_flock_run(SlPool *pool, int n, SlWork *work, void *context) {
    if (pool)
        sl_pool_run(pool, n, work, context);
    else
        for (int i = 0; i < n; i++) work(context, i, 0);
}

static double mean_factor(int n, const double *logs) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fmin(logs[i], 100);
    return exp(sum / n);
}

static SlFlockLayer layer_kind(const SlLayer *layer) {
    const int64_t *dims = layer->dims;
    if (dims[SL_G] > 1 && dims[SL_K] == 1 && dims[SL_C] == 1) return SL_FLOCK_DEPTHWISE;
    if (dims[SL_R] * dims[SL_S] > 1) return SL_FLOCK_CONVOLUTION;
    return dims[SL_P] == 1 || dims[SL_Q] == 1 ? SL_FLOCK_PRODUCT : SL_FLOCK_POINTWISE;
}

// sums over its tasks first
static void add_skill(const Teacher *teacher, int k, SlFlockSkill *skill) {
    skill->n_tasks++;
    skill->tau += teacher->tau[k];
    skill->regret1 += fmin(teacher->regret1[k], 100);
    skill->error += teacher->error2[k];
}

static void sum_up(Teacher *teacher) {
    SlFlockInfo *info = &teacher->flock->info;
    info->tau = sl_mean(teacher->n_lessons, teacher->tau);
    info->error = sqrt(sl_mean(teacher->n_lessons, teacher->error2));
    info->regret1 = mean_factor(teacher->n_lessons, teacher->regret1);
    info->regret3 = mean_factor(teacher->n_lessons, teacher->regret3);
    for (int k = 0; k < teacher->n_lessons; k++) {
        const SlLayer *layer = sl_task_layer(teacher->lessons[k].task);
        if (layer) add_skill(teacher, k, &info->skills[layer_kind(layer)]);
    }
    for (int i = 0; i < SL_N_FLOCK_LAYERS; i++) {
        SlFlockSkill *skill = &info->skills[i];
        if (skill->n_tasks == 0) continue;
        skill->tau /= skill->n_tasks;
        skill->regret1 = exp(skill->regret1 / skill->n_tasks);
        skill->error = sqrt(skill->error / skill->n_tasks);
    }
}

// ---- tasks and their best points ----

static void find_deviations(const Teacher *teacher, float *deviation) {
    for (int f = 0; f < teacher->n_inputs; f++) {
        double sum = 0, square = 0;
        for (int row = 0; row < teacher->n_rows; row++) {
            double v = (double)teacher->x[(size_t)row * (size_t)teacher->n_inputs + (size_t)f];
            sum += v;
            square += v * v;
        }
        double mean = sum / teacher->n_rows;
        deviation[f] = (float)fmax(sqrt(fmax(square / teacher->n_rows - mean * mean, 0)), 1e-3);
    }
}

// rows of a lesson that have a point and no equal before them, best first; how many
static int best_rows(const SlLesson *lesson, int most, int *rows) {
    int n = 0;
    const size_t width = (size_t)lesson->n_inputs;
    for (; n < most; n++) {
        int at = -1;
        for (int i = 0; i < lesson->n; i++) {
            if (!lesson->placed[i] || !isfinite(lesson->values[i])) continue;
            if (at >= 0 && lesson->values[i] >= lesson->values[at]) continue;
            bool twin = false;
            for (int k = 0; k < n && !twin; k++)
                twin = rows[k] == i ||
                       memcmp(lesson->inputs + (size_t)rows[k] * width,
                              lesson->inputs + (size_t)i * width, width * sizeof(float)) == 0;
            if (!twin) at = i;
        }
        if (at < 0) break;
        rows[n] = at;
    }
    return n;
}

static bool keep_best(Teacher *teacher, SlArena *arena) {
    SlFlock *flock = teacher->flock;
    const int most = (int)teacher->options.best, n_context = flock->info.n_context;
    int rows[1000], n_params = 0;
    for (int k = 0; k < teacher->n_lessons; k++) {
        int n = sl_task_space(teacher->lessons[k].task)->n_params;
        n_params = n > n_params ? n : n_params;
    }
    size_t room = (size_t)teacher->n_lessons * (size_t)most;
    flock->n_params = n_params;
    flock->best = SL_NEW(arena, room, SlBestPoint);
    flock->choices = SL_NEW(arena, room * (size_t)n_params, SlChoice);
    flock->tasks = SL_NEW(arena, teacher->n_lessons * n_context, float);
    if (!flock->best || !flock->choices || !flock->tasks) return false;
    for (int k = 0; k < teacher->n_lessons; k++) {
        const SlLesson *lesson = &teacher->lessons[k];
        const SlSpace *space = sl_task_space(lesson->task);
        sl_task_context(lesson->task, flock->tasks + (size_t)k * (size_t)n_context);
        int n = best_rows(lesson, most, rows);
        for (int i = 0; i < n; i++) {
            int at = flock->info.n_best++;
            SlChoice *choices = flock->choices + (size_t)at * (size_t)n_params;
            flock->best[at] =
                (SlBestPoint){.task = k,
                              .distance = (float)(log(lesson->values[rows[i]]) - teacher->least[k]),
                              .first = at * n_params};
            for (int p = 0; p < n_params; p++) choices[p].kind = -1;
            sl_choices_of(space, lesson->points + (size_t)rows[i] * (size_t)space->n_params,
                          choices);
        }
    }
    return true;
}

static SlStatus teach_policies(Teacher *teacher, SlPool *pool, SlArena *arena) {
    SlStatus status = SL_OK;
    for (int k = 0; k < SL_N_FLOCK_POLICIES && status == SL_OK; k++) {
        SlFlockPolicyOptions options = sl_flock_policy_usual;
        options.joint = k == SL_FLOCK_JOINT;
        options.seed = teacher->options.seed;
        status = sl_flock_policy_teach(teacher->n_lessons, teacher->lessons, &options, pool, arena,
                                       &teacher->flock->policies[k]);
    }
    return status;
}

static bool teach_rivals(const Teacher *teacher, SlPool *pool, SlArena *arena) {
    const SlRivalLessons taught = {.n = teacher->n_lessons,
                                   .n_inputs = teacher->n_inputs,
                                   .n_rows = teacher->n_rows,
                                   .lessons = teacher->lessons,
                                   .x = teacher->x,
                                   .targets = teacher->y,
                                   .distances = teacher->far,
                                   .deviation = teacher->flock->deviation,
                                   .bend = teacher->options.bend,
                                   .seed = teacher->options.seed};
    return sl_rivals_teach(&taught, pool, arena, &teacher->flock->rivals);
}

// ---- a flock ----

static void describe(const Teacher *teacher, SlFlock *flock) {
    const SlTask *task = teacher->lessons[0].task;
    SlFlockInfo *info = &flock->info;
    *info = (SlFlockInfo){.n_inputs = teacher->n_inputs,
                          .n_context = sl_task_n_context(task),
                          .n_tasks = teacher->n_lessons,
                          .evaluations = teacher->n_rows,
                          .n_members = (int)teacher->options.members,
                          .features = SL_FEATURES_VERSION};
    const char *source = teacher->options.source;
    snprintf(info->source, sizeof info->source, "%s", source ? source : "");
    const SlTaskKind *kind = teacher->options.kind;
    snprintf(info->kind, sizeof info->kind, "%s", (kind ? kind : sl_task_kind(task))->name);
    sl_task_platform(task, sizeof info->evaluator, info->evaluator);
    if (sl_task_kind(task)->maps)
        sl_goal_text(&sl_task_setup(task)->goal, sizeof info->goal, info->goal);
    else
        snprintf(info->goal, sizeof info->goal, "%s", sl_task_unit(task));
}

static SlStatus teach(Teacher *teacher, SlPool *pool, SlArena *arena, SlError *err) {
    SlFlock *flock = teacher->flock;
    int members = (int)teacher->options.members;
    sl_flock_run(pool, members, fit_work, teacher);
    for (int m = 0; m < members; m++)
        if (teacher->failed[m]) return sl_fail(err, SL_ENOMEM, "not enough memory to teach");
    sl_flock_run(pool, teacher->n_lessons, judge_work, teacher);
    sum_up(teacher);
    for (int m = 0; m < members; m++) {
        SlBoostTrees fitted = flock->members[m];
        if (!copy_trees(&fitted, arena, &flock->members[m]))
            return sl_fail(err, SL_ENOMEM, "not enough memory for a flock");
        flock->info.n_trees += fitted.n_trees;
    }
    flock->deviation = SL_NEW(arena, teacher->n_inputs, float);
    if (!flock->deviation || !keep_best(teacher, arena))
        return sl_fail(err, SL_ENOMEM, "not enough memory for a flock");
    find_deviations(teacher, flock->deviation);
    if (teacher->options.policies && teach_policies(teacher, pool, arena) != SL_OK)
        return sl_fail(err, SL_ENOMEM, "not enough memory for policies");
    if (teacher->options.rivals && !teach_rivals(teacher, pool, arena))
        return sl_fail(err, SL_ENOMEM, "not enough memory for rivals");
    return SL_OK;
}

static const char *lessons_fault(int n, const SlLesson *lessons) {
    if (n < 2) return "teaching needs at least two tasks";
    for (int k = 0; k < n; k++) {
        bool some = false;
        for (int i = 0; i < lessons[k].n && !some; i++) some = isfinite(lessons[k].values[i]);
        if (!some) return "a task without a single value teaches nothing";
        if (lessons[k].n_inputs != lessons[0].n_inputs)
            return "all tasks of a flock need machines with the same levels, ports and links";
    }
    return NULL;
}

SlStatus sl_flock_teach(int n, const SlLesson *lessons, const SlTeachOptions *options, SlPool *pool,
                        SlArena *arena, SlFlock **flock, SlError *err) {
    const char *fault = lessons_fault(n, lessons);
    if (fault) return sl_fail(err, SL_EINPUT, "%s", fault);
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    Teacher teacher = {.n_lessons = n,
                       .n_inputs = lessons[0].n_inputs,
                       .lessons = lessons,
                       .options = *options,
                       .flock = SL_NEW(arena, 1, SlFlock)};
    if (teacher.options.members > n) teacher.options.members = n;
    for (int m = 0; m < SL_FLOCK_MAX_MEMBERS; m++) sl_arena_init(&teacher.arenas[m], 0);
    SlStatus status = SL_OK;
    if (!teacher.flock || !gather_rows(&teacher, &scratch)) {
        status = sl_fail(err, SL_ENOMEM, "not enough memory to teach");
    } else {
        describe(&teacher, teacher.flock);
        teacher.flock->cap = options->cap;
        teacher.flock->bend = options->bend;
        status = teach(&teacher, pool, arena, err);
    }
    for (int m = 0; m < SL_FLOCK_MAX_MEMBERS; m++) sl_arena_free(&teacher.arenas[m]);
    sl_arena_free(&scratch);
    if (status == SL_OK) *flock = teacher.flock;
    return status;
}
