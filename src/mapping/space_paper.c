// space_paper.c - the spaces of the published mapper: 17 parameters over every value, and the ten
// that its figures show.
//
// The paper's letters X and Y are the columns Q and rows P of the output; the number of PEs becomes
// the number of PEs in a cluster. In the form with ten parameters the cluster is the one nearest to
// the root of the PEs, and the tiles of L1 follow from those of L2: as large as they can be with
// the inner parallel dim spread over the whole cluster.
#include "space_inside.h"

#include <math.h>
#include <stdio.h>

enum { MAX_EXTENT = 1 << 20 }; // of a dim: every size is listed

// the dims of tiles in the paper's order; X is Q, Y is P
static void paper_dims(const SlLayer *layer, int dims[6]) {
    int order[6] = {SL_S, SL_R, sl_channel_dim(layer), SL_C, SL_Q, sl_row_dim(layer)};
    for (int i = 0; i < 6; i++) dims[i] = order[i];
}

static SlStatus check_machine(const SlSpace *space, SlError *err) {
    const SlAccel *accel = space->accel;
    const char *name = sl_space_names[space->preset];
    if (accel->n_levels != 3)
        return sl_fail(err, SL_EINPUT,
                       "the %s space needs two storage levels on chip, %s has %d; use native", name,
                       accel->name, accel->n_levels - 1);
    if (!sl_fanout_clusters(accel, 1) || accel->fanouts[0].n_axes || accel->fanouts[2].n_axes)
        return sl_fail(err, SL_EINPUT,
                       "the %s space needs one flexible fan-out (clusters) below %s and no other, "
                       "%s has not; use native",
                       name, accel->levels[1].name, accel->name);
    uint8_t known = SL_BIT(SL_C) | SL_BIT(SL_Q) | SL_BIT(SL_R) | SL_BIT(SL_S) |
                    SL_BIT(sl_channel_dim(space->layer)) | SL_BIT(sl_row_dim(space->layer));
    if (space->dims & ~known)
        return sl_fail(err, SL_EINPUT, "the %s space has no tiles of N and G; use native", name);
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->dims & SL_BIT(d) && space->layer->dims[d] > MAX_EXTENT)
            return sl_fail(err, SL_EINPUT,
                           "the %s space lists every tile size, and %s = %lld is above %d; use "
                           "native",
                           name, sl_dim_names[d], (long long)space->layer->dims[d], MAX_EXTENT);
    return SL_OK;
}

// 1, 2, ... up to the largest that any list needs
static const int64_t *count_up(SlSpaceDraft *draft) {
    const SlSpace *space = draft->space;
    int64_t most = sl_fanout_size(&space->accel->fanouts[1]);
    for (int d = 0; d < SL_N_DIMS; d++)
        if (space->dims & SL_BIT(d) && space->layer->dims[d] > most) most = space->layer->dims[d];
    int64_t *sizes = SL_NEW(draft->arena, most, int64_t);
    if (!sizes) {
        draft->failed = true;
        return NULL;
    }
    for (int64_t i = 0; i < most; i++) sizes[i] = i + 1;
    return sizes;
}

static void add_order(SlSpaceDraft *draft, int level) {
    char name[64];
    snprintf(name, sizeof name, "%s order", draft->space->accel->levels[level].name);
    sl_draft_order(draft, level, draft->space->dims, name);
}

// one of K, C, P, Q that the fan-out may take; axis 0 is over the clusters, 1 inside one
static void add_parallel(SlSpaceDraft *draft, int axis) {
    const SlSpace *space = draft->space;
    const SlLayer *layer = space->layer;
    char name[64];
    snprintf(name, sizeof name, "%s parallel", space->accel->levels[1 + axis].name);
    SlParam *param = sl_draft_param(draft, SL_ROLE_PARALLEL, 1, name);
    if (!param) return;
    param->axis = axis;
    int dims[4] = {sl_channel_dim(layer), SL_C, SL_Q, sl_row_dim(layer)}, n = 0;
    for (int i = 0; i < 4; i++)
        if (space->accel->fanouts[1].axes[0].dims & SL_BIT(dims[i]))
            param->spreads[n++] = (uint8_t)SL_BIT(dims[i]);
    param->n = n > 0 ? n : 1;
}

