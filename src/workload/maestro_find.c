// maestro_find.c - words that name a .m file or a layer of one.
#include <string.h>

#include "starling/workload/maestro_file.h"

// behind the last ".m" with nothing or a ':' after it
const char *sl_maestro_path_end(const char *word) {
    const char *end = NULL;
    for (const char *at = word; (at = strstr(at, ".m"));) {
        at += 2;
        if (*at == ':' || !*at) end = at;
    }
    return end;
}

int sl_maestro_find_layer(const SlMaestroNetwork *net, const char *name) {
    int64_t number = 0;
    for (int i = 0; i < net->n_layers; i++)
        if (strcmp(net->layers[i].name, name) == 0) return i;
    bool found = sl_parse_int(name, 1, net->n_layers, &number, NULL) == SL_OK;
    return found ? (int)number - 1 : -1;
}
