// bound_orders.c - the best loop orders of fixed tiles.
//
// A count is V minus the sum over loops in time of what the old tile and the new one share when
// the loop advances. That share depends on which loops of the same segment lie inside, not on
// their order, and on nothing of other segments: loops outside stand, loops of inner segments
// wrap. So orders of segments are independent, and within one the best order follows from the
// best ones of its subsets (Held-Karp) for every single load; several loads at once need the
// orders that no other one beats in all of them.
#include "bound_inside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_SETS = 1 << SL_N_DIMS, MAX_FRONT = 48 };

// ---- what stays when a loop advances ----

INLINE const Lanes *state_of(const Stage *stage, int d, int s, int tensor) {
    return &stage->block[d]->list[stage->chosen[d]].state[s][tensor];
}

// dim x advances in segment s, the dims in `inside` wrap: words of a tensor that stay in a level
INLINE Lanes plain_stay(const SlBounds *bounds, const Stage *stage, int s, int x, unsigned inside,
                        int t) {
    Lanes stay = *state_of(stage, x, s + 1, t) - *state_of(stage, x, s, t);
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k];
        if (d != x && (t != SL_I || d < SL_P))
            stay *= *state_of(stage, d, has(inside, d) ? s : s + 1, t);
    }
    return stay;
}

INLINE const Lanes *window_state(const Stage *stage, int group, int level, int s, int x,
                                 unsigned inside) {
    const PairBlock *pair = stage->pair[group];
    int n = pair->n_states, code[2], index[2];
    for (int k = 0; k < 2; k++) {
        int d = WINDOW_DIMS[group][k];
        index[k] = stage->chosen[d];
        code[k] = d == x           ? 2 * (level - s) - 1
                  : has(inside, d) ? 2 * (level - s)
                                   : 2 * (level - s) - 2;
    }
    size_t at = (size_t)(index[0] * pair->n[1] + index[1]) * (size_t)(n * n);
    return &pair->state[at + (size_t)(code[0] * n + code[1])];
}

INLINE Lanes input_stay(const SlBounds *bounds, const Stage *stage, int level, int s, int x,
                        unsigned inside) {
    Lanes stay = {1, 1, 1, 1};
    if (x == SL_K)
        stay = plain_stay(bounds, stage, s, x, inside, SL_I);
    else
        for (int k = 0; k < bounds->n_live && bounds->live[k] < SL_P; k++)
            stay *=
                *state_of(stage, bounds->live[k], has(inside, bounds->live[k]) ? s : s + 1, SL_I);
    if (stay[LANE_FILL] == 0) return stay;
    for (int g = 0; g < 2; g++) stay *= *window_state(stage, g, level, s, x, inside);
    return stay;
}

INLINE void add_stay(const SlBounds *bounds, int level, int t, Lanes stay, Load *gain) {
    Lanes energy = bounds->energy[level][t] * stay;
    double *of = gain->of, twice = t == SL_O ? 2 : 1;
    of[LOAD_ENERGY] += energy[LANE_FILL] + energy[LANE_PREAD];
    if (t == SL_O) of[LOAD_ENERGY] += bounds->psum_pj[level] * stay[LANE_PREAD];
    of[LOAD_LINK + level - 1] += twice * stay[LANE_PREAD];
    of[LOAD_PORT + bounds->parent[level][t]] += twice * stay[LANE_SRV0];
    of[LOAD_PORT + level] += twice * stay[LANE_OWN0];
}

// what is saved at levels first..last when x advances in segment s with `inside` wrapped
CLONES static void gain_of(const SlBoundWork *work, int s, int x, unsigned inside, int first,
                           int last, Load *gain) {
    const SlBounds *bounds = work->bounds;
    load_clear(gain);
    for (int l = first; l <= last; l++) {
        const Stage *stage = &work->stages[l];
        int keep = bounds->keep[l];
        for (int t = 0; t < SL_N_TENSORS; t++) {
            bool moved = is_relevant(x, t) && (t != SL_I || x < SL_P); // to a disjoint tile
            if (moved || !(keep >> t & 1)) continue;
            Lanes stay = t == SL_I ? input_stay(bounds, stage, l, s, x, inside)
                                   : plain_stay(bounds, stage, s, x, inside, t);
            if (stay[LANE_FILL] != 0) add_stay(bounds, l, t, stay, gain);
        }
    }
}

