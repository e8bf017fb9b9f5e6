// onnx_fold.c - values of element-wise operators on small tensors: what shapes are computed with.
//
// Whole numbers overflow, divide by 0 and INT64_MIN / -1 into "not known".
#include <math.h>

#include "onnx_graph.h"

// ---- one element ----

typedef bool Whole(int64_t a, int64_t b, int64_t *out);
typedef double Real(double a, double b);

static bool add_i(int64_t a, int64_t b, int64_t *out) {
    return !__builtin_add_overflow(a, b, out);
}
static bool sub_i(int64_t a, int64_t b, int64_t *out) {
    return !__builtin_sub_overflow(a, b, out);
}
static bool mul_i(int64_t a, int64_t b, int64_t *out) {
    return !__builtin_mul_overflow(a, b, out);
}
static bool div_i(int64_t a, int64_t b, int64_t *out) {
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    *out = a / b;
    return true;
}
// the sign of the divisor, as Python has it
static bool mod_i(int64_t a, int64_t b, int64_t *out) {
    if (b == 0 || b == -1) return b != 0 && (*out = 0, true);
    *out = a % b;
    if (*out && (*out < 0) != (b < 0)) *out += b;
    return true;
}
static bool max_i(int64_t a, int64_t b, int64_t *out) {
    *out = a > b ? a : b;
    return true;
}
static bool min_i(int64_t a, int64_t b, int64_t *out) {
    *out = a < b ? a : b;
    return true;
}
static bool pow_i(int64_t a, int64_t b, int64_t *out) {
    if (b < 0 || b > 64) return false;
    *out = 1;
    for (int64_t i = 0; i < b; i++)
        if (__builtin_mul_overflow(*out, a, out)) return false;
    return true;
}
static bool equal_i(int64_t a, int64_t b, int64_t *out) {
    *out = a == b;
    return true;
}
static bool less_i(int64_t a, int64_t b, int64_t *out) {
    *out = a < b;
    return true;
}
static bool greater_i(int64_t a, int64_t b, int64_t *out) {
    *out = a > b;
    return true;
}
static bool less_equal_i(int64_t a, int64_t b, int64_t *out) {
    *out = a <= b;
    return true;
}
static bool greater_equal_i(int64_t a, int64_t b, int64_t *out) {
    *out = a >= b;
    return true;
}
static bool and_i(int64_t a, int64_t b, int64_t *out) {
    *out = a && b;
    return true;
}
static bool or_i(int64_t a, int64_t b, int64_t *out) {
    *out = a || b;
    return true;
}
// of one operand, which is given twice
static bool neg_i(int64_t a, int64_t b, int64_t *out) {
    (void)b;
    return sub_i(0, a, out);
}
static bool not_i(int64_t a, int64_t b, int64_t *out) {
    (void)b;
    *out = !a;
    return true;
}
static bool abs_i(int64_t a, int64_t b, int64_t *out) {
    (void)b;
    return a < 0 ? sub_i(0, a, out) : add_i(0, a, out);
}
static double add_f(double a, double b) {
    return a + b;
}
static double sub_f(double a, double b) {
    return a - b;
}
static double mul_f(double a, double b) {
    return a * b;
}
static double div_f(double a, double b) {
    return a / b;
}
static double equal_f(double a, double b) {
    return a == b;
}
static double less_f(double a, double b) {
    return a < b;
}
static double greater_f(double a, double b) {
    return a > b;
}
static double neg_f(double a, double b) {
    (void)b;
    return -a;
}
static double floor_f(double a, double b) {
    (void)b;
    return floor(a);
}
static double ceil_f(double a, double b) {
    (void)b;
    return ceil(a);
}
// to the nearest, halves to even
static double round_f(double a, double b) {
    (void)b;
    return rint(a);
}
static double sqrt_f(double a, double b) {
    (void)b;
    return sqrt(a);
}

static const struct {
    const char *op;
    int n_inputs;
    Whole *whole;
    Real *real;
} folds[] = {
    {"Add", 2, add_i, add_f},
    {"Sub", 2, sub_i, sub_f},
    {"Mul", 2, mul_i, mul_f},
    {"Div", 2, div_i, div_f},
    {"Mod", 2, mod_i, NULL},
    {"Max", 2, max_i, fmax},
    {"Min", 2, min_i, fmin},
    {"Pow", 2, pow_i, pow},
    {"Equal", 2, equal_i, equal_f},
    {"Less", 2, less_i, less_f},
    {"Greater", 2, greater_i, greater_f},
    {"LessOrEqual", 2, less_equal_i, NULL},
    {"GreaterOrEqual", 2, greater_equal_i, NULL},
    {"And", 2, and_i, NULL},
    {"Or", 2, or_i, NULL},
    {"Neg", 1, neg_i, neg_f},
    {"Abs", 1, abs_i, NULL},
    {"Not", 1, not_i, NULL},
    {"Floor", 1, NULL, floor_f},
    {"Ceil", 1, NULL, ceil_f},
    {"Round", 1, NULL, round_f},
    {"Sqrt", 1, NULL, sqrt_f},
};

