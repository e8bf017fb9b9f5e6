// tiny_case.c - see tiny_case.h.
#include "tiny_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool chance(SlRng *rng, double p) {
    return sl_rng_uniform(rng) < p;
}

static int64_t pick(SlRng *rng, int n, const int *of) {
    return of[sl_rng_below(rng, (uint64_t)n)];
}

// --- the layer

static int64_t sample_extent(SlRng *rng, int dim, int n_dims) {
    static const int few[] = {2, 3, 4, 5, 5, 6, 7, 7, 11, 13}, some[] = {2, 3, 3, 4, 5, 5, 6, 7},
                     many[] = {2, 2, 3, 3, 4, 5, 7}, taps[] = {2, 2, 3, 3, 4, 5};
    if (dim == SL_R || dim == SL_S) return pick(rng, n_dims > 2 ? 4 : 6, taps);
    if (n_dims <= 1) return pick(rng, 10, few);
    return n_dims == 2 ? pick(rng, 8, some) : pick(rng, n_dims == 3 ? 7 : 4, many);
}

// `n` of the dims in `set`
static void sample_dims(SlRng *rng, unsigned set, int n, SlLayer *layer) {
    int dims[SL_N_DIMS], n_dims = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (set >> d & 1) dims[n_dims++] = d;
    sl_rng_shuffle(rng, n_dims, dims);
    for (int i = 0; i < n && i < n_dims; i++) layer->dims[dims[i]] = sample_extent(rng, dims[i], n);
}

#define DIM(d) (1u << (SL_##d))

static void sample_layer(SlRng *rng, SlLayer *layer) {
    static const double dims_odds[] = {0.08, 0.45, 0.9}; // 1, 2, 3 dims; else 4
    double u = sl_rng_uniform(rng);
    int n = u < dims_odds[0] ? 1 : u < dims_odds[1] ? 2 : u < dims_odds[2] ? 3 : 4;
    unsigned conv = DIM(K) | DIM(C) | DIM(P) | DIM(Q) | DIM(R) | DIM(S);
    sl_layer_init(layer);
    switch (sl_rng_below(rng, 10)) {
    case 0: // depthwise: groups take the place of channels
        layer->dims[SL_G] = sample_extent(rng, SL_G, n);
        sample_dims(rng, DIM(P) | DIM(Q) | DIM(R) | DIM(S), n - 1, layer);
        break;
    case 1: // groups outside everything
        sample_dims(rng, conv, n > 3 ? 2 : n, layer);
        layer->dims[SL_G] = sl_rng_range(rng, 2, 3);
        break;
    case 2: // a batch outside everything, or in the place of rows
        sample_dims(rng, chance(rng, 0.5) ? conv : conv & ~DIM(P), n > 3 ? 3 : n, layer);
        layer->dims[SL_N] = sl_rng_range(rng, 2, 5);
        break;
    case 3:
        sample_dims(rng, DIM(K) | DIM(C) | DIM(P), n, layer);
        break;
    case 4: // windows alone
    case 5:
        sample_dims(rng, DIM(P) | DIM(R) | (n > 2 ? DIM(K) | DIM(C) : 0), n, layer);
        break;
    default:
        sample_dims(rng, conv, n, layer);
    }
    bool plain = chance(rng, 0.4);
    for (int i = 0; i < 2; i++) {
        layer->stride[i] = plain ? 1 : (int32_t)sl_rng_range(rng, 1, 3);
        layer->dilation[i] = plain || chance(rng, 0.5) ? 1 : (int32_t)sl_rng_range(rng, 1, 2);
    }
}

// --- the accelerator

double rate_sample(SlRng *rng) {
    if (chance(rng, 0.45)) return INFINITY;
    return chance(rng, 0.3) ? sl_rng_uniform(rng) * 4 + 0.2 : (double)sl_rng_range(rng, 1, 8);
}

// bytes between what nothing fits in and the whole layer; uniform in the logarithm
static int64_t sample_capacity(SlRng *rng, const SlLayer *layer, double inner) {
    double all = 0;
    for (int t = 0; t < SL_N_TENSORS; t++) all += (double)sl_layer_words(layer, (SlTensor)t);
    double least = log(3), most = log(all * 1.5 + 3) * inner;
    return (int64_t)exp(least + (most > least ? most - least : 0) * sl_rng_uniform(rng)) + 1;
}

