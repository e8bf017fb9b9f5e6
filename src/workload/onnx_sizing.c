// onnx_sizing.c - operators that make tensors whose shapes depend on values: constants, shapes,
// ranges, look-ups, reductions.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "onnx_graph.h"

// ---- constants ----

static void attach(SlOnnxRun *run, const SlOnnxNode *node, const SlOnnxData *data) {
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (!out) return;
    out->data = data;
    out->weight = true;
}

static const char *constant_tensor(SlOnnxRun *run, const SlOnnxNode *node, const SlOnnxAttr *attr) {
    SlWireField field;
    SlOnnxData *data = SL_NEW(run->arena, 1, SlOnnxData);
    if (!data) return run->failed = "not enough memory for a constant";
    if (!sl_onnx_attr_field(attr, 5, &field) || !sl_onnx_data_read(field.bytes, data))
        return "its tensor is malformed";
    const char *reason = sl_onnx_set(run, node, 0, data->elem, data->rank, data->dims);
    if (!reason) attach(run, node, data);
    return reason;
}

static const char *constant_ints(SlOnnxRun *run, const SlOnnxNode *node, const char *name,
                                 int rank) {
    int64_t numbers[SL_ONNX_MAX_INTS];
    int n = rank ? sl_onnx_attr_ints(node, name, numbers) : 1;
    if (n < 0) return "its numbers are malformed or more than 64";
    if (!rank) numbers[0] = sl_onnx_attr_int(node, name, 0);
    const char *reason = sl_onnx_set(run, node, 0, SL_ONNX_INT64, rank, (int64_t[]){n});
    SlOnnxNumber *values = reason ? NULL : sl_onnx_values_out(run, node, 0);
    for (int i = 0; i < n && values; i++) values[i].i = numbers[i];
    attach(run, node, NULL);
    return reason;
}

// floats: only one can matter to a shape
static const char *constant_float(SlOnnxRun *run, const SlOnnxNode *node, const SlOnnxAttr *attr) {
    SlWireField field = {0};
    sl_onnx_attr_field(attr, 2, &field);
    uint32_t bits = (uint32_t)field.value;
    float value;
    memcpy(&value, &bits, sizeof value);
    const char *reason = sl_onnx_set(run, node, 0, SL_ONNX_FLOAT, 0, NULL);
    SlOnnxNumber *values = reason ? NULL : sl_onnx_values_out(run, node, 0);
    if (values) values[0].f = (double)value;
    attach(run, node, NULL);
    return reason;
}

// SparseTensorProto: dims in field 3
static const char *constant_sparse(SlOnnxRun *run, const SlOnnxNode *node, const SlOnnxAttr *attr) {
    SlWireField field, dim;
    int64_t dims[SL_ONNX_MAX_RANK];
    size_t rank = 0;
    if (!sl_onnx_attr_field(attr, 22, &field)) return "its sparse tensor is malformed";
    SlWire wire = sl_wire(field.bytes);
    while (sl_wire_next(&wire, &dim)) {
        if (dim.number == 3 && !sl_wire_ints(&dim, SL_ONNX_MAX_RANK, dims, &rank))
            return "its sparse tensor is malformed";
    }
    if (wire.bad || rank > SL_ONNX_MAX_RANK) return "its sparse tensor is malformed";
    attach(run, node, NULL);
    return sl_onnx_set(run, node, 0, SL_ONNX_FLOAT, (int)rank, dims);
}

const char *sl_onnx_constant(SlOnnxRun *run, const SlOnnxNode *node) {
    const SlOnnxAttr *attr = sl_onnx_attr(node, "value");
    if (attr) return constant_tensor(run, node, attr);
    if (sl_onnx_attr(node, "value_int")) return constant_ints(run, node, "value_int", 0);
    if (sl_onnx_attr(node, "value_ints")) return constant_ints(run, node, "value_ints", 1);
    if ((attr = sl_onnx_attr(node, "value_float"))) return constant_float(run, node, attr);
    if ((attr = sl_onnx_attr(node, "sparse_value"))) return constant_sparse(run, node, attr);
    if ((attr = sl_onnx_attr(node, "value_floats"))) {
        SlWireField field;
        int64_t n = 0;
        SlWire wire = sl_wire(attr->body);
        while (sl_wire_next(&wire, &field))
            if (field.number == 7)
                n += field.type == SL_WIRE_BYTES ? (int64_t)field.bytes.n / 4 : 1;
        attach(run, node, NULL);
        return sl_onnx_set(run, node, 0, SL_ONNX_FLOAT, 1, &n);
    }
    return "its value is none that a shape can be made of";
}

