// bound_branches.c - the branches of a space: every way to spread work over the hardware, with a
// first bound each from cycles and compulsory traffic.
#include "bound_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static bool has_clusters(const SlAccel *accel, int level) {
    return level >= 1 && level < accel->n_levels - 1 && accel->fanouts[level].n_axes == 1;
}

// ---- roles ----

static bool same_role(const Role *a, const Role *b) {
    return memcmp(a->clusters, b->clusters, sizeof a->clusters) == 0 &&
           memcmp(a->most, b->most, sizeof a->most) == 0;
}

static void role_of(const SlBounds *bounds, const SlSpread *spread, int d, Role *role) {
    memset(role, 0, sizeof *role);
    for (int l = 0; l < SL_MAX_LEVELS; l++) {
        role->clusters[l] = spread->clusters[l] == d ? spread->n_clusters[l] : 1;
        bool here = role->clusters[l] > 1;
        for (int a = 0; a < SL_MAX_AXES; a++) {
            role->most[l][a] = spread->most[l][a][d];
            here |= role->most[l][a] > 1;
        }
        role->spread |= here;
        // clusters of fan-out l lie below level l, outside level l + 1, as its axes do
        for (int k = l + 1; here && k <= bounds->n_chip + 1; k++) role->spread_above[k] = true;
    }
}

static uint64_t role_hash(const Role *role) {
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (int l = 0; l < SL_MAX_LEVELS; l++) {
        hash = (hash ^ (uint64_t)role->clusters[l]) * 0xff51afd7ed558ccdu;
        for (int a = 0; a < SL_MAX_AXES; a++)
            hash = (hash ^ (uint64_t)role->most[l][a]) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

enum { FIRST_ROLES = 16 }; // room that doubles whenever it is full

// one more role of a dim; -1 without memory
static int add_role(SlBounds *bounds, int d, const Role *role, SlArena *arena) {
    int n = bounds->n_roles[d];
    bool full = n == 0 || (n >= FIRST_ROLES && (n & (n - 1)) == 0);
    if (full) {
        Role *more = SL_NEW(arena, n ? 2 * n : FIRST_ROLES, Role);
        if (!more) return -1;
        if (n > 0) memcpy(more, bounds->roles[d], (size_t)n * sizeof *more);
        bounds->roles[d] = more;
    }
    bounds->roles[d][n] = *role;
    return bounds->n_roles[d]++;
}

// ---- listing the branches ----

// The parameters of one fan-out.
typedef struct {
    const SlParam *axis[SL_MAX_AXES + 1]; // flexible: 0 over clusters, 1 inside
    const SlParam *cluster;
} FanoutParams;

static void fanout_params(const SlSpace *space, int level, FanoutParams *out) {
    memset(out, 0, sizeof *out);
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->level != level) continue;
        if (param->role == SL_ROLE_PARALLEL) out->axis[param->axis] = param;
        if (param->role == SL_ROLE_CLUSTER) out->cluster = param;
    }
}

// The list under construction; counts only while `branches` is NULL.
typedef struct {
    SlBounds *bounds;
    SlArena *arena;
    SlSpread spread;
    int n;
    bool failed;
    int *roles[SL_N_DIMS]; // (n_slots) 1 + the number of a role at its hash, 0 = free
    size_t n_slots;        // a power of two, more than there are branches
} Listing;

static void list_fanout(Listing *listing, int level);

// more than anyone wants to know: every loop below ends, whatever is left of it
static bool too_many(const Listing *listing) {
    return listing->n > MAX_BRANCHES;
}

// the number of a role in the list of its dim, a new one if need be; -1 without memory
static int role_number(Listing *listing, int d) {
    SlBounds *bounds = listing->bounds;
    Role role;
    role_of(bounds, &listing->spread, d, &role);
    size_t i = role_hash(&role) & (listing->n_slots - 1);
    int *slots = listing->roles[d];
    for (; slots[i]; i = (i + 1) & (listing->n_slots - 1))
        if (same_role(&bounds->roles[d][slots[i] - 1], &role)) return slots[i] - 1;
    int number = add_role(bounds, d, &role, listing->arena);
    slots[i] = number + 1;
    return number;
}

static void list_one(Listing *listing) {
    SlBounds *bounds = listing->bounds;
    int i = listing->n++;
    if (!bounds->branches || listing->failed) return;
    Branch *branch = &bounds->branches[i];
    branch->spread = listing->spread;
    for (int d = 0; d < SL_N_DIMS; d++) {
        int role = role_number(listing, d);
        if (role < 0) {
            listing->failed = true;
            return;
        }
        branch->role[d] = (uint16_t)role;
    }
}

