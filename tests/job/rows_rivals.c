// rows_rivals.c - guesses of RTL cycles on layers held out.
//
// Roofline and its calibrations know the parts of the native cost; the nearest rows, the Gaussian
// process and the flock see context and features of the nests.
#include "rows_rivals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "starling/approx.h"

static bool is_held(const Rtl *rtl, const int *fold, int held, int row) {
    return fold[rtl->task[row]] == held;
}

// ---- rooflines: nothing is taught ----

static bool native_latency(const Rtl *rtl, const int *fold, int held, uint64_t seed,
                           double *guess) {
    (void)seed;
    for (int i = 0; i < rtl->n; i++)
        if (is_held(rtl, fold, held, i)) guess[i] = rtl->latency[i];
    return true;
}

static bool roofline(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    (void)seed;
    for (int i = 0; i < rtl->n; i++)
        if (is_held(rtl, fold, held, i)) guess[i] = fmax(rtl->parts[i][0], rtl->parts[i][1] / 8);
    return true;
}

// ---- six constants, none below 0 ----

// Minimise w'Aw / 2 - b'w over w >= 0, one constant after the other.
static void solve(double A[N_PARTS][N_PARTS], const double b[N_PARTS], double w[N_PARTS]) {
    for (int round = 0; round < 20000; round++)
        for (int p = 0; p < N_PARTS; p++) {
            double slope = b[p];
            for (int q = 0; q < N_PARTS; q++) slope -= A[p][q] * w[q];
            if (A[p][p] > 0) w[p] = fmax(w[p] + slope / A[p][p], 0);
        }
}

static double weigh(const double parts[N_PARTS], const double w[N_PARTS]) {
    double sum = 0;
    for (int p = 0; p < N_PARTS; p++) sum += parts[p] * w[p];
    return sum;
}

// One step of Gauss and Newton on the squared error of logarithms: parts / now . w should be
// 1 + log(cycles / now), now being the last guess. The first step starts from the cycles
// themselves, which makes it the least relative error.
static void step(const Rtl *rtl, const int *fold, int held, bool first, double w[N_PARTS]) {
    double A[N_PARTS][N_PARTS] = {{0}}, b[N_PARTS] = {0};
    for (int i = 0; i < rtl->n; i++) {
        if (is_held(rtl, fold, held, i)) continue;
        double cycles = exp((double)rtl->scores[i]);
        double now = first ? cycles : weigh(rtl->parts[i], w);
        double want = fmax(1 + log(cycles / now), 0.1);
        for (int p = 0; p < N_PARTS; p++) {
            b[p] += rtl->parts[i][p] / now * want;
            for (int q = 0; q < N_PARTS; q++)
                A[p][q] += rtl->parts[i][p] / now * (rtl->parts[i][q] / now);
        }
    }
    solve(A, b, w);
}

static bool calibrate(const Rtl *rtl, const int *fold, int held, int steps, double *guess) {
    double w[N_PARTS] = {0};
    for (int s = 0; s < steps; s++) step(rtl, fold, held, s == 0, w);
    for (int i = 0; i < rtl->n; i++)
        if (is_held(rtl, fold, held, i)) guess[i] = weigh(rtl->parts[i], w);
    return true;
}

static bool six_relative(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    (void)seed;
    return calibrate(rtl, fold, held, 1, guess);
}

static bool six_log(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    (void)seed;
    return calibrate(rtl, fold, held, 12, guess);
}

// ---- inputs of like size ----

// inputs (n, n_inputs) over their deviations, those that never change left at 0
static double *scaled_inputs(const Rtl *rtl, SlArena *arena) {
    const size_t width = (size_t)rtl->n_inputs;
    double *x = SL_NEW(arena, (size_t)rtl->n * width, double);
    for (size_t f = 0; x && f < width; f++) {
        double sum = 0, square = 0;
        for (int i = 0; i < rtl->n; i++) {
            double v = (double)rtl->inputs[(size_t)i * width + f];
            sum += v;
            square += v * v;
        }
        double mean = sum / rtl->n, deviation = sqrt(fmax(square / rtl->n - mean * mean, 0));
        for (int i = 0; i < rtl->n && deviation > 1e-3; i++)
            x[(size_t)i * width + f] =
                ((double)rtl->inputs[(size_t)i * width + f] - mean) / deviation;
    }
    return x;
}

// ---- nearest rows ----

enum { NEAREST = 5 };

