// maestro_nest.c - loop nests as MAESTRO's directive lists of two levels, and lists of one to four
// levels as nests.
//
// Level 0 of a list is what L2 is filled with step by step: its maps in time are the loops outside
// L2, its SpatialMap of size m over n clusters is a loop with tiles of m*n there and a spread
// inside L2. Level 1 is the same for L1 inside a cluster.
#include "starling/mapping/maestro_nest.h"

#include <assert.h>
#include <string.h>

#include "nest_inside.h"

// ---- dims and variables ----

// Rows of a matrix product: the batch of a linear layer is its rows.
static int rows_of(const SlLayer *layer) {
    return layer->dims[SL_P] > 1 ? SL_P : SL_N;
}

// The variable that stands for a dim of a layer of this shape; SL_N_MV = none.
static int var_of(const SlLayer *layer, const SlMaestroLayer *shape, int dim) {
    static const uint8_t conv[SL_N_DIMS] = {SL_MV_N,  SL_MV_G,  SL_MV_K, SL_MV_C,
                                            SL_MV_YO, SL_MV_XO, SL_MV_R, SL_MV_S};
    if (shape->type != SL_MAESTRO_GEMM) {
        // the channels of a depthwise layer are its groups
        bool depthwise = shape->type == SL_MAESTRO_DSCONV;
        if (depthwise && (dim == SL_K || dim == SL_C)) return SL_N_MV;
        int var = depthwise && dim == SL_G ? SL_MV_C : conv[dim];
        return layer->dims[dim] > 1 || shape->size[var] ? var : SL_N_MV;
    }
    return dim == rows_of(layer) ? SL_MV_M
           : dim == SL_K         ? SL_MV_N
           : dim == SL_C         ? SL_MV_K
                                 : SL_N_MV;
}

static int64_t stride_of(const SlMaestroLayer *shape, int dim) {
    if (dim == SL_P) return shape->stride[shape->size[SL_MV_Y] ? SL_MV_Y : SL_MV_YO];
    if (dim == SL_Q) return shape->stride[shape->size[SL_MV_X] ? SL_MV_X : SL_MV_XO];
    return 1;
}

static bool is_filter(int dim) {
    return dim == SL_R || dim == SL_S;
}

// ---- nest -> list ----

// One of the two levels: loops in time in their order, a spread, and what each dim is cut to.
typedef struct {
    int n_order;
    uint8_t order[SL_N_DIMS];
    int64_t walk[SL_N_DIMS]; // tile of the loop in time, 0 = none
    int spread;              // dim spread over the instances, -1 = none
    int64_t piece;           // its tile
    int64_t tile[SL_N_DIMS]; // of one instance
    int64_t least, exact;    // instances needed; those that a step takes, 0 = no matter
} Form;

static const char *add_walk(Form *form, const SlLoop *loop) {
    if (is_filter(loop->dim)) return "MAESTRO keeps filters whole: R or S has a loop outside L1";
    if (form->walk[loop->dim])
        return "two loops in time over one dim stand between the same levels";
    if (form->spread == loop->dim) return "a spread dim has a loop in time inside the spread";
    form->walk[loop->dim] = loop->tile;
    form->order[form->n_order++] = loop->dim;
    return NULL;
}

static const char *set_spread(Form *form, const SlLoop *loop) {
    if (is_filter(loop->dim)) return "MAESTRO keeps filters whole: R or S is spread";
    form->spread = loop->dim;
    form->piece = loop->tile;
    return NULL;
}

// between L2 and L1: which spatial loop is over clusters, which inside them. One alone is over the
// clusters, unless a loop in time over its dim stands before it, or `alone_inside`.
static const char *read_inside(const SlMapping *nest, const int64_t *trips, bool alone_inside,
                               Form *outer, Form *inner) {
    int end = sl_segment_end(nest, 1);
    for (int i = sl_segment_begin(nest, 1); i < end; i++) {
        const SlLoop *loop = &nest->loops[i];
        const char *reason = NULL;
        if (trips[i] == 1) continue;
        bool walked = inner->walk[loop->dim] > 0 || alone_inside;
        if (!loop->spatial)
            reason = add_walk(inner, loop);
        else if (outer->spread < 0 && inner->spread < 0 && !walked)
            reason = set_spread(outer, loop);
        else if (inner->spread < 0)
            reason = set_spread(inner, loop);
        else
            reason = "more than two dims are spread";
        if (reason) return reason;
    }
    return NULL;
}

