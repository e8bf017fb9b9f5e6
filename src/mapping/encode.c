// encode.c - the point of a space that is nearest to a given nest.
//
// A first guess reads orders and tiles off the nest. Who is spread over clusters and who inside
// them cannot always be read off, so every assignment of the spatial loops is tried; then single
// parameters are changed while the decoded nest comes nearer. Decoding judges each step, so what
// comes out is exact where such a step leads there.
#include "space_inside.h"

#include <math.h>
#include <string.h>

enum { MAX_SWEEPS = 4, NEAR_SIZES = 3 };

// --- how far two nests are apart

// What is compared of a nest.
typedef struct {
    uint64_t key;
    int n;                                   // segments
    double extent[SL_MAX_LEVELS][SL_N_DIMS]; // log2 of the largest tile below segment s
    double spread[SL_MAX_LEVELS][SL_N_DIMS]; // log2 of its spatial trips
    int place[SL_MAX_LEVELS][SL_N_DIMS];     // of the dim's innermost temporal loop, -1 = none
} Shape;

static void read_shape(const SlLayer *layer, const SlMapping *mapping, Shape *shape) {
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    shape->key = sl_mapping_key(layer, mapping);
    shape->n = mapping->n_boundaries + 1;
    for (int s = 0; s < shape->n; s++) {
        for (int d = 0; d < SL_N_DIMS; d++) {
            shape->extent[s][d] = log2((double)foot.extent[s][d]);
            shape->spread[s][d] = 0;
            shape->place[s][d] = -1;
        }
        int end = sl_segment_end(mapping, s);
        for (int i = sl_segment_begin(mapping, s); i < end; i++) {
            const SlLoop *loop = &mapping->loops[i];
            if (foot.trips[i] == 1) continue;
            if (loop->spatial)
                shape->spread[s][loop->dim] += log2((double)foot.trips[i]);
            else
                shape->place[s][loop->dim] = i;
        }
    }
}

// pairs of loops of a segment that stand the other way round
static int count_swaps(const int a[SL_N_DIMS], const int b[SL_N_DIMS]) {
    int n = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        for (int e = d + 1; e < SL_N_DIMS; e++)
            if (a[d] >= 0 && a[e] >= 0 && b[d] >= 0 && b[e] >= 0)
                n += (a[d] < a[e]) != (b[d] < b[e]);
    return n;
}

// 0 only for equivalent nests
static double distance(const Shape *a, const Shape *b) {
    const double swap_weight = 0.25, different = 1e-3;
    if (a->key == b->key) return 0;
    double sum = different;
    for (int s = 0; s < a->n; s++) {
        for (int d = 0; d < SL_N_DIMS; d++)
            sum +=
                fabs(a->extent[s][d] - b->extent[s][d]) + fabs(a->spread[s][d] - b->spread[s][d]);
        if (s + 1 < a->n) sum += swap_weight * count_swaps(a->place[s], b->place[s]);
    }
    return sum;
}

// --- the search

typedef struct {
    const SlSpace *space;
    const SlMapping *nest;
    SlFootprint foot; // of the nest
    Shape target;
    double best; // distance of `point`
    int32_t *point;
} Encoding;

static double try_point(const Encoding *encoding, const int32_t *point) {
    SlMapping mapping;
    Shape shape;
    sl_space_mapping(encoding->space, point, true, &mapping);
    read_shape(encoding->space->layer, &mapping, &shape);
    return distance(&shape, &encoding->target);
}

// take the point if it is nearer
static void offer(Encoding *encoding, const int32_t *point) {
    double apart = try_point(encoding, point);
    if (apart >= encoding->best) return;
    encoding->best = apart;
    memcpy(encoding->point, point, (size_t)encoding->space->n_params * sizeof *point);
}

// the largest size that is not above `size`, else the smallest
static int32_t size_index(const SlParam *param, int64_t size) {
    int32_t low = 0, high = param->n - 1;
    while (low < high) {
        int32_t middle = low + (high - low + 1) / 2;
        if (param->sizes[middle] <= size)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

// loops that do not iterate first, then the others as they stand
static int32_t order_value(const Encoding *encoding, const SlParam *param) {
    const int *place = encoding->target.place[param->level - 1];
    uint8_t order[SL_N_DIMS];
    for (int i = 0; i < param->n_items; i++) {
        int j = i;
        for (; j > 0 && place[param->items[order[j - 1]]] > place[param->items[i]]; j--)
            order[j] = order[j - 1];
        order[j] = (uint8_t)i;
    }
    return sl_permutation_number(param->n_items, order);
}

// a set of dims as near as can be
static int32_t spread_value(const SlParam *param, uint8_t set) {
    int32_t best = 0;
    int least = 2 * SL_N_DIMS;
    for (int32_t v = 0; v < param->n; v++) {
        int differ = __builtin_popcount((unsigned)(param->spreads[v] ^ set));
        if (differ >= least) continue;
        least = differ;
        best = v;
    }
    return best;
}

static void guess(const Encoding *encoding, int32_t *point) {
    const SlSpace *space = encoding->space;
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        uint8_t set = 0;
        for (int d = 0; d < SL_N_DIMS; d++)
            if (encoding->target.spread[param->level][d] > 0) set |= SL_BIT(d);
        if (param->role == SL_ROLE_ORDER)
            point[i] = order_value(encoding, param);
        else if (param->role == SL_ROLE_PARALLEL)
            point[i] = spread_value(param, set);
        else if (param->role == SL_ROLE_TILE)
            point[i] = size_index(param, encoding->foot.extent[param->level - 1][param->dim]);
        else
            point[i] = param->n - 1;
    }
}

// --- clusters

// The parameters of a flexible fan-out and the spatial loops of the nest that use it.
typedef struct {
    int level, outer, inner, size; // fan-out; parameters, -1 = none
    int n;
    SlSpatial loops[SL_MAX_LOOPS];
} Clusters;

static void find_clusters(const Encoding *encoding, int level, Clusters *clusters) {
    const SlSpace *space = encoding->space;
    *clusters = (Clusters){.level = level, .outer = -1, .inner = -1, .size = -1};
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->level != level) continue;
        if (param->role == SL_ROLE_CLUSTER) clusters->size = i;
        if (param->role == SL_ROLE_PARALLEL && param->axis == 0) clusters->outer = i;
        if (param->role == SL_ROLE_PARALLEL && param->axis == 1) clusters->inner = i;
    }
    clusters->n = sl_spread_loops(encoding->nest, &encoding->foot, &space->accel->fanouts[level],
                                  level, clusters->loops);
}