// ---- tensors ----

// where element `k` of the output stands in an input that was broadcast
static int64_t place(const SlOnnxTensor *out, const SlOnnxTensor *in, int64_t k) {
    int64_t at = 0, stride = 1;
    for (int d = out->rank - 1; d >= out->rank - in->rank; d--) {
        int64_t extent = in->dims[d - (out->rank - in->rank)];
        at += k % out->dims[d] % extent * stride;
        stride *= extent;
        k /= out->dims[d];
    }
    return at;
}

// true if the output, and all of its inputs, are small enough to be followed
static bool small(SlOnnxRun *run, const SlOnnxNode *node, const SlOnnxNumber **values) {
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (!out || !out->known || sl_onnx_count(out) > SL_ONNX_MAX_VALUES) return false;
    if (node->n_inputs < 1 || node->n_inputs > 3) return false;
    for (int i = 0; i < node->n_inputs; i++) {
        int64_t n = 0;
        values[i] = sl_onnx_value(run, sl_onnx_in(run, node, i), &n);
        if (!values[i]) return false;
    }
    return true;
}

static void fold_pair(SlOnnxRun *run, const SlOnnxNode *node, Whole *whole, Real *real) {
    const SlOnnxNumber *values[3];
    if (!small(run, node, values)) return;
    SlOnnxTensor *a = sl_onnx_in(run, node, 0), *b = sl_onnx_in(run, node, node->n_inputs - 1);
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    bool is_real = sl_onnx_is_float(a->elem);
    if (is_real != sl_onnx_is_float(b->elem) || (is_real ? !real : !whole)) return;
    SlOnnxNumber *to = sl_onnx_values_out(run, node, 0);
    int64_t n = sl_onnx_count(out);
    for (int64_t k = 0; k < n && to; k++) {
        SlOnnxNumber x = values[0][place(out, a, k)];
        SlOnnxNumber y = values[node->n_inputs - 1][place(out, b, k)];
        int64_t result = 0;
        if (!is_real) {
            if (!whole(x.i, y.i, &result)) break;
            to[k].i = result;
        } else if (out->elem == SL_ONNX_BOOL) {
            to[k].i = real(x.f, y.f) != 0;
        } else {
            to[k].f = real(x.f, y.f);
        }
        if (k == n - 1) return;
    }
    if (n > 0) out->value = NULL;
}

static void fold_where(SlOnnxRun *run, const SlOnnxNode *node) {
    const SlOnnxNumber *values[3];
    if (node->n_inputs != 3 || !small(run, node, values)) return;
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    SlOnnxNumber *to = sl_onnx_values_out(run, node, 0);
    for (int64_t k = 0; to && k < sl_onnx_count(out); k++) {
        const SlOnnxTensor *mask = sl_onnx_in(run, node, 0);
        int which = values[0][place(out, mask, k)].i ? 1 : 2;
        to[k] = values[which][place(out, sl_onnx_in(run, node, which), k)];
    }
}

// false where a float does not fit into 64 bits
static bool convert(SlOnnxNumber from, bool was_real, int to, SlOnnxNumber *out) {
    bool real = sl_onnx_is_float(to);
    if (real == was_real)
        *out = from;
    else if (real)
        out->f = (double)from.i;
    else if (from.f > -0x1p63 && from.f < 0x1p63)
        out->i = (int64_t)from.f;
    else
        return false;
    if (to == SL_ONNX_BOOL) out->i = was_real ? from.f != 0 : from.i != 0;
    return true;
}

static void fold_cast(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *in = sl_onnx_in(run, node, 0), *out = sl_onnx_out(run, node, 0);
    int64_t n = 0;
    if (!out || !out->known || !out->elem || out->elem == 8) return;
    if (sl_onnx_count(out) > SL_ONNX_MAX_VALUES) return;
    const SlOnnxNumber *from = sl_onnx_value(run, in, &n);
    SlOnnxNumber *to = from ? sl_onnx_values_out(run, node, 0) : NULL;
    for (int64_t k = 0; k < n && to; k++) {
        if (convert(from[k], sl_onnx_is_float(in->elem), out->elem, &to[k])) continue;
        out->value = NULL;
        return;
    }
}

void sl_onnx_fold(SlOnnxRun *run, const SlOnnxNode *node) {
    SlOnnxTensor *out = sl_onnx_out(run, node, 0);
    if (node->domain.n || !out || out->value || out->data) return;
    if (sl_bytes_are(node->op, "Cast") || sl_bytes_are(node->op, "CastLike")) {
        fold_cast(run, node);
        return;
    }
    if (sl_bytes_are(node->op, "Where")) {
        fold_where(run, node);
        return;
    }
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        if (!sl_bytes_are(node->op, folds[i].op) || node->n_inputs != folds[i].n_inputs) continue;
        fold_pair(run, node, folds[i].whole, folds[i].real);
        return;
    }
}