static double apart(int n, const double *a, const double *b) {
    double sum = 0;
    for (int f = 0; f < n; f++) sum += (a[f] - b[f]) * (a[f] - b[f]);
    return sum;
}

static double mean_of_nearest(const Rtl *rtl, const int *fold, const double *x, int row) {
    const size_t width = (size_t)rtl->n_inputs;
    double far[NEAREST], target[NEAREST], sum = 0;
    int n = 0;
    for (int i = 0; i < rtl->n; i++) {
        if (fold[rtl->task[i]] == fold[rtl->task[row]]) continue;
        double d = apart(rtl->n_inputs, x + (size_t)i * width, x + (size_t)row * width);
        int at = n < NEAREST ? n++ : NEAREST;
        for (; at > 0 && far[at - 1] > d; at--)
            if (at < NEAREST) {
                far[at] = far[at - 1];
                target[at] = target[at - 1];
            }
        if (at == NEAREST) continue;
        far[at] = d;
        target[at] = (double)rtl->targets[i];
    }
    for (int k = 0; k < n; k++) sum += target[k];
    return sum / n;
}

static bool nearest(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    SlArena arena;
    (void)seed;
    sl_arena_init(&arena, 0);
    const double *x = scaled_inputs(rtl, &arena);
    for (int i = 0; x && i < rtl->n; i++)
        if (is_held(rtl, fold, held, i)) guess[i] = mean_of_nearest(rtl, fold, x, i);
    sl_arena_free(&arena);
    return x;
}

// ---- a Gaussian process ----

enum { N_SCALES = 4, FIT_ROWS = 400, FIT_STEPS = 40 };

// A length scale each: context, and the features by what they are. Inputs are put in that order,
// their size divided by the root of their number, so that no group is louder for being larger.
static int order_inputs(const Rtl *rtl, int *order, int *group) {
    const SlTask *task = rtl->rows.tasks[0];
    const int n_context = sl_task_n_context(task);
    int n = 0;
    for (int g = 0; g < N_SCALES; g++)
        for (int f = 0; f < rtl->n_inputs; f++) {
            int of = f < n_context ? 0 : 1 + (int)sl_task_feature_group(task, f - n_context);
            if (of != g) continue;
            group[n] = g;
            order[n++] = f;
        }
    return n;
}

static double *grouped_inputs(const Rtl *rtl, int *group, SlArena *arena) {
    const size_t width = (size_t)rtl->n_inputs;
    int order[SL_MAX_FEATURES], size[N_SCALES] = {0};
    const double *x = scaled_inputs(rtl, arena);
    double *out = SL_NEW(arena, (size_t)rtl->n * width, double);
    if (!x || !out) return NULL;
    order_inputs(rtl, order, group);
    for (size_t f = 0; f < width; f++) size[group[f]]++;
    for (int i = 0; i < rtl->n; i++)
        for (size_t f = 0; f < width; f++)
            out[(size_t)i * width + f] =
                x[(size_t)i * width + (size_t)order[f]] / sqrt(size[group[f]]);
    return out;
}

// the hyper-parameters by some rows, then the process of all
static bool teach_process(const Rtl *rtl, const double *x, int n, const int *rows, SlGp *gp) {
    double *y = calloc((size_t)n, sizeof *y);
    for (int pass = 0; y && pass < 2; pass++) {
        int most = pass == 0 && n > FIT_ROWS ? FIT_ROWS : n;
        sl_gp_clear(gp);
        for (int i = 0; i < most; i++) {
            sl_gp_add(gp, x + (size_t)rows[i] * (size_t)rtl->n_inputs);
            y[i] = (double)rtl->targets[rows[i]];
        }
        sl_gp_teach(gp, y);
        if (pass == 0) sl_gp_fit(gp, FIT_STEPS);
    }
    free(y);
    return y;
}

