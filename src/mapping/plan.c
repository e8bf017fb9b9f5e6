// plan.c - regular nests: their counts per dim, whether they fit, how they become a mapping.
#include "plan.h"

#include <string.h>

const uint8_t sl_plan_orders[N_ORDERS][N_STAYING] = {
    {CLASS_K, CLASS_NPQ, CLASS_CRS}, {CLASS_NPQ, CLASS_K, CLASS_CRS},
    {CLASS_K, CLASS_CRS, CLASS_NPQ}, {CLASS_CRS, CLASS_K, CLASS_NPQ},
    {CLASS_NPQ, CLASS_CRS, CLASS_K}, {CLASS_CRS, CLASS_NPQ, CLASS_K},
};

const ClassDims sl_plan_classes[N_CLASSES] = {
    [CLASS_NPQ] = {3, {SL_N, SL_P, SL_Q}},
    [CLASS_K] = {1, {SL_K}},
    [CLASS_CRS] = {3, {SL_C, SL_R, SL_S}},
    [CLASS_G] = {1, {SL_G}},
};

const uint8_t sl_plan_idle[SL_N_TENSORS] = {
    [SL_W] = CLASS_NPQ, [SL_I] = CLASS_K, [SL_O] = CLASS_CRS};

void sl_plan_world_init(World *world, const SlLayer *layer, const SlAccel *accel) {
    *world = (World){.layer = layer, .accel = accel, .n = accel->n_levels};
    world->macs = (double)sl_layer_macs(layer);
    for (int axis = 0; axis < 2; axis++) {
        int64_t stride = layer->stride[axis], dilation = layer->dilation[axis];
        sl_window_reduce(&stride, &dilation);
        world->stride[axis] = (double)stride;
        world->dilation[axis] = (double)dilation;
    }
    for (int l = 0; l <= world->n; l++)
        world->keep[l] = l == 0 || l == world->n ? SL_KEEP_ALL : accel->levels[l].keep;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        world->words[t] = (double)sl_layer_words(layer, (SlTensor)t);
        for (int l = 1; l <= world->n; l++) {
            int parent = l - 1;
            while (!(world->keep[parent] >> t & 1)) parent--;
            world->parent[l][t] = parent;
        }
    }
}

// what all instances do at once; the product may be beyond 64 bits
static int64_t wave_size(int64_t tile, int64_t spread, int64_t context) {
    return spread >= sl_ceil_div(context, tile) ? context : tile * spread;
}

// --- counts of one dim

// Pieces of a dim: `whole` of the tile size and a few smaller ones at edges.
typedef struct {
    int64_t size[SL_MAX_LEVELS + 1];
    double times[SL_MAX_LEVELS + 1];
    int n;
    double sum;
} Pieces;

// cut every piece by `stride`; of each cut the first `tile` count. Every piece leaves at most one
// edge of its own, so there is never more than one edge per segment.
static void cut_pieces(Pieces *pieces, int64_t stride, int64_t tile) {
    Pieces cut = {.n = 1};
    cut.size[0] = tile;
    for (int i = 0; i < pieces->n; i++) {
        int64_t whole = pieces->size[i] / stride, rest = pieces->size[i] % stride;
        if (rest >= tile) whole++;
        cut.times[0] += pieces->times[i] * (double)whole;
        if (rest == 0 || rest >= tile) continue;
        cut.size[cut.n] = rest;
        cut.times[cut.n++] = pieces->times[i];
    }
    for (int i = 0; i < cut.n; i++) cut.sum += cut.times[i];
    *pieces = cut;
}

static void count_dim(const World *world, const Plan *plan, int dim, DimRow *row) {
    int64_t context = world->layer->dims[dim];
    Pieces steps = {.size = {context}, .times = {1}, .n = 1, .sum = 1}, tiles = steps;
    row->n_loops = 0;
    for (int s = 0; s < world->n; s++) {
        int64_t tile = sl_smaller(plan->tile[s][dim], context);
        int64_t wave = wave_size(tile, plan->spread[s][dim], context);
        if (tile < context) {
            cut_pieces(&steps, wave, tile);
            cut_pieces(&tiles, tile, tile);
            row->n_loops += (wave < context) + (tile < wave);
        }
        row->steps[s] = steps.sum;
        row->tiles[s] = tiles.sum;
        context = tile;
    }
}

static const uint8_t class_of[SL_N_DIMS] = {
    [SL_N] = CLASS_NPQ, [SL_G] = CLASS_G,   [SL_K] = CLASS_K,   [SL_C] = CLASS_CRS,
    [SL_P] = CLASS_NPQ, [SL_Q] = CLASS_NPQ, [SL_R] = CLASS_CRS, [SL_S] = CLASS_CRS,
};

