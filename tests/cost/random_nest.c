// random_nest.c - see random_nest.h.
#include "random_nest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nest_walk.h"

static bool chance(SlRng *rng, double p) {
    return sl_rng_uniform(rng) < p;
}

// uniform in the logarithm, so that small and large numbers are as likely
static int64_t log_range(SlRng *rng, int64_t lo, int64_t hi) {
    double span = log((double)hi + 1) - log((double)lo);
    int64_t x = (int64_t)((double)lo * exp(sl_rng_uniform(rng) * span));
    return x < lo ? lo : x > hi ? hi : x;
}

// --- the layer

static void sample_layer(SlRng *rng, int64_t max_macs, SlLayer *layer) {
    int order[SL_N_DIMS], active = (int)sl_rng_range(rng, 1, SL_N_DIMS);
    int64_t room = log_range(rng, 1 + max_macs / 50, max_macs);
    for (int d = 0; d < SL_N_DIMS; d++) order[d] = d;
    sl_rng_shuffle(rng, SL_N_DIMS, order);
    sl_layer_init(layer);
    for (int i = 0; i < active; i++) {
        int64_t most = order[i] == SL_R || order[i] == SL_S ? 7 : 13;
        if (chance(rng, 0.1)) most = chance(rng, 0.5) ? 40 : room;
        if (most > room) most = room;
        layer->dims[order[i]] = sl_rng_range(rng, most > 1 ? 2 : 1, most);
        room /= layer->dims[order[i]];
    }
    bool plain = chance(rng, 0.25), wide = chance(rng, 0.1);
    for (int i = 0; i < 2; i++) {
        layer->stride[i] = plain ? 1 : (int32_t)sl_rng_range(rng, 1, wide ? 13 : 5);
        layer->dilation[i] = plain ? 1 : (int32_t)sl_rng_range(rng, 1, wide ? 11 : 4);
    }
}

// --- the loops

// the size of a piece: one iteration, a divisor, few large pieces, or anything; in deep nests
// little less than what it is cut from, so that dozens of loops have edges
static int64_t sample_tile(SlRng *rng, bool deep, int64_t extent) {
    double kind = sl_rng_uniform(rng);
    if (deep && kind < 0.8) return sl_rng_range(rng, (extent * 3 + 3) / 4, extent);
    if (kind < 0.08) return sl_rng_range(rng, extent, extent + 3);
    if (kind < 0.25) {
        int64_t tile = sl_rng_range(rng, 1, extent);
        for (int i = 0; i < 64 && extent % tile; i++) tile--; // always found in small extents
        return tile;
    }
    if (kind < 0.65) return sl_rng_range(rng, (extent + 2) / 3, extent);
    return sl_rng_range(rng, 1, extent);
}

// dims of the loops in order; the loops of a dim get their tiles later
static int sample_dims(SlRng *rng, const SlLayer *layer, bool deep, int *dims) {
    int n = 0;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (layer->dims[d] > 1 || chance(rng, 0.1)) dims[n++] = d;
    }
    int active = n, more = (int)sl_rng_range(rng, 0, !deep && chance(rng, 0.8) ? 8 : SL_MAX_LOOPS);
    for (int i = 0; i < more && n < SL_MAX_LOOPS && active > 0; i++) {
        dims[n++] = dims[sl_rng_below(rng, (uint64_t)active)];
    }
    sl_rng_shuffle(rng, n, dims);
    return n;
}

static void sample_loops(SlRng *rng, const SlLayer *layer, SlMapping *mapping) {
    int dims[SL_MAX_LOOPS];
    int64_t extent[SL_N_DIMS];
    bool last[SL_N_DIMS] = {false};
    double spatial = chance(rng, 0.15) ? 0 : sl_rng_range(rng, 1, 7) * 0.1;
    bool deep = chance(rng, 0.15);
    mapping->n_loops = (uint8_t)sample_dims(rng, layer, deep, dims);
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = layer->dims[d];
    for (int i = 0; i < mapping->n_loops; i++) {
        SlLoop *loop = &mapping->loops[i];
        int64_t tile = sample_tile(rng, deep, extent[dims[i]]);
        *loop = (SlLoop){.tile = tile, .dim = (uint8_t)dims[i], .spatial = chance(rng, spatial)};
        if (tile < extent[dims[i]]) extent[dims[i]] = tile;
        if (chance(rng, 0.03)) loop->tile += sl_rng_range(rng, 0, layer->dims[dims[i]]);
    }
    // the innermost loop of each dim goes down to single iterations
    for (int i = mapping->n_loops - 1; i >= 0; i--) {
        if (!last[dims[i]] && layer->dims[dims[i]] > 1) mapping->loops[i].tile = 1;
        last[dims[i]] = true;
    }
}

