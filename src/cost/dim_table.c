// dim_table.c - combinations of index and instance at work in one dim, exact at every edge.
//
// A loop over tiles of t in a context of extent e has e div t full tiles and one edge of e mod t.
#include "factors.h"

void sl_tables_levels(Tables *tables, const SlLayer *layer, SlNet net, const SlMapping *mapping) {
    tables->n_levels = mapping->n_boundaries + 1;
    tables->net = net;
    for (int b = 0; b < mapping->n_boundaries; b++) tables->keep[b + 1] = mapping->keep[b];
    tables->keep[tables->n_levels] = SL_KEEP_ALL;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        int parent = 0;
        for (int l = 1; l <= tables->n_levels; l++) {
            int between = (1 << l) - (1 << parent);
            tables->parent[l][t] = (uint8_t)parent;
            tables->shared[l][t] = (uint8_t)(between & (t == SL_O ? net.reduction : net.multicast));
            if (tables->keep[l] >> t & 1) parent = l;
        }
    }
    for (int g = 0; g < 2; g++) {
        Window *window = &tables->windows[g];
        window->stride = layer->stride[g];
        window->dilation = layer->dilation[g];
        sl_window_reduce(&window->stride, &window->dilation);
        window->memo = NULL;
    }
}

// ---- contexts: the extents a dim has inside some loops, and how often ----

typedef struct {
    int64_t extent;
    double times;
} Context;

// At most one context per loop, plus one: full tiles of all contexts are one and the same.
typedef struct {
    int n;
    Context list[SL_MAX_LOOPS + 1];
} Contexts;

// the loop runs through its indices
static void contexts_run(Contexts *c, int64_t tile) {
    double full = 0;
    int n = 0;
    for (int j = 0; j < c->n; j++) {
        Context x = c->list[j];
        int64_t whole = x.extent / tile, edge = x.extent - whole * tile;
        full += x.times * (double)whole;
        if (edge) c->list[n++] = (Context){edge, x.times};
    }
    if (full > 0) c->list[n++] = (Context){tile, full};
    c->n = n;
}

// the loop stands at index 0
static void contexts_stand(Contexts *c, int64_t tile) {
    for (int j = 0; j < c->n; j++) c->list[j].extent = min_size(tile, c->list[j].extent);
}

static double contexts_count(const Contexts *c) {
    double sum = 0;
    for (int j = 0; j < c->n; j++) sum += c->list[j].times;
    return sum;
}

// sum of max(0, extent - reduce)
static double contexts_sum(const Contexts *c, int64_t reduce) {
    double sum = 0;
    for (int j = 0; j < c->n; j++) {
        int64_t more = c->list[j].extent - reduce;
        if (more > 0) sum += c->list[j].times * (double)more;
    }
    return sum;
}

// the first `kept` temporal loops above a level run, the others stand; spatial loops in `zero`
// stand
static void contexts_above(const DimTable *dim, int level, int kept, uint64_t zero, Contexts *c) {
    c->n = 1;
    c->list[0] = (Context){dim->extent, 1};
    for (int i = 0; i < dim->levels[level].above; i++) {
        bool runs = dim->loops[i].spatial ? !(zero >> i & 1) : kept-- > 0;
        if (runs)
            contexts_run(c, dim->loops[i].tile);
        else
            contexts_stand(c, dim->loops[i].tile);
    }
}

// combinations with the last `wrapped` temporal loops standing
static double combinations(const DimTable *dim, int level, int wrapped, uint64_t zero) {
    int kept = dim->levels[level].temporal - wrapped;
    if (!dim->exact) {
        Contexts c;
        contexts_above(dim, level, kept, zero, &c);
        return contexts_count(&c);
    }
    double trips = 1;
    int64_t extent = dim->extent;
    for (int i = 0; i < dim->levels[level].above; i++) {
        int64_t tile = dim->loops[i].tile;
        bool runs = dim->loops[i].spatial ? !(zero >> i & 1) : kept-- > 0;
        if (runs) trips *= (double)(extent / tile);
        extent = tile;
    }
    return trips;
}

