// onnx_moves.c - operators that move words: shapes and values of what comes out.
#include <string.h>

#include "onnx_graph.h"

// ---- values of what is moved ----

// out[index] = in[sum over axes of (start + step * index % extent) * stride], axis `axis[d]` of the
// input for each axis d of the output (-1: none)
typedef struct {
    int axis[SL_ONNX_MAX_RANK];
    int64_t start[SL_ONNX_MAX_RANK], step[SL_ONNX_MAX_RANK];
} View;

static void view_init(View *view, int rank_in, int rank_out) {
    for (int d = 0; d < SL_ONNX_MAX_RANK; d++) {
        view->axis[d] = d - (rank_out - rank_in);
        view->start[d] = 0;
        view->step[d] = 1;
    }
}

static void view_values(SlOnnxRun *run, const SlOnnxNode *node, int output, SlOnnxTensor *in,
                        const View *view) {
    int64_t n_in = 0, index[SL_ONNX_MAX_RANK] = {0};
    const SlOnnxNumber *from = sl_onnx_value(run, in, &n_in);
    SlOnnxTensor *out = sl_onnx_out(run, node, output);
    SlOnnxNumber *to = from ? sl_onnx_values_out(run, node, output) : NULL;
    if (!to) return;
    int64_t n = sl_onnx_count(out);
    for (int64_t k = 0; k < n; k++) {
        int64_t at = 0;
        for (int d = 0; d < out->rank; d++) {
            int axis = view->axis[d];
            if (axis < 0) continue;
            int64_t stride = sl_onnx_product(in->rank - axis - 1, in->dims + axis + 1);
            at += (view->start[d] + view->step[d] * index[d]) % in->dims[axis] * stride;
        }
        to[k] = from[at];
        for (int d = out->rank - 1; d >= 0 && ++index[d] == out->dims[d]; d--) index[d] = 0;
    }
}

// the same numbers in a new shape
static void same_values(SlOnnxRun *run, const SlOnnxNode *node, SlOnnxTensor *in) {
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (!out || !out->known) return;
    out->value = in->value;
    out->data = in->value ? NULL : in->data;
}

static const char *identity(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_like(run, node, 0, in);
    if (!reason) same_values(run, node, in);
    return reason;
}

// ---- new shapes of the same words ----

// 0 copies (unless allowzero), -1 takes what is left
static const char *reshape(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_INTS];
    int n = 0, open = -1;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, "shape", dims, &n);
    if (reason) return reason;
    if (n < 0) return "it has no shape";
    if (n > SL_ONNX_MAX_RANK) return "its shape has more than 32 axes";
    bool keep_zero = sl_onnx_attr_int(node, "allowzero", 0) != 0;
    int64_t count = sl_onnx_count(in);
    for (int d = 0; d < n; d++) {
        if (dims[d] == 0 && !keep_zero) {
            if (d >= in->rank) return "its shape copies an axis that the input does not have";
            dims[d] = in->dims[d];
        }
        if (dims[d] < -1) return "its shape has an extent below -1";
        if (dims[d] != -1) continue;
        if (open >= 0) return "its shape has two extents of -1";
        open = d;
    }
    if (open >= 0) {
        dims[open] = 1;
        int64_t rest = sl_onnx_product(n, dims);
        if (rest == 0 || count % rest) return "its shape does not divide the input";
        dims[open] = count / rest;
    }
    if (sl_onnx_product(n, dims) != count) return "its shape has another number of elements";
    reason = sl_onnx_set(run, node, 0, in->elem, n, dims);
    if (!reason) same_values(run, node, in);
    return reason;
}

static const char *mark_axes(int n, const int64_t *axes, int rank, bool marked[SL_ONNX_MAX_RANK]) {
    memset(marked, 0, SL_ONNX_MAX_RANK * sizeof *marked);
    if (rank > SL_ONNX_MAX_RANK) return "a tensor has more than 32 axes";
    for (int i = 0; i < n; i++) {
        int axis = sl_onnx_axis(axes[i], rank);
        if (axis < 0) return "an axis is outside the tensor";
        marked[axis] = true;
    }
    return NULL;
}

