// rivals_teach.c - rivals of the critic, taught by the same samples.
//
// Networks: minibatches of all rows of tasks that are not left out, squared error, Adam whose rate
// falls to 0. Weights: least squares within tasks, none below 0, rows near the best of their task
// count most.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "flock_inside.h"

enum { BATCH = 64, EPOCHS = 12, ROUNDS = 2000 };
static const double RATE = 0.002, DECAY = 0.01;
static const double NEAR = 0.3; // log of value over best at which a row counts half

// ---- networks ----

typedef struct {
    const SlRivalLessons *taught;
    SlRivals *rivals;
    int *task; // (n_rows)
    SlReal *x; // (n_rows, n_inputs) scaled
    bool failed[SL_RIVAL_NETS];
} Nets;

// rows of tasks that a net is taught by, in `rows`; how many
static int choose_rows(const Nets *nets, int net, int *rows) {
    int n = 0;
    for (int i = 0; i < nets->taught->n_rows; i++)
        if (nets->taught->n < 2 || nets->task[i] % nets->rivals->n_nets != net) rows[n++] = i;
    return n;
}

typedef struct {
    SlAdam adam;
    SlReal *grad, *work, *batch;
    int *rows, n_rows;
} Pupil;

static bool make_pupil(const Nets *nets, int net, SlArena *arena, Pupil *pupil) {
    const SlMlpShape *shape = &nets->rivals->shape;
    const size_t n = sl_mlp_params(shape);
    *pupil = (Pupil){.grad = SL_NEW(arena, n, SlReal),
                     .work = SL_NEW(arena, sl_mlp_work(shape, BATCH), SlReal),
                     .batch = SL_NEW(arena, BATCH * shape->width[0], SlReal),
                     .rows = SL_NEW(arena, nets->taught->n_rows, int)};
    if (!pupil->grad || !pupil->work || !pupil->batch || !pupil->rows) return false;
    pupil->n_rows = choose_rows(nets, net, pupil->rows);
    if (!sl_adam_make(n, RATE, arena, &pupil->adam)) return false;
    pupil->adam.decay = DECAY;
    return true;
}

static void step(const Nets *nets, Pupil *pupil, SlReal *weights, const int *rows, int n) {
    const SlMlpShape *shape = &nets->rivals->shape;
    const size_t width = (size_t)shape->width[0];
    SlReal pull[BATCH];
    for (int i = 0; i < n; i++)
        memcpy(pupil->batch + (size_t)i * width, nets->x + (size_t)rows[i] * width,
               width * sizeof(SlReal));
    const SlReal *guess = sl_mlp_forward(shape, weights, n, pupil->batch, pupil->work);
    for (int i = 0; i < n; i++)
        pull[i] = (guess[i] - (SlReal)nets->taught->targets[rows[i]]) / (SlReal)n;
    memset(pupil->grad, 0, pupil->adam.n * sizeof *pupil->grad);
    sl_mlp_backward(shape, weights, n, pupil->batch, pupil->work, pull, pupil->grad, NULL);
    sl_adam_step(&pupil->adam, weights, pupil->grad);
}

static void teach_net(void *context, int net, int worker) {
    Nets *nets = context;
    SlArena arena;
    Pupil pupil;
    SlRng rng;
    char stream[32];
    (void)worker;
    sl_arena_init(&arena, 0);
    snprintf(stream, sizeof stream, "rival net %d", net);
    sl_rng_init(&rng, nets->taught->seed, stream);
    nets->failed[net] = !make_pupil(nets, net, &arena, &pupil);
    SlReal *weights = nets->rivals->weights[net];
    if (!nets->failed[net]) sl_mlp_init(&nets->rivals->shape, &rng, weights);
    for (int epoch = 0; epoch < EPOCHS && !nets->failed[net]; epoch++) {
        sl_rng_shuffle(&rng, pupil.n_rows, pupil.rows);
        for (int first = 0; first < pupil.n_rows; first += BATCH) {
            double done = (epoch + (double)first / pupil.n_rows) / EPOCHS;
            pupil.adam.rate = RATE * (1 - done);
            int n = pupil.n_rows - first < BATCH ? pupil.n_rows - first : BATCH;
            step(nets, &pupil, weights, pupil.rows + first, n);
        }
    }
    sl_arena_free(&arena);
}

static void find_means(const SlRivalLessons *taught, float *mean) {
    for (int f = 0; f < taught->n_inputs; f++) {
        double sum = 0;
        for (int i = 0; i < taught->n_rows; i++)
            sum += (double)taught->x[(size_t)i * (size_t)taught->n_inputs + (size_t)f];
        mean[f] = (float)(sum / taught->n_rows);
    }
}

static bool alloc_nets(const SlRivalLessons *taught, SlArena *arena, SlRivals *rivals) {
    rivals->n_nets = taught->n < SL_RIVAL_NETS ? taught->n : SL_RIVAL_NETS;
    rivals->shape = sl_rivals_shape(taught->n_inputs);
    rivals->mean = SL_NEW(arena, taught->n_inputs, float);
    bool made = rivals->mean;
    for (int net = 0; net < rivals->n_nets; net++) {
        rivals->weights[net] = SL_NEW(arena, sl_mlp_params(&rivals->shape), SlReal);
        made &= rivals->weights[net] != NULL;
    }
    return made;
}

