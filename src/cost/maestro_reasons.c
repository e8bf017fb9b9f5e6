// maestro_reasons.c - why MAESTRO's numbers differ from the exact counts of the same mapping.
//
// Every reason is decided from the completed levels: it is given where its cause is there, row by
// row. Work and the traffic of L2 are those of level 0; deeper levels only tell level 0 how long
// their part takes.
#include <assert.h>
#include <math.h>

#include "maestro_inside.h"

typedef struct {
    const SlMaestroLayer *shape;
    const SlMaestroModel *model;
    const SlMaestroCost *cost;
    SlMaestroReasons *out;
} Case;

static_assert(SL_N_REASONS <= 32, "reasons are bits");

static void give(const Case *it, SlMaestroReason reason, int row) {
    it->out->row[row] |= 1U << reason;
}

static bool in(const Case *it, int tensor, int var) {
    return it->model->tensor[tensor].mask >> var & 1;
}

// ---- what a map does ----

static bool is_window(const Case *it, const SlMaestroMap *map) {
    return it->model->windows && (map->var == SL_MV_Y || map->var == SL_MV_X);
}

static int64_t taps_of(const SlMaestroLevel *level, int var) {
    return level->dims[var == SL_MV_Y ? SL_MV_R : SL_MV_S];
}

static int outputs_of(int var) {
    return var == SL_MV_Y ? SL_MV_YO : SL_MV_XO;
}

// elements that all instances take at once
static int64_t coverage(const SlMaestroLevel *level, const SlMaestroMap *map) {
    return map->spatial ? map->size + (int64_t)map->offset * (level->fanout - 1) : map->size;
}

// has more than one step in time
static bool steps(const SlMaestroLevel *level, const SlMaestroMap *map) {
    return level->dims[map->var] > coverage(level, map);
}

// has more than one part, in time or in space
static bool is_cut(const SlMaestroLevel *level, const SlMaestroMap *map) {
    bool one = map->spatial && level->fanout == 1;
    return level->dims[map->var] > map->size && (!one || steps(level, map));
}

// The last step of a spread: what is left for it; 0 = it is as full as the others.
static int64_t spatial_rest(const SlMaestroLevel *level, const SlMaestroMap *map) {
    int64_t m = map->size, o = map->offset, n = level->fanout, d = level->dims[map->var];
    int64_t all = coverage(level, map), k = ((d - m) / o + 1) / n - 1;
    bool edge = d > all && (k + 1) * o * n + all > d && k * o * n + all != d;
    return edge ? d - (k + 1) * o * n : 0;
}

static bool loses_edge(const SlMaestroLevel *level, const SlMaestroMap *map) {
    int64_t rest = map->spatial ? spatial_rest(level, map) : 0;
    if (rest < map->size) return false;
    return (rest - map->size) / map->offset * map->offset + map->size < rest;
}

// a cluster alone at an edge: inputs are taken for outputs
static bool lone_edge(const Case *it, const SlMaestroLevel *level, const SlMaestroMap *map) {
    bool window = map->spatial && is_window(it, map) && taps_of(level, map->var) > 1;
    return window && level->edge_population == 1 && spatial_rest(level, map) > 0;
}

// outputs, or elements, between the starts of two steps that follow each other without a gap
static int64_t whole_step(const Case *it, const SlMaestroLevel *level, const SlMaestroMap *map) {
    return is_window(it, map) ? map->size - taps_of(level, map->var) + 1 : map->size;
}

static bool strided(const Case *it, const SlMaestroMap *map) {
    return is_window(it, map) && it->model->stride[map->var] > 1;
}

// the edge behind a gap
static bool gap_edge(const SlMaestroLevel *level, const SlMaestroMap *map) {
    int64_t m = map->size, o = map->offset, d = level->dims[map->var];
    int64_t count = d > m ? (d - m) / o : 0;
    return count * o + m < d && d < (count + 1) * o;
}

// ---- work ----

