// flock_policies.c - do policies taught before earn their place in dreaming? docs/studies.
//
// Teaches one flock on random MAESTRO tasks, then lets the method `flock` run on layers it never
// saw, with no policy, with the agents' and with the joint one: all rows share the critic, the
// seeds and the number of critic evaluations. Prints, per row, geometric means over layers, and the
// ratio to the row without policy with a 95 % interval (paired t over layers of mean logarithms).
//
//   gcc -O2 -Iinclude -Isrc bench/flock/flock_policies.c build/release/libstarling.a
//       -lm -lyaml -ljansson -lsqlite3 -lz -lpthread -ldl -o flock_policies
//   ./flock_policies TASKS SAMPLES SEEDS "SETTINGS;SETTINGS;..."
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/flock_inside.h"
#include "starling/job.h"

enum {
    MOST_HELD = 64,
    MOST_ROWS = 24,
    SAMPLES = 10,
    N_NAMED = 10,
    N_FIRST = 18,
    N_HELD = 48,
    LONG_RUN = 2000
};
enum { GUESS, AT_1, AT_3, AT_10, SECONDS, N_NUMBERS };
static const char *const number_names[] = {"guess", "1", "3", "10", "s/first"};
static const char *const policies[] = {"none", "agents", "joint"};

typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlTask *task;
    SlArena arena;
    SlLesson lesson;
} Case;

static void stop(const SlError *err) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

// ---- tasks ----

static double between(SlRng *rng, double lo, double hi) {
    return lo * pow(hi / lo, sl_rng_uniform(rng));
}

static int64_t channels(SlRng *rng) {
    double n = between(rng, 3, 1024);
    if (sl_rng_uniform(rng) < 0.6 && n >= 8) n = 8 * floor(n / 8 + 0.5);
    return (int64_t)(n + 0.5);
}

static void draw_gemm(SlRng *rng, SlLayer *layer) {
    layer->type = SL_GEMM;
    layer->dims[SL_K] = (int64_t)between(rng, 16, 2048);
    layer->dims[SL_C] = (int64_t)between(rng, 16, 2048);
    layer->dims[SL_P] = (int64_t)between(rng, 1, 1024);
}

static void set_stride(SlLayer *layer) {
    layer->stride[0] = layer->stride[1] = 2;
}

// 20 % GEMM, 12 % depthwise, 30 % pointwise, 38 % convolutions
static void draw_layer(SlRng *rng, SlLayer *layer) {
    sl_layer_init(layer);
    snprintf(layer->name, sizeof layer->name, "drawn");
    double which = sl_rng_uniform(rng);
    if (which < 0.2) {
        draw_gemm(rng, layer);
        return;
    }
    layer->dims[SL_P] = layer->dims[SL_Q] = (int64_t)between(rng, 5, 130);
    if (sl_rng_uniform(rng) < 0.1) layer->dims[SL_Q] = (int64_t)between(rng, 5, 130);
    double size = sl_rng_uniform(rng);
    int filter = size < 0.7 ? 3 : size < 0.9 ? 5 : 7;
    layer->type = which < 0.32 ? SL_DEPTHWISE : SL_CONV;
    layer->dims[which < 0.32 ? SL_G : SL_K] = channels(rng);
    if (which >= 0.32) layer->dims[SL_C] = channels(rng);
    if (which < 0.32 || which >= 0.62) layer->dims[SL_R] = layer->dims[SL_S] = filter;
    if (which >= 0.62 && sl_rng_uniform(rng) < 0.08) layer->dims[SL_S] = 1;
    double strided = which < 0.32 ? 0.3 : which < 0.62 ? 0.1 : 0.2;
    if (sl_rng_uniform(rng) < strided) set_stride(layer);
}

// PEs by 2^-2.5..2^3.5, buffers by 2^-2..2^3 (15 %: no limit), half of the links 16..2048 words
static void draw_accel(const SlAccel *base, SlRng *rng, SlAccel *accel) {
    *accel = *base;
    SlAxis *pes = &accel->fanouts[1].axes[0];
    pes->size = (int64_t)fmax(4, (double)pes->size * exp2(-2.5 + 6 * sl_rng_uniform(rng)));
    bool endless = sl_rng_uniform(rng) < 0.15;
    for (int l = 1; l < 3; l++) {
        double bytes = (double)base->levels[l].capacity_bytes;
        accel->levels[l].capacity_bytes =
            endless ? INT32_MAX : (int64_t)(bytes * exp2(-2 + 5 * sl_rng_uniform(rng)));
    }
    if (sl_rng_uniform(rng) >= 0.5) accel->levels[2].link_words = between(rng, 16, 2048);
}

