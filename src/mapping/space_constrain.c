// space_constrain.c - narrow the tables of a space to what constraints allow.
//
// Every rule is about some levels. There it fixes parts of an order, filters the sets that a
// fan-out may spread, and bounds tiles and clusters. A tile that must be large in one level must be
// as large in all levels outside, so lower bounds move outwards.
#include "space_inside.h"

#include <stdio.h>
#include <string.h>

// --- which levels, which dims

// the level above the largest fan-out
static int array_level(const SlAccel *accel) {
    int best = 0;
    for (int l = 1; l < accel->n_levels; l++)
        if (sl_fanout_size(&accel->fanouts[l]) > sl_fanout_size(&accel->fanouts[best])) best = l;
    return best;
}

static bool is_class(const char *level) {
    return strcmp(level, "inner") == 0 || strcmp(level, "outer") == 0 ||
           strcmp(level, "array") == 0 || strcmp(level, "all") == 0;
}

static bool is_about(const SlAccel *accel, const SlRuleSet *rule, int l) {
    const char *level = rule->level;
    if (strcmp(level, "all") == 0) return l >= 1;
    if (strcmp(level, "inner") == 0) return l == accel->n_levels - 1;
    if (strcmp(level, "outer") == 0) return l == 1;
    if (strcmp(level, "array") == 0) return l == array_level(accel);
    return strcmp(level, accel->levels[l].name) == 0;
}

static SlStatus check_level(const SlConstraints *constraints, int r, const SlAccel *accel,
                            SlError *err) {
    const char *level = constraints->rules[r].level;
    char names[192] = "";
    size_t used = 0;
    if (is_class(level)) return SL_OK;
    for (int l = 0; l < accel->n_levels; l++) {
        if (strcmp(level, accel->levels[l].name) == 0) return SL_OK;
        if (used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, l ? ", %s" : "%s",
                                     accel->levels[l].name);
    }
    return sl_fail(err, SL_EINPUT,
                   "%s, rule %d: %s has no level '%s', expected one of %s, or inner, outer, array, "
                   "all",
                   constraints->name, r + 1, accel->name, level, names);
}

// rules speak of K and P; G and N may stand in for them
static int dim_meant(const SlLayer *layer, int d) {
    return d == SL_K ? sl_channel_dim(layer) : d == SL_P ? sl_row_dim(layer) : d;
}

static uint8_t dims_meant(const SlLayer *layer, uint8_t set) {
    uint8_t meant = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (set & SL_BIT(d)) meant |= (uint8_t)SL_BIT(dim_meant(layer, d));
    return meant;
}

// --- dims that a rule needs tiles of

static bool holds(int n, const uint8_t *list, int d) {
    for (int i = 0; i < n; i++)
        if (list[i] == d) return true;
    return false;
}

static bool tile_is_free(const SlRuleSet *rule, int d) {
    return rule->least[d] == 0 && rule->most[d] == 0;
}

// does a rule ask for another tile than the one a level has without a parameter?
static bool needs_open(const SlLayer *layer, const SlRuleSet *rule, int d, bool innermost) {
    int64_t whole = layer->dims[d], least = rule->least[d], most = rule->most[d];
    if (tile_is_free(rule, d)) return false;
    bool filter = d == SL_R || d == SL_S;
    if (filter) return !innermost && most != -1 && most != 0 && most < whole;
    // N and G are steps outside everything else: tiles of one
    return most == -1 || least > 1;
}