// what one map does to the work of its level, as bits
static uint32_t work_bits(const Case *it, const SlMaestroLevel *level, const SlMaestroMap *map) {
    int64_t m = map->size, o = map->offset, d = level->dims[map->var];
    int64_t whole = whole_step(it, level, map);
    bool window = is_window(it, map), plain = !strided(it, map) && is_cut(level, map);
    uint32_t bits = 0;
    if (window && whole < 1) bits |= 1U << SL_REASON_NO_OUTPUT;
    if (loses_edge(level, map)) bits |= 1U << SL_REASON_LOST_EDGE;
    if (m > d && o <= d) bits |= 1U << SL_REASON_EMPTY_EDGE;
    if (plain && whole >= 1 && o > whole) bits |= 1U << SL_REASON_GAPS;
    if (plain && o < whole) bits |= 1U << SL_REASON_OVERLAP;
    if (gap_edge(level, map)) bits |= 1U << SL_REASON_GAP_EDGE;
    if (lone_edge(it, level, map)) bits |= 1U << SL_REASON_LONE_EDGE;
    if (strided(it, map) && level->mapped[outputs_of(map->var)] > 1) bits |= 1U << SL_REASON_STRIDE;
    return bits;
}

// some step of it holds no outputs at all
static bool idles(const Case *it, const SlMaestroLevel *level, const SlMaestroMap *map) {
    int name = is_window(it, map) ? outputs_of(map->var) : map->var;
    return level->mapped[name] < 1 || level->mapped_edge[name] < 1;
}

static void give_all(const Case *it, uint32_t bits, int row) {
    it->out->row[row] |= bits;
}

static void find_work(const Case *it) {
    const SlMaestroModel *model = it->model;
    const SlMaestroLevel *outer = &model->levels[0];
    const uint32_t idle = 1U << SL_REASON_NO_OUTPUT | 1U << SL_REASON_EMPTY_EDGE;
    const uint32_t outputs_only = 1U << SL_REASON_STRIDE | 1U << SL_REASON_LONE_EDGE;
    for (int l = 0; l < model->n_levels; l++) {
        for (int i = 0; i < model->levels[l].n; i++)
            give_all(it, work_bits(it, &model->levels[l], &model->levels[l].maps[i]),
                     SL_ROW_RUNTIME);
    }
    for (int i = 0; i < outer->n; i++) {
        int v = outer->maps[i].var;
        uint32_t bits = work_bits(it, outer, &outer->maps[i]);
        give_all(it, bits, SL_ROW_MACS);
        if (in(it, SL_W, v)) give_all(it, bits & ~outputs_only, SL_ROW_L2_READ + SL_W);
        if (in(it, SL_I, v)) give_all(it, bits & ~outputs_only, SL_ROW_L2_READ + SL_I);
        if (in(it, SL_O, v)) give_all(it, bits, SL_ROW_L2_WRITE + SL_O);
        // steps that compute nothing load nothing
        for (int t = SL_W; t <= SL_I && idles(it, outer, &outer->maps[i]); t++)
            give_all(it, bits & idle, SL_ROW_L2_READ + t);
        if (bits & (1U << SL_REASON_EMPTY_EDGE | 1U << SL_REASON_STRIDE))
            give_all(it, bits & (1U << SL_REASON_EMPTY_EDGE | 1U << SL_REASON_STRIDE),
                     SL_ROW_L2_NEED);
        if (strided(it, &outer->maps[i]) && outer->dims[v] > taps_of(outer, v))
            give(it, SL_REASON_STRIDE, SL_ROW_L2_READ + SL_O);
    }
}

// dims that MAESTRO couples otherwise
static void find_coupling(const Case *it) {
    const SlMaestroLayer *shape = it->shape;
    static const int batch_rows[] = {
        SL_ROW_MACS,           SL_ROW_RUNTIME,         SL_ROW_L2_READ + SL_I,
        SL_ROW_L2_READ + SL_O, SL_ROW_L2_WRITE + SL_I, SL_ROW_L2_WRITE + SL_O,
        SL_ROW_L2_NEED,        SL_ROW_L1_NEED};
    static const int group_rows[] = {SL_ROW_L2_READ + SL_O, SL_ROW_L2_WRITE + SL_O, SL_ROW_L1_READ,
                                     SL_ROW_L1_WRITE,       SL_ROW_L2_NEED,         SL_ROW_L1_NEED};
    bool forgotten = it->model->windows && !shape->batched && shape->size[SL_MV_N] > 1;
    for (size_t i = 0; forgotten && i < sizeof batch_rows / sizeof *batch_rows; i++)
        give(it, SL_REASON_BATCH, batch_rows[i]);
    bool grouped = shape->type == SL_MAESTRO_NGCONV && shape->size[SL_MV_C] > 1;
    for (size_t i = 0; grouped && i < sizeof group_rows / sizeof *group_rows; i++)
        give(it, SL_REASON_GROUPS, group_rows[i]);
}