static const char *squeeze(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t axes[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    bool marked[SL_ONNX_MAX_RANK];
    int n = 0, rank = 0;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, "axes", axes, &n);
    if (!reason) reason = mark_axes(n, axes, in->rank, marked);
    if (reason) return reason;
    for (int d = 0; d < in->rank; d++) {
        bool drop = n < 0 ? in->dims[d] == 1 : marked[d];
        if (drop && in->dims[d] != 1) return "it removes an axis of more than one element";
        if (!drop) dims[rank++] = in->dims[d];
    }
    reason = sl_onnx_set(run, node, 0, in->elem, rank, dims);
    if (!reason) same_values(run, node, in);
    return reason;
}

static const char *unsqueeze(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t axes[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    bool marked[SL_ONNX_MAX_RANK];
    int n = 0, next = 0;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, "axes", axes, &n);
    if (!reason && n < 0) reason = "it has no axes";
    if (!reason) reason = mark_axes(n, axes, in->rank + n, marked);
    if (reason) return reason;
    for (int d = 0; d < in->rank + n; d++) {
        if (!marked[d] && next >= in->rank) return "an axis is given twice";
        dims[d] = marked[d] ? 1 : in->dims[next++];
    }
    if (next != in->rank) return "an axis is given twice";
    reason = sl_onnx_set(run, node, 0, in->elem, in->rank + n, dims);
    if (!reason) same_values(run, node, in);
    return reason;
}

static const char *flatten(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    int64_t axis = sl_onnx_attr_int(node, "axis", 1);
    if (axis < 0) axis += in->rank;
    if (axis < 0 || axis > in->rank) return "its axis is outside the tensor";
    int64_t dims[2] = {sl_onnx_product((int)axis, in->dims),
                       sl_onnx_product(in->rank - (int)axis, in->dims + axis)};
    reason = sl_onnx_set(run, node, 0, in->elem, 2, dims);
    if (!reason) same_values(run, node, in);
    return reason;
}