static bool fits(const SlBounds *bounds, int level, const int64_t e[SL_N_DIMS]) {
    int64_t capacity = bounds->accel->levels[level].capacity_bytes;
    return capacity == 0 || sl_level_bytes(bounds, level, e) <= (double)capacity;
}

// the largest number of clusters with which the smallest tiles fit
static int64_t fitting_clusters(const SlBounds *bounds, int level, int d, int64_t n) {
    int64_t e[SL_N_DIMS];
    for (int k = 0; k < SL_N_DIMS; k++) {
        const SlParam *param = NULL;
        e[k] = bounds->start[k];
        for (int l = 1; l <= level; l++)
            if ((param = sl_tile_param(bounds->space, l, k)) != NULL)
                e[k] = min_size(e[k], param->sizes[0]);
    }
    // fewer clusters never need more: halve what lies between one and too many
    int64_t tile = e[d], few = 1, many = n + 1;
    while (many - few > 1) {
        int64_t middle = many == n + 1 ? n : few + (many - few) / 2;
        e[d] = min_size(bounds->start[d], tile * middle);
        if (fits(bounds, level, e))
            few = middle;
        else
            many = middle;
    }
    return few;
}

static void list_clusters(Listing *listing, int level, const FanoutParams *params) {
    const SlBounds *bounds = listing->bounds;
    SlSpread *spread = &listing->spread;
    int64_t size = bounds->accel->fanouts[level].axes[0].size;
    const SlParam *over = params->axis[0], *inside = params->axis[1];
    assert(params->cluster && over && inside); // as every space of such a fan-out has
    for (int i = 0; i < params->cluster->n && !too_many(listing); i++) {
        int64_t c = params->cluster->sizes[i];
        for (int j = 0; j < over->n; j++) {
            int64_t n = size / c;
            int p = over->spreads[j] ? __builtin_ctz(over->spreads[j]) : SL_N_DIMS;
            if (p < SL_N_DIMS) n = fitting_clusters(bounds, level, p, n);
            if (p == SL_N_DIMS) n = 1;
            spread->clusters[level] = (uint8_t)p;
            spread->n_clusters[level] = n;
            for (int k = 0; k < inside->n; k++) {
                int q = inside->spreads[k] ? __builtin_ctz(inside->spreads[k]) : SL_N_DIMS;
                if (q < SL_N_DIMS) spread->most[level][0][q] = c;
                list_fanout(listing, level + 1);
                if (q < SL_N_DIMS) spread->most[level][0][q] = 1;
                if (c == 1) break;
            }
            if (size / c == 1) break;
        }
    }
    spread->clusters[level] = SL_N_DIMS;
    spread->n_clusters[level] = 1;
}

static void list_axis(Listing *listing, int level, const FanoutParams *params, int a);

// give the dims of `set`, from the last one back, their parts of `room` instances
static void list_parts(Listing *listing, int level, const FanoutParams *params, int a, unsigned set,
                       int64_t room) {
    int64_t *most = listing->spread.most[level][a];
    if (set == 0) {
        list_axis(listing, level, params, a + 1);
        return;
    }
    int d = 31 - __builtin_clz(set);
    unsigned rest = set & ~(1u << d);
    for (int64_t m = rest ? 1 : room; m <= room && !too_many(listing); m++) {
        m = room / (room / m);
        most[d] = m;
        list_parts(listing, level, params, a, rest, room / m);
    }
    most[d] = 1;
}

static void list_axis(Listing *listing, int level, const FanoutParams *params, int a) {
    const SlFanout *fanout = &listing->bounds->accel->fanouts[level];
    if (a == fanout->n_axes) {
        list_fanout(listing, level + 1);
        return;
    }
    const SlParam *param = params->axis[a];
    int n = param ? param->n : 1;
    for (int i = 0; i < n && !too_many(listing); i++) {
        unsigned set = param ? param->spreads[i] : 0;
        list_parts(listing, level, params, a, set, fanout->axes[a].size);
    }
}

static void list_fanout(Listing *listing, int level) {
    const SlBounds *bounds = listing->bounds;
    if (too_many(listing)) return;
    if (level > bounds->n_chip) {
        list_one(listing);
        return;
    }
    FanoutParams params;
    fanout_params(bounds->space, level, &params);
    if (has_clusters(bounds->accel, level))
        list_clusters(listing, level, &params);
    else
        list_axis(listing, level, &params, 0);
}

