// nest_walk.c - see nest_walk.h. No formula here is cleverer than the sentence it comes from.
#include "nest_walk.h"

const unsigned walk_relevant[SL_N_TENSORS] = {
    [SL_W] = 1u << SL_G | 1u << SL_K | 1u << SL_C | 1u << SL_R | 1u << SL_S,
    [SL_I] =
        1u << SL_N | 1u << SL_G | 1u << SL_C | 1u << SL_P | 1u << SL_Q | 1u << SL_R | 1u << SL_S,
    [SL_O] = 1u << SL_N | 1u << SL_G | 1u << SL_K | 1u << SL_P | 1u << SL_Q,
};

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t pieces(int64_t extent, int64_t tile) {
    return (extent + tile - 1) / tile;
}

// number the touched coordinates a*stride + b*dilation from 0, in order; returns how many
static int number_window(int64_t outputs, int64_t taps, int stride, int dilation, int **out) {
    int64_t span = (outputs - 1) * stride + (taps - 1) * dilation + 1;
    REQUIRE(span <= WALK_MAX_POINTS);
    int *number = calloc((size_t)span, sizeof *number);
    REQUIRE(number != NULL);
    for (int64_t a = 0; a < outputs; a++) {
        for (int64_t b = 0; b < taps; b++) number[a * stride + b * dilation] = 1;
    }
    int n = 0;
    for (int64_t h = 0; h < span; h++) number[h] = number[h] ? n++ : -1;
    *out = number;
    return n;
}

static void count_elements(Walk *walk) {
    const int64_t *e = walk->layer->dims;
    const int32_t *s = walk->layer->stride, *d = walk->layer->dilation;
    int64_t macs = 1;
    for (int i = 0; i < SL_N_DIMS; i++) macs *= e[i];
    REQUIRE(macs <= WALK_MAX_POINTS);
    walk->n_rows = number_window(e[SL_P], e[SL_R], s[0], d[0], &walk->row);
    walk->n_columns = number_window(e[SL_Q], e[SL_S], s[1], d[1], &walk->column);
    walk->n_elements[SL_W] = (int)(e[SL_G] * e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S]);
    walk->n_elements[SL_I] = (int)(e[SL_N] * e[SL_G] * e[SL_C]) * walk->n_rows * walk->n_columns;
    walk->n_elements[SL_O] = (int)(e[SL_N] * e[SL_G] * e[SL_K] * e[SL_P] * e[SL_Q]);
}

