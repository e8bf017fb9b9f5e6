// fuzz_constraints.c - any bytes as a dataflow: refused with a sentence, or a space whose points
// fit.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "starling/mapping.h"

static void require(bool truth) {
    if (!truth) abort();
}

// spaces of a layer under the rules, where they suit
static void try_space(const SlConstraints *constraints, const char *layer_text,
                      const char *accel_name, SlArena *arena) {
    SlLayer layer;
    SlAccel accel;
    require(sl_layer_parse(layer_text, &layer, NULL) == SL_OK);
    require(sl_accel_find(accel_name, arena, &accel, NULL) == SL_OK);
    for (int preset = 0; preset < SL_N_SPACES; preset++) {
        SlSpaceOptions options = {.preset = (SlSpacePreset)preset, .constraints = constraints};
        SlSpace space;
        SlError err = {0};
        SlRng rng;
        size_t mark = sl_arena_mark(arena);
        SlStatus status = sl_space_make(&layer, &accel, &options, arena, &space, &err);
        require(status == SL_OK || err.text[0] != '\0');
        sl_rng_init(&rng, 1, "fuzz");
        for (int i = 0; i < 4 && status == SL_OK; i++) {
            int32_t point[SL_MAX_PARAMS];
            SlMapping mapping;
            SlFit fit;
            sl_space_sample(&space, &rng, point);
            sl_space_mapping(&space, point, true, &mapping);
            require(!sl_mapping_check(&layer, &mapping));
            require(sl_mapping_fit(&layer, &accel, &mapping, &fit));
        }
        sl_arena_rewind(arena, mark);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlConstraints constraints;
    SlError err = {0};
    sl_arena_init(&arena, 64 << 20);
    SlStatus status =
        sl_constraints_parse("fuzz", (const char *)data, n, &arena, &constraints, &err);
    if (status == SL_OK) {
        try_space(&constraints, "conv:N=2,K=20,C=6,P=9,Q=7,R=3,S=3", "eyeriss", &arena);
        try_space(&constraints, "dw:G=5,P=9,Q=7,R=3,S=3", "nvdla", &arena);
    } else {
        require(err.text[0] != '\0' || status == SL_ENOMEM);
    }
    sl_arena_free(&arena);
    return 0;
}
