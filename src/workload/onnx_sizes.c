// onnx_sizes.c - open sizes of a graph's inputs: what was given, what is missing.
//
// A size is found by INPUT:AXIS first, then by its symbol; of a symbol such as "past + seq" the
// terms may be given instead.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "onnx_graph.h"

// ---- what was given ----

static SlOnnxSize *find_size(const SlOnnxRun *run, SlBytes key) {
    for (int i = 0; i < run->n_sizes; i++)
        if (sl_bytes_same(run->sizes[i].key, key)) return &run->sizes[i];
    return NULL;
}

static SlStatus parse_item(SlOnnxRun *run, const char *item, size_t n, bool selector) {
    size_t equals = n;
    while (equals > 0 && item[equals - 1] != '=') equals--;
    if (equals < 2 || equals == n)
        return sl_fail(run->err, SL_EINPUT, "sizes: expected NAME=SIZE, got '%.*s'",
                       n < 80 ? (int)n : 80, item);
    SlBytes key = {(const uint8_t *)item, equals - 1};
    char number[32];
    SlError why;
    snprintf(number, sizeof number, "%.*s", (int)(n - equals < 31 ? n - equals : 31),
             item + equals);
    SlOnnxSize *size = &run->sizes[run->n_sizes];
    *size = (SlOnnxSize){.key = key, .multiplies = selector && sl_bytes_are(key, "batch")};
    if (sl_parse_int(number, 0, SL_MACS_LIMIT - 1, &size->size, &why) != SL_OK)
        return sl_fail(run->err, SL_EINPUT, "the size of %s: %s", sl_onnx_shown(key).text,
                       why.text);
    if (find_size(run, key))
        return sl_fail(run->err, SL_EINPUT, "the size of %s is given twice",
                       sl_onnx_shown(key).text);
    run->n_sizes++;
    return SL_OK;
}

SlStatus sl_onnx_sizes_parse(SlOnnxRun *run, const char *text, bool selector) {
    if (!text || !text[0]) return SL_OK;
    int n = run->n_sizes + 1;
    for (const char *at = text; *at; at++) n += *at == ',';
    SlOnnxSize *sizes = SL_NEW(run->arena, n, SlOnnxSize);
    if (!sizes) return sl_fail(run->err, SL_ENOMEM, "not enough memory for sizes");
    if (run->n_sizes) memcpy(sizes, run->sizes, (size_t)run->n_sizes * sizeof *sizes);
    run->sizes = sizes;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ",");
        SlStatus status = parse_item(run, at, length, selector);
        if (status != SL_OK) return status;
        at += length;
        if (!*at) return SL_OK;
    }
}

// ---- one axis ----

static SlBytes trim(SlBytes text) {
    while (text.n && text.at[0] == ' ') text = (SlBytes){text.at + 1, text.n - 1};
    while (text.n && text.at[text.n - 1] == ' ') text.n--;
    return text;
}

// "past + 1": the sum of terms that are numbers or were given; -1 if one is neither
static int64_t sum_terms(SlOnnxRun *run, SlBytes symbol) {
    int64_t sum = 0;
    while (symbol.n) {
        const uint8_t *plus = memchr(symbol.at, '+', symbol.n);
        size_t n = plus ? (size_t)(plus - symbol.at) : symbol.n;
        SlBytes term = trim((SlBytes){symbol.at, n});
        SlOnnxSize *given = find_size(run, term);
        char number[24];
        int64_t value = 0;
        snprintf(number, sizeof number, "%.*s", (int)(term.n < 23 ? term.n : 23), term.at);
        if (given) {
            value = given->size;
            given->used = true;
        } else if (sl_parse_int(number, 0, SL_MACS_LIMIT - 1, &value, NULL) != SL_OK) {
            return -1;
        }
        sum += value;
        if (sum >= SL_MACS_LIMIT) return -1;
        size_t step = plus ? n + 1 : n;
        symbol = (SlBytes){symbol.at + step, symbol.n - step};
    }
    return sum;
}

// INPUT:AXIS, as it is written on the command line
static SlBytes axis_key(SlOnnxRun *run, const SlOnnxInput *input, int axis) {
    char *text = SL_NEW(run->arena, input->name.n + 16, char);
    if (!text) {
        run->failed = "not enough memory for sizes";
        return (SlBytes){0};
    }
    if (input->name.n) memcpy(text, input->name.at, input->name.n);
    int more = snprintf(text + input->name.n, 16, ":%d", axis);
    return (SlBytes){(const uint8_t *)text, input->name.n + (size_t)more};
}

