// fuzz_maestro.c - MAESTRO's .m files: whatever is read writes back the same, its layers are layers
// and have a shape again.
#include <assert.h>
#include <string.h>

#include "starling/workload/maestro_file.h"

static void check_again(const SlMaestroNetwork *net, SlArena *arena) {
    SlText text;
    SlMaestroNetwork again;
    SlError err;
    sl_text_init(&text, arena);
    sl_maestro_write(net, &text);
    assert(!text.failed);
    SlStatus status = sl_maestro_parse("again", text.data, text.n, arena, &again, &err);
    assert(status == SL_OK && again.n_layers == net->n_layers && !strcmp(again.name, net->name));
    (void)status;
    size_t n = (size_t)net->n_layers;
    assert(!memcmp(net->layers, again.layers, n * sizeof *net->layers));
    assert(!memcmp(net->mappings, again.mappings, n * sizeof *net->mappings));
}

// A filter of one tap is handed over at stride 1: the same outputs, without the rows nobody reads.
static void without_idle_strides(SlLayer *layer) {
    if (layer->dims[SL_R] == 1) layer->stride[0] = 1;
    if (layer->dims[SL_S] == 1) layer->stride[1] = 1;
}

static void check_layer(const SlMaestroLayer *shape) {
    SlLayer layer, again;
    SlMaestroLayer back;
    if (sl_maestro_layer(shape, &layer)) return;
    assert(!sl_layer_check(&layer));
    if (sl_maestro_shape(&layer, &back)) return;
    const char *reason = sl_maestro_layer(&back, &again);
    without_idle_strides(&layer);
    assert(!reason && sl_layer_same(&layer, &again));
    (void)reason;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlMaestroNetwork net;
    SlNetwork layers;
    SlError err;
    const char *text = (const char *)data;
    sl_arena_init(&arena, 64 << 20);
    if (sl_maestro_parse("fuzz", text, n, &arena, &net, &err) == SL_OK) {
        check_again(&net, &arena);
        for (int i = 0; i < net.n_layers; i++) check_layer(&net.layers[i]);
    } else {
        assert(err.text[0] && !strchr(err.text, '\n'));
    }
    if (sl_network_parse("fuzz.m", text, n, &arena, &layers, &err) == SL_OK) {
        for (int i = 0; i < layers.n_layers; i++)
            assert(sl_network_layer(&layers, layers.layers[i].name) == i);
    }
    sl_arena_free(&arena);
    return 0;
}
