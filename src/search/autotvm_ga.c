// autotvm_ga.c - AutoTVM's genetic algorithm (Chen et al. 2018; TVM 0.9,
// autotvm/tuner/ga_tuner.py).
//
// Parents of a generation are the one before and the elite, each with a chance in proportion to its
// throughput; a child has the knobs of one up to a cut and those of the other from there on, each
// mutated with probability `mutation`. A child that was asked for before gets random values of
// random knobs until it is new.
#include <math.h>
#include <string.h>

#include "fresh.h"
#include "search_inside.h"

enum { MOST_TRIES = 1000 };

typedef struct {
    int64_t population, elite;
    double mutation;
    bool check;
} Options;

// Genes beside scores, throughputs in 1 / value; 0 = failed or not told.
typedef struct {
    int n;
    int32_t *genes; // (n, n_params)
    double *scores; // (n)
} Genes;

typedef struct {
    Options options;
    SlFresh fresh;
    int n_params;
    int asked;           // of the generation
    Genes now, elite;    // the generation; the best of those before
    Genes parents;       // both
    int32_t *next_genes; // (population, n_params)
} Ga;

static int32_t *gene(const Ga *state, const Genes *genes, int i) {
    return genes->genes + (ptrdiff_t)i * state->n_params;
}

static void copy(const Ga *state, int32_t *to, const int32_t *from) {
    memcpy(to, from, (size_t)state->n_params * sizeof *to);
}

static bool make_genes(Genes *genes, int64_t room, int n_params, SlArena *arena) {
    genes->genes = SL_NEW(arena, (size_t)room * (size_t)n_params, int32_t);
    genes->scores = SL_NEW(arena, room, double);
    return genes->genes && genes->scores;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Ga *state = SL_NEW(arena, 1, Ga);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    Options *chosen = &state->options;
    if (!sl_fresh_init(&state->fresh, setup, "ga", chosen->check, arena)) return NULL;
    state->n_params = state->fresh.space->n_params;
    if (state->fresh.space->n_points > 0 && chosen->population > state->fresh.space->n_points)
        chosen->population = state->fresh.space->n_points;
    chosen->elite = (int64_t)fmin((double)chosen->elite, (double)chosen->population);
    const int64_t n = chosen->population, n_elite = chosen->elite;
    state->next_genes = SL_NEW(arena, (size_t)n * (size_t)state->n_params, int32_t);
    bool made = state->next_genes && make_genes(&state->now, n, state->n_params, arena) &&
                make_genes(&state->elite, n_elite, state->n_params, arena) &&
                make_genes(&state->parents, n + n_elite, state->n_params, arena);
    return made ? state : NULL;
}

// --- parents

static void add(const Ga *state, Genes *genes, const int32_t *point, double score) {
    copy(state, gene(state, genes, genes->n), point);
    genes->scores[genes->n++] = score;
}

// into the elite, if it is better than the worst of a full one
static void promote(const Ga *state, Genes *elite, const int32_t *point, double score) {
    if (elite->n < state->options.elite) {
        add(state, elite, point, score);
        return;
    }
    int worst = 0;
    for (int i = 1; i < elite->n; i++)
        if (elite->scores[i] < elite->scores[worst]) worst = i;
    if (elite->n == 0 || score <= elite->scores[worst]) return;
    copy(state, gene(state, elite, worst), point);
    elite->scores[worst] = score;
}

static void gather_parents(Ga *state) {
    Genes *parents = &state->parents;
    parents->n = 0;
    for (int i = 0; i < state->now.n; i++)
        add(state, parents, gene(state, &state->now, i), state->now.scores[i]);
    for (int i = 0; i < state->elite.n; i++)
        add(state, parents, gene(state, &state->elite, i), state->elite.scores[i]);
    for (int i = 0; i < state->now.n; i++)
        promote(state, &state->elite, gene(state, &state->now, i), state->now.scores[i]);
}

