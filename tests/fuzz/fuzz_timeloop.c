// fuzz_timeloop.c - Timeloop documents: whatever is read is a nest of the layer, and what is
// written of it reads back as the same nest.
#include <assert.h>
#include <string.h>

#include "starling/mapping.h"

// a machine with as many levels as the nest has
static void machine_of(const SlMapping *mapping, SlAccel *accel) {
    *accel = (SlAccel){.name = "fuzz", .n_levels = mapping->n_boundaries + 1, .clock_mhz = 1000};
    for (int l = 0; l < accel->n_levels; l++) {
        SlLevel *level = &accel->levels[l];
        *level = (SlLevel){.capacity_bytes = l ? 1 << 16 : 0, .keep = SL_KEEP_ALL};
        memcpy(level->name, (char[]){'a', '.', (char)('0' + l), '\0'}, 4);
        accel->fanouts[l] = (SlFanout){.n_axes = 1, .multicast = true, .reduction = l % 2 != 0};
        accel->fanouts[l].axes[0] = (SlAxis){.name = "x", .size = 16, .dims = SL_SPREAD_ALL};
    }
    for (int t = 0; t < SL_N_TENSORS; t++) accel->word_bytes[t] = 1;
}

static void write_back(const SlLayer *layer, const SlMapping *mapping, SlArena *arena) {
    SlAccel accel;
    SlText text;
    SlMapping again;
    SlError err;
    machine_of(mapping, &accel);
    sl_text_init(&text, arena);
    if (sl_timeloop_write(layer, &accel, mapping, &text)) {
        assert(text.n == 0);
        return;
    }
    assert(sl_timeloop_looks_like(text.data, text.n));
    SlStatus status =
        sl_timeloop_parse("again", text.data, text.n, layer, &accel, arena, &again, &err);
    assert(status == SL_OK);
    (void)status;
    assert(memcmp(mapping, &again, sizeof again) == 0);
}

// the layer is that of the seeds
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlLayer layer;
    SlMapping mapping;
    SlError err;
    const char *text = (const char *)data;
    sl_layer_init(&layer);
    layer.dims[SL_K] = 24;
    layer.dims[SL_C] = 8;
    layer.dims[SL_P] = layer.dims[SL_Q] = 14;
    layer.dims[SL_R] = layer.dims[SL_S] = 3;
    sl_arena_init(&arena, 64 << 20);
    (void)sl_timeloop_looks_like(text, n);
    if (sl_timeloop_parse("fuzz", text, n, &layer, NULL, &arena, &mapping, &err) == SL_OK) {
        assert(!sl_mapping_check(&layer, &mapping));
        write_back(&layer, &mapping, &arena);
    }
    sl_arena_free(&arena);
    return 0;
}
