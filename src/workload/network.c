// network.c - a list of layers: reading it from a file, finding and comparing its layers.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layer_keys.h"
#include "network_build.h"

// ---- building ----

SlStatus sl_builder_init(SlNetworkBuilder *builder, int room, SlArena *arena, SlArena *scratch,
                         SlNetwork *net, SlError *err) {
    assert(room <= SL_NETWORK_MAX_LAYERS);
    *builder = (SlNetworkBuilder){.net = net, .room = room, .n_slots = 16};
    while (builder->n_slots < 2 * room) builder->n_slots *= 2;
    net->n_layers = 0;
    net->layers = SL_NEW(arena, room, SlLayer);
    builder->slots = SL_NEW(scratch, builder->n_slots, int);
    if (net->layers && builder->slots) return SL_OK;
    return sl_fail(err, SL_ENOMEM, "no memory for a network of %d layers", room);
}

// FNV-1a, 32 bits
static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 16777619u;
    return hash;
}

// the slot of a name: where it is, or the free one where it belongs
static int *find_slot(const SlNetworkBuilder *builder, const char *name) {
    uint32_t mask = (uint32_t)builder->n_slots - 1;
    uint32_t at = hash_name(name) & mask;
    while (builder->slots[at]) {
        if (!strcmp(builder->net->layers[builder->slots[at] - 1].name, name)) break;
        at = (at + 1) & mask;
    }
    return &builder->slots[at];
}

SlStatus sl_builder_add(SlNetworkBuilder *builder, const SlLayer *layer, SlError *err) {
    SlNetwork *net = builder->net;
    if (net->n_layers == builder->room)
        return sl_fail(err, SL_EINPUT, "a network has at most %d layers", SL_NETWORK_MAX_LAYERS);
    SlLayer *place = &net->layers[net->n_layers];
    *place = *layer;
    if (!place->name[0]) snprintf(place->name, sizeof place->name, "layer%d", net->n_layers + 1);
    int *slot = find_slot(builder, place->name);
    if (*slot) {
        return sl_fail(err, SL_EINPUT, "the name '%s' is taken by layer %d", place->name, *slot);
    }
    *slot = ++net->n_layers;
    return SL_OK;
}

// ---- reading ----

static bool ends_with(const char *text, const char *ending) {
    size_t n = strlen(text), m = strlen(ending);
    return n >= m && !strcmp(text + n - m, ending);
}

// "nets/my net.yaml" -> "my_net": the file's own name without its ending, as a name
static void name_after_file(const char *path, char name[static 64]) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t n = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    if (n > 63) n = 63;
    for (size_t i = 0; i < n; i++) {
        char one[2] = {base[i], 0};
        bool plain = !sl_name_check(one) && (unsigned char)base[i] < 0x80;
        name[i] = plain ? base[i] : '_';
    }
    name[n] = 0;
    if (!n) snprintf(name, 64, "network");
}

SlStatus sl_batch_twice(int64_t selector, int64_t option, SlError *err) {
    return sl_fail(err, SL_EINPUT, "the batch is given twice: batch=%" PRId64 " and %" PRId64,
                   selector, option);
}

// of networks whose sizes are fixed, batch= is the only one that may be asked for
static SlStatus take_batch(const char *name, SlAsked *asked, SlError *err) {
    int64_t batch = 1;
    if (asked->sizes)
        return sl_fail(err, SL_EINPUT, "%.80s has no open sizes, got '%.80s'", name, asked->sizes);
    if (!asked->selector) return SL_OK;
    if (strncmp(asked->selector, "batch=", 6) != 0)
        return sl_fail(err, SL_EINPUT, "%.80s has no open size but batch, got '%.80s'", name,
                       asked->selector);
    SlStatus status = sl_parse_int(asked->selector + 6, 1, SL_MACS_LIMIT - 1, &batch, err);
    if (status == SL_OK && asked->batch != 1) status = sl_batch_twice(batch, asked->batch, err);
    asked->batch = batch;
    return status;
}