// ---- traffic ----

// Is there a map of levels from..to-1 that steps, indexes the tensor (or not), at place `after` or
// later? Places count maps over all levels.
typedef struct {
    int from, to, after;
    int tensor;
    bool indexes;
} Wanted;

// the first such place, -1 = none
static int find_step(const Case *it, Wanted want) {
    int place = 0;
    for (int l = 0; l < it->model->n_levels; l++) {
        const SlMaestroLevel *level = &it->model->levels[l];
        for (int i = 0; i < level->n; i++, place++) {
            const SlMaestroMap *map = &level->maps[i];
            if (l < want.from || l >= want.to || place < want.after) continue;
            if (steps(level, map) && in(it, want.tensor, map->var) == want.indexes) return place;
        }
    }
    return -1;
}

// Does a step of levels a_from.. that leaves the tensor alone stand before one of levels b_from..
// that moves it?
static bool returns(const Case *it, int tensor, int a_from, int b_from, int to) {
    int idle = find_step(it, (Wanted){a_from, to, 0, tensor, false});
    return idle >= 0 && find_step(it, (Wanted){b_from, to, idle, tensor, true}) >= 0;
}

static void find_loads(const Case *it, int tensor) {
    const SlMaestroLevel *level = &it->model->levels[0];
    int row = SL_ROW_L2_READ + tensor;
    for (int i = 0; i < level->n; i++) {
        const SlMaestroMap *map = &level->maps[i];
        int64_t m = map->size, o = map->offset, d = level->dims[map->var];
        int64_t rest = map->spatial ? spatial_rest(level, map) : 0;
        bool edge = !map->spatial && d > m && (d - m) / o * o + m < d;
        edge |= rest > 0 && rest < m;
        if (edge && in(it, tensor, map->var)) give(it, SL_REASON_EDGE_LOADS, row);
    }
    int n = it->model->n_levels;
    if (returns(it, tensor, 0, 0, 1)) give(it, SL_REASON_NO_REFETCH, row);
    if (returns(it, tensor, 0, 1, n)) give(it, SL_REASON_INSIDE, row);
    if (returns(it, tensor, 0, 0, 1)) give(it, SL_REASON_L2_ONCE, SL_ROW_L2_WRITE + tensor);
}

static bool overlaps_next(const Case *it, const SlMaestroMap *map) {
    return is_window(it, map) && map->offset < map->size;
}

// what a cluster gets once, its PEs need twice
static bool shares_inside(const Case *it, const SlMaestroLevel *level) {
    for (int s = 0; s < level->n_spatial; s++) {
        const SlMaestroMap *map = &level->maps[level->spatial[s]];
        if (overlaps_next(it, map) && level->fanout > 1 && is_cut(level, map)) return true;
    }
    return false;
}

// rows or columns that overlap: between neighbours, and again when an outer loop comes back
static void find_halos(const Case *it) {
    const SlMaestroLevel *level = &it->model->levels[0];
    bool moved = false; // a step outside that moves inputs
    for (int l = 1; l < it->model->n_levels; l++)
        if (shares_inside(it, &it->model->levels[l]))
            give(it, SL_REASON_HALO, SL_ROW_L2_READ + SL_I);
    for (int i = 0; i < level->n; i++) {
        const SlMaestroMap *map = &level->maps[i];
        bool overlaps = overlaps_next(it, map);
        bool neighbours = map->spatial && level->fanout > 1 && is_cut(level, map);
        if (overlaps && neighbours) give(it, SL_REASON_HALO, SL_ROW_L2_NEED);
        if (overlaps && neighbours && (moved || steps(level, map)))
            give(it, SL_REASON_HALO, SL_ROW_L2_READ + SL_I);
        Wanted inner = {0, 1, i + 1, SL_I, true};
        if (overlaps && steps(level, map) && find_step(it, inner) >= 0)
            give(it, SL_REASON_L2_ONCE, SL_ROW_L2_WRITE + SL_I);
        moved |= steps(level, map) && in(it, SL_I, map->var);
    }
}

