// onnx_conv.c - Conv and ConvTranspose in all their forms, as layers.
//
// A window over three axes has one more than a layer. One axis moves out of it: exactly where its
// taps do not overlap from one output to the next, otherwise with the taps of that axis unfolded
// into channels; the MACs are exact, the input then counts once per tap.
//
// A transposed convolution is the product (K R S, C) x (C, H W) before its results are added up, at
// input positions; the output counts every summand.
#include <assert.h>
#include <string.h>

#include "onnx_graph.h"

// What a convolution is made of, whichever operator spells it.
typedef struct {
    SlOnnxTensor *in, *weight;
    SlOnnxWindow window;
    int64_t group, out[SL_ONNX_MAX_RANK]; // spatial extents of the output
} Conv;

// ConvInteger has its operands side by side, QLinearConv with scale and zero point behind each
static int weight_index(const SlOnnxNode *node) {
    return sl_bytes_are(node->op, "QLinearConv") ? 3 : 1;
}

static const char *read_operands(SlOnnxRun *run, const SlOnnxNode *node, Conv *conv) {
    const char *reason = sl_onnx_need_rank(run, node, 0, 3, 5, &conv->in);
    if (reason) return reason;
    int rank = conv->in->rank;
    reason = sl_onnx_need_rank(run, node, weight_index(node), rank, rank, &conv->weight);
    if (reason) return reason;
    conv->group = sl_onnx_attr_int(node, "group", 1);
    if (conv->group < 1 || conv->weight->dims[0] % conv->group)
        return "its group does not divide the channels";
    for (int d = 0; d < rank; d++)
        if (d != 1 && conv->weight->dims[d] < 1) return "its weight has no elements";
    return sl_onnx_window(run, node, rank - 2, conv->weight->dims + 2, &conv->window);
}

// does the window of axis d read every input at most once?
static bool apart(const SlOnnxWindow *window, int d) {
    return window->kernel[d] == 1 ||
           (window->dilation[d] == 1 && window->stride[d] >= window->kernel[d]);
}

// the axis of three that leaves the window: one whose taps do not overlap, else the first
static int axis_out(const Conv *conv) {
    for (int d = 0; d < 3; d++)
        if (apart(&conv->window, d) || conv->out[d] == 1) return d;
    return 0;
}

static void put_axis(const Conv *conv, int from, int to, SlLayer *layer) {
    const SlOnnxWindow *window = &conv->window;
    static const SlDim out[2] = {SL_P, SL_Q}, taps[2] = {SL_R, SL_S};
    assert(0 <= to && to < 2); // a third axis has left the window
    layer->dims[out[to]] = conv->out[from];
    layer->dims[taps[to]] = window->kernel[from];
    layer->stride[to] = (int32_t)window->stride[from];
    layer->dilation[to] = (int32_t)window->dilation[from];
    layer->pad[to] = window->begin[from] > 0 ? (int32_t)window->begin[from] : 0;
}

static void put_window(const Conv *conv, SlLayer *layer) {
    int n = conv->window.n, left = n == 3 ? axis_out(conv) : -1;
    for (int d = 0, to = 0; d < n; d++) {
        if (d == left) {
            layer->dims[SL_N] = sl_onnx_product(2, (int64_t[]){layer->dims[SL_N], conv->out[d]});
            layer->dims[SL_C] =
                sl_onnx_product(2, (int64_t[]){layer->dims[SL_C], conv->window.kernel[d]});
        } else {
            put_axis(conv, d, to++, layer);
        }
    }
}

static int conv_elem(const SlOnnxNode *node, const SlOnnxTensor *in) {
    return sl_bytes_are(node->op, "ConvInteger") ? SL_ONNX_INT32 : in->elem;
}