static void count_trips(const DimRow *dim, int s, Trips *trips) {
    double tiles[N_CLASSES] = {1, 1, 1, 1};
    *trips = (Trips){.time = {1, 1, 1, 1}, .all = 1};
    for (int d = 0; d < SL_N_DIMS; d++) {
        double steps = s > 0 ? dim[d].steps[s] / dim[d].steps[s - 1] : dim[d].steps[s];
        trips->time[class_of[d]] *= steps;
        tiles[class_of[d]] *= s > 0 ? dim[d].tiles[s] / dim[d].tiles[s - 1] : dim[d].tiles[s];
        if (d == SL_P) trips->rows = steps;
        if (d == SL_Q) trips->columns = steps;
    }
    for (int c = 0; c < N_CLASSES; c++) {
        trips->space[c] = tiles[c] > trips->time[c] ? tiles[c] / trips->time[c] : 1;
        trips->all *= trips->space[c];
    }
}

// the time before the first step of every level can start
static double ramp_cycles(const World *world, const Plan *plan, const Trips *trips) {
    double cycles = 0;
    for (int l = 1; l < world->n; l++) {
        int64_t words[SL_N_TENSORS];
        sl_tile_words(world->layer, plan->tile[l - 1], words);
        for (int t = SL_W; t <= SL_I; t++) {
            if (!(world->keep[l] >> t & 1)) continue;
            double sent = (double)words[t];
            for (int s = 0; s < l; s++) {
                bool shared = s >= world->parent[l][t] && world->accel->fanouts[s].multicast;
                sent *= shared ? trips[s].all / trips[s].space[sl_plan_idle[t]] : trips[s].all;
            }
            cycles += sent / world->accel->levels[l].link_words;
        }
    }
    return cycles;
}

void sl_plan_count(const World *world, const Plan *plan, int dims, PlanCounts *counts) {
    for (int d = 0; d < SL_N_DIMS; d++)
        if (dims >> d & 1) count_dim(world, plan, d, &counts->dim[d]);
    for (int s = 0; s < world->n; s++) count_trips(counts->dim, s, &counts->trips[s]);
    counts->steps = 1;
    for (int d = 0; d < SL_N_DIMS; d++) counts->steps *= counts->dim[d].steps[world->n - 1];
    counts->ramp_cycles = ramp_cycles(world, plan, counts->trips);
}

bool sl_plan_fits(const World *world, const Plan *plan, int boundary, SlViolation *why) {
    int64_t words[SL_N_TENSORS];
    sl_tile_words(world->layer, plan->tile[boundary], words);
    return sl_level_fits(world->layer, world->accel, boundary + 1, world->keep[boundary + 1], words,
                         why);
}

bool sl_plan_is_legal(const World *world, const Plan *plan, const PlanCounts *counts) {
    SlViolation why;
    int n_loops = 0;
    for (int d = 0; d < SL_N_DIMS; d++) n_loops += counts->dim[d].n_loops;
    if (n_loops > SL_MAX_LOOPS) return false;
    for (int b = 0; b < world->n - 1; b++)
        if (!sl_plan_fits(world, plan, b, &why)) return false;
    return true;
}

// --- the mapping of a plan

static void add_loop(SlMapping *mapping, int dim, bool spatial, int64_t tile, int64_t *context) {
    if (tile >= *context) return;
    *context = tile;
    mapping->loops[mapping->n_loops++] =
        (SlLoop){.tile = tile, .dim = (uint8_t)dim, .spatial = spatial};
}

static void write_class(const Plan *plan, int segment, DimClass class, int64_t *context,
                        SlMapping *mapping) {
    for (int i = 0; i < sl_plan_classes[class].n; i++) {
        int d = sl_plan_classes[class].dims[i];
        int64_t tile = plan->tile[segment][d], spread = plan->spread[segment][d];
        add_loop(mapping, d, false, wave_size(tile, spread, context[d]), &context[d]);
    }
}

void sl_plan_write(const World *world, const Plan *plan, SlMapping *mapping) {
    *mapping = (SlMapping){.n_boundaries = (uint8_t)(world->n - 1)};
    int64_t context[SL_N_DIMS];
    memcpy(context, world->layer->dims, sizeof context);
    for (int s = 0; s < world->n; s++) {
        write_class(plan, s, CLASS_G, context, mapping);
        for (int i = 0; i < N_STAYING; i++)
            write_class(plan, s, (DimClass)sl_plan_orders[plan->order[s]][i], context, mapping);
        for (int d = 0; d < SL_N_DIMS; d++)
            add_loop(mapping, d, true, plan->tile[s][d], &context[d]);
        if (s == world->n - 1) break;
        mapping->at[s] = mapping->n_loops;
        mapping->keep[s] = world->keep[s + 1];
    }
}
