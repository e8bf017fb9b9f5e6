// confidence.c - Confidence Sampling.
//
// Points are drawn without replacement by the softmax of their values (Gumbel-top-k: the largest of
// value / temperature + Gumbel noise). Those below a threshold that moves with the values are
// replaced by points made of what the others have in common.
#include "confidence.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sl_synthesis_names[SL_N_SYNTHESES + 1] = {"none", "mode", "half", NULL};
const char *const sl_threshold_names[SL_N_THRESHOLDS + 1] = {"drawn", "all", "mean", NULL};

enum { TRIES = 16 }; // for one synthetic point

typedef struct {
    const SlConfidence *c;
    const SlSpace *space;
    SlRng *rng;
    SlKeySet *taken; // proposed in this round
    int **counts;    // (n_params) how often the confident have each value (n of the parameter)
    int n_high;
    int32_t *out;
    int n_out;
} Sampling;

// ---- drawing ----

typedef struct {
    double key;
    int index;
} Ranked;

static int larger_first(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->key != y->key) return x->key > y->key ? -1 : 1;
    return x->index - y->index;
}

static double deviation(int n, const double *values) {
    double mean = 0, square = 0;
    for (int i = 0; i < n; i++) mean += values[i] / n;
    for (int i = 0; i < n; i++) square += (values[i] - mean) * (values[i] - mean) / n;
    return sqrt(square);
}

// the first `want` of `ranked` (n) are the points drawn
static void draw(Sampling *s, int n, const double *values, Ranked *ranked) {
    double temperature = s->c->temperature;
    if (temperature == 0) temperature = deviation(n, values);
    if (temperature <= 0) temperature = 1;
    for (int i = 0; i < n; i++) {
        double u = sl_rng_uniform(s->rng);
        double gumbel = -log(-log(u > 0 ? u : 0x1p-54));
        ranked[i] = (Ranked){.key = values[i] / temperature + gumbel, .index = i};
    }
    qsort(ranked, (size_t)n, sizeof *ranked, larger_first);
}

// ---- the threshold ----

static int smaller_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(int n, double *values) {
    qsort(values, (size_t)n, sizeof *values, smaller_first);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

static double threshold(const Sampling *s, int n, const double *values, int drawn,
                        const Ranked *ranked, double *sorted) {
    if (s->c->threshold == SL_THRESHOLD_ALL) {
        memcpy(sorted, values, (size_t)n * sizeof *sorted);
        return median(n, sorted);
    }
    double sum = 0, most = -INFINITY;
    for (int i = 0; i < drawn; i++) {
        sum += sorted[i] = values[ranked[i].index];
        most = fmax(most, sorted[i]);
    }
    // means of equal numbers may be above all of them
    return s->c->threshold == SL_THRESHOLD_MEAN ? fmin(sum / drawn, most) : median(drawn, sorted);
}

// ---- synthesis ----

static void propose(Sampling *s, const int32_t *point) {
    memcpy(s->out + (ptrdiff_t)s->n_out * s->space->n_params, point,
           (size_t)s->space->n_params * sizeof *point);
    s->n_out++;
    sl_keyset_add(s->taken, sl_task_key(s->c->task, point));
}

static bool is_new(const Sampling *s, const int32_t *point) {
    uint64_t key = sl_task_key(s->c->task, point);
    if (sl_keyset_has(s->c->asked, key) || sl_keyset_has(s->taken, key)) return false;
    return !s->c->check || sl_task_check(s->c->task, point, NULL);
}

static void count_values(Sampling *s, const int32_t *point) {
    for (int k = 0; k < s->space->n_params; k++) s->counts[k][point[k]]++;
    s->n_high++;
}

static int32_t most_frequent(const Sampling *s, int k) {
    int32_t best = 0;
    for (int32_t v = 1; v < s->space->params[k].n; v++)
        if (s->counts[k][v] > s->counts[k][best]) best = v;
    return best;
}

static int32_t drawn_value(const Sampling *s, int k) {
    int left = (int)sl_rng_below(s->rng, (uint64_t)s->n_high);
    int32_t v = 0;
    while (left >= s->counts[k][v]) left -= s->counts[k][v++];
    return v;
}

static bool mix(Sampling *s, int32_t *point) {
    for (int try = 0; try < TRIES; try++) {
        for (int k = 0; k < s->space->n_params; k++)
            point[k] = sl_rng_uniform(s->rng) < 0.5 ? most_frequent(s, k) : drawn_value(s, k);
        if (is_new(s, point)) return true;
    }
    return false;
}

// a confident point with one knob elsewhere
static bool mutate(Sampling *s, const int32_t *parent, int32_t *point) {
    for (int try = 0; try < TRIES; try++) {
        int k = (int)sl_rng_below(s->rng, (uint64_t)s->space->n_params);
        memcpy(point, parent, (size_t)s->space->n_params * sizeof *point);
        point[k] = (int32_t)sl_rng_below(s->rng, (uint64_t)s->space->params[k].n);
        if (is_new(s, point)) return true;
    }
    return false;
}

static void synthesise(Sampling *s, int n_low) {
    int32_t point[SL_MAX_PARAMS];
    if (s->n_high == 0 || s->c->synthesis == SL_SYNTHESIS_NONE) return;
    if (s->c->synthesis == SL_SYNTHESIS_MODE) {
        for (int k = 0; k < s->space->n_params; k++) point[k] = most_frequent(s, k);
        if (n_low > 0 && is_new(s, point)) propose(s, point);
        return;
    }
    for (int i = 0; i < n_low; i++) {
        const int32_t *parent =
            s->out + (ptrdiff_t)sl_rng_below(s->rng, (uint64_t)s->n_high) * s->space->n_params;
        if (mix(s, point) || mutate(s, parent, point)) propose(s, point);
    }
}

// zeros; NULL without memory
static int **make_counts(const SlSpace *space, SlArena *scratch) {
    int **counts = SL_NEW(scratch, space->n_params, int *);
    for (int k = 0; counts && k < space->n_params; k++) {
        counts[k] = SL_NEW(scratch, space->params[k].n, int);
        if (!counts[k]) return NULL;
    }
    return counts;
}

int sl_confidence_sample(const SlConfidence *confidence, int n, const int32_t *points,
                         const double *values, int want, SlRng *rng, SlArena *scratch,
                         int32_t *out) {
    const SlSpace *space = sl_task_space(confidence->task);
    Sampling s = {.c = confidence, .space = space, .rng = rng, .out = out};
    if (n == 0) return 0;
    size_t mark = sl_arena_mark(scratch);
    Ranked *ranked = SL_NEW(scratch, (size_t)n, Ranked);
    double *sorted = SL_NEW(scratch, (size_t)(n > want ? n : want), double);
    s.counts = make_counts(space, scratch);
    s.taken = sl_keyset_make((size_t)want, scratch);
    if (!ranked || !sorted || !s.counts || !s.taken) {
        sl_arena_rewind(scratch, mark);
        return -1;
    }
    draw(&s, n, values, ranked);
    int drawn = n < want ? n : want;
    double least = threshold(&s, n, values, drawn, ranked, sorted);
    for (int i = 0; i < drawn; i++) {
        const int32_t *point = points + (ptrdiff_t)ranked[i].index * space->n_params;
        if (values[ranked[i].index] < least) continue;
        propose(&s, point);
        count_values(&s, point);
    }
    synthesise(&s, drawn - s.n_out);
    sl_arena_rewind(scratch, mark);
    return s.n_out;
}
