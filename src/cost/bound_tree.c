// bound_tree.c - the walk through one branch: tiles of the outermost level first, dim by dim,
// largest first; then the next level; at the innermost level once for every dim whose loop may be
// the innermost; then the orders.
#include "bound_blocks.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { STOP_STEP = 1024 }; // nodes between two questions

// ---- the nest of a leaf ----

typedef struct {
    int n, next;
    DimLoop loops[SL_MAX_LOOPS];
} DimNest;

static void put_spatial(DimNest *nest, int d, int segment, SlMapping *out) {
    for (; nest->next < nest->n; nest->next++) {
        const DimLoop *loop = &nest->loops[nest->next];
        if (!loop->spatial || loop->segment != segment) return;
        out->loops[out->n_loops++] = (SlLoop){loop->tile, (uint8_t)d, true};
    }
}

static void put_temporal(DimNest *nest, int d, int segment, SlMapping *out) {
    if (nest->next >= nest->n) return;
    const DimLoop *loop = &nest->loops[nest->next];
    if (loop->spatial || loop->segment != segment) return;
    out->loops[out->n_loops++] = (SlLoop){loop->tile, (uint8_t)d, false};
    nest->next++;
}

static void leaf_mapping(const SlBoundWork *work, const SlScheme *scheme, SlMapping *out) {
    const SlBounds *bounds = work->bounds;
    int last = bounds->n_chip;
    DimNest nest[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t tiles[MAX_CHIP + 2];
        sl_tiles_above(work, d, last + 1, tiles);
        nest[d].next = 0;
        nest[d].n =
            sl_chain_loops(bounds, d, sl_work_role(work, d), tiles, last + 1, nest[d].loops);
    }
    memset(out, 0, sizeof *out);
    out->n_boundaries = (uint8_t)last;
    for (int s = 0; s <= last; s++) {
        for (int d = 0; d < SL_N_DIMS; d++) put_spatial(&nest[d], d, s, out);
        for (int k = 0; k < SL_N_DIMS; k++) {
            int d = s < last ? scheme->order[s + 1][k] : k;
            put_temporal(&nest[d], d, s, out);
        }
        for (int d = 0; d < SL_N_DIMS; d++) put_spatial(&nest[d], d, s, out);
        if (s == last) break;
        out->at[s] = out->n_loops;
        out->keep[s] = bounds->keep[s + 1];
    }
}

// ---- walking ----

static void close_at(SlBoundWork *work, double bound) {
    if (bound < work->bound) work->bound = bound;
}

static void visit_leaf(SlBoundWork *work) {
    SlScheme scheme;
    int keeper = work->bounds->parent[work->bounds->n_chip + 1][SL_O];
    work->mac_instances = sl_instances_of(work, keeper, work->bounds->n_chip);
    double least = sl_orders_best(work, work->threshold, &scheme);
    close_at(work, least);
    if (!(least < work->threshold)) return;
    SlMapping mapping;
    SlCost cost;
    leaf_mapping(work, &scheme, &mapping);
    assert(!sl_mapping_check(work->bounds->layer, &mapping));
    sl_pricer_set_nest(work->pricer, &mapping);
    sl_pricer_eval(work->pricer, &cost);
    double value = sl_goal_value(&work->bounds->goal, &cost);
    assert(value >= least * (1 - 1e-9));
    if (!(value < work->value)) return;
    work->value = value;
    work->mapping = mapping;
    double next = work->epsilon > 0 ? value / (1 + work->epsilon) : value * (1 - 1e-7);
    if (next < work->threshold) work->threshold = next;
}

static bool walk(SlBoundWork *work, int level, int depth);

// all tiles of a level are chosen: on to the next one, or to the orders
static void finish_level(SlBoundWork *work, int level) {
    const SlBounds *bounds = work->bounds;
    if (level == bounds->n_chip) {
        visit_leaf(work);
        return;
    }
    sl_orders_least(work, level, &work->fixed[level]);
    work->ramp[level] = sl_ramp_bound(bounds, level, &work->stages[level]);
    if (!sl_stage_enter(work, level + 1)) {
        work->stopped = true; // those above close at their bounds
        return;
    }
    Stage *stage = &work->stages[level + 1];
    if (!stage->strict) {
        walk(work, level + 1, 0);
        return;
    }
    for (int k = 0; k <= bounds->n_live; k++) {
        work->class_now = k < bounds->n_live ? bounds->live[k] : NO_CLASS;
        walk(work, level + 1, 0);
    }
}