uint8_t sl_constraints_open(const SlConstraints *constraints, const SlLayer *layer,
                            const SlAccel *accel) {
    uint8_t open = 0, closed = SL_BIT(SL_R) | SL_BIT(SL_S) | SL_BIT(SL_N) | SL_BIT(SL_G);
    closed &= (uint8_t) ~(SL_BIT(sl_channel_dim(layer)) | SL_BIT(sl_row_dim(layer)));
    for (int r = 0; r < constraints->n_rules; r++) {
        const SlRuleSet *rule = &constraints->rules[r];
        for (int l = 0; l < accel->n_levels; l++) {
            if (!is_about(accel, rule, l)) continue;
            // a batch inside other loops needs tiles
            bool batch = holds(rule->n_before, rule->before, SL_N) ||
                         holds(rule->n_after, rule->after, SL_N);
            if (batch) open |= (uint8_t)SL_BIT(SL_N);
            // axes that name their dims take them as they are
            bool any =
                accel->fanouts[l].n_axes > 0 && accel->fanouts[l].axes[0].dims == SL_SPREAD_ALL;
            for (int a = 0; a < rule->n_parallel && any; a++)
                if (rule->parallel[a] != SL_SPREAD_ALL) open |= rule->parallel[a];
            for (int d = 0; d < SL_N_DIMS && l > 0; d++)
                if (needs_open(layer, rule, d, l == accel->n_levels - 1))
                    open |= (uint8_t)SL_BIT(d);
        }
    }
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] == 1) open &= (uint8_t)~SL_BIT(d);
    return open & closed;
}

// --- the rules at work

typedef struct {
    const SlConstraints *constraints;
    SlArena *arena;
    SlSpace *space;
    SlError *err;
} Narrowing;

// the dims of a list that change places here, each once; returns their number
static uint8_t choose_fixed(const SlLayer *layer, int n, const uint8_t *list, const SlParam *param,
                            uint8_t *out) {
    uint8_t found = 0;
    for (int i = 0; i < n; i++) {
        int d = dim_meant(layer, list[i]);
        if (holds(param->n_items, param->items, d) && !holds(found, out, d))
            out[found++] = (uint8_t)d;
    }
    return found;
}

// move dims named by a rule out of those that change places; what earlier rules fixed stays
// outermost and innermost
static void fix_order(const SlLayer *layer, const SlRuleSet *rule, SlParam *param) {
    uint8_t before[SL_N_DIMS], after[SL_N_DIMS], n_items = 0;
    uint8_t n_before = choose_fixed(layer, rule->n_before, rule->before, param, before);
    uint8_t n_after = choose_fixed(layer, rule->n_after, rule->after, param, after);
    for (int i = 0; i < param->n_items; i++) {
        uint8_t d = param->items[i];
        if (!holds(n_before, before, d) && !holds(n_after, after, d)) param->items[n_items++] = d;
    }
    // a dim that stands for two of the named ones may be on both sides: outside wins
    for (int i = 0; i < n_before; i++) param->before[param->n_before++] = before[i];
    for (int i = n_after - 1; i >= 0; i--) {
        if (holds(n_before, before, after[i])) continue;
        memmove(param->after + 1, param->after, (size_t)param->n_after++);
        param->after[0] = after[i];
    }
    param->n_items = n_items;
    param->n = sl_factorial(n_items);
}

// the sizes from `least` to `most`, and these two themselves
static SlStatus bound_sizes(const Narrowing *narrowing, int64_t least, int64_t most,
                            SlParam *param) {
    int64_t top = param->sizes[param->n - 1];
    if (most == 0 || most > top) most = top;
    if (least < 1) least = 1;
    if (least > most) least = most;
    int64_t *sizes = SL_NEW(narrowing->arena, param->n + 2, int64_t);
    if (!sizes) return sl_fail(narrowing->err, SL_ENOMEM, "no memory for the sizes of a tile");
    int n = 0;
    sizes[n++] = least;
    for (int i = 0; i < param->n; i++)
        if (param->sizes[i] > least && param->sizes[i] < most) sizes[n++] = param->sizes[i];
    if (most > least) sizes[n++] = most;
    param->sizes = sizes;
    param->n = n;
    return SL_OK;
}

