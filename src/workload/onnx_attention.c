// onnx_attention.c - attention in one node: the product of queries and keys, and that of their
// weights and values; com.microsoft's Attention projects its input first.
//
// MACs: batch * heads * Sq * Skv * (dk + dv), causal or not. Query heads that share keys and values
// are a batch over them.
#include <string.h>

#include "onnx_graph.h"

typedef struct {
    int64_t batch, heads, kv_heads, queries, keys; // positions
    int64_t dk, dv;                                // of one head
} Heads;

static int64_t times(int64_t a, int64_t b) {
    return sl_onnx_product(2, (int64_t[]){a, b});
}

static const char *add_layers(SlOnnxRun *run, const SlOnnxNode *node, const Heads *of) {
    SlLayer layer;
    if (of->kv_heads < 1 || of->heads % of->kv_heads)
        return "its query heads are no multiple of its key heads";
    sl_layer_init(&layer);
    layer.type = SL_BMM;
    layer.dims[SL_G] = times(of->batch, of->kv_heads);
    layer.dims[SL_N] = of->heads / of->kv_heads;
    layer.dims[SL_P] = of->queries;
    layer.dims[SL_K] = of->keys;
    layer.dims[SL_C] = of->dk;
    const char *reason = sl_onnx_layer(run, node, ".qk", &layer);
    layer.dims[SL_K] = of->dv;
    layer.dims[SL_C] = of->keys;
    return reason ? reason : sl_onnx_layer(run, node, ".av", &layer);
}

// positions of a cache (batch, heads, positions, head size) given as input i
static const char *read_past(SlOnnxRun *run, const SlOnnxNode *node, int i, int axis,
                             int64_t *past) {
    SlOnnxTensor *cache = NULL;
    *past = 0;
    if (!sl_onnx_in(run, node, i)) return NULL;
    const char *reason = sl_onnx_need_rank(run, node, i, axis + 2, axis + 2, &cache);
    if (!reason) *past = cache->dims[axis];
    return reason;
}

static const char *set_caches(SlOnnxRun *run, const SlOnnxNode *node, const Heads *of, int elem) {
    const int64_t keys[4] = {of->batch, of->kv_heads, of->keys, of->dk};
    const int64_t values[4] = {of->batch, of->kv_heads, of->keys, of->dv};
    const char *reason = sl_onnx_set(run, node, 1, elem, 4, keys);
    return reason ? reason : sl_onnx_set(run, node, 2, elem, 4, values);
}

static const char *split_width(int64_t width, int64_t heads, int64_t *each) {
    if (heads < 1 || width % heads) return "its heads do not divide its width";
    *each = width / heads;
    return NULL;
}

// ---- ONNX's own, since opset 23 ----

// (batch, positions, width) or (batch, heads, positions, head size)
static const char *read_tensor(const SlOnnxTensor *tensor, int64_t heads_given, int64_t *heads,
                               int64_t *positions, int64_t *size) {
    bool split = tensor->rank == 4;
    *heads = split ? tensor->dims[1] : heads_given;
    *positions = tensor->dims[split ? 2 : 1];
    if (!split) return split_width(tensor->dims[2], *heads, size);
    *size = tensor->dims[3];
    return NULL;
}

