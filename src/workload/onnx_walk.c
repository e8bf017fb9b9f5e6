// onnx_walk.c - every node of a graph in order: its rule, its reason, its layers; functions of the
// model are walked where they are called.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "onnx_graph.h"

// ---- layers ----

// the node's name, else its first output
static SlBytes node_name(const SlOnnxNode *node) {
    if (node->name.n) return node->name;
    for (int i = 0; i < node->n_outputs; i++)
        if (node->outputs[i].n) return node->outputs[i];
    return node->op;
}

// cut at a whole character, made safe to show
static void copy_name(SlBytes name, size_t room, char *out) {
    size_t n = name.n < room - 1 ? name.n : room - 1;
    if (n < name.n)
        while (n && (name.at[n] & 0xc0) == 0x80) n--;
    for (size_t i = 0; i < n; i++) out[i] = name.at[i] ? (char)name.at[i] : '?';
    out[n] = 0;
    sl_text_clean(out, false);
}

static bool grow(SlOnnxRun *run, int n, int *room, size_t size, void **items) {
    if (n < *room) return true;
    int more = *room ? 2 * *room : 64;
    void *copy = sl_arena_alloc(run->arena, (size_t)more, size);
    if (!copy) {
        run->failed = "not enough memory for the layers";
        return false;
    }
    if (n) memcpy(copy, *items, (size_t)n * size);
    *items = copy;
    *room = more;
    return true;
}

const char *sl_onnx_layer(SlOnnxRun *run, const SlOnnxNode *node, const char *suffix,
                          SlLayer *layer) {
    enum { SUFFIX_ROOM = 24 }; // for the suffix, and a number behind names that repeat
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] == 0) return NULL;
    const char *reason = sl_layer_check(layer);
    if (reason) return reason;
    if (run->macs >= SL_MACS_LIMIT - sl_layer_macs(layer))
        return "the network has 2^53 MACs or more";
    copy_name(node_name(node), sizeof layer->name - SUFFIX_ROOM, layer->name);
    strncat(layer->name, suffix, 8);
    if (run->n_layers >= SL_NETWORK_MAX_LAYERS) return "the network has more than 4096 layers";
    void *layers = run->layers;
    if (!grow(run, run->n_layers, &run->layers_room, sizeof *layer, &layers)) return run->failed;
    run->layers = layers;
    run->layers[run->n_layers++] = *layer;
    run->macs += sl_layer_macs(layer);
    return NULL;
}

void sl_onnx_words(SlLayer *layer, const SlOnnxTensor *w, const SlOnnxTensor *in,
                   const SlOnnxTensor *out) {
    const SlOnnxTensor *const tensors[SL_N_TENSORS] = {w, in, out};
    bool quantised = false;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        const SlOnnxTensor *one = tensors[t];
        int bytes = one ? one->stored : 0;
        if (one && !bytes && one->elem && !sl_onnx_is_float(one->elem))
            bytes = sl_onnx_bytes(one->elem);
        if (t == SL_O && one && !bytes) bytes = one->quantise;
        layer->word_bytes[t] = bytes;
        quantised |= t != SL_O && bytes > 0;
    }
    if (!quantised) layer->word_bytes[SL_O] = 0;
}

// ---- refusals ----

static SlStatus refuse(SlOnnxRun *run, const SlOnnxNode *node, const char *reason) {
    SlOnnxShown name = sl_onnx_shown(node_name(node)), op = sl_onnx_shown(node->op);
    const char *text = sl_onnx_say(run, "%s (%s): %.200s", name.text, op.text, reason);
    for (int i = 0; i < node->n_outputs; i++) {
        SlOnnxTensor *out = sl_onnx_out(run, node, i);
        if (!out) continue;
        *out = (SlOnnxTensor){.name = out->name, .made = true};
        out->why = sl_onnx_say(run, "its input comes from the node '%s' (%s), which is left out",
                               name.text, op.text);
    }
    void *skipped = run->skipped;
    if (!grow(run, run->n_skipped, &run->skipped_room, sizeof *run->skipped, &skipped))
        return sl_fail(run->err, SL_ENOMEM, "%s", run->failed);
    run->skipped = skipped;
    run->skipped[run->n_skipped++] = text;
    return SL_OK;
}

static const char *unsupported(SlOnnxRun *run, const SlOnnxNode *node) {
    if (!node->domain.n) return "the operator is not supported";
    return sl_onnx_say(run, "the operator of the domain '%s' is not supported",
                       sl_onnx_shown(node->domain).text);
}

// ---- nodes ----