// rows or columns between the windows, or behind the last one
static void find_untouched(const Case *it) {
    const SlMaestroLevel *level = &it->model->levels[0];
    for (int i = 0; i < level->n; i++) {
        const SlMaestroMap *map = &level->maps[i];
        if (!strided(it, map)) continue;
        int64_t stride = it->model->stride[map->var], taps = taps_of(level, map->var);
        int64_t beyond = level->dims[map->var] - taps;
        if (beyond > 0 && (stride > taps || beyond % stride))
            give(it, SL_REASON_UNTOUCHED, SL_ROW_L2_WRITE + SL_I);
    }
}

// more instances than tiles that fit exactly
static bool last_is_idle(const Case *it, const SlMaestroLevel *level, const SlMaestroMap *map) {
    int64_t m = map->size, o = map->offset, d = level->dims[map->var];
    bool fits = d >= m && (d - m) % o == 0;
    return map->spatial && in(it, SL_O, map->var) && !is_window(it, map) && fits &&
           d < coverage(level, map) && level->edge_population > 1;
}

// outputs leave L1 at steps inside a cluster, at an edge of the level above, too
static bool moves_inside(const Case *it) {
    for (int l = 1; l < it->model->n_levels; l++) {
        const SlMaestroLevel *upper = &it->model->levels[l - 1], *level = upper + 1;
        for (int i = 0; i < level->n; i++) {
            const SlMaestroMap *map = &level->maps[i];
            bool always = upper->mapped_edge[map->var] > coverage(level, map);
            if (in(it, SL_O, map->var) && steps(level, map) && always) return true;
        }
    }
    return false;
}

static void find_outputs(const Case *it) {
    const SlMaestroModel *model = it->model;
    const SlMaestroLevel *level = &model->levels[0];
    int n = model->n_levels, row = SL_ROW_L2_WRITE + SL_O;
    for (int i = 0; i < level->n; i++) {
        if (!last_is_idle(it, level, &level->maps[i])) continue;
        give(it, SL_REASON_LAST_PE, row);
        give(it, SL_REASON_LAST_PE, SL_ROW_L2_NEED);
    }
    // a sum goes on in the innermost loop of level 0, and nothing inside moves it away
    int moved = -1;
    for (int at = 0; (at = find_step(it, (Wanted){0, 1, at, SL_O, true})) >= 0; at++) moved = at;
    bool stays = find_step(it, (Wanted){0, 1, moved + 1, SL_O, false}) >= 0;
    if (stays && !moves_inside(it)) give(it, SL_REASON_EACH_STEP, row);
    if (returns(it, SL_O, 1, 1, n)) give(it, SL_REASON_INSIDE, row);
    static const int rows[] = {SL_ROW_L2_READ + SL_O, SL_ROW_L1_READ, SL_ROW_L1_WRITE};
    for (int i = 0; returns(it, SL_O, 0, 0, n) && i < 3; i++)
        give(it, SL_REASON_NO_RETURN, rows[i]);
}

// a level spreads something that the tensor does not know
static bool is_multicast(const Case *it, int tensor) {
    for (int l = 0; l < it->model->n_levels; l++) {
        const SlMaestroLevel *level = &it->model->levels[l];
        for (int s = 0; s < level->n_spatial; s++) {
            const SlMaestroMap *map = &level->maps[level->spatial[s]];
            bool several = level->fanout > 1 && level->dims[map->var] > map->size;
            if (several && !in(it, tensor, map->var)) return true;
        }
    }
    return false;
}