// all cluster sizes and inner dims for one outer dim; `out` is the loop over clusters, -1 = none
static void try_inside(Encoding *encoding, const Clusters *clusters, int out, int32_t *point) {
    const SlParam *inner = &encoding->space->params[clusters->inner];
    int32_t n_sizes = clusters->size >= 0 ? encoding->space->params[clusters->size].n : 1;
    for (int32_t v = 0; v < inner->n; v++) {
        uint8_t set = inner->spreads[v], wanted = 0;
        for (int j = 0; j < clusters->n; j++)
            if (j != out) wanted |= SL_BIT(encoding->nest->loops[clusters->loops[j].loop].dim);
        if (wanted && set && !(set & wanted)) continue;
        point[clusters->inner] = v;
        for (int32_t s = 0; s < n_sizes && encoding->best > 0; s++) {
            if (clusters->size >= 0) point[clusters->size] = s;
            offer(encoding, point);
        }
    }
}

// every spatial loop in turn as the one over clusters, and none of them
static void try_clusters(Encoding *encoding, int level) {
    const SlSpace *space = encoding->space;
    Clusters clusters;
    find_clusters(encoding, level, &clusters);
    if (clusters.outer < 0 || clusters.inner < 0) return;
    int32_t start[SL_MAX_PARAMS], point[SL_MAX_PARAMS];
    memcpy(start, encoding->point, sizeof start);
    const SlParam *outer = &space->params[clusters.outer];
    for (int out = -1; out < clusters.n; out++) {
        const SlLoop *loop = out >= 0 ? &encoding->nest->loops[clusters.loops[out].loop] : NULL;
        for (int32_t v = 0; v < outer->n && encoding->best > 0; v++) {
            if (loop && !(outer->spreads[v] & SL_BIT(loop->dim))) continue;
            memcpy(point, start, sizeof point);
            point[clusters.outer] = v;
            int tile = loop ? space->tile_param[level][loop->dim] : -1;
            if (tile >= 0) point[tile] = size_index(&space->params[tile], loop->tile);
            try_inside(encoding, &clusters, out, point);
        }
    }
}

// --- single parameters

static void try_values(Encoding *encoding, int i, int32_t low, int32_t high) {
    int32_t point[SL_MAX_PARAMS];
    memcpy(point, encoding->point, sizeof point);
    if (low < 0) low = 0;
    if (high >= encoding->space->params[i].n) high = encoding->space->params[i].n - 1;
    for (int32_t v = low; v <= high && encoding->best > 0; v++) {
        point[i] = v;
        offer(encoding, point);
    }
}

static void sweep(Encoding *encoding) {
    for (int i = 0; i < encoding->space->n_params; i++) {
        const SlParam *param = &encoding->space->params[i];
        int32_t value = encoding->point[i];
        if (param->kind == SL_CATEGORICAL)
            try_values(encoding, i, 0, param->n - 1);
        else if (param->kind == SL_ORDINAL)
            try_values(encoding, i, value - NEAR_SIZES, value + NEAR_SIZES);
    }
}

void sl_space_encode(const SlSpace *space, const SlMapping *mapping, int32_t *point) {
    int32_t held[SL_MAX_PARAMS] = {0};
    Encoding encoding = {.space = space, .nest = mapping, .point = held, .best = INFINITY};
    sl_mapping_footprint(space->layer, mapping, &encoding.foot);
    read_shape(space->layer, mapping, &encoding.target);
    guess(&encoding, held);
    encoding.best = try_point(&encoding, held);
    for (int l = 1; l < space->accel->n_levels && encoding.best > 0; l++)
        if (sl_fanout_clusters(space->accel, l)) try_clusters(&encoding, l);
    for (int i = 0; i < MAX_SWEEPS && encoding.best > 0; i++) {
        double before = encoding.best;
        sweep(&encoding);
        if (encoding.best >= before) break;
    }
    memcpy(point, held, (size_t)space->n_params * sizeof *point);
}