// the largest number of iterations side by side is that of the first moment, in instance 0
static void lay_out(Walk *walk) {
    int64_t extent[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = walk->layer->dims[d];
    for (int i = 0; i < walk->mapping->n_loops; i++) {
        SlLoop loop = walk->mapping->loops[i];
        walk->width[i] = loop.spatial ? pieces(extent[loop.dim], loop.tile) : 1;
        extent[loop.dim] = smaller(extent[loop.dim], loop.tile);
    }
    for (int l = 0; l <= walk->n_levels; l++) {
        int64_t n = 1;
        for (int i = 0; i < walk->at[l]; i++) {
            n *= walk->width[i];
            REQUIRE(n <= WALK_MAX_INSTANCES);
        }
        walk->n_instances[l] = (int)n;
    }
}

void walk_init(Walk *walk, const SlLayer *layer, SlNet net, const SlMapping *mapping) {
    *walk = (Walk){.layer = layer, .mapping = mapping, .net = net};
    walk->n_levels = mapping->n_boundaries + 1;
    for (int b = 0; b < mapping->n_boundaries; b++) {
        walk->at[b + 1] = mapping->at[b];
        walk->keep[b + 1] = mapping->keep[b];
    }
    walk->at[walk->n_levels] = mapping->n_loops;
    walk->keep[0] = walk->keep[walk->n_levels] = SL_KEEP_ALL;
    count_elements(walk);
    lay_out(walk);
}

void walk_free(Walk *walk) {
    free(walk->row);
    free(walk->column);
}

Place walk_place(const Walk *walk, int level, int number) {
    Place place = {.start = {0}};
    for (int d = 0; d < SL_N_DIMS; d++) place.extent[d] = walk->layer->dims[d];
    for (int i = 0; i < walk->at[level]; i++) {
        SlLoop loop = walk->mapping->loops[i];
        int64_t at = walk->index[i];
        if (walk->width[i] > 1) {
            at = number % walk->width[i];
            number /= (int)walk->width[i];
        }
        place.start[loop.dim] += at * loop.tile;
        place.extent[loop.dim] = smaller(loop.tile, place.extent[loop.dim] - at * loop.tile);
    }
    return place;
}

bool place_works(const Place *place, unsigned dims) {
    for (int d = 0; d < SL_N_DIMS; d++) {
        if ((dims >> d & 1) && place->extent[d] < 1) return false;
    }
    return true;
}

int walk_moving(const Walk *walk) {
    // iterations that instance 0 sees in every loop, where time stands now
    int64_t extent[SL_N_DIMS];
    int moving = -1;
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = walk->layer->dims[d];
    for (int i = 0; i < walk->mapping->n_loops; i++) {
        SlLoop loop = walk->mapping->loops[i];
        int64_t at = walk->index[i];
        if (!loop.spatial && at + 1 < pieces(extent[loop.dim], loop.tile)) moving = i;
        extent[loop.dim] = smaller(loop.tile, extent[loop.dim] - at * loop.tile);
    }
    return moving; // the innermost one that has an iteration left
}

void walk_move(Walk *walk, int loop) {
    walk->index[loop]++;
    for (int i = loop + 1; i < walk->mapping->n_loops; i++) walk->index[i] = 0;
}

int walk_element(const Walk *walk, SlTensor tensor, const int64_t point[SL_N_DIMS]) {
    const int64_t *e = walk->layer->dims;
    const int32_t *s = walk->layer->stride, *d = walk->layer->dilation;
    int64_t n = point[SL_N], g = point[SL_G], k = point[SL_K], c = point[SL_C];
    int64_t p = point[SL_P], q = point[SL_Q], r = point[SL_R], x = point[SL_S];
    if (tensor == SL_W) {
        return (int)((((g * e[SL_K] + k) * e[SL_C] + c) * e[SL_R] + r) * e[SL_S] + x);
    }
    if (tensor == SL_O) {
        return (int)((((n * e[SL_G] + g) * e[SL_K] + k) * e[SL_P] + p) * e[SL_Q] + q);
    }
    int row = walk->row[p * s[0] + r * d[0]], column = walk->column[q * s[1] + x * d[1]];
    return ((int)((n * e[SL_G] + g) * e[SL_C] + c) * walk->n_rows + row) * walk->n_columns + column;
}

int walk_parent(const Walk *walk, int level, SlTensor tensor) {
    int parent = level - 1;
    while (!(walk->keep[parent] >> tensor & 1)) parent--;
    return parent;
}

// the storage level right above a loop: its spatial iterations belong to the fan-out below it
static int level_above(const Walk *walk, int loop) {
    int level = 0;
    while (level + 1 < walk->n_levels && walk->at[level + 1] <= loop) level++;
    return level;
}

int walk_group(const Walk *walk, int level, SlTensor tensor, int number) {
    unsigned shared = tensor == SL_O ? walk->net.reduction : walk->net.multicast;
    int from = walk->at[walk_parent(walk, level, tensor)];
    int leader = 0, place = 1;
    for (int i = 0; i < walk->at[level]; i++) {
        int width = (int)walk->width[i], digit = number % width;
        bool irrelevant = !(walk_relevant[tensor] >> walk->mapping->loops[i].dim & 1);
        bool merged = i >= from && irrelevant && (shared >> level_above(walk, i) & 1);
        leader += merged ? 0 : digit * place;
        number /= width;
        place *= width;
    }
    return leader;
}