const char *sl_onnx_attention(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *q = NULL, *k = NULL, *v = NULL;
    Heads of = {0};
    int64_t key_size = 0, v_heads = 0, v_positions = 0, past = 0;
    int64_t q_heads = sl_onnx_attr_int(node, "q_num_heads", 0);
    int64_t kv_heads = sl_onnx_attr_int(node, "kv_num_heads", 0);
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, 4, &q);
    if (!reason) reason = sl_onnx_need_rank(run, node, 1, 3, 4, &k);
    if (!reason) reason = sl_onnx_need_rank(run, node, 2, 3, 4, &v);
    if (!reason) reason = read_past(run, node, 4, 2, &past);
    if (!reason) reason = read_tensor(q, q_heads, &of.heads, &of.queries, &of.dk);
    if (!reason) reason = read_tensor(k, kv_heads, &of.kv_heads, &of.keys, &key_size);
    if (!reason && key_size != of.dk) reason = "its queries and keys have other head sizes";
    if (!reason) reason = read_tensor(v, kv_heads, &v_heads, &v_positions, &of.dv);
    if (!reason && (v_heads != of.kv_heads || v_positions != of.keys))
        reason = "its keys and values have other heads or positions";
    if (reason) return reason;
    of.batch = q->dims[0];
    if (past > INT64_MAX - of.keys) return "its cache is too long";
    of.keys += past;
    const int64_t flat[3] = {of.batch, of.queries, times(of.heads, of.dv)};
    const int64_t split[4] = {of.batch, of.heads, of.queries, of.dv};
    const int64_t scores[4] = {of.batch, of.heads, of.queries, of.keys};
    reason = sl_onnx_set(run, node, 0, q->elem, q->rank, q->rank == 4 ? split : flat);
    if (!reason) reason = set_caches(run, node, &of, q->elem);
    if (!reason) reason = sl_onnx_set(run, node, 3, q->elem, 4, scores);
    return reason ? reason : add_layers(run, node, &of);
}

// ---- com.microsoft ----

// widths of queries, keys and values: thirds of the weight unless they are given
static const char *read_widths(SlOnnxRun *run, const SlOnnxNode *node, int64_t width,
                               int64_t out[3]) {
    int64_t given[SL_ONNX_MAX_INTS];
    int n = sl_onnx_attr_ints(node, "qkv_hidden_sizes", given);
    for (int i = 0; i < 3; i++) out[i] = n == 3 ? given[i] : width / 3;
    bool fits = n == -1 ? width % 3 == 0
                        : n == 3 && given[0] >= 0 && given[1] >= 0 && given[2] >= 0 &&
                              given[0] <= width && given[1] <= width &&
                              given[0] + given[1] + given[2] == width;
    return fits ? NULL
                : sl_onnx_say(run, "its weight is not queries, keys and values side by side");
}

// Attention and QAttention: (batch, positions, D) times a weight (D, 3 D), then heads
const char *sl_onnx_attention_packed(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *weight = NULL;
    Heads of = {.heads = sl_onnx_attr_int(node, "num_heads", 0)};
    int64_t widths[3], past = 0;
    SlLayer layer;
    bool quantised = sl_bytes_are(node->op, "QAttention");
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, 3, &in);
    if (!reason) reason = sl_onnx_need_rank(run, node, 1, 2, 2, &weight);
    // past: (2, batch, heads, positions, head size)
    if (!reason) reason = read_past(run, node, quantised ? 8 : 4, 3, &past);
    if (!reason) reason = read_widths(run, node, weight->dims[1], widths);
    if (!reason && in->dims[2] != weight->dims[0]) reason = "its weight does not fit its input";
    if (!reason) reason = split_width(widths[0], of.heads, &of.dk);
    if (!reason && widths[1] != widths[0]) reason = "its queries and keys have other widths";
    if (!reason) reason = split_width(widths[2], of.heads, &of.dv);
    if (reason) return reason;
    of.batch = in->dims[0];
    of.queries = of.keys = in->dims[1];
    of.keys += past;
    of.kv_heads = of.heads;
    int elem = quantised ? SL_ONNX_FLOAT : in->elem;
    reason = sl_onnx_set(run, node, 0, elem, 3, (int64_t[]){of.batch, of.queries, widths[2]});
    const int64_t cache[5] = {2, of.batch, of.heads, of.keys, of.dk};
    if (!reason) reason = sl_onnx_set(run, node, 1, elem, 5, cache);
    if (reason) return reason;
    sl_layer_init(&layer);
    layer.type = SL_GEMM;
    layer.dims[SL_N] = of.batch;
    layer.dims[SL_P] = of.queries;
    layer.dims[SL_K] = weight->dims[1];
    layer.dims[SL_C] = weight->dims[0];
    sl_onnx_words(&layer, weight, in, NULL);
    reason = sl_onnx_layer(run, node, ".qkv", &layer);
    return reason ? reason : add_layers(run, node, &of);
}

