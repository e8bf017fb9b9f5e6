// transformer.c - decoders as parametrised networks: phase=prefill,seq=N or phase=decode,kv=N, and
// batch=N.
//
// Of a prompt every position is computed, of a generated word one. Query heads that share keys and
// values are a batch over them. Of E experts, of which a word uses k, T words are expected to read
// E (1 - (1 - k/E)^T) distinct ones; the words are spread over these as evenly as can be.
#include "transformer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "layer_keys.h"

// ---- the document ----

static SlStatus check_model(const SlNode *map, const SlTransformer *model, SlError *err) {
    if (model->heads % model->kv_heads)
        return sl_node_fail(map, err, "transformer: heads is no multiple of kv_heads");
    if (model->used > model->experts)
        return sl_node_fail(map, err, "transformer: more experts are used than there are");
    return SL_OK;
}

SlStatus sl_transformer_read(const SlNode *map, SlTransformer *model, SlError *err) {
    static const char *const keys[] = {"blocks",     "width",     "heads",   "feed_forward",
                                       "kv_heads",   "head_size", "experts", "used",
                                       "vocabulary", "gated",     NULL};
    enum { N_NEEDED = 4, N_WHOLE = 9 };
    int64_t *const fields[N_WHOLE] = {&model->blocks,       &model->width,    &model->heads,
                                      &model->feed_forward, &model->kv_heads, &model->head_size,
                                      &model->experts,      &model->used,     &model->vocabulary};
    *model = (SlTransformer){.experts = 1, .used = 1};
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "transformer", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    for (int i = 0; i < N_WHOLE && status == SL_OK; i++) {
        const SlNode *node = sl_node_get(map, keys[i]);
        if (i < N_NEEDED) status = sl_node_need(map, keys[i], &node, err);
        // all products of three of them stay below 2^63
        if (status == SL_OK && node) status = sl_node_int(node, 1, 1 << 20, fields[i], err);
    }
    const SlNode *gated = sl_node_get(map, "gated");
    if (status == SL_OK && gated) status = sl_node_bool(gated, &model->gated, err);
    if (status != SL_OK) return status;
    if (!model->kv_heads) model->kv_heads = model->heads;
    if (!model->head_size) model->head_size = model->width / model->heads;
    if (!model->head_size) model->head_size = 1;
    return check_model(map, model, err);
}

// ---- the sizes ----

typedef struct {
    bool decode;
    int64_t seq, kv, batch; // 0 = not given
    bool usual;             // published totals are of a prompt of the usual length
} Sizes;

static SlStatus read_item(const char *item, size_t n, Sizes *sizes, SlError *err) {
    char text[64];
    snprintf(text, sizeof text, "%.*s", n < sizeof text ? (int)n : 0, item);
    char *value = strchr(text, '=');
    if (!value) return sl_fail(err, SL_EINPUT, "sizes: expected NAME=SIZE, got '%.60s'", item);
    *value++ = 0;
    bool decode = strcmp(value, "decode") == 0;
    if (strcmp(text, "phase") == 0) {
        if (!decode && strcmp(value, "prefill") != 0)
            return sl_fail(err, SL_EINPUT, "phase: expected prefill or decode, got '%s'", value);
        sizes->decode = decode;
        return SL_OK;
    }
    int64_t *field = strcmp(text, "seq") == 0     ? &sizes->seq
                     : strcmp(text, "kv") == 0    ? &sizes->kv
                     : strcmp(text, "batch") == 0 ? &sizes->batch
                                                  : NULL;
    if (!field)
        return sl_fail(err, SL_EINPUT, "no size is called '%s', expected phase, seq, kv, batch",
                       text);
    if (*field) return sl_fail(err, SL_EINPUT, "the size of %s is given twice", text);
    SlError why;
    if (sl_parse_int(value, 1, 1 << 30, field, &why) == SL_OK) return SL_OK;
    return sl_fail(err, SL_EINPUT, "the size of %s: %s", text, why.text);
}

static SlStatus read_list(const char *text, Sizes *sizes, SlError *err) {
    SlStatus status = SL_OK;
    while (text && *text && status == SL_OK) {
        size_t n = strcspn(text, ",");
        status = read_item(text, n, sizes, err);
        text += n + (text[n] == ',');
    }
    return status;
}

static SlStatus read_sizes(SlAsked *asked, Sizes *sizes, SlError *err) {
    *sizes = (Sizes){0};
    SlStatus status = read_list(asked->selector, sizes, err);
    if (status == SL_OK) status = read_list(asked->sizes, sizes, err);
    if (status != SL_OK) return status;
    if (sizes->decode && sizes->seq)
        return sl_fail(err, SL_EINPUT, "phase=decode has kv=, the positions seen, and no seq=");
    if (sizes->batch && asked->batch != 1) return sl_batch_twice(sizes->batch, asked->batch, err);
    if (!sizes->batch) sizes->batch = asked->batch;
    asked->batch = 1;
    asked->taken = true;
    sizes->usual = !sizes->decode && !sizes->seq && !sizes->kv;
    if (sizes->decode) {
        sizes->seq = 1;
        if (!sizes->kv) sizes->kv = 2048;
        return SL_OK;
    }
    // what was cached before comes on top of the prompt
    if (!sizes->seq) sizes->seq = 2048;
    sizes->kv += sizes->seq;
    return SL_OK;
}

// ---- the layers ----

typedef struct {
    const SlTransformer *model;
    Sizes sizes;
    SlNetworkBuilder *builder;
    SlError *err;
    SlStatus status; // of the first layer that could not be added
    int64_t block;   // from 1, 0 = behind the blocks
} Build;

