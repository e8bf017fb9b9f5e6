// cpu_knobs.c - the knobs of a schedule: names, values, defaults, text.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_inside.h"

const char *const sl_kernel_order_names[SL_N_KERNEL_ORDERS + 1] = {"oh.c", "ho.c", "ohc.", "hco.",
                                                                   NULL};

const SlKernelKnobRow sl_kernel_knobs[SL_N_KERNEL_KNOBS] = {
    [SL_KNOB_VECTOR] = {"vector", "bytes of a vector", SL_AGENT_HARDWARE},
    [SL_KNOB_OC_VECTORS] = {"oc_vectors", "vectors of output channels in a register block",
                            SL_AGENT_HARDWARE},
    [SL_KNOB_OW_BLOCK] = {"ow_block", "columns of outputs in a register block", SL_AGENT_HARDWARE},
    [SL_KNOB_THREADS] = {"threads", "threads", SL_AGENT_SCHEDULING},
    [SL_KNOB_PARALLEL] = {"parallel", "what threads share: 0 channels, 1 rows, 2 both",
                          SL_AGENT_SCHEDULING},
    [SL_KNOB_UNROLL_IC] = {"unroll_ic", "input channels per turn of the innermost loop",
                           SL_AGENT_SCHEDULING},
    [SL_KNOB_UNROLL_KW] = {"unroll_kw", "all columns of the filter in a row", SL_AGENT_SCHEDULING},
    [SL_KNOB_TILE_OH] = {"tile_oh", "rows of outputs in a tile", SL_AGENT_MAPPING},
    [SL_KNOB_TILE_OW] = {"tile_ow", "columns of outputs in a tile", SL_AGENT_MAPPING},
    [SL_KNOB_TILE_IC] = {"tile_ic", "input channels of a block", SL_AGENT_MAPPING},
    [SL_KNOB_ORDER] = {"order", "loops outside a register block", SL_AGENT_MAPPING},
};

// --- Values

// An ascending list in the making.
typedef struct {
    int n;
    int32_t *values; // (SL_KERNEL_MAX_VALUES)
} List;

static void add_value(List *list, int64_t value) {
    int i = 0;
    while (i < list->n && list->values[i] < value) i++;
    if ((i < list->n && list->values[i] == value) || list->n == SL_KERNEL_MAX_VALUES) return;
    memmove(&list->values[i + 1], &list->values[i], sizeof(int32_t) * (size_t)(list->n - i));
    list->values[i] = (int32_t)value;
    list->n++;
}

static int64_t largest_divisor(int64_t of, int64_t most) {
    int64_t d = most < of ? most : of;
    while (of % d) d--;
    return d;
}

// an extent in 1, 2, 3, 4, 6, 8, 12, ... equal parts
static void add_parts(List *list, int64_t extent) {
    for (int64_t n = 1; n <= extent; n *= 2) {
        add_value(list, (extent + n - 1) / n);
        int64_t m = n + n / 2;
        if (n > 1 && m <= extent) add_value(list, (extent + m - 1) / m);
    }
}

static void add_columns(List *list, int64_t q) {
    for (int64_t w = 1; w <= SL_MAX_OW_BLOCK && w <= q; w++)
        if (w <= 8 || q % w == 0 || (w % 2 == 0 && w <= 16) || w == 24) add_value(list, w);
}

static void add_channels(List *list, const SlKernelTask *task, const SlKernelShape *shape) {
    bool pairs = task->type == SL_KERNEL_INT8 && !shape->depthwise;
    int64_t c = pairs ? shape->c + shape->c % 2 : shape->c;
    for (int64_t b = pairs ? 2 : 1; b < c; b *= 2) add_value(list, b);
    add_value(list, c);
    if (c % 6 == 0) add_value(list, c / 3);
}

static void add_threads(List *list, int most) {
    for (int t = 1; t < most; t *= 2) add_value(list, t);
    add_value(list, most);
}

