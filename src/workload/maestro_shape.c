// maestro_shape.c - MAESTRO's shapes as layers, and layers as MAESTRO's shapes.
//
// Its sizes are those of the input; it knows no padding. A depthwise layer has its channels in C,
// which is our G.
#include <stdio.h>
#include <string.h>

#include "maestro_parse.h"

// ---- shape -> layer ----

// Outputs along one axis. `in` (Y, X) or `out` (Y', X') is declared; MAESTRO counts Y' at stride 1,
// so a stride of that name thins it out, too.
typedef struct {
    SlMaestroVar in, out, taps;
    SlDim outputs, filter;
    const char *both, *small;
} Axis;

static const Axis axes[2] = {
    {SL_MV_Y, SL_MV_YO, SL_MV_R, SL_P, SL_R, "the layer declares both Y and Y'",
     "Y is smaller than R"},
    {SL_MV_X, SL_MV_XO, SL_MV_S, SL_Q, SL_S, "the layer declares both X and X'",
     "X is smaller than S"},
};

static const char *missing(SlMaestroVar var) {
    static const char *const reasons[SL_N_MV] = {
        "the layer declares no C",
        "the layer declares no G",
        "the layer declares no K",
        "the layer declares no M",
        "the layer declares no N",
        "the layer declares no R",
        "the layer declares no S",
        "the layer declares neither X nor X'",
        "the layer declares neither X nor X'",
        "the layer declares neither Y nor Y'",
        "the layer declares neither Y nor Y'",
    };
    return reasons[var];
}

static const char *set_axis(const SlMaestroLayer *shape, int at, SlLayer *layer) {
    const Axis *axis = &axes[at];
    int64_t in = shape->size[axis->in], out = shape->size[axis->out];
    int64_t taps = shape->size[axis->taps];
    if (in && out) return axis->both;
    if (!in && !out) return missing(axis->in);
    if (!taps) return missing(axis->taps);
    int32_t stride = shape->stride[in ? axis->in : axis->out];
    int64_t positions = in ? in - taps + 1 : out; // at stride 1
    if (positions < 1) return axis->small;
    layer->dims[axis->filter] = taps;
    layer->dims[axis->outputs] = (positions - 1) / stride + 1;
    layer->stride[at] = stride;
    return NULL;
}

static const char *set_gemm(const SlMaestroLayer *shape, SlLayer *layer) {
    static const struct {
        SlMaestroVar var;
        SlDim dim;
    } dims[] = {{SL_MV_M, SL_P}, {SL_MV_N, SL_K}, {SL_MV_K, SL_C}};
    layer->type = SL_GEMM;
    for (int i = 0; i < 3; i++) {
        if (!shape->size[dims[i].var]) return missing(dims[i].var);
        layer->dims[dims[i].dim] = shape->size[dims[i].var];
    }
    return NULL;
}

// channels and groups; MAESTRO wants those of the type alone
static const char *set_channels(const SlMaestroLayer *shape, SlLayer *layer) {
    bool depthwise = shape->type == SL_MAESTRO_DSCONV, grouped = shape->type == SL_MAESTRO_NGCONV;
    if (!shape->size[SL_MV_C]) return missing(SL_MV_C);
    if (!depthwise && !shape->size[SL_MV_K]) return missing(SL_MV_K);
    if (grouped && !shape->size[SL_MV_G]) return missing(SL_MV_G);
    if (depthwise) {
        layer->type = SL_DEPTHWISE;
        layer->dims[SL_G] = shape->size[SL_MV_C];
        return NULL;
    }
    layer->dims[SL_K] = shape->size[SL_MV_K];
    layer->dims[SL_C] = shape->size[SL_MV_C];
    if (grouped) layer->dims[SL_G] = shape->size[SL_MV_G];
    return NULL;
}

const char *sl_maestro_layer(const SlMaestroLayer *shape, SlLayer *layer) {
    SlLayer made;
    sl_layer_init(&made);
    snprintf(made.name, sizeof made.name, "%s", shape->name);
    const char *reason = NULL;
    if (shape->type == SL_MAESTRO_GEMM) {
        reason = set_gemm(shape, &made);
    } else {
        reason = set_channels(shape, &made);
        for (int a = 0; a < 2 && !reason; a++) reason = set_axis(shape, a, &made);
        if (shape->batched && shape->size[SL_MV_N]) made.dims[SL_N] = shape->size[SL_MV_N];
    }
    if (!reason) reason = sl_layer_check(&made);
    if (!reason) *layer = made;
    return reason;
}

