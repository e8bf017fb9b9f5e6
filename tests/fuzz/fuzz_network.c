// fuzz_network.c - network files, YAML or CSV by the first byte: a network or one sentence.
#include <assert.h>
#include <string.h>

#include "starling/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlNetwork net;
    SlError err;
    if (n == 0) return 0;
    const char *name = data[0] == '#' ? "fuzz.csv" : "fuzz.yaml";
    sl_arena_init(&arena, 64 << 20);
    if (sl_network_parse(name, (const char *)data, n, &arena, &net, &err) == SL_OK) {
        for (int i = 0; i < net.n_layers; i++) assert(sl_layer_check(&net.layers[i]) == NULL);
    } else {
        assert(err.text[0] && !strchr(err.text, '\n'));
    }
    sl_arena_free(&arena);
    return 0;
}
