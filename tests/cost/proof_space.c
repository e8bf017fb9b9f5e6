// proof_space.c - see proof_space.h.
#include "proof_space.h"

#include <stdio.h>
#include <string.h>

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

// a flexible fan-out between two levels on chip
static bool flexible(const SlAccel *accel, int l) {
    return l >= 1 && l < accel->n_levels - 1 && accel->fanouts[l].n_axes == 1;
}

const SlParam *proof_param(const SlSpace *space, SlParamRole role, int level, int axis) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == role && param->level == level &&
            (role != SL_ROLE_PARALLEL || param->axis == axis))
            return param;
    }
    return NULL;
}

static const SlParam *tile_param(const SlSpace *space, int level, int dim) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == SL_ROLE_TILE && param->level == level && param->dim == dim) return param;
    }
    return NULL;
}

// --- branches

// Branches as they are put together, fan-out by fan-out.
typedef struct {
    const SlSpace *space;
    int room, n; // n = -1: more than there is space for
    SlSpread *out;
    SlSpread now;
} Listing;

static void list_fanout(Listing *listing, int l);

// do the smallest tiles fit level l with n clusters over dim d?
static bool smallest_fit(const SlSpace *space, int l, int d, int64_t n) {
    ProofBranch branch = {.space = space};
    SlScheme scheme;
    for (int k = 0; k < SL_MAX_LEVELS; k++) {
        branch.spread.clusters[k] = SL_N_DIMS;
        branch.spread.n_clusters[k] = 1;
    }
    branch.spread.clusters[l] = (uint8_t)d;
    branch.spread.n_clusters[l] = n;
    proof_start(space, &scheme);
    // the level outside as it comes: the dim over the clusters whole, the others as small as can be
    for (int k = 1; k <= l; k++) {
        for (int e = 0; e < SL_N_DIMS; e++) {
            const SlParam *param = tile_param(space, k, e);
            int64_t whole = scheme.tile[k - 1][e];
            bool keep = !param || (k < l && e == d);
            scheme.tile[k][e] = keep ? whole : smaller(param->sizes[0], whole);
        }
    }
    return proof_fits(&branch, &scheme, l);
}

static void list_clusters(Listing *listing, int l) {
    const SlSpace *space = listing->space;
    const SlParam *over = proof_param(space, SL_ROLE_PARALLEL, l, 0);
    const SlParam *inside = proof_param(space, SL_ROLE_PARALLEL, l, 1);
    const SlParam *sizes = proof_param(space, SL_ROLE_CLUSTER, l, 0);
    SlSpread *now = &listing->now, saved = *now;
    for (int i = 0; i < sizes->n; i++) {
        int64_t c = sizes->sizes[i], n = space->accel->fanouts[l].axes[0].size / c;
        for (int o = 0; o < (n > 1 ? over->n : 1); o++) {
            for (int k = 0; k < (c > 1 ? inside->n : 1); k++) {
                *now = saved;
                if (over->spreads[o]) {
                    now->clusters[l] = (uint8_t)__builtin_ctz(over->spreads[o]);
                    now->n_clusters[l] = n;
                    while (now->n_clusters[l] > 1 &&
                           !smallest_fit(space, l, now->clusters[l], now->n_clusters[l]))
                        now->n_clusters[l]--;
                }
                if (inside->spreads[k]) now->most[l][0][__builtin_ctz(inside->spreads[k])] = c;
                list_fanout(listing, l + 1);
            }
        }
    }
    *now = saved;
}

static void list_axis(Listing *listing, int l, int a);

// the dims of a set from `d` back to N: how many instances of `room` each may take
static void list_shares(Listing *listing, int l, int a, unsigned set, int64_t room) {
    if (!set) {
        list_axis(listing, l, a + 1);
        return;
    }
    int d = 31 - __builtin_clz(set);
    unsigned rest = set & ~(1u << d);
    int64_t *most = &listing->now.most[l][a][d];
    for (int64_t m = rest ? 1 : room; m <= room; m++) {
        if (m != room / (room / m)) continue;
        *most = m;
        list_shares(listing, l, a, rest, room / m);
    }
    *most = 1;
}

static void list_axis(Listing *listing, int l, int a) {
    const SlFanout *fanout = &listing->space->accel->fanouts[l];
    if (a == fanout->n_axes) {
        list_fanout(listing, l + 1);
        return;
    }
    const SlParam *sets = proof_param(listing->space, SL_ROLE_PARALLEL, l, a);
    for (int i = 0; i < sets->n; i++)
        list_shares(listing, l, a, sets->spreads[i], fanout->axes[a].size);
}

