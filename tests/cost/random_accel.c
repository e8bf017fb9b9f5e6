// random_accel.c - see random_accel.h.
#include "random_accel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "count_fields.h"

// words per cycle: infinite, a whole number, or any
static double sample_rate(SlRng *rng) {
    uint64_t kind = sl_rng_below(rng, 5);
    if (kind == 0) return INFINITY;
    if (kind == 1) return sl_rng_uniform(rng) * 10 + 0.1;
    return (double)sl_rng_range(rng, 1, 64);
}

static void sample_level(SlRng *rng, int l, SlLevel *level) {
    *level = (SlLevel){
        .capacity_bytes = l == 0 ? 0 : sl_rng_range(rng, 1, 4) << 40,
        .keep = SL_KEEP_ALL,
        .buffering = l == 0 ? SL_BUFFER_DOUBLE : (SlBuffering)sl_rng_below(rng, 3),
        .port_words = sample_rate(rng),
        .link_words = l == 0 ? INFINITY : sample_rate(rng),
        .read_pj = sl_rng_uniform(rng) * 200,
        .write_pj = sl_rng_uniform(rng) * 200,
        .link_pj = l == 0 ? 0 : sl_rng_uniform(rng) * 3,
        .area_um2_per_byte = l == 0 ? 0 : sl_rng_uniform(rng) * 5,
    };
    snprintf(level->name, sizeof level->name, "level%d", l);
}

void accel_sample(SlRng *rng, const Case *c, SlAccel *out) {
    SlFootprint footprint;
    sl_mapping_footprint(&c->layer, &c->mapping, &footprint);
    *out = (SlAccel){.name = "random", .n_levels = c->mapping.n_boundaries + 1};
    int64_t above = 1; // instances of level l
    for (int l = 0; l < out->n_levels; l++) {
        sample_level(rng, l, &out->levels[l]);
        SlFanout *fanout = &out->fanouts[l];
        int64_t size = footprint.grid[l] / above * sl_rng_range(rng, 1, 3);
        above = footprint.grid[l];
        fanout->n_axes = 1;
        fanout->axes[0] = (SlAxis){.name = "x", .size = size, .dims = SL_SPREAD_ALL};
        fanout->multicast = c->net.multicast >> l & 1;
        fanout->reduction = c->net.reduction >> l & 1;
    }
    for (int t = 0; t < SL_N_TENSORS; t++) out->word_bytes[t] = (double)sl_rng_range(rng, 1, 4);
    out->mac_pj = sl_rng_uniform(rng) * 2;
    out->mac_area_um2 = sl_rng_uniform(rng) * 1000;
    out->clock_mhz = (double)sl_rng_range(rng, 100, 2000);
}

void priced_case_sample(SlRng *rng, int64_t max_macs, Case *c, SlAccel *accel) {
    do {
        case_sample(rng, max_macs, c);
    } while (c->mapping.n_boundaries == 0);
    accel_sample(rng, c, accel);
}

// --- comparing costs

typedef struct {
    const char *name;
    size_t offset;
    bool per_level;
} CostField;

#define PER_LEVEL(what)                                                                            \
    { #what, offsetof(SlCost, what), true }
#define ALONE(what)                                                                                \
    { #what, offsetof(SlCost, what), false }

static const CostField cost_fields[] = {
    PER_LEVEL(reads),      PER_LEVEL(writes),     PER_LEVEL(port),     PER_LEVEL(link),
    PER_LEVEL(need_bytes), ALONE(latency_cycles), ALONE(ramp_cycles),  ALONE(energy_pj),
    ALONE(power_mw),       ALONE(area_um2),       ALONE(area_min_um2), ALONE(utilisation),
};

const char *cost_differs(const SlCost *got, const SlCost *want, size_t n, char *out) {
    if (counts_differ(&got->counts, &want->counts, false, n, out)) return out;
    for (size_t i = 0; i < sizeof cost_fields / sizeof *cost_fields; i++) {
        const CostField *field = &cost_fields[i];
        for (int l = 0; l < (field->per_level ? want->counts.n_levels : 1); l++) {
            size_t at = field->offset + (size_t)l * sizeof(double);
            double a, b;
            memcpy(&a, (const char *)got + at, sizeof a);
            memcpy(&b, (const char *)want + at, sizeof b);
            if (memcmp(&a, &b, sizeof a) == 0) continue;
            snprintf(out, n, "%s[%d]: %.17g, must be %.17g", field->name, l, a, b);
            return out;
        }
    }
    if (got->binder.kind == want->binder.kind &&
        (got->binder.kind == SL_BIND_COMPUTE || got->binder.level == want->binder.level))
        return NULL;
    snprintf(out, n, "binder: %d at %d, must be %d at %d", got->binder.kind, got->binder.level,
             want->binder.kind, want->binder.level);
    return out;
}