static bool process(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    SlArena arena;
    SlRng rng;
    int group[SL_MAX_FEATURES], n = 0;
    sl_arena_init(&arena, 0);
    sl_rng_init(&rng, seed, "process");
    double *x = grouped_inputs(rtl, group, &arena);
    int *rows = SL_NEW(&arena, rtl->n, int);
    const SlGpShape shape = {
        .n_inputs = rtl->n_inputs, .group = group, .room = rtl->n, .prior = {0.5, 1, -4, 2}};
    SlGp *gp = x && rows ? sl_gp_make(&shape, &arena) : NULL;
    for (int i = 0; rows && i < rtl->n; i++)
        if (!is_held(rtl, fold, held, i)) rows[n++] = i;
    if (gp) sl_rng_shuffle(&rng, n, rows);
    bool done = gp && teach_process(rtl, x, n, rows, gp);
    for (int i = 0; done && i < rtl->n; i++) {
        double variance;
        if (is_held(rtl, fold, held, i))
            sl_gp_predict(gp, 1, x + (size_t)i * (size_t)rtl->n_inputs, &guess[i], &variance);
    }
    sl_arena_free(&arena);
    return done;
}

// ---- the flock ----

static void ask_flock(const Rtl *rtl, const int *fold, int held, const SlFlock *flock,
                      double *guess) {
    for (int i = 0; i < rtl->n; i++) {
        float one;
        if (!is_held(rtl, fold, held, i)) continue;
        sl_flock_guess(flock, 1, rtl->inputs + (size_t)i * (size_t)rtl->n_inputs, &one, NULL);
        guess[i] = (double)one;
    }
}

static bool teach_flock(const Rtl *rtl, const int *fold, int held, const SlTeachOptions *options,
                        double *guess) {
    SlArena arena;
    SlFlock *flock = NULL;
    int n = 0;
    sl_arena_init(&arena, 0);
    SlLesson *lessons = SL_NEW(&arena, rtl->rows.n_tasks, SlLesson);
    for (int k = 0; lessons && k < rtl->rows.n_tasks; k++)
        if (fold[k] != held) lessons[n++] = rtl->rows.lessons[k];
    if (lessons) sl_flock_teach(n, lessons, options, NULL, &arena, &flock, NULL);
    if (flock) ask_flock(rtl, fold, held, flock, guess);
    sl_arena_free(&arena);
    return flock;
}

static bool one_critic(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    const SlTeachOptions options = rtl_options(1, seed);
    return teach_flock(rtl, fold, held, &options, guess);
}

static bool four_critics(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    const SlTeachOptions options = rtl_options(4, seed);
    return teach_flock(rtl, fold, held, &options, guess);
}

// with the settings of cheap evaluators: a cap, and most weight near the best
static bool capped(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    SlTeachOptions options = {0};
    sl_options_init(sl_teach_options, &options);
    options.seed = seed;
    return teach_flock(rtl, fold, held, &options, guess);
}

// ---- the mean of the process and of four critics ----

// add a guess of the rows held out to a sum, less its mean and over its deviation
static void add_standard(const Rtl *rtl, const int *fold, int held, const double *guess,
                         double *sum) {
    double total = 0, square = 0;
    int n = 0;
    for (int i = 0; i < rtl->n; i++) {
        if (!is_held(rtl, fold, held, i)) continue;
        total += guess[i];
        square += guess[i] * guess[i];
        n++;
    }
    double mean = total / n, deviation = sqrt(fmax(square / n - mean * mean, 1e-12));
    for (int i = 0; i < rtl->n; i++)
        if (is_held(rtl, fold, held, i)) sum[i] += (guess[i] - mean) / deviation;
}

static bool both(const Rtl *rtl, const int *fold, int held, uint64_t seed, double *guess) {
    double *one = calloc((size_t)rtl->n, sizeof *one), *sum = calloc((size_t)rtl->n, sizeof *sum);
    bool done = one && sum && process(rtl, fold, held, seed, one);
    if (done) add_standard(rtl, fold, held, one, sum);
    done = done && four_critics(rtl, fold, held, seed, one);
    if (done) add_standard(rtl, fold, held, one, sum);
    for (int i = 0; done && i < rtl->n; i++)
        if (is_held(rtl, fold, held, i)) guess[i] = sum[i];
    free(one);
    free(sum);
    return done;
}

const Rival rtl_rivals[] = {
    {"native latency, ramps included", false, native_latency},
    {"roofline: compute or DRAM at 8 words per cycle", false, roofline},
    {"six constants, least relative error", false, six_relative},
    {"six constants, least error of logarithms", false, six_log},
    {"mean of the 5 nearest rows", false, nearest},
    {"Gaussian process, 4 length scales", true, process},
    {"flock, default settings (4 critics)", true, capped},
    {"flock, 1 critic", true, one_critic},
    {"flock, 4 critics", true, four_critics},
    {"mean of flock, 4 critics, and process", true, both},
    {0},
};