static void sample_level(SlRng *rng, const SlLayer *layer, int l, int n_levels, SlLevel *level) {
    bool dram = l == 0, costly = chance(rng, 0.5);
    double scale = dram ? 200 : l == n_levels - 1 ? 1 : 6;
    *level = (SlLevel){
        .capacity_bytes = dram ? 0 : sample_capacity(rng, layer, l == n_levels - 1 ? 0.8 : 1.1),
        .keep = dram || chance(rng, 0.75) ? SL_KEEP_ALL : (uint8_t)sl_rng_range(rng, 1, 7),
        .buffering = dram               ? SL_BUFFER_OVERLAPPED
                     : chance(rng, 0.4) ? SL_BUFFER_OVERLAPPED
                                        : (SlBuffering)sl_rng_below(rng, 3),
        .port_words = rate_sample(rng),
        .link_words = dram ? INFINITY : rate_sample(rng),
        .read_pj = costly ? scale : sl_rng_uniform(rng) * 20,
        .write_pj = costly ? scale : sl_rng_uniform(rng) * 20,
        .link_pj = dram || chance(rng, 0.4) ? 0 : sl_rng_uniform(rng) * 4,
        .area_um2_per_byte = dram ? 0 : 1,
    };
    snprintf(level->name, sizeof level->name, "%s%d", dram ? "DRAM" : "L", l);
}

static void sample_fanout(SlRng *rng, int n_axes, int64_t most, SlFanout *fanout) {
    static const char *const names[] = {"x", "y"};
    *fanout = (SlFanout){
        .n_axes = n_axes, .multicast = chance(rng, 0.75), .reduction = chance(rng, 0.75)};
    for (int a = 0; a < n_axes; a++) {
        SlAxis *axis = &fanout->axes[a];
        axis->size = sl_rng_range(rng, 1, most);
        axis->dims = SL_SPREAD_ALL;
        if (chance(rng, 0.2)) axis->dims = (uint8_t)sl_rng_range(rng, 1, SL_SPREAD_ALL);
        snprintf(axis->name, sizeof axis->name, "%s", names[a]);
    }
}

// where work is spread: over clusters of a flexible array, over a grid, over MACs
static void sample_fanouts(SlRng *rng, SlAccel *accel) {
    int last = accel->n_levels - 1;
    double u = sl_rng_uniform(rng);
    for (int l = 0; l <= last; l++) sample_fanout(rng, 0, 1, &accel->fanouts[l]);
    if (last >= 2 && u < 0.7) { // flexible
        sample_fanout(rng, 1, chance(rng, 0.6) ? 6 : 12,
                      &accel->fanouts[sl_rng_range(rng, 1, last - 1)]);
    } else if (u < 0.9) { // a grid
        int l = (int)sl_rng_range(rng, 1, last), n = (int)sl_rng_range(rng, 1, 2);
        sample_fanout(rng, n, n == 1 ? 8 : 4, &accel->fanouts[l]);
    }
    if (chance(rng, 0.15)) sample_fanout(rng, 1, 4, &accel->fanouts[last]);
}

static void sample_accel(SlRng *rng, const SlLayer *layer, SlAccel *accel) {
    double u = sl_rng_uniform(rng);
    *accel = (SlAccel){.name = "tiny",
                       .n_levels = u < 0.1    ? 2
                                   : u < 0.7  ? 3
                                   : u < 0.9  ? 4
                                   : u < 0.97 ? 5
                                              : 6};
    for (int l = 0; l < accel->n_levels; l++)
        sample_level(rng, layer, l, accel->n_levels, &accel->levels[l]);
    sample_fanouts(rng, accel);
    for (int t = 0; t < SL_N_TENSORS; t++)
        accel->word_bytes[t] = chance(rng, 0.7) ? 1 : (double)sl_rng_range(rng, 1, 3);
    accel->mac_pj = 1;
    accel->clock_mhz = 200;
}

// --- the goal and the space

void goal_sample(SlRng *rng, SlGoal *goal) {
    *goal = (SlGoal){0};
    switch (sl_rng_below(rng, 7)) {
    case 0:
        goal->weight[SL_LATENCY] = 1;
        break;
    case 1:
        goal->weight[SL_ENERGY] = 1;
        break;
    case 2:
        goal->weight[SL_LATENCY] = 2;
        goal->weight[SL_ENERGY] = 1;
        break;
    case 3:
        goal->weight[SL_LATENCY] = 1.5;
        goal->weight[SL_POWER] = 1;
        break;
    case 4:
        goal->weight[SL_LATENCY] = 0.5;
        goal->weight[SL_ENERGY] = 1.5;
        break;
    default:
        goal->weight[SL_EDP] = 1;
    }
}