static const char *read_outside(const SlMapping *nest, const int64_t *trips, Form *outer) {
    for (int i = 0; i < sl_segment_end(nest, 0); i++) {
        if (trips[i] == 1) continue;
        if (nest->loops[i].spatial) return "a loop outside L2 is spread";
        const char *reason = add_walk(outer, &nest->loops[i]);
        if (reason) return reason;
    }
    for (int i = sl_segment_begin(nest, 2); i < nest->n_loops; i++)
        if (trips[i] > 1 && nest->loops[i].spatial) return "a loop inside L1 is spread";
    return NULL;
}

// tiles of a level of which `whole` is handed in, and the instances that its spread needs
static const char *measure(const int64_t *whole, Form *form) {
    for (int d = 0; d < SL_N_DIMS; d++) form->tile[d] = form->walk[d] ? form->walk[d] : whole[d];
    form->least = 1;
    if (form->spread < 0) return NULL;
    int d = form->spread;
    if (form->walk[d]) {
        if (form->walk[d] % form->piece)
            return "a step of a spread dim is no whole number of tiles";
        form->exact = form->walk[d] / form->piece;
    }
    form->least = sl_ceil_div(form->tile[d], form->piece);
    form->tile[d] = form->piece;
    return NULL;
}

// PEs of a cluster such that num_pes / cluster is the number of clusters wanted
static const char *choose_cluster(const Form *outer, const Form *inner, int64_t num_pes,
                                  int64_t *cluster) {
    int64_t clusters = outer->exact ? outer->exact : outer->least;
    if (num_pes < clusters * inner->least) return "the nest needs more PEs than there are";
    *cluster = inner->exact ? inner->exact : num_pes / clusters;
    int64_t made = num_pes / *cluster;
    if (made < clusters || (outer->exact && made != clusters))
        return "MAESTRO would make another number of clusters of these PEs";
    return NULL;
}

static void add_directive(SlMaestroMapping *out, SlDirective directive) {
    assert(out->n < SL_MAX_DIRECTIVES);
    out->list[out->n++] = directive;
}

static void add_dim(const SlLayer *layer, const SlMaestroLayer *shape, const Form *form, int dim,
                    SlMaestroMapping *out) {
    int var = var_of(layer, shape, dim);
    if (var == SL_N_MV) return;
    // outputs count at stride 1
    int64_t size = (form->tile[dim] - 1) * stride_of(shape, dim) + 1;
    add_directive(out, (SlDirective){.kind = dim == form->spread ? SL_MAP_SPATIAL : SL_MAP_TEMPORAL,
                                     .var = (uint8_t)var,
                                     .size = (int32_t)size,
                                     .offset = (int32_t)size});
}

// every level needs a spread: where there is none, one of a dim that is whole anyway; else one over
// a single instance
static void spread_idle(const SlLayer *layer, const SlMaestroLayer *shape, Form *form) {
    static const uint8_t candidates[] = {SL_K, SL_C, SL_G, SL_P, SL_Q, SL_N};
    if (form->spread >= 0) return;
    for (size_t i = 0; i < sizeof candidates; i++) {
        int d = candidates[i];
        if (var_of(layer, shape, d) == SL_N_MV) continue;
        if (form->spread < 0 || !form->walk[d]) form->spread = d;
        if (!form->walk[d]) return;
    }
    form->exact = 1;
}