const char *sl_onnx_conv(SlOnnxRun *run, const SlOnnxNode *node) {
    Conv conv;
    SlLayer layer;
    int64_t dims[5];
    const char *reason = read_operands(run, node, &conv);
    if (reason) return reason;
    const int64_t *in = conv.in->dims, *weight = conv.weight->dims;
    if (weight[1] > INT64_MAX / conv.group || in[1] != weight[1] * conv.group)
        return "its weight has other channels than its input";
    if ((reason = sl_onnx_window_out(run, &conv.window, in + 2, false, conv.out))) return reason;
    dims[0] = in[0];
    dims[1] = weight[0];
    memcpy(dims + 2, conv.out, (size_t)conv.window.n * sizeof *dims);
    reason = sl_onnx_set(run, node, 0, conv_elem(node, conv.in), conv.in->rank, dims);
    if (reason) return reason;
    sl_layer_init(&layer);
    layer.dims[SL_N] = in[0];
    layer.dims[SL_G] = conv.group;
    layer.dims[SL_K] = weight[0] / conv.group;
    layer.dims[SL_C] = weight[1];
    put_window(&conv, &layer);
    if (conv.group > 1 && layer.dims[SL_K] == 1 && layer.dims[SL_C] == 1) layer.type = SL_DEPTHWISE;
    sl_onnx_words(&layer, conv.weight, conv.in, sl_onnx_out(run, node, 0));
    return sl_onnx_layer(run, node, "", &layer);
}

// stride (in - 1) + output_padding + (k - 1) dilation + 1 - pads, or in * stride with SAME
static const char *transposed_out(SlOnnxRun *run, const SlOnnxNode *node, Conv *conv) {
    int64_t given[SL_ONNX_MAX_INTS], more[SL_ONNX_MAX_INTS];
    int n = conv->window.n, n_given = sl_onnx_attr_ints(node, "output_shape", given);
    int n_more = sl_onnx_attr_ints(node, "output_padding", more);
    if ((n_given != -1 && n_given != n && n_given != n + 2) || (n_more != -1 && n_more != n))
        return "its output_shape or output_padding has another number of axes";
    for (int d = 0; d < n; d++) {
        const SlOnnxWindow *window = &conv->window;
        int64_t in = conv->in->dims[d + 2], reach = (window->kernel[d] - 1) * window->dilation[d];
        int64_t extra = n_more == -1 ? 0 : more[d];
        if (in > INT64_C(1) << 30 || extra < 0 || extra > INT32_MAX) return "an axis is too long";
        conv->out[d] = window->same ? in * window->stride[d]
                                    : window->stride[d] * (in - 1) + extra + reach + 1 -
                                          window->begin[d] - window->end[d];
        // of old writers with batch and channels in front
        if (n_given != -1) conv->out[d] = given[n_given - n + d];
        if (conv->out[d] < 1) return sl_onnx_say(run, "an axis of its output is below 1");
    }
    return NULL;
}

const char *sl_onnx_conv_transpose(SlOnnxRun *run, const SlOnnxNode *node) {
    Conv conv;
    SlLayer layer;
    int64_t dims[5];
    const char *reason = read_operands(run, node, &conv);
    if (!reason) reason = transposed_out(run, node, &conv);
    if (reason) return reason;
    const int64_t *in = conv.in->dims, *weight = conv.weight->dims;
    int n = conv.window.n;
    if (in[1] != weight[0]) return "its weight has other channels than its input";
    dims[0] = in[0];
    dims[1] = sl_onnx_product(2, (int64_t[]){weight[1], conv.group});
    memcpy(dims + 2, conv.out, (size_t)n * sizeof *dims);
    if ((reason = sl_onnx_set(run, node, 0, conv.in->elem, n + 2, dims))) return reason;
    sl_layer_init(&layer);
    layer.dims[SL_N] = n == 3 ? sl_onnx_product(2, (int64_t[]){in[0], in[2]}) : in[0];
    layer.dims[SL_G] = conv.group;
    layer.dims[SL_K] = sl_onnx_product(2, (int64_t[]){weight[1], sl_onnx_product(n, weight + 2)});
    layer.dims[SL_C] = weight[0] / conv.group;
    layer.dims[SL_P] = in[n == 3 ? 3 : 2];
    layer.dims[SL_Q] = n == 1 ? 1 : in[n + 1];
    sl_onnx_words(&layer, conv.weight, conv.in, sl_onnx_out(run, node, 0));
    return sl_onnx_layer(run, node, "", &layer);
}