// bounds of a tile: those of its level, and the lower ones of all levels inside
static SlStatus bound_tile(const Narrowing *narrowing, SlParam *param) {
    const SlSpace *space = narrowing->space;
    int64_t whole = space->layer->dims[param->dim], least = 1, most = whole;
    bool bound = false;
    for (int r = 0; r < narrowing->constraints->n_rules; r++) {
        const SlRuleSet *rule = &narrowing->constraints->rules[r];
        for (int l = param->level; l < space->accel->n_levels; l++) {
            for (int d = 0; d < SL_N_DIMS; d++) {
                if (dim_meant(space->layer, d) != param->dim || tile_is_free(rule, d)) continue;
                if (!is_about(space->accel, rule, l)) continue;
                int64_t low = rule->most[d] == -1 ? whole : sl_smaller(rule->least[d], whole);
                if (low > least) least = low;
                if (l == param->level && rule->most[d] > 0) most = sl_smaller(most, rule->most[d]);
                bound = true;
            }
        }
    }
    if (!bound) return SL_OK;
    if (least > most)
        return sl_fail(narrowing->err, SL_EINPUT,
                       "%s: the tile of %s in %s must be at least %lld and at most %lld",
                       narrowing->constraints->name, sl_dim_names[param->dim],
                       space->accel->levels[param->level].name, (long long)least, (long long)most);
    return bound_sizes(narrowing, least, most, param);
}

// --- who is spread where

static int find_parallel(const SlSpace *space, int level, int axis) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == SL_ROLE_PARALLEL && param->level == level && param->axis == axis)
            return i;
    }
    return -1;
}

// keep the sets inside `set`; none of its dims may have anything to spread
static bool filter_spreads(const SlLayer *layer, const SlAxis *axis, uint8_t set, SlParam *param) {
    int n = 0;
    for (int v = 0; v < param->n; v++)
        if (param->spreads[v] && !(param->spreads[v] & ~set))
            param->spreads[n++] = param->spreads[v];
    uint8_t wanted = 0; // dims that would have something to spread
    for (int d = 0; d < SL_N_DIMS; d++)
        if (set & SL_BIT(d) && layer->dims[d] > 1) wanted |= (uint8_t)SL_BIT(d);
    bool possible = n > 0 || !wanted || (set & axis->dims && !(wanted & axis->dims));
    if (n == 0) param->spreads[n++] = 0;
    param->n = n;
    return possible;
}

static const char *set_text(uint8_t set, char out[32]) {
    size_t used = 0;
    out[0] = '\0';
    for (int d = 0; d < SL_N_DIMS; d++)
        if (set & SL_BIT(d))
            used += (size_t)snprintf(out + used, 32 - used, used ? ", %s" : "%s", sl_dim_names[d]);
    return out;
}

static SlStatus cannot_spread(const Narrowing *narrowing, int r, int level, const SlAxis *axis,
                              uint8_t set) {
    const SlSpace *space = narrowing->space;
    char wanted[32], taken[32];
    return sl_fail(narrowing->err, SL_EINPUT,
                   "%s, rule %d: %s cannot be spread over '%s' below %s of %s, which takes %s%s",
                   narrowing->constraints->name, r + 1, set_text(set, wanted), axis->name,
                   space->accel->levels[level].name, space->accel->name,
                   axis->dims == SL_SPREAD_ALL ? "every dim, but in the space of this layer " : "",
                   axis->dims == SL_SPREAD_ALL ? "only K, C, P and Q"
                                               : set_text(axis->dims, taken));
}

// which axis of a fixed grid takes set i: the first arrangement in which each can
static void arrange(const SlFanout *fanout, int n, const uint8_t *sets, uint8_t *axis_of) {
    int n_axes = fanout->n_axes;
    for (int i = 0; i < n; i++) axis_of[i] = (uint8_t)(i < n_axes ? i : n_axes - 1);
    if (n > n_axes) return;
    for (int32_t k = 0; k < sl_factorial(n_axes); k++) {
        uint8_t order[SL_MAX_AXES];
        bool good = true;
        sl_permutation(n_axes, k, order);
        for (int i = 0; i < n; i++) good &= !sets[i] || (sets[i] & fanout->axes[order[i]].dims);
        if (!good) continue;
        memcpy(axis_of, order, (size_t)n);
        return;
    }
}