static SlStatus parse_any(const SlNetworkText *in, SlArena *arena, SlNetwork *net, SlError *err) {
    if (ends_with(in->name, ".onnx")) return sl_network_from_onnx(in, arena, net, err);
    if (ends_with(in->name, ".m")) return sl_network_from_maestro(in, arena, net, err);
    if (!ends_with(in->name, ".csv")) return sl_network_from_yaml(in, arena, net, err);
    if (sl_network_is_gamma(in)) return sl_network_from_gamma(in, arena, net, err);
    return sl_network_from_csv(in, arena, net, err);
}

SlStatus sl_network_parse_asked(const char *name, const char *text, size_t n, SlAsked *asked,
                                SlArena *arena, SlNetwork *net, SlError *err) {
    *net = (SlNetwork){0};
    name_after_file(name, net->name);
    SlArena scratch;
    sl_arena_init(&scratch, arena->limit);
    size_t mark = sl_arena_mark(arena);
    const SlNetworkText in = {name, text, n, &scratch, asked};
    SlStatus status = parse_any(&in, arena, net, err);
    if (status == SL_OK && !asked->taken) status = take_batch(net->name, asked, err);
    if (status != SL_OK) sl_arena_rewind(arena, mark);
    sl_arena_free(&scratch);
    return status;
}

SlStatus sl_network_parse(const char *name, const char *text, size_t n, SlArena *arena,
                          SlNetwork *net, SlError *err) {
    SlAsked nothing = {.batch = 1};
    return sl_network_parse_asked(name, text, n, &nothing, arena, net, err);
}

static SlStatus read_graph(const char *path, SlAsked *asked, SlArena *arena, SlNetwork *net,
                           SlError *err) {
    size_t mark = sl_arena_mark(arena);
    *net = (SlNetwork){0};
    name_after_file(path, net->name);
    SlStatus status = sl_network_map_onnx(path, asked, arena, net, err);
    if (status != SL_OK) sl_arena_rewind(arena, mark);
    return status;
}

SlStatus sl_network_read_asked(const char *path, SlAsked *asked, SlArena *arena, SlNetwork *net,
                               SlError *err) {
    if (ends_with(path, ".onnx")) return read_graph(path, asked, arena, net, err);
    SlArena scratch;
    sl_arena_init(&scratch, arena->limit);
    char *text = NULL;
    size_t n = 0;
    SlStatus status = sl_file_read(path, SL_TREE_MAX_BYTES, &scratch, &text, &n, err);
    if (status == SL_OK) status = sl_network_parse_asked(path, text, n, asked, arena, net, err);
    sl_arena_free(&scratch);
    return status;
}

SlStatus sl_network_read(const char *path, SlArena *arena, SlNetwork *net, SlError *err) {
    SlAsked nothing = {.batch = 1};
    return sl_network_read_asked(path, &nothing, arena, net, err);
}

// ---- using ----

int sl_network_distinct(const SlNetwork *net, int *first) {
    int n_distinct = 0;
    for (int i = 0; i < net->n_layers; i++) {
        first[i] = i;
        for (int j = 0; j < i; j++) {
            // earlier copies were compared through their first one
            if (first[j] != j || !sl_layer_same(&net->layers[i], &net->layers[j])) continue;
            first[i] = j;
            break;
        }
        n_distinct += first[i] == i;
    }
    return n_distinct;
}

int sl_network_layer(const SlNetwork *net, const char *name) {
    for (int i = 0; i < net->n_layers; i++) {
        if (!strcmp(net->layers[i].name, name)) return i;
    }
    int64_t number = 0;
    if (sl_parse_int(name, 1, net->n_layers, &number, NULL) != SL_OK) return -1;
    return (int)number - 1;
}

// a * b, at most the limit that no layer may reach
static int64_t multiply_capped(int64_t a, int64_t b) {
    return a > SL_MACS_LIMIT / b ? SL_MACS_LIMIT : a * b;
}

void sl_network_set_batch(SlNetwork *net, int64_t n) {
    assert(n >= 1);
    for (int i = 0; i < net->n_layers; i++) {
        SlLayer *layer = &net->layers[i];
        // both operands of a batched product are activations, so each sample brings its own
        SlDim dim = layer->type == SL_BMM ? SL_G : SL_N;
        layer->dims[dim] = multiply_capped(layer->dims[dim], n);
    }
    net->published_macs = multiply_capped(net->published_macs, n);
}