static bool make_case(const SlGoal *goal, Case *c) {
    const SlTaskKind *kind = &sl_kind_maestro;
    SlConstraints constraints = {0};
    SlSpaceOptions options = {0};
    SlError err;
    sl_arena_init(&c->arena, 0);
    if (sl_kind_check(kind, &c->layer, &c->accel)) return false;
    if (sl_kind_space(kind, &c->arena, &constraints, &options, &err) != SL_OK) stop(&err);
    if (sl_space_make(&c->layer, &c->accel, &options, &c->arena, &c->space, &err) != SL_OK)
        return false;
    SlTaskSetup setup = {.kind = kind, .space = &c->space, .goal = *goal};
    return sl_task_make(&setup, &c->arena, &c->task, &err) == SL_OK;
}

// ---- teaching ----

static void hear(void *context, int n, const int32_t *points, const SlSample *samples) {
    Case *c = context;
    for (int i = 0; i < n && c->lesson.room > 0; i++)
        sl_lesson_add(&c->lesson, points + (ptrdiff_t)i * c->space.n_params, &samples[i]);
}

// the log of the best value
static double sample_by(Case *c, const char *method, const char *settings, SlStart start, int n,
                        uint64_t seed) {
    SlError err;
    void *options = NULL;
    const SlMethod *row = sl_method_find(method);
    if (sl_method_options(row, settings, &c->arena, &options, &err) != SL_OK) stop(&err);
    SlRunSetup setup = {.task = c->task,
                        .method = row,
                        .options = options,
                        .seed = seed,
                        .stream = "lesson",
                        .budget = {.samples = n},
                        .start = start,
                        .hear = hear,
                        .hearing = c};
    SlRecord record;
    if (sl_run(&setup, NULL, NULL, &c->arena, &record, &err) != SL_OK) stop(&err);
    return log(record.best.outcome.value);
}

// three quarters of the samples by marl, the rest anywhere
static void sample_task(void *context, int k, int worker) {
    Case *c = (Case *)context + k;
    (void)worker;
    const int samples = c->lesson.room - 1;
    SlError err;
    sample_by(c, "marl", "", SL_START_DEFAULT, samples * 3 / 4, 1);
    SlTaskSetup setup = *sl_task_setup(c->task);
    if (sl_task_make(&setup, &c->arena, &c->task, &err) != SL_OK) stop(&err);
    sample_by(c, "random", "", SL_START_NONE, samples / 4, 2);
}

static int gather(const SlAccel *base, const SlGoal *goal, int n, int samples, SlPool *pool,
                  SlLesson *lessons) {
    Case *cases = calloc((size_t)n, sizeof *cases);
    SlRng rng;
    int taught = 0;
    sl_rng_init(&rng, 1, "tasks");
    for (int k = 0; k < n;) {
        draw_layer(&rng, &cases[k].layer);
        draw_accel(base, &rng, &cases[k].accel);
        if (!make_case(goal, &cases[k])) continue;
        sl_lesson_make(cases[k].task, samples + 1, &cases[k].arena, &cases[k].lesson);
        k++;
    }
    sl_pool_run(pool, n, sample_task, cases);
    for (int k = 0; k < n; k++) {
        bool some = false;
        for (int i = 0; i < cases[k].lesson.n; i++) some |= isfinite(cases[k].lesson.values[i]);
        if (some) lessons[taught++] = cases[k].lesson;
    }
    return taught;
}

static void teach_policies(int n, const SlLesson *lessons, SlArena *arena, SlFlock *flock) {
    for (int k = 0; k < SL_N_FLOCK_POLICIES; k++) {
        SlFlockPolicyOptions options = sl_flock_policy_usual;
        SlFlockPolicy *policy = &flock->policies[k];
        double begin = sl_clock_seconds();
        options.joint = k == SL_FLOCK_JOINT;
        sl_flock_policy_teach(n, lessons, &options, NULL, arena, policy);
        printf("%s: %zu weights, %d units in each of %d trunks, %.1f s\n", policies[k + 1],
               policy->trunks[policy->n_trunks], policy->hidden, policy->n_trunks,
               sl_clock_seconds() - begin);
    }
}

