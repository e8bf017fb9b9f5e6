// onnx_product.c - products of matrices: Gemm, MatMul, their integer and fused forms, and the table
// of all operators with MACs.
//
// Batches of which both operands have a copy become groups; where only the left one has, they are
// rows; where only the right one has, columns.
#include <string.h>

#include "onnx_graph.h"

// A (batch, M, K) times B (batch, K, N), without the axes of vectors.
typedef struct {
    SlOnnxTensor *a, *b;
    bool trans_a, trans_b;
    int elem; // of the product, 0 = as A
} Product;

// the last two axes and the batches before them; a vector is a row of A or a column of B
typedef struct {
    int n_batch;
    int64_t batch[SL_ONNX_MAX_RANK], rows, columns;
    bool vector;
} Matrix;

static Matrix as_matrix(const SlOnnxTensor *tensor, bool right, bool transposed) {
    Matrix matrix = {.vector = tensor->rank == 1};
    const int64_t *dims = tensor->dims;
    if (matrix.vector) {
        matrix.rows = right ? dims[0] : 1;
        matrix.columns = right ? 1 : dims[0];
        return matrix;
    }
    matrix.n_batch = tensor->rank - 2;
    memcpy(matrix.batch, dims, (size_t)matrix.n_batch * sizeof *dims);
    matrix.rows = dims[tensor->rank - (transposed ? 1 : 2)];
    matrix.columns = dims[tensor->rank - (transposed ? 2 : 1)];
    return matrix;
}

static int64_t times(int64_t a, int64_t b) {
    return sl_onnx_product(2, (int64_t[]){a, b});
}

// what batch axes of `rank` come to: copies of both, of the left one alone, of the right one alone
static void sort_batches(const Matrix *a, const Matrix *b, int rank, int64_t *both, int64_t *left,
                         int64_t *right) {
    *both = *left = *right = 1;
    for (int d = 0; d < rank; d++) {
        int in_a = d - (rank - a->n_batch), in_b = d - (rank - b->n_batch);
        int64_t x = in_a < 0 ? 1 : a->batch[in_a], y = in_b < 0 ? 1 : b->batch[in_b];
        int64_t *to = x == 1 ? right : y == 1 ? left : both;
        *to = times(*to, x == 1 ? y : x);
    }
}

// the weight of the layer is the constant operand; if that is A, all is transposed
static void fill_layer(const Product *product, const Matrix *a, const Matrix *b,
                       const int64_t copies[3], SlLayer *layer) {
    bool turned = product->a->weight && !product->b->weight;
    bool weighted = product->a->weight || product->b->weight;
    int64_t rows = turned ? b->columns : a->rows, columns = turned ? a->rows : b->columns;
    int64_t more_rows = copies[turned ? 2 : 1], more_columns = copies[turned ? 1 : 2];
    bool flat = weighted && product->a->rank <= 2 && product->b->rank <= 2;
    sl_layer_init(layer);
    layer->type = !weighted ? SL_BMM : flat ? SL_LINEAR : SL_GEMM;
    layer->dims[SL_G] = copies[0];
    layer->dims[SL_C] = a->columns;
    layer->dims[SL_K] = times(columns, more_columns);
    layer->dims[flat ? SL_N : SL_P] = rows;
    // rows of copies that the weight does not have: a batch, or more rows of two activations
    SlDim batch = weighted && !flat ? SL_N : flat ? SL_N : SL_P;
    layer->dims[batch] = times(layer->dims[batch], more_rows);
}

static const char *multiply(SlOnnxRun *run, const SlOnnxNode *node, const Product *product) {
    Matrix a = as_matrix(product->a, false, product->trans_a);
    Matrix b = as_matrix(product->b, true, product->trans_b);
    int64_t dims[SL_ONNX_MAX_RANK + 2], copies[3];
    int rank = 0;
    SlLayer layer;
    if (a.columns != b.rows) return "its operands do not fit together";
    if (!sl_onnx_broadcast(a.n_batch, a.batch, b.n_batch, b.batch, &rank, dims))
        return "the batches of its operands do not fit together";
    sort_batches(&a, &b, rank, &copies[0], &copies[1], &copies[2]);
    if (!a.vector) dims[rank++] = a.rows;
    if (!b.vector) dims[rank++] = b.columns;
    int elem = product->elem ? product->elem : product->a->elem;
    const char *reason = sl_onnx_set(run, node, 0, elem, rank, dims);
    if (reason) return reason;
    fill_layer(product, &a, &b, copies, &layer);
    bool turned = product->a->weight && !product->b->weight;
    sl_onnx_words(&layer, turned ? product->a : product->b, turned ? product->b : product->a,
                  sl_onnx_out(run, node, 0));
    return sl_onnx_layer(run, node, "", &layer);
}