// ---- one segment ----

// dims whose loop of segment s iterates
static unsigned moving_in(const SlBoundWork *work, int s) {
    const SlBounds *bounds = work->bounds;
    unsigned set = 0;
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k];
        const Stage *stage = &work->stages[s + 1];
        if (stage->block[d]->list[stage->chosen[d]].moves) set |= 1u << d;
    }
    return set;
}

INLINE bool may_follow(const SlBounds *bounds, int s, unsigned all, unsigned inside, int x) {
    return !(bounds->inner[s + 1][x] & all & ~inside);
}

// For every load the most that an order of the segment saves; false if no order is allowed.
// `innermost`: NO_CLASS = any. `path[set]`: the outermost dim of the order that saves most energy.
static bool most_saved(const SlBoundWork *work, int s, int first, int last, int innermost,
                       uint8_t path[N_SETS], Load *out) {
    const SlBounds *bounds = work->bounds;
    unsigned all = moving_in(work, s);
    Load best[N_SETS];
    bool known[N_SETS];
    load_clear(out);
    if (all == 0) return true;
    known[0] = true;
    load_clear(&best[0]);
    // subsets in ascending order: those with one dim less come before
    for (unsigned set = (0 - all) & all;; set = (set - all) & all) {
        known[set] = false;
        for (unsigned left = set; left; left &= left - 1) {
            int x = __builtin_ctz(left);
            unsigned inside = set & ~(1u << x);
            if (!known[inside] || !may_follow(bounds, s, all, inside, x)) continue;
            if (inside == 0 && innermost != NO_CLASS && x != innermost) continue;
            Load gain;
            gain_of(work, s, x, inside, first, last, &gain);
            load_add(&gain, &best[inside]);
            if (!known[set] || gain.of[LOAD_ENERGY] > best[set].of[LOAD_ENERGY])
                path[set] = (uint8_t)x;
            for (int r = 0; r < N_LOADS; r++)
                if (!known[set] || gain.of[r] > best[set].of[r]) best[set].of[r] = gain.of[r];
            known[set] = true;
        }
        if (set == all) break;
    }
    *out = best[all];
    return known[all];
}

void sl_orders_least(SlBoundWork *work, int level, Load *out) {
    uint8_t path[N_SETS];
    sl_level_volume(work->bounds, level, &work->stages[level], out);
    for (int s = 0; s < level; s++) {
        Load saved;
        most_saved(work, s, level, level, NO_CLASS, path, &saved);
        load_subtract(out, &saved);
    }
}

// ---- all segments ----

// The orders of one segment that no other one beats, built up set by set.
typedef struct {
    Load gain;
    uint8_t dim;    // outermost
    uint8_t before; // place in the front of the set without it
} FrontItem;

struct OrderFront {
    int n[N_SETS];
    FrontItem item[N_SETS][MAX_FRONT];
};

struct OrderFront *sl_fronts_make(int n, SlArena *arena) {
    return SL_NEW(arena, n, struct OrderFront);
}

// Loads that decide: energy if the goal has it, and what can take longer than the MACs.
typedef struct {
    int n;
    uint8_t of[N_LOADS];
} Deciding;

static bool beats(const Deciding *deciding, const Load *a, const Load *b) {
    for (int i = 0; i < deciding->n; i++)
        if (a->of[deciding->of[i]] < b->of[deciding->of[i]]) return false;
    return true;
}

