// timeloop_factors.c - the numbers of a Timeloop mapping: factors, permutations, tiles.
//
// A factor is a number of iterations. `P=7,5` says: 7, but 5 in the last iteration of the loops
// over P outside it (Horeni et al., "Ruby", ISPASS 2022; read by NVlabs/timeloop,
// src/mapping/parser.cpp). Tiles are then products of the factors further in, and what the last
// iterations lack is what a tile of ours that does not divide lacks.
#include <ctype.h>
#include <string.h>

#include "timeloop_inside.h"

int sl_timeloop_dim(SlTimeloopDims *dims, char letter) {
    if (letter != 'K' && letter != 'M') return sl_dim_find(letter);
    if (dims->k && dims->k != letter) return -1;
    dims->k = letter;
    return SL_K;
}

static SlStatus fail_dim(const SlNode *node, char letter, SlError *err) {
    char shown = '?';
    if (isprint((unsigned char)letter)) shown = letter;
    return sl_node_fail(node, err,
                        "unknown dim '%c', expected one of N G K C P Q R S (or M for K, not both)",
                        shown);
}

// What an entry says.
typedef struct {
    const SlNode *node; // of the text being read
    SlTimeloopDims *dims;
    int64_t end[SL_N_DIMS], last[SL_N_DIMS];
    int given;  // dims with a factor, bit d
    int newest; // the last one, -1 = none
    int n_order;
    uint8_t order[SL_N_DIMS]; // the permutation, innermost first
    SlError *err;
} Entry;

static SlStatus read_number(Entry *entry, const char **at, int64_t *out) {
    int64_t value = 0;
    const char *c = *at;
    for (; isdigit((unsigned char)*c); c++) {
        value = value * 10 + (*c - '0');
        if (value >= SL_MACS_LIMIT)
            return sl_node_fail(entry->node, entry->err, "expected factors below 2^53");
    }
    if (c == *at)
        return sl_node_fail(entry->node, entry->err,
                            "expected factors like 'K=4', found no number in '%.40s'",
                            entry->node->text);
    *at = c;
    *out = value;
    return SL_OK;
}

static SlStatus set_last(Entry *entry, int64_t last) {
    int d = entry->newest;
    if (d < 0) return sl_node_fail(entry->node, entry->err, "expected factors like 'K=4'");
    if (last < 1 || last > entry->end[d])
        return sl_node_fail(entry->node, entry->err,
                            "the last iterations of %s must be 1 to %lld, not %lld",
                            sl_dim_names[d], (long long)entry->end[d], (long long)last);
    entry->last[d] = last;
    entry->newest = -1;
    return SL_OK;
}

// one `K=4`, `K4` or `K=4,2`, or the `2` that a list in brackets cuts off
static SlStatus read_factor(Entry *entry, const char **at) {
    SlStatus status = SL_OK;
    int64_t number = 0;
    if (isdigit((unsigned char)**at)) {
        status = read_number(entry, at, &number);
        return status == SL_OK ? set_last(entry, number) : status;
    }
    int d = sl_timeloop_dim(entry->dims, **at);
    if (d < 0) return fail_dim(entry->node, **at, entry->err);
    if (entry->given >> d & 1)
        return sl_node_fail(entry->node, entry->err, "two factors of %s", sl_dim_names[d]);
    *at += 1 + strspn(*at + 1, " =");
    status = read_number(entry, at, &number);
    if (status != SL_OK) return status;
    entry->given |= 1 << d;
    entry->newest = d;
    entry->end[d] = entry->last[d] = number;
    if (**at == ',' && isdigit((unsigned char)(*at)[1])) {
        ++*at;
        status = read_number(entry, at, &number);
        if (status == SL_OK) status = set_last(entry, number);
    }
    return status;
}

static SlStatus read_factors(Entry *entry) {
    SlStatus status = SL_OK;
    const char *at = entry->node->text + strspn(entry->node->text, " ,");
    while (*at && status == SL_OK) {
        status = read_factor(entry, &at);
        at += strspn(at, " ,");
    }
    return status;
}

static SlStatus read_order(Entry *entry) {
    for (const char *at = entry->node->text; *at; at++) {
        if (*at == ' ' || *at == ',') continue;
        int d = sl_timeloop_dim(entry->dims, *at);
        if (d < 0) return fail_dim(entry->node, *at, entry->err);
        for (int i = 0; i < entry->n_order; i++)
            if (entry->order[i] == d)
                return sl_node_fail(entry->node, entry->err, "the permutation has %s twice",
                                    sl_dim_names[d]);
        entry->order[entry->n_order++] = (uint8_t)d;
    }
    return SL_OK;
}

// a text, or a list of texts
static SlStatus read_texts(const SlNode *map, const char *key, Entry *entry,
                           SlStatus (*read)(Entry *)) {
    const SlNode *node = sl_node_get(map, key);
    if (!node) return SL_OK;
    SlStatus status = SL_OK;
    bool list = node->kind == SL_NODE_LIST;
    for (entry->node = list ? node->first : node; entry->node && status == SL_OK;
         entry->node = list ? entry->node->next : NULL) {
        status = sl_node_expect(entry->node, SL_NODE_SCALAR, key, entry->err);
        if (status == SL_OK) status = read(entry);
    }
    return status;
}