// ---- lanes: which instances a count takes in ----

// spatial loops of a dim above a level that lie in the given fan-outs
static uint64_t spread_in(const DimTable *dim, int level, int fanouts) {
    uint64_t found = 0;
    for (int l = 1; l <= level; l++) {
        uint64_t outer = l > 1 ? dim->levels[l - 1].spread : 0;
        if (fanouts >> (l - 1) & 1) found |= dim->levels[l].spread & ~outer;
    }
    return found;
}

void sl_dim_masks(const Tables *tables, int d, int level, int tensor, uint64_t zero[N_LANES]) {
    const DimTable *dim = &tables->dims[d];
    int parent = tables->parent[level][tensor];
    int shared = is_relevant(d, tensor) ? 0 : tables->shared[level][tensor];
    uint64_t outside = parent > 0 ? dim->levels[parent].spread : 0;
    uint64_t once = shared ? spread_in(dim, level, shared) : 0;
    zero[LANE_FILL] = 0;
    zero[LANE_PREAD] = once;
    zero[LANE_OWN0] = dim->levels[level].spread;
    zero[LANE_SRV0] = outside | once;
}

// relevant: extents summed; irrelevant: combinations; all loops kept
static double kept_factor(const DimTable *dim, int level, bool relevant, uint64_t zero) {
    const DimLevel *view = &dim->levels[level];
    if (zero == 0) return relevant ? (double)dim->extent : view->runs;
    if (zero == view->spread) return relevant ? view->sum0 : view->runs0;
    Contexts c;
    contexts_above(dim, level, view->temporal, zero, &c);
    return relevant ? contexts_sum(&c, 0) : contexts_count(&c);
}

double sl_dim_excess(const DimTable *dim, int level, uint64_t zero) {
    const DimLevel *view = &dim->levels[level];
    if (zero == 0) return view->excess;
    if (zero == view->spread) return view->excess0;
    Contexts c;
    contexts_above(dim, level, view->temporal, zero, &c);
    return contexts_sum(&c, dim->reduce);
}

INLINE Lanes same_lanes(double x) {
    return (Lanes){x, x, x, x};
}

// factors of a dim that is spread, all loops kept
static void build_spread(const Tables *tables, int d, int level, Entry *entry) {
    const DimTable *dim = &tables->dims[d];
    const DimLevel *view = &dim->levels[level];
    for (int t = 0; t < SL_N_TENSORS; t++) {
        bool relevant = is_relevant(d, t);
        uint64_t zero[N_LANES];
        sl_dim_masks(tables, d, level, t, zero);
        Lanes lanes = {0, 0, relevant ? view->sum0 : view->runs0, 0};
        lanes[LANE_FILL] = relevant ? (double)dim->extent : view->runs;
        lanes[LANE_PREAD] = kept_factor(dim, level, relevant, zero[LANE_PREAD]);
        lanes[LANE_SRV0] = kept_factor(dim, level, relevant, zero[LANE_SRV0]);
        entry->factor[t] = lanes;
    }
}

static void build_entry(Tables *tables, int d, int level) {
    const DimTable *dim = &tables->dims[d];
    const DimLevel *view = &dim->levels[level];
    Entry *entry = &tables->entries[view->entry];
    entry->ready = (1 << SL_N_TENSORS) - 1;
    if (view->spread)
        build_spread(tables, d, level, entry);
    else
        for (int t = 0; t < SL_N_TENSORS; t++)
            entry->factor[t] = same_lanes(is_relevant(d, t) ? (double)dim->extent : view->runs);
    if (level == tables->n_levels) return;
    for (int w = 1; w <= view->temporal; w++) entry[w].ready = 0;
}

