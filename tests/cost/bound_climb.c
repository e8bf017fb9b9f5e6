// bound_climb.c - real layers: bounds on the way to mappings that a climb passes. See
// bound_check.h.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound_check.h"
#include "bound_loads.h"
#include "nest_walk.h"
#include "tiny_case.h"

static const char *const layers[] = {
    // the seven of the studies
    "conv:K=16,C=32,P=112,Q=112",
    "conv:K=128,C=64,P=112,Q=112,R=3,S=3",
    "conv:K=512,C=512,P=14,Q=14,R=3,S=3",
    "conv:K=64,C=64,P=56,Q=56,R=3,S=3",
    "conv:K=256,C=48,P=27,Q=27,R=5,S=5",
    "dw:G=96,P=112,Q=112,R=3,S=3",
    "gemm:M=512,N=768,K=768",
    // strides, gaps, heads, batches, groups
    "conv:K=64,C=3,P=112,Q=112,R=7,S=7,stride=2",
    "conv:K=64,C=32,P=33,Q=33,R=3,S=3,dilation=2",
    "dw:G=144,P=28,Q=28,R=3,S=3,stride=2",
    "bmm:B=12,M=512,N=512,K=64",
    "linear:K=1000,C=2048",
    "linear:K=512,C=512,N=37",
    "conv:N=4,G=4,K=16,C=16,P=14,Q=14,R=3,S=3",
    // primes: every tile has an edge
    "conv:K=127,C=131,P=113,Q=109,R=7,S=5",
    "conv:K=31,C=17,P=29,Q=23,R=5,S=3,stride=3x2,dilation=2x1",
    "conv:K=13,C=11,P=17,Q=19,R=3,S=5,stride=2x3,dilation=1x2",
    "dw:G=23,P=31,Q=37,R=5,S=5",
    "gemm:M=101,N=103,K=107",
    "conv:K=7,C=5,P=53,Q=2,R=3,S=2",
};
enum { N_LAYERS = sizeof layers / sizeof *layers };

static const char *const accels[] = {"eyeriss", "eyeriss", "flex1024",
                                     "golden",  "gemmini", "nvdla"};
enum { N_ACCELS = sizeof accels / sizeof *accels };

// A climb on one layer and machine.
typedef struct {
    TinyCase c;
    SlArena arena;
    SlRng rng;
    SlSpace space;
    SlBounds *bounds;
    SlBoundWork *work;
    BoundTally *tally;
    uint64_t seed;
    long number;
    size_t n;
    char *why;
    int branch;
    SlScheme scheme; // at hand
    SlMapping nest;
    double value;
} Climb;

static bool chance(SlRng *rng, double p) {
    return sl_rng_uniform(rng) < p;
}

__attribute__((format(printf, 2, 3))) static bool fails(Climb *climb, const char *format, ...) {
    char what[512], text[CASE_LINES_MAX], nest[SL_NEST_TEXT_MAX], spread[256] = "none";
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(climb->why, climb->n, "climb %ld of seed %llu: branch %d (%s), %s = %.17g: %s\n%s",
             climb->number, (unsigned long long)climb->seed, climb->branch,
             climb->branch < 0 ? spread
                               : proof_spread_text(&climb->c.accel,
                                                   sl_bounds_spread(climb->bounds, climb->branch),
                                                   sizeof spread, spread),
             sl_mapping_write(&climb->nest, sizeof nest, nest), climb->value, what,
             tiny_case_text(&climb->c, sizeof text, text));
    return false;
}

// --- drawing a case