static void start_listing(Listing *listing) {
    SlSpread *spread = &listing->spread;
    listing->n = 0;
    for (int l = 0; l < SL_MAX_LEVELS; l++) {
        spread->clusters[l] = SL_N_DIMS;
        spread->n_clusters[l] = 1;
        for (int a = 0; a < SL_MAX_AXES; a++)
            for (int d = 0; d < SL_N_DIMS; d++) spread->most[l][a][d] = 1;
    }
}

// ---- the first bound ----

// Cycles: every step takes at most as many indices of a dim as instances share it. Energy: that of
// the MACs and of what they read and write. Traffic: every word of W and I is read from DRAM and
// filled into a level, every word of O written once.
static double first_bound(const SlBounds *bounds, const Branch *branch) {
    Factors macs[SL_N_DIMS];
    const Factors *of[SL_N_DIMS];
    int keeper = bounds->parent[bounds->n_chip + 1][SL_O];
    double instances = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        const Role *role = &bounds->roles[d][branch->role[d]];
        double extent = (double)bounds->layer->dims[d];
        double steps = ceil(extent / sl_role_instances(bounds, role, 1, bounds->n_chip));
        sl_role_macs(bounds, d, role, steps, macs[d].mac);
        of[d] = &macs[d];
        if (keeper > 0 && !is_relevant(d, SL_O))
            instances *= fmin(extent, sl_role_instances(bounds, role, 1, keeper - 1));
    }
    Load load;
    double cycles = sl_macs_bound(bounds, of, instances, &load);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        int l = 1;
        while (l <= bounds->n_chip && !(bounds->keep[l] >> t & 1)) l++;
        if (l > bounds->n_chip) continue; // the MACs ask DRAM themselves
        Lanes price = bounds->energy[l][t];
        load.of[LOAD_ENERGY] += bounds->words[t] * (price[LANE_FILL] + price[LANE_PREAD]);
        load.of[LOAD_PORT] += bounds->words[t];
        load.of[LOAD_LINK + l - 1] += bounds->words[t];
    }
    return sl_load_value(bounds, &load, cycles, 0);
}

// ---- the whole ----

// what one unit of a count costs, by lane, and which dims an order puts inside others
static void set_prices(SlBounds *bounds) {
    const SlAccel *accel = bounds->accel;
    int macs = bounds->n_chip + 1;
    for (int l = 1; l <= macs; l++) {
        for (int t = 0; t < SL_N_TENSORS; t++) {
            if (!(bounds->keep[l] >> t & 1)) continue;
            const SlLevel *up = &accel->levels[bounds->parent[l][t]];
            double own = 0, parent = t == SL_O ? up->write_pj : up->read_pj;
            if (l < macs) {
                const SlLevel *level = &accel->levels[l];
                own = (t == SL_O ? level->read_pj : level->write_pj) + level->link_pj;
            }
            bounds->energy[l][t] = (Lanes){own, parent, 0, 0};
        }
        const SlLevel *up = &accel->levels[bounds->parent[l][SL_O]];
        bounds->psum_pj[l] = up->read_pj;
        if (l < macs) bounds->psum_pj[l] += accel->levels[l].write_pj + accel->levels[l].link_pj;
    }
}

// ports and links that are not infinitely fast
static void set_times(SlBounds *bounds) {
    for (int l = 0; l <= bounds->n_chip; l++) {
        const SlLevel *level = &bounds->accel->levels[l];
        if (level->port_words < INFINITY)
            bounds->timed[bounds->n_timed++] =
                (Timed){(uint8_t)(LOAD_PORT + l), false, 1 / level->port_words};
        if (l > 0 && level->link_words < INFINITY)
            bounds->timed[bounds->n_timed++] =
                (Timed){(uint8_t)(LOAD_LINK + l - 1), level->buffering == SL_BUFFER_SINGLE,
                        1 / level->link_words};
    }
}