static const char *need_operands(SlOnnxRun *run, const SlOnnxNode *node, int second, int lo, int hi,
                                 Product *product) {
    const char *reason = sl_onnx_need_rank(run, node, 0, lo, hi, &product->a);
    return reason ? reason : sl_onnx_need_rank(run, node, second, lo, hi, &product->b);
}

static const char *gemm(SlOnnxRun *run, const SlOnnxNode *node) {
    Product product = {0};
    int second = sl_bytes_are(node->op, "QGemm") ? 3 : 1;
    const char *reason = need_operands(run, node, second, 2, 2, &product);
    product.trans_a = sl_onnx_attr_int(node, "transA", 0) != 0;
    product.trans_b = sl_onnx_attr_int(node, "transB", 0) != 0;
    return reason ? reason : multiply(run, node, &product);
}

static const char *matmul(SlOnnxRun *run, const SlOnnxNode *node) {
    Product product = {0};
    SlBytes op = node->op;
    int second = sl_bytes_are(op, "QLinearMatMul") ? 3 : 1;
    const char *reason = need_operands(run, node, second, 1, SL_ONNX_MAX_RANK, &product);
    if (reason) return reason;
    if (sl_bytes_are(op, "MatMulInteger")) product.elem = SL_ONNX_INT32;
    if (sl_bytes_are(op, "MatMulIntegerToFloat")) product.elem = SL_ONNX_FLOAT;
    if (sl_bytes_are(op, "FusedMatMul")) {
        if (sl_onnx_attr_int(node, "transBatchA", 0) || sl_onnx_attr_int(node, "transBatchB", 0))
            return "transposed batches are not supported";
        product.trans_a = sl_onnx_attr_int(node, "transA", 0) && product.a->rank > 1;
        product.trans_b = sl_onnx_attr_int(node, "transB", 0) && product.b->rank > 1;
    }
    return multiply(run, node, &product);
}

// the weight is packed bytes; its extents are attributes
static const char *matmul_packed(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL,
                 packed = {.known = true, .weight = true, .rank = 2, .elem = SL_ONNX_INT8};
    const char *reason = sl_onnx_need_rank(run, node, 0, 1, SL_ONNX_MAX_RANK, &in);
    const int64_t dims[2] = {sl_onnx_attr_int(node, "K", 0), sl_onnx_attr_int(node, "N", 0)};
    if (!reason && (dims[0] < 1 || dims[1] < 1)) reason = "its K or N is missing";
    packed.dims = dims;
    const Product product = {.a = in, .b = &packed};
    return reason ? reason : multiply(run, node, &product);
}

const SlOnnxRow sl_onnx_products[] = {
    {"", "Conv", sl_onnx_conv},
    {"", "ConvInteger", sl_onnx_conv},
    {"", "QLinearConv", sl_onnx_conv},
    {"com.microsoft", "FusedConv", sl_onnx_conv},
    {"", "DeformConv", sl_onnx_conv},
    {"", "ConvTranspose", sl_onnx_conv_transpose},
    {"", "Gemm", gemm},
    {"com.microsoft", "FusedGemm", gemm},
    {"com.microsoft", "QGemm", gemm},
    {"", "MatMul", matmul},
    {"", "MatMulInteger", matmul},
    {"", "QLinearMatMul", matmul},
    {"com.microsoft", "FusedMatMul", matmul},
    {"com.microsoft", "MatMulIntegerToFloat", matmul},
    {"com.microsoft", "DynamicQuantizeMatMul", matmul},
    {"com.microsoft", "MatMulNBits", matmul_packed},
    {"com.microsoft", "MatMulBnb4", matmul_packed},
    {"", "LSTM", sl_onnx_lstm},
    {"", "GRU", sl_onnx_lstm},
    {"", "RNN", sl_onnx_lstm},
    {"com.microsoft", "DynamicQuantizeLSTM", sl_onnx_lstm},
    {"", "Einsum", sl_onnx_einsum},
    {"", "Attention", sl_onnx_attention},
    {"com.microsoft", "Attention", sl_onnx_attention_packed},
    {"com.microsoft", "QAttention", sl_onnx_attention_packed},
    {"com.microsoft", "MultiHeadAttention", sl_onnx_multi_head},
    {"com.microsoft", "GroupQueryAttention", sl_onnx_group_query},
    {"", NULL, NULL},
};