// what all outputs have in common
static void begin_outputs(SlOnnxRun *run, const SlOnnxNode *node) {
    bool weight = node->n_inputs > 0;
    for (int i = 0; i < node->n_inputs; i++) {
        SlOnnxTensor *in = sl_onnx_in(run, node, i);
        if (in && !in->weight) weight = false;
    }
    for (int i = 0; i < node->n_outputs; i++) {
        SlOnnxTensor *out = sl_onnx_out(run, node, i);
        if (!out) continue;
        // a name that is made twice is what its last node makes
        *out = (SlOnnxTensor){.name = out->name, .made = true, .quantise = out->quantise};
        out->weight = weight;
    }
}

static void leave_unknown(SlOnnxRun *run, const SlOnnxNode *node, const char *reason) {
    const char *why = NULL;
    for (int i = 0; i < node->n_outputs; i++) {
        SlOnnxTensor *out = sl_onnx_out(run, node, i);
        if (!out || out->known) continue;
        // a reason that came from further back stays as it is
        bool passed = false;
        for (int k = 0; k < node->n_inputs && !passed; k++) {
            SlOnnxTensor *in = sl_onnx_in(run, node, k);
            passed = in && reason && in->why == reason;
        }
        if (!why)
            why = passed   ? reason
                  : reason ? sl_onnx_say(run, "the node '%s' (%s) leaves its size unknown: %.200s",
                                         sl_onnx_shown(node_name(node)).text,
                                         sl_onnx_shown(node->op).text, reason)
                           : "its size is not told by its node";
        out->why = why;
    }
}

static const SlOnnxRow *find_row(const SlOnnxRow *rows, const SlOnnxNode *node) {
    for (; rows->op; rows++)
        if (sl_bytes_are(node->op, rows->op) && sl_bytes_are(node->domain, rows->domain))
            return rows;
    return NULL;
}

// words that only move stay as wide as they are stored
static void keep_stored(SlOnnxRun *run, const SlOnnxNode *node) {
    const SlOnnxTensor *in = sl_onnx_in(run, node, 0);
    for (int i = 0; in && i < node->n_outputs; i++) {
        SlOnnxTensor *out = sl_onnx_out(run, node, i);
        if (out) out->stored = in->stored;
    }
}

static SlStatus walk_node(SlOnnxRun *run, const SlOnnxNode *node) {
    const SlOnnxRow *moves = find_row(sl_onnx_moves, node);
    const SlOnnxRow *products = moves ? NULL : find_row(sl_onnx_products, node);
    const SlOnnxRow *row = moves ? moves : products;
    if (!row) row = find_row(sl_onnx_points, node);
    if (!row) row = find_row(sl_onnx_sizings, node);
    begin_outputs(run, node);
    if (!row) return refuse(run, node, unsupported(run, node));
    int before = run->n_layers;
    int64_t macs = run->macs;
    const char *reason = row->rule(run, node);
    if (run->failed) return sl_fail(run->err, SL_ENOMEM, "%s", run->failed);
    if (moves && !reason) keep_stored(run, node);
    if (reason && products) {
        run->macs = macs;
        run->n_layers = before; // all of a node or nothing
        return refuse(run, node, reason);
    }
    if (!reason) sl_onnx_fold(run, node);
    leave_unknown(run, node, reason);
    return SL_OK;
}

// ---- functions ----

static const SlOnnxFunction *find_function(const SlOnnxModel *model, const SlOnnxNode *node) {
    for (int i = 0; i < model->n_functions; i++) {
        const SlOnnxFunction *function = &model->functions[i];
        if (sl_bytes_same(function->name, node->op) &&
            sl_bytes_same(function->domain, node->domain))
            return function;
    }
    return NULL;
}

// the attributes of a node in a function, those of the call or their defaults put in place
static SlStatus bind_attrs(SlOnnxRun *run, const SlOnnxFunction *function, const SlOnnxNode *call,
                           const SlOnnxNode *node, SlOnnxNode *bound) {
    *bound = *node;
    bound->n_attrs = 0;
    bound->attrs = SL_NEW(run->arena, node->n_attrs, SlOnnxAttr);
    if (!bound->attrs) return sl_fail(run->err, SL_ENOMEM, "not enough memory for a function");
    const SlOnnxNode defaults = {.attrs = function->attrs, .n_attrs = function->n_attrs};
    for (int i = 0; i < node->n_attrs; i++) {
        SlOnnxAttr attr = node->attrs[i];
        if (attr.ref.n) {
            char name[256];
            snprintf(name, sizeof name, "%.*s", attr.ref.n < 255 ? (int)attr.ref.n : 255,
                     (const char *)attr.ref.at);
            const SlOnnxAttr *given = sl_onnx_attr(call, name);
            if (!given) given = sl_onnx_attr(&defaults, name);
            if (!given) continue;
            attr.body = given->body;
        }
        bound->attrs[bound->n_attrs++] = attr;
    }
    return SL_OK;
}

static SlStatus walk_list(SlOnnxRun *run, const SlOnnxFunction *function, const SlOnnxNode *call,
                          int n, const SlOnnxNode *nodes, int depth);

