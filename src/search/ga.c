// ga.c - a plain genetic algorithm: Holland, "Adaptation in Natural and Artificial Systems", 1975;
// tournaments, two-point crossover and mutation gene by gene as in Goldberg's textbook (1989).
//
// A gene is a parameter; an order of loops is one gene and passes on whole, so that every child is
// a point. A generation keeps the `elite` best of the last one and gives birth to the rest:
//
//   a, b = winners of tournaments                    child = genes of a, between two cuts those of
//   b each gene changed with chance `mutate`           drawn again while its nest is known
//
// After `patience` generations without a better score the population is drawn anew: small
// populations that begin again do best here (Krishnakumar, "Micro-genetic algorithms", SPIE 1989).
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "neighbour.h"
#include "search_inside.h"

typedef enum { CROSS_TWO_POINT, CROSS_UNIFORM } Crossover;
static const char *const crossover_names[] = {"two-point", "uniform", NULL};

typedef struct {
    int64_t population, elite, tournament;
    double cross, mutate;
    int crossover;
    double near;
    int64_t reach, patience, redraws;
} Options;

// Points with their scores.
typedef struct {
    int n;
    int32_t *points; // (population, n_params)
    double *scores;  // (population)
} Herd;

typedef struct {
    const SlSpace *space;
    Options options;
    SlSteps steps;
    SlRng rng;
    SlSeen seen;
    Herd parents, children;
    int n_sent, n_told; // children asked for, and told
    double best;        // score, since the population was drawn anew
    bool better;        // in this generation
    int64_t stale;      // generations since then
} Ga;