int sl_kernel_values(const SlKernelTask *task, int knob, int32_t values[SL_KERNEL_MAX_VALUES]) {
    List list = {.values = values};
    SlKernelShape shape;
    SlKernelSchedule fallback;
    sl_kernel_shape_init(&task->layer, &shape);
    sl_kernel_default(task, &fallback);
    switch (knob) {
    case SL_KNOB_VECTOR:
        for (int b = 16; b <= task->vector_bytes; b *= 2) add_value(&list, b);
        break;
    case SL_KNOB_OC_VECTORS:
        for (int v = 1; v <= 4 && (v - 1) * 4 < shape.k; v++) add_value(&list, v);
        break;
    case SL_KNOB_OW_BLOCK:
        add_columns(&list, shape.q);
        break;
    case SL_KNOB_THREADS:
        add_threads(&list, task->threads);
        break;
    case SL_KNOB_PARALLEL:
        for (int a = 0; a < 2 + (task->threads > 3); a++) add_value(&list, a);
        break;
    case SL_KNOB_UNROLL_IC:
        for (int u = 1; u <= 8; u *= 2) add_value(&list, u);
        break;
    case SL_KNOB_UNROLL_KW:
        for (int u = 0; u < 1 + (shape.s > 1); u++) add_value(&list, u);
        break;
    case SL_KNOB_TILE_OH:
        add_parts(&list, shape.p);
        break;
    case SL_KNOB_TILE_OW:
        add_parts(&list, shape.q);
        break;
    case SL_KNOB_TILE_IC:
        add_channels(&list, task, &shape);
        break;
    case SL_KNOB_ORDER:
        for (int o = 0; o < SL_N_KERNEL_ORDERS; o++) add_value(&list, o);
        break;
    default:
        assert(false);
    }
    add_value(&list, fallback.values[knob]);
    return list.n;
}

void sl_kernel_default(const SlKernelTask *task, SlKernelSchedule *schedule) {
    SlKernelShape shape;
    int32_t *v = schedule->values;
    sl_kernel_shape_init(&task->layer, &shape);
    // one vector that no channel leaves empty if there is one
    int64_t bytes = task->vector_bytes;
    while (bytes > 16 && shape.k % (bytes / 4)) bytes /= 2;
    bool pairs = task->type == SL_KERNEL_INT8 && !shape.depthwise;
    int64_t c = pairs ? shape.c + shape.c % 2 : shape.c;
    int64_t block = largest_divisor(c, bytes / 4);
    if (pairs && block % 2) block = 2;
    *schedule = (SlKernelSchedule){{0}};
    v[SL_KNOB_VECTOR] = (int32_t)bytes;
    v[SL_KNOB_OC_VECTORS] = 1;
    v[SL_KNOB_OW_BLOCK] = (int32_t)largest_divisor(shape.q, SL_MAX_OW_BLOCK);
    v[SL_KNOB_UNROLL_IC] = 1;
    v[SL_KNOB_UNROLL_KW] = 0;
    v[SL_KNOB_TILE_OH] = 1;
    v[SL_KNOB_TILE_OW] = (int32_t)shape.q;
    v[SL_KNOB_TILE_IC] = (int32_t)block;
    v[SL_KNOB_ORDER] = SL_ORDER_OH_C;
    // all threads where there is work for them, on rows first
    int64_t blocks = (shape.k + bytes / 4 - 1) / (bytes / 4), rows = shape.n * shape.p;
    v[SL_KNOB_PARALLEL] = rows >= blocks;
    int64_t most = rows >= blocks ? rows : blocks;
    v[SL_KNOB_THREADS] = (int32_t)(task->threads < most ? task->threads : most);
}

// --- Text

const char *sl_kernel_show(const SlKernelSchedule *schedule, size_t n, char *out) {
    size_t used = 0;
    if (n) out[0] = '\0';
    for (int k = 0; k < SL_N_KERNEL_KNOBS && used < n; k++) {
        int wrote = snprintf(out + used, n - used, "%s%s=%d", k ? " " : "", sl_kernel_knobs[k].name,
                             (int)schedule->values[k]);
        if (wrote > 0) used += (size_t)wrote;
    }
    return out;
}

static int find_knob(const char *name, size_t n) {
    for (int k = 0; k < SL_N_KERNEL_KNOBS; k++)
        if (strlen(sl_kernel_knobs[k].name) == n && memcmp(sl_kernel_knobs[k].name, name, n) == 0)
            return k;
    return -1;
}

static SlStatus fail_parse(const char *text, const char *at, SlError *err) {
    return sl_fail_at(err, SL_EINPUT, NULL, 0, (int)(at - text) + 1,
                      "expected knobs as in 'oc_vectors=2 ow_block=6', not '%.40s'", at);
}

SlStatus sl_kernel_parse(const char *text, SlKernelSchedule *schedule, SlError *err) {
    SlKernelSchedule read = *schedule;
    const char *at = text + strspn(text, " ,");
    while (*at) {
        size_t n = strcspn(at, "= ,");
        int knob = find_knob(at, n);
        if (knob < 0 || at[n] != '=') return fail_parse(text, at, err);
        char digits[16];
        const char *value = at + n + 1;
        size_t length = strcspn(value, " ,");
        int64_t number;
        if (length == 0 || length >= sizeof digits) return fail_parse(text, at, err);
        memcpy(digits, value, length);
        digits[length] = '\0';
        if (sl_parse_int(digits, 0, INT32_MAX, &number, NULL) != SL_OK)
            return fail_parse(text, at, err);
        read.values[knob] = (int32_t)number;
        at = value + length;
        at += strspn(at, " ,");
    }
    *schedule = read;
    return SL_OK;
}
