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

// behind the first ".onnx" that is followed by nothing or by ':': layers of a graph may be called
// like files
static const char *graph_end(const char *selector) {
    for (const char *at = selector; (at = strstr(at, ".onnx"));) {
        at += strlen(".onnx");
        if (*at == ':' || !*at) return at;
    }
    return NULL;
}

// Where the path of a file ends: at the last known ending that is followed by nothing or by ':'.
// Anything else with a '/' is a path as a whole. NULL if the selector is no file.
static const char *path_end(const char *selector) {
    static const char *const endings[] = {".yaml", ".yml", ".json", ".csv", ".m", NULL};
    const char *end = graph_end(selector);
    if (end) return end;
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

// Where "KEY=SIZE,KEY=SIZE" ends, if that is what the text begins with and nothing or ':' follows.
// A size is a number; "phase" has a word.
static const char *sizes_end(const char *text) {
    for (;;) {
        size_t key = strcspn(text, "=,");
        if (!key || text[key] != '=') return NULL;
        bool word = key == 5 && !strncmp(text, "phase", 5);
        text += key + 1;
        size_t n = strspn(text, word ? "abcdefghijklmnopqrstuvwxyz" : "0123456789");
        if (!n) return NULL;
        text += n;
        if (!*text || *text == ':') return text;
        if (*text++ != ',') return NULL;
    }
}

// take "[:KEY=SIZE,...][:LAYER]" apart; the layer is all of the rest, NULL if none is named
static SlStatus read_rest(const char *rest, const SlWorkload *workload, SlArena *arena,
                          SlAsked *asked, const char **layer, SlError *err) {
    const char *end = *rest == ':' ? sizes_end(rest + 1) : NULL;
    if (end) {
        asked->selector = sl_arena_text(arena, rest + 1, (size_t)(end - rest - 1));
        if (!asked->selector) return sl_fail(err, SL_ENOMEM, "no memory for sizes");
        rest = end;
    }
    asked->sizes = workload->sizes;
    *layer = *rest == ':' ? rest + 1 : NULL;
    return SL_OK;
}

static SlStatus find_file(const SlWorkload *workload, const char *end, SlArena *arena,
                          SlNetwork *net, SlAsked *asked, SlError *err) {
    const char *path = sl_arena_text(arena, workload->selector, (size_t)(end - workload->selector));
    const char *layer = NULL;
    if (!path) return sl_fail(err, SL_ENOMEM, "no memory for a file name");
    SlStatus status = read_rest(end, workload, arena, asked, &layer, err);
    if (status == SL_OK) status = sl_network_read_asked(path, asked, arena, net, err);
    return status == SL_OK && layer ? keep_layer(net, layer, arena, err) : status;
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
                   ".json, .csv, .m or .onnx file",
                   name);
}

static SlStatus find_bundled(const SlWorkload *workload, SlArena *arena, SlNetwork *net,
                             SlAsked *asked, SlError *err) {
    char name[64], file[80];
    const char *selector = workload->selector, *layer = NULL;
    size_t n = strcspn(selector, ":");
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0, selector);
    const SlBundled *bundled = sl_bundle_find("networks", name);
    if (!bundled) {
        // KEY=VALUE behind the colon: a layer type was meant
        if (selector[n] && strchr(selector + n, '=')) return find_inline(selector, arena, net, err);
        return no_network(n < sizeof name ? name : selector, err);
    }
    snprintf(file, sizeof file, "%s.yaml", name);
    SlStatus status = read_rest(selector + n, workload, arena, asked, &layer, err);
    if (status == SL_OK)
        status = sl_network_parse_asked(file, bundled->text, bundled->n, asked, arena, net, err);
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

static SlStatus find_any(const SlWorkload *workload, SlArena *arena, SlNetwork *net, SlAsked *asked,
                         SlError *err) {
    const char *end = path_end(workload->selector);
    if (is_inline(workload->selector)) {
        if (workload->sizes)
            return sl_fail(err, SL_EINPUT, "an inline layer has no open sizes, got '%.80s'",
                           workload->sizes);
        return find_inline(workload->selector, arena, net, err);
    }
    if (end) return find_file(workload, end, arena, net, asked, err);
    return find_bundled(workload, arena, net, asked, err);
}

SlStatus sl_workload_read(const SlWorkload *workload, SlArena *arena, SlNetwork *net,
                          SlError *err) {
    int64_t batch = workload->batch;
    if (batch < 1 || batch >= SL_MACS_LIMIT)
        return sl_fail(err, SL_EINPUT, "batch %" PRId64 ": expected 1 or more, below 2^53", batch);
    if (!workload->selector[0])
        return sl_fail(err, SL_EINPUT, "expected a network, a layer or a file, got nothing");
    size_t mark = sl_arena_mark(arena);
    SlAsked asked = {.batch = batch, .skip_unsupported = workload->skip_unsupported};
    SlStatus status = find_any(workload, arena, net, &asked, err);
    if (status == SL_OK) status = apply_batch(net, asked.batch, err);
    if (status != SL_OK) sl_arena_rewind(arena, mark);
    return status;
}

SlStatus sl_workload_find(const char *selector, int64_t batch, SlArena *arena, SlNetwork *net,
                          SlError *err) {
    return sl_workload_read(&(SlWorkload){.selector = selector, .batch = batch}, arena, net, err);
}