static const char *constant_of_shape(SlOnnxRun *run, const SlOnnxNode *node) {
    int64_t dims[SL_ONNX_MAX_INTS];
    int n = 0;
    SlWireField field;
    SlOnnxData data = {.elem = SL_ONNX_FLOAT};
    const char *reason = sl_onnx_numbers(run, node, 0, NULL, dims, &n);
    if (reason) return reason;
    if (n < 0 || n > SL_ONNX_MAX_RANK) return "its shape has more than 32 axes";
    const SlOnnxAttr *attr = sl_onnx_attr(node, "value");
    if (attr && (!sl_onnx_attr_field(attr, 5, &field) || !sl_onnx_data_read(field.bytes, &data)))
        return "its value is malformed";
    if ((reason = sl_onnx_set(run, node, 0, data.elem, n, dims))) return reason;
    // one value, read as a constant of its own
    SlOnnxTensor one = {.known = true, .rank = data.rank, .dims = data.dims, .data = &data};
    int64_t count = 0;
    const SlOnnxNumber *value = attr ? sl_onnx_value(run, &one, &count) : NULL;
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    SlOnnxNumber *values = attr && (!value || count != 1) ? NULL : sl_onnx_values_out(run, node, 0);
    for (int64_t i = 0; values && i < sl_onnx_count(out); i++)
        values[i] = value ? value[0] : (SlOnnxNumber){.i = 0};
    if (values && !value && sl_onnx_is_float(data.elem))
        for (int64_t i = 0; i < sl_onnx_count(out); i++) values[i].f = 0;
    return NULL;
}

// ---- shapes as values ----

static const char *shape(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    int64_t start = sl_onnx_attr_int(node, "start", 0), end = in->rank;
    if (sl_onnx_attr(node, "end")) end = sl_onnx_attr_int(node, "end", 0);
    if (start < 0) start += in->rank;
    if (end < 0) end += in->rank;
    start = start < 0 ? 0 : start > in->rank ? in->rank : start;
    end = end < start ? start : end > in->rank ? in->rank : end;
    reason = sl_onnx_set(run, node, 0, SL_ONNX_INT64, 1, (int64_t[]){end - start});
    SlOnnxNumber *values = reason ? NULL : sl_onnx_values_out(run, node, 0);
    for (int64_t d = start; d < end && values; d++) values[d - start].i = in->dims[d];
    return reason;
}

static const char *size(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_set(run, node, 0, SL_ONNX_INT64, 0, NULL);
    SlOnnxNumber *values = reason ? NULL : sl_onnx_values_out(run, node, 0);
    if (values) values[0].i = sl_onnx_count(in);
    return reason;
}

// ceil((limit - start) / delta), at least 0
static bool range_length(bool real, const SlOnnxNumber v[3], int64_t *n) {
    if (real) {
        double steps = ceil((v[1].f - v[0].f) / v[2].f);
        *n = steps > 0 ? (int64_t)fmin(steps, 0x1p61) : 0;
        return !isnan(steps);
    }
    int64_t room = 0;
    if (v[2].i == 0 || __builtin_sub_overflow(v[1].i, v[0].i, &room)) return false;
    if (v[2].i == INT64_MIN) return false;
    bool ahead = v[2].i > 0 ? room > 0 : room < 0;
    int64_t step = v[2].i < 0 ? -v[2].i : v[2].i;
    if (room == INT64_MIN) return false;
    if (room < 0) room = -room;
    *n = ahead ? (room - 1) / step + 1 : 0;
    return true;
}

static const char *range(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxNumber v[3];
    SlOnnxTensor *in = NULL;
    for (int i = 0; i < 3; i++) {
        int64_t n = 0;
        const char *reason = sl_onnx_need(run, node, i, &in);
        if (reason) return reason;
        const SlOnnxNumber *value = sl_onnx_value(run, in, &n);
        if (!value || n != 1) return "its length is known only when the network runs";
        v[i] = value[0];
    }
    int64_t n = 0;
    bool real = sl_onnx_is_float(in->elem);
    if (!range_length(real, v, &n)) return "its step or its length is out of range";
    const char *reason = sl_onnx_set(run, node, 0, in->elem, 1, &n);
    SlOnnxNumber *values = reason ? NULL : sl_onnx_values_out(run, node, 0);
    for (int64_t i = 0; i < n && values; i++) {
        if (real)
            values[i].f = v[0].f + (double)i * v[2].f;
        else
            values[i].i = v[0].i + i * v[2].i;
    }
    return reason;
}

