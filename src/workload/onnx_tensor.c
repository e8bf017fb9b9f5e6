// onnx_tensor.c - tensors of a graph: found by name, their shapes set, their values read.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "onnx_graph.h"

// ---- names ----

struct SlOnnxScope {
    uint32_t mask;
    SlOnnxTensor **slots; // open addressing by name
};

SlOnnxScope *sl_onnx_scope(SlOnnxRun *run, int n_names) {
    SlOnnxScope *scope = SL_NEW(run->arena, 1, SlOnnxScope);
    uint32_t n = 16;
    while (n < 2 * (uint32_t)n_names) n *= 2;
    SlOnnxTensor **slots = SL_NEW(run->arena, n, SlOnnxTensor *);
    if (!scope || !slots) return NULL;
    *scope = (SlOnnxScope){n - 1, slots};
    return scope;
}

SlOnnxTensor *sl_onnx_tensor(SlOnnxRun *run, SlBytes name) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < name.n; i++) hash = (hash ^ name.at[i]) * 16777619u;
    SlOnnxScope *scope = run->scope;
    uint32_t at = hash & scope->mask;
    while (scope->slots[at]) {
        if (sl_bytes_same(scope->slots[at]->name, name)) return scope->slots[at];
        at = (at + 1) & scope->mask;
    }
    SlOnnxTensor *tensor = SL_NEW(run->arena, 1, SlOnnxTensor);
    if (tensor)
        tensor->name = name;
    else
        run->failed = "not enough memory for the graph";
    return scope->slots[at] = tensor;
}

SlOnnxTensor *sl_onnx_in(SlOnnxRun *run, const SlOnnxNode *node, int i) {
    if (i >= node->n_inputs || !node->inputs[i].n) return NULL;
    return sl_onnx_tensor(run, node->inputs[i]);
}

SlOnnxTensor *sl_onnx_out(SlOnnxRun *run, const SlOnnxNode *node, int i) {
    if (i >= node->n_outputs || !node->outputs[i].n) return NULL;
    return sl_onnx_tensor(run, node->outputs[i]);
}

// ---- sentences ----

const char *sl_onnx_say(SlOnnxRun *run, const char *fmt, ...) {
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    const char *kept = sl_arena_text(run->arena, text, strlen(text));
    if (!kept) run->failed = "not enough memory for the graph";
    return kept ? kept : run->failed;
}

SlOnnxShown sl_onnx_shown(SlBytes name) {
    SlOnnxShown shown;
    size_t n = name.n < 80 ? name.n : 80;
    for (size_t i = 0; i < n; i++) shown.text[i] = name.at[i] ? (char)name.at[i] : '?';
    shown.text[n] = 0;
    sl_text_clean(shown.text, false);
    return shown;
}

// ---- what a rule needs ----

const char *sl_onnx_need(SlOnnxRun *run, const SlOnnxNode *node, int i, SlOnnxTensor **tensor) {
    *tensor = sl_onnx_in(run, node, i);
    if (!*tensor) return sl_onnx_say(run, "its input %d is left out", i + 1);
    if ((*tensor)->known) return NULL;
    const char *why = (*tensor)->why;
    if (why) return why;
    return sl_onnx_say(run, "nothing before it makes its input '%s'",
                       sl_onnx_shown((*tensor)->name).text);
}

const char *sl_onnx_need_rank(SlOnnxRun *run, const SlOnnxNode *node, int i, int lo, int hi,
                              SlOnnxTensor **tensor) {
    const char *reason = sl_onnx_need(run, node, i, tensor);
    if (reason || !*tensor) return reason;
    if (lo <= (*tensor)->rank && (*tensor)->rank <= hi) return NULL;
    if (lo == hi)
        return sl_onnx_say(run, "its input %d has %d axes, expected %d", i + 1, (*tensor)->rank,
                           lo);
    return sl_onnx_say(run, "its input %d has %d axes, expected %d to %d", i + 1, (*tensor)->rank,
                       lo, hi);
}

// ---- shapes ----

int64_t sl_onnx_product(int n, const int64_t *dims) {
    int64_t product = 1;
    for (int i = 0; i < n; i++) {
        if (dims[i] == 0) return 0;
        if (product > (INT64_C(1) << 62) / dims[i])
            product = INT64_C(1) << 62; // a 0 may follow
        else
            product *= dims[i];
    }
    return product;
}

int64_t sl_onnx_count(const SlOnnxTensor *tensor) {
    return sl_onnx_product(tensor->rank, tensor->dims);
}

