// rivals_kernel.c - the numbers of a kernel, chosen by the likelihood of what a guess got wrong on
// training tasks: every task is a process of its own, all have the same kernel (Perrone et al.
// 2018; Wang et al., HyperBO, 2024). The climb changes one logarithm at a time.
#include <math.h>
#include <string.h>

#include "flock_inside.h"

enum { TASKS = 64, ROWS = 32, N_NUMBERS = 4 + SL_KERNEL_GROUPS, MOST_ROUNDS = 60 };
static const double LEVEL2 = 1, LEAST_LOG = -14, MOST_LOG = 6;

// Some rows of a task: what the guess got wrong, how far they are apart.
typedef struct {
    int n;
    double error[ROWS];
    struct {
        double by_group[SL_KERNEL_GROUPS], last;
    } pairs[ROWS * (ROWS + 1) / 2];
} Class;

typedef struct {
    const SlRivalLessons *taught;
    bool nets;
    int n;
    Class *classes; // (TASKS)
    SlRivalAsker asker;
    SlRivalGroups groups;
} Tutor;

// ---- rows of a task ----

// Half of them nearest to the best, the rest drawn; `rows` of the lesson, how many.
static int choose_rows(const float *distances, int n, SlRng *rng, int *rows) {
    int most = n < ROWS ? n : ROWS, found = 0;
    while (found < most) {
        int at = -1;
        const bool drawn = found >= ROWS / 2 && n > 2 * ROWS;
        if (drawn) at = (int)sl_rng_below(rng, (uint64_t)n);
        for (int i = 0; i < n && !drawn; i++) {
            bool taken = false;
            for (int k = 0; k < found && !taken; k++) taken = rows[k] == i;
            if (!taken && (at < 0 || distances[i] < distances[at])) at = i;
        }
        if (at < 0) break;
        bool taken = false;
        for (int k = 0; k < found; k++) taken |= rows[k] == at;
        if (!taken) rows[found++] = at;
    }
    return found;
}

static double guess_row(const Tutor *tutor, const SlRivals *rivals, int task, const float *row) {
    const int net = task % (rivals->n_nets > 0 ? rivals->n_nets : 1);
    if (!tutor->nets) return sl_rivals_weigh(&rivals->cheap, row);
    double target = (double)*sl_rivals_ask(&tutor->asker, net, 1, row);
    return target > 0 ? sl_flock_unbend(target, tutor->taught->bend) : target;
}

static void fill_class(const Tutor *tutor, const SlRivals *rivals, int task, int first, SlRng *rng,
                       Class *class) {
    const SlRivalLessons *taught = tutor->taught;
    const size_t width = (size_t)taught->n_inputs;
    float last[ROWS][SL_RIVAL_LAST];
    int rows[ROWS] = {0}, at = 0;
    class->n = choose_rows(taught->distances + first, taught->lessons[task].n, rng, rows);
    for (int i = 0; i < class->n; i++) {
        const float *row = taught->x + (size_t)(first + rows[i]) * width;
        class->error[i] =
            (double)taught->distances[first + rows[i]] - guess_row(tutor, rivals, task, row);
        if (tutor->nets) sl_rivals_embed(&tutor->asker, task % rivals->n_nets, row, last[i]);
        for (int k = 0; k <= i; k++, at++) {
            const float *other = taught->x + (size_t)(first + rows[k]) * width;
            sl_rivals_apart(&tutor->groups, row, other, class->pairs[at].by_group);
            class->pairs[at].last = 0;
            for (int h = 0; tutor->nets && h < SL_RIVAL_LAST; h++) {
                double d = (double)last[i][h] - (double)last[k][h];
                class->pairs[at].last += d * d / SL_RIVAL_LAST;
            }
        }
    }
}

static void fill_classes(Tutor *tutor, const SlRivals *rivals) {
    const SlRivalLessons *taught = tutor->taught;
    SlRng rng;
    sl_rng_init(&rng, taught->seed, "rows of a kernel");
    int apart = taught->n > TASKS ? taught->n / TASKS : 1;
    for (int k = 0, first = 0; k < taught->n; first += taught->lessons[k++].n)
        if (k % apart == 0 && tutor->n < TASKS)
            fill_class(tutor, rivals, k, first, &rng, &tutor->classes[tutor->n++]);
}

