// onnx_points.c - operators that work on each element or along an axis: their output has the shape
// of an input, or of the inputs broadcast together.
#include <string.h>

#include "onnx_graph.h"

// ---- shapes ----

// output 0 as input 0
static const char *like_first(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    return reason ? reason : sl_onnx_like(run, node, 0, in);
}

// all inputs broadcast together; before opset 7 `axis` says where the second one stands
static const char *broadcast(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    int rank = 0, elem = 0;
    if (sl_onnx_attr(node, "broadcast")) return like_first(run, node);
    if (!node->n_inputs) return "it has no inputs";
    for (int i = 0; i < node->n_inputs; i++) {
        const char *reason = sl_onnx_need(run, node, i, &in);
        if (reason) return reason;
        int64_t before[SL_ONNX_MAX_RANK];
        memcpy(before, dims, (size_t)rank * sizeof *before);
        if (!sl_onnx_broadcast(rank, before, in->rank, in->dims, &rank, dims))
            return "its inputs do not fit together";
        elem = in->elem;
    }
    return sl_onnx_set(run, node, 0, elem, rank, dims);
}

static const char *compare(SlOnnxRun *run, const SlOnnxNode *node) {
    const char *reason = broadcast(run, node);
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (!reason && out) out->elem = SL_ONNX_BOOL;
    return reason;
}

static const char *test(SlOnnxRun *run, const SlOnnxNode *node) {
    const char *reason = like_first(run, node);
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (!reason && out) out->elem = SL_ONNX_BOOL;
    return reason;
}

static const char *cast(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *like = sl_onnx_in(run, node, 1);
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    bool by_input = sl_bytes_are(node->op, "CastLike");
    int elem = by_input ? (like ? like->elem : 0) : (int)(sl_onnx_attr_int(node, "to", 0) & 0xff);
    return sl_onnx_set(run, node, 0, elem, in->rank, in->dims);
}

// ---- quantisation ----

static int zero_type(SlOnnxRun *run, const SlOnnxNode *node, int i, int fallback) {
    const SlOnnxTensor *zero = sl_onnx_in(run, node, i);
    return zero && zero->elem ? zero->elem : fallback;
}

static const char *quantise(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    int to = (int)(sl_onnx_attr_int(node, "output_dtype", SL_ONNX_UINT8) & 0xff);
    return sl_onnx_set(run, node, 0, zero_type(run, node, 2, to), in->rank, in->dims);
}

static const char *dequantise(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *out = sl_onnx_out(run, node, 0);
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    reason = sl_onnx_set(run, node, 0, SL_ONNX_FLOAT, in->rank, in->dims);
    if (!reason && out) out->stored = sl_onnx_bytes(in->elem);
    return reason;
}

// the codes, their scale, their zero point
static const char *quantise_dynamic(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_set(run, node, 0, SL_ONNX_UINT8, in->rank, in->dims);
    if (!reason) reason = sl_onnx_set(run, node, 1, SL_ONNX_FLOAT, 0, NULL);
    return reason ? reason : sl_onnx_set(run, node, 2, SL_ONNX_UINT8, 0, NULL);
}

// com.microsoft's element-wise operators on codes: A, its scale and zero point, B, ...
static const char *quantised_pair(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *a = NULL, *b = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    int rank = 0;
    const char *reason = sl_onnx_need(run, node, 0, &a);
    if (!reason) reason = sl_onnx_need(run, node, 3, &b);
    if (reason) return reason;
    if (!sl_onnx_broadcast(a->rank, a->dims, b->rank, b->dims, &rank, dims))
        return "its inputs do not fit together";
    return sl_onnx_set(run, node, 0, a->elem, rank, dims);
}

// scale and zero point of the output, then triples of a tensor with its own
static const char *quantised_concat(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    int rank = 0, axis = -1, elem = 0;
    for (int i = 2; i < node->n_inputs; i += 3) {
        const char *reason = sl_onnx_need(run, node, i, &in);
        if (reason) return reason;
        if (i == 2) {
            rank = in->rank;
            elem = in->elem;
            axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", 0), rank);
            memcpy(dims, in->dims, (size_t)rank * sizeof *dims);
        } else if (in->rank == rank && axis >= 0) {
            dims[axis] += in->dims[axis];
        }
        if (axis < 0 || in->rank != rank || dims[axis] > INT64_C(1) << 61)
            return "its inputs do not fit together";
    }
    if (axis < 0) return "it has no inputs";
    return sl_onnx_set(run, node, 0, elem, rank, dims);
}

