// onnx_einsum.c - Einsum of two operands as one product. Indices of both operands and of the result
// are groups, those of one operand and the result rows or columns, the others are summed over.
#include <string.h>

#include "onnx_graph.h"

enum { MAX_TERMS = 3, LETTERS = 128, MAX_ELLIPSIS = 8, DOTS = 0x80 };

// Indices of each operand and of the result; an ellipsis is DOTS + 0, 1, ... from its last axis on.
typedef struct {
    int n[MAX_TERMS]; // the result is the last one
    uint8_t index[MAX_TERMS][SL_ONNX_MAX_RANK];
    int64_t extent[LETTERS + MAX_ELLIPSIS];
    uint8_t in[LETTERS + MAX_ELLIPSIS]; // bit t: term t has it
    int dots;                           // axes of the widest ellipsis
} Indices;

static bool is_letter(uint8_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool add_index(Indices *of, int term, int index) {
    if (of->n[term] == SL_ONNX_MAX_RANK) return false;
    of->index[term][of->n[term]++] = (uint8_t)index;
    of->in[index] |= (uint8_t)(1u << term);
    return true;
}

// one term; `dots` axes stand for its ellipsis
static bool read_term(SlBytes text, int dots, int term, Indices *of) {
    for (size_t i = 0; i < text.n; i++) {
        if (text.at[i] == ' ') continue;
        if (is_letter(text.at[i])) {
            if (!add_index(of, term, text.at[i])) return false;
            continue;
        }
        if (text.n - i < 3 || memcmp(text.at + i, "...", 3) != 0) return false;
        for (int d = dots - 1; d >= 0; d--)
            if (!add_index(of, term, DOTS + d)) return false;
        i += 2;
    }
    return true;
}

static int count_letters(SlBytes text) {
    int n = 0;
    for (size_t i = 0; i < text.n; i++) n += is_letter(text.at[i]);
    return n;
}

// an operand and the extents of its indices
static const char *read_operand(SlOnnxRun *run, const SlOnnxNode *node, SlBytes text, int term,
                                Indices *of) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, term, &in);
    if (reason) return reason;
    int dots = in->rank - count_letters(text);
    if (dots < 0 || dots > MAX_ELLIPSIS || (dots && !memchr(text.at, '.', text.n)))
        return "its equation has another number of indices than its operand has axes";
    if (dots > of->dots) of->dots = dots;
    if (!read_term(text, dots, term, of) || of->n[term] != in->rank)
        return "its equation is malformed";
    for (int d = 0; d < in->rank; d++) {
        int64_t *extent = &of->extent[of->index[term][d]];
        if (*extent > 1 && in->dims[d] != 1 && *extent != in->dims[d])
            return "an index has two extents";
        if (*extent <= 1) *extent = in->dims[d];
    }
    return NULL;
}

// without "->": the ellipsis, then what is seen once, in alphabetical order
static void imply_result(SlBytes operands, int term, Indices *of) {
    for (int d = of->dots - 1; d >= 0; d--) add_index(of, term, DOTS + d);
    for (int c = 'A'; c <= 'z'; c++) {
        int seen = 0;
        for (size_t i = 0; i < operands.n; i++) seen += operands.at[i] == c;
        if (is_letter((uint8_t)c) && seen == 1) add_index(of, term, c);
    }
}

static const char *read_equation(SlOnnxRun *run, const SlOnnxNode *node, Indices *of) {
    SlBytes text = sl_onnx_attr_text(node, "equation"), operands = text, result = {0};
    bool given = false;
    for (size_t i = 0; i + 1 < text.n && !given; i++) {
        if (memcmp(text.at + i, "->", 2) != 0) continue;
        operands.n = i;
        result = (SlBytes){text.at + i + 2, text.n - i - 2};
        given = true;
    }
    if (!text.n) return "it has no equation";
    int n = node->n_inputs;
    SlBytes rest = operands;
    for (int t = 0; t < n; t++) {
        const uint8_t *comma = memchr(rest.at, ',', rest.n);
        size_t length = comma ? (size_t)(comma - rest.at) : rest.n;
        const char *reason = read_operand(run, node, (SlBytes){rest.at, length}, t, of);
        if (reason) return reason;
        if (!comma != (t == n - 1)) return "its equation has another number of operands";
        size_t step = comma ? length + 1 : length;
        rest = (SlBytes){rest.at + step, rest.n - step};
    }
    if (!given)
        imply_result(operands, n, of);
    else if (!read_term(result, of->dots, n, of))
        return "its equation is malformed";
    for (int d = 0; d < of->n[n]; d++)
        if (!(of->in[of->index[n][d]] & ((1u << n) - 1)))
            return "an index of its result is in no operand";
    return NULL;
}

static const char *set_result(SlOnnxRun *run, const SlOnnxNode *node, const Indices *of) {
    int64_t dims[SL_ONNX_MAX_RANK];
    int term = node->n_inputs;
    for (int d = 0; d < of->n[term]; d++) dims[d] = of->extent[of->index[term][d]];
    const SlOnnxTensor *in = sl_onnx_in(run, node, 0);
    return sl_onnx_set(run, node, 0, in ? in->elem : 0, of->n[term], dims);
}

const char *sl_onnx_einsum(SlOnnxRun *run, const SlOnnxNode *node) {
    Indices of = {0};
    SlLayer layer;
    if (node->n_inputs < 1 || node->n_inputs > 2)
        return "an Einsum of more than two operands is not supported";
    const char *reason = read_equation(run, node, &of);
    if (!reason) reason = set_result(run, node, &of);
    if (reason || node->n_inputs < 2) return reason; // of one operand: no product

    // the weight is the constant operand, or the second one
    const SlOnnxTensor *a = sl_onnx_in(run, node, 0), *b = sl_onnx_in(run, node, 1);
    bool turned = a->weight && !b->weight;
    uint8_t rows = (uint8_t)(4u | (turned ? 2u : 1u)), columns = (uint8_t)(4u | (turned ? 1u : 2u));
    bool summed = false;
    sl_layer_init(&layer);
    for (int i = 0; i < LETTERS + MAX_ELLIPSIS; i++) {
        if (!of.in[i]) continue;
        SlDim dim = of.in[i] == 7         ? SL_G
                    : of.in[i] == rows    ? SL_P
                    : of.in[i] == columns ? SL_K
                                          : SL_C;
        layer.dims[dim] = sl_onnx_product(2, (int64_t[]){layer.dims[dim], of.extent[i]});
        summed |= dim == SL_C;
    }
    if (!summed) return NULL; // an outer product, such as the angles of rotary embeddings
    layer.type = a->weight || b->weight ? SL_GEMM : SL_BMM;
    sl_onnx_words(&layer, turned ? a : b, turned ? b : a, sl_onnx_out(run, node, 0));
    return sl_onnx_layer(run, node, "", &layer);
}
