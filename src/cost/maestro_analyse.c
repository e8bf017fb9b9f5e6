// maestro_analyse.c - MAESTRO's analysis: the cases of a level, what each moves and computes, and
// the time of the levels inside.
//
// A case is a choice of state (first step, steady, edge) for every map of a level. Volumes are
// products of a factor per map, so those of maps that never change are multiplied once. Results of
// a level depend only on which dims it gets as edges, and are kept by that set.
#include <string.h>

#include "maestro_inside.h"

typedef enum { INIT, STEADY, EDGE } Position;

typedef struct {
    uint8_t position;
    bool edge, see, unrolled; // see: the last sub-cluster at work holds a partial tile
    int32_t occurrences;
} State;

// Which sub-cluster a factor of a spatial map is about.
typedef enum { FIRST, FIRST_SEE, OTHER, OTHER_SEE, OTHER_SEE_WHOLE, N_WHO } Who;

// What the analysis of the levels inside gives to the one outside.
typedef struct {
    int64_t runtime;
    double active;
} Result;

// Shared by all levels of one evaluation.
typedef struct {
    const SlMaestroModel *model;
    SlMaestroFault *fault;
    bool has_inner;
    int64_t inner_need[SL_N_TENSORS]; // of the first record that was completed
    uint64_t known[SL_MAESTRO_MAX_LEVELS][SL_MAESTRO_MAX_SIZES / 64];
    Result results[SL_MAESTRO_MAX_LEVELS][SL_MAESTRO_MAX_SIZES];
} Context;

// A level on given sizes.
typedef struct {
    Context *context;
    const SlMaestroModel *model;
    const SlMaestroLevel *level;
    int l;
    const int64_t *dims; // (SL_N_MV) dynamic
    int n_states[SL_MAESTRO_MAX_MAPS];
    State states[SL_MAESTRO_MAX_MAPS][3];
    int16_t source[SL_MAESTRO_MAX_MAPS]; // map whose state counts for a map

    // factors of maps in time: constant ones multiplied, those that turn by map and state
    int64_t base[SL_N_TENSORS], base_sums;
    int n_turning, turning[SL_MAESTRO_MAX_MAPS]; // maps with several states
    int64_t moved[SL_MAESTRO_MAX_MAPS][3];       // of inputs and weights
    int64_t made[SL_MAESTRO_MAX_MAPS][3];        // of outputs or the sums into one
    // factors of the (up to two) spatial maps
    int64_t outputs[2][3][N_WHO], sums[2][3][N_WHO];
    int n_spread[SL_N_TENSORS], spread[SL_N_TENSORS][2]; // spatial maps of a tensor's dims
    uint32_t uninited[SL_N_TENSORS]; // bit c: no map after c has more of the tensor to begin with

    // the case
    int state[SL_MAESTRO_MAX_MAPS];
    int left[SL_MAESTRO_MAX_MAPS], period[SL_MAESTRO_MAX_MAPS];
    int32_t occurrences;
    int changing; // last map that is not at its first step, -1 = none
} Analysis;