static SlStatus narrow_fanout(const Narrowing *narrowing, int r, int level) {
    SlSpace *space = narrowing->space;
    const SlFanout *fanout = &space->accel->fanouts[level];
    const SlRuleSet *rule = &narrowing->constraints->rules[r];
    bool clusters = sl_fanout_clusters(space->accel, level);
    uint8_t sets[SL_MAX_AXES], axis_of[SL_MAX_AXES] = {0, 1, 1, 1}, joined[SL_MAX_AXES] = {0};
    for (int i = 0; i < rule->n_parallel; i++)
        sets[i] = rule->parallel[i] | dims_meant(space->layer, rule->parallel[i]);
    if (!clusters) arrange(fanout, rule->n_parallel, sets, axis_of);
    for (int i = 0; i < rule->n_parallel; i++) joined[axis_of[i]] |= sets[i];
    for (int i = 0; i < rule->n_parallel; i++) {
        int a = axis_of[i], p = find_parallel(space, level, a);
        if (p < 0 || joined[a] == SL_SPREAD_ALL) continue;
        const SlAxis *axis = &fanout->axes[clusters ? 0 : a];
        if (!filter_spreads(space->layer, axis, joined[a], &space->params[p]))
            return cannot_spread(narrowing, r, level, axis, joined[a]);
    }
    return SL_OK;
}

static SlStatus narrow_cluster(const Narrowing *narrowing, int r, int level) {
    const SlRuleSet *rule = &narrowing->constraints->rules[r];
    SlSpace *space = narrowing->space;
    for (int i = 0; i < space->n_params + space->n_derived; i++) {
        SlParam *param = &space->params[i];
        if (param->role == SL_ROLE_CLUSTER && param->level == level)
            return bound_sizes(narrowing, rule->cluster_least, rule->cluster_most, param);
    }
    if (is_class(rule->level)) return SL_OK;
    return sl_fail(narrowing->err, SL_EINPUT,
                   "%s, rule %d: below %s of %s there are no clusters to size",
                   narrowing->constraints->name, r + 1, rule->level, space->accel->name);
}

static SlStatus apply_rule(const Narrowing *narrowing, int r) {
    const SlRuleSet *rule = &narrowing->constraints->rules[r];
    SlSpace *space = narrowing->space;
    const SlAccel *accel = space->accel;
    SlStatus status = check_level(narrowing->constraints, r, accel, narrowing->err);
    for (int l = 0; l < accel->n_levels && status == SL_OK; l++) {
        if (!is_about(accel, rule, l)) continue;
        bool spreads = accel->fanouts[l].n_axes > 0;
        if (rule->n_parallel > 0 && !spreads && !is_class(rule->level))
            return sl_fail(narrowing->err, SL_EINPUT,
                           "%s, rule %d: %s has no fan-out below %s to spread dims over",
                           narrowing->constraints->name, r + 1, accel->name, rule->level);
        if (rule->n_parallel > 0 && spreads) status = narrow_fanout(narrowing, r, l);
        bool sized = rule->cluster_least > 0 || rule->cluster_most > 0;
        if (status == SL_OK && sized) status = narrow_cluster(narrowing, r, l);
        for (int i = 0; i < space->n_params && rule->has_order; i++) {
            SlParam *param = &space->params[i];
            if (param->role == SL_ROLE_ORDER && param->level == l)
                fix_order(space->layer, rule, param);
        }
    }
    return status;
}

SlStatus sl_space_constrain(const SlConstraints *constraints, SlArena *arena, SlSpace *space,
                            SlError *err) {
    Narrowing narrowing = {constraints, arena, space, err};
    SlStatus status = SL_OK;
    for (int r = 0; r < constraints->n_rules && status == SL_OK; r++)
        status = apply_rule(&narrowing, r);
    for (int i = 0; i < space->n_params + space->n_derived && status == SL_OK; i++)
        if (space->params[i].role == SL_ROLE_TILE)
            status = bound_tile(&narrowing, &space->params[i]);
    return status;
}
