// onnx_window.c - windows over pictures: what Conv and the pools have in common; pools, padding and
// resizing.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "onnx_graph.h"

// ---- attributes ----

static const char *window_list(SlOnnxRun *run, const SlOnnxNode *node, const char *name, int n,
                               int64_t least, int64_t *out, bool *given) {
    int64_t numbers[SL_ONNX_MAX_INTS];
    int count = sl_onnx_attr_ints(node, name, numbers);
    *given = count >= 0;
    if (count == -1) return NULL;
    if (count != n)
        return sl_onnx_say(run, "its %s are %d numbers, expected %d", name, count < 0 ? 0 : count,
                           n);
    for (int i = 0; i < n; i++) {
        if (numbers[i] < least || numbers[i] > INT32_MAX)
            return sl_onnx_say(run, "its %s hold %" PRId64, name, numbers[i]);
        out[i] = numbers[i];
    }
    return NULL;
}

const char *sl_onnx_window(SlOnnxRun *run, const SlOnnxNode *node, int n, const int64_t *kernel,
                           SlOnnxWindow *window) {
    int64_t pads[2 * SL_ONNX_MAX_RANK] = {0};
    bool given = false, ignored = false;
    *window = (SlOnnxWindow){.n = n};
    for (int d = 0; d < n; d++) {
        window->stride[d] = window->dilation[d] = 1;
        if (kernel) window->kernel[d] = kernel[d];
    }
    const char *reason = window_list(run, node, "kernel_shape", n, 1, window->kernel, &given);
    if (!reason && !given && !kernel) reason = "it has no kernel_shape";
    if (!reason) reason = window_list(run, node, "strides", n, 1, window->stride, &ignored);
    if (!reason) reason = window_list(run, node, "dilations", n, 1, window->dilation, &ignored);
    if (!reason) reason = window_list(run, node, "pads", 2 * n, -INT32_MAX, pads, &ignored);
    if (reason) return reason;
    for (int d = 0; d < n && kernel; d++)
        if (window->kernel[d] != kernel[d]) return "its kernel_shape is not that of its weight";
    SlBytes mode = sl_onnx_attr_text(node, "auto_pad");
    window->same = sl_bytes_are(mode, "SAME_UPPER") || sl_bytes_are(mode, "SAME_LOWER");
    // pads count only where nothing else says how to pad
    bool explicit = !mode.n || sl_bytes_are(mode, "NOTSET");
    if (!explicit && !window->same && !sl_bytes_are(mode, "VALID"))
        return sl_onnx_say(run, "its auto_pad is '%s'", sl_onnx_shown(mode).text);
    for (int d = 0; d < n && explicit; d++) {
        window->begin[d] = pads[d];
        window->end[d] = pads[n + d];
    }
    return NULL;
}

const char *sl_onnx_window_out(SlOnnxRun *run, const SlOnnxWindow *window, const int64_t *in,
                               bool ceil, int64_t *out) {
    for (int d = 0; d < window->n; d++) {
        int64_t stride = window->stride[d];
        if (in[d] > INT64_C(1) << 60) return "an axis is too long";
        if (window->same) {
            out[d] = in[d] / stride + (in[d] % stride != 0);
            continue;
        }
        int64_t reach = (window->kernel[d] - 1) * window->dilation[d] + 1;
        int64_t room = in[d] + window->begin[d] + window->end[d] - reach;
        if (room < 0)
            return sl_onnx_say(run,
                               "its window of %" PRId64 " does not fit into %" PRId64
                               " with padding %" PRId64 " and %" PRId64,
                               reach, in[d], window->begin[d], window->end[d]);
        out[d] = room / stride + 1;
        // a window more for what is left, if it starts inside the input or the padding before it
        if (ceil && room % stride && out[d] * stride < in[d] + window->begin[d]) out[d]++;
    }
    return NULL;
}

// ---- pools ----

const char *sl_onnx_pool(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    SlOnnxWindow window;
    int64_t dims[SL_ONNX_MAX_RANK];
    const char *reason = sl_onnx_need_rank(run, node, 0, 2, SL_ONNX_MAX_RANK, &in);
    if (reason) return reason;
    int n = in->rank - 2;
    // com.microsoft's pools may have the channels last
    int first = sl_onnx_attr_int(node, "channels_last", 0) ? 1 : 2;
    const char *global = node->op.n > 6 && !memcmp(node->op.at, "Global", 6) ? "Global" : NULL;
    if (sl_bytes_are(node->op, "QLinearGlobalAveragePool")) global = "Global";
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    for (int d = 0; d < n && global; d++) dims[first + d] = 1;
    if (!global) {
        bool ceil = sl_onnx_attr_int(node, "ceil_mode", 0) != 0;
        reason = sl_onnx_window(run, node, n, NULL, &window);
        if (!reason)
            reason = sl_onnx_window_out(run, &window, in->dims + first, ceil, dims + first);
        if (reason) return reason;
    }
    reason = sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
    return reason ? reason : sl_onnx_set(run, node, 1, SL_ONNX_INT64, in->rank, dims);
}

// ---- padding ----