// ---- look-ups ----

// values of a list by an index or a list of them
static void gather_values(SlOnnxRun *run, const SlOnnxNode *node, SlOnnxTensor *in,
                          SlOnnxTensor *at) {
    int64_t n_in = 0, n_at = 0;
    if (in->rank != 1) return;
    const SlOnnxNumber *from = sl_onnx_value(run, in, &n_in);
    const SlOnnxNumber *index = from ? sl_onnx_value(run, at, &n_at) : NULL;
    if (!index) return;
    for (int64_t i = 0; i < n_at; i++)
        if (index[i].i < -n_in || index[i].i >= n_in) return;
    SlOnnxNumber *to = sl_onnx_values_out(run, node, 0);
    for (int64_t i = 0; i < n_at && to; i++)
        to[i] = from[index[i].i < 0 ? index[i].i + n_in : index[i].i];
}

static const char *gather(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *at = NULL;
    int64_t dims[2 * SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_need(run, node, 1, &at);
    if (reason) return reason;
    int axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", 0), in->rank), n = 0;
    if (axis < 0) return "its axis is outside the tensor";
    for (int d = 0; d < axis; d++) dims[n++] = in->dims[d];
    for (int d = 0; d < at->rank; d++) dims[n++] = at->dims[d];
    for (int d = axis + 1; d < in->rank; d++) dims[n++] = in->dims[d];
    reason = sl_onnx_set(run, node, 0, in->elem, n, dims);
    if (!reason) gather_values(run, node, in, at);
    return reason;
}

// the shape of the indices, of the data's type
static const char *gather_elements(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *at = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_need(run, node, 1, &at);
    return reason ? reason : sl_onnx_set(run, node, 0, in->elem, at->rank, at->dims);
}

static const char *gather_nd(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *at = NULL;
    int64_t dims[2 * SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_need_rank(run, node, 1, 1, SL_ONNX_MAX_RANK, &at);
    if (reason) return reason;
    int64_t batch = sl_onnx_attr_int(node, "batch_dims", 0), depth = at->dims[at->rank - 1];
    if (batch < 0 || batch >= at->rank || depth > in->rank - batch)
        return "its indices have more axes than the tensor";
    int n = 0;
    for (int d = 0; d < at->rank - 1; d++) dims[n++] = at->dims[d];
    for (int d = (int)(batch + depth); d < in->rank; d++) dims[n++] = in->dims[d];
    return sl_onnx_set(run, node, 0, in->elem, n, dims);
}

static const char *one_hot(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *values = NULL;
    int64_t depth[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK + 1];
    int n = 0;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, NULL, depth, &n);
    if (!reason) reason = sl_onnx_need(run, node, 2, &values);
    if (reason) return reason;
    int axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", -1), in->rank + 1);
    if (axis < 0 || n != 1) return "its axis or its depth is malformed";
    for (int d = 0, k = 0; d <= in->rank; d++) dims[d] = d == axis ? depth[0] : in->dims[k++];
    return sl_onnx_set(run, node, 0, values->elem, in->rank + 1, dims);
}

static const char *top_k(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t k[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    int n = 0;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason && node->n_inputs > 1) reason = sl_onnx_numbers(run, node, 1, NULL, k, &n);
    if (reason) return reason;
    if (node->n_inputs < 2) k[0] = sl_onnx_attr_int(node, "k", 1);
    int axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", -1), in->rank);
    if (axis < 0) return "its axis is outside the tensor";
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    dims[axis] = k[0];
    reason = sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
    return reason ? reason : sl_onnx_set(run, node, 1, SL_ONNX_INT64, in->rank, dims);
}

// ---- reductions ----

// product, sum, largest, smallest of a list that becomes one number
static void reduce_values(SlOnnxRun *run, const SlOnnxNode *node, SlOnnxTensor *in) {
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    int64_t n = 0;
    if (in->rank > 1 || !out || sl_onnx_count(out) != 1 || sl_onnx_is_float(in->elem)) return;
    const SlOnnxNumber *from = sl_onnx_value(run, in, &n);
    SlBytes op = node->op;
    bool product = sl_bytes_are(op, "ReduceProd"), sum = sl_bytes_are(op, "ReduceSum");
    bool largest = sl_bytes_are(op, "ReduceMax"), smallest = sl_bytes_are(op, "ReduceMin");
    if (!from || n < 1 || !(product || sum || largest || smallest)) return;
    int64_t value = from[0].i;
    for (int64_t k = 1; k < n; k++) {
        if (product && __builtin_mul_overflow(value, from[k].i, &value)) return;
        if (sum && __builtin_add_overflow(value, from[k].i, &value)) return;
        if (largest && from[k].i > value) value = from[k].i;
        if (smallest && from[k].i < value) value = from[k].i;
    }
    SlOnnxNumber *to = sl_onnx_values_out(run, node, 0);
    if (to) to[0].i = value;
}

static const char *reduce(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t axes[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    bool gone[SL_ONNX_MAX_RANK] = {false};
    int n = 0, rank = 0;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, "axes", axes, &n);
    if (reason) return reason;
    bool keep = sl_onnx_attr_int(node, "keepdims", 1) != 0;
    if (n <= 0 && sl_onnx_attr_int(node, "noop_with_empty_axes", 0))
        return sl_onnx_like(run, node, 0, in);
    for (int i = 0; i < n; i++) {
        int axis = sl_onnx_axis(axes[i], in->rank);
        if (axis < 0) return "an axis is outside the tensor";
        gone[axis] = true;
    }
    for (int d = 0; d < in->rank; d++) {
        bool drop = n <= 0 || gone[d];
        if (!drop || keep) dims[rank++] = drop ? 1 : in->dims[d];
    }
    reason = sl_onnx_set(run, node, 0, in->elem, rank, dims);
    if (!reason) reduce_values(run, node, in);
    return reason;
}

// the place of the largest or smallest along one axis
static const char *arg(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    int axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", 0), in->rank), rank = 0;
    if (axis < 0) return "its axis is outside the tensor";
    bool keep = sl_onnx_attr_int(node, "keepdims", 1) != 0;
    for (int d = 0; d < in->rank; d++)
        if (d != axis || keep) dims[rank++] = d == axis ? 1 : in->dims[d];
    return sl_onnx_set(run, node, 0, SL_ONNX_INT64, rank, dims);
}

// ---- sizes that only data tell ----

static const char *by_data(SlOnnxRun *run, const SlOnnxNode *node) {
    (void)run, (void)node;
    return "its size depends on data";
}

const SlOnnxRow sl_onnx_sizings[] = {
    {"", "Constant", sl_onnx_constant},
    {"", "ConstantOfShape", constant_of_shape},
    {"", "Shape", shape},
    {"", "Size", size},
    {"", "Range", range},
    {"", "Gather", gather},
    {"", "GatherElements", gather_elements},
    {"", "GatherND", gather_nd},
    {"", "OneHot", one_hot},
    {"", "TopK", top_k},
    {"", "ReduceSum", reduce},
    {"", "ReduceMean", reduce},
    {"", "ReduceMax", reduce},
    {"", "ReduceMin", reduce},
    {"", "ReduceProd", reduce},
    {"", "ReduceL1", reduce},
    {"", "ReduceL2", reduce},
    {"", "ReduceLogSum", reduce},
    {"", "ReduceLogSumExp", reduce},
    {"", "ReduceSumSquare", reduce},
    {"", "ArgMax", arg},
    {"", "ArgMin", arg},
    {"", "AveragePool", sl_onnx_pool},
    {"", "LpPool", sl_onnx_pool},
    {"", "GlobalAveragePool", sl_onnx_pool},
    {"", "GlobalLpPool", sl_onnx_pool},
    {"com.microsoft", "QLinearAveragePool", sl_onnx_pool},
    {"com.microsoft", "QLinearGlobalAveragePool", sl_onnx_pool},
    {"", "Resize", sl_onnx_resize},
    {"", "Upsample", sl_onnx_resize},
    {"", "Pad", sl_onnx_pad},
    {"", "NonZero", by_data},
    {"", "NonMaxSuppression", by_data},
    {"", "Unique", by_data},
    {"", "Compress", by_data},
    {"", "SequenceConstruct", by_data},
    {"", "SequenceEmpty", by_data},
    {"", "SequenceInsert", by_data},
    {"", "SequenceErase", by_data},
    {"", "SequenceAt", by_data},
    {"", "SequenceLength", by_data},
    {"", "SplitToSequence", by_data},
    {"", "ConcatFromSequence", by_data},
    {"", "MaxUnpool", by_data},
    {"", NULL, NULL},
};