static void sample_boundaries(SlRng *rng, SlMapping *mapping) {
    int n = (int)sl_rng_range(rng, 0, chance(rng, 0.8) ? 3 : SL_MAX_BOUNDARIES);
    bool all = chance(rng, 0.5);
    mapping->n_boundaries = (uint8_t)n;
    for (int b = 0; b < n; b++) {
        // sorted insertion of a random place
        uint8_t at = (uint8_t)sl_rng_range(rng, 0, mapping->n_loops);
        int i = b;
        for (; i > 0 && mapping->at[i - 1] > at; i--) mapping->at[i] = mapping->at[i - 1];
        mapping->at[i] = at;
        mapping->keep[b] = all ? SL_KEEP_ALL : (uint8_t)sl_rng_range(rng, 0, SL_KEEP_ALL);
    }
}

// --- size limits

// instances laid out, and moments x instances, of the nest; saturates
static double grid_of(const SlLayer *layer, const SlMapping *mapping) {
    double extent[SL_N_DIMS], grid = 1;
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = (double)layer->dims[d];
    for (int i = 0; i < mapping->n_loops; i++) {
        SlLoop loop = mapping->loops[i];
        if (loop.spatial) grid *= ceil(extent[loop.dim] / (double)loop.tile);
        extent[loop.dim] = fmin(extent[loop.dim], (double)loop.tile);
    }
    return grid;
}

static double most_moments(const SlLayer *layer, const SlMapping *mapping) {
    double extent[SL_N_DIMS], moments = 1;
    for (int d = 0; d < SL_N_DIMS; d++) extent[d] = (double)layer->dims[d];
    for (int i = 0; i < mapping->n_loops; i++) {
        SlLoop loop = mapping->loops[i];
        if (!loop.spatial) moments *= ceil(extent[loop.dim] / (double)loop.tile);
        extent[loop.dim] = fmin(extent[loop.dim], (double)loop.tile);
    }
    return moments;
}

// turn spatial loops into temporal ones until an oracle can walk the nest
static void bound_size(SlRng *rng, int64_t max_macs, Case *c) {
    for (;;) {
        double grid = grid_of(&c->layer, &c->mapping);
        double moments = most_moments(&c->layer, &c->mapping);
        bool small = grid <= WALK_MAX_INSTANCES && grid * moments <= 8.0 * (double)max_macs;
        int spatial[SL_MAX_LOOPS], n = 0;
        for (int i = 0; i < c->mapping.n_loops; i++) {
            if (c->mapping.loops[i].spatial) spatial[n++] = i;
        }
        if (small || n == 0) return;
        c->mapping.loops[spatial[sl_rng_below(rng, (uint64_t)n)]].spatial = false;
    }
}

static SlNet sample_net(SlRng *rng) {
    if (chance(rng, 0.5)) {
        return (SlNet){chance(rng, 0.5) ? 255 : 0, chance(rng, 0.5) ? 255 : 0};
    }
    return (SlNet){(uint8_t)sl_rng_below(rng, 256), (uint8_t)sl_rng_below(rng, 256)};
}

void case_sample(SlRng *rng, int64_t max_macs, Case *out) {
    memset(out, 0, sizeof *out);
    sample_layer(rng, max_macs, &out->layer);
    sample_loops(rng, &out->layer, &out->mapping);
    sample_boundaries(rng, &out->mapping);
    out->net = sample_net(rng);
    bound_size(rng, max_macs, out);
}

// --- huge cases

// strides and dilations up to 2^20, the largest that a layer may have
static void sample_huge_steps(SlRng *rng, SlLayer *layer, int axis) {
    layer->stride[axis] = (int32_t)log_range(rng, 1, chance(rng, 0.1) ? 1 << 20 : 1 << 5);
    layer->dilation[axis] = (int32_t)log_range(rng, 1, chance(rng, 0.1) ? 1 << 20 : 1 << 5);
}