const char *sl_onnx_pad(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    int64_t pads[SL_ONNX_MAX_INTS], axes[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    int n = 0, n_axes = 0;
    const char *old = sl_onnx_attr(node, "paddings") ? "paddings" : "pads"; // before opset 2
    const char *reason = sl_onnx_need(run, node, 0, &in);
    if (!reason) reason = sl_onnx_numbers(run, node, 1, old, pads, &n);
    if (!reason) reason = sl_onnx_numbers(run, node, 3, NULL, axes, &n_axes);
    if (reason) return reason;
    if (n_axes < 0) {
        n_axes = in->rank;
        for (int d = 0; d < in->rank; d++) axes[d] = d;
    }
    if (n != 2 * n_axes) return "its pads are not two for each axis";
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    for (int i = 0; i < n_axes; i++) {
        int axis = sl_onnx_axis(axes[i], in->rank);
        if (axis < 0) return "an axis is outside the tensor";
        if (__builtin_add_overflow(dims[axis], pads[i], &dims[axis]) ||
            __builtin_add_overflow(dims[axis], pads[n_axes + i], &dims[axis]))
            return "its pads are too large";
    }
    return sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
}

// ---- resizing ----

// scales of input i or of the attribute of old opsets; *n = -1: none
static const char *read_scales(SlOnnxRun *run, const SlOnnxNode *node, int i, double *scales,
                               int *n) {
    SlOnnxTensor *tensor = sl_onnx_in(run, node, i);
    *n = -1;
    if (!tensor) {
        const SlOnnxAttr *attr = sl_onnx_attr(node, "scales");
        if (!attr) return NULL;
        SlWire wire = sl_wire(attr->body);
        SlWireField field;
        *n = 0;
        while (sl_wire_next(&wire, &field)) {
            if (field.number != 7) continue;
            bool packed = field.type == SL_WIRE_BYTES;
            size_t count = packed ? field.bytes.n / 4 : 1;
            for (size_t k = 0; k < count && *n < SL_ONNX_MAX_RANK; k++) {
                uint32_t bits = (uint32_t)field.value;
                float value;
                if (packed) memcpy(&bits, field.bytes.at + 4 * k, 4);
                memcpy(&value, &bits, 4);
                scales[(*n)++] = (double)value;
            }
        }
        return NULL;
    }
    const char *reason = sl_onnx_need(run, node, i, &tensor);
    int64_t count = 0;
    const SlOnnxNumber *value = reason ? NULL : sl_onnx_value(run, tensor, &count);
    if (reason) return reason;
    if (count == 0) return NULL; // an empty list stands for a missing one
    if (!value || count > SL_ONNX_MAX_RANK || !sl_onnx_is_float(tensor->elem))
        return sl_onnx_say(run, "it needs the value of '%s', which %s",
                           sl_onnx_shown(tensor->name).text,
                           tensor->why ? tensor->why : "is known only when the network runs");
    for (int64_t k = 0; k < count; k++) scales[k] = value[k].f;
    *n = (int)count;
    return NULL;
}

static const char *scale_axis(int64_t in, double scale, int64_t *out) {
    double size = floor((double)in * scale);
    if (!(size >= 0 && size < 0x1p61)) return "a scale is out of range";
    *out = (int64_t)size;
    return NULL;
}

// sizes that keep the aspect ratio: the smallest or the largest scale for all
static const char *fit_sizes(SlBytes policy, int n, const int *axes, const int64_t *in,
                             int64_t *sizes) {
    bool larger = sl_bytes_are(policy, "not_smaller");
    if (!larger && !sl_bytes_are(policy, "not_larger")) return NULL;
    double best = larger ? 0 : INFINITY;
    for (int i = 0; i < n; i++) {
        double scale = (double)sizes[i] / (double)in[axes[i]];
        best = larger ? fmax(best, scale) : fmin(best, scale);
    }
    for (int i = 0; i < n; i++) {
        double size = round(best * (double)in[axes[i]]);
        if (!(size >= 0 && size < 0x1p61)) return "a size is out of range";
        sizes[i] = (int64_t)size;
    }
    return NULL;
}

const char *sl_onnx_resize(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = NULL;
    double scales[SL_ONNX_MAX_RANK] = {0};
    int64_t sizes[SL_ONNX_MAX_INTS], numbers[SL_ONNX_MAX_INTS], dims[SL_ONNX_MAX_RANK];
    int axes[SL_ONNX_MAX_INTS], n_scales = -1, n_sizes = -1;
    const char *reason = sl_onnx_need(run, node, 0, &in);
    // opset 10 and Upsample: scales are the second input; from 11 on that is roi
    bool second = node->n_inputs <= 2;
    if (!reason) reason = sl_onnx_numbers(run, node, 3, NULL, sizes, &n_sizes);
    if (!reason && n_sizes <= 0) reason = read_scales(run, node, second ? 1 : 2, scales, &n_scales);
    if (reason) return reason;
    int n_axes = sl_onnx_attr_ints(node, "axes", numbers);
    int n = n_axes < 0 ? in->rank : n_axes;
    if (n_axes == -2 || (n_sizes > 0 ? n_sizes : n_scales) != n)
        return "it has neither a scale nor a size for each of its axes";
    for (int i = 0; i < n; i++) {
        axes[i] = n_axes < 0 ? i : sl_onnx_axis(numbers[i], in->rank);
        if (axes[i] < 0) return "an axis is outside the tensor";
    }
    memcpy(dims, in->dims, (size_t)in->rank * sizeof *dims);
    if (n_sizes > 0)
        reason = fit_sizes(sl_onnx_attr_text(node, "keep_aspect_ratio_policy"), n, axes, in->dims,
                           sizes);
    for (int i = 0; i < n && !reason; i++) {
        if (n_sizes > 0)
            dims[axes[i]] = sizes[i];
        else
            reason = scale_axis(in->dims[axes[i]], scales[i], &dims[axes[i]]);
    }
    return reason ? reason : sl_onnx_set(run, node, 0, in->elem, in->rank, dims);
}
