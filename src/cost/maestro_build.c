// maestro_build.c - a directive list as MAESTRO completes it: levels, inherited maps, tables.
#include <assert.h>
#include <string.h>

#include "maestro_inside.h"

static bool fail(SlMaestroFault *fault, SlMaestroFaultKind kind, int level, int var) {
    *fault = (SlMaestroFault){.kind = kind, .level = level, .var = (SlMaestroVar)var};
    return false;
}

// ---- the layer ----

static void set_tensor(SlMaestroDims *tensor, bool batched, const char *dims) {
    *tensor = (SlMaestroDims){0};
    if (batched) tensor->dims[tensor->n++] = SL_MV_N;
    for (; *dims; dims++) {
        int v = 0;
        while (sl_maestro_var_names[v][0] != *dims) v++;
        tensor->dims[tensor->n++] = (uint8_t)v;
    }
    for (int i = 0; i < tensor->n; i++) tensor->mask |= (uint16_t)(1U << tensor->dims[i]);
}

static void set_tensors(const SlMaestroLayer *layer, SlMaestroModel *model) {
    // inputs, weights, outputs; those of a grouped convolution are not summed over C
    static const char *const dims[SL_N_MAESTRO_TYPES][3] = {
        [SL_MAESTRO_CONV] = {"CYX", "KCRS", "KYX"},
        [SL_MAESTRO_TRCONV] = {"CYX", "KCRS", "KYX"},
        [SL_MAESTRO_DSCONV] = {"CYX", "CRS", "CYX"},
        [SL_MAESTRO_NGCONV] = {"GCYX", "GKCRS", "GKCYX"},
        [SL_MAESTRO_GEMM] = {"MK", "KN", "MN"},
    };
    model->windows = layer->type != SL_MAESTRO_GEMM;
    bool batched = layer->batched && model->windows;
    set_tensor(&model->tensor[SL_I], batched, dims[layer->type][0]);
    set_tensor(&model->tensor[SL_W], false, dims[layer->type][1]);
    set_tensor(&model->tensor[SL_O], batched, dims[layer->type][2]);
    uint16_t mask = model->tensor[SL_I].mask | model->tensor[SL_W].mask;
    model->n_coupled = 0;
    for (int v = 0; v < SL_N_MV; v++) {
        if (!(mask >> v & 1)) continue;
        model->place[v] = (uint8_t)model->n_coupled;
        model->coupled[model->n_coupled++] = (uint8_t)v;
    }
    assert(model->n_coupled <= SL_MAESTRO_MAX_COUPLED);
}

// Y and Y', or X and X': one is declared, the other follows.
static bool derive(SlMaestroVar in, SlMaestroVar out, SlMaestroVar filter, int32_t *dims,
                   SlMaestroFault *fault) {
    if (dims[in] && dims[out]) return fail(fault, SL_FAULT_DIM_TWICE, 0, in);
    if (!dims[filter]) return fail(fault, SL_FAULT_DIM_MISSING, 0, filter);
    if (dims[in])
        dims[out] = dims[in] - dims[filter] + 1;
    else if (dims[out])
        dims[in] = (int32_t)((uint32_t)dims[out] + (uint32_t)dims[filter] - 1);
    return true;
}

bool sl_maestro_dims(const SlMaestroLayer *layer, int32_t dims[static SL_N_MV],
                     int32_t stride[static SL_N_MV], SlMaestroFault *fault) {
    for (int v = 0; v < SL_N_MV; v++) {
        dims[v] = layer->size[v];
        stride[v] = layer->size[v] ? layer->stride[v] : 1;
    }
    if (layer->type == SL_MAESTRO_GEMM) return true;
    if (!derive(SL_MV_Y, SL_MV_YO, SL_MV_R, dims, fault)) return false;
    if (!derive(SL_MV_X, SL_MV_XO, SL_MV_S, dims, fault)) return false;
    // strides of derived inputs are exchanged: those of Y come from X', those of X from Y'
    if (!layer->size[SL_MV_Y]) stride[SL_MV_Y] = stride[SL_MV_XO];
    if (!layer->size[SL_MV_X]) stride[SL_MV_X] = stride[SL_MV_YO];
    return true;
}

// ---- one level ----

static bool has_map(const SlMaestroLevel *level, int var) {
    for (int i = 0; i < level->n; i++)
        if (level->maps[i].var == var) return true;
    return false;
}

static bool add_map(SlMaestroLevel *level, int at, SlMaestroMap map, SlMaestroFault *fault) {
    if (level->n == SL_MAESTRO_MAX_MAPS) return fail(fault, SL_FAULT_TOO_MANY_STEPS, 0, 0);
    for (int i = level->n; i > at; i--) level->maps[i] = level->maps[i - 1];
    level->maps[at] = map;
    level->n++;
    return true;
}