// may the dim take the option in this class?
static bool option_allowed(const SlBoundWork *work, const Stage *stage, int d,
                           const Option *option) {
    if (!stage->strict) return true;
    if (work->class_now == NO_CLASS) return !option->moves;
    return work->class_now != d || option->moves;
}

static bool class_possible(const SlBoundWork *work, int level, const Stage *stage) {
    if (!stage->strict || work->class_now == NO_CLASS) return true;
    return sl_class_open(work->bounds, level, stage, work->class_now);
}

static bool should_stop(SlBoundWork *work) {
    const SlCloseLimits *limits = work->limits;
    work->nodes++;
    if (limits->nodes > 0 && work->nodes > limits->nodes) work->stopped = true;
    if (work->nodes % STOP_STEP == 0 && limits->stop && limits->stop(limits->context))
        work->stopped = true;
    return work->stopped;
}

// All options of dim d up to `last` at once: is nothing below the threshold?
static bool rest_is_closed(SlBoundWork *work, int level, int d, int last) {
    Stage *stage = &work->stages[level];
    if (should_stop(work)) return true;
    stage->chosen[d] = -1;
    stage->cap[d] = last;
    if (!class_possible(work, level, stage)) return true;
    double bound = sl_node_bound(work, level);
    if (bound < work->threshold) return false;
    close_at(work, bound);
    return true;
}

// Options of the next dim, largest first. Small tiles move more, so once one of them is left, all
// smaller ones often can be; asked again only after twice as many.
static void walk_options(SlBoundWork *work, int level, int depth) {
    Stage *stage = &work->stages[level];
    int d = stage->order[depth], patience = 1, left = 0;
    for (int i = stage->cap[d]; i >= 0 && !work->stopped; i--) {
        if (!option_allowed(work, stage, d, &stage->block[d]->list[i])) continue;
        stage->chosen[d] = i;
        left = walk(work, level, depth + 1) ? 0 : left + 1;
        if (left < patience || i == 0) continue;
        if (rest_is_closed(work, level, d, i - 1)) break;
        patience *= 2;
        left = 0;
    }
    stage->chosen[d] = -1;
}

// false: left by its bound
static bool walk_open(SlBoundWork *work, int level, int depth) {
    Stage *stage = &work->stages[level];
    if (!sl_stage_caps(work->bounds, level, stage) || !class_possible(work, level, stage))
        return true;
    double bound = sl_node_bound(work, level);
    if (bound >= work->threshold) {
        close_at(work, bound);
        return false;
    }
    if (depth == work->bounds->n_live)
        finish_level(work, level);
    else
        walk_options(work, level, depth);
    if (work->stopped) close_at(work, bound); // what was left below
    return true;
}

static bool walk(SlBoundWork *work, int level, int depth) {
    Stage *stage = &work->stages[level];
    int caps[SL_N_DIMS];
    if (should_stop(work)) return true;
    memcpy(caps, stage->cap, sizeof caps);
    bool looked = walk_open(work, level, depth);
    memcpy(stage->cap, caps, sizeof caps);
    return looked;
}

// from the first level of branch i down
static SlStatus walk_branch(SlBoundWork *work, int i, SlError *err) {
    const SlBounds *bounds = work->bounds;
    SlStatus status = sl_branch_enter(work, i, err);
    if (status != SL_OK) return status;
    if (work->stopped) { // on the way to its first node
        close_at(work, bounds->branches[i].root);
        return SL_OK;
    }
    if (bounds->n_chip == 1) {
        for (int k = 0; k <= bounds->n_live; k++) {
            work->class_now = k < bounds->n_live ? bounds->live[k] : NO_CLASS;
            walk(work, 1, 0);
            if (work->stopped) close_at(work, bounds->branches[i].root);
        }
    } else {
        walk(work, 1, 0);
    }
    if (!work->failed) return SL_OK;
    sl_work_clear(work);
    return sl_fail(err, SL_ENOMEM, "no memory for the bounds of a branch");
}

