// map_variants.c - --compare and --sensitivity: fixed dataflows and other machines beside the run.
#include <string.h>

#include "map.h"

enum { MOST_LAYERS = 1000000 };

// "all" is 0
static SlStatus read_layers(const char *option, const char *text, int *n, SlError *err) {
    int64_t number = 0;
    *n = 0;
    if (strcmp(text, "all") == 0) return SL_OK;
    if (sl_parse_int(text, 1, MOST_LAYERS, &number, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT, "--%s: expected all or a number of layers, got '%.40s'",
                       option, text);
    *n = (int)number;
    return SL_OK;
}

static SlStatus check(const Map *map, const char *option, const char *text, SlError *err) {
    const SlTaskKind *kind = map->mapped.setup.kind;
    int n;
    if (!text) return SL_OK;
    if (kind != &sl_kind_native)
        return sl_fail(err, SL_EINPUT,
                       "--%s: compares by the native model, so not with --evaluator %.100s", option,
                       map->options->evaluator);
    return read_layers(option, text, &n, err);
}

SlStatus map_variants_check(const Map *map, SlError *err) {
    SlStatus status = check(map, "compare", map->options->compare, err);
    return status == SL_OK ? check(map, "sensitivity", map->options->sensitivity, err) : status;
}

SlStatus map_variants_run(Map *map, SlPool *pool, SlWatch *watch, void *context, SlError *err) {
    const MapOptions *options = map->options;
    SlMapped *mapped = &map->mapped;
    char path[SL_FOLDER_PATH];
    const char *store = map->dir ? path : NULL;
    int n = 0;
    SlStatus status = SL_OK;
    if (map->dir) sl_folder_path(map->dir, SL_FOLDER_STORE, path);
    if (options->compare) {
        status = read_layers("compare", options->compare, &n, err);
        if (status == SL_OK)
            status = sl_variants_styles(mapped, n, map->arena, &map->compared, err);
        mapped->compared = &map->compared;
        if (status == SL_OK)
            status = sl_variants_run(&map->compared, mapped, store, pool, watch, context, err);
    }
    if (!options->sensitivity || status != SL_OK) return status;
    status = read_layers("sensitivity", options->sensitivity, &n, err);
    if (status == SL_OK) status = sl_variants_machines(mapped, n, map->arena, &map->varied, err);
    mapped->sensitivity = &map->varied;
    return status == SL_OK ? sl_variants_run(&map->varied, mapped, store, pool, watch, context, err)
                           : status;
}
