// zoo.c - what a user types, found: bundled networks, their layers, inline layers, files.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "network_build.h"
#include "starling/workload.h"

enum { MAX_BUNDLED = 256 };

// ---- what kind of selector ----

// "conv:..."
static bool is_inline(const char *selector) {
    for (int t = 0; t < SL_N_LAYER_TYPES; t++) {
        size_t n = strlen(sl_layer_type_names[t]);
        if (!strncmp(selector, sl_layer_type_names[t], n) && selector[n] == ':') return true;
    }
    return false;
}

// Where the path of a file ends: at the last known ending that is followed by nothing or by ':'.
// Anything else with a '/' is a path as a whole. NULL if the selector is no file.
static const char *path_end(const char *selector) {
    static const char *const endings[] = {".yaml", ".yml", ".json", ".csv", ".m", NULL};
    const char *end = NULL;
    for (int e = 0; endings[e]; e++) {
        const char *at = selector;
        while ((at = strstr(at, endings[e]))) {
            at += strlen(endings[e]);
            if ((*at == ':' || !*at) && (!end || at > end)) end = at;
        }
    }
    return end || !strchr(selector, '/') ? end : selector + strlen(selector);
}

// ---- one layer of a network ----

static SlStatus no_layer(const SlNetwork *net, const char *name, SlArena *arena, SlError *err) {
    int64_t number = 0;
    if (sl_parse_int(name, INT64_MIN, INT64_MAX, &number, NULL) == SL_OK) {
        return sl_fail(err, SL_EINPUT, "%s has no layer %" PRId64 ", its layers are 1 to %d",
                       net->name, number, net->n_layers);
    }
    size_t mark = sl_arena_mark(arena);
    const char **names = SL_NEW(arena, net->n_layers + 1, const char *);
    for (int i = 0; names && i < net->n_layers; i++) names[i] = net->layers[i].name;
    const char *near = names ? sl_nearest_name(name, names) : NULL;
    sl_arena_rewind(arena, mark);
    if (near) {
        return sl_fail(err, SL_EINPUT, "%s has no layer '%.80s' (did you mean '%s'?)", net->name,
                       name, near);
    }
    return sl_fail(err, SL_EINPUT, "%s has no layer '%.80s'; its layers are 1 to %d, %s to %s",
                   net->name, name, net->n_layers, net->layers[0].name,
                   net->layers[net->n_layers - 1].name);
}

// keep one layer; totals of the whole network no longer apply
static SlStatus keep_layer(SlNetwork *net, const char *name, SlArena *arena, SlError *err) {
    if (!name[0])
        return sl_fail(err, SL_EINPUT, "expected the name or number of a layer after '%s:'",
                       net->name);
    int at = sl_network_layer(net, name);
    if (at < 0) return no_layer(net, name, arena, err);
    net->layers[0] = net->layers[at];
    net->n_layers = 1;
    net->published_macs = net->published_params = net->other_params = 0;
    return SL_OK;
}

// ---- the three kinds ----

static SlStatus find_inline(const char *text, SlArena *arena, SlNetwork *net, SlError *err) {
    SlLayer layer;
    SlStatus status = sl_layer_parse(text, &layer, err);
    if (status != SL_OK) return status;
    *net = (SlNetwork){.name = "inline", .n_layers = 1, .layers = SL_NEW(arena, 1, SlLayer)};
    if (!net->layers) return sl_fail(err, SL_ENOMEM, "no memory for a layer");
    net->layers[0] = layer;
    sl_layer_show(&layer, sizeof net->title, net->title);
    return SL_OK;
}

static SlStatus find_file(const char *selector, const char *end, SlArena *arena, SlNetwork *net,
                          SlError *err) {
    const char *path = sl_arena_text(arena, selector, (size_t)(end - selector));
    if (!path) return sl_fail(err, SL_ENOMEM, "no memory for a file name");
    SlStatus status = sl_network_read(path, arena, net, err);
    return status == SL_OK && *end ? keep_layer(net, end + 1, arena, err) : status;
}

static SlStatus no_network(const char *name, SlError *err) {
    const char *names[MAX_BUNDLED];
    sl_bundle_names("networks", MAX_BUNDLED, names);
    const char *near = sl_nearest_name(name, names);
    if (near) {
        return sl_fail(err, SL_EINPUT,
                       "unknown network '%.80s' (did you mean '%s'?); see 'starling list networks'",
                       name, near);
    }
    return sl_fail(err, SL_EINPUT,
                   "unknown network '%.80s'; see 'starling list networks', or give a .yaml, .yml, "
                   ".json, .csv or .m file",
                   name);
}

static SlStatus find_bundled(const char *selector, SlArena *arena, SlNetwork *net, SlError *err) {
    char name[64], file[80];
    size_t n = strcspn(selector, ":");
    const char *layer = selector[n] ? selector + n + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0, selector);
    const SlBundled *bundled = sl_bundle_find("networks", name);
    if (!bundled) {
        // KEY=VALUE behind the colon: a layer type was meant
        if (layer && strchr(layer, '=')) return find_inline(selector, arena, net, err);
        return no_network(n < sizeof name ? name : selector, err);
    }
    snprintf(file, sizeof file, "%s.yaml", name);
    SlStatus status = sl_network_parse(file, bundled->text, bundled->n, arena, net, err);
    return status == SL_OK && layer ? keep_layer(net, layer, arena, err) : status;
}

// ---- all together ----

static SlStatus apply_batch(SlNetwork *net, int64_t batch, SlError *err) {
    sl_network_set_batch(net, batch);
    for (int i = 0; i < net->n_layers; i++) {
        const char *reason = sl_layer_check(&net->layers[i]);
        if (!reason) continue;
        return sl_fail(err, SL_EINPUT, "batch %" PRId64 " is too much for layer '%s': %s", batch,
                       net->layers[i].name, reason);
    }
    return SL_OK;
}

SlStatus sl_workload_find(const char *selector, int64_t batch, SlArena *arena, SlNetwork *net,
                          SlError *err) {
    if (batch < 1 || batch >= SL_MACS_LIMIT)
        return sl_fail(err, SL_EINPUT, "batch %" PRId64 ": expected 1 or more, below 2^53", batch);
    if (!selector[0])
        return sl_fail(err, SL_EINPUT, "expected a network, a layer or a file, got nothing");
    size_t mark = sl_arena_mark(arena);
    const char *end = path_end(selector);
    SlStatus status = SL_OK;
    if (is_inline(selector))
        status = find_inline(selector, arena, net, err);
    else if (end)
        status = find_file(selector, end, arena, net, err);
    else
        status = find_bundled(selector, arena, net, err);
    if (status == SL_OK) status = apply_batch(net, batch, err);
    if (status != SL_OK) sl_arena_rewind(arena, mark);
    return status;
}