const char *sl_onnx_set(SlOnnxRun *run, const SlOnnxNode *node, int i, int elem, int rank,
                        const int64_t *dims) {
    SlOnnxTensor *out = sl_onnx_out(run, node, i);
    if (!out) return NULL;
    if (rank > SL_ONNX_MAX_RANK) return "a tensor has more than 32 axes";
    for (int d = 0; d < rank; d++)
        if (dims[d] < 0) return sl_onnx_say(run, "an output has the extent %" PRId64, dims[d]);
    if (sl_onnx_product(rank, dims) >= INT64_C(1) << 62)
        return "an output has 2^62 elements or more";
    int64_t *copy = SL_NEW(run->arena, rank, int64_t);
    if (!copy) return run->failed = "not enough memory";
    if (rank) memcpy(copy, dims, (size_t)rank * sizeof *copy);
    out->known = true;
    out->elem = elem;
    out->rank = rank;
    out->dims = copy;
    return NULL;
}

const char *sl_onnx_like(SlOnnxRun *run, const SlOnnxNode *node, int i, const SlOnnxTensor *like) {
    return sl_onnx_set(run, node, i, like->elem, like->rank, like->dims);
}

int sl_onnx_axis(int64_t axis, int rank) {
    if (axis < 0) axis += rank;
    return axis >= 0 && axis < rank ? (int)axis : -1;
}

bool sl_onnx_broadcast(int rank_a, const int64_t *a, int rank_b, const int64_t *b, int *rank,
                       int64_t out[SL_ONNX_MAX_RANK]) {
    *rank = rank_a > rank_b ? rank_a : rank_b;
    for (int d = 0; d < *rank; d++) {
        int in_a = d - (*rank - rank_a), in_b = d - (*rank - rank_b);
        int64_t x = in_a < 0 ? 1 : a[in_a], y = in_b < 0 ? 1 : b[in_b];
        if (x != y && x != 1 && y != 1) return false;
        out[d] = x == 1 ? y : x;
    }
    return true;
}

// ---- element types ----

bool sl_onnx_is_float(int elem) {
    return elem == SL_ONNX_FLOAT || elem == SL_ONNX_DOUBLE || elem == SL_ONNX_FLOAT16 ||
           elem == SL_ONNX_BFLOAT16;
}

