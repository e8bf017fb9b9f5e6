// bound_tiny.c - tiny layers: bounds against the list of all mappings. See bound_check.h.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bound_check.h"
#include "bound_loads.h"
#include "nest_walk.h"
#include "tiny_case.h"

enum { MAX_SPREADS = 3000, MAX_TILES = 256 };

// One case and where the walk through its mappings is.
typedef struct {
    TinyCase c;
    SlArena arena;
    SlRng rng;
    SlSpace space;
    int n_branches;
    SlSpread *spreads;
    SlBounds *bounds;
    SlBoundWork *work;
    BoundTally *tally;
    uint64_t seed;
    long number;
    size_t n;
    char *why;
    bool wrong;

    // the branch at hand
    int at;
    ProofBranch branch;
    double least; // value in it
    // the tiles at hand
    LevelBounds levels;
    double tile_least, any_value;
    SlScheme tile_best, any;
    long n_orders;
} Listed;

bool about_most(double a, double b) {
    return a <= b * (1 + 1e-9);
}

bool about_equal(double a, double b) {
    return a == b || fabs(a - b) <= 1e-9 * fabs(b);
}

// note what is wrong; false, so that walks end
__attribute__((format(printf, 2, 3))) static bool fails(Listed *listed, const char *format, ...) {
    char what[1024], text[CASE_LINES_MAX], spread[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    snprintf(listed->why, listed->n, "case %ld of seed %llu: branch %d (%s): %s\n%s",
             listed->number, (unsigned long long)listed->seed, listed->at,
             proof_spread_text(&listed->c.accel, &listed->branch.spread, sizeof spread, spread),
             what, tiny_case_text(&listed->c, sizeof text, text));
    listed->wrong = true;
    return false;
}

static double price(const Listed *listed, const SlMapping *nest) {
    SlCost cost;
    sl_cost_eval(&listed->c.layer, &listed->c.accel, nest, &cost);
    return sl_goal_value(&listed->c.goal, &cost);
}

static const char *scheme_text(const Listed *listed, const SlScheme *scheme, size_t n, char *out) {
    SlMapping nest;
    proof_nest(&listed->branch, scheme, &nest);
    return sl_mapping_write(&nest, n, out);
}

// --- drawing a case

typedef struct {
    const ProofBranch *branch;
    double n, most;
} Count;

static bool count_tiles(void *context, SlScheme *scheme) {
    Count *count = context;
    count->n += proof_n_orders(count->branch, scheme);
    return count->n <= count->most;
}

// the number of mappings, above `most` if there are more
static double count_mappings(Listed *listed, double most) {
    Count count = {.most = most};
    size_t mark = sl_arena_mark(&listed->arena);
    for (int i = 0; i < listed->n_branches && count.n <= most; i++) {
        ProofBranch branch;
        REQUIRE(proof_branch_make(&listed->space, &listed->spreads[i], &listed->arena, &branch));
        count.branch = &branch;
        proof_each_tiles(&branch, count_tiles, &count);
        sl_arena_rewind(&listed->arena, mark);
    }
    return count.n;
}

static bool draw(Listed *listed, double most) {
    const double least = 40; // fewer say little
    tiny_case_sample(&listed->rng, &listed->c);
    REQUIRE(!sl_layer_check(&listed->c.layer) && !sl_accel_check(&listed->c.accel));
    if (sl_space_make(&listed->c.layer, &listed->c.accel, &listed->c.options, &listed->arena,
                      &listed->space, NULL) != SL_OK)
        return false;
    if (sl_bounds_reason(&listed->space, &listed->c.goal)) return false;
    listed->spreads = SL_NEW(&listed->arena, MAX_SPREADS, SlSpread);
    REQUIRE(listed->spreads);
    listed->n_branches = proof_spreads(&listed->space, MAX_SPREADS, listed->spreads);
    if (listed->n_branches < 0) return false;
    double n = count_mappings(listed, most);
    return least <= n && n <= most;
}

// --- one choice of tiles

static bool price_order(void *context, SlScheme *scheme) {
    Listed *listed = context;
    SlMapping nest;
    SlFit fit;
    proof_nest(&listed->branch, scheme, &nest);
    if (listed->n_orders++ == 0) {
        if (sl_mapping_check(&listed->c.layer, &nest))
            return fails(listed, "no nest: %s", sl_mapping_check(&listed->c.layer, &nest));
        if (!sl_mapping_fit(&listed->c.layer, &listed->c.accel, &nest, &fit))
            return fails(listed, "a nest of the branch does not fit");
    }
    SlCost cost;
    char why[256];
    sl_cost_eval(&listed->c.layer, &listed->c.accel, &nest, &cost);
    if (level_bounds_wrong(&listed->levels, &listed->c.accel, &cost, sizeof why, why)) {
        char text[SL_NEST_TEXT_MAX];
        return fails(listed, "%s: %s", sl_mapping_write(&nest, sizeof text, text), why);
    }
    double value = sl_goal_value(&listed->c.goal, &cost);
    if (value < listed->tile_least) {
        listed->tile_least = value;
        listed->tile_best = *scheme;
    }
    // any of them, each as likely
    if (sl_rng_below(&listed->rng, (uint64_t)listed->n_orders) == 0) {
        listed->any = *scheme;
        listed->any_value = value;
    }
    return true;
}

// no node on the way to the scheme may be above its value
static bool check_path(Listed *listed, const SlScheme *scheme, double value) {
    double bounds[SL_MAX_PATH];
    char text[SL_NEST_TEXT_MAX];
    int n = sl_bounds_path(listed->work, listed->at, scheme, bounds);
    if (n < 1)
        return fails(listed, "no way to the scheme of %s",
                     scheme_text(listed, scheme, sizeof text, text));
    listed->tally->checks += n;
    for (int i = 0; i < n; i++)
        if (!about_most(bounds[i], value))
            return fails(listed, "node %d of %d has bound %.17g, but %s has %.17g", i, n, bounds[i],
                         scheme_text(listed, scheme, sizeof text, text), value);
    return true;
}

static bool check_orders(Listed *listed) {
    SlScheme scheme = listed->any;
    SlMapping nest;
    char text[SL_NEST_TEXT_MAX];
    double best = sl_bounds_orders(listed->work, listed->at, &scheme);
    if (!about_equal(best, listed->tile_least))
        return fails(listed, "best order of %s: %.17g, must be %.17g",
                     scheme_text(listed, &listed->tile_best, sizeof text, text), best,
                     listed->tile_least);
    proof_nest(&listed->branch, &scheme, &nest);
    if (!about_equal(price(listed, &nest), best))
        return fails(listed, "the best order %s has %.17g, not %.17g",
                     sl_mapping_write(&nest, sizeof text, text), price(listed, &nest), best);
    return true;
}

static bool check_tiles(void *context, SlScheme *scheme) {
    Listed *listed = context;
    listed->tile_least = INFINITY;
    listed->n_orders = 0;
    if (!check_path(listed, scheme, INFINITY)) return false;
    level_bounds_copy(listed->work, &listed->levels);
    if (!proof_each_order(&listed->branch, scheme, price_order, listed)) return false;
    listed->tally->tiles++;
    listed->tally->mappings += listed->n_orders;
    if (listed->tile_least < listed->least) listed->least = listed->tile_least;
    return check_path(listed, &listed->any, listed->any_value) && check_orders(listed) &&
           check_path(listed, &listed->tile_best, listed->tile_least);
}

// --- one branch

static bool check_sizes(Listed *listed, int level, int dim, int64_t whole) {
    int64_t want[MAX_TILES], got[MAX_TILES];
    int n = proof_sizes(&listed->branch, level, dim, whole, want);
    if (sl_bounds_sizes(listed->work, listed->at, level, dim, whole, NULL) != n ||
        sl_bounds_sizes(listed->work, listed->at, level, dim, whole, got) != n ||
        memcmp(want, got, (size_t)n * sizeof *want) != 0)
        return fails(listed, "level %d has other tiles of %s below one of %lld", level,
                     sl_dim_names[dim], (long long)whole);
    return true;
}

static bool check_all_sizes(Listed *listed) {
    for (int l = 1; l < listed->c.accel.n_levels; l++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            int64_t whole = listed->space.outermost >> d & 1 ? 1 : listed->c.layer.dims[d];
            for (; whole >= 1; whole--) {
                if (!check_sizes(listed, l, d, whole)) return false;
                if (l == 1) break;
            }
        }
    }
    return true;
}