static bool add_own(const SlMaestroLayer *layer, const SlDirective *directive, int l,
                    SlMaestroLevel *level, SlMaestroFault *fault) {
    bool spatial = directive->kind == SL_MAP_SPATIAL;
    int var = directive->var;
    bool filter = var == SL_MV_R || var == SL_MV_S;
    bool whole = directive->size == directive->offset && directive->size == layer->size[var];
    if (filter && !spatial && !whole) return fail(fault, SL_FAULT_FILTER_CUT, l, var);
    SlMaestroMap map = {(uint8_t)var, spatial, directive->size, directive->offset};
    return add_map(level, level->n, map, fault);
}

// maps of outputs become maps of the inputs that they need
static bool to_inputs(SlMaestroVar in, SlMaestroVar out, SlMaestroVar filter, int l,
                      SlMaestroLevel *level, SlMaestroFault *fault) {
    if (!has_map(level, out)) return true;
    if (has_map(level, in) || !has_map(level, filter))
        return fail(fault, SL_FAULT_OUTPUT_CENTRIC, l, out);
    int32_t taps = 0;
    for (int i = 0; i < level->n; i++)
        if (level->maps[i].var == filter) taps = level->maps[i].size;
    for (int i = 0; i < level->n; i++) {
        SlMaestroMap *map = &level->maps[i];
        if (map->var != out) continue;
        map->var = (uint8_t)in;
        map->size = (int32_t)((uint32_t)map->size + (uint32_t)taps - 1);
    }
    return true;
}

// each inherited map goes in front of those before it
static bool inherit(const SlMaestroLevel *upper, SlMaestroLevel *level, SlMaestroFault *fault) {
    for (int i = 0; i < upper->n; i++) {
        SlMaestroMap map = upper->maps[i];
        map.spatial = false;
        if (!has_map(level, map.var) && !add_map(level, 0, map, fault)) return false;
    }
    return true;
}

static bool unroll(const SlMaestroModel *model, SlMaestroLevel *level, SlMaestroFault *fault) {
    for (int c = 0; c < model->n_coupled; c++) {
        int v = model->coupled[c];
        SlMaestroMap map = {(uint8_t)v, false, level->dims[v], level->dims[v]};
        if (!has_map(level, v) && !add_map(level, level->n, map, fault)) return false;
    }
    return true;
}

// steps of whole outputs: a tile of m inputs holds q of them
static void apply_stride(const SlMaestroModel *model, int l, SlMaestroMap *map) {
    bool row = map->var == SL_MV_Y;
    int64_t s = model->stride[map->var], m = map->size;
    if (!(row || map->var == SL_MV_X) || s == 1) return;
    int64_t taps = model->levels[0].dims[row ? SL_MV_R : SL_MV_S];
    if (m < taps) return;
    int64_t q = (m + s - taps) / s;
    map->size = (int32_t)(q * (s < taps ? s : taps) + (taps > s ? taps - s : 0));
    map->offset = (int32_t)(q * (l > 0 && taps < s ? taps : s));
}

static bool finish_maps(const SlMaestroModel *model, int l, SlMaestroLevel *level,
                        SlMaestroFault *fault) {
    level->n_spatial = 0;
    for (int v = 0; v < SL_N_MV; v++) level->first[v] = level->last[v] = -1;
    for (int i = 0; i < level->n; i++) {
        SlMaestroMap *map = &level->maps[i];
        if (!level->dims[map->var]) return fail(fault, SL_FAULT_VAR_UNKNOWN, l, map->var);
        if (model->windows) apply_stride(model, l, map);
        if (level->first[map->var] < 0) level->first[map->var] = (int16_t)i;
        level->last[map->var] = (int16_t)i;
        if (map->size < 1 || map->offset < 1) return fail(fault, SL_FAULT_TOO_MANY_STEPS, l, 0);
        if (!map->spatial) continue;
        if (level->n_spatial == 2) return fail(fault, SL_FAULT_MANY_SPATIAL, l, 0);
        level->spatial[level->n_spatial++] = i;
    }
    return level->n_spatial > 0 || fail(fault, SL_FAULT_NO_SPATIAL, l, 0);
}

// ---- tables of a level ----

// sub-clusters at work in the last step; a last one that would not be full is forgotten
static int64_t edge_population(const SlMaestroLevel *level) {
    const SlMaestroMap *map = &level->maps[level->spatial[0]];
    int64_t m = map->size, o = map->offset, n = level->fanout, d = level->dims[map->var];
    if (d > o * (n - 1) + m) {
        int64_t k = ((d - m) / o + 1) / n - 1, rest = d - (k + 1) * o * n;
        return rest < m ? 1 : (rest - m) / o + 1;
    }
    if (d <= m) return 1;
    int64_t population = (d - m) / o + 1;
    return population + (o * (population - 1) + m < d);
}