static const char *transpose(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t order[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    bool marked[SL_ONNX_MAX_RANK];
    View view;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    int n = sl_onnx_attr_ints(node, "perm", order);
    for (int d = 0; n == -1 && d < in->rank; d++) order[d] = in->rank - 1 - d;
    if (n != -1 && n != in->rank) return "its perm has another number of axes than the input";
    if ((reason = mark_axes(in->rank, order, in->rank, marked))) return reason;
    view_init(&view, in->rank, in->rank);
    for (int d = 0; d < in->rank; d++) {
        if (!marked[d]) return "its perm leaves out an axis";
        view.axis[d] = sl_onnx_axis(order[d], in->rank);
        dims[d] = in->dims[view.axis[d]];
    }
    reason = sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
    if (!reason) view_values(run, node, 0, in, &view);
    return reason;
}

// blocks of pixels into channels, or back
static const char *shuffle(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    const char *reason = sl_onnx_need_rank(run, node, 0, 4, 4, &in);
    if (reason) return reason;
    int64_t block = sl_onnx_attr_int(node, "blocksize", 1);
    if (block < 1 || block > 32768) return "its blocksize is not in 1..32768";
    int64_t dims[4] = {in->dims[0], in->dims[1], in->dims[2], in->dims[3]};
    if (sl_bytes_are(node->op, "DepthToSpace")) {
        if (dims[1] % (block * block)) return "its blocksize does not divide the channels";
        dims[1] /= block * block;
        for (int d = 2; d < 4; d++) dims[d] = sl_onnx_product(2, (int64_t[]){dims[d], block});
    } else {
        if (dims[2] % block || dims[3] % block) return "its blocksize does not divide the picture";
        dims[1] = sl_onnx_product(3, (int64_t[]){dims[1], block, block});
        for (int d = 2; d < 4; d++) dims[d] /= block;
    }
    return sl_onnx_set(run, node, 0, in->elem, 4, dims);
}

// ---- parts and repetitions ----

static const char *concat(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL, *first = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    int axis = 0;
    for (int i = 0; i < node->n_inputs; i++) {
        const char *reason = sl_onnx_need(run, node, i, &in);
        if (reason) return reason;
        if (!first) {
            first = in;
            axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", 1), in->rank);
            if (axis < 0) return "its axis is outside the tensor";
            memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
            continue;
        }
        if (in->rank != first->rank) return "its inputs have different numbers of axes";
        for (int d = 0; d < in->rank; d++) {
            if (d != axis && in->dims[d] != dims[d]) return "its inputs do not fit together";
        }
        if (in->dims[axis] > INT64_MAX / 2 - dims[axis]) return "its output is too large";
        dims[axis] += in->dims[axis];
    }
    if (!first) return "it has no inputs";
    return sl_onnx_set(run, node, 0, first->elem, first->rank, dims);
}

// values of a concatenation of lists, which shapes are
static const char *concat_values(SlOnnxRun *run, const SlOnnxNode *node) {
    const char *reason = concat(run, node);
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (reason || !out || out->rank != 1) return reason;
    for (int i = 0; i < node->n_inputs; i++) {
        int64_t n = 0;
        if (!sl_onnx_value(run, sl_onnx_in(run, node, i), &n)) return NULL;
    }
    SlOnnxNumber *to = sl_onnx_values_out(run, node, 0);
    for (int i = 0; i < node->n_inputs && to; i++) {
        int64_t n = 0;
        const SlOnnxNumber *from = sl_onnx_value(run, sl_onnx_in(run, node, i), &n);
        for (int64_t k = 0; k < n; k++) *to++ = from[k];
    }
    return NULL;
}

// sizes of the parts: given, or as equal as can be
static const char *split_sizes(SlOnnxRun *run, const SlOnnxNode *node, int64_t extent,
                               int64_t sizes[SL_ONNX_MAX_INTS], int *n) {
    const char *reason = sl_onnx_numbers(run, node, 1, "split", sizes, n);
    if (reason) return reason;
    if (*n >= 0) {
        int64_t sum = 0;
        for (int i = 0; i < *n; i++) {
            if (sizes[i] < 0 || sizes[i] > extent - sum) return "its parts do not fit the axis";
            sum += sizes[i];
        }
        return sum == extent ? NULL : "its parts do not fill the axis";
    }
    int64_t parts = sl_onnx_attr_int(node, "num_outputs", node->n_outputs);
    if (parts < 1 || parts > SL_ONNX_MAX_INTS) return "it has more than 64 parts";
    int64_t each = extent / parts + (extent % parts != 0);
    for (int i = 0; i < parts; i++) {
        int64_t left = extent - i * each;
        sizes[i] = left < 0 ? 0 : left < each ? left : each;
    }
    *n = (int)parts;
    return NULL;
}

static const char *split(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t sizes[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK], start = 0;
    int n = 0;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (reason) return reason;
    int axis = sl_onnx_axis(sl_onnx_attr_int(node, "axis", 0), in->rank);
    if (axis < 0) return "its axis is outside the tensor";
    if ((reason = split_sizes(run, node, in->dims[axis], sizes, &n))) return reason;
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    for (int i = 0; i < node->n_outputs && i < n; i++) {
        View view;
        view_init(&view, in->rank, in->rank);
        view.start[axis] = start;
        dims[axis] = sizes[i];
        if ((reason = sl_onnx_set(run, node, i, in->elem, in->rank, dims))) return reason;
        view_values(run, node, i, in, &view);
        start += sizes[i];
    }
    return NULL;
}

static const char *expand(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t shape[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    int n = 0, rank = 0;
    View view;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, NULL, shape, &n);
    if (!reason && n < 0) reason = "it has no shape";
    if (!reason && n > SL_ONNX_MAX_RANK) reason = "its shape has more than 32 axes";
    if (reason) return reason;
    if (!sl_onnx_broadcast(in->rank, in->dims, n, shape, &rank, dims))
        return "its shape does not fit the input";
    reason = sl_onnx_set(run, node, 0, in->elem, rank, dims);
    view_init(&view, in->rank, rank);
    if (!reason) view_values(run, node, 0, in, &view);
    return reason;
}

static const char *tile(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t times[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    int n = 0;
    View view;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, NULL, times, &n);
    if (reason) return reason;
    if (n != in->rank) return "it repeats another number of axes than the input has";
    for (int d = 0; d < n; d++) {
        if (times[d] < 0) return "it repeats less than 0 times";
        dims[d] = sl_onnx_product(2, (int64_t[]){in->dims[d], times[d]});
    }
    reason = sl_onnx_set(run, node, 0, in->elem, n, dims);
    view_init(&view, n, n);
    if (!reason) view_values(run, node, 0, in, &view);
    return reason;
}

// ---- slices ----

// the first element and how many there are, as NumPy has it: out-of-range ends are clipped
static bool clip_slice(int64_t extent, int64_t start, int64_t end, int64_t step, int64_t *first,
                       int64_t *n) {
    if (step == 0) return false;
    if (start < 0) start = start < -extent ? -1 : start + extent;
    if (end < 0) end = end < -extent ? -1 : end + extent;
    int64_t lo = step > 0 ? 0 : -1, hi = step > 0 ? extent : extent - 1;
    start = start < lo ? lo : start > hi ? hi : start;
    end = end < lo ? lo : end > hi ? hi : end;
    *first = start < 0 ? 0 : start;
    *n = 0;
    if (step > 0 && end > start) *n = (end - start - 1) / step + 1;
    if (step < 0 && end < start) *n = step == INT64_MIN ? 1 : (start - end - 1) / -step + 1;
    return true;
}

typedef struct {
    int64_t starts[SL_ONNX_MAX_INTS], ends[SL_ONNX_MAX_INTS];
    int64_t axes[SL_ONNX_MAX_INTS], steps[SL_ONNX_MAX_INTS];
    int n;
} Cuts;

static const char *read_cuts(SlOnnxRun *run, const SlOnnxNode *node, Cuts *cuts) {
    int n_ends = 0, n_axes = 0, n_steps = 0;
    const char *reason = sl_onnx_numbers(run, node, 1, "starts", cuts->starts, &cuts->n);
    if (!reason) reason = sl_onnx_numbers(run, node, 2, "ends", cuts->ends, &n_ends);
    if (!reason) reason = sl_onnx_numbers(run, node, 3, "axes", cuts->axes, &n_axes);
    if (!reason) reason = sl_onnx_numbers(run, node, 4, NULL, cuts->steps, &n_steps);
    if (reason) return reason;
    if (cuts->n < 0 || n_ends != cuts->n || (n_axes >= 0 && n_axes != cuts->n) ||
        (n_steps >= 0 && n_steps != cuts->n))
        return "its starts, ends, axes and steps are not equally many";
    for (int i = 0; i < cuts->n; i++) {
        if (n_axes < 0) cuts->axes[i] = i;
        if (n_steps < 0) cuts->steps[i] = 1;
    }
    return NULL;
}

const char *sl_onnx_slice(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t dims[SL_ONNX_MAX_RANK];
    Cuts cuts;
    View view;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = read_cuts(run, node, &cuts);
    if (reason) return reason;
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    view_init(&view, in->rank, in->rank);
    for (int i = 0; i < cuts.n; i++) {
        int axis = sl_onnx_axis(cuts.axes[i], in->rank);
        if (axis < 0) return "an axis is outside the tensor";
        if (!clip_slice(in->dims[axis], cuts.starts[i], cuts.ends[i], cuts.steps[i],
                        &view.start[axis], &dims[axis]))
            return "a step is 0";
        view.step[axis] = cuts.steps[i];
        if (dims[axis] < 2) view.step[axis] = 0; // a huge one would overflow
    }
    reason = sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
    if (!reason) view_values(run, node, 0, in, &view);
    return reason;
}

const SlOnnxRow sl_onnx_moves[] = {
    {"", "Identity", identity},
    {"", "Reshape", reshape},
    {"", "Squeeze", squeeze},
    {"", "Unsqueeze", unsqueeze},
    {"", "Flatten", flatten},
    {"", "Transpose", transpose},
    {"", "DepthToSpace", shuffle},
    {"", "SpaceToDepth", shuffle},
    {"", "Concat", concat_values},
    {"", "Split", split},
    {"", "Expand", expand},
    {"", "Tile", tile},
    {"", "Slice", sl_onnx_slice},
    {"", "MaxPool", sl_onnx_pool},
    {"", "GlobalMaxPool", sl_onnx_pool},
    {"", NULL, NULL},
};