static void list_fanout(Listing *listing, int l) {
    const SlAccel *accel = listing->space->accel;
    if (l == accel->n_levels) {
        if (listing->n >= listing->room) listing->n = -1;
        if (listing->n >= 0) listing->out[listing->n++] = listing->now;
        return;
    }
    if (listing->n < 0) return;
    if (flexible(accel, l))
        list_clusters(listing, l);
    else
        list_axis(listing, l, 0);
}

static void spread_nothing(SlSpread *spread) {
    for (int l = 0; l < SL_MAX_LEVELS; l++) {
        spread->clusters[l] = SL_N_DIMS;
        spread->n_clusters[l] = 1;
        for (int a = 0; a < SL_MAX_AXES; a++)
            for (int d = 0; d < SL_N_DIMS; d++) spread->most[l][a][d] = 1;
    }
}

int proof_spreads(const SlSpace *space, int room, SlSpread *out) {
    Listing listing = {.space = space, .room = room, .out = out};
    spread_nothing(&listing.now);
    list_fanout(&listing, 0);
    return listing.n;
}

bool proof_same_spread(const SlAccel *accel, const SlSpread *a, const SlSpread *b) {
    for (int l = 0; l < accel->n_levels; l++) {
        int64_t n[2] = {a->clusters[l] < SL_N_DIMS ? a->n_clusters[l] : 1,
                        b->clusters[l] < SL_N_DIMS ? b->n_clusters[l] : 1};
        if (n[0] != n[1] || (n[0] > 1 && a->clusters[l] != b->clusters[l])) return false;
        for (int x = 0; x < accel->fanouts[l].n_axes; x++)
            for (int d = 0; d < SL_N_DIMS; d++)
                if (a->most[l][x][d] != b->most[l][x][d]) return false;
    }
    return true;
}

const char *proof_spread_text(const SlAccel *accel, const SlSpread *spread, size_t n, char *out) {
    size_t at = 0;
    out[0] = '\0';
    for (int l = 0; l < accel->n_levels && at + 32 < n; l++) {
        if (spread->clusters[l] < SL_N_DIMS)
            at += (size_t)snprintf(out + at, n - at, " %dc:%s*%lld", l,
                                   sl_dim_names[spread->clusters[l]],
                                   (long long)spread->n_clusters[l]);
        for (int a = 0; a < accel->fanouts[l].n_axes; a++)
            for (int d = 0; d < SL_N_DIMS && at + 32 < n; d++)
                if (spread->most[l][a][d] > 1)
                    at += (size_t)snprintf(out + at, n - at, " %da%d:%s*%lld", l, a,
                                           sl_dim_names[d], (long long)spread->most[l][a][d]);
    }
    return out[0] ? out + 1 : "nothing spread";
}

// --- tiles

// n_l(d)
static int64_t clusters_of(const SlSpread *spread, int l, int d) {
    return spread->clusters[l] == d ? spread->n_clusters[l] : 1;
}

void proof_shares(const ProofBranch *branch, int l, int d, int64_t pieces,
                  int64_t share[SL_MAX_AXES]) {
    for (int a = 0; a < branch->space->accel->fanouts[l].n_axes; a++) {
        share[a] = smaller(branch->spread.most[l][a][d], pieces);
        pieces = ceil_div(pieces, share[a]);
    }
}

static bool is_spread(const ProofBranch *branch, int l, int d) {
    for (int a = 0; a < branch->space->accel->fanouts[l].n_axes; a++)
        if (branch->spread.most[l][a][d] > 1) return true;
    return false;
}

// mark b rounded up to whole waves of what fan-out l takes of dim d at a time
static void mark_waves(const ProofBranch *branch, int l, int d, const SlParam *param,
                       bool *listed) {
    bool macs = l == branch->space->accel->n_levels - 1;
    int64_t largest = param->sizes[param->n - 1], share[SL_MAX_AXES];
    int n_inner = macs ? 1 : branch->n_sizes[l + 1][d];
    for (int i = 0; i < param->n; i++) {
        int64_t b = param->sizes[i];
        for (int j = 0; j < n_inner; j++) {
            int64_t x =
                macs ? 1 : branch->sizes[l + 1][d][j] * clusters_of(&branch->spread, l + 1, d);
            int64_t wave = x;
            proof_shares(branch, l, d, ceil_div(b, x), share);
            for (int a = 0; a < branch->space->accel->fanouts[l].n_axes; a++) wave *= share[a];
            int64_t rounded = ceil_div(b, wave) * wave;
            if (rounded <= largest) listed[rounded] = true;
        }
    }
}