// one rule: loops fixed outside and inside, sizes of a tile, of the cluster
static void sample_constraints(SlRng *rng, const SlLayer *layer, const SlAccel *accel,
                               SlConstraints *out) {
    *out = (SlConstraints){.name = "tiny", .n_rules = 1};
    SlRuleSet *rule = &out->rules[0];
    int level = (int)sl_rng_range(rng, 1, accel->n_levels - 1);
    snprintf(rule->level, sizeof rule->level, "%s", accel->levels[level].name);
    int dims[] = {SL_K, SL_C, SL_P, SL_Q};
    sl_rng_shuffle(rng, 4, dims);
    // those with something to say first and last
    for (int i = 0; i < 2; i++) {
        if (layer->dims[dims[i]] > 1) continue;
        int other = layer->dims[dims[2]] > 1 ? 2 : 3, d = dims[i];
        dims[i] = dims[other];
        dims[other] = d;
    }
    if (chance(rng, 0.6)) {
        rule->has_order = true;
        int n = (int)sl_rng_below(rng, 3), after = (int)sl_rng_below(rng, 3);
        for (int i = 0; i < after; i++) rule->after[rule->n_after++] = (uint8_t)dims[i];
        for (int i = 0; i < n; i++) rule->before[rule->n_before++] = (uint8_t)dims[3 - i];
    }
    if (chance(rng, 0.5)) rule->least[dims[2]] = sl_rng_range(rng, 1, 2);
    if (chance(rng, 0.5)) rule->most[dims[3]] = chance(rng, 0.3) ? -1 : sl_rng_range(rng, 1, 4);
    bool flexible = level < accel->n_levels - 1 && accel->fanouts[level].n_axes == 1;
    if (flexible && chance(rng, 0.3)) rule->cluster_most = sl_rng_range(rng, 1, 4);
}

void tiny_case_sample(SlRng *rng, TinyCase *out) {
    memset(out, 0, sizeof *out);
    sample_layer(rng, &out->layer);
    sample_accel(rng, &out->layer, &out->accel);
    goal_sample(rng, &out->goal);
    out->options.preset = chance(rng, 0.5) ? SL_SPACE_NATIVE : SL_SPACE_ALL;
    if (chance(rng, 0.15))
        out->options.open = (uint8_t)(sl_rng_next(rng) & (DIM(N) | DIM(G) | DIM(R) | DIM(S)));
    if (chance(rng, 0.15)) {
        sample_constraints(rng, &out->layer, &out->accel, &out->constraints);
        out->options.constraints = &out->constraints;
    }
}

// --- text

static void add_accel(const SlAccel *accel, size_t n, char *out) {
    size_t at = strlen(out);
    for (int l = 0; l < accel->n_levels && at < n; l++) {
        const SlLevel *level = &accel->levels[l];
        const SlFanout *fanout = &accel->fanouts[l];
        at += (size_t)snprintf(
            out + at, n - at,
            "level %d %s capacity=%lld keep=%d buffering=%s port=%.17g link=%.17g read-pj=%.17g "
            "write-pj=%.17g link-pj=%.17g\n",
            l, level->name, (long long)level->capacity_bytes, level->keep,
            sl_buffering_names[level->buffering], level->port_words, level->link_words,
            level->read_pj, level->write_pj, level->link_pj);
        for (int a = 0; a < fanout->n_axes && at < n; a++)
            at += (size_t)snprintf(
                out + at, n - at, "fanout %d axis %d size=%lld dims=%d multicast=%d reduction=%d\n",
                l, a, (long long)fanout->axes[a].size, fanout->axes[a].dims, fanout->multicast,
                fanout->reduction);
    }
}

const char *tiny_case_text(const TinyCase *c, size_t n, char *out) {
    char layer[384], goal[256];
    const SlRuleSet *rule = &c->constraints.rules[0];
    snprintf(out, n, "layer %s\nwords W=%g I=%g O=%g\ngoal %s\nspace %s open=%d\n",
             sl_layer_write(&c->layer, sizeof layer, layer), c->accel.word_bytes[0],
             c->accel.word_bytes[1], c->accel.word_bytes[2],
             sl_goal_text(&c->goal, sizeof goal, goal), sl_space_names[c->options.preset],
             c->options.open);
    if (c->options.constraints && strlen(out) + 256 < n) {
        size_t at = strlen(out);
        snprintf(out + at, n - at,
                 "constraints of %s: before %d %d (%d), after %d %d (%d), least %d %d %d %d, most "
                 "%d %d %d %d of K C P Q, clusters up to %d\n",
                 rule->level, rule->before[0], rule->before[1], rule->n_before, rule->after[0],
                 rule->after[1], rule->n_after, (int)rule->least[SL_K], (int)rule->least[SL_C],
                 (int)rule->least[SL_P], (int)rule->least[SL_Q], (int)rule->most[SL_K],
                 (int)rule->most[SL_C], (int)rule->most[SL_P], (int)rule->most[SL_Q],
                 (int)rule->cluster_most);
    }
    add_accel(&c->accel, n, out);
    return out;
}