static bool close_branch(Listed *listed, SlCloseLimits limits, double epsilon, SlClosed *closed) {
    SlError err;
    SlStatus status = sl_bounds_close(listed->work, listed->at, &limits, epsilon, closed, &err);
    if (status != SL_OK) return fails(listed, "not closed: %s", err.text);
    if (!about_most(closed->bound, listed->least))
        return fails(listed, "closed at %.17g (threshold %.17g, epsilon %g), but there is %.17g",
                     closed->bound, limits.threshold, epsilon, listed->least);
    if (closed->value == INFINITY) return true;
    const char *why = sl_mapping_check(&listed->c.layer, &closed->mapping);
    SlFit fit;
    if (why) return fails(listed, "the mapping found is no nest: %s", why);
    if (!sl_mapping_fit(&listed->c.layer, &listed->c.accel, &closed->mapping, &fit))
        return fails(listed, "the mapping found does not fit");
    if (!about_equal(price(listed, &closed->mapping), closed->value))
        return fails(listed, "the mapping found has %.17g, not %.17g",
                     price(listed, &closed->mapping), closed->value);
    if (!about_most(listed->least, closed->value))
        return fails(listed, "a mapping of %.17g was found, but the least is %.17g", closed->value,
                     listed->least);
    return true;
}

// without a threshold: the least value, and a bound that says so
static bool check_exact(Listed *listed) {
    SlClosed closed;
    if (!close_branch(listed, (SlCloseLimits){.threshold = INFINITY}, 0, &closed)) return false;
    if (!closed.complete || !about_equal(closed.value, listed->least) ||
        !about_equal(closed.bound, listed->least))
        return fails(listed, "closed with value %.17g and bound %.17g, must be %.17g", closed.value,
                     closed.bound, listed->least);
    return true;
}