// false: no space
static bool front_add(const Deciding *deciding, int *n, FrontItem *list, const FrontItem *item) {
    for (int i = 0; i < *n; i++)
        if (beats(deciding, &list[i].gain, &item->gain)) return true;
    int kept = 0;
    for (int i = 0; i < *n; i++)
        if (!beats(deciding, &item->gain, &list[i].gain)) list[kept++] = list[i];
    *n = kept;
    if (kept == MAX_FRONT) return false;
    list[(*n)++] = *item;
    return true;
}

static bool build_front(const SlBoundWork *work, int s, int innermost, const Deciding *deciding,
                        struct OrderFront *front) {
    const SlBounds *bounds = work->bounds;
    unsigned all = moving_in(work, s);
    front->n[0] = 1;
    front->item[0][0] = (FrontItem){.gain = {{0}}};
    if (all == 0) return true;
    for (unsigned set = (0 - all) & all;; set = (set - all) & all) {
        front->n[set] = 0;
        for (unsigned left = set; left; left &= left - 1) {
            int x = __builtin_ctz(left);
            unsigned inside = set & ~(1u << x);
            if (front->n[inside] == 0 || !may_follow(bounds, s, all, inside, x)) continue;
            if (inside == 0 && innermost != NO_CLASS && x != innermost) continue;
            Load gain;
            gain_of(work, s, x, inside, s + 1, bounds->n_chip, &gain);
            for (int i = 0; i < front->n[inside]; i++) {
                FrontItem item = {.dim = (uint8_t)x, .before = (uint8_t)i};
                item.gain = gain;
                load_add(&item.gain, &front->item[inside][i].gain);
                if (!front_add(deciding, &front->n[set], front->item[set], &item)) return false;
            }
        }
        if (set == all) return true;
    }
}

// What a leaf needs: loads before any order, its time, the moving dims of every segment.
typedef struct {
    Load base;
    double cycles, ramp;
    int innermost[MAX_CHIP];
    uint8_t order[MAX_CHIP][SL_N_DIMS]; // chosen, outermost first
    int n_order[MAX_CHIP];
} LeafCost;

static double leaf_value(const SlBoundWork *work, const LeafCost *leaf, const Load *saved) {
    Load load = leaf->base;
    load_subtract(&load, saved);
    return sl_load_value(work->bounds, &load, leaf->cycles, leaf->ramp);
}

static void follow_path(unsigned set, const uint8_t path[N_SETS], int *n, uint8_t *order) {
    for (*n = 0; set; set &= ~(1u << order[*n - 1])) order[(*n)++] = path[set];
}

static void find_deciding(const SlBoundWork *work, const LeafCost *leaf, Deciding *out) {
    const SlBounds *bounds = work->bounds;
    out->n = 0;
    if (bounds->energy_power > 0) out->of[out->n++] = LOAD_ENERGY;
    if (bounds->latency_power == 0) return;
    for (int l = 0; l <= bounds->n_chip; l++) {
        const SlLevel *level = &bounds->accel->levels[l];
        if (leaf->base.of[LOAD_PORT + l] / level->port_words > leaf->cycles)
            out->of[out->n++] = (uint8_t)(LOAD_PORT + l);
        if (l == 0) continue;
        double link = leaf->base.of[LOAD_LINK + l - 1] / level->link_words;
        if (link > leaf->cycles || level->buffering == SL_BUFFER_SINGLE)
            out->of[out->n++] = (uint8_t)(LOAD_LINK + l - 1);
    }
}

// the order of an item of a front
static void follow_front(const struct OrderFront *front, unsigned set, int i, int *n,
                         uint8_t *order) {
    for (*n = 0; set;) {
        const FrontItem *item = &front->item[set][i];
        order[(*n)++] = item->dim;
        set &= ~(1u << item->dim);
        i = item->before;
    }
}