// keys and values of MultiHeadAttention: beside the queries, packed together, packed with all, or
// of another sequence with its heads already apart
static const char *read_pairs(SlOnnxRun *run, const SlOnnxNode *node, const SlOnnxTensor *q,
                              Heads *of) {
    SlOnnxTensor *k = sl_onnx_in(run, node, 1), *v = sl_onnx_in(run, node, 2);
    const char *reason = NULL;
    if (!k) {
        // (batch, positions, heads, 3, head size)
        if (q->rank != 5 || q->dims[3] != 3) return "its queries, keys and values are not packed";
        of->keys = q->dims[1];
        of->dk = of->dv = q->dims[4];
        return NULL;
    }
    if ((reason = sl_onnx_need_rank(run, node, 1, 3, 5, &k))) return reason;
    if (q->rank != 3) return "its queries have another number of axes than 3";
    if ((reason = split_width(q->dims[2], of->heads, &of->dk))) return reason;
    of->keys = k->dims[k->rank == 4 ? 2 : 1];
    of->dv = of->dk;
    if (!v) return k->rank == 5 && k->dims[3] == 2 ? NULL : "its keys and values are not packed";
    if ((reason = sl_onnx_need_rank(run, node, 2, 3, 4, &v))) return reason;
    if (v->rank == 4) {
        of->dv = v->dims[3];
        return NULL;
    }
    return split_width(v->dims[2], of->heads, &of->dv);
}

const char *sl_onnx_multi_head(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *q = NULL;
    Heads of = {.heads = sl_onnx_attr_int(node, "num_heads", 0)};
    int64_t past = 0;
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, 5, &q);
    if (!reason && of.heads < 1) reason = "it has no num_heads";
    if (!reason) reason = read_pairs(run, node, q, &of);
    if (!reason) reason = read_past(run, node, 6, 2, &past);
    if (reason) return reason;
    of.batch = q->dims[0];
    of.queries = q->dims[1];
    of.keys += past;
    of.kv_heads = of.heads;
    const int64_t dims[3] = {of.batch, of.queries, times(of.heads, of.dv)};
    reason = sl_onnx_set(run, node, 0, q->elem, 3, dims);
    if (!reason) reason = set_caches(run, node, &of, q->elem);
    return reason ? reason : add_layers(run, node, &of);
}

// GroupQueryAttention: queries (batch, positions, heads * size), or packed with keys and values
const char *sl_onnx_group_query(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *q = NULL, *k = NULL;
    Heads of = {.heads = sl_onnx_attr_int(node, "num_heads", 0),
                .kv_heads = sl_onnx_attr_int(node, "kv_num_heads", 0)};
    int64_t past = 0;
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, 3, &q);
    if (!reason &&
        (of.heads < 1 || of.kv_heads < 1 || of.heads > INT32_MAX || of.kv_heads > of.heads))
        reason = "its num_heads or kv_num_heads is missing";
    bool packed = !sl_onnx_in(run, node, 1);
    if (!reason && !packed) reason = sl_onnx_need_rank(run, node, 1, 3, 4, &k);
    if (!reason) reason = read_past(run, node, 3, 2, &past);
    int64_t heads = packed ? of.heads + 2 * of.kv_heads : of.heads;
    if (!reason) reason = split_width(q->dims[2], heads, &of.dk);
    if (reason) return reason;
    of.dv = of.dk;
    of.batch = q->dims[0];
    of.queries = q->dims[1];
    of.keys = past + (k ? k->dims[k->rank == 4 ? 2 : 1] : of.queries);
    const int64_t dims[3] = {of.batch, of.queries, times(of.heads, of.dk)};
    reason = sl_onnx_set(run, node, 0, q->elem, 3, dims);
    if (!reason) reason = set_caches(run, node, &of, q->elem);
    return reason ? reason : add_layers(run, node, &of);
}