static void find_l1(const Case *it) {
    const SlMaestroModel *model = it->model;
    const SlMaestroLevel *inner = &model->levels[model->n_levels - 1];
    uint32_t *row = it->out->row;
    row[SL_ROW_L1_READ] |= row[SL_ROW_MACS];
    row[SL_ROW_L1_WRITE] |=
        row[SL_ROW_MACS] | row[SL_ROW_L2_READ + SL_W] | row[SL_ROW_L2_READ + SL_I];
    if (is_multicast(it, SL_W) || is_multicast(it, SL_I))
        give(it, SL_REASON_L1_MULTICAST, SL_ROW_L1_WRITE);
    // where nothing is computed, L1 is that of another level
    bool known = model->n_levels == 1 || !it->cost->single;
    for (int i = 0; known && i < inner->n; i++) {
        const SlMaestroMap *map = &inner->maps[i];
        if (is_window(it, map) && taps_of(inner, map->var) > 1)
            give(it, SL_REASON_OUTPUT_TILE, SL_ROW_L1_NEED);
        if (map->size > inner->dims[map->var]) give(it, SL_REASON_OVERSIZE, SL_ROW_L1_NEED);
    }
}

// ---- time ----

// elements of inputs and weights that go into a level first
static double first_load(const Case *it, const SlMaestroLevel *level) {
    double sum = 0;
    for (int t = SL_W; t <= SL_I; t++) {
        double words = 1;
        bool spread = false;
        for (int i = 0; i < level->n; i++) {
            const SlMaestroMap *map = &level->maps[i];
            if (!in(it, t, map->var)) continue;
            words *= fmin(map->size, level->dims[map->var]);
            spread |= map->spatial && is_cut(level, map);
        }
        sum += spread ? words * level->fanout : words;
    }
    return sum;
}

static void find_cold_start(const Case *it) {
    const SlMaestroHardware *hardware = it->model->hardware;
    bool repeats = false; // some level outside takes more than one step
    for (int l = 0; l < it->model->n_levels; l++) {
        const SlMaestroLevel *level = &it->model->levels[l];
        bool waits = hardware->noc_latency > 0 || first_load(it, level) > hardware->noc_bw;
        if (repeats && waits) give(it, SL_REASON_COLD_START, SL_ROW_RUNTIME);
        for (int i = 0; i < level->n; i++) repeats |= steps(level, &level->maps[i]);
    }
}

// Work that a map gives to an extent `d` handed down at an edge, as its tables say.
static int64_t said(const SlMaestroLevel *level, const SlMaestroMap *map, int name, int64_t d) {
    int64_t m = map->size, o = map->offset, count = d > m ? (d - m) / o : 0;
    if (d < m) return level->mapped_edge[name];
    bool edge = count * o + m < d;
    return (1 + count) * level->mapped[name] + (edge ? level->mapped_edge[name] : 0);
}

static void find_full_edges(const Case *it) {
    for (int l = 1; l < it->model->n_levels; l++) {
        const SlMaestroLevel *upper = &it->model->levels[l - 1], *level = upper + 1;
        for (int i = 0; i < level->n; i++) {
            const SlMaestroMap *map = &level->maps[i];
            int v = map->var;
            int64_t d = upper->mapped_edge[v];
            bool window = is_window(it, map);
            int64_t whole = window ? d - taps_of(level, v) + 1 : d;
            if (strided(it, map) || d == upper->mapped[v] || whole < 1) continue;
            // of a spread the first instance counts
            if (map->spatial && d >= map->size) continue;
            if (said(level, map, window ? outputs_of(v) : v, d) > whole)
                give(it, SL_REASON_FULL_EDGE, SL_ROW_RUNTIME);
        }
    }
}

static void find_lanes(const Case *it) {
    const SlMaestroLevel *inner = &it->model->levels[it->model->n_levels - 1];
    double lanes = it->model->hardware->simd_lanes, work = 1;
    for (int c = 0; c < it->model->n_coupled; c++) {
        int v = it->model->coupled[c];
        bool window = it->model->windows && (v == SL_MV_Y || v == SL_MV_X);
        work *= (double)inner->mapped[window ? outputs_of(v) : v];
    }
    if (work > 0 && fmod(work, lanes) != 0) give(it, SL_REASON_LANES, SL_ROW_RUNTIME);
}