static void measure(SlMaestroLevel *level, const SlMaestroMap *map) {
    int v = map->var;
    int64_t m = map->size, o = map->offset, d = level->dims[v];
    int64_t steps = (d - m) / o > 0 ? (d - m) / o : 0;
    bool has_edge = steps * o + m < d || m > d;
    int64_t edge = d - (steps + 1) * o;
    if (edge < 0) edge = d;
    level->mapped[v] = m;
    level->fresh[v] = !map->spatial && d <= m ? 0 : m < o ? m : o;
    level->mapped_edge[v] = has_edge ? edge : m;
    level->fresh_edge[v] = o - (m - edge) > 0 ? o - (m - edge) : 0;
}

static void measure_outputs(SlMaestroLevel *level, const SlMaestroMap *map) {
    bool row = map->var == SL_MV_Y;
    int in = map->var, out = row ? SL_MV_YO : SL_MV_XO, taps = row ? SL_MV_R : SL_MV_S;
    level->mapped[out] = level->mapped[in] - level->mapped[taps] + 1;
    level->mapped_edge[out] = level->mapped_edge[in] - level->mapped_edge[taps] + 1;
    int64_t o = map->offset, m = map->size, edge = level->mapped_edge[out];
    level->fresh[out] = o < m ? o : m;
    level->fresh_edge[out] = o < edge ? o : edge;
}

static void set_tables(const SlMaestroModel *model, SlMaestroLevel *level) {
    level->edge_population = edge_population(level);
    for (int i = 0; i < level->n; i++) measure(level, &level->maps[i]);
    for (int i = 0; i < level->n && model->windows; i++) {
        const SlMaestroMap *map = &level->maps[i];
        if (map->var == SL_MV_Y || map->var == SL_MV_X) measure_outputs(level, map);
    }
}

// ---- all levels ----

static void hand_down(const SlMaestroModel *model, const SlMaestroLevel *upper,
                      SlMaestroLevel *level) {
    memset(level->dims, 0, sizeof level->dims);
    for (int c = 0; c < model->n_coupled; c++) {
        int v = model->coupled[c];
        int32_t size = upper->maps[upper->first[v]].size;
        level->dims[v] = size < upper->dims[v] ? size : upper->dims[v];
    }
}

// the list cut at its Cluster directives; fan-outs
static bool split(const SlMaestroLayer *layer, const SlMaestroMapping *mapping, int64_t num_pes,
                  SlMaestroModel *model, SlMaestroFault *fault) {
    int64_t needed = 1;
    int l = 0;
    model->levels[0].n = 0;
    for (int i = 0; i < mapping->n; i++) {
        const SlDirective *directive = &mapping->list[i];
        if (directive->kind != SL_MAP_CLUSTER) {
            if (!add_own(layer, directive, l, &model->levels[l], fault)) return false;
            continue;
        }
        if (++l == SL_MAESTRO_MAX_LEVELS) return fail(fault, SL_FAULT_LEVELS, l, 0);
        model->levels[l].n = 0;
        model->levels[l].fanout = directive->size;
        if (needed <= INT32_MAX) needed *= directive->size;
    }
    model->n_levels = l + 1;
    model->levels[0].fanout = (int32_t)(num_pes / needed);
    if (num_pes >= needed) return true;
    *fault = (SlMaestroFault){.kind = SL_FAULT_PES, .a = num_pes, .b = needed};
    return false;
}

static bool complete(SlMaestroModel *model, int l, SlMaestroFault *fault) {
    SlMaestroLevel *level = &model->levels[l];
    if (!to_inputs(SL_MV_X, SL_MV_XO, SL_MV_S, l, level, fault)) return false;
    if (!to_inputs(SL_MV_Y, SL_MV_YO, SL_MV_R, l, level, fault)) return false;
    if (l > 0) {
        hand_down(model, level - 1, level);
        if (!inherit(level - 1, level, fault)) return false;
    }
    if (!unroll(model, level, fault) || !finish_maps(model, l, level, fault)) return false;
    set_tables(model, level);
    return true;
}

bool sl_maestro_build(const SlMaestroLayer *layer, const SlMaestroMapping *mapping,
                      const SlMaestroHardware *hardware, SlMaestroModel *model,
                      SlMaestroFault *fault) {
    model->hardware = hardware;
    set_tensors(layer, model);
    if (!sl_maestro_dims(layer, model->levels[0].dims, model->stride, fault)) return false;
    for (int c = 0; c < model->n_coupled; c++) {
        int v = model->coupled[c];
        if (model->levels[0].dims[v] <= 0) return fail(fault, SL_FAULT_DIM_MISSING, 0, v);
    }
    if (hardware->noc_bw < 1 || hardware->offchip_bw < 1)
        return fail(fault, SL_FAULT_BANDWIDTH, 0, 0);
    if (!split(layer, mapping, hardware->num_pes, model, fault)) return false;
    for (int l = 0; l < model->n_levels; l++)
        if (!complete(model, l, fault)) return false;
    return true;
}
