// reuse.c - see reuse.h.
#include "reuse.h"

#include <string.h>

static double larger(double a, double b) {
    return a > b ? a : b;
}

// distinct coordinates of `a` outputs and `b` taps
static double window_words(const Glance *glance, int axis, double a, double b) {
    double more_a = a - glance->dilation[axis], more_b = b - glance->stride[axis];
    return more_a > 0 && more_b > 0 ? a * b - more_a * more_b : a * b;
}

static void tile_words(const Glance *glance, const double e[SL_N_DIMS],
                       double words[SL_N_TENSORS]) {
    double rows = window_words(glance, 0, e[SL_P], e[SL_R]);
    double columns = window_words(glance, 1, e[SL_Q], e[SL_S]);
    words[SL_W] = e[SL_G] * e[SL_K] * e[SL_C] * e[SL_R] * e[SL_S];
    words[SL_I] = e[SL_N] * e[SL_G] * e[SL_C] * rows * columns;
    words[SL_O] = e[SL_N] * e[SL_G] * e[SL_K] * e[SL_P] * e[SL_Q];
}

// --- pieces of a dim

// Full tiles and edges. A cut makes all full tiles one kind and leaves at most one edge of each
// kind, so there is at most one more kind than there were loops.
typedef struct {
    int n;
    double sum; // pieces in all
    double size[SL_MAX_LOOPS + 1], times[SL_MAX_LOOPS + 1];
} Pieces;

static void cut(Pieces *pieces, double tile) {
    double full = 0, edges = 0;
    int n = 0;
    for (int i = 0; i < pieces->n; i++) {
        double size = pieces->size[i], times = pieces->times[i];
        double whole = (double)(int64_t)(size / tile), rest = size - whole * tile;
        full += times * whole;
        if (rest <= 0) continue;
        edges += times;
        pieces->size[n] = rest;
        pieces->times[n++] = times;
    }
    if (full > 0) {
        pieces->size[n] = tile;
        pieces->times[n++] = full;
    }
    pieces->n = n;
    pieces->sum = full + edges;
}

// single iterations: no kind is left to tell apart
static void cut_to_ones(Pieces *pieces) {
    double sum = 0;
    for (int i = 0; i < pieces->n; i++) sum += pieces->size[i] * pieces->times[i];
    pieces->n = 1;
    pieces->size[0] = 1;
    pieces->times[0] = pieces->sum = sum;
}

// the first of the tiles, instead of all of them
static void stand(Pieces *pieces, double tile) {
    for (int i = 0; i < pieces->n; i++)
        if (pieces->size[i] > tile) pieces->size[i] = tile;
}

static void copy_pieces(const Pieces *from, Pieces *to) {
    to->n = from->n;
    to->sum = from->sum;
    for (int i = 0; i < from->n; i++) {
        to->size[i] = from->size[i];
        to->times[i] = from->times[i];
    }
}

// --- the walk over the loops

// Where the walk stands in one dim.
typedef struct {
    int64_t extent;
    bool spread;     // a spatial loop has been met, so that instance 0 sees other pieces
    double start;    // pieces before the present run of temporal loops
    double earlier;  // trips of the segment's runs before it
    Pieces all, own; // of all instances, of instance 0
} DimWalk;

static void cut_any(Pieces *pieces, double tile) {
    if (tile == 1)
        cut_to_ones(pieces);
    else
        cut(pieces, tile);
}

static void walk_spatial(Glance *glance, int segment, int d, double tile, DimWalk *walk) {
    if (!walk->spread) copy_pieces(&walk->all, &walk->own);
    walk->spread = true;
    double before = walk->all.sum;
    glance->grid[segment] *= (double)sl_ceil_div(walk->extent, (int64_t)tile);
    stand(&walk->own, tile);
    cut_any(&walk->all, tile);
    glance->space[segment][d] *= walk->all.sum / before;
    walk->earlier = glance->time[segment][d];
    walk->start = walk->all.sum;
}

// a run of loops counts by its two ends, so that how it is split below the innermost level does not
// show in the last bits
static double walk_temporal(Glance *glance, int segment, int d, double tile, DimWalk *walk) {
    double before = walk->all.sum;
    cut_any(&walk->all, tile);
    if (walk->spread) cut_any(&walk->own, tile);
    glance->time[segment][d] = walk->earlier * (walk->all.sum / walk->start);
    return walk->all.sum / before;
}