// ---- norms ----

// the input's shape; other outputs are statistics of each channel
static const char *batch_norm(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_like(run, node, 0, in);
    for (int i = 1; i < node->n_outputs && !reason && in->rank > 1; i++)
        reason = sl_onnx_set(run, node, i, in->elem, 1, &in->dims[1]);
    return reason;
}

// the input's shape; other outputs are statistics along the axes from `axis` on
static const char *norm(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_like(run, node, 0, in);
    if (reason) return reason;
    int axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", -1), in->rank);
    if (axis < 0 && in->rank) return "its axis is outside the tensor";
    for (int d = 0; d < in->rank; d++) dims[d] = d < axis ? in->dims[d] : 1;
    for (int i = 1; i < node->n_outputs && !reason; i++)
        reason = sl_onnx_set(run, node, i, SL_ONNX_FLOAT, in->rank, dims);
    return reason;
}

// Dropout and the like: the second output is the mask
static const char *with_mask(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_like(run, node, 0, in);
    return reason ? reason : sl_onnx_set(run, node, 1, SL_ONNX_BOOL, in->rank, in->dims);
}

// skip connection, norm, and in output 3 the sum
static const char *skip_norm(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_like(run, node, 0, in);
    return reason ? reason : sl_onnx_like(run, node, 3, in);
}

// words, segments and positions looked up and summed: [batch, words, width]
static const char *embed(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *ids = NULL, *table = NULL;
    const char *reason = sl_onnx_need_rank(run, node, 0, 2, 2, &ids);
    if (!reason) reason = sl_onnx_need_rank(run, node, 2, 2, 2, &table);
    if (reason) return reason;
    const int64_t dims[3] = {ids->dims[0], ids->dims[1], table->dims[1]};
    reason = sl_onnx_set(run, node, 0, table->elem, 3, dims);
    if (!reason) reason = sl_onnx_set(run, node, 1, SL_ONNX_INT32, 1, dims);
    return reason ? reason : sl_onnx_set(run, node, 2, table->elem, 3, dims);
}

// half of the last axis gates the other half
static const char *halved(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need_rank(run, node, 0, 1, SL_ONNX_MAX_RANK, &in);
    if (reason) return reason;
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    if (dims[in->rank - 1] % 2) return "its last axis is odd";
    dims[in->rank - 1] /= 2;
    return sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
}

// GridSample: the picture's channels at the places of the grid
static const char *grid_sample(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *grid = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, SL_ONNX_MAX_RANK, &in);
    if (!reason) reason = sl_onnx_need_rank(run, node, 1, in->rank, in->rank, &grid);
    if (reason) return reason;
    dims[0] = in->dims[0];
    dims[1] = in->dims[1];
    for (int d = 2; d < in->rank; d++) dims[d] = grid->dims[d - 1];
    return sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
}

// (regions, channels, height, width)
static const char *roi_align(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *regions = NULL;
    const char *reason = sl_onnx_need_rank(run, node, 0, 4, 4, &in);
    if (!reason) reason = sl_onnx_need_rank(run, node, 1, 2, 2, &regions);
    if (reason) return reason;
    const int64_t dims[4] = {regions->dims[0], in->dims[1],
                             sl_onnx_attr_int(node, "output_height", 1),
                             sl_onnx_attr_int(node, "output_width", 1)};
    return sl_onnx_set(run, node, 0, in->elem, 4, dims);
}

#define MS "com.microsoft"