bool sl_rivals_teach_nets(const SlRivalLessons *taught, SlPool *pool, SlArena *arena,
                          SlRivals *rivals) {
    const size_t width = (size_t)taught->n_inputs, rows = (size_t)taught->n_rows;
    SlArena scratch;
    Nets nets = {.taught = taught, .rivals = rivals};
    if (!alloc_nets(taught, arena, rivals)) return false;
    sl_arena_init(&scratch, 0);
    nets.task = SL_NEW(&scratch, rows, int);
    nets.x = SL_NEW(&scratch, rows * width, SlReal);
    bool done = nets.task && nets.x;
    if (done) {
        find_means(taught, rivals->mean);
        for (int k = 0, row = 0; k < taught->n; k++)
            for (int i = 0; i < taught->lessons[k].n; i++) nets.task[row++] = k;
        for (size_t i = 0; i < rows; i++)
            sl_rivals_scale(rivals, taught->deviation, taught->x + i * width, nets.x + i * width);
        sl_flock_run(pool, rivals->n_nets, teach_net, &nets);
        for (int net = 0; net < rivals->n_nets; net++) done &= !nets.failed[net];
    }
    sl_arena_free(&scratch);
    return done;
}

// ---- weights of the native cost's quantities ----

// Minimise w'Aw / 2 - b'w over w >= 0, one weight after the other.
static void solve(int n, double A[][SL_RIVAL_MOST_TERMS], const double *b, double *w) {
    for (int round = 0; round < ROUNDS; round++)
        for (int p = 0; p < n; p++) {
            double slope = b[p];
            for (int q = 0; q < n; q++) slope -= A[p][q] * w[q];
            if (A[p][p] > 0) w[p] = fmax(w[p] + slope / A[p][p], 0);
        }
}

// the inputs that are estimates: all of them, or those of the value alone
static void choose_terms(const SlTask *task, bool all, SlRivalTerms *terms) {
    const int n_context = sl_task_n_context(task), n_all = sl_task_n_features(task);
    const int n_cheap = sl_task_n_estimates(task);
    *terms = (SlRivalTerms){0};
    if (!sl_task_kind(task)->maps || !sl_task_space(task)->accel) return;
    for (int f = 0; f < n_all && terms->n < SL_RIVAL_MOST_TERMS; f++)
        if (f < n_cheap || (all && sl_task_feature_group(task, f) == SL_FEATURES_ESTIMATE))
            terms->input[terms->n++] = n_context + f;
}

typedef struct {
    double A[SL_RIVAL_MOST_TERMS][SL_RIVAL_MOST_TERMS], b[SL_RIVAL_MOST_TERMS];
} Sums;

// the rows of one task, less their weighted means
static void add_task(const SlRivalLessons *taught, const SlRivalTerms *terms, int first, int n,
                     Sums *sums) {
    double mean[SL_RIVAL_MOST_TERMS + 1] = {0}, weights = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = first; i < first + n; i++) {
            const float *x = taught->x + (size_t)i * (size_t)taught->n_inputs;
            double y = (double)taught->distances[i], weight = 1 / (1 + y / NEAR);
            double v[SL_RIVAL_MOST_TERMS];
            weights += pass == 0 ? weight : 0;
            for (int p = 0; p < terms->n; p++) v[p] = (double)x[terms->input[p]];
            for (int p = 0; p < terms->n && pass == 0; p++) mean[p] += weight * v[p];
            if (pass == 0) mean[terms->n] += weight * y;
            for (int p = 0; p < terms->n && pass == 1; p++) {
                double a = weight * (v[p] - mean[p] / weights);
                sums->b[p] += a * (y - mean[terms->n] / weights);
                for (int q = 0; q < terms->n; q++) sums->A[p][q] += a * (v[q] - mean[q] / weights);
            }
        }
}

void sl_rivals_teach_terms(const SlRivalLessons *taught, bool all, SlRivalTerms *terms) {
    Sums sums = {0};
    double w[SL_RIVAL_MOST_TERMS] = {0};
    choose_terms(taught->lessons[0].task, all, terms);
    for (int k = 0, first = 0; k < taught->n; first += taught->lessons[k++].n)
        add_task(taught, terms, first, taught->lessons[k].n, &sums);
    for (int p = 0; p < terms->n; p++) sums.A[p][p] += 1e-3 * sums.A[p][p] + 1e-9;
    solve(terms->n, sums.A, sums.b, w);
    for (int p = 0; p < terms->n; p++) terms->weight[p] = (float)w[p];
}

// ---- all of them ----

bool sl_rivals_teach(const SlRivalLessons *taught, SlPool *pool, SlArena *arena, SlRivals *rivals) {
    *rivals = (SlRivals){0};
    sl_rivals_teach_terms(taught, false, &rivals->cheap);
    sl_rivals_teach_terms(taught, true, &rivals->calibration);
    return sl_rivals_teach_nets(taught, pool, arena, rivals) &&
           sl_rivals_teach_kernel(taught, rivals, true, &rivals->process) &&
           sl_rivals_teach_kernel(taught, rivals, false, &rivals->fidelity);
}