SlStatus sl_bounds_close(SlBoundWork *work, int i, const SlCloseLimits *limits, double epsilon,
                         SlClosed *out, SlError *err) {
    double root = work->bounds->branches[i].root;
    *out = (SlClosed){.bound = root, .value = INFINITY, .complete = true};
    if (root >= limits->threshold) return SL_OK;
    work->threshold = limits->threshold;
    work->epsilon = epsilon;
    work->bound = work->value = INFINITY;
    work->nodes = 0;
    work->limits = limits;
    work->stopped = false;
    work->thrifty = true;
    SlStatus status = walk_branch(work, i, err);
    work->limits = NULL;
    if (status != SL_OK) return status;
    if (work->stopped && work->bound > limits->threshold) close_at(work, root);
    out->bound = fmax(work->bound, root);
    out->value = work->value;
    out->mapping = work->mapping;
    out->nodes = work->nodes;
    out->complete = !work->stopped;
    return SL_OK;
}

// ---- one scheme ----

static int option_of(const Block *block, int64_t tile) {
    for (int i = 0; i < block->n; i++)
        if (block->list[i].tile == tile) return i;
    return -1;
}

// the innermost loop above the last level that iterates, in the order of the scheme
static int class_of(const SlBoundWork *work, const SlScheme *scheme) {
    int last = work->bounds->n_chip;
    const Stage *stage = &work->stages[last];
    for (int i = scheme->n_order[last] - 1; i >= 0; i--) {
        int d = scheme->order[last][i];
        int at = option_of(stage->block[d], scheme->tile[last][d]);
        if (at >= 0 && stage->block[d]->list[at].moves) return d;
    }
    return NO_CLASS;
}

// stand at the tiles of a scheme, noting the bounds on the way; -1 if it is not in the branch
static int follow(SlBoundWork *work, int i, const SlScheme *scheme, double *bounds_out) {
    const SlBounds *bounds = work->bounds;
    SlError err;
    int n = 0;
    work->thrifty = work->stopped = false;
    if (sl_branch_enter(work, i, &err) != SL_OK) return -1;
    if (bounds_out) bounds_out[n++] = bounds->branches[i].root;
    for (int l = 1; l <= bounds->n_chip; l++) {
        if (l > 1 && !sl_stage_enter(work, l)) return -1;
        Stage *stage = &work->stages[l];
        if (stage->strict) work->class_now = class_of(work, scheme);
        for (int depth = 0; depth <= bounds->n_live; depth++) {
            if (!sl_stage_caps(bounds, l, stage)) return -1;
            if (bounds_out) bounds_out[n++] = sl_node_bound(work, l);
            if (depth == bounds->n_live) break;
            int d = stage->order[depth];
            stage->chosen[d] = option_of(stage->block[d], scheme->tile[l][d]);
            if (stage->chosen[d] < 0 || stage->chosen[d] > stage->cap[d]) return -1;
        }
        sl_orders_least(work, l, &work->fixed[l]);
        work->ramp[l] = sl_ramp_bound(bounds, l, stage);
    }
    int keeper = bounds->parent[bounds->n_chip + 1][SL_O];
    work->mac_instances = sl_instances_of(work, keeper, bounds->n_chip);
    return n;
}

int sl_bounds_path(SlBoundWork *work, int i, const SlScheme *scheme, double *out) {
    int n = follow(work, i, scheme, out);
    if (n < 0) return n;
    SlScheme best;
    out[n++] = sl_orders_best(work, -INFINITY, NULL);
    out[n++] = sl_orders_best(work, INFINITY, &best);
    return n;
}

double sl_bounds_orders(SlBoundWork *work, int i, SlScheme *scheme) {
    const SlBounds *bounds = work->bounds;
    if (follow(work, i, scheme, NULL) < 0) return INFINITY;
    double least = INFINITY;
    SlScheme best = *scheme, tried = *scheme;
    for (int k = 0; k <= bounds->n_live; k++) {
        int c = k < bounds->n_live ? bounds->live[k] : NO_CLASS;
        const Stage *stage = &work->stages[bounds->n_chip];
        bool moves = c != NO_CLASS && stage->block[c]->list[stage->chosen[c]].moves;
        if (c != NO_CLASS && !moves) continue;
        if (c == NO_CLASS && least < INFINITY) continue;
        work->class_now = c;
        double value = sl_orders_best(work, INFINITY, &tried);
        if (!(value < least)) continue;
        least = value;
        memcpy(best.order, tried.order, sizeof best.order);
        memcpy(best.n_order, tried.n_order, sizeof best.n_order);
    }
    *scheme = best;
    return least;
}
