// descent.c - the search phase of Mind Mappings (Hegde et al., ASPLOS 2021, section 4): gradient
// descent on the surrogate, rounded to a point after every step, with random jumps that are
// accepted as in annealing.
//
// What is not in the paper: jumps near good samples; a chain that rounds to a nest seen before
// steps aside to a random neighbour, so that every step can be verified.
#include "descent.h"

#include <math.h>
#include <string.h>

enum {
    COOL_EVERY = 50, // jumps between two coolings (the paper)
    MOST_ASIDE = 4,  // tries to leave nests seen before
    N_LENGTHS = 8,   // different step lengths among the chains
};
static const SlSteps NEAR_GOOD = {.more = 0.5, .near = 0.7, .reach = 12};
static const SlSteps ASIDE = {.more = 0.3, .near = 0.9, .reach = 12};

// --- rankings

bool sl_ranking_make(SlRanking *ranking, int most, int n_params, SlArena *arena) {
    *ranking = (SlRanking){.most = most};
    ranking->value = SL_NEW(arena, most, double);
    ranking->points = SL_NEW(arena, (size_t)most * (size_t)n_params, int32_t);
    return ranking->value && ranking->points;
}

void sl_ranking_add(SlRanking *ranking, int n_params, double value, const int32_t *point) {
    size_t width = (size_t)n_params, bytes = width * sizeof *point;
    if (ranking->n == ranking->most && value >= ranking->value[ranking->n - 1]) return;
    size_t at = (size_t)(ranking->n < ranking->most ? ranking->n++ : ranking->n - 1);
    for (; at > 0 && value < ranking->value[at - 1]; at--) {
        ranking->value[at] = ranking->value[at - 1];
        memcpy(ranking->points + at * width, ranking->points + (at - 1) * width, bytes);
    }
    ranking->value[at] = value;
    memcpy(ranking->points + at * width, point, bytes);
}

// --- memory

static bool alloc_chains(SlDescent *descent, SlArena *arena) {
    for (int c = 0; c < descent->n_chains; c++) {
        SlChain *chain = &descent->chains[c];
        chain->x = SL_NEW(arena, descent->lens->relax.n, double);
        chain->inputs = SL_NEW(arena, descent->lens->n, double);
        chain->met = SL_NEW(arena, descent->n_params, int32_t);
        chain->height = chain->guess = INFINITY;
        if (!chain->x || !chain->inputs || !chain->met) return false;
    }
    return true;
}

bool sl_descent_make(SlDescent *descent, const SlDescentOptions *options, const SlLens *lens,
                     const SlSeen *seen, SlSurrogate *model, SlArena *arena) {
    const SlSpace *space = sl_task_space(seen->task);
    *descent = (SlDescent){.options = *options,
                           .space = space,
                           .lens = lens,
                           .seen = seen,
                           .model = model,
                           .rng = descent->rng,
                           .n_params = space->n_params,
                           .n_chains = (int)options->chains,
                           .heat = options->heat};
    sl_neighbours_init(&descent->around, space);
    size_t n = (size_t)descent->n_chains, n_inputs = n * (size_t)lens->n;
    descent->inputs = SL_NEW(arena, n_inputs, double);
    descent->by_inputs = SL_NEW(arena, n_inputs, double);
    descent->points = SL_NEW(arena, n * (size_t)descent->n_params, int32_t);
    descent->keys = SL_NEW(arena, n, uint64_t);
    descent->guesses = SL_NEW(arena, n, double);
    descent->slope = SL_NEW(arena, lens->relax.n, double);
    return descent->inputs && descent->by_inputs && descent->points && descent->keys &&
           descent->guesses && descent->slope && alloc_chains(descent, arena);
}

// --- what the model says

static double *row_inputs(const SlDescent *descent, int c) {
    return descent->inputs + (ptrdiff_t)c * descent->lens->n;
}

static int32_t *row_point(const SlDescent *descent, int c) {
    return descent->points + (ptrdiff_t)c * descent->n_params;
}

static void guess_rows(SlDescent *descent) {
    sl_surrogate_guess(descent->model, descent->n_chains, descent->inputs,
                       descent->options.optimism, descent->guesses);
}

// guesses for all points; a chain remembers the best that is a new nest
static void guess_points(SlDescent *descent) {
    for (int c = 0; c < descent->n_chains; c++)
        descent->keys[c] =
            sl_lens_point(descent->lens, row_point(descent, c), row_inputs(descent, c));
    guess_rows(descent);
    for (int c = 0; c < descent->n_chains; c++) {
        SlChain *chain = &descent->chains[c];
        if (descent->guesses[c] >= chain->guess) continue;
        if (sl_seen_has_key(descent->seen, descent->keys[c])) continue;
        chain->guess = descent->guesses[c];
        memcpy(chain->met, row_point(descent, c), (size_t)descent->n_params * sizeof *chain->met);
    }
}