// ---- likelihood ----

// log likelihood of the errors of a task, without its constant, by the factor L of K = L L'
static double class_evidence(const Class *class, const SlRivalKernel *kernel, bool nets) {
    double L[ROWS][ROWS], z[ROWS], sum = 0;
    double reach = exp(-2 * kernel->reach), length[SL_KERNEL_GROUPS];
    for (int g = 0; g < SL_KERNEL_GROUPS; g++) length[g] = exp(-2 * kernel->length[g]);
    for (int i = 0, at = 0; i < class->n; i++) {
        z[i] = class->error[i];
        for (int k = 0; k <= i; k++, at++) {
            double square = 0, last = class->pairs[at].last * reach;
            for (int g = 0; g < SL_KERNEL_GROUPS; g++)
                square += class->pairs[at].by_group[g] * length[g];
            double v = LEVEL2 + sl_rivals_covary(kernel, square, nets, &last);
            if (i == k) v += exp(kernel->noise) + 1e-9;
            for (int j = 0; j < k; j++) v -= L[i][j] * L[k][j];
            L[i][k] = i == k ? sqrt(fmax(v, 1e-12)) : v / L[k][k];
        }
        for (int k = 0; k < i; k++) z[i] -= L[i][k] * z[k];
        z[i] /= L[i][i];
        sum -= log(L[i][i]) + z[i] * z[i] / 2;
    }
    return sum;
}

static double evidence(const Tutor *tutor, const SlRivalKernel *kernel) {
    double sum = 0;
    for (int k = 0; k < tutor->n; k++)
        sum += class_evidence(&tutor->classes[k], kernel, tutor->nets);
    return sum;
}

static void list_numbers(SlRivalKernel *kernel, bool nets, double *numbers[N_NUMBERS], int *n) {
    *n = 0;
    numbers[(*n)++] = &kernel->inputs;
    numbers[(*n)++] = &kernel->noise;
    for (int g = 0; g < SL_KERNEL_GROUPS; g++) numbers[(*n)++] = &kernel->length[g];
    if (nets) numbers[(*n)++] = &kernel->last;
    if (nets) numbers[(*n)++] = &kernel->reach;
}

static void climb(const Tutor *tutor, SlRivalKernel *kernel) {
    double *numbers[N_NUMBERS], step = 1, best = evidence(tutor, kernel);
    int n;
    list_numbers(kernel, tutor->nets, numbers, &n);
    for (int round = 0; round < MOST_ROUNDS && step > 0.1; round++) {
        bool better = false;
        for (int i = 0; i < 2 * n; i++) {
            double was = *numbers[i / 2], moved = was + (i % 2 ? -step : step);
            *numbers[i / 2] = fmin(fmax(moved, LEAST_LOG), MOST_LOG);
            double now = evidence(tutor, kernel);
            if (now > best)
                better = true;
            else
                *numbers[i / 2] = was;
            best = fmax(best, now);
        }
        if (!better) step /= 2;
    }
}

bool sl_rivals_teach_kernel(const SlRivalLessons *taught, const SlRivals *rivals, bool nets,
                            SlRivalKernel *kernel) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    Tutor tutor = {.taught = taught, .nets = nets, .classes = SL_NEW(&scratch, TASKS, Class)};
    *kernel = (SlRivalKernel){.inputs = -3, .last = nets ? -3 : -40, .noise = -8};
    bool made = tutor.classes &&
                sl_rivals_asker(rivals, taught->deviation, taught->bend, &scratch, &tutor.asker);
    if (made) {
        sl_rivals_groups(taught->lessons[0].task, taught->deviation, &tutor.groups);
        fill_classes(&tutor, rivals);
        climb(&tutor, kernel);
    }
    sl_arena_free(&scratch);
    return made;
}