// the extent of an axis, or -1 with the name under which it is missing
static int64_t axis_size(SlOnnxRun *run, const SlOnnxInput *input, int axis, SlBytes *missing) {
    const SlOnnxAxis *own = &input->axes[axis];
    if (own->size > 0) return own->size;
    SlBytes key = axis_key(run, input, axis);
    SlOnnxSize *given = find_size(run, key);
    SlOnnxSize *named = own->symbol.n ? find_size(run, own->symbol) : NULL;
    if (named) named->used = true;
    if (!given) given = named;
    *missing = own->symbol.n ? own->symbol : key;
    if (!given)
        return own->symbol.n && memchr(own->symbol.at, '+', own->symbol.n)
                   ? sum_terms(run, own->symbol)
                   : -1;
    given->used = true;
    return given->size;
}

// ---- all inputs ----

// names joined by commas, each once
typedef struct {
    SlText text;
    int n, room;
    SlBytes *names;
} List;

static void list_add(SlOnnxRun *run, List *list, SlBytes name) {
    for (int i = 0; i < list->n; i++)
        if (sl_bytes_same(list->names[i], name)) return;
    if (list->n == list->room) {
        SlBytes *more = SL_NEW(run->arena, 2 * list->room + 8, SlBytes);
        if (!more) {
            run->failed = "not enough memory for sizes";
            return;
        }
        if (list->n) memcpy(more, list->names, (size_t)list->n * sizeof *more);
        list->names = more;
        list->room = 2 * list->room + 8;
    }
    sl_text_add(&list->text, "%s%s", list->n ? ", " : "", sl_onnx_shown(name).text);
    list->names[list->n++] = name;
}

static bool is_constant(SlOnnxRun *run, const SlOnnxInput *input) {
    return sl_onnx_tensor(run, input->name) && sl_onnx_tensor(run, input->name)->data;
}

static void bind_input(SlOnnxRun *run, const SlOnnxInput *input, List *missing, List *open) {
    SlOnnxTensor *tensor = sl_onnx_tensor(run, input->name);
    if (!tensor) return;
    int64_t *dims = SL_NEW(run->arena, input->rank < 0 ? 0 : input->rank, int64_t);
    tensor->made = true;
    tensor->elem = input->elem;
    if (input->rank < 0) {
        tensor->why = sl_onnx_say(run, "the file gives no shape for the input '%s'",
                                  sl_onnx_shown(input->name).text);
        return;
    }
    for (int d = 0; d < input->rank && dims; d++) {
        SlBytes name = {0};
        dims[d] = axis_size(run, input, d, &name);
        if (name.n) list_add(run, open, name);
        if (dims[d] < 0) list_add(run, missing, name);
    }
    tensor->known = dims && sl_onnx_product(input->rank, dims) < INT64_C(1) << 62;
    if (!tensor->known) tensor->why = "an input has 2^62 elements or more";
    tensor->rank = input->rank;
    tensor->dims = dims;
}

static SlStatus check_used(SlOnnxRun *run, const List *open) {
    for (int i = 0; i < run->n_sizes; i++) {
        if (run->sizes[i].used) continue;
        if (run->sizes[i].multiplies && run->sizes[i].size > 0) {
            run->batch = run->sizes[i].size;
            continue;
        }
        SlOnnxShown key = sl_onnx_shown(run->sizes[i].key);
        if (!open->n)
            return sl_fail_at(run->err, SL_EINPUT, run->model->file, 0, 0,
                              "no size is called '%s': all sizes of the model are fixed", key.text);
        return sl_fail_at(run->err, SL_EINPUT, run->model->file, 0, 0,
                          "no open size is called '%s', expected %.300s", key.text,
                          open->text.data);
    }
    return SL_OK;
}

SlStatus sl_onnx_bind(SlOnnxRun *run) {
    List missing = {0}, open = {0};
    sl_text_init(&missing.text, run->arena);
    sl_text_init(&open.text, run->arena);
    for (int i = 0; i < run->model->n_inputs && !run->failed; i++) {
        if (!is_constant(run, &run->model->inputs[i]))
            bind_input(run, &run->model->inputs[i], &missing, &open);
    }
    if (run->failed) return sl_fail(run->err, SL_ENOMEM, "%s", run->failed);
    SlStatus status = check_used(run, &open);
    if (status != SL_OK || !missing.n) return status;
    return sl_fail_at(run->err, SL_EINPUT, run->model->file, 0, 0,
                      "expected a size for %.300s: --dim %s=SIZE%s", missing.text.data,
                      sl_onnx_shown(missing.names[0]).text, missing.n > 1 ? ",..." : "");
}