// the networks have learned: what they say of where the chains are has changed
static void guess_chains(SlDescent *descent) {
    size_t bytes = (size_t)descent->lens->n * sizeof(double);
    if (descent->jumps == 0) return;
    for (int c = 0; c < descent->n_chains; c++)
        memcpy(row_inputs(descent, c), descent->chains[c].inputs, bytes);
    guess_rows(descent);
    for (int c = 0; c < descent->n_chains; c++) descent->chains[c].height = descent->guesses[c];
}

// --- a round

// the chain is now at its point
static void settle(SlDescent *descent, int c) {
    SlChain *chain = &descent->chains[c];
    chain->height = descent->guesses[c];
    memcpy(chain->inputs, row_inputs(descent, c), (size_t)descent->lens->n * sizeof(double));
}

static void draw_jump(SlDescent *descent, const SlRanking *good, int32_t *point) {
    SlRng *rng = &descent->rng;
    if (good->n == 0 || !sl_chance(rng, descent->options.elite)) {
        sl_space_sample(descent->space, rng, point);
        return;
    }
    ptrdiff_t pick = (ptrdiff_t)sl_rng_below(rng, (uint64_t)good->n);
    sl_neighbour_sample(&descent->around, &NEAR_GOOD, good->points + pick * descent->n_params, rng,
                        point);
}

// every chain tries another place; worse ones are accepted while it is hot
static void jump(SlDescent *descent, const SlRanking *good) {
    guess_chains(descent);
    for (int c = 0; c < descent->n_chains; c++) {
        descent->chains[c].guess = INFINITY;
        draw_jump(descent, good, row_point(descent, c));
    }
    guess_points(descent);
    for (int c = 0; c < descent->n_chains; c++) {
        SlChain *chain = &descent->chains[c];
        double worse = descent->guesses[c] - chain->height;
        if (worse <= 0 || sl_chance(&descent->rng, exp(-worse / descent->heat))) settle(descent, c);
        memcpy(chain->x, chain->inputs, (size_t)descent->lens->relax.n * sizeof *chain->x);
        if (++descent->jumps % COOL_EVERY == 0) descent->heat *= descent->options.cool;
    }
}

// a step of the given length in its largest column
static void step_down(SlDescent *descent, int c, double length) {
    int n = descent->lens->relax.n;
    double *x = descent->chains[c].x, *slope = descent->slope, largest = 0;
    sl_lens_slope(descent->lens, descent->by_inputs + (ptrdiff_t)c * descent->lens->n, slope);
    for (int i = 0; i < n; i++) largest = fmax(largest, fabs(slope[i]));
    for (int i = 0; i < n; i++) {
        if (largest > 0) x[i] -= length * slope[i] / largest;
        x[i] += descent->options.noise * length * sl_rng_normal(&descent->rng);
        x[i] = fmin(fmax(x[i], 0), 1);
    }
}

static bool is_seen(const SlDescent *descent, const int32_t *point) {
    return sl_seen_has(descent->seen, point);
}

// the point of a chain: the nearest one, or where that is known a neighbour
static void project(SlDescent *descent, int c) {
    int32_t *point = row_point(descent, c), known[SL_MAX_PARAMS];
    double *x = descent->chains[c].x;
    sl_relax_round(&descent->lens->relax, x, point);
    for (int k = 0; k < MOST_ASIDE && is_seen(descent, point); k++) {
        memcpy(known, point, (size_t)descent->n_params * sizeof *point);
        sl_neighbour_sample(&descent->around, &ASIDE, known, &descent->rng, point);
        sl_relax_point(&descent->lens->relax, point, x);
    }
}

// the two networks lead in turns; lengths differ from chain to chain, `rate` is their mean
static void descend(SlDescent *descent, int net) {
    const double mean = (N_LENGTHS + 1) / 2.0;
    int n = descent->n_chains;
    for (int c = 0; c < n; c++) {
        const SlChain *chain = &descent->chains[c];
        memcpy(row_inputs(descent, c), chain->inputs, (size_t)descent->lens->n * sizeof(double));
        memcpy(row_inputs(descent, c), chain->x, (size_t)descent->lens->relax.n * sizeof(double));
    }
    sl_surrogate_slope(descent->model, net, n, descent->inputs, descent->by_inputs);
    for (int c = 0; c < n; c++) {
        step_down(descent, c, descent->options.rate * (c % N_LENGTHS + 1) / mean);
        project(descent, c);
    }
    guess_points(descent);
    for (int c = 0; c < n; c++) settle(descent, c);
}

void sl_descent_round(SlDescent *descent, const SlRanking *good) {
    jump(descent, good);
    for (int64_t s = 0; s < descent->options.steps; s++)
        descend(descent, (int)(s % SL_SURROGATE_NETS));
}