// other capacities, rates, kept tensors and numbers of instances
static void vary_accel(SlRng *rng, SlAccel *accel) {
    for (int l = 0; l < accel->n_levels; l++) {
        SlLevel *level = &accel->levels[l];
        SlFanout *fanout = &accel->fanouts[l];
        if (chance(rng, 0.3)) level->port_words = rate_sample(rng) * (l == 0 ? 8 : 1);
        if (l > 0 && chance(rng, 0.3)) level->link_words = rate_sample(rng) * 8;
        if (l > 0 && chance(rng, 0.5))
            level->capacity_bytes = level->capacity_bytes / sl_rng_range(rng, 1, 9) + 16;
        if (l > 0 && chance(rng, 0.3)) level->buffering = (SlBuffering)sl_rng_below(rng, 3);
        if (l > 0 && chance(rng, 0.15)) level->keep = (uint8_t)sl_rng_range(rng, 1, 7);
        if (l > 0 && chance(rng, 0.2)) level->link_pj = sl_rng_uniform(rng) * 5;
        if (chance(rng, 0.3)) level->read_pj = level->write_pj = sl_rng_uniform(rng) * 5;
        for (int a = 0; a < fanout->n_axes; a++)
            if (chance(rng, 0.4)) fanout->axes[a].size = sl_rng_range(rng, 1, fanout->axes[a].size);
        if (chance(rng, 0.2)) fanout->multicast = !fanout->multicast;
        if (chance(rng, 0.2)) fanout->reduction = !fanout->reduction;
    }
}

static bool draw(Climb *climb) {
    TinyCase *c = &climb->c;
    SlRng *rng = &climb->rng;
    memset(c, 0, sizeof *c);
    REQUIRE(sl_layer_parse(layers[sl_rng_below(rng, N_LAYERS)], &c->layer, NULL) == SL_OK);
    REQUIRE(sl_accel_find(accels[sl_rng_below(rng, N_ACCELS)], &climb->arena, &c->accel, NULL) ==
            SL_OK);
    if (chance(rng, 0.5)) vary_accel(rng, &c->accel);
    goal_sample(rng, &c->goal);
    bool small = c->layer.dims[SL_K] < 200 && c->layer.dims[SL_C] < 200;
    c->options.preset = small && chance(rng, 0.3) ? SL_SPACE_ALL : SL_SPACE_NATIVE;
    if (sl_space_make(&c->layer, &c->accel, &c->options, &climb->arena, &climb->space, NULL) !=
        SL_OK)
        return false;
    return !sl_bounds_reason(&climb->space, &c->goal);
}

// --- one mapping

static double price(const Climb *climb, const SlMapping *nest) {
    SlCost cost;
    sl_cost_eval(&climb->c.layer, &climb->c.accel, nest, &cost);
    climb->tally->mappings++;
    return sl_goal_value(&climb->c.goal, &cost);
}

// no bound on the way to a scheme may be above the value of its nest, nor that of a level above
// what the level uses up
static bool check_path(Climb *climb, const SlScheme *scheme, const SlMapping *nest, double value) {
    double bounds[SL_MAX_PATH];
    char why[256];
    LevelBounds levels;
    SlCost cost;
    int n = sl_bounds_path(climb->work, climb->branch, scheme, bounds);
    if (n < 1) return fails(climb, "no way to it");
    climb->tally->checks += n;
    for (int i = 0; i < n; i++)
        if (!about_most(bounds[i], value))
            return fails(climb, "node %d of %d has bound %.17g", i, n, bounds[i]);
    level_bounds_copy(climb->work, &levels);
    sl_cost_eval(&climb->c.layer, &climb->c.accel, nest, &cost);
    if (level_bounds_wrong(&levels, &climb->c.accel, &cost, sizeof why, why))
        return fails(climb, "%s", why);
    return true;
}

// the tiles with their best orders: the cheapest mapping below the last node
static bool check_best_orders(Climb *climb) {
    const SlSpread *spread = sl_bounds_spread(climb->bounds, climb->branch);
    ProofBranch branch = {.space = &climb->space, .spread = *spread};
    SlScheme scheme = climb->scheme;
    SlMapping nest;
    double best = sl_bounds_orders(climb->work, climb->branch, &scheme);
    if (!about_most(best, climb->value)) return fails(climb, "best order %.17g", best);
    proof_nest(&branch, &scheme, &nest);
    double value = price(climb, &nest);
    if (!about_equal(value, best)) {
        char text[SL_NEST_TEXT_MAX];
        return fails(climb, "best order %.17g, but %s has %.17g", best,
                     sl_mapping_write(&nest, sizeof text, text), value);
    }
    return check_path(climb, &scheme, &nest, value);
}