// a little above the least it is found; a little below nothing is, and the bound says as much
static bool check_thresholds(Listed *listed) {
    const double away = 1e-6;
    double above = listed->least * (1 + away), below = listed->least * (1 - away);
    SlClosed closed;
    if (!close_branch(listed, (SlCloseLimits){.threshold = above}, 0, &closed)) return false;
    if (!about_equal(closed.value, listed->least) || !about_equal(closed.bound, listed->least))
        return fails(listed, "closed below %.17g with value %.17g and bound %.17g, must be %.17g",
                     above, closed.value, closed.bound, listed->least);
    if (!close_branch(listed, (SlCloseLimits){.threshold = below}, 0, &closed)) return false;
    if (closed.value != INFINITY || !about_most(below, closed.bound))
        return fails(listed, "closed below %.17g with value %.17g and bound %.17g", below,
                     closed.value, closed.bound);
    return true;
}

// a gap that may stay; a walk that is cut short
static bool check_gap(Listed *listed) {
    const double epsilon = 0.07;
    SlClosed closed;
    if (!close_branch(listed, (SlCloseLimits){.threshold = INFINITY}, epsilon, &closed))
        return false;
    if (!closed.complete || !about_most(closed.value, closed.bound * (1 + epsilon)))
        return fails(listed, "closed within %g with value %.17g and bound %.17g", epsilon,
                     closed.value, closed.bound);
    SlCloseLimits short_walk = {.threshold = INFINITY, .nodes = sl_rng_range(&listed->rng, 1, 40)};
    return close_branch(listed, short_walk, 0, &closed);
}