// try all combinations of the fronts from segment s on
static void combine(const SlBoundWork *work, LeafCost *leaf, int s, const Load *saved, int pick[],
                    double *best) {
    const SlBounds *bounds = work->bounds;
    if (s >= bounds->n_chip || s >= MAX_CHIP) {
        double value = leaf_value(work, leaf, saved);
        if (!(value < *best)) return;
        *best = value;
        for (int k = 0; k < s; k++)
            follow_front(&work->fronts[k], moving_in(work, k), pick[k], &leaf->n_order[k],
                         leaf->order[k]);
        return;
    }
    const struct OrderFront *front = &work->fronts[s];
    unsigned all = moving_in(work, s);
    for (int i = 0; i < front->n[all]; i++) {
        Load sum = *saved;
        load_add(&sum, &front->item[all][i].gain);
        pick[s] = i;
        combine(work, leaf, s + 1, &sum, pick, best);
    }
}

static double search_fronts(SlBoundWork *work, LeafCost *leaf, double ideal, double energy_best) {
    const SlBounds *bounds = work->bounds;
    Deciding deciding;
    Load saved = {{0}};
    int pick[MAX_CHIP] = {0};
    double best = energy_best;
    find_deciding(work, leaf, &deciding);
    for (int s = 0; s < bounds->n_chip; s++)
        if (!build_front(work, s, leaf->innermost[s], &deciding, &work->fronts[s]))
            return ideal; // too many to tell apart: what is left is a bound
    combine(work, leaf, 0, &saved, pick, &best);
    return best;
}

static void write_orders(const SlBounds *bounds, const LeafCost *leaf, SlScheme *scheme) {
    for (int s = 0; s < bounds->n_chip; s++) {
        unsigned seen = 0;
        uint8_t *order = scheme->order[s + 1];
        int n = 0;
        for (; n < leaf->n_order[s]; n++) {
            order[n] = leaf->order[s][n];
            seen |= 1u << order[n];
        }
        for (int d = 0; d < SL_N_DIMS; d++)
            if (!has(seen, d)) order[n++] = (uint8_t)d;
        scheme->n_order[s + 1] = SL_N_DIMS;
    }
}

double sl_orders_best(SlBoundWork *work, double threshold, SlScheme *scheme) {
    const SlBounds *bounds = work->bounds;
    int last = bounds->n_chip;
    uint8_t path[MAX_CHIP][N_SETS];
    LeafCost leaf = {.ramp = 0};
    Load part, ideal = {{0}};
    const Factors *macs[SL_N_DIMS];
    for (int k = 0; k < bounds->n_live; k++) {
        int d = bounds->live[k];
        macs[d] = &work->stages[last].block[d]->list[work->stages[last].chosen[d]].own;
    }
    leaf.cycles = sl_macs_bound(bounds, macs, work->mac_instances, &leaf.base);
    for (int l = 1; l <= last; l++) {
        sl_level_volume(bounds, l, &work->stages[l], &part);
        load_add(&leaf.base, &part);
        leaf.ramp += sl_ramp_bound(bounds, l, &work->stages[l]);
    }
    for (int s = 0; s < last; s++) {
        leaf.innermost[s] = s == last - 1 ? work->class_now : NO_CLASS;
        if (!most_saved(work, s, s + 1, last, leaf.innermost[s], path[s], &part)) return INFINITY;
        load_add(&ideal, &part);
    }
    double bound = leaf_value(work, &leaf, &ideal);
    if (bound >= threshold || !scheme) return bound;

    // the orders that save most energy are mostly the best ones
    Load saved = {{0}};
    for (int s = 0; s < last; s++) {
        follow_path(moving_in(work, s), path[s], &leaf.n_order[s], leaf.order[s]);
        unsigned inside = 0;
        for (int i = leaf.n_order[s] - 1; i >= 0; i--) {
            gain_of(work, s, leaf.order[s][i], inside, s + 1, last, &part);
            load_add(&saved, &part);
            inside |= 1u << leaf.order[s][i];
        }
    }
    double value = leaf_value(work, &leaf, &saved);
    if (value > bound * (1 + 1e-12)) value = search_fronts(work, &leaf, bound, value);
    write_orders(bounds, &leaf, scheme);
    return value;
}
