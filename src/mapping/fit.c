// fit.c - does a nest fit an accelerator: every violated inequality, and its sentence.
#include "nest_inside.h"

#include <assert.h>
#include <stdio.h>

double sl_word_bytes(const SlLayer *layer, const SlAccel *accel, SlTensor tensor) {
    return layer->word_bytes[tensor] > 0 ? layer->word_bytes[tensor] : accel->word_bytes[tensor];
}

static void add(SlFit *fit, const SlViolation *violation) {
    if (fit->n < SL_MAX_VIOLATIONS) fit->list[fit->n++] = *violation;
}

bool sl_level_fits(const SlLayer *layer, const SlAccel *accel, int level, int keep,
                   const int64_t words[SL_N_TENSORS], SlViolation *why) {
    const SlLevel *storage = &accel->levels[level];
    *why = (SlViolation){.rule = SL_RULE_CAPACITY,
                         .level = level,
                         .have = (double)storage->capacity_bytes,
                         .doubled = storage->buffering == SL_BUFFER_DOUBLE};
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (!(keep >> t & 1)) continue;
        double word = sl_word_bytes(layer, accel, (SlTensor)t) * (why->doubled ? 2 : 1);
        why->bytes[t] = word * (double)words[t];
        why->need += why->bytes[t];
    }
    return storage->capacity_bytes == 0 || why->need <= why->have;
}

static void fit_storage(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                        const SlFootprint *foot, SlFit *fit) {
    for (int b = 0; b < mapping->n_boundaries; b++) {
        int keep = mapping->keep[b], can = accel->levels[b + 1].keep;
        SlViolation v = {.rule = SL_RULE_KEEP, .level = b + 1, .need = keep, .have = can};
        if (keep & ~can) add(fit, &v);
        if (!sl_level_fits(layer, accel, b + 1, keep, foot->words[b], &v)) add(fit, &v);
    }
}

int sl_spread_loops(const SlMapping *mapping, const SlFootprint *foot, const SlFanout *fanout,
                    int segment, SlSpatial *spread) {
    int n = 0;
    int end = sl_segment_end(mapping, segment);
    for (int i = sl_segment_begin(mapping, segment); i < end; i++) {
        if (!mapping->loops[i].spatial || foot->trips[i] == 1) continue;
        spread[n] = (SlSpatial){.loop = i, .trips = foot->trips[i]};
        for (int a = 0; a < fanout->n_axes; a++)
            spread[n].axes |= (fanout->axes[a].dims >> mapping->loops[i].dim & 1) << a;
        n++;
    }
    return n;
}

// can loops i.. be laid on what is left of the axes? Each goes wholly to one axis. Of equal loops
// the later one never takes an earlier axis, so that no arrangement is tried twice.
static bool place(int n, const SlSpatial *spread, int i, int first_axis, int64_t *left) {
    if (i == n) return true;
    for (int a = first_axis; a < SL_MAX_AXES; a++) {
        if (!(spread[i].axes >> a & 1) || left[a] < spread[i].trips) continue;
        bool twin = i + 1 < n && spread[i + 1].trips == spread[i].trips &&
                    spread[i + 1].axes == spread[i].axes;
        int64_t before = left[a];
        left[a] /= spread[i].trips;
        bool placed = place(n, spread, i + 1, twin ? a : 0, left);
        left[a] = before;
        if (placed) return true;
    }
    return false;
}

void sl_spread_sort(int n, SlSpatial *spread) {
    for (int i = 1; i < n; i++) {
        SlSpatial item = spread[i];
        int j = i;
        for (; j > 0; j--) {
            bool behind = spread[j - 1].trips != item.trips ? spread[j - 1].trips < item.trips
                                                            : spread[j - 1].axes < item.axes;
            if (!behind) break;
            spread[j] = spread[j - 1];
        }
        spread[j] = item;
    }
}

bool sl_axes_hold(const SlFanout *fanout, int n, SlSpatial *spread) {
    int64_t left[SL_MAX_AXES] = {0};
    for (int a = 0; a < fanout->n_axes; a++) left[a] = fanout->axes[a].size;
    sl_spread_sort(n, spread);
    return place(n, spread, 0, 0, left);
}

// dims that no axis of the fan-out takes; returns their number
static int fit_spread(const SlMapping *mapping, int segment, int n, const SlSpatial *spread,
                      SlFit *fit) {
    int banned = 0, n_banned = 0;
    for (int i = 0; i < n; i++) {
        int dim = mapping->loops[spread[i].loop].dim;
        if (spread[i].axes != 0 || banned >> dim & 1) continue;
        banned |= 1 << dim;
        n_banned++;
        add(fit, &(SlViolation){.rule = SL_RULE_SPREAD, .level = segment, .dim = dim});
    }
    return n_banned;
}

// the inequalities of the fan-out below level `segment`
static void fit_fanout(const SlAccel *accel, const SlMapping *mapping, const SlFootprint *foot,
                       int segment, SlFit *fit) {
    const SlFanout *fanout = &accel->fanouts[segment];
    SlSpatial spread[SL_MAX_LOOPS];
    int n = sl_spread_loops(mapping, foot, fanout, segment, spread);
    int n_banned = fanout->n_axes > 0 ? fit_spread(mapping, segment, n, spread, fit) : 0;

    SlViolation v = {.rule = SL_RULE_FANOUT, .level = segment, .need = 1};
    v.have = fanout->n_axes > 0 ? (double)sl_fanout_size(fanout) : 1;
    for (int i = 0; i < n; i++) {
        double *dim = &v.spread[mapping->loops[spread[i].loop].dim];
        *dim = (*dim > 0 ? *dim : 1) * (double)spread[i].trips;
        v.need *= (double)spread[i].trips;
    }
    if (v.need > v.have) {
        add(fit, &v);
    } else if (n_banned == 0 && !sl_axes_hold(fanout, n, spread)) {
        v.rule = SL_RULE_AXES;
        add(fit, &v);
    }
}

bool sl_mapping_fit(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                    SlFit *fit) {
    fit->n = 0;
    if (mapping->n_boundaries != accel->n_levels - 1) {
        SlViolation v = {
            .rule = SL_RULE_LEVELS, .need = mapping->n_boundaries, .have = accel->n_levels - 1};
        add(fit, &v);
        return false;
    }
    SlFootprint foot;
    sl_mapping_footprint(layer, mapping, &foot);
    fit_storage(layer, accel, mapping, &foot, fit);
    for (int s = 0; s <= mapping->n_boundaries; s++) fit_fanout(accel, mapping, &foot, s, fit);
    return fit->n == 0;
}