static bool check_branch(Listed *listed, int i) {
    listed->at = i;
    listed->least = INFINITY;
    const SlSpread *spread = sl_bounds_spread(listed->bounds, i);
    if (!proof_same_spread(&listed->c.accel, spread, &listed->spreads[i])) {
        char text[256];
        return fails(listed, "the branch is %s",
                     proof_spread_text(&listed->c.accel, spread, sizeof text, text));
    }
    if (!check_all_sizes(listed)) return false;
    if (!proof_each_tiles(&listed->branch, check_tiles, listed)) return false;
    if (!about_most(sl_bounds_root(listed->bounds, i), listed->least))
        return fails(listed, "first bound %.17g, but there is %.17g",
                     sl_bounds_root(listed->bounds, i), listed->least);
    if (!check_exact(listed)) return false;
    if (listed->least == INFINITY) return true;
    return check_thresholds(listed) && check_gap(listed);
}

// --- the whole

// points of the space, repaired, lie in the branch that is found for them
static bool check_points(Listed *listed) {
    for (int i = 0; i < 10; i++) {
        int32_t point[SL_MAX_PARAMS];
        SlScheme scheme;
        SlMapping nest, same;
        char text[SL_NEST_TEXT_MAX], why[128];
        sl_space_sample(&listed->space, &listed->rng, point);
        sl_space_decode(&listed->space, point, &scheme);
        sl_scheme_repair(&listed->space, &scheme);
        sl_scheme_mapping(&listed->space, &scheme, &nest);
        sl_mapping_write(&nest, sizeof text, text);
        listed->at = sl_bounds_find(listed->bounds, &scheme);
        if (listed->at < 0) return fails(listed, "no branch holds %s", text);
        REQUIRE(proof_branch_make(&listed->space, &listed->spreads[listed->at], &listed->arena,
                                  &listed->branch));
        if (proof_lacks(&listed->branch, &scheme, sizeof why, why))
            return fails(listed, "%s: %s", text, why);
        proof_nest(&listed->branch, &scheme, &same);
        if (memcmp(&nest, &same, sizeof nest) != 0)
            return fails(listed, "%s is another nest in the branch", text);
        if (!check_path(listed, &scheme, price(listed, &nest))) return false;
    }
    return true;
}

static void check_all(Listed *listed) {
    listed->bounds = sl_bounds_make(&listed->space, &listed->c.goal, &listed->arena);
    REQUIRE(listed->bounds);
    listed->work = sl_bound_work_make(listed->bounds, &listed->arena);
    REQUIRE(listed->work);
    int n = sl_bounds_n_spreads(listed->bounds);
    bool good =
        n == listed->n_branches || fails(listed, "%d branches, must be %d", n, listed->n_branches);
    size_t mark = sl_arena_mark(&listed->arena);
    for (int i = 0; i < listed->n_branches && good; i++) {
        REQUIRE(proof_branch_make(&listed->space, &listed->spreads[i], &listed->arena,
                                  &listed->branch));
        good = check_branch(listed, i);
        sl_arena_rewind(&listed->arena, mark);
        listed->tally->branches++;
    }
    if (good) check_points(listed);
    sl_bound_work_free(listed->work);
}

const char *tiny_bounds_wrong(uint64_t seed, long i, double most, BoundTally *tally, size_t n,
                              char *why) {
    Listed *listed = calloc(1, sizeof *listed);
    REQUIRE(listed);
    listed->tally = tally;
    listed->seed = seed;
    listed->number = i;
    listed->n = n;
    listed->why = why;
    sl_rng_init(&listed->rng, seed * 1000003 + (uint64_t)i, "tiny bounds");
    sl_arena_init(&listed->arena, 0);
    while (!draw(listed, most)) {
        tally->skipped++;
        sl_arena_rewind(&listed->arena, 0);
    }
    check_all(listed);
    tally->cases++;
    bool wrong = listed->wrong;
    sl_arena_free(&listed->arena);
    free(listed);
    return wrong ? why : NULL;
}