// loops in their order; then what is whole, filters last, a spread that takes one step innermost
static void add_level(const SlLayer *layer, const SlMaestroLayer *shape, const Form *form,
                      SlMaestroMapping *out) {
    for (int i = 0; i < form->n_order; i++) add_dim(layer, shape, form, form->order[i], out);
    for (int d = 0; d < SL_N_DIMS; d++)
        if (!form->walk[d] && d != form->spread) add_dim(layer, shape, form, d, out);
    if (!form->walk[form->spread]) add_dim(layer, shape, form, form->spread, out);
}

// The two levels of a nest on so many PEs.
typedef struct {
    Form outer, inner;
    int32_t num_pes; // 0 = as many as the nest uses
    int64_t cluster; // PEs of one
} Levels;

static const char *read_nest(const SlLayer *layer, const SlMapping *nest,
                             const SlMaestroLayer *shape, bool alone_inside, Levels *levels) {
    Form *outer = &levels->outer, *inner = &levels->inner;
    SlFootprint footprint;
    *outer = *inner = (Form){.spread = -1};
    sl_mapping_footprint(layer, nest, &footprint);
    const char *reason = read_outside(nest, footprint.trips, outer);
    if (!reason) reason = read_inside(nest, footprint.trips, alone_inside, outer, inner);
    if (!reason) reason = measure(layer->dims, outer);
    if (!reason) reason = measure(outer->tile, inner);
    if (reason) return reason;
    spread_idle(layer, shape, outer);
    spread_idle(layer, shape, inner);
    if (levels->num_pes == 0) {
        int64_t clusters = outer->exact ? outer->exact : outer->least;
        int64_t pes = clusters * (inner->exact ? inner->exact : inner->least);
        if (pes > INT32_MAX) return "the nest needs more PEs than MAESTRO counts";
        levels->num_pes = (int32_t)pes;
    }
    return choose_cluster(outer, inner, levels->num_pes, &levels->cluster);
}

const char *sl_maestro_of_nest(const SlLayer *layer, const SlMapping *nest, int32_t num_pes,
                               const SlMaestroLayer *shape, SlMaestroMapping *out, int32_t *used) {
    if (nest->n_boundaries != 2) return "MAESTRO has two levels on chip";
    if (nest->keep[0] != SL_KEEP_ALL || nest->keep[1] != SL_KEEP_ALL)
        return "MAESTRO keeps every tensor in both levels";
    if (shape->type == SL_MAESTRO_GEMM && layer->dims[SL_N] > 1 && layer->dims[SL_P] > 1)
        return "MAESTRO's GEMM has rows or a batch, not both";
    Levels levels = {.num_pes = num_pes};
    const char *reason = read_nest(layer, nest, shape, false, &levels);
    if (reason) {
        levels.num_pes = num_pes;
        if (read_nest(layer, nest, shape, true, &levels)) return reason;
    }
    out->n = 0;
    add_level(layer, shape, &levels.outer, out);
    add_directive(
        out, (SlDirective){.kind = SL_MAP_CLUSTER, .unit = 'P', .size = (int32_t)levels.cluster});
    add_level(layer, shape, &levels.inner, out);
    if (used) *used = levels.num_pes;
    return NULL;
}

// ---- list -> nest ----

typedef struct {
    const SlMaestroLayer *shape;
    const SlLayer *layer;
    SlMapping *nest;
    int64_t extent[SL_N_DIMS]; // of what the loops so far leave of a dim
} Builder;

static int dim_of(const SlLayer *layer, const SlMaestroLayer *shape, int var) {
    static const uint8_t conv[SL_N_MV] = {SL_C, SL_G, SL_K, SL_N_DIMS, SL_N, SL_R,
                                          SL_S, SL_Q, SL_Q, SL_P,      SL_P};
    if (shape->type == SL_MAESTRO_DSCONV && var == SL_MV_C) return SL_G;
    if (shape->type == SL_MAESTRO_DSCONV && (var == SL_MV_K || var == SL_MV_G)) return SL_N_DIMS;
    if (shape->type != SL_MAESTRO_GEMM) return conv[var];
    return var == SL_MV_M   ? rows_of(layer)
           : var == SL_MV_N ? SL_K
           : var == SL_MV_K ? SL_C
                            : SL_N_DIMS;
}