int sl_roulette(int n, const double *scores, int without, SlRng *rng) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += i == without ? 0 : scores[i];
    int last = -1;
    if (sum > 0) {
        double ticket = sl_rng_uniform(rng) * sum;
        for (int i = 0; i < n; i++) {
            if (i == without || scores[i] <= 0) continue;
            last = i;
            ticket -= scores[i];
            if (ticket < 0) break;
        }
        return last;
    }
    const bool others = without >= 0 && n > 1;
    last = (int)sl_rng_below(rng, (uint64_t)(n - others));
    return last + (others && last >= without);
}

// --- children

static void mutate(Ga *state, int k, int32_t *child) {
    const int n = state->fresh.space->params[k].n;
    child[k] = (int32_t)sl_rng_below(&state->fresh.rng, (uint64_t)n);
}

static void cross(Ga *state, int32_t *child) {
    const Genes *parents = &state->parents;
    SlRng *rng = &state->fresh.rng;
    const int first = sl_roulette(parents->n, parents->scores, -1, rng);
    const int second = sl_roulette(parents->n, parents->scores, first, rng);
    const int cut = (int)sl_rng_below(rng, (uint64_t)state->n_params);
    copy(state, child, gene(state, parents, second));
    memcpy(child, gene(state, parents, first), (size_t)cut * sizeof *child);
    for (int k = 0; k < state->n_params; k++)
        if (sl_rng_uniform(rng) < state->options.mutation) mutate(state, k, child);
}

// change it until it is new; false if nothing is
static bool renew(Ga *state, int32_t *child) {
    for (int i = 0; i < MOST_TRIES; i++) {
        if (sl_fresh_wants(&state->fresh, child)) return true;
        mutate(state, (int)sl_rng_below(&state->fresh.rng, (uint64_t)state->n_params), child);
    }
    return sl_fresh_draw(&state->fresh, child);
}

static void breed(Ga *state) {
    const bool first = state->now.n == 0 && state->elite.n == 0;
    gather_parents(state);
    int n = 0;
    for (; n < state->options.population; n++) {
        int32_t *child = state->next_genes + (ptrdiff_t)n * state->n_params;
        if (!first) cross(state, child);
        if (!(first ? sl_fresh_draw(&state->fresh, child) : renew(state, child))) break;
        sl_fresh_add(&state->fresh, child);
    }
    memcpy(state->now.genes, state->next_genes,
           (size_t)n * (size_t)state->n_params * sizeof *state->next_genes);
    memset(state->now.scores, 0, (size_t)n * sizeof *state->now.scores);
    state->now.n = n;
    state->asked = 0;
}

// --- the tuner

static int ask(void *context, int room, int32_t *points) {
    Ga *state = context;
    if (state->asked == state->now.n) breed(state);
    int n = state->now.n - state->asked;
    if (n > room) n = room;
    for (int i = 0; i < n; i++)
        copy(state, points + (ptrdiff_t)i * state->n_params,
             gene(state, &state->now, state->asked++));
    return n;
}

static int place(const Ga *state, const int32_t *point) {
    for (int i = 0; i < state->now.n; i++)
        if (!memcmp(gene(state, &state->now, i), point, (size_t)state->n_params * sizeof *point))
            return i;
    return -1;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *measured) {
    Ga *state = context;
    for (int i = 0; i < n; i++) {
        const int32_t *point = points + (ptrdiff_t)i * state->n_params;
        const double score = measured[i].value > 0 ? 1 / measured[i].value : 0;
        const int at = place(state, point);
        sl_fresh_add(&state->fresh, point);
        if (at >= 0)
            state->now.scores[at] = score;
        else // a guest, or of an older generation
            promote(state, &state->elite, point, score);
    }
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "population", population, "100", 2, 1e6, "N", "points per generation"),
    SL_OPT_WHOLE(Options, "elite", elite, "3", 0, 1e6, "N", "best points kept as parents"),
    SL_OPT_REAL(Options, "mutation", mutation, "0.1", 0, 1, "P",
                "probability that a knob of a child gets a random value"),
    SL_OPT_FLAG(Options, "check", check, "exclude points that fail the free check"),
    {0},
};

const SlMethod sl_autotvm_ga_method = {
    .name = "autotvm-ga",
    .title = "AutoTVM's genetic algorithm",
    .source = "Chen et al., Learning to Optimize Tensor Programs, NeurIPS 2018",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
};