// ---- layer -> shape ----

// a size that fits MAESTRO's numbers
static bool put(SlMaestroLayer *shape, SlMaestroVar var, int64_t size) {
    if (size < 1 || size > INT32_MAX) return false;
    shape->size[var] = (int32_t)size;
    return true;
}

// rows, columns and depth; a linear layer has its batch as rows
static bool put_gemm(const SlLayer *layer, SlMaestroLayer *shape) {
    const int64_t *e = layer->dims;
    shape->type = SL_MAESTRO_GEMM;
    if (e[SL_N] > INT32_MAX || e[SL_P] > INT32_MAX) return false;
    return put(shape, SL_MV_M, e[SL_N] * e[SL_P]) && put(shape, SL_MV_N, e[SL_K]) &&
           put(shape, SL_MV_K, e[SL_C]);
}

static bool put_channels(const SlLayer *layer, SlMaestroLayer *shape) {
    const int64_t *e = layer->dims;
    if (e[SL_G] == 1) {
        shape->type = SL_MAESTRO_CONV;
        return put(shape, SL_MV_K, e[SL_K]) && put(shape, SL_MV_C, e[SL_C]);
    }
    if (e[SL_K] == 1 && e[SL_C] == 1) {
        shape->type = SL_MAESTRO_DSCONV;
        return put(shape, SL_MV_C, e[SL_G]);
    }
    shape->type = SL_MAESTRO_NGCONV;
    return put(shape, SL_MV_G, e[SL_G]) && put(shape, SL_MV_K, e[SL_K]) &&
           put(shape, SL_MV_C, e[SL_C]);
}

// The input that the windows touch, from the first row to the last. A filter of one tap touches
// every stride-th row alone: those are a layer of stride 1, which MAESTRO counts better.
static bool put_axis(const SlLayer *layer, int at, SlMaestroLayer *shape) {
    const Axis *axis = &axes[at];
    int64_t taps = layer->dims[axis->filter], stride = taps > 1 ? layer->stride[at] : 1;
    int64_t input = (layer->dims[axis->outputs] - 1) * stride + taps;
    shape->stride[axis->in] = (int32_t)stride;
    return put(shape, axis->taps, taps) && put(shape, axis->in, input);
}

static bool put_conv(const SlLayer *layer, SlMaestroLayer *shape) {
    int64_t batch = layer->dims[SL_N];
    if (batch > 1) {
        shape->batched = true;
        if (!put(shape, SL_MV_N, batch)) return false;
    }
    return put_channels(layer, shape) && put_axis(layer, 0, shape) && put_axis(layer, 1, shape);
}

// The layer's name with '_' where MAESTRO's words would end.
static void put_name(const char *name, SlMaestroLayer *shape) {
    size_t n = 0;
    for (; name[n] && n < sizeof shape->name - 1; n++) {
        bool comment = n && name[n] == '/' && name[n - 1] == '/';
        bool ends = (unsigned char)name[n] <= ' ' || strchr(",->():;{}", name[n]);
        shape->name[n] = comment || ends ? '_' : name[n];
    }
    if (!n) snprintf(shape->name, sizeof shape->name, "layer");
    if (sl_maestro_keyword(shape->name)) memcpy(shape->name + n, "_", 2);
}

const char *sl_maestro_shape(const SlLayer *layer, SlMaestroLayer *shape) {
    SlMaestroLayer made = {0};
    const int64_t *e = layer->dims;
    bool product = e[SL_Q] == 1 && e[SL_R] == 1 && e[SL_S] == 1;
    bool gemm = layer->type == SL_LINEAR || layer->type == SL_GEMM || layer->type == SL_BMM;
    for (int v = 0; v < SL_N_MV; v++) made.stride[v] = 1;
    if (gemm && product && e[SL_G] > 1) return "MAESTRO knows no batched matrix products";
    for (int a = 0; a < 2; a++) {
        // the distance of taps means nothing where there is one
        if (layer->dilation[a] != 1 && e[axes[a].filter] > 1) return "MAESTRO knows no dilation";
    }
    bool fits = gemm && product ? put_gemm(layer, &made) : put_conv(layer, &made);
    if (!fits) return "MAESTRO's sizes end at 2147483647";
    put_name(layer->name, &made);
    *shape = made;
    return NULL;
}
