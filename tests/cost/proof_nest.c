// proof_nest.c - the nests of a branch: from tiles and orders to loops, and all of them in turn.
// See proof_space.h.
#include "proof_space.h"

#include <string.h>

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

// --- the nest

typedef struct {
    SlMapping *nest;
    int64_t extent[SL_N_DIMS];
} Growing;

static void put_loop(Growing *growing, int d, int64_t tile, bool spatial) {
    if (tile >= growing->extent[d]) return;
    SlMapping *nest = growing->nest;
    nest->loops[nest->n_loops++] = (SlLoop){.tile = tile, .dim = (uint8_t)d, .spatial = spatial};
    growing->extent[d] = tile;
}

// what fan-out l - 1 and the loops above it do to every dim: X_l, what the axes take, the step of
// the loop in time
typedef struct {
    int64_t unit[SL_N_DIMS], share[SL_N_DIMS][SL_MAX_AXES], step[SL_N_DIMS];
} Segment;

static void read_segment(const ProofBranch *branch, const SlScheme *scheme, int l, Segment *out) {
    const SlAccel *accel = branch->space->accel;
    for (int d = 0; d < SL_N_DIMS; d++) out->unit[d] = 1;
    if (l < accel->n_levels) proof_extents(branch, scheme, l, out->unit);
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t pieces = ceil_div(scheme->tile[l - 1][d], out->unit[d]);
        proof_shares(branch, l - 1, d, pieces, out->share[d]);
        out->step[d] = out->unit[d];
        for (int a = 0; a < accel->fanouts[l - 1].n_axes; a++) out->step[d] *= out->share[d][a];
    }
}

static void put_segment(const ProofBranch *branch, const SlScheme *scheme, int l,
                        Growing *growing) {
    const SlAccel *accel = branch->space->accel;
    int n_axes = accel->fanouts[l - 1].n_axes, over = branch->spread.clusters[l - 1];
    Segment segment;
    read_segment(branch, scheme, l, &segment);
    if (over < SL_N_DIMS) put_loop(growing, over, scheme->tile[l - 1][over], true);
    if (l == accel->n_levels) {
        for (int d = 0; d < SL_N_DIMS; d++) put_loop(growing, d, segment.step[d], false);
    } else {
        for (int i = 0; i < scheme->n_order[l]; i++)
            put_loop(growing, scheme->order[l][i], segment.step[scheme->order[l][i]], false);
    }
    for (int a = 0; a < n_axes; a++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            int64_t tile = segment.unit[d];
            for (int b = a + 1; b < n_axes; b++) tile *= segment.share[d][b];
            if (segment.share[d][a] > 1) put_loop(growing, d, tile, true);
        }
    }
}

void proof_nest(const ProofBranch *branch, const SlScheme *scheme, SlMapping *nest) {
    const SlSpace *space = branch->space;
    Growing growing = {.nest = nest};
    memset(nest, 0, sizeof *nest);
    memcpy(growing.extent, space->layer->dims, sizeof growing.extent);
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->outermost >> d & 1) put_loop(&growing, d, 1, false);
    for (int l = 1; l <= space->accel->n_levels; l++) {
        put_segment(branch, scheme, l, &growing);
        if (l == space->accel->n_levels) break;
        nest->at[l - 1] = nest->n_loops;
        nest->keep[l - 1] = space->accel->levels[l].keep;
        nest->n_boundaries = (uint8_t)l;
    }
}

// --- walking

typedef struct {
    const ProofBranch *branch;
    SlScheme scheme;
    ProofVisit *visit;
    void *context;
} Walk;

static bool walk_tiles(Walk *walk, int l, int d) {
    const SlAccel *accel = walk->branch->space->accel;
    if (l == accel->n_levels) {
        SlScheme scheme = walk->scheme;
        return walk->visit(walk->context, &scheme);
    }
    if (d == SL_N_DIMS)
        return !proof_fits(walk->branch, &walk->scheme, l) || walk_tiles(walk, l + 1, 0);
    int64_t whole = walk->scheme.tile[l - 1][d];
    const int64_t *list = walk->branch->sizes[l][d];
    int n_list = walk->branch->n_sizes[l][d], i = 0;
    for (; i < n_list && list[i] < whole; i++) {
        walk->scheme.tile[l][d] = list[i];
        if (!walk_tiles(walk, l, d + 1)) return false;
    }
    if (n_list > 0 && i == n_list) return true;
    walk->scheme.tile[l][d] = whole;
    return walk_tiles(walk, l, d + 1);
}

bool proof_each_tiles(const ProofBranch *branch, ProofVisit *visit, void *context) {
    Walk walk = {.branch = branch, .visit = visit, .context = context};
    proof_start(branch->space, &walk.scheme);
    return walk_tiles(&walk, 1, 0);
}

// the dims that the space lets change places above level l and whose loops iterate
static int moving_dims(const ProofBranch *branch, const SlScheme *scheme, int l, uint8_t *dims) {
    const SlParam *param = proof_param(branch->space, SL_ROLE_ORDER, l, 0);
    Segment segment;
    read_segment(branch, scheme, l, &segment);
    int n = 0;
    for (int i = 0; i < param->n_items; i++) {
        int d = param->items[i];
        if (segment.step[d] < scheme->tile[l - 1][d]) dims[n++] = (uint8_t)d;
    }
    return n;
}

double proof_n_orders(const ProofBranch *branch, const SlScheme *scheme) {
    double n = 1;
    for (int l = 1; l < branch->space->accel->n_levels; l++) {
        uint8_t dims[SL_N_DIMS];
        n *= sl_factorial(moving_dims(branch, scheme, l, dims));
    }
    return n;
}

// write before, the moving dims, the still ones, after
static void set_order(const SlParam *param, int n, const uint8_t *moving, uint8_t *order) {
    int at = 0;
    unsigned done = 0;
    for (int i = 0; i < param->n_before; i++) order[at++] = param->before[i];
    for (int i = 0; i < n; i++) {
        order[at++] = moving[i];
        done |= 1u << moving[i];
    }
    for (int i = 0; i < param->n_items; i++)
        if (!(done >> param->items[i] & 1)) order[at++] = param->items[i];
    for (int i = 0; i < param->n_after; i++) order[at++] = param->after[i];
}

static bool walk_orders(Walk *walk, int l);

// every order of dims[k..]
static bool permute(Walk *walk, int l, int n, int k, uint8_t *dims) {
    if (k == n) {
        const SlParam *param = proof_param(walk->branch->space, SL_ROLE_ORDER, l, 0);
        set_order(param, n, dims, walk->scheme.order[l]);
        return walk_orders(walk, l + 1);
    }
    for (int i = k; i < n; i++) {
        uint8_t first = dims[k];
        dims[k] = dims[i];
        dims[i] = first;
        if (!permute(walk, l, n, k + 1, dims)) return false;
        dims[i] = dims[k];
        dims[k] = first;
    }
    return true;
}

static bool walk_orders(Walk *walk, int l) {
    uint8_t dims[SL_N_DIMS];
    if (l == walk->branch->space->accel->n_levels) return walk->visit(walk->context, &walk->scheme);
    return permute(walk, l, moving_dims(walk->branch, &walk->scheme, l, dims), 0, dims);
}

bool proof_each_order(const ProofBranch *branch, const SlScheme *scheme, ProofVisit *visit,
                      void *context) {
    Walk walk = {.branch = branch, .scheme = *scheme, .visit = visit, .context = context};
    return walk_orders(&walk, 1);
}