static bool make_sizes(ProofBranch *branch, int l, int d, SlArena *arena) {
    const SlParam *param = tile_param(branch->space, l, d);
    if (!param) return true;
    int64_t largest = param->sizes[param->n - 1];
    bool *listed = SL_NEW(arena, largest + 1, bool);
    int64_t *sizes = SL_NEW(arena, largest, int64_t);
    if (!listed || !sizes) return false;
    for (int i = 0; i < param->n; i++) listed[param->sizes[i]] = true;
    if (branch->space->preset == SL_SPACE_NATIVE && is_spread(branch, l, d))
        mark_waves(branch, l, d, param, listed);
    int n = 0;
    for (int64_t size = 1; size <= largest; size++)
        if (listed[size]) sizes[n++] = size;
    branch->n_sizes[l][d] = n;
    branch->sizes[l][d] = sizes;
    return true;
}

bool proof_branch_make(const SlSpace *space, const SlSpread *spread, SlArena *arena,
                       ProofBranch *branch) {
    *branch = (ProofBranch){.space = space, .spread = *spread};
    // from the inside out: waves are whole numbers of inner tiles
    for (int l = space->accel->n_levels - 1; l >= 1; l--)
        for (int d = 0; d < SL_N_DIMS; d++)
            if (!make_sizes(branch, l, d, arena)) return false;
    return true;
}

int proof_sizes(const ProofBranch *branch, int level, int dim, int64_t whole, int64_t *sizes) {
    const int64_t *list = branch->sizes[level][dim];
    int n = 0, n_list = branch->n_sizes[level][dim];
    while (n < n_list && list[n] < whole) {
        sizes[n] = list[n];
        n++;
    }
    if (n_list == 0 || n < n_list) sizes[n++] = whole;
    return n;
}

void proof_start(const SlSpace *space, SlScheme *scheme) {
    memset(scheme, 0, sizeof *scheme);
    for (int d = 0; d < SL_N_DIMS; d++)
        scheme->tile[0][d] = space->outermost >> d & 1 ? 1 : space->layer->dims[d];
    for (int l = 1; l < space->accel->n_levels; l++) {
        const SlParam *param = proof_param(space, SL_ROLE_ORDER, l, 0);
        uint8_t *order = scheme->order[l];
        int n = 0;
        for (int i = 0; i < param->n_before; i++) order[n++] = param->before[i];
        for (int i = 0; i < param->n_items; i++) order[n++] = param->items[i];
        for (int i = 0; i < param->n_after; i++) order[n++] = param->after[i];
        scheme->n_order[l] = (uint8_t)n;
    }
}

void proof_extents(const ProofBranch *branch, const SlScheme *scheme, int level,
                   int64_t extent[SL_N_DIMS]) {
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t n = clusters_of(&branch->spread, level, d);
        int64_t tile = scheme->tile[level][d], whole = scheme->tile[level - 1][d];
        extent[d] = tile >= ceil_div(whole, n) ? whole : tile * n;
    }
}

bool proof_fits(const ProofBranch *branch, const SlScheme *scheme, int level) {
    const SlSpace *space = branch->space;
    const SlLayer *layer = space->layer;
    const SlLevel *storage = &space->accel->levels[level];
    int64_t e[SL_N_DIMS];
    proof_extents(branch, scheme, level, e);
    int64_t rows = sl_window_size(e[SL_P], e[SL_R], layer->stride[0], layer->dilation[0]);
    int64_t columns = sl_window_size(e[SL_Q], e[SL_S], layer->stride[1], layer->dilation[1]);
    int64_t words[SL_N_TENSORS] = {e[SL_G] * e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S],
                                   e[SL_N] * e[SL_G] * e[SL_C] * rows * columns,
                                   e[SL_N] * e[SL_G] * e[SL_K] * e[SL_P] * e[SL_Q]};
    double bytes = 0;
    for (int t = 0; t < SL_N_TENSORS; t++)
        if (storage->keep >> t & 1)
            bytes += (double)words[t] * sl_word_bytes(layer, space->accel, (SlTensor)t);
    if (storage->buffering == SL_BUFFER_DOUBLE) bytes *= 2;
    return storage->capacity_bytes == 0 || bytes <= (double)storage->capacity_bytes;
}

const char *proof_lacks(const ProofBranch *branch, const SlScheme *scheme, size_t n, char *out) {
    for (int l = 1; l < branch->space->accel->n_levels; l++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            int64_t whole = scheme->tile[l - 1][d], tile = scheme->tile[l][d];
            const int64_t *list = branch->sizes[l][d];
            int n_list = branch->n_sizes[l][d];
            bool found = n_list > 0 ? tile == whole && list[n_list - 1] >= whole : tile == whole;
            for (int i = 0; i < n_list && !found; i++) found = list[i] == tile && tile < whole;
            if (found) continue;
            snprintf(out, n, "level %d has no tile of %lld of %s below one of %lld", l,
                     (long long)tile, sl_dim_names[d], (long long)whole);
            return out;
        }
        if (proof_fits(branch, scheme, l)) continue;
        snprintf(out, n, "the tiles do not fit level %d", l);
        return out;
    }
    return NULL;
}
