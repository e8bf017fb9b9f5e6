// layer.c - what a layer is: its names, its limits, its sizes.
#include "starling/workload.h"

#include <assert.h>
#include <string.h>

#include "layer_keys.h"

const char *const sl_dim_names[SL_N_DIMS + 1] = {"N", "G", "K", "C", "P", "Q", "R", "S", NULL};

const char *const sl_tensor_names[SL_N_TENSORS + 1] = {"W", "I", "O", NULL};

const char *const sl_layer_type_names[SL_N_LAYER_TYPES + 1] = {"conv", "dw",  "linear",
                                                               "gemm", "bmm", NULL};

#define BIT(d) (1u << (d))

const uint8_t sl_tensor_dims[SL_N_TENSORS] = {
    [SL_W] = BIT(SL_G) | BIT(SL_K) | BIT(SL_C) | BIT(SL_R) | BIT(SL_S),
    [SL_I] = BIT(SL_N) | BIT(SL_G) | BIT(SL_C) | BIT(SL_P) | BIT(SL_Q) | BIT(SL_R) | BIT(SL_S),
    [SL_O] = BIT(SL_N) | BIT(SL_G) | BIT(SL_K) | BIT(SL_P) | BIT(SL_Q),
};

void sl_layer_init(SlLayer *layer) {
    *layer = (SlLayer){.type = SL_CONV, .stride = {1, 1}, .dilation = {1, 1}};
    for (int d = 0; d < SL_N_DIMS; d++) layer->dims[d] = 1;
}

// ---- limits ----

// *product *= factor if the result stays below the limit; false (and no change) otherwise
static bool multiply(int64_t *product, int64_t factor) {
    if (*product > (SL_MACS_LIMIT - 1) / factor) return false;
    *product *= factor;
    return true;
}

// the last input coordinate of `outputs` and `taps` is below 2^53
static bool reaches(int64_t outputs, int64_t taps, int64_t stride, int64_t dilation) {
    int64_t last = outputs - 1, reach = taps - 1;
    return multiply(&last, stride) && multiply(&reach, dilation) && last + reach < SL_MACS_LIMIT;
}

static const char *check_dims(const SlLayer *layer) {
    static const char *const below[SL_N_DIMS] = {
        "N is below 1", "G is below 1", "K is below 1", "C is below 1",
        "P is below 1", "Q is below 1", "R is below 1", "S is below 1",
    };
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (layer->dims[d] < 1) return below[d];
    }
    int64_t macs = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (!multiply(&macs, layer->dims[d])) return "the layer has 2^53 MACs or more";
    }
    return NULL;
}

static bool inside(const int32_t pair[2], int32_t lo, int32_t hi) {
    return lo <= pair[0] && pair[0] <= hi && lo <= pair[1] && pair[1] <= hi;
}

static const char *check_window(const SlLayer *layer) {
    if (!inside(layer->stride, 1, SL_STEP_MAX)) return "stride is not in 1..1048576";
    if (!inside(layer->dilation, 1, SL_STEP_MAX)) return "dilation is not in 1..1048576";
    if (!inside(layer->pad, 0, SL_STEP_MAX)) return "pad is not in 0..1048576";
    const int64_t *e = layer->dims;
    if (!reaches(e[SL_P], e[SL_R], layer->stride[0], layer->dilation[0]))
        return "the input has 2^53 rows or more";
    if (!reaches(e[SL_Q], e[SL_S], layer->stride[1], layer->dilation[1]))
        return "the input has 2^53 columns or more";
    return NULL;
}

const char *sl_layer_check(const SlLayer *layer) {
    if ((unsigned)layer->type >= SL_N_LAYER_TYPES)
        return "type is none of conv, dw, linear, gemm, bmm";
    const char *reason = check_dims(layer);
    if (!reason) reason = check_window(layer);
    if (reason) return reason;
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (layer->word_bytes[t] < 0 || layer->word_bytes[t] > SL_WORD_BYTES_MAX)
            return "bytes per word are not in 0..64";
    }
    return NULL;
}

// ---- sizes ----

int64_t sl_layer_macs(const SlLayer *layer) {
    int64_t macs = 1;
    for (int d = 0; d < SL_N_DIMS; d++) macs *= layer->dims[d];
    return macs;
}

void sl_window_reduce(int64_t *stride, int64_t *dilation) {
    int64_t a = *stride, b = *dilation;
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    *stride /= a;
    *dilation /= a;
}

// what collides is what is left after one step of (dilation, -stride)
int64_t sl_window_size(int64_t a, int64_t b, int64_t stride, int64_t dilation) {
    assert(a >= 1 && b >= 1 && stride >= 1 && dilation >= 1);
    sl_window_reduce(&stride, &dilation);
    int64_t a_left = a - dilation, b_left = b - stride;
    return a_left > 0 && b_left > 0 ? a * b - a_left * b_left : a * b;
}

int64_t sl_layer_words(const SlLayer *layer, SlTensor tensor) {
    const int64_t *e = layer->dims;
    if (tensor == SL_I) {
        int64_t rows = sl_window_size(e[SL_P], e[SL_R], layer->stride[0], layer->dilation[0]);
        int64_t columns = sl_window_size(e[SL_Q], e[SL_S], layer->stride[1], layer->dilation[1]);
        return e[SL_N] * e[SL_G] * e[SL_C] * rows * columns;
    }
    int64_t words = 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (sl_tensor_dims[tensor] & BIT(d)) words *= e[d];
    }
    return words;
}

bool sl_layer_same(const SlLayer *a, const SlLayer *b) {
    return !memcmp(a->dims, b->dims, sizeof a->dims) &&
           !memcmp(a->stride, b->stride, sizeof a->stride) &&
           !memcmp(a->dilation, b->dilation, sizeof a->dilation) &&
           !memcmp(a->pad, b->pad, sizeof a->pad) &&
           !memcmp(a->word_bytes, b->word_bytes, sizeof a->word_bytes);
}