static void walk_segment(Glance *glance, const SlMapping *mapping, int segment, DimWalk *walks) {
    int end = sl_segment_end(mapping, segment), n = segment ? glance->first[segment] : 0;
    for (int d = 0; d < SL_N_DIMS; d++) {
        glance->time[segment][d] = glance->space[segment][d] = walks[d].earlier = 1;
        walks[d].start = walks[d].all.sum;
    }
    glance->grid[segment] = 1;
    for (int i = sl_segment_begin(mapping, segment); i < end; i++) {
        const SlLoop *loop = &mapping->loops[i];
        DimWalk *walk = &walks[loop->dim];
        if (loop->tile >= walk->extent) continue;
        if (loop->spatial) {
            walk_spatial(glance, segment, loop->dim, (double)loop->tile, walk);
        } else {
            double trips = walk_temporal(glance, segment, loop->dim, (double)loop->tile, walk);
            glance->dim[n] = loop->dim;
            glance->trips[n++] = trips;
        }
        walk->extent = loop->tile;
    }
    if (segment + 1 < glance->n) glance->first[segment + 1] = (uint8_t)n;
}

static void glance_layer(const SlLayer *layer, Glance *glance) {
    double e[SL_N_DIMS];
    glance->macs = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        e[d] = (double)layer->dims[d];
        glance->macs *= e[d];
    }
    for (int g = 0; g < 2; g++) {
        int64_t stride = layer->stride[g], dilation = layer->dilation[g];
        if (stride > 1 && dilation > 1) sl_window_reduce(&stride, &dilation);
        glance->stride[g] = (double)stride;
        glance->dilation[g] = (double)dilation;
    }
    tile_words(glance, e, glance->words);
}

void sl_nest_glance(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                    Glance *glance) {
    glance->layer = layer;
    glance->accel = accel;
    glance->n = mapping->n_boundaries + 1;
    glance->first[0] = 0;
    glance_layer(layer, glance);
    DimWalk walks[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) {
        DimWalk *walk = &walks[d];
        walk->extent = layer->dims[d];
        walk->spread = false;
        walk->all.n = 1;
        walk->all.size[0] = (double)layer->dims[d];
        walk->all.sum = walk->all.times[0] = 1;
    }
    for (int s = 0; s < glance->n; s++) {
        walk_segment(glance, mapping, s, walks);
        for (int d = 0; d < SL_N_DIMS; d++) {
            glance->extent[s][d] = (double)walks[d].extent;
            glance->pieces[s][d] = walks[d].all.sum;
        }
        tile_words(glance, glance->extent[s], glance->tile[s]);
        const double *space = glance->space[s];
        glance->idle[s][SL_W] = space[SL_N] * space[SL_P] * space[SL_Q];
        glance->idle[s][SL_I] = space[SL_K];
        glance->idle[s][SL_O] = space[SL_C] * space[SL_R] * space[SL_S];
    }
    glance->steps = 1;
    for (int d = 0; d < SL_N_DIMS; d++)
        glance->steps *= walks[d].spread ? walks[d].own.sum : walks[d].all.sum;
}

// --- traffic

// How often a tensor comes to a level, per distinct word.
typedef struct {
    double refetch; // iterations that fetch it again
    double copies;  // instances that hold the same word
    double served;  // of them, those that are served one by one
    double parents; // instances of the parent that hold the same word
    int inner;      // its innermost loop above the level that iterates, -1 if none does
} Visits;

static Visits count_visits(const Glance *glance, int level, int parent, int tensor) {
    Visits v = {1, 1, 1, 1, -1};
    int n = level < glance->n ? glance->first[level] : 0;
    for (int i = n - 1; i >= 0; i--) {
        bool relevant = sl_tensor_dims[tensor] >> glance->dim[i] & 1;
        if (!relevant && v.inner >= 0)
            v.refetch *= glance->trips[i];
        else if (relevant && v.inner < 0)
            v.inner = i;
    }
    for (int s = 0; s < level; s++) {
        const SlFanout *fanout = &glance->accel->fanouts[s];
        bool shared = s >= parent && (tensor == SL_O ? fanout->reduction : fanout->multicast);
        double copies = glance->idle[s][tensor];
        v.copies *= copies;
        if (!shared) v.served *= copies;
        if (s < parent) v.parents *= copies;
    }
    return v;
}

// one of the two dims of a window: how far it goes, pieces, and steps from one to the next
typedef struct {
    double extent, n, steps;
} Cut;

// Sum over the pieces of max(0, size - apart): iterations whose coordinate another one in the tile
// has too. Where a step leads from piece to piece those of the piece before count as well.
static double shared_sum(Cut c, double apart) {
    double size = c.extent / c.n;
    double in_one = larger(0, size - apart), in_two = larger(0, 2 * size - apart);
    return (c.n - c.steps) * in_one + c.steps * (in_two - in_one);
}