void sl_dim_factor(Tables *tables, int d, int level, int wrapped, int tensor) {
    const DimTable *dim = &tables->dims[d];
    const DimLevel *view = &dim->levels[level];
    Entry *entry = &tables->entries[view->entry + wrapped];
    bool relevant = is_relevant(d, tensor);
    entry->ready |= (uint8_t)(1 << tensor);
    // a wrapped loop moves the whole tile of an exact dim
    if (relevant && dim->exact) {
        entry->factor[tensor] = same_lanes(0);
        return;
    }
    uint64_t zero[N_LANES] = {0};
    if (view->spread) sl_dim_masks(tables, d, level, tensor, zero);
    for (int k = 0; k < N_LANES; k++) {
        int same = 0;
        while (same < k && zero[same] != zero[k]) same++;
        double value = same < k   ? entry->factor[tensor][same]
                       : relevant ? sl_dim_overlap(dim, level, wrapped, zero[k])
                                  : combinations(dim, level, wrapped, zero[k]);
        entry->factor[tensor][k] = value;
    }
}

// ---- building a dim: one walk down its loops ----

// Contexts on the way down: all loops run; instance 0 alone; all instances in the first step.
typedef struct {
    Contexts all, zero, start;
    double grid;
    int n_temporal;
    uint64_t spread;
    int64_t tile;
} Walk;

static void walk_start(Walk *walk, int64_t extent) {
    walk->all.n = 1;
    walk->all.list[0] = (Context){extent, 1};
    walk->zero.n = walk->start.n = 0;
    walk->grid = 1;
    walk->n_temporal = 0;
    walk->spread = 0;
    walk->tile = extent;
}

// the lists of instance 0 and of the first step are kept only below the first spatial loop
static void walk_contexts(Walk *walk, const DimLoop *loop) {
    if (loop->spatial && !walk->spread) {
        walk->zero.n = walk->all.n;
        for (int j = 0; j < walk->all.n; j++) walk->zero.list[j] = walk->all.list[j];
        walk->start.n = 1;
        walk->start.list[0] = (Context){walk->tile, 1};
    }
    if (loop->spatial) {
        contexts_stand(&walk->zero, loop->tile);
        contexts_run(&walk->start, loop->tile);
    } else if (walk->spread) {
        contexts_run(&walk->zero, loop->tile);
        contexts_stand(&walk->start, loop->tile);
    }
    contexts_run(&walk->all, loop->tile);
}

static void walk_loop(Walk *walk, int i, const DimLoop *loop, bool with_contexts) {
    if (with_contexts) walk_contexts(walk, loop);
    if (loop->spatial) {
        walk->spread |= UINT64_C(1) << i;
        walk->grid *= (double)((walk->tile + loop->tile - 1) / loop->tile);
    } else {
        walk->n_temporal++;
    }
    walk->tile = loop->tile;
}

// a level that spatial loops lie above
static void view_spread(const DimTable *dim, const Walk *walk, DimLevel *view) {
    view->inst = contexts_count(&walk->start);
    view->runs0 = contexts_count(&walk->zero);
    view->sum0 = contexts_sum(&walk->zero, 0);
    view->excess0 = contexts_sum(&walk->zero, dim->reduce);
    view->first_excess = contexts_sum(&walk->start, dim->reduce);
}

static void view_whole(const DimTable *dim, const Walk *walk, DimLevel *view) {
    view->inst = 1;
    view->runs0 = view->runs;
    view->sum0 = (double)dim->extent;
    view->excess0 = view->excess;
    view->first_excess = walk->tile > dim->reduce ? (double)(walk->tile - dim->reduce) : 0;
}

// what the dim adds to the first step over the network: relevant extents summed, others as pread
static void view_first(Tables *tables, int d, int level, double sum) {
    DimLevel *view = &tables->dims[d].levels[level];
    for (int t = 0; t < SL_N_TENSORS; t++) {
        uint64_t zero[N_LANES];
        view->first[t] = is_relevant(d, t) ? sum : 1;
        if (!view->spread || is_relevant(d, t)) continue;
        sl_dim_masks(tables, d, level, t, zero);
        if (zero[LANE_PREAD] != view->spread)
            view->first[t] =
                combinations(&tables->dims[d], level, view->temporal, zero[LANE_PREAD]);
    }
}