static bool check_mapping(Climb *climb) {
    climb->tally->tiles++;
    climb->branch = sl_bounds_find(climb->bounds, &climb->scheme);
    if (climb->branch < 0) return fails(climb, "no branch holds it");
    double root = sl_bounds_root(climb->bounds, climb->branch);
    climb->tally->checks++;
    if (!about_most(root, climb->value)) return fails(climb, "first bound %.17g", root);
    return check_path(climb, &climb->scheme, &climb->nest, climb->value) &&
           check_best_orders(climb);
}

// --- the climb

static void decode(Climb *climb, const int32_t *point) {
    sl_space_decode(&climb->space, point, &climb->scheme);
    sl_scheme_repair(&climb->space, &climb->scheme);
    sl_scheme_mapping(&climb->space, &climb->scheme, &climb->nest);
    climb->value = price(climb, &climb->nest);
}

// another value of a parameter: a few sizes away, two loops swapped, or any
static int32_t another(SlRng *rng, const SlParam *param, int32_t value) {
    if (param->kind == SL_ORDINAL && chance(rng, 0.6)) {
        int64_t near = value + sl_rng_range(rng, -3, 3);
        return (int32_t)(near < 0 ? 0 : near >= param->n ? param->n - 1 : near);
    }
    if (param->kind == SL_PERMUTATION && param->n_items > 1 && chance(rng, 0.6)) {
        uint8_t order[SL_N_DIMS];
        sl_permutation(param->n_items, value, order);
        int i = (int)sl_rng_below(rng, (uint64_t)param->n_items - 1);
        uint8_t moved = order[i];
        order[i] = order[i + 1];
        order[i + 1] = moved;
        return sl_permutation_number(param->n_items, order);
    }
    return (int32_t)sl_rng_below(rng, (uint64_t)param->n);
}

// one to three parameters anew; spreads rarely, since a branch has its tables
static void change(Climb *climb, int32_t *point) {
    bool spreads = chance(&climb->rng, 0.02);
    for (int64_t n = sl_rng_range(&climb->rng, 1, 3); n > 0; n--) {
        int i = (int)sl_rng_below(&climb->rng, (uint64_t)climb->space.n_params);
        const SlParam *param = &climb->space.params[i];
        bool spread = param->role == SL_ROLE_PARALLEL || param->role == SL_ROLE_CLUSTER;
        if (!spread || spreads) point[i] = another(&climb->rng, param, point[i]);
    }
}

// Good mappings test bounds best, so those on the way up are checked, and now and then any.
static bool run(Climb *climb, int steps) {
    int32_t point[SL_MAX_PARAMS], next[SL_MAX_PARAMS];
    sl_space_sample(&climb->space, &climb->rng, point);
    decode(climb, point);
    if (!check_mapping(climb)) return false;
    double best = climb->value, checked = best;
    for (int i = 1; i <= steps; i++) {
        memcpy(next, point, sizeof next);
        change(climb, next);
        decode(climb, next);
        bool better = climb->value <= best, clearly = climb->value < 0.98 * checked;
        if ((clearly || i % 100 == 0) && !check_mapping(climb)) return false;
        if (clearly) checked = climb->value;
        if (!better) continue;
        best = climb->value;
        memcpy(point, next, sizeof point);
    }
    decode(climb, point);
    return check_mapping(climb);
}

const char *path_bounds_wrong(uint64_t seed, long i, int steps, BoundTally *tally, size_t n,
                              char *why) {
    Climb *climb = calloc(1, sizeof *climb);
    REQUIRE(climb);
    climb->tally = tally;
    climb->seed = seed;
    climb->number = i;
    climb->n = n;
    climb->why = why;
    sl_rng_init(&climb->rng, seed * 1000003 + (uint64_t)i, "climbs");
    sl_arena_init(&climb->arena, 0);
    while (!draw(climb)) {
        tally->skipped++;
        sl_arena_rewind(&climb->arena, 0);
    }
    climb->bounds = sl_bounds_make(&climb->space, &climb->c.goal, &climb->arena);
    REQUIRE(climb->bounds);
    climb->work = sl_bound_work_make(climb->bounds, &climb->arena);
    REQUIRE(climb->work);
    bool good = run(climb, steps);
    tally->cases++;
    tally->branches += sl_bounds_n_spreads(climb->bounds);
    sl_bound_work_free(climb->work);
    sl_arena_free(&climb->arena);
    free(climb);
    return good ? NULL : why;
}
