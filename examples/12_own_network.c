// 12_own_network.c - networks of one's own: from a file, such as an ONNX model, or from text.
//
// A decoder is described by its sizes; a file may be YAML, CSV, ONNX or MAESTRO's. Both come as a
// list of layers, of which equal ones need to be mapped only once.
#include <stdio.h>
#include <string.h>

#include "starling/workload.h"

static const char text[] = "network: tiny\n"
                           "transformer: {blocks: 2, width: 64, heads: 4, feed_forward: 256}\n";

int main(int n_words, char **words) {
    SlArena arena;
    SlError err;
    SlNetwork net;
    char line[1024], shape[384];
    int first[SL_NETWORK_MAX_LAYERS];
    sl_arena_init(&arena, 0);

    // ./own_network model.onnx; files with open sizes want "model.onnx:batch=1" and
    // sl_workload_find
    SlStatus status = n_words > 1
                          ? sl_network_read(words[1], &arena, &net, &err)
                          : sl_network_parse("tiny.yaml", text, strlen(text), &arena, &net, &err);
    if (status != SL_OK) {
        fprintf(stderr, "%s\n", sl_error_text(&err, sizeof line, line));
        return 1;
    }
    printf("%s: %d layers, %d of them different\n", net.name, net.n_layers,
           sl_network_distinct(&net, first));
    for (int i = 0; i < net.n_layers; i++) {
        if (first[i] != i) continue;
        printf("%-20s %12lld MACs  %s\n", net.layers[i].name,
               (long long)sl_layer_macs(&net.layers[i]),
               sl_layer_show(&net.layers[i], sizeof shape, shape));
    }
    sl_arena_free(&arena);
    return 0;
}