static void set_orders(SlBounds *bounds) {
    const SlSpace *space = bounds->space;
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->role != SL_ROLE_ORDER) continue;
        uint8_t *inner = bounds->inner[param->level], after = 0, all = 0;
        for (int k = param->n_after - 1; k >= 0; k--) {
            inner[param->after[k]] = after;
            after |= (uint8_t)(1u << param->after[k]);
        }
        all = after;
        for (int k = 0; k < param->n_items; k++) {
            inner[param->items[k]] = after;
            all |= (uint8_t)(1u << param->items[k]);
        }
        for (int k = param->n_before - 1; k >= 0; k--) {
            inner[param->before[k]] = all;
            all |= (uint8_t)(1u << param->before[k]);
        }
    }
    // N before G before everything else
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (!has(space->outermost, d)) continue;
        uint8_t later = (uint8_t)(space->outermost & ~((2u << d) - 1));
        bounds->inner[1][d] = (uint8_t)(~space->outermost | later);
    }
}

static void set_goal(SlBounds *bounds) {
    const double *w = bounds->goal.weight;
    bounds->latency_power = w[SL_LATENCY] + w[SL_EDP] - w[SL_POWER];
    bounds->energy_power = w[SL_ENERGY] + w[SL_EDP] + w[SL_POWER];
    bounds->factor = w[SL_POWER] > 0 ? pow(bounds->accel->clock_mhz * 1e-3, w[SL_POWER]) : 1;
}

static void set_layer(SlBounds *bounds) {
    const SlLayer *layer = bounds->layer;
    bounds->macs = (double)sl_layer_macs(layer);
    for (int t = 0; t < SL_N_TENSORS; t++)
        bounds->words[t] = (double)sl_layer_words(layer, (SlTensor)t);
    for (int d = 0; d < SL_N_DIMS; d++) {
        bounds->start[d] = has(bounds->space->outermost, d) ? 1 : layer->dims[d];
        if (layer->dims[d] > 1) bounds->live[bounds->n_live++] = (uint8_t)d;
    }
    for (int g = 0; g < 2; g++) {
        bounds->stride[g] = layer->stride[g];
        bounds->dilation[g] = layer->dilation[g];
        sl_window_reduce(&bounds->stride[g], &bounds->dilation[g]);
        bounds->window[g] =
            (double)sl_window_size(layer->dims[WINDOW_DIMS[g][0]], layer->dims[WINDOW_DIMS[g][1]],
                                   bounds->stride[g], bounds->dilation[g]);
    }
}

static void set_levels(SlBounds *bounds) {
    const SlAccel *accel = bounds->accel;
    int macs = bounds->n_chip + 1;
    for (int l = 1; l <= bounds->n_chip; l++) bounds->keep[l] = accel->levels[l].keep;
    bounds->keep[macs] = SL_KEEP_ALL;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        int parent = 0;
        for (int l = 1; l <= macs; l++) {
            bounds->parent[l][t] = (uint8_t)parent;
            if (bounds->keep[l] >> t & 1) parent = l;
        }
    }
    const uint8_t *asked = bounds->parent[macs];
    int last = bounds->n_chip;
    bounds->plain_macs = accel->fanouts[last].n_axes == 0 && asked[SL_W] == last &&
                         asked[SL_I] == last && asked[SL_O] == last &&
                         !(accel->levels[last].port_words < INFINITY);
}

// everything but roles and branches
static void set_world(SlBounds *bounds, const SlSpace *space, const SlGoal *goal) {
    bounds->space = space;
    bounds->layer = space->layer;
    bounds->accel = space->accel;
    bounds->goal = *goal;
    bounds->n_chip = space->accel->n_levels - 1;
    bounds->net = sl_accel_net(space->accel);
    sl_rates_init(&bounds->rates, space->layer, space->accel);
    set_layer(bounds);
    set_levels(bounds);
    set_prices(bounds);
    set_times(bounds);
    set_orders(bounds);
    set_goal(bounds);
}

static int count_branches(SlBounds *bounds) {
    Listing listing = {.bounds = bounds};
    start_listing(&listing);
    list_fanout(&listing, 1);
    return listing.n;
}

const char *sl_bounds_reason(const SlSpace *space, const SlGoal *goal) {
    const SlAccel *accel = space->accel;
    const double *w = goal->weight;
    if (space->n_derived > 0) return "the space derives tiles from other tiles";
    if (accel->n_levels < 2) return "the accelerator has no level on chip";
    if (accel->fanouts[0].n_axes > 0) return "the accelerator spreads work over several chips";
    if (w[SL_AREA] > 0) return "the area of the smallest hardware is part of the goal";
    if (w[SL_LATENCY] + w[SL_EDP] < w[SL_POWER]) return "the goal falls as latency grows";
    SlBounds bounds = {0};
    set_world(&bounds, space, goal);
    if (count_branches(&bounds) > MAX_BRANCHES) return "there are more than 65,536 ways to spread";
    return NULL;
}