static SlFlock *teach(const SlAccel *base, const SlGoal *goal, int n, int samples, SlPool *pool,
                      SlArena *arena) {
    SlLesson *lessons = calloc((size_t)n, sizeof *lessons);
    SlTeachOptions options = {0};
    SlError err;
    SlFlock *flock;
    sl_options_init(sl_teach_options, &options);
    options.depth = 4;
    options.trees = 300;
    options.seed = 1;
    n = gather(base, goal, n, samples, pool, lessons);
    if (sl_flock_teach(n, lessons, &options, pool, arena, &flock, &err) != SL_OK) stop(&err);
    printf("%d tasks, %lld evaluations\n", n, (long long)sl_flock_info(flock)->evaluations);
    teach_policies(n, lessons, arena, flock);
    fflush(stdout);
    return flock;
}

// ---- held-out layers ----

static int draw_held(const SlAccel *base, const SlGoal *goal, uint64_t seed, int n, int most,
                     Case *held) {
    SlRng rng;
    sl_rng_init(&rng, seed, "held");
    while (n < most) {
        draw_layer(&rng, &held[n].layer);
        held[n].accel = *base;
        n += make_case(goal, &held[n]);
    }
    return n;
}

static int hold_out(const SlAccel *base, const SlGoal *goal, Case *held, SlArena *arena) {
    static const char *const named[N_NAMED] = {"conv:K=83,C=45,P=29,Q=29,R=3,S=3",
                                               "conv:K=128,C=64,P=28,Q=28,R=3,S=3,stride=2",
                                               "dw:G=240,P=28,Q=28,R=5,S=5",
                                               "gemm:M=197,N=386,K=1152",
                                               "conv:K=96,C=48,P=60,Q=20,R=3,S=3",
                                               "conv:K=256,C=64,P=56,Q=56,R=1,S=1",
                                               "resnet18:conv2_1",
                                               "vgg16:conv3_2",
                                               "mobilenet_v2:10",
                                               "bert_base:1"};
    int n = 0;
    for (int i = 0; i < N_NAMED; i++) {
        SlNetwork network;
        SlError err;
        if (sl_workload_find(named[i], 1, arena, &network, &err) != SL_OK) stop(&err);
        held[n].layer = network.layers[0];
        held[n].accel = *base;
        n += make_case(goal, &held[n]);
    }
    n = draw_held(base, goal, 77, n, N_FIRST, held);
    return draw_held(base, goal, 2026, n, N_HELD, held);
}

// ---- one run ----

static double guess_of(const SlFlock *flock, const SlTask *task, const int32_t *point) {
    float inputs[SL_FLOCK_MAX_INPUTS], guess, doubt;
    SlView view;
    sl_task_view(task, point, &view);
    sl_flock_see(task, point, &view, inputs);
    sl_flock_guess(flock, 1, inputs, &guess, &doubt);
    return (double)guess + 0.5 * (double)doubt;
}

static void run(const Case *held, const SlFlock *flock, const char *settings, uint64_t seed,
                double *out) {
    const SlMethod *method = sl_method_find("flock");
    SlArena arena;
    SlError err;
    SlTask *task;
    SlAgents agents;
    void *options;
    int32_t point[SL_MAX_PARAMS];
    double best = INFINITY;
    sl_arena_init(&arena, 0);
    sl_agents_each(&held->space, &agents);
    if (sl_task_make(sl_task_setup(held->task), &arena, &task, &err) != SL_OK) stop(&err);
    if (sl_method_options(method, settings, &arena, &options, &err) != SL_OK) stop(&err);
    SlMethodSetup setup = {.task = task,
                           .agents = &agents,
                           .seed = seed,
                           .stream = "judge",
                           .budget = SAMPLES,
                           .flock = flock};
    double begin = sl_clock_seconds();
    void *state = method->make(&setup, options, &arena);
    for (int i = 1; i <= SAMPLES; i++) {
        SlSample sample;
        if (method->ask(state, 1, point) == 0) break;
        if (i == 1) out[SECONDS] = log(sl_clock_seconds() - begin);
        if (i == 1) out[GUESS] = guess_of(flock, task, point);
        sl_task_eval(task, 1, point, &sample);
        method->tell(state, 1, point, &sample);
        best = fmin(best, sample.value);
        if (i == 1) out[AT_1] = log(fmin(best, 1e300));
        if (i <= 3) out[AT_3] = log(fmin(best, 1e300));
        out[AT_10] = log(fmin(best, 1e300));
    }
    sl_arena_free(&arena);
}

// ---- numbers ----

// Student's t, 97.5 %
static double t_quantile(int freedom) {
    double z = 1.959964, n = freedom;
    return z + (z * z * z + z) / (4 * n) + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n);
}