static void close_level(Tables *tables, int d, int level, const Walk *walk) {
    DimTable *dim = &tables->dims[d];
    DimLevel *view = &dim->levels[level];
    view->above = (uint8_t)dim->n_loops;
    view->temporal = (uint8_t)walk->n_temporal;
    view->spread = walk->spread;
    view->tile = walk->tile;
    view->grid = walk->grid;
    view->runs = contexts_count(&walk->all);
    view->excess = d >= SL_P ? contexts_sum(&walk->all, dim->reduce) : 0;
    if (view->spread)
        view_spread(dim, walk, view);
    else
        view_whole(dim, walk, view);
    view_first(tables, d, level, view->spread ? contexts_sum(&walk->start, 0) : (double)walk->tile);
    build_entry(tables, d, level);
}

// The MACs: every element is one step, however the last loops split it.
static void close_macs(Tables *tables, int d, const Walk *walk) {
    DimTable *dim = &tables->dims[d];
    DimLevel *view = &dim->levels[tables->n_levels];
    view->above = (uint8_t)dim->n_loops;
    view->temporal = (uint8_t)walk->n_temporal;
    view->spread = walk->spread;
    view->tile = 1;
    view->grid = walk->grid;
    view->inst = walk->spread ? contexts_count(&walk->start) : 1;
    view->runs = (double)dim->extent;
    view->runs0 = view->sum0 = walk->spread ? contexts_sum(&walk->zero, 0) : view->runs;
    view->excess = view->excess0 = view->first_excess = 0;
    view_first(tables, d, tables->n_levels, view->inst);
    build_entry(tables, d, tables->n_levels);
}

static void forget_window(Tables *tables, int d) {
    Window *window = &tables->windows[d == SL_Q || d == SL_S];
    int k = d >= SL_R;
    tables->dims[d].reduce = k ? window->stride : window->dilation;
    window->cache[k][0].level = window->cache[k][1].level = 0;
    if (window->memo) window->memo->age++;
}

// a dim of extent 1 is a factor of 1 everywhere
static void build_one(Tables *tables, int d) {
    static const DimLevel one = {
        .tile = 1, .grid = 1, .inst = 1, .runs = 1, .runs0 = 1, .sum0 = 1, .first = {1, 1, 1}};
    for (int l = 1; l <= tables->n_levels; l++) {
        DimLevel *view = &tables->dims[d].levels[l];
        int place = view->entry;
        *view = one;
        view->entry = place;
        Entry *entry = &tables->entries[place];
        for (int t = 0; t < SL_N_TENSORS; t++) entry->factor[t] = same_lanes(1);
        entry->ready = (1 << SL_N_TENSORS) - 1;
    }
}

uint64_t sl_dim_build(Tables *tables, int d, int64_t extent, int n_loops, const DimLoop *loops) {
    DimTable *dim = &tables->dims[d];
    Walk walk;
    uint64_t active = 0;
    int level = 1;
    dim->extent = extent;
    dim->reduce = 0;
    dim->n_loops = 0;
    dim->exact = true;
    tables->prepared.ready = false;
    if (d >= SL_P) forget_window(tables, d);
    if (extent == 1) {
        build_one(tables, d);
        return 0;
    }
    walk_start(&walk, extent);
    int n_walked = n_loops; // what comes after only splits elements into steps
    while (n_walked > 0 && !loops[n_walked - 1].spatial &&
           loops[n_walked - 1].segment == tables->n_levels - 1)
        n_walked--;
    for (int i = 0; i < n_loops; i++) {
        while (level <= loops[i].segment) close_level(tables, d, level++, &walk);
        if (loops[i].tile >= walk.tile) continue;
        active |= UINT64_C(1) << i;
        dim->loops[dim->n_loops] = loops[i];
        if (walk.tile % loops[i].tile) dim->exact = false;
        walk_loop(&walk, dim->n_loops++, &loops[i], i < n_walked);
    }
    while (level < tables->n_levels) close_level(tables, d, level++, &walk);
    close_macs(tables, d, &walk);
    return active;
}