static void find_offchip(const Case *it) {
    const SlMaestroCost *cost = it->cost;
    int32_t rate = it->model->hardware->offchip_bw;
    // halves, so that sizes which make no sense do not overflow
    int64_t loads = (cost->l2_need[SL_I] / 2 + cost->l2_need[SL_W] / 2) / rate;
    int64_t stores = cost->l2_need[SL_O] / rate / 2;
    int64_t wait = loads > stores ? loads : stores;
    // every step waits for what the first one needs, or a pass over the tensors alone takes longer
    bool binds = wait > cost->compute.max && wait > cost->ingress.max && wait > cost->egress.max;
    double once =
        (double)cost->l2_write[SL_I] + (double)cost->l2_write[SL_W] + (double)cost->l2_read[SL_O];
    bool slow = binds || once / rate > (double)cost->runtime_cycles;
    if (slow && cost->runtime_cycles > 0) give(it, SL_REASON_OFFCHIP, SL_ROW_RUNTIME);
    give(it, SL_REASON_OFFCHIP, SL_ROW_OFFCHIP);
    const SlMaestroLevel *level = &it->model->levels[0];
    for (int i = 0; i < level->n; i++)
        if (steps(level, &level->maps[i])) give(it, SL_REASON_HALVED, SL_ROW_OFFCHIP);
}

// parts that a spread inside a cluster has at an edge of the level above are fewer than MAESTRO's
static bool spreads_less(const SlMaestroLevel *upper, const SlMaestroLevel *level) {
    const SlMaestroMap *map = &level->maps[level->spatial[0]];
    int64_t m = map->size, o = map->offset, d = upper->mapped_edge[map->var];
    if (d == upper->mapped[map->var] || d < 1 || d >= coverage(level, map)) return false;
    int64_t parts = d <= m ? 1 : (d - m + o - 1) / o + 1;
    return parts < level->edge_population;
}

static void find_pes(const Case *it) {
    bool works = it->cost->runtime_cycles > 0; // otherwise no delay has a meaning
    if (works && it->cost->compute.min != it->cost->compute.max)
        give(it, SL_REASON_AVERAGED, SL_ROW_PES);
    for (int l = 0; l < it->model->n_levels; l++) {
        const SlMaestroLevel *level = &it->model->levels[l];
        for (int s = 0; s < level->n_spatial; s++) {
            const SlMaestroMap *map = &level->maps[level->spatial[s]];
            if (loses_edge(level, map)) give(it, SL_REASON_LOST_EDGE, SL_ROW_PES);
            if (is_cut(level, map) && (level->dims[map->var] - map->size) % map->offset)
                give(it, SL_REASON_PARTS, SL_ROW_PES);
        }
        if (l > 0 && spreads_less(level - 1, level)) give(it, SL_REASON_FULL_EDGE, SL_ROW_PES);
    }
}

// ---- all of it ----

void sl_maestro_reasons(const SlMaestroLayer *shape, const SlMaestroMapping *mapping,
                        const SlMaestroHardware *hardware, const SlMaestroCost *cost,
                        SlMaestroReasons *out) {
    SlMaestroModel model;
    SlMaestroFault fault;
    *out = (SlMaestroReasons){0};
    if (!sl_maestro_build(shape, mapping, hardware, &model, &fault)) return;
    const Case it = {shape, &model, cost, out};
    find_work(&it);
    find_coupling(&it);
    find_loads(&it, SL_W);
    find_loads(&it, SL_I);
    find_halos(&it);
    find_untouched(&it);
    find_outputs(&it);
    find_l1(&it);
    find_cold_start(&it);
    find_full_edges(&it);
    find_lanes(&it);
    find_offchip(&it);
    find_pes(&it);
    if (!cost->single) give(&it, SL_REASON_ENERGY_L1, SL_ROW_ENERGY);
    give(&it, SL_REASON_ENERGY_PARTS, SL_ROW_ENERGY);
    for (int r = 0; r < SL_N_ROWS; r++) out->all |= out->row[r];
}
