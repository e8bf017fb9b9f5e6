// 00_price_a_mapping.c - what does this layer cost, mapped like this?
//
// A layer, an accelerator and a mapping are plain values. Reading them may fail, and says why;
// pricing them cannot.
#include <stdio.h>

#include "starling/cost.h"

int main(void) {
    SlArena arena; // scratch memory for reading files; given back at the end
    SlError err;
    SlLayer layer;
    SlAccel accel;
    SlMapping mapping;
    char text[1024];
    sl_arena_init(&arena, 0);

    // a 3x3 convolution, written as on the command line; the bundled Eyeriss-like accelerator; and
    // a nest: loops from the outside in, K:16 = tiles of 16 in time, K*1 = side by side, @7 = a
    // buffer that keeps weights (1), inputs (2) and outputs (4)
    const char *nest = "K:16 C:16 P:7 @7 K*1 P*1 Q:4 C:4 @7 C:1 Q:1 R:1 S:1";
    SlStatus status = sl_layer_parse("conv:K=64,C=64,P=56,Q=56,R=3,S=3", &layer, &err);
    if (status == SL_OK) status = sl_accel_find("eyeriss", &arena, &accel, &err);
    if (status == SL_OK) status = sl_mapping_parse(nest, &mapping, &err);
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", sl_error_text(&err, sizeof text, text));
        return 1;
    }

    // is it a nest of this layer at all? NULL, or the reason why not
    const char *reason = sl_mapping_check(&layer, &mapping);
    if (reason) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }

    // does it fit the accelerator? if not: every inequality that is violated, with its numbers
    SlFit fit;
    sl_mapping_fit(&layer, &accel, &mapping, &fit);
    for (int i = 0; i < fit.n; i++)
        printf("%s\n", sl_violation_text(&accel, &fit.list[i], sizeof text, text));

    // the price: about two microseconds, no allocation, from any thread
    SlCost cost;
    sl_cost_eval(&layer, &accel, &mapping, &cost);
    printf("%.0f MACs in %.0f cycles, bound by %s\n", cost.counts.macs, cost.latency_cycles,
           sl_binder_text(&accel, cost.binder, sizeof text, text));
    printf("%.1f uJ, %.0f words read from DRAM\n", cost.energy_pj * 1e-6, cost.reads[0]);

    sl_arena_free(&arena);
    return 0;
}