static bool make_herd(Herd *herd, int64_t n, int n_params, SlArena *arena) {
    herd->points = SL_NEW(arena, n * n_params, int32_t);
    herd->scores = SL_NEW(arena, n, double);
    return herd->points && herd->scores;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    const SlSpace *space = sl_task_space(setup->task);
    Ga *state = SL_NEW(arena, 1, Ga);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    Options *chosen = &state->options;
    if (chosen->elite >= chosen->population) chosen->elite = chosen->population - 1;
    state->space = space;
    state->steps = (SlSteps){.near = chosen->near, .reach = chosen->reach};
    if (!make_herd(&state->parents, chosen->population, space->n_params, arena)) return NULL;
    if (!make_herd(&state->children, chosen->population, space->n_params, arena)) return NULL;
    if (!sl_seen_init(&state->seen, setup->task, setup->budget, arena)) return NULL;
    state->best = INFINITY;
    char stream[160];
    snprintf(stream, sizeof stream, "ga %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

static int32_t *row(const Ga *state, const Herd *herd, int i) {
    return herd->points + (ptrdiff_t)i * state->space->n_params;
}

static void put(const Ga *state, Herd *herd, int i, const int32_t *point, double score) {
    memcpy(row(state, herd, i), point, (size_t)state->space->n_params * sizeof *point);
    herd->scores[i] = score;
}

// --- a generation

// the best of a few parents, drawn with replacement
static const int32_t *select_parent(Ga *state) {
    int winner = 0;
    for (int64_t i = 0; i < state->options.tournament; i++) {
        int one = (int)sl_rng_below(&state->rng, (uint64_t)state->parents.n);
        if (i == 0 || state->parents.scores[one] < state->parents.scores[winner]) winner = one;
    }
    return row(state, &state->parents, winner);
}

// the genes of `other` between two cuts, or each with even chance
static void cross(Ga *state, const int32_t *other, int32_t *child) {
    int n = state->space->n_params;
    if (n == 0) return;
    if (state->options.crossover == CROSS_UNIFORM) {
        for (int i = 0; i < n; i++)
            if (sl_chance(&state->rng, 0.5)) child[i] = other[i];
        return;
    }
    int a = (int)sl_rng_below(&state->rng, (uint64_t)n + 1);
    int b = (int)sl_rng_below(&state->rng, (uint64_t)n + 1);
    for (int i = a < b ? a : b; i < (a < b ? b : a); i++) child[i] = other[i];
}

static void mutate(Ga *state, int32_t *child) {
    for (int i = 0; i < state->space->n_params; i++) {
        const SlParam *param = &state->space->params[i];
        if (param->n > 1 && sl_chance(&state->rng, state->options.mutate))
            child[i] = sl_value_change(param, &state->steps, child[i], &state->rng);
    }
}

static void breed(Ga *state, int32_t *child) {
    memcpy(child, select_parent(state), (size_t)state->space->n_params * sizeof *child);
    if (sl_chance(&state->rng, state->options.cross)) cross(state, select_parent(state), child);
    mutate(state, child);
}

// a child whose nest was not asked for before, if a few draws find one; else any point
static void bear(Ga *state, bool uniform, int32_t *child) {
    int64_t redraws = state->options.redraws;
    for (int64_t i = 0; i <= 2 * redraws; i++) {
        if (uniform || i > redraws)
            sl_space_sample(state->space, &state->rng, child);
        else
            breed(state, child);
        if (redraws == 0 || sl_seen_add(&state->seen, child)) return;
    }
}

// the first generation fills up with uniform points what guests have left
static void begin_generation(Ga *state) {
    int population = (int)state->options.population, n = state->parents.n;
    bool first = n < population;
    state->children.n = first ? population - n : population - (int)state->options.elite;
    for (int i = 0; i < state->children.n; i++) bear(state, first, row(state, &state->children, i));
    state->n_sent = state->n_told = 0;
    state->better = false;
}

static int best_of(const Herd *herd) {
    int best = 0;
    for (int i = 1; i < herd->n; i++)
        if (herd->scores[i] < herd->scores[best]) best = i;
    return best;
}

// the children and the elite become the parents
static void end_generation(Ga *state) {
    Herd grown = state->children;
    while (grown.n < state->options.population) {
        int i = best_of(&state->parents);
        put(state, &grown, grown.n++, row(state, &state->parents, i), state->parents.scores[i]);
        state->parents.scores[i] = INFINITY;
    }
    state->children = state->parents;
    state->parents = grown;
    state->children.n = 0;
    state->stale = state->better ? 0 : state->stale + 1;
    if (state->options.patience == 0 || state->stale < state->options.patience) return;
    state->parents.n = 0;
    state->best = INFINITY;
    state->stale = 0;
}

static int ask(void *context, int room, int32_t *points) {
    Ga *state = context;
    int n_params = state->space->n_params;
    assert(room >= 1);
    if (state->children.n == 0) begin_generation(state);
    int left = state->children.n - state->n_sent, n = left < room ? left : room;
    memcpy(points, row(state, &state->children, state->n_sent),
           (size_t)n * (size_t)n_params * sizeof *points);
    state->n_sent += n;
    return n;
}

// a guest joins the parents, in place of the worst where they are complete
static void join(Ga *state, const int32_t *point, double score) {
    Herd *parents = &state->parents;
    sl_seen_add(&state->seen, point); // its nest is known from now on
    bool room = parents->n < state->options.population - state->children.n;
    if (room) {
        put(state, parents, parents->n++, point, score);
        return;
    }
    int worst = 0;
    for (int i = 1; i < parents->n; i++)
        if (parents->scores[i] > parents->scores[worst]) worst = i;
    if (parents->n > 0 && score < parents->scores[worst]) put(state, parents, worst, point, score);
}

static void note_best(Ga *state, double score) {
    if (score >= state->best) return;
    state->best = score;
    state->better = true;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    Ga *state = context;
    for (int i = 0; i < n; i++) {
        note_best(state, samples[i].score);
        put(state, &state->children, state->n_told++,
            points + (size_t)i * (size_t)state->space->n_params, samples[i].score);
        if (state->n_told == state->children.n) end_generation(state);
    }
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Ga *state = context;
    for (int i = 0; i < n; i++) {
        note_best(state, samples[i].score);
        join(state, points + (size_t)i * (size_t)state->space->n_params, samples[i].score);
    }
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(Options, "population", population, "10", 2, 1e4, "N", "points per generation"),
    SL_OPT_WHOLE(Options, "elite", elite, "4", 0, 1e4, "N",
                 "best points that survive; at most all but one"),
    SL_OPT_WHOLE(Options, "tournament", tournament, "5", 1, 1e4, "N",
                 "tournament size of the choice of parents"),
    SL_OPT_REAL(Options, "cross", cross, "0.9", 0, 1, "P", "crossover probability"),
    SL_OPT_CHOICE(Options, "crossover", crossover, "two-point", crossover_names, "KIND",
                  "genes of the second parent: two-point (between two cuts) or uniform (each with "
                  "probability 1/2)"),
    SL_OPT_REAL(Options, "mutate", mutate, "0.1", 0, 1, "P", "mutation probability per gene"),
    SL_OPT_REAL(Options, "near", near, "0.9", 0, 1, "P",
                "share of small changes: a few steps of a size, a swap of two loops of an order"),
    SL_OPT_WHOLE(Options, "reach", reach, "12", 1, 1e6, "N", "largest step of a small size change"),
    SL_OPT_WHOLE(Options, "patience", patience, "30", 0, 1e12, "N",
                 "generations without improvement before a new population; 0 = never"),
    SL_OPT_WHOLE(Options, "redraws", redraws, "20", 0, 1e6, "N",
                 "redraws to avoid nests seen before; 0 = repeats are evaluated again"),
    {0},
};

const SlMethod sl_ga_method = {
    .name = "ga",
    .title = "genetic algorithm: tournaments, two-point crossover, mutation",
    .source = "Holland 1975; Goldberg 1989",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