// dims that the permutation leaves out lie outside the others, in the order of the problem
static SlStatus fill_order(const SlNode *map, bool spatial, Entry *entry) {
    int missing = 0, n_missing = 0;
    for (int d = 0; d < SL_N_DIMS; d++) missing |= (entry->end[d] != 1) << d;
    for (int i = 0; i < entry->n_order; i++) missing &= ~(1 << entry->order[i]);
    for (int d = 0; d < SL_N_DIMS; d++) n_missing += missing >> d & 1;
    const SlTimeloopDims *dims = entry->dims;
    if (n_missing > 1 && dims->n_order == 0 && !spatial)
        return sl_node_fail(map, entry->err,
                            "expected a permutation of the dims that iterate ('permutation: RPK', "
                            "innermost first)");
    for (int i = 0; i < dims->n_order; i++) {
        if (!(missing >> dims->order[i] & 1)) continue;
        entry->order[entry->n_order++] = dims->order[i];
        missing &= ~(1 << dims->order[i]);
    }
    for (int d = 0; d < SL_N_DIMS; d++)
        if (missing >> d & 1) entry->order[entry->n_order++] = (uint8_t)d;
    return SL_OK;
}

SlStatus sl_timeloop_entry(const SlNode *map, bool spatial, SlTimeloopDims *dims, int *n_trips,
                           SlTrip *trips, SlError *err) {
    Entry entry = {.dims = dims, .newest = -1, .err = err};
    for (int d = 0; d < SL_N_DIMS; d++) entry.end[d] = entry.last[d] = 1;
    SlStatus status = read_texts(map, "factors", &entry, read_factors);
    if (status == SL_OK) status = read_texts(map, "permutation", &entry, read_order);
    if (status == SL_OK) status = fill_order(map, spatial, &entry);
    for (int i = entry.n_order; i-- > 0 && status == SL_OK;) {
        uint8_t d = entry.order[i];
        if (entry.end[d] == 1) continue;
        if (*n_trips == SL_TIMELOOP_TRIPS)
            return sl_node_fail(map, err, "a nest has at most %d loops", SL_MAX_LOOPS);
        trips[(*n_trips)++] = (SlTrip){
            .end = entry.end[d], .last = entry.last[d], .dim = d, .spatial = spatial, .node = map};
    }
    return status;
}

// --- tiles

// the factor 0 of a dim becomes what the others leave
static SlStatus fill_zero(const SlLayer *layer, int dim, int n_trips, SlTrip *trips, SlError *err) {
    SlTrip *zero = NULL;
    int64_t others = 1, extent = layer->dims[dim];
    for (int i = 0; i < n_trips; i++) {
        if (trips[i].dim != dim) continue;
        if (trips[i].end == 0 && zero)
            return sl_node_fail(trips[i].node, err, "a second factor of %s is 0 (all the rest)",
                                sl_dim_names[dim]);
        if (trips[i].end == 0) zero = &trips[i];
        if (trips[i].end != 0)
            others = others <= extent / trips[i].end ? others * trips[i].end : extent + 1;
    }
    if (!zero) return SL_OK;
    if (others > extent || extent % others != 0)
        return sl_node_fail(zero->node, err,
                            "the other factors of %s do not divide the layer's %lld, so 0 (all the "
                            "rest) is no number",
                            sl_dim_names[dim], (long long)extent);
    zero->end = zero->last = extent / others;
    return SL_OK;
}

// do the loops over a dim make up the layer? digits of the last iteration, one per loop
static SlStatus check_product(const SlLayer *layer, const SlNode *place, int dim, int n_trips,
                              const SlTrip *trips, SlError *err) {
    int64_t end = 0;
    bool outside = true;
    for (int i = 0; i < n_trips; i++) {
        const SlTrip *trip = &trips[i];
        if (trip->dim != dim) continue;
        if (outside && trip->last != trip->end)
            return sl_node_fail(trip->node, err,
                                "the outermost loop over %s has no loop outside it whose last "
                                "iteration could be shorter",
                                sl_dim_names[dim]);
        outside = false;
        if (end > SL_MACS_LIMIT / trip->end)
            return sl_node_fail(trip->node, err, "the factors of %s multiply to more than 2^53",
                                sl_dim_names[dim]);
        end = end * trip->end + trip->last - 1;
    }
    if (end + 1 == layer->dims[dim]) return SL_OK;
    return sl_node_fail(place, err, "the factors of %s multiply to %lld, the layer has %s=%lld",
                        sl_dim_names[dim], (long long)end + 1, sl_dim_names[dim],
                        (long long)layer->dims[dim]);
}

SlStatus sl_timeloop_tiles(const SlLayer *layer, const SlNode *place, int n_trips, SlTrip *trips,
                           SlLoop *loops, SlError *err) {
    SlStatus status = SL_OK;
    for (int d = 0; d < SL_N_DIMS && status == SL_OK; d++) {
        status = fill_zero(layer, d, n_trips, trips, err);
        if (status == SL_OK) status = check_product(layer, place, d, n_trips, trips, err);
    }
    int64_t tile[SL_N_DIMS];
    for (int d = 0; d < SL_N_DIMS; d++) tile[d] = 1;
    for (int i = n_trips; i-- > 0 && status == SL_OK;) {
        const SlTrip *trip = &trips[i];
        loops[i].tile = tile[trip->dim];
        loops[i].dim = trip->dim;
        loops[i].spatial = trip->spatial;
        tile[trip->dim] *= trip->end;
    }
    return status;
}