// outputs or elements of one step of a map; 0 = steps overlap or leave gaps
static int64_t step_of(const Builder *build, const SlDirective *map, int dim) {
    int64_t size = map->size, offset = map->offset, stride = stride_of(build->shape, dim);
    bool input = map->var == SL_MV_Y || map->var == SL_MV_X;
    if (input) {
        size -= build->layer->dims[dim == SL_P ? SL_R : SL_S] - 1;
        if (size < 1) return 0;
    }
    // steps of a layer with strides are made whole, whatever the offset
    int64_t step = (size - 1) / stride + 1;
    bool whole = step >= build->extent[dim];
    return whole || stride > 1 || size == offset ? step : 0;
}

static const char *add_loop(Builder *build, int dim, int64_t tile, bool spatial) {
    SlMapping *nest = build->nest;
    if (tile >= build->extent[dim]) return NULL;
    if (nest->n_loops == SL_MAX_LOOPS) return "the list has more loops than a nest can hold";
    nest->loops[nest->n_loops++] = (SlLoop){.tile = tile, .dim = (uint8_t)dim, .spatial = spatial};
    build->extent[dim] = tile;
    return NULL;
}

// A level's maps in time; its spread is left in *dim and *piece (dim -1 = none).
static const char *add_walks(Builder *build, const SlDirective *maps, int n, int64_t fanout,
                             int *dim, int64_t *piece) {
    uint32_t seen = 0;
    *dim = -1;
    for (int i = 0; i < n; i++) {
        int d = dim_of(build->layer, build->shape, maps[i].var);
        bool spatial = maps[i].kind == SL_MAP_SPATIAL;
        if (d == SL_N_DIMS) {
            if (build->shape->size[maps[i].var] > 1) return "a mapped dim is none of the layer";
            continue;
        }
        if (seen >> d & 1) return "a level maps one dim twice";
        seen |= 1U << d;
        if (is_filter(d) && spatial) return "a filter is spread";
        if (spatial && *dim >= 0) return "a level spreads two dims";
        int64_t step = step_of(build, &maps[i], d);
        if (!step) return "steps overlap or leave gaps";
        if (spatial) {
            *dim = d;
            *piece = step;
            step *= fanout;
        }
        const char *reason = add_loop(build, d, step, false);
        if (reason) return reason;
    }
    return NULL;
}

static void add_boundary(SlMapping *nest) {
    nest->at[nest->n_boundaries] = nest->n_loops;
    nest->keep[nest->n_boundaries++] = SL_KEEP_ALL;
}

const char *sl_maestro_nest(const SlMaestroLayer *shape, const SlMaestroMapping *mapping,
                            int32_t num_pes, const SlLayer *layer, SlMapping *nest) {
    SlMapping made = {0};
    Builder build = {.shape = shape, .layer = layer, .nest = &made};
    memcpy(build.extent, layer->dims, sizeof build.extent);
    int64_t fanout = num_pes;
    for (int i = 0; i < mapping->n; i++)
        if (mapping->list[i].kind == SL_MAP_CLUSTER) fanout /= mapping->list[i].size;
    if (fanout < 1) return "the clusters need more PEs than there are";
    for (int at = 0; at <= mapping->n;) {
        int end = at, dim = -1;
        int64_t piece = 0;
        while (end < mapping->n && mapping->list[end].kind != SL_MAP_CLUSTER) end++;
        const char *reason = add_walks(&build, mapping->list + at, end - at, fanout, &dim, &piece);
        if (at == 0) add_boundary(&made);
        if (!reason && dim >= 0) reason = add_loop(&build, dim, piece, true);
        if (reason) return reason;
        if (end < mapping->n) fanout = mapping->list[end].size;
        at = end + 1;
    }
    add_boundary(&made);
    for (int d = 0; d < SL_N_DIMS; d++) {
        const char *reason = add_loop(&build, d, 1, false);
        if (reason) return reason;
    }
    *nest = made;
    return NULL;
}