// products wrap as they do in the reference
static int64_t mul(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

static int64_t add(int64_t a, int64_t b) {
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static bool in_tensor(const Analysis *at, SlTensor tensor, int var) {
    return at->model->tensor[tensor].mask >> var & 1;
}

static const State *state_of(const Analysis *at, int map) {
    int source = at->source[map];
    return &at->states[source][at->state[source]];
}

// ---- states ----

static void temporal_states(Analysis *at, int i, const SlMaestroMap *map) {
    int64_t d = at->dims[map->var], m = map->size, o = map->offset, k = (d - m) / o;
    State *states = at->states[i];
    int n = 0;
    states[n++] = (State){.edge = d < m, .unrolled = d <= m, .occurrences = 1};
    if (m < d && k > 0) states[n++] = (State){.position = STEADY, .occurrences = (int32_t)k};
    if (d >= m && k * o + m < d)
        states[n++] = (State){.position = EDGE, .edge = true, .occurrences = 1};
    at->n_states[i] = n;
}

static void spatial_states(Analysis *at, int i, const SlMaestroMap *map) {
    int64_t d = at->dims[map->var], m = map->size, o = map->offset, n = at->level->fanout;
    int64_t covered = m + o * (n - 1), k = ((d - m) / o + 1) / n - 1;
    State *states = at->states[i];
    int count = 0;
    bool part = d < covered;
    states[count++] =
        (State){.edge = part, .see = part, .unrolled = d <= covered, .occurrences = 1};
    if (covered < d && k > 0)
        states[count++] = (State){.position = STEADY, .occurrences = (int32_t)k};
    if (d > covered && (k + 1) * o * n + covered > d && k * o * n + covered != d) {
        int64_t rest = d - (k + 1) * o * n, busy = rest < m ? 1 : (rest - m) / o + 1;
        bool see = (busy - 1) * o + m < rest;
        states[count++] = (State){.position = EDGE, .edge = true, .see = see, .occurrences = 1};
    }
    at->n_states[i] = count;
}

static void set_states(Analysis *at) {
    const SlMaestroLevel *level = at->level;
    at->n_turning = 0;
    for (int i = 0; i < level->n; i++) {
        const SlMaestroMap *map = &level->maps[i];
        if (map->spatial)
            spatial_states(at, i, map);
        else
            temporal_states(at, i, map);
        at->source[i] = level->last[map->var];
        at->state[i] = 0;
        if (at->n_states[i] > 1) at->turning[at->n_turning++] = i;
    }
}

// ---- factors ----

static int output_var(const Analysis *at, int var) {
    if (!at->model->windows) return var;
    return var == SL_MV_Y ? SL_MV_YO : var == SL_MV_X ? SL_MV_XO : var;
}

// the first map of a variable speaks for it in the outputs
static bool speaks(const Analysis *at, int map) {
    return at->level->first[at->level->maps[map].var] == map;
}

static void temporal_factors(Analysis *at, int i) {
    const SlMaestroLevel *level = at->level;
    int var = level->maps[i].var, source = at->source[i], out = output_var(at, var);
    bool is_output = in_tensor(at, SL_O, var), counts = !is_output || speaks(at, i);
    int shown = is_output ? out : var;
    for (int s = 0; s < at->n_states[source]; s++) {
        const State *state = &at->states[source][s];
        bool cut = state->position == INIT && state->edge;
        at->moved[i][s] = cut ? level->mapped_edge[var] : level->mapped[var];
        at->made[i][s] = state->edge ? level->mapped_edge[shown] : level->mapped[shown];
        if (!counts) at->made[i][s] = 1;
    }
    if (at->n_states[source] > 1) return;
    if (in_tensor(at, SL_I, var)) at->base[SL_I] = mul(at->base[SL_I], at->moved[i][0]);
    if (in_tensor(at, SL_W, var)) at->base[SL_W] = mul(at->base[SL_W], at->moved[i][0]);
    int64_t *made = is_output ? &at->base[SL_O] : &at->base_sums;
    *made = mul(*made, at->made[i][0]);
}

// new elements of a step, or 1
static int64_t unique(const SlMaestroLevel *level, int var) {
    return level->fresh[var] ? level->fresh[var] : 1;
}

// what one sub-cluster makes along a spatial map over an output dim
static void output_factors(const Analysis *at, const State *state, int var, int64_t *out) {
    const SlMaestroLevel *level = at->level;
    bool alone = level->edge_population == 1;
    int a = output_var(at, var);
    out[FIRST] = out[FIRST_SEE] = level->mapped[a];
    out[OTHER] = out[OTHER_SEE] = out[OTHER_SEE_WHOLE] = unique(level, a);
    if (state->position == EDGE && alone) {
        // of the inputs, though outputs are meant
        for (int w = 0; w < N_WHO; w++) out[w] = level->mapped_edge[var];
    } else if (state->position == EDGE) {
        out[FIRST_SEE] = out[OTHER_SEE] = out[OTHER_SEE_WHOLE] = level->fresh_edge[a];
    } else if (state->position == INIT && state->edge) {
        int64_t whole = level->mapped_edge[a];
        out[FIRST_SEE] = out[OTHER_SEE] = alone ? whole : level->fresh_edge[a];
        out[OTHER_SEE_WHOLE] = whole;
    }
}

// and along one over a dim that is summed over
static void sum_factors(const Analysis *at, const State *state, int var, int64_t *out) {
    const SlMaestroLevel *level = at->level;
    int64_t edge = level->mapped_edge[var];
    out[FIRST] = out[FIRST_SEE] = level->mapped[var];
    out[OTHER] = out[OTHER_SEE] = out[OTHER_SEE_WHOLE] = unique(level, var);
    if (state->position == EDGE && level->edge_population == 1) {
        for (int w = 0; w < N_WHO; w++) out[w] = edge;
    } else if (state->position == EDGE) {
        out[FIRST_SEE] = out[OTHER_SEE] = out[OTHER_SEE_WHOLE] = level->fresh_edge[var];
    } else if (state->position == INIT && state->edge) {
        out[FIRST_SEE] = out[OTHER_SEE] = out[OTHER_SEE_WHOLE] = edge;
    }
}

static void spatial_factors(Analysis *at, int k) {
    int i = at->level->spatial[k], var = at->level->maps[i].var, source = at->source[i];
    bool is_output = in_tensor(at, SL_O, var);
    for (int s = 0; s < at->n_states[source]; s++) {
        const State *state = &at->states[source][s];
        for (int w = 0; w < N_WHO; w++) at->outputs[k][s][w] = at->sums[k][s][w] = 1;
        if (!is_output)
            sum_factors(at, state, var, at->sums[k][s]);
        else if (speaks(at, i))
            output_factors(at, state, var, at->outputs[k][s]);
    }
}

// spatial maps of a tensor's dims, in the order of the dims
static void set_spread(Analysis *at, SlTensor tensor) {
    const SlMaestroDims *dims = &at->model->tensor[tensor];
    const SlMaestroLevel *level = at->level;
    at->n_spread[tensor] = 0;
    for (int d = 0; d < dims->n; d++) {
        for (int k = 0; k < level->n_spatial; k++)
            if (level->first[dims->dims[d]] == level->spatial[k])
                at->spread[tensor][at->n_spread[tensor]++] = k;
    }
}

// bit c: maps after c leave the tensor whole, so that c's new elements are all there is
static void set_uninited(Analysis *at, SlTensor tensor) {
    const SlMaestroLevel *level = at->level;
    at->uninited[tensor] = 0;
    for (int i = level->n - 1; i >= 0; i--) {
        at->uninited[tensor] |= 1U << i;
        int var = level->maps[i].var;
        bool begins = in_tensor(at, tensor, var) && !at->states[at->source[i]][0].unrolled;
        if (begins) return;
    }
}

static void set_factors(Analysis *at) {
    const SlMaestroLevel *level = at->level;
    at->base[SL_I] = at->base[SL_W] = at->base[SL_O] = at->base_sums = 1;
    for (int i = 0; i < level->n; i++)
        if (!level->maps[i].spatial) temporal_factors(at, i);
    for (int k = 0; k < level->n_spatial; k++) spatial_factors(at, k);
    for (int t = 0; t < SL_N_TENSORS; t++) set_spread(at, (SlTensor)t);
    set_uninited(at, SL_I);
    set_uninited(at, SL_W);
}

// ---- cases ----

// returns their number; 0 = too many
static int64_t first_case(Analysis *at) {
    int64_t n = 1;
    for (int t = at->n_turning - 1; t >= 0; t--) {
        int i = at->turning[t];
        at->period[i] = (int)n;
        at->left[i] = 0;
        n *= at->n_states[i];
        if (n > SL_MAESTRO_MAX_CASES) return 0;
    }
    at->occurrences = 1;
    at->changing = -1;
    return n;
}

// the last map turns fastest; every map turns one step before it would as a plain odometer
static void next_case(Analysis *at) {
    uint32_t occurrences = 1;
    at->changing = -1;
    for (int t = 0; t < at->n_turning; t++) {
        int i = at->turning[t];
        if (at->left[i] == 0) {
            at->state[i] = at->state[i] + 1 == at->n_states[i] ? 0 : at->state[i] + 1;
            at->left[i] = at->period[i];
        }
        at->left[i]--;
        occurrences *= (uint32_t)at->states[i][at->state[i]].occurrences;
        if (at->state[i] > 0 && at->source[i] == i) at->changing = i;
    }
    at->occurrences = (int32_t)occurrences;
}

// ---- volumes of a case ----

// What the sub-clusters of each kind take or make, and how many of each there are.
typedef struct {
    bool spread, edge, see;
} Flags;

static Flags tensor_flags(const Analysis *at, SlTensor tensor) {
    Flags flags = {.spread = at->n_spread[tensor] > 0};
    for (int k = 0; k < at->n_spread[tensor]; k++) {
        const State *state = state_of(at, at->level->spatial[at->spread[tensor][k]]);
        flags.edge |= state->edge;
        flags.see = state->see;
    }
    return flags;
}

static int64_t over_clusters(const Analysis *at, Flags flags, const int64_t *each) {
    int64_t population = at->level->edge_population;
    if (!flags.spread) return each[FIRST];
    if (!flags.edge) return add(each[FIRST], mul(at->level->fanout - 1, each[OTHER]));
    if (population == 1) return each[flags.see ? FIRST_SEE : FIRST];
    int64_t full = most(population - flags.see - 1, 0);
    int64_t sum = add(each[FIRST], mul(full, each[OTHER]));
    return flags.see ? add(sum, each[OTHER_SEE]) : sum;
}

// factors of the spatial maps over dims of a tensor that goes in
static void spread_ingress(const Analysis *at, SlTensor tensor, bool inited, int64_t *each) {
    const SlMaestroLevel *level = at->level;
    for (int k = 0; k < level->n_spatial; k++) {
        int i = level->spatial[k], var = level->maps[i].var;
        if (!in_tensor(at, tensor, var)) continue;
        const State *state = state_of(at, i);
        int64_t whole = level->mapped[var], edge = level->mapped_edge[var];
        int64_t other = whole, other_edge = edge;
        if (at->changing < 0) {
            // nothing is shared in the very first step
            if (!state->edge) edge = whole;
            if (state->edge && level->edge_population == 1) whole = edge;
            other = whole, other_edge = edge;
        } else if (state->position == INIT ? i > at->changing : i == at->changing && !inited) {
            other = level->fresh[var], other_edge = level->fresh_edge[var];
        }
        each[FIRST] = mul(each[FIRST], whole);
        each[FIRST_SEE] = mul(each[FIRST_SEE], edge);
        each[OTHER] = mul(each[OTHER], other);
        each[OTHER_SEE] = mul(each[OTHER_SEE], other_edge);
    }
}

// elements of a tensor that this step brings in; false: MAESTRO gives up
static bool ingress(const Analysis *at, SlTensor tensor, int64_t *out) {
    const SlMaestroLevel *level = at->level;
    int changing = at->changing;
    bool inited = false;
    *out = 0;
    if (changing >= 0) {
        if (!in_tensor(at, tensor, level->maps[changing].var)) return true;
        inited = !(at->uninited[tensor] >> changing & 1);
    }
    int64_t each[N_WHO], product = at->base[tensor];
    for (int t = 0; t < at->n_turning; t++) {
        int i = at->turning[t], var = level->maps[i].var;
        if (level->maps[i].spatial || !in_tensor(at, tensor, var)) continue;
        int64_t factor = at->moved[i][at->state[at->source[i]]];
        if (i == changing && !inited) factor = level->fresh[var];
        if (i == changing && factor == 0) {
            *at->context->fault = (SlMaestroFault){
                .kind = SL_FAULT_NOTHING_NEW, .level = at->l, .var = (SlMaestroVar)var};
            return false;
        }
        product = mul(product, factor);
    }
    for (int w = 0; w < N_WHO; w++) each[w] = product;
    spread_ingress(at, tensor, inited, each);
    *out = over_clusters(at, tensor_flags(at, tensor), each);
    return true;
}

// outputs, and multiply-accumulates, of one sub-cluster of each kind
static void make_each(const Analysis *at, int64_t *outputs, int64_t *sums) {
    const SlMaestroLevel *level = at->level;
    int64_t made = at->base[SL_O], summed = at->base_sums;
    for (int t = 0; t < at->n_turning; t++) {
        int i = at->turning[t], var = level->maps[i].var;
        if (level->maps[i].spatial) continue;
        int64_t factor = at->made[i][at->state[at->source[i]]];
        if (in_tensor(at, SL_O, var))
            made = mul(made, factor);
        else
            summed = mul(summed, factor);
    }
    for (int w = 0; w < N_WHO; w++) {
        outputs[w] = made;
        sums[w] = summed;
    }
    for (int k = 0; k < level->n_spatial; k++) {
        int s = at->state[at->source[level->spatial[k]]];
        for (int w = 0; w < N_WHO; w++) {
            outputs[w] = mul(outputs[w], at->outputs[k][s][w]);
            sums[w] = mul(sums[w], at->sums[k][s][w]);
        }
    }
    for (int w = 0; w < N_WHO; w++) sums[w] = mul(sums[w], outputs[w]);
}

static int64_t all_macs(const Analysis *at, const int64_t *sums) {
    const SlMaestroLevel *level = at->level;
    Flags flags = {.spread = true};
    for (int k = 0; k < level->n_spatial; k++) {
        const State *state = state_of(at, level->spatial[k]);
        flags.edge |= state->edge;
        flags.see = state->see;
    }
    if (!flags.edge) return mul(level->fanout, sums[FIRST]);
    if (level->edge_population == 1) return sums[flags.see ? FIRST_SEE : FIRST];
    int64_t full = most(level->edge_population - flags.see - 1, 0);
    int64_t sum = mul(sums[FIRST], 1 + full);
    return flags.see ? add(sum, sums[OTHER_SEE_WHOLE]) : sum;
}

static int64_t critical_macs(const Analysis *at, const int64_t *sums, Flags flags) {
    bool part = flags.spread && flags.edge && flags.see && at->level->edge_population == 1;
    return sums[part ? FIRST_SEE : FIRST];
}

// ---- time ----

static int64_t delay(const SlMaestroHardware *hardware, int64_t elements) {
    int64_t sends = elements / hardware->noc_bw + (elements % hardware->noc_bw != 0);
    return hardware->noc_latency + sends - 1;
}

// Counters of one level. Deeper levels need the first lines alone.
typedef struct {
    int64_t n_valid, total, runtime, macs;
    double active;
    int64_t up_need[SL_N_TENSORS], down_need[SL_N_TENSORS];
    int64_t up_read[SL_N_TENSORS], up_write[SL_N_TENSORS];
    int64_t down_read[SL_N_TENSORS], down_write[SL_N_TENSORS];
    int64_t peak, bandwidth, offchip;
    double intensity;
    SlMaestroDelay ingress, egress, compute; // avg: sums so far
} Record;

// One step of the level, measured.
typedef struct {
    int64_t in[SL_N_TENSORS]; // of inputs and weights
    int64_t out;              // outputs
    int64_t macs;             // of all sub-clusters
    int64_t compute;
    double active;
} Step;

static bool analyse(Context *context, int l, const int64_t *dims, Record *record);

// which dims the sub-clusters of a step get as edges
static int edge_mask(const Analysis *at, bool see) {
    const SlMaestroLevel *level = at->level;
    int mask = 0;
    for (int c = 0; c < at->model->n_coupled; c++) {
        int var = at->model->coupled[c], i = level->first[var];
        if (level->mapped[var] == level->mapped_edge[var]) continue;
        const State *state = state_of(at, i);
        bool whole = level->maps[i].spatial && level->edge_population > 1 && !see;
        if (state->edge && !whole) mask |= 1 << c;
    }
    return mask;
}

static bool sub_result(const Analysis *at, bool see, Result *result) {
    Context *context = at->context;
    int mask = edge_mask(at, see), inner = at->l + 1;
    uint64_t *known = &context->known[inner][mask / 64], bit = UINT64_C(1) << (mask % 64);
    if (*known & bit) {
        *result = context->results[inner][mask];
        return true;
    }
    int64_t dims[SL_N_MV] = {0};
    for (int c = 0; c < at->model->n_coupled; c++) {
        int var = at->model->coupled[c];
        dims[var] = mask >> c & 1 ? at->level->mapped_edge[var] : at->level->mapped[var];
    }
    Record record;
    if (!analyse(context, inner, dims, &record)) return false;
    *result = (Result){record.runtime, record.active};
    *known |= bit;
    context->results[inner][mask] = *result;
    return true;
}

// computation of a step: by the MACs of a PE, or by the clusters inside
static bool compute_step(const Analysis *at, int64_t critical, Step *step) {
    const SlMaestroLevel *level = at->level;
    const State *state = state_of(at, level->spatial[0]);
    int64_t population = level->edge_population, active = state->edge ? population : level->fanout;
    step->active = (double)active;
    if (at->l == at->model->n_levels - 1) {
        int64_t lanes = at->model->hardware->simd_lanes;
        step->compute = critical / lanes + (critical % lanes != 0);
        return true;
    }
    bool see = state->edge && state->see;
    Result result;
    if (!sub_result(at, see, &result)) return false;
    double sum = result.active * (double)(see ? 1 : active);
    step->compute = most(0, result.runtime);
    if (see && population > 1) {
        if (!sub_result(at, false, &result)) return false;
        sum += result.active * (double)(population - 1);
        step->compute = most(step->compute, result.runtime);
    }
    if (sum != 0) step->active = sum;
    return true;
}

static void add_delay(SlMaestroDelay *delays, bool first, int64_t value, int64_t occurrences) {
    if (first || value < delays->min) delays->min = value;
    delays->max = most(delays->max, value);
    delays->avg = add(delays->avg, mul(occurrences, value));
}

// the outermost level waits for memory outside, too; false: there is nothing to wait for
static bool wait_offchip(const Analysis *at, Record *record, int64_t compute, int64_t *time) {
    int64_t bandwidth = at->model->hardware->offchip_bw;
    int64_t out = record->up_need[SL_O], in = add(record->up_need[SL_I], record->up_need[SL_W]);
    if (compute == 0) {
        *at->context->fault = (SlMaestroFault){.kind = SL_FAULT_IDLE_CLUSTERS};
        return false;
    }
    *time = most(*time, most(in / bandwidth / 2, out / bandwidth / 2));
    // halved at every step, what it was before included
    record->offchip = most(record->offchip, most(out / compute, in / compute)) / 2;
    return true;
}

static bool add_valid(const Analysis *at, Record *record, Step *step) {
    const SlMaestroHardware *hardware = at->model->hardware;
    int64_t occurrences = at->occurrences, in = add(step->in[SL_I], step->in[SL_W]);
    int64_t wait_in = delay(hardware, in), wait_out = delay(hardware, step->out);
    int64_t compute = step->compute;
    int64_t time =
        at->changing < 0 ? add(compute, wait_in) : most(wait_out, most(compute, wait_in));
    if (at->l == 0 && !wait_offchip(at, record, compute, &time)) return false;
    record->runtime = add(record->runtime, mul(occurrences, time));
    record->active += step->active * (double)occurrences;
    if (at->l == 0) {
        bool first = record->n_valid == 0;
        int64_t moved = most(in, step->out);
        for (int t = SL_W; t <= SL_I; t++) {
            record->up_read[t] = add(record->up_read[t], mul(occurrences, step->in[t]));
            record->down_write[t] = record->up_read[t];
            record->down_read[t] = add(record->down_read[t], mul(occurrences, step->macs));
        }
        record->intensity = (double)step->macs / (double)in;
        record->macs = add(record->macs, mul(occurrences, step->macs));
        record->peak = most(record->peak, moved / compute);
        record->bandwidth = add(record->bandwidth, mul(occurrences, moved) / compute);
        add_delay(&record->ingress, first, wait_in, occurrences);
        add_delay(&record->egress, first, wait_out, occurrences);
        add_delay(&record->compute, first, compute, occurrences);
    }
    record->total = add(record->total, occurrences);
    record->n_valid++;
    return true;
}

// buffers, for every case until one is valid: those of inputs and weights add up
static void add_needs(const Analysis *at, Record *record, const Step *step) {
    for (int t = 0; t < SL_N_TENSORS; t++) {
        const SlMaestroDims *dims = &at->model->tensor[t];
        int64_t tile = 2, elements = 1;
        for (int d = 0; d < dims->n; d++) {
            int var = dims->dims[d];
            bool output = t == SL_O && at->model->windows;
            int64_t size = at->dims[var];
            if (output && var == SL_MV_Y) size += 1 - at->dims[SL_MV_R];
            if (output && var == SL_MV_X) size += 1 - at->dims[SL_MV_S];
            tile = mul(tile, at->level->mapped[var]);
            elements = mul(elements, size);
        }
        if (t == SL_O) {
            record->up_need[t] = mul(2, step->out);
            record->up_read[t] = elements;
            record->down_need[t] = tile;
        } else {
            record->up_need[t] = add(record->up_need[t], mul(2, step->in[t]));
            record->up_write[t] = elements;
            record->down_need[t] = add(record->down_need[t], tile);
        }
    }
}

static bool add_case(const Analysis *at, Record *record) {
    int64_t outputs[N_WHO], sums[N_WHO];
    Flags flags = tensor_flags(at, SL_O);
    Step step = {0};
    make_each(at, outputs, sums);
    int64_t critical = critical_macs(at, sums, flags);
    step.out = over_clusters(at, flags, outputs);
    if (record->n_valid == 0 || critical > 0) {
        if (!ingress(at, SL_I, &step.in[SL_I])) return false;
        if (!ingress(at, SL_W, &step.in[SL_W])) return false;
    }
    if (record->n_valid == 0) add_needs(at, record, &step);
    if (at->l == 0) {
        step.macs = all_macs(at, sums);
        record->up_write[SL_O] = add(record->up_write[SL_O], mul(at->occurrences, step.out));
        record->down_write[SL_O] = add(record->down_write[SL_O], mul(at->occurrences, step.macs));
        record->down_read[SL_O] = record->down_write[SL_O];
    }
    if (critical <= 0) return true;
    return compute_step(at, critical, &step) && add_valid(at, record, &step);
}

static bool analyse(Context *context, int l, const int64_t *dims, Record *record) {
    Analysis at = {.context = context, .model = context->model, .l = l, .dims = dims};
    at.level = &context->model->levels[l];
    memset(record, 0, sizeof *record);
    set_states(&at);
    set_factors(&at);
    int64_t n = first_case(&at);
    if (n == 0) *context->fault = (SlMaestroFault){.kind = SL_FAULT_TOO_MANY_STEPS, .level = l};
    for (int64_t i = 0; i < n; i++) {
        if (i > 0) next_case(&at);
        if (at.occurrences <= 0) {
            *context->fault = (SlMaestroFault){.kind = SL_FAULT_TOO_MANY_STEPS, .level = l};
            return false;
        }
        if (!add_case(&at, record)) return false;
    }
    if (record->total != 0) record->active /= (double)record->total;
    if (!context->has_inner)
        memcpy(context->inner_need, record->down_need, sizeof record->down_need);
    context->has_inner = true;
    return n > 0;
}

// ---- the layer ----

// sums to means; without a valid case there are none
static SlMaestroDelay mean_delay(SlMaestroDelay delays, int64_t total) {
    if (total == 0) return (SlMaestroDelay){.min = INT64_MIN, .max = 0, .avg = INT64_MIN};
    delays.avg = (int64_t)((double)delays.avg / (double)total);
    return delays;
}

bool sl_maestro_analyse(const SlMaestroModel *model, SlMaestroCost *out, SlMaestroFault *fault) {
    Context context;
    context.model = model;
    context.fault = fault;
    context.has_inner = false;
    memset(context.known, 0, sizeof context.known);
    int64_t dims[SL_N_MV];
    for (int v = 0; v < SL_N_MV; v++) dims[v] = model->levels[0].dims[v];
    Record record;
    if (!analyse(&context, 0, dims, &record)) return false;
    *out = (SlMaestroCost){.runtime_cycles = record.runtime, .macs = record.macs};
    memcpy(out->l2_read, record.up_read, sizeof out->l2_read);
    memcpy(out->l2_write, record.up_write, sizeof out->l2_write);
    memcpy(out->l1_read, record.down_read, sizeof out->l1_read);
    memcpy(out->l1_write, record.down_write, sizeof out->l1_write);
    memcpy(out->l2_need, record.up_need, sizeof out->l2_need);
    memcpy(out->l1_need, context.inner_need, sizeof out->l1_need);
    out->ingress = mean_delay(record.ingress, record.total);
    out->egress = mean_delay(record.egress, record.total);
    out->compute = mean_delay(record.compute, record.total);
    out->peak_bw = record.peak;
    out->offchip_bw = record.offchip;
    out->avg_bw = (double)((long double)record.bandwidth / (long double)record.total);
    out->active_pes = record.active;
    out->intensity = record.intensity;
    out->single = model->n_levels == 1 || record.n_valid == 0;
    return true;
}