// the body in a scope of its own; layers get the name of the call in front
static SlStatus walk_function(SlOnnxRun *run, const SlOnnxFunction *function,
                              const SlOnnxNode *call, int depth) {
    if (depth >= SL_ONNX_MAX_DEPTH) return refuse(run, call, "its functions call one another");
    int n_names = function->n_inputs + function->n_outputs;
    for (int i = 0; i < function->n_nodes; i++)
        n_names += function->nodes[i].n_inputs + function->nodes[i].n_outputs;
    SlOnnxScope *outer = run->scope, *inner = sl_onnx_scope(run, n_names);
    if (!inner) return sl_fail(run->err, SL_ENOMEM, "not enough memory for a function");
    for (int i = 0; i < function->n_inputs; i++) {
        run->scope = outer;
        const SlOnnxTensor *given = sl_onnx_in(run, call, i);
        run->scope = inner;
        SlOnnxTensor *own = sl_onnx_tensor(run, function->inputs[i]);
        SlBytes name = function->inputs[i];
        if (own && given) *own = *given;
        if (own) own->name = name;
    }
    run->scope = inner;
    int before = run->n_layers;
    SlStatus status = walk_list(run, function, call, function->n_nodes, function->nodes, depth + 1);
    for (int i = before; i < run->n_layers; i++) {
        char inside[SL_LAYER_NAME];
        memcpy(inside, run->layers[i].name, sizeof inside);
        copy_name(node_name(call), 100, run->layers[i].name);
        size_t n = strlen(run->layers[i].name);
        snprintf(run->layers[i].name + n, sizeof inside - 16 - n, "/%.*s", 130, inside);
        sl_text_clean(run->layers[i].name, false);
    }
    for (int i = 0; i < function->n_outputs && i < call->n_outputs; i++) {
        run->scope = inner;
        const SlOnnxTensor *made = sl_onnx_tensor(run, function->outputs[i]);
        run->scope = outer;
        SlOnnxTensor *own = sl_onnx_out(run, call, i);
        if (!own || !made) continue;
        SlBytes name = own->name;
        *own = *made;
        own->name = name;
        own->made = true;
    }
    run->scope = outer;
    return status;
}

static SlStatus walk_list(SlOnnxRun *run, const SlOnnxFunction *function, const SlOnnxNode *call,
                          int n, const SlOnnxNode *nodes, int depth) {
    SlStatus status = SL_OK;
    for (int i = 0; i < n && status == SL_OK; i++) {
        const SlOnnxNode *node = &nodes[i];
        SlOnnxNode bound;
        if (++run->walked > SL_ONNX_MAX_NODES)
            return sl_fail_at(run->err, SL_EINPUT, run->model->file, 0, 0,
                              "the graph has more than %d nodes, functions unrolled",
                              SL_ONNX_MAX_NODES);
        if (function) {
            status = bind_attrs(run, function, call, node, &bound);
            node = &bound;
        }
        if (status != SL_OK) return status;
        const SlOnnxFunction *called = find_function(run->model, node);
        status = called ? walk_function(run, called, node, depth) : walk_node(run, node);
    }
    return status;
}

// ---- the graph ----

// how many bytes the only reader of a tensor makes of it when it quantises, seen through a
// rectifier or a clip, which run on the way out
static void look_ahead(SlOnnxRun *run) {
    for (int i = run->model->n_nodes - 1; i >= 0; i--) {
        const SlOnnxNode *node = &run->model->nodes[i];
        SlOnnxTensor *in = sl_onnx_in(run, node, 0), *out = sl_onnx_out(run, node, 0);
        if (!in || !out) continue;
        bool quantises = sl_bytes_are(node->op, "QuantizeLinear");
        bool passes = sl_bytes_are(node->op, "Relu") || sl_bytes_are(node->op, "Clip");
        if (quantises) {
            SlOnnxTensor *zero = sl_onnx_in(run, node, 2);
            in->quantise = zero && zero->data ? sl_onnx_bytes(zero->data->elem) : 1;
        } else if (passes && out->quantise) {
            in->quantise = out->quantise;
        }
    }
}

SlStatus sl_onnx_walk(SlOnnxRun *run) {
    look_ahead(run);
    SlStatus status = walk_list(run, NULL, NULL, run->model->n_nodes, run->model->nodes, 0);
    if (status != SL_OK) return status;
    if (run->n_skipped && !run->skip_unsupported) {
        char more[48] = "";
        if (run->n_skipped > 1)
            snprintf(more, sizeof more, " (and %d more node%s)", run->n_skipped - 1,
                     run->n_skipped > 2 ? "s" : "");
        return sl_fail_at(run->err, SL_EINPUT, run->model->file, 0, 0,
                          "%s%s; --skip-unsupported leaves out what cannot be counted",
                          run->skipped[0], more);
    }
    return SL_OK;
}