const SlOnnxRow sl_onnx_points[] = {
    {"", "Abs", like_first},
    {"", "Acos", like_first},
    {"", "Acosh", like_first},
    {"", "Add", broadcast},
    {"", "And", compare},
    {"", "Asin", like_first},
    {"", "Asinh", like_first},
    {"", "Atan", like_first},
    {"", "Atanh", like_first},
    {"", "BatchNormalization", batch_norm},
    {"", "Bernoulli", like_first},
    {"", "BitCast", cast},
    {"", "BitShift", broadcast},
    {"", "BitwiseAnd", broadcast},
    {"", "BitwiseNot", like_first},
    {"", "BitwiseOr", broadcast},
    {"", "BitwiseXor", broadcast},
    {"", "Cast", cast},
    {"", "CastLike", cast},
    {"", "Ceil", like_first},
    {"", "Celu", like_first},
    {"", "Clip", like_first},
    {"", "Cos", like_first},
    {"", "Cosh", like_first},
    {"", "CumProd", like_first},
    {"", "CumSum", like_first},
    {"", "DequantizeLinear", dequantise},
    {"", "Div", broadcast},
    {"", "Dropout", with_mask},
    {"", "DynamicQuantizeLinear", quantise_dynamic},
    {"", "Elu", like_first},
    {"", "Equal", compare},
    {"", "Erf", like_first},
    {"", "Exp", like_first},
    {"", "EyeLike", like_first},
    {"", "Floor", like_first},
    {"", "Gelu", like_first},
    {"", "Greater", compare},
    {"", "GreaterOrEqual", compare},
    {"", "GridSample", grid_sample},
    {"", "GroupNormalization", like_first},
    {"", "HardSigmoid", like_first},
    {"", "HardSwish", like_first},
    {"", "Hardmax", like_first},
    {"", "InstanceNormalization", like_first},
    {"", "IsInf", test},
    {"", "IsNaN", test},
    {"", "LRN", like_first},
    {"", "LayerNormalization", norm},
    {"", "LeakyRelu", like_first},
    {"", "Less", compare},
    {"", "LessOrEqual", compare},
    {"", "Log", like_first},
    {"", "LogSoftmax", like_first},
    {"", "LpNormalization", like_first},
    {"", "Max", broadcast},
    {"", "Mean", broadcast},
    {"", "MeanVarianceNormalization", like_first},
    {"", "Min", broadcast},
    {"", "Mish", like_first},
    {"", "Mod", broadcast},
    {"", "Mul", broadcast},
    {"", "Neg", like_first},
    {"", "Not", like_first},
    {"", "Or", compare},
    {"", "PRelu", like_first},
    {"", "Pow", broadcast},
    {"", "QuantizeLinear", quantise},
    {"", "RMSNormalization", like_first},
    {"", "RandomNormalLike", like_first},
    {"", "RandomUniformLike", like_first},
    {"", "Reciprocal", like_first},
    {"", "Relu", like_first},
    {"", "ReverseSequence", like_first},
    {"", "RotaryEmbedding", like_first},
    {"", "RoiAlign", roi_align},
    {"", "Round", like_first},
    {"", "ScatterElements", like_first},
    {"", "ScatterND", like_first},
    {"", "Scatter", like_first},
    {"", "Selu", like_first},
    {"", "Shrink", like_first},
    {"", "Sigmoid", like_first},
    {"", "Sign", like_first},
    {"", "SimplifiedLayerNormalization", norm},
    {"", "Sin", like_first},
    {"", "Sinh", like_first},
    {"", "Softmax", like_first},
    {"", "Softplus", like_first},
    {"", "Softsign", like_first},
    {"", "Sqrt", like_first},
    {"", "Sub", broadcast},
    {"", "Sum", broadcast},
    {"", "Swish", like_first},
    {"", "Tan", like_first},
    {"", "Tanh", like_first},
    {"", "TensorScatter", like_first},
    {"", "ThresholdedRelu", like_first},
    {"", "Trilu", like_first},
    {"", "Where", broadcast},
    {"", "Xor", compare},
    {MS, "BiasGelu", like_first},
    {MS, "BiasSoftmax", like_first},
    {MS, "BiasSplitGelu", halved},
    {MS, "BiasDropout", with_mask},
    {MS, "DequantizeLinear", dequantise},
    {MS, "EmbedLayerNormalization", embed},
    {MS, "FastGelu", like_first},
    {MS, "Gelu", like_first},
    {MS, "GroupNorm", like_first},
    {MS, "QLinearAdd", quantised_pair},
    {MS, "QLinearConcat", quantised_concat},
    {MS, "QLinearLeakyRelu", like_first},
    {MS, "QLinearMul", quantised_pair},
    {MS, "QLinearSigmoid", like_first},
    {MS, "QLinearSoftmax", like_first},
    {MS, "QuantizeLinear", quantise},
    {MS, "QuickGelu", like_first},
    {MS, "RotaryEmbedding", like_first},
    {MS, "SimplifiedLayerNormalization", norm},
    {MS, "SkipLayerNormalization", skip_norm},
    {MS, "SkipSimplifiedLayerNormalization", skip_norm},
    {"", NULL, NULL},
};