SlBounds *sl_bounds_make(const SlSpace *space, const SlGoal *goal, SlArena *arena) {
    assert(!sl_bounds_reason(space, goal));
    SlBounds *bounds = SL_NEW(arena, 1, SlBounds);
    if (!bounds) return NULL;
    set_world(bounds, space, goal);
    int n = count_branches(bounds);
    bounds->branches = SL_NEW(arena, n, Branch);
    if (!bounds->branches) return NULL;
    Listing listing = {.bounds = bounds, .arena = arena, .n_slots = 4};
    while (listing.n_slots < 2 * (size_t)n) listing.n_slots *= 2;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (!(listing.roles[d] = SL_NEW(arena, listing.n_slots, int))) return NULL;
    start_listing(&listing);
    list_fanout(&listing, 1);
    if (listing.failed) return NULL;
    bounds->n_branches = n;
    for (int i = 0; i < n; i++)
        bounds->branches[i].root = first_bound(bounds, &bounds->branches[i]);
    return bounds;
}

int sl_bounds_n_spreads(const SlBounds *bounds) {
    return bounds->n_branches;
}

const SlSpread *sl_bounds_spread(const SlBounds *bounds, int i) {
    return &bounds->branches[i].spread;
}

double sl_bounds_root(const SlBounds *bounds, int i) {
    return bounds->branches[i].root;
}

// ---- the branch of a scheme ----

static int64_t extent_in(const SlScheme *scheme, int l, int d, int64_t n) {
    int64_t tile = scheme->tile[l][d], whole = scheme->tile[l - 1][d];
    return tile >= ceil_div(whole, n) ? whole : tile * n;
}

// the same clusters, or as many of them as the tiles take
static bool same_clusters(const SlSpread *spread, const SlScheme *scheme, int l) {
    int d = scheme->clusters[l];
    int64_t n = d < SL_N_DIMS ? scheme->n_clusters[l] : 1, most = spread->n_clusters[l];
    if (n == 1 && most == 1) return true;
    if (n == 1) return false;
    return d == spread->clusters[l] && extent_in(scheme, l, d, n) == extent_in(scheme, l, d, most);
}

// inside a cluster or on an axis: the dims of a set, from the last one back, take what they need
static bool same_axis(const SlSpread *spread, const SlScheme *scheme, int l, int a,
                      const int64_t left[SL_N_DIMS]) {
    int64_t room = scheme->axis[l][a];
    unsigned set = scheme->spread[l][a];
    for (int d = SL_N_DIMS - 1; d >= 0; d--) {
        int64_t most = spread->most[l][a][d];
        if (!has(set, d)) {
            if (most > 1) return false;
            continue;
        }
        bool last = (set & ((1u << d) - 1)) == 0;
        int64_t share = min_size(room, left[d]);
        int64_t want = last ? room : room / (room / share);
        if (want != most) return false;
        room /= want;
    }
    return true;
}

static bool same_fanout(const SlBounds *bounds, const SlSpread *spread, const SlScheme *scheme,
                        int l) {
    const SlFanout *fanout = &bounds->accel->fanouts[l];
    if (!same_clusters(spread, scheme, l)) return false;
    int64_t left[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t unit = 1;
        if (l < bounds->n_chip) {
            int64_t n = scheme->clusters[l + 1] == d ? scheme->n_clusters[l + 1] : 1;
            unit = extent_in(scheme, l + 1, d, n);
        }
        left[d] = ceil_div(scheme->tile[l][d], unit);
    }
    if (has_clusters(bounds->accel, l) && scheme->axis[l][0] == 1) {
        for (int d = 0; d < SL_N_DIMS; d++)
            if (spread->most[l][0][d] > 1) return false;
        return true;
    }
    for (int a = 0; a < fanout->n_axes; a++) {
        if (!same_axis(spread, scheme, l, a, left)) return false;
        for (int d = 0; d < SL_N_DIMS; d++) // later axes cut what is left
            left[d] = ceil_div(left[d], min_size(spread->most[l][a][d], left[d]));
    }
    return true;
}

int sl_bounds_find(const SlBounds *bounds, const SlScheme *scheme) {
    for (int i = 0; i < bounds->n_branches; i++) {
        int l = 1;
        while (l <= bounds->n_chip && same_fanout(bounds, &bounds->branches[i].spread, scheme, l))
            l++;
        if (l > bounds->n_chip) return i;
    }
    return -1;
}