// mean and half width of the interval of differences (n)
static void show_ratio(int n, const double *d, bool factor) {
    double mean = sl_mean(n, d), square = 0;
    for (int i = 0; i < n; i++) square += (d[i] - mean) * (d[i] - mean);
    double half = t_quantile(n - 1) * sqrt(square / (n - 1) / n);
    if (factor)
        printf("  %.3f [%.3f, %.3f]", exp(mean), exp(mean - half), exp(mean + half));
    else
        printf("  %+.4f [%+.4f, %+.4f]", mean, mean - half, mean + half);
}

// table[row][layer][number], means over seeds
static void show_set(const char *title, int from, int to, int n_rows, char *const *settings,
                     const double (*table)[MOST_HELD][N_NUMBERS], const double *least) {
    double d[MOST_HELD];
    printf("\n%s, %d layers\n", title, to - from);
    for (int r = 0; r < 3 * n_rows; r++) {
        printf("%-28s %-7s", settings[r / 3], policies[r % 3]);
        for (int k = 0; k < N_NUMBERS; k++) {
            bool value = k == AT_1 || k == AT_3 || k == AT_10;
            for (int t = from; t < to; t++) d[t - from] = table[r][t][k] - (value ? least[t] : 0);
            double mean = sl_mean(to - from, d);
            printf(" %s %.4f", number_names[k], k == GUESS ? mean : exp(mean));
        }
        printf("\n");
        if (r % 3 == 0) continue;
        printf("    over none:");
        for (int k = 0; k < N_NUMBERS; k++) {
            for (int t = from; t < to; t++) d[t - from] = table[r][t][k] - table[r - r % 3][t][k];
            show_ratio(to - from, d, k != GUESS);
        }
        printf("\n");
    }
}

// ---- all of it ----

typedef struct {
    Case *held;
    const SlFlock *flock;
    char *const *settings;
    int n_rows, n_seeds; // rows: 3 per setting
    double (*table)[MOST_HELD][N_NUMBERS];
    double *least; // (n_held) log of the best value known
} Judge;

// all rows and seeds of one layer
static void judge_layer(void *context, int t, int worker) {
    const Judge *judge = context;
    (void)worker;
    judge->least[t] = sample_by(&judge->held[t], "marl", "", SL_START_DEFAULT, LONG_RUN, 5);
    for (int i = 0; i < judge->n_rows * judge->n_seeds; i++) {
        const int row = i % judge->n_rows;
        double numbers[N_NUMBERS] = {0};
        char settings[256];
        snprintf(settings, sizeof settings, "%s,policy=%s", judge->settings[row / 3],
                 policies[row % 3]);
        run(&judge->held[t], judge->flock, settings, 100 + (uint64_t)(i / judge->n_rows), numbers);
        for (int k = 0; k < N_NUMBERS; k++) judge->table[row][t][k] += numbers[k] / judge->n_seeds;
        judge->least[t] = fmin(judge->least[t], numbers[AT_10]);
    }
}

int main(int argc, char **argv) {
    static Case held[MOST_HELD];
    static double table[3 * MOST_ROWS][MOST_HELD][N_NUMBERS], least[MOST_HELD];
    if (argc != 5) return 2;
    SlArena arena;
    SlError err;
    SlAccel base;
    SlGoal goal;
    char *settings[MOST_ROWS];
    int n_rows = 0;
    sl_arena_init(&arena, 0);
    if (sl_goal_parse("edp", &goal, &err) != SL_OK) stop(&err);
    if (sl_accel_find("gamma168", &arena, &base, &err) != SL_OK) stop(&err);
    for (char *word = strtok(argv[4], ";"); word && n_rows < MOST_ROWS; word = strtok(NULL, ";"))
        settings[n_rows++] = word;
    SlPool *pool = sl_pool_make(2);
    SlFlock *flock = teach(&base, &goal, atoi(argv[1]), atoi(argv[2]), pool, &arena);
    int n_held = hold_out(&base, &goal, held, &arena);
    Judge judge = {.held = held,
                   .flock = flock,
                   .settings = settings,
                   .n_rows = 3 * n_rows,
                   .n_seeds = atoi(argv[3]),
                   .table = table,
                   .least = least};
    sl_pool_run(pool, n_held, judge_layer, &judge);
    show_set("first set", 0, N_FIRST, n_rows, settings, table, least);
    show_set("second set", N_FIRST, n_held, n_rows, settings, table, least);
    show_set("both", 0, n_held, n_rows, settings, table, least);
    sl_pool_free(pool);
    sl_arena_free(&arena);
    return 0;
}
