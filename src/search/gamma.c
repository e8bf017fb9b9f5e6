// gamma.c - GAMMA, a genetic mapper: Kao & Krishna, "GAMMA: Automating the HW Mapping of DNN Models
// on Accelerators via Genetic Algorithm", ICCAD 2020.
//
// A generation of `population` children from the best of the last one:
//
//   parents = best share of (elite + children); elite = the best few, with their scores
//   two children = two parents, which exchange the tiles of one dim        with chance `cross`
//   each: two loops of an order swapped                                    with chance `reorder`
//         `trials` times one gene anew                                     with chance `mutate`
//         two parallel dims swapped; clusters made; clusters unmade        `swap`, `grow`, `age`
//
// A child whose nest was asked for before is made anew from the same two parents' genes.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "genome.h"
#include "neighbour.h"
#include "search_inside.h"

typedef struct {
    int64_t population;
    double parents, elite;  // shares of the population
    double cross, reorder;  // chances per pair, per child
    double mutate;          // chance per trial
    int64_t trials;         // per child
    double swap, grow, age; // chances per child
    double fine, range;     // of sizes that mutate
    bool ones;              // the first population has the smallest inner tiles
    int64_t patience;       // generations without improvement, 0 = no end
    int64_t redraws;
} GammaOptions;

typedef struct {
    double score;
    int64_t born; // when it was told
    int row;      // of its point
} Member;

typedef struct {
    const SlSpace *space;
    GammaOptions options;
    SlMutation mutation;
    SlRng rng;
    SlGenome genome;
    SlSeen seen;
    int n_members, most_members;
    Member *members;        // (most_members) what the next parents are chosen from
    int32_t *points;        // (most_members, n_params) by row
    int32_t *children;      // (population, n_params)
    int n_children, n_sent; // of this generation; those asked for already
    int64_t told;
    bool begun;    // something was asked for
    double best;   // of this population and its ancestors
    int64_t stale; // generations since it became better
} Gamma;

static int32_t *row(const Gamma *state, int32_t *rows, int64_t i) {
    return rows + i * state->space->n_params;
}

