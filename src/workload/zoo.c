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

// What stands behind the name of a network, and what the options say.
typedef struct {
    const char *sizes, *dims, *layer; // behind the name, of the caller; NULL = not given
    int64_t batch;
    bool skip_unsupported;
} Request;

// Where "KEY=SIZE,KEY=SIZE" ends, if that is what the text begins with and nothing or ':' follows.
static const char *sizes_end(const char *text) {
    for (;;) {
        size_t key = strcspn(text, "=,");
        if (!key || text[key] != '=') return NULL;
        text += key + 1;
        size_t digits = strspn(text, "0123456789");
        if (!digits) return NULL;
        text += digits;
        if (!*text || *text == ':') return text;
        if (*text++ != ',') return NULL;
    }
}

// take "[:KEY=SIZE,...][:LAYER]" apart; the layer is all of the rest
static SlStatus read_rest(const char *rest, const SlWorkload *workload, SlArena *arena,
                          Request *request, SlError *err) {
    const char *end = *rest == ':' ? sizes_end(rest + 1) : NULL;
    *request = (Request){.dims = workload->sizes,
                         .batch = workload->batch,
                         .skip_unsupported = workload->skip_unsupported};
    if (end) {
        request->sizes = sl_arena_text(arena, rest + 1, (size_t)(end - rest - 1));
        if (!request->sizes) return sl_fail(err, SL_ENOMEM, "no memory for sizes");
        rest = end;
    }
    if (*rest == ':') request->layer = rest + 1;
    return SL_OK;
}

// of networks that are no graphs, batch= is the only size
static SlStatus take_batch(const char *name, Request *request, SlError *err) {
    const char *sizes = request->sizes;
    int64_t batch = 0;
    if (request->dims)
        return sl_fail(err, SL_EINPUT, "%.80s has no open sizes, got '%.80s'", name, request->dims);
    if (!sizes) return SL_OK;
    if (strncmp(sizes, "batch=", 6) != 0)
        return sl_fail(err, SL_EINPUT, "%.80s has no open size but batch, got '%.80s'", name,
                       sizes);
    SlStatus status = sl_parse_int(sizes + 6, 1, SL_MACS_LIMIT - 1, &batch, err);
    if (status == SL_OK && request->batch != 1)
        status = sl_fail(err, SL_EINPUT, "the batch is given twice: batch=%" PRId64 " and %" PRId64,
                         batch, request->batch);
    request->batch = batch;
    request->sizes = NULL;
    return status;
}

static SlStatus find_file(const SlWorkload *workload, const char *end, SlArena *arena,
                          SlNetwork *net, Request *request, SlError *err) {
    const char *path = sl_arena_text(arena, workload->selector, (size_t)(end - workload->selector));
    if (!path) return sl_fail(err, SL_ENOMEM, "no memory for a file name");
    SlStatus status = read_rest(end, workload, arena, request, err);
    bool graph = end == graph_end(workload->selector);
    if (status == SL_OK && !graph) status = take_batch(path, request, err);
    if (status != SL_OK) return status;
    int64_t batch = 0;
    const SlGraphOptions options = {request->dims, request->sizes, request->skip_unsupported,
                                    &batch};
    status = graph ? sl_network_read_graph(path, &options, arena, net, err)
                   : sl_network_read(path, arena, net, err);
    if (status == SL_OK && batch && request->batch != 1)
        return sl_fail(err, SL_EINPUT, "the batch is given twice: batch=%" PRId64 " and %" PRId64,
                       batch, request->batch);
    if (batch) request->batch = batch;
    return status == SL_OK && request->layer ? keep_layer(net, request->layer, arena, err) : status;
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
                             Request *request, SlError *err) {
    char name[64], file[80];
    const char *selector = workload->selector;
    size_t n = strcspn(selector, ":");
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0, selector);
    const SlBundled *bundled = sl_bundle_find("networks", name);
    if (!bundled) {
        // KEY=VALUE behind the colon: a layer type was meant
        if (selector[n] && strchr(selector + n, '=')) return find_inline(selector, arena, net, err);
        return no_network(n < sizeof name ? name : selector, err);
    }
    SlStatus status = read_rest(selector + n, workload, arena, request, err);
    if (status == SL_OK) status = take_batch(name, request, err);
    if (status != SL_OK) return status;
    snprintf(file, sizeof file, "%s.yaml", name);
    status = sl_network_parse(file, bundled->text, bundled->n, arena, net, err);
    return status == SL_OK && request->layer ? keep_layer(net, request->layer, arena, err) : status;
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

static SlStatus find_any(const SlWorkload *workload, SlArena *arena, SlNetwork *net,
                         Request *request, SlError *err) {
    const char *end = path_end(workload->selector);
    if (is_inline(workload->selector)) {
        SlStatus status = find_inline(workload->selector, arena, net, err);
        return status == SL_OK ? take_batch("an inline layer", request, err) : status;
    }
    if (end) return find_file(workload, end, arena, net, request, err);
    return find_bundled(workload, arena, net, request, err);
}

SlStatus sl_workload_read(const SlWorkload *workload, SlArena *arena, SlNetwork *net,
                          SlError *err) {
    int64_t batch = workload->batch;
    if (batch < 1 || batch >= SL_MACS_LIMIT)
        return sl_fail(err, SL_EINPUT, "batch %" PRId64 ": expected 1 or more, below 2^53", batch);
    if (!workload->selector[0])
        return sl_fail(err, SL_EINPUT, "expected a network, a layer or a file, got nothing");
    size_t mark = sl_arena_mark(arena);
    Request request = {.dims = workload->sizes, .batch = batch};
    SlStatus status = find_any(workload, arena, net, &request, err);
    if (status == SL_OK) status = apply_batch(net, request.batch, err);
    if (status != SL_OK) sl_arena_rewind(arena, mark);
    return status;
}

SlStatus sl_workload_find(const char *selector, int64_t batch, SlArena *arena, SlNetwork *net,
                          SlError *err) {
    return sl_workload_read(&(SlWorkload){.selector = selector, .batch = batch}, arena, net, err);
}