// by number: float, u8, i8, u16, i16, i32, i64, string, bool, f16, double, u32, u64, two complex
// ones, bf16, four of float8, two of 4 bits, float4, ...
int sl_onnx_bytes(int elem) {
    static const int8_t bytes[] = {0, 4,  1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8,
                                   8, 16, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return elem >= 0 && elem < (int)sizeof bytes ? bytes[elem] : 0;
}

// ---- values ----

static double half_value(uint16_t bits) {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -size : size;
}

static SlOnnxNumber bits_value(int elem, uint64_t bits) {
    float single;
    double real;
    uint32_t low = (uint32_t)bits;
    switch (elem) {
    case SL_ONNX_FLOAT:
        memcpy(&single, &low, 4);
        return (SlOnnxNumber){.f = (double)single};
    case SL_ONNX_DOUBLE:
        memcpy(&real, &bits, 8);
        return (SlOnnxNumber){.f = real};
    case SL_ONNX_FLOAT16:
        return (SlOnnxNumber){.f = half_value((uint16_t)bits)};
    case SL_ONNX_BFLOAT16:
        low <<= 16;
        memcpy(&single, &low, 4);
        return (SlOnnxNumber){.f = (double)single};
    case SL_ONNX_INT8:
        return (SlOnnxNumber){.i = (int8_t)bits};
    case SL_ONNX_INT16:
        return (SlOnnxNumber){.i = (int16_t)bits};
    case SL_ONNX_INT32:
        return (SlOnnxNumber){.i = (int32_t)bits};
    default:
        return (SlOnnxNumber){.i = (int64_t)bits};
    }
}

// the field that numbers of this type stand in, besides raw_data
static uint32_t typed_field(int elem) {
    switch (elem) {
    case SL_ONNX_FLOAT:
        return 4;
    case SL_ONNX_DOUBLE:
        return 10;
    case SL_ONNX_INT64:
        return 7;
    case SL_ONNX_UINT32:
    case SL_ONNX_UINT64:
        return 11;
    default:
        return 5;
    }
}

static bool is_plain(int elem) {
    return elem >= SL_ONNX_FLOAT && elem <= SL_ONNX_BFLOAT16 && elem != 8 && elem != 14 &&
           elem != 15;
}

// numbers of one field, of fixed width or varints; how many there are, -1 if malformed
static int64_t read_field(const SlWireField *field, int elem, int64_t at, int64_t n,
                          SlOnnxNumber *out) {
    size_t width = field->number == 9 ? (size_t)sl_onnx_bytes(elem) : 0;
    if (field->number == 4) width = 4;
    if (field->number == 10) width = 8;
    if (field->type != SL_WIRE_BYTES) {
        if (at < n) out[at] = bits_value(elem, field->value);
        return at + 1;
    }
    SlWire wire = sl_wire(field->bytes);
    uint64_t value = 0;
    if (!width) {
        while (sl_wire_varint(&wire, &value)) {
            if (at < n) out[at] = bits_value(elem, value);
            at++;
        }
        return wire.bad ? -1 : at;
    }
    if (field->bytes.n % width) return -1;
    for (size_t i = 0; i < field->bytes.n; i += width, at++) {
        value = 0;
        for (size_t b = 0; b < width; b++) value |= (uint64_t)field->bytes.at[i + b] << (8 * b);
        if (at < n) out[at] = bits_value(elem, value);
    }
    return at;
}

static const char *read_value(SlOnnxRun *run, SlOnnxTensor *tensor, int64_t n) {
    const SlOnnxData *data = tensor->data;
    if (data->external) return "is in another file, which is never opened";
    if (!is_plain(data->elem)) return "has a type that no shape is made of";
    SlOnnxNumber *out = SL_NEW(run->arena, n, SlOnnxNumber);
    if (!out) return "does not fit into memory";
    SlWire wire = sl_wire(data->body);
    SlWireField field;
    int64_t at = 0;
    while (at >= 0 && sl_wire_next(&wire, &field)) {
        if (field.number == 9 || field.number == typed_field(data->elem))
            at = read_field(&field, data->elem, at, n, out);
    }
    if (at < 0) return "is malformed";
    if (at != n)
        return sl_onnx_say(run, "has %" PRId64 " numbers in the file, expected %" PRId64, at, n);
    tensor->value = out;
    return NULL;
}

const SlOnnxNumber *sl_onnx_value(SlOnnxRun *run, SlOnnxTensor *tensor, int64_t *n) {
    *n = 0;
    if (!tensor || !tensor->known) return NULL;
    *n = sl_onnx_count(tensor);
    if (tensor->value || !tensor->data || tensor->why) return tensor->value;
    tensor->why =
        *n > SL_ONNX_MAX_VALUES ? "is too large to be a shape" : read_value(run, tensor, *n);
    return tensor->value;
}

const char *sl_onnx_numbers(SlOnnxRun *run, const SlOnnxNode *node, int i, const char *name,
                            int64_t out[SL_ONNX_MAX_INTS], int *n) {
    SlOnnxTensor *tensor = i >= 0 ? sl_onnx_in(run, node, i) : NULL;
    *n = -1;
    if (!tensor) {
        if (name) *n = sl_onnx_attr_ints(node, name, out);
        return *n == -2 ? sl_onnx_say(run, "its %s are malformed", name) : NULL;
    }
    const char *reason = sl_onnx_need(run, node, i, &tensor);
    if (reason) return reason;
    int64_t count = 0;
    const SlOnnxNumber *value = sl_onnx_value(run, tensor, &count);
    if (!value)
        return sl_onnx_say(run, "it needs the value of '%s', which %s",
                           sl_onnx_shown(tensor->name).text,
                           tensor->why ? tensor->why : "is known only when the network runs");
    if (count > SL_ONNX_MAX_INTS)
        return sl_onnx_say(run, "its input %d has more than %d numbers", i + 1, SL_ONNX_MAX_INTS);
    bool real = sl_onnx_is_float(tensor->elem);
    for (int64_t k = 0; k < count; k++) {
        if (real && !(fabs(value[k].f) < 0x1p62))
            return sl_onnx_say(run, "its input %d is no list of whole numbers", i + 1);
        out[k] = real ? (int64_t)value[k].f : value[k].i;
    }
    *n = (int)count;
    return NULL;
}

SlOnnxNumber *sl_onnx_values_out(SlOnnxRun *run, const SlOnnxNode *node, int i) {
    SlOnnxTensor *out = sl_onnx_out(run, node, i);
    if (!out || !out->known) return NULL;
    int64_t n = sl_onnx_count(out);
    if (n > SL_ONNX_MAX_VALUES) return NULL;
    SlOnnxNumber *values = SL_NEW(run->arena, n, SlOnnxNumber);
    out->value = values;
    return values;
}