static void copy_point(const Gamma *state, int32_t *to, const int32_t *from) {
    memcpy(to, from, (size_t)state->space->n_params * sizeof *to);
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Gamma *state = SL_NEW(arena, 1, Gamma);
    if (!state) return NULL;
    memcpy(&state->options, options, sizeof state->options);
    const GammaOptions *chosen = &state->options;
    int n_params = sl_task_space(setup->task)->n_params;
    state->space = sl_task_space(setup->task);
    state->mutation = (SlMutation){.fine = chosen->fine, .range = chosen->range};
    // elite, children, and as many guests
    state->most_members = 3 * (int)chosen->population;
    state->members = SL_NEW(arena, state->most_members, Member);
    state->points = SL_NEW(arena, (int64_t)state->most_members * n_params, int32_t);
    state->children = SL_NEW(arena, chosen->population * n_params, int32_t);
    if (!state->members || !state->points || !state->children) return NULL;
    if (!sl_seen_init(&state->seen, setup->task, setup->budget, arena)) return NULL;
    for (int i = 0; i < state->most_members; i++) state->members[i].row = i;
    sl_genome_init(&state->genome, sl_task_space(setup->task));
    state->best = INFINITY;
    char stream[160];
    snprintf(stream, sizeof stream, "gamma %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

// --- children

static void vary(Gamma *state, int32_t *point) {
    const GammaOptions *chosen = &state->options;
    const SlGenome *genome = &state->genome;
    SlRng *rng = &state->rng;
    if (sl_chance(rng, chosen->reorder)) sl_genome_reorder(genome, rng, point);
    for (int64_t i = 0; i < chosen->trials; i++)
        if (sl_chance(rng, chosen->mutate)) sl_genome_mutate(genome, &state->mutation, rng, point);
    if (sl_chance(rng, chosen->swap)) sl_genome_swap(genome, rng, point);
    if (sl_chance(rng, chosen->grow)) sl_genome_grow(genome, rng, point);
    if (sl_chance(rng, chosen->age)) sl_genome_age(genome, rng, point);
}

static void add_child(Gamma *state, const int32_t *born) {
    int32_t *child = row(state, state->children, state->n_children++);
    int64_t redraws = state->options.redraws;
    for (int64_t i = 0; i <= 2 * redraws; i++) {
        // where varying leads nowhere new, any point
        if (i > redraws) {
            sl_genome_start(&state->genome, state->options.ones, &state->rng, child);
        } else {
            copy_point(state, child, born);
            vary(state, child);
        }
        if (redraws == 0 || sl_seen_add(&state->seen, child)) return;
    }
}

static void add_pair(Gamma *state, int n_parents) {
    int32_t dad[SL_MAX_PARAMS], mum[SL_MAX_PARAMS];
    int first = (int)sl_rng_below(&state->rng, (uint64_t)n_parents), second = first;
    if (n_parents > 1) {
        second = (int)sl_rng_below(&state->rng, (uint64_t)n_parents - 1);
        second += second >= first;
    }
    copy_point(state, dad, row(state, state->points, state->members[first].row));
    copy_point(state, mum, row(state, state->points, state->members[second].row));
    if (sl_chance(&state->rng, state->options.cross))
        sl_genome_cross(&state->genome, &state->rng, dad, mum);
    add_child(state, dad);
    if (state->n_children < state->options.population) add_child(state, mum);
}

static void add_start(Gamma *state) {
    int32_t *child = row(state, state->children, state->n_children++);
    for (int64_t i = 0; i <= state->options.redraws; i++) {
        sl_genome_start(&state->genome, state->options.ones, &state->rng, child);
        if (state->options.redraws == 0 || sl_seen_add(&state->seen, child)) return;
    }
}

// --- generations

// the lower score first; of equal ones the younger, so that plateaus are crossed
static int compare_members(const void *left, const void *right) {
    const Member *a = left, *b = right;
    if (a->score != b->score) return a->score < b->score ? -1 : 1;
    return a->born > b->born ? -1 : a->born < b->born;
}

// at least one
static int share(double part, int64_t whole) {
    double n = floor(part * (double)whole + 1e-9);
    return n < 1 ? 1 : (int)n;
}

// after a generation: true if the population has not improved for too long
static bool tired(Gamma *state) {
    double best = state->members[0].score;
    state->stale = best < state->best ? 0 : state->stale + 1;
    state->best = best;
    return state->options.patience > 0 && state->stale >= state->options.patience;
}

// a first population; points told before it are part of it
static void found(Gamma *state) {
    state->best = INFINITY;
    state->stale = 0;
    while (state->n_children < state->options.population - state->n_members) add_start(state);
}

static void mate(Gamma *state) {
    const GammaOptions *chosen = &state->options;
    int n_parents = share(chosen->parents, chosen->population);
    int n_elite = share(chosen->elite, chosen->population);
    if (n_parents > state->n_members) n_parents = state->n_members;
    while (state->n_children < chosen->population) add_pair(state, n_parents);
    if (n_elite < state->n_members) state->n_members = n_elite;
}

static void breed(Gamma *state) {
    bool first = !state->begun;
    state->begun = true;
    state->n_children = state->n_sent = 0;
    qsort(state->members, (size_t)state->n_members, sizeof *state->members, compare_members);
    if (!first && state->n_members > 0 && tired(state)) state->n_members = 0;
    if (first || state->n_members == 0) found(state);
    if (state->n_children == 0) mate(state);
}

static int ask(void *context, int room, int32_t *points) {
    Gamma *state = context;
    assert(room >= 1);
    if (state->n_sent == state->n_children) breed(state);
    int left = state->n_children - state->n_sent, n = room < left ? room : left;
    size_t bytes = (size_t)n * (size_t)state->space->n_params * sizeof *points;
    memcpy(points, row(state, state->children, state->n_sent), bytes);
    state->n_sent += n;
    return n;
}

static void tell_one(Gamma *state, const int32_t *point, double score) {
    // where there is no space the worst makes way, if it is worse
    int place = state->n_members;
    if (place == state->most_members) {
        place = 0;
        for (int i = 1; i < state->n_members; i++)
            if (state->members[i].score > state->members[place].score) place = i;
        if (state->members[place].score < score) return;
    } else {
        state->n_members++;
    }
    Member *member = &state->members[place];
    member->score = score;
    member->born = state->told++;
    copy_point(state, row(state, state->points, member->row), point);
}

static void tell(void *context, int n, const int32_t *points, const SlSample *outcomes) {
    Gamma *state = context;
    for (int i = 0; i < n; i++)
        tell_one(state, points + (size_t)i * (size_t)state->space->n_params, outcomes[i].score);
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Gamma *state = context;
    for (int i = 0; i < n; i++)
        sl_seen_add(&state->seen, points + (size_t)i * (size_t)state->space->n_params);
    tell(context, n, points, samples);
}

static const SlOption options_table[] = {
    SL_OPT_WHOLE(GammaOptions, "population", population, "6", 2, 10000, "N",
                 "children per generation"),
    SL_OPT_REAL(GammaOptions, "parents", parents, "0.4", 0, 1, "P",
                "share of the population that has children"),
    SL_OPT_REAL(GammaOptions, "elite", elite, "0.2", 0, 1, "P",
                "share of the population that survives, at least one"),
    SL_OPT_REAL(GammaOptions, "cross", cross, "0.57", 0, 1, "P",
                "probability that two children exchange the tiles of one dimension"),
    SL_OPT_REAL(GammaOptions, "reorder", reorder, "0.35", 0, 1, "P",
                "probability that two loops of an order are swapped"),
    SL_OPT_REAL(GammaOptions, "mutate", mutate, "0.53", 0, 1, "P",
                "probability that a mutation trial redraws a gene"),
    SL_OPT_WHOLE(GammaOptions, "trials", trials, "3", 0, 1000, "N", "mutation trials per child"),
    SL_OPT_REAL(GammaOptions, "swap", swap, "0.05", 0, 1, "P",
                "probability that two fan-outs exchange their parallel dimensions"),
    SL_OPT_REAL(GammaOptions, "grow", grow, "0", 0, 1, "P",
                "probability that a level of clusters is added"),
    SL_OPT_REAL(GammaOptions, "age", age, "0", 0, 1, "P",
                "probability that a level of clusters is removed"),
    SL_OPT_REAL(GammaOptions, "fine", fine, "0.5", 0, 1, "P",
                "share of size mutations that move a few steps"),
    SL_OPT_REAL(GammaOptions, "range", range, "0.53", 0, 1, "X",
                "largest such move, as a share of the list of sizes"),
    SL_OPT_FLAG(GammaOptions, "ones", ones, "start with the smallest inner tiles",
                .fallback = "false"),
    SL_OPT_WHOLE(GammaOptions, "patience", patience, "40", 0, 1e12, "N",
                 "generations without improvement before a new population; 0 = none"),
    SL_OPT_WHOLE(GammaOptions, "redraws", redraws, "20", 0, 1e6, "N",
                 "redraws to avoid nests seen before; 0 = repeats are evaluated again"),
    {0},
};

const SlMethod sl_gamma_method = {
    .name = "gamma",
    .title = "GAMMA, a genetic mapper with operators for tiles, orders and clusters",
    .source = "Kao & Krishna, ICCAD 2020",
    .options = options_table,
    .options_bytes = sizeof(GammaOptions),
    .needs = SL_NEEDS_MAPPINGS,
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
