// maestro_guard.c - the strict guard: which of MAESTRO's results are physical.
#include <math.h>
#include <stdio.h>

#include "maestro_inside.h"

// ---- multiply-accumulates ----

// Positions at stride 1 of an input that is not cut.
static double positions(int64_t extent, int64_t taps) {
    return extent >= taps ? (double)(extent - taps + 1) : 0;
}

// Positions at stride 1 that the tiles of an axis hold. MAESTRO counts MACs at level 0 alone, so
// how levels inside it cut the axis does not matter.
static double tiled_positions(const SlMaestroModel *model, SlMaestroVar var, int64_t taps) {
    const SlMaestroLevel *level = &model->levels[0];
    const SlMaestroMap *map = &level->maps[level->first[var]];
    int64_t extent = level->dims[var], m = map->size, o = map->offset;
    if (extent <= m) return positions(extent, taps);
    int64_t full = (extent - m) / o + 1;
    return (double)full * positions(m, taps) + positions(extent - full * o, taps);
}

// as MAESTRO would count them if it lost nothing
static double expected_macs(const SlMaestroLayer *shape, const SlMaestroModel *model) {
    const int32_t *dims = model->levels[0].dims;
    double macs = 1;
    for (int c = 0; c < model->n_coupled; c++) {
        SlMaestroVar var = (SlMaestroVar)model->coupled[c];
        bool slides = model->windows && (var == SL_MV_Y || var == SL_MV_X);
        SlMaestroVar filter = var == SL_MV_Y ? SL_MV_R : SL_MV_S;
        if (!slides)
            macs *= dims[var];
        else if (model->stride[var] == 1)
            macs *= dims[var] - dims[filter] + 1;
        else
            macs *= tiled_positions(model, var, dims[filter]);
    }
    // a batch that is coupled to nothing is work all the same
    bool forgotten = model->windows && !shape->batched && shape->size[SL_MV_N] > 1;
    return forgotten ? macs * shape->size[SL_MV_N] : macs;
}

// ---- time ----

static double least_cycles(const SlMaestroHardware *hardware, const SlLayer *layer,
                           const SlMapping *nest) {
    double lanes = hardware->simd_lanes;
    if (!nest) return ceil((double)sl_layer_macs(layer) / (lanes * hardware->num_pes));
    SlCounts counts;
    sl_counts_eval(layer, (SlNet){.multicast = 255, .reduction = 255}, nest, &counts);
    return ceil(counts.cycles / lanes);
}

// ---- the guard ----

static void check(SlMaestroGuard *guard, SlGuardRule rule, double ratio) {
    guard->broken |= (int)rule;
    double excess = ratio > 0 && isfinite(ratio) ? fabs(log(ratio)) : 64;
    guard->excess = fmax(guard->excess, excess);
}

bool sl_maestro_guard(const SlMaestroLayer *shape, const SlMaestroMapping *mapping,
                      const SlMaestroHardware *hardware, const SlMaestroCost *cost,
                      const SlLayer *layer, const SlMapping *nest, SlMaestroGuard *guard) {
    SlMaestroModel model;
    SlMaestroFault fault;
    *guard = (SlMaestroGuard){.macs = (double)cost->macs,
                              .cycles = (double)cost->runtime_cycles,
                              .l1_need = (double)cost->l1_bytes,
                              .l2_need = (double)cost->l2_bytes,
                              .l1_have = hardware->l1_bytes,
                              .l2_have = hardware->l2_bytes};
    if (sl_maestro_build(shape, mapping, hardware, &model, &fault))
        guard->macs_expected = expected_macs(shape, &model);
    guard->cycles_least = least_cycles(hardware, layer, nest);
    if (guard->macs != guard->macs_expected)
        check(guard, SL_GUARD_MACS, guard->macs / guard->macs_expected);
    if (guard->cycles < guard->cycles_least)
        check(guard, SL_GUARD_RUNTIME, guard->cycles_least / guard->cycles);
    if (guard->l1_need > guard->l1_have || guard->l1_need <= 0)
        check(guard, SL_GUARD_L1, guard->l1_need / guard->l1_have);
    if (guard->l2_need > guard->l2_have || guard->l2_need <= 0)
        check(guard, SL_GUARD_L2, guard->l2_need / guard->l2_have);
    return guard->broken == 0;
}

const char *sl_maestro_guard_text(const SlMaestroGuard *guard, SlGuardRule rule, size_t n,
                                  char *out) {
    char a[32], b[32];
    double gap = guard->macs_expected - guard->macs;
    switch (rule) {
    case SL_GUARD_MACS:
        snprintf(out, n, "%s of %s MACs are %s", sl_show_count(fabs(gap), a),
                 sl_show_count(guard->macs_expected, b), gap > 0 ? "missing" : "too many");
        break;
    case SL_GUARD_RUNTIME:
        snprintf(out, n, "%s cycles, but computing alone takes %s", sl_show_count(guard->cycles, a),
                 sl_show_count(guard->cycles_least, b));
        break;
    case SL_GUARD_L1:
        snprintf(out, n, "L1 needs %s B, has %s", sl_show_count(guard->l1_need, a),
                 sl_show_count(guard->l1_have, b));
        break;
    case SL_GUARD_L2:
        snprintf(out, n, "L2 needs %s B, has %s", sl_show_count(guard->l2_need, a),
                 sl_show_count(guard->l2_have, b));
        break;
    }
    return out;
}
