// fuzz_onnx.c - ONNX files: whatever is read has layers that are layers, names that find them, and
// the same layers the second time; whatever is not gets one sentence.
#include <assert.h>
#include <string.h>

#include "workload/network_build.h"

enum { LIMIT = 512 << 20 }; // bytes per input

static void check_network(const SlNetwork *net) {
    assert(net->n_layers >= 1 && net->n_layers <= SL_NETWORK_MAX_LAYERS);
    for (int i = 0; i < net->n_layers; i++) {
        const SlLayer *layer = &net->layers[i];
        assert(!sl_layer_check(layer) && layer->name[0] && !strchr(layer->name, '\n'));
        assert(sl_network_layer(net, layer->name) == i);
    }
    for (int i = 0; i < net->n_skipped; i++) assert(!strchr(net->skipped[i], '\n'));
}

static SlStatus read_once(const uint8_t *data, size_t n, SlAsked asked, SlArena *arena,
                          SlNetwork *net) {
    SlArena scratch;
    SlError err = {0};
    sl_arena_init(&scratch, LIMIT);
    *net = (SlNetwork){0};
    const SlNetworkText in = {"fuzz.onnx", (const char *)data, n, &scratch, &asked};
    SlStatus status = sl_network_from_onnx(&in, arena, net, &err);
    if (status == SL_OK) check_network(net);
    assert(status == SL_OK || (err.text[0] && !strchr(err.text, '\n')));
    sl_arena_free(&scratch);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    // every open size that the seeds have; what a mutant calls otherwise is refused
    const SlAsked strict = {.batch = 1};
    const SlAsked open = {.sizes = "batch=2,rows=30", .skip_unsupported = true, .batch = 1};
    SlArena arena;
    SlNetwork net, again;
    sl_arena_init(&arena, LIMIT);
    read_once(data, n, strict, &arena, &net);
    const SlAsked lenient = {.skip_unsupported = true, .batch = 1};
    SlStatus status = read_once(data, n, lenient, &arena, &net);
    if (status != SL_OK) status = read_once(data, n, open, &arena, &net);
    if (status == SL_OK && read_once(data, n, lenient, &arena, &again) == SL_OK) {
        assert(net.n_layers == again.n_layers);
        for (int i = 0; i < net.n_layers; i++) {
            assert(sl_layer_same(&net.layers[i], &again.layers[i]));
            assert(!strcmp(net.layers[i].name, again.layers[i].name));
        }
    }
    sl_arena_free(&arena);
    return 0;
}