static void add_tiles(SlSpaceDraft *draft, int level, const int64_t *sizes) {
    const SlSpace *space = draft->space;
    int dims[6];
    paper_dims(space->layer, dims);
    for (int i = 0; i < 6; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s %s", space->accel->levels[level].name,
                 sl_dim_names[dims[i]]);
        sl_draft_tile(draft, level, dims[i], name, (int)space->layer->dims[dims[i]], sizes);
    }
}

static void add_cluster_size(SlSpaceDraft *draft, const int64_t *sizes) {
    const SlAccel *accel = draft->space->accel;
    char name[64];
    snprintf(name, sizeof name, "%s cluster", accel->levels[1].name);
    SlParam *param = sl_draft_param(draft, SL_ROLE_CLUSTER, 1, name);
    if (!param) return;
    param->n = (int32_t)sl_fanout_size(&accel->fanouts[1]);
    param->sizes = sizes;
}

// --- the form with ten parameters

// of the cluster sizes that are allowed, from half to twice the root if there are any: the one that
// leaves fewest PEs idle, then the one nearest to the root
void sl_space_settle(SlSpace *space) {
    SlParam *row = &space->params[space->n_params + space->n_derived - 1];
    int64_t instances = sl_fanout_size(&space->accel->fanouts[1]), most = 0;
    double root = sqrt((double)instances), least = INFINITY;
    int best = 0;
    for (int i = 0; i < row->n; i++) {
        int64_t size = row->sizes[i];
        double ratio = (double)size > root ? (double)size / root : root / (double)size;
        int64_t used = ratio <= 2 ? instances / size * size : 0;
        if (used < most || (used == most && ratio > least * (1 - 1e-9))) continue;
        best = i;
        most = used;
        least = ratio;
    }
    row->sizes += best;
    row->n = 1;
}

void sl_scheme_derive_clusters(const SlSpace *space, SlScheme *scheme) {
    int64_t size = space->params[space->n_params + space->n_derived - 1].sizes[0];
    scheme->axis[1][0] = size;
    scheme->n_clusters[1] = sl_fanout_size(&space->accel->fanouts[1]) / size;
}

// the inner parallel dim over the whole cluster, everything else as large as outside
void sl_scheme_derive_tiles(const SlSpace *space, SlScheme *scheme) {
    const SlParam *rows = &space->params[space->n_params];
    int64_t size = scheme->axis[1][0];
    for (int i = 0; i < space->n_derived - 1; i++) {
        const SlParam *row = &rows[i];
        int64_t tile = scheme->tile[1][row->dim];
        bool spread = scheme->spread[1][0] & SL_BIT(row->dim);
        if (spread) tile = sl_ceil_div(tile, size);
        if (tile > row->sizes[row->n - 1]) tile = row->sizes[row->n - 1];
        scheme->tile[2][row->dim] = tile > row->sizes[0] ? tile : row->sizes[0];
    }
}

// --- both

SlStatus sl_space_paper(SlSpaceDraft *draft, SlError *err) {
    SlStatus status = check_machine(draft->space, err);
    if (status != SL_OK) return status;
    const int64_t *sizes = count_up(draft);
    if (!sizes) return SL_OK;
    bool ten = draft->space->preset == SL_SPACE_PAPER10;
    add_order(draft, 1);
    add_parallel(draft, 0);
    add_tiles(draft, 1, sizes);
    add_parallel(draft, 1);
    if (!ten) add_tiles(draft, 2, sizes);
    add_order(draft, 2);
    int n_params = draft->space->n_params;
    if (ten) add_tiles(draft, 2, sizes);
    add_cluster_size(draft, sizes);
    if (ten && !draft->failed) {
        draft->space->n_derived = draft->space->n_params - n_params;
        draft->space->n_params = n_params;
    }
    return SL_OK;
}