// words of all tiles of I at a level, what neighbours share counted once along the innermost loop
static double input_words(const Glance *glance, int level, int inner) {
    const int64_t *dims = glance->layer->dims;
    double words = (double)dims[SL_N] * (double)dims[SL_G] * (double)dims[SL_C];
    Cut cuts[4]; // P, Q, R, S
    for (int i = 0; i < 4; i++)
        cuts[i] = (Cut){(double)dims[SL_P + i], glance->pieces[level - 1][SL_P + i], 0};
    if (inner >= 0 && glance->dim[inner] >= SL_P) {
        Cut *moved = &cuts[glance->dim[inner] - SL_P];
        moved->steps = moved->n - moved->n / glance->trips[inner];
    }
    for (int axis = 0; axis < 2; axis++) {
        Cut outputs = cuts[axis], taps = cuts[2 + axis];
        words *= outputs.extent * taps.extent - shared_sum(outputs, glance->dilation[axis]) *
                                                    shared_sum(taps, glance->stride[axis]);
    }
    return words;
}

// Sums over the tensors that need no place in the result.
typedef struct {
    double reads[SL_MAX_LEVELS], writes[SL_MAX_LEVELS], delivered[SL_MAX_LEVELS];
} Accesses;

// one tensor on its way from its parent to level l, the MACs after the last
static void add_tensor(const Glance *glance, int level, int parent, int tensor, Accesses *accesses,
                       Traffic *traffic) {
    bool macs = level == glance->n;
    Visits v = count_visits(glance, level, parent, tensor);
    double fetched = macs             ? glance->macs / v.copies
                     : tensor == SL_I ? input_words(glance, level, v.inner) * v.refetch
                                      : glance->words[tensor] * v.refetch;
    double fill = fetched * v.copies, served = fetched * v.served;

    // partial sums; the first one under each parent starts at zero
    bool sums = tensor == SL_O;
    double back = sums ? larger(0, served - glance->words[SL_O] * v.parents) : 0;
    double down = sums ? back : served, up = sums ? served : 0;
    accesses->reads[parent] += down;
    accesses->writes[parent] += up;
    traffic->port[parent] += down + up;
    if (macs) return;

    double own_back = sums ? larger(0, fill - glance->words[SL_O] * v.copies) : 0;
    traffic->fetched[level][tensor] = served;
    traffic->port[level] += fill + own_back;
    traffic->link[level] += down + up;
    accesses->reads[level] += sums ? fill : 0;
    accesses->writes[level] += sums ? back : fill;
    accesses->delivered[level] += fill + back;
}

// words over the network into level l before its first step: W and I of all instances
static double first_words(const Glance *glance, const SlMapping *mapping, int level) {
    double words = 0;
    for (int t = SL_W; t <= SL_I; t++) {
        if (!(mapping->keep[level - 1] >> t & 1)) continue;
        double sent = glance->tile[level - 1][t];
        for (int s = 0; s < level; s++) {
            double all = glance->grid[s];
            sent *= glance->accel->fanouts[s].multicast ? all / glance->idle[s][t] : all;
        }
        words += sent;
    }
    return words;
}

// instance 0 has no edges, so it does more than its share by what the edges leave idle
static void add_latency(const Glance *glance, const SlMapping *mapping, Traffic *traffic) {
    double instances = 1, lanes = 1, longest = glance->steps, stalls = 0;
    for (int s = 0; s < glance->n; s++) lanes *= glance->grid[s];
    double busiest = larger(1, glance->steps * lanes / glance->macs);
    traffic->ramp_cycles = 0;
    for (int l = 0; l < glance->n; l++) {
        const SlLevel *level = &glance->accel->levels[l];
        if (instances > 1) traffic->port[l] *= busiest / instances;
        longest = larger(longest, traffic->port[l] / level->port_words);
        instances *= glance->grid[l];
        if (l == 0) continue;
        double link = traffic->link[l] / level->link_words;
        if (level->buffering == SL_BUFFER_SINGLE)
            stalls += link;
        else
            longest = larger(longest, link);
        traffic->ramp_cycles += first_words(glance, mapping, l) / level->link_words;
    }
    traffic->latency_cycles = longest + stalls + traffic->ramp_cycles;
}

void sl_nest_traffic(const Glance *glance, const SlMapping *mapping, Traffic *traffic) {
    int n = glance->n;
    Accesses accesses = {0};
    memset(traffic, 0, sizeof *traffic);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        int parent = 0;
        for (int l = 1; l <= n; l++) {
            if (l < n && !(mapping->keep[l - 1] >> t & 1)) continue;
            add_tensor(glance, l, parent, t, &accesses, traffic);
            parent = l;
        }
    }
    traffic->energy_pj = glance->macs * glance->accel->mac_pj;
    for (int l = 0; l < n; l++) {
        const SlLevel *level = &glance->accel->levels[l];
        traffic->energy_pj += accesses.reads[l] * level->read_pj +
                              accesses.writes[l] * level->write_pj +
                              accesses.delivered[l] * level->link_pj;
    }
    add_latency(glance, mapping, traffic);
}