static void add(Build *build, const char *name, SlLayer layer) {
    if (build->status != SL_OK) return;
    if (build->block)
        snprintf(layer.name, sizeof layer.name, "block%" PRId64 "_%s", build->block, name);
    else
        snprintf(layer.name, sizeof layer.name, "%s", name);
    const char *reason = sl_layer_check(&layer);
    build->status = reason ? sl_fail(build->err, SL_EINPUT, "layer '%s': %s", layer.name, reason)
                           : sl_builder_add(build->builder, &layer, build->err);
}

// every position of every sample times a weight (inputs, outputs)
static void add_weight(Build *build, const char *name, int64_t outputs, int64_t inputs) {
    SlLayer layer;
    sl_layer_init(&layer);
    layer.type = SL_GEMM;
    layer.dims[SL_N] = build->sizes.batch;
    layer.dims[SL_P] = build->sizes.seq;
    layer.dims[SL_K] = outputs;
    layer.dims[SL_C] = inputs;
    add(build, name, layer);
}

static void add_attention(Build *build) {
    const SlTransformer *model = build->model;
    int64_t queries = model->heads * model->head_size, pairs = model->kv_heads * model->head_size;
    add_weight(build, "query", queries, model->width);
    add_weight(build, "key", pairs, model->width);
    add_weight(build, "value", pairs, model->width);
    SlLayer layer;
    sl_layer_init(&layer);
    layer.type = SL_BMM;
    layer.dims[SL_G] = build->sizes.batch * model->kv_heads;
    layer.dims[SL_N] = model->heads / model->kv_heads;
    layer.dims[SL_P] = build->sizes.seq;
    layer.dims[SL_K] = build->sizes.kv;
    layer.dims[SL_C] = model->head_size;
    add(build, "scores", layer);
    layer.dims[SL_K] = model->head_size;
    layer.dims[SL_C] = build->sizes.kv;
    add(build, "context", layer);
    add_weight(build, "attn_out", model->width, queries);
}

// `groups` experts, each with `rows` words
static void add_experts(Build *build, const char *name, int64_t groups, int64_t rows,
                        int64_t outputs, int64_t inputs) {
    SlLayer layer;
    if (groups == 0 || rows == 0) return;
    sl_layer_init(&layer);
    layer.type = SL_GEMM;
    layer.dims[SL_G] = groups;
    layer.dims[SL_P] = rows;
    layer.dims[SL_K] = outputs;
    layer.dims[SL_C] = inputs;
    add(build, name, layer);
}

// one product of the feed-forward layer: a weight, or that of every expert that is read
static void add_forward(Build *build, const char *name, int64_t outputs, int64_t inputs) {
    const SlTransformer *model = build->model;
    if (model->experts == 1) {
        add_weight(build, name, outputs, inputs);
        return;
    }
    double words = (double)(build->sizes.batch * build->sizes.seq), n = (double)model->experts;
    int64_t read = (int64_t)round(n * (1 - pow(1 - (double)model->used / n, words)));
    int64_t rows = build->sizes.batch * build->sizes.seq * model->used;
    if (read < model->used) read = model->used;
    char more[32];
    snprintf(more, sizeof more, "%s_more", name);
    add_experts(build, name, read - rows % read, rows / read, outputs, inputs);
    add_experts(build, more, rows % read, rows / read + 1, outputs, inputs);
}

static void add_block(Build *build) {
    const SlTransformer *model = build->model;
    add_attention(build);
    if (model->experts > 1) add_weight(build, "router", model->experts, model->width);
    if (model->gated) add_forward(build, "ff_gate", model->feed_forward, model->width);
    add_forward(build, "ff_up", model->feed_forward, model->width);
    add_forward(build, "ff_down", model->width, model->feed_forward);
}

// "Llama-3-8B, a word that sees 4096, batch 8"
static void add_title(const Sizes *sizes, SlNetwork *net) {
    size_t n = strlen(net->title), room = sizeof net->title - n;
    const char *comma = n ? ", " : "";
    if (sizes->decode)
        snprintf(net->title + n, room, "%sa word that sees %" PRId64, comma, sizes->kv);
    else
        snprintf(net->title + n, room, "%sa prompt of %" PRId64 " words", comma, sizes->seq);
    n = strlen(net->title);
    room = sizeof net->title - n;
    if (sizes->batch > 1) snprintf(net->title + n, room, ", batch %" PRId64, sizes->batch);
}

SlStatus sl_transformer_build(const SlTransformer *model, const SlNetworkText *in, SlArena *arena,
                              SlNetwork *net, SlError *err) {
    enum { MOST_PER_BLOCK = 13 };
    Build build = {.model = model, .err = err};
    SlNetworkBuilder builder;
    SlStatus status = read_sizes(in->asked, &build.sizes, err);
    int64_t room = model->blocks * MOST_PER_BLOCK + 1;
    if (status == SL_OK && room > SL_NETWORK_MAX_LAYERS)
        status = sl_fail(err, SL_EINPUT, "a network has at most %d layers", SL_NETWORK_MAX_LAYERS);
    if (status != SL_OK) return sl_error_place(err, status, in->name, 0, 0);
    status = sl_builder_init(&builder, (int)room, arena, in->scratch, net, err);
    if (status != SL_OK) return status;
    build.builder = &builder;
    add_title(&build.sizes, net);
    net->published_macs *=
        build.sizes.usual && net->published_macs < SL_MACS_LIMIT / build.sizes.batch
            ? build.sizes.batch
            : 0;
    for (build.block = 1; build.block <= model->blocks; build.block++) add_block(&build);
    build.block = 0;
    if (model->vocabulary) add_weight(&build, "head", model->vocabulary, model->width);
    return build.status;
}