static void sample_huge_layer(SlRng *rng, SlLayer *layer) {
    int order[SL_N_DIMS], active = (int)sl_rng_range(rng, 1, SL_N_DIMS);
    int64_t room = SL_MACS_LIMIT - 1;
    for (int d = 0; d < SL_N_DIMS; d++) order[d] = d;
    sl_rng_shuffle(rng, SL_N_DIMS, order);
    sl_layer_init(layer);
    for (int i = 0; i < active; i++) {
        layer->dims[order[i]] = i + 1 < active ? log_range(rng, 1, room) : room;
        room /= layer->dims[order[i]];
    }
    for (int i = 0; i < 2; i++) sample_huge_steps(rng, layer, i);
    // coordinates beyond 2^53 are no layer
    for (int i = 0; i < 2 && sl_layer_check(layer); i++) layer->stride[i] = layer->dilation[i] = 1;
}

void case_sample_huge(SlRng *rng, Case *out) {
    memset(out, 0, sizeof *out);
    sample_huge_layer(rng, &out->layer);
    sample_loops(rng, &out->layer, &out->mapping);
    sample_boundaries(rng, &out->mapping);
    out->net = sample_net(rng);
}

// --- text

static void net_text(SlNet net, size_t n, char *out) {
    bool whole = (net.multicast == 0 || net.multicast == 255) &&
                 (net.reduction == 0 || net.reduction == 255);
    snprintf(out, n, whole ? "%u.%u" : "0x%02x.0x%02x",
             whole ? net.multicast / 255u : net.multicast,
             whole ? net.reduction / 255u : net.reduction);
}

const char *case_text(const Case *c, size_t n, char *out) {
    char nest[SL_NEST_TEXT_MAX], net[16];
    const int64_t *e = c->layer.dims;
    const int32_t *s = c->layer.stride, *d = c->layer.dilation;
    net_text(c->net, sizeof net, net);
    snprintf(out, n, "%lld.%lld.%lld.%lld.%lld.%lld.%lld.%lld,%d.%d.%d.%d,%s,%s", (long long)e[0],
             (long long)e[1], (long long)e[2], (long long)e[3], (long long)e[4], (long long)e[5],
             (long long)e[6], (long long)e[7], s[0], s[1], d[0], d[1], net,
             sl_mapping_write(&c->mapping, sizeof nest, nest));
    return out;
}

// `n` whole numbers separated by dots; 0x is understood
static void parse_numbers(const char *text, int n, int64_t *out) {
    char *end;
    for (int i = 0; i < n; i++, text = end + 1) {
        out[i] = strtoll(text, &end, 0);
        REQUIRE(end > text && *end == (i + 1 < n ? '.' : '\0'));
    }
}

void case_parse(const char *ext, const char *conv, const char *net, const char *nest, Case *out) {
    int64_t window[4], flags[2];
    memset(out, 0, sizeof *out);
    sl_layer_init(&out->layer);
    parse_numbers(ext, SL_N_DIMS, out->layer.dims);
    parse_numbers(conv, 4, window);
    parse_numbers(net, 2, flags);
    for (int i = 0; i < 2; i++) {
        out->layer.stride[i] = (int32_t)window[i];
        out->layer.dilation[i] = (int32_t)window[2 + i];
    }
    bool whole = strchr(net, 'x') == NULL;
    out->net.multicast = (uint8_t)(whole ? flags[0] * 255 : flags[0]);
    out->net.reduction = (uint8_t)(whole ? flags[1] * 255 : flags[1]);
    REQUIRE(sl_mapping_parse(nest, &out->mapping, NULL) == SL_OK);
}

void case_read(const char *text, Case *out) {
    char copy[CASE_TEXT_MAX], *column[4] = {copy};
    REQUIRE(strlen(text) < sizeof copy);
    strcpy(copy, text);
    for (int i = 1; i < 4; i++) {
        column[i] = strchr(column[i - 1], ',');
        REQUIRE(column[i] != NULL);
        *column[i]++ = '\0';
    }
    case_parse(column[0], column[1], column[2], column[3], out);
}
