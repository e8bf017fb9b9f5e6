// layer_keys.c - the one table of layer keys, and a layer built key by key.
#include "layer_keys.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TYPE(t) (1u << SL_##t)
#define WINDOWED (TYPE(CONV) | TYPE(DEPTHWISE))
#define CHANNELS (TYPE(CONV) | TYPE(LINEAR))
#define MATRICES (TYPE(GEMM) | TYPE(BMM))
#define ALL ((1u << SL_N_LAYER_TYPES) - 1)

#define DIM(d) SL_KEY_DIM, offsetof(SlLayerDraft, layer.dims[d]), 1, 1, SL_MACS_LIMIT - 1
#define INPUT(i) SL_KEY_DIM, offsetof(SlLayerDraft, input[i]), 0, 1, SL_MACS_LIMIT - 1
#define STEP(field) SL_KEY_PAIR, offsetof(SlLayerDraft, layer.field), 1, 1, SL_STEP_MAX

const SlLayerKey sl_layer_keys[] = {
    // who must be given a key stands behind who has it
    // the dims, in the order of SlDim (derive_output counts on it)
    {"N", WINDOWED | TYPE(LINEAR), 0, DIM(SL_N)},
    {"G", WINDOWED, 0, DIM(SL_G)},
    {"K", CHANNELS, TYPE(LINEAR), DIM(SL_K)},
    {"C", CHANNELS, TYPE(LINEAR), DIM(SL_C)},
    {"P", WINDOWED, 0, DIM(SL_P)},
    {"Q", WINDOWED, 0, DIM(SL_Q)},
    {"R", WINDOWED, 0, DIM(SL_R)},
    {"S", WINDOWED, 0, DIM(SL_S)},
    {"H", WINDOWED, 0, INPUT(0)},
    {"W", WINDOWED, 0, INPUT(1)},
    // matrices have letters of their own: (M, K) times (K, N)
    {"B", TYPE(BMM), 0, DIM(SL_G)},
    {"M", MATRICES, MATRICES, DIM(SL_P)},
    {"N", MATRICES, MATRICES, DIM(SL_K)},
    {"K", MATRICES, MATRICES, DIM(SL_C)},
    {"batch", TYPE(GEMM), 0, DIM(SL_N)},
    {"stride", WINDOWED, 0, STEP(stride)},
    {"dilation", WINDOWED, 0, STEP(dilation)},
    {"pad", WINDOWED, 0, SL_KEY_PAIR, offsetof(SlLayerDraft, layer.pad), 0, 0, SL_STEP_MAX},
    {"bytes", ALL, 0, SL_KEY_BYTES, offsetof(SlLayerDraft, layer.word_bytes), 0, 0,
     SL_WORD_BYTES_MAX},
    {"name", ALL, 0, SL_KEY_NAME, offsetof(SlLayerDraft, layer.name), 0, 0, 0},
    {NULL, 0, 0, SL_KEY_NAME, 0, 0, 0, 0},
};

enum { N_KEYS = sizeof sl_layer_keys / sizeof sl_layer_keys[0] - 1 };

int sl_key_parts(const SlLayerKey *key) {
    static const int parts[] = {
        [SL_KEY_DIM] = 1, [SL_KEY_PAIR] = 2, [SL_KEY_BYTES] = SL_N_TENSORS, [SL_KEY_NAME] = 0};
    return parts[key->kind];
}

int64_t sl_key_value(const SlLayerDraft *draft, const SlLayerKey *key, int part) {
    const char *field = (const char *)draft + key->offset;
    if (key->kind == SL_KEY_DIM) return ((const int64_t *)(const void *)field)[part];
    return ((const int32_t *)(const void *)field)[part];
}

const char *sl_name_check(const char *name) {
    if (!name[0]) return "a name must not be empty";
    if (strlen(name) >= SL_NAME_ROOM) return "a name has at most 63 bytes";
    for (const char *c = name; *c; c++) {
        // separators of selectors and inline layers, blanks, control characters
        if (*c == ':' || *c == ',' || (unsigned char)*c <= ' ' || *c == 0x7f)
            return "a name must not contain ':', ',' or blanks";
    }
    const SlToken whole = {.text = name, .n = strlen(name)};
    return sl_token_printable(&whole) ? NULL : "a name must be UTF-8 without control characters";
}

SlStatus sl_error_place(SlError *err, SlStatus status, const char *file, int line, int column) {
    if (!err) return status;
    return sl_fail_at(err, status, file, line, column, "%s", err->text);
}

// ---- which key ----

SlStatus sl_draft_init(SlLayerDraft *draft, const char *type, SlError *err) {
    *draft = (SlLayerDraft){0};
    sl_layer_init(&draft->layer);
    for (int t = 0; t < SL_N_LAYER_TYPES; t++) {
        if (strcmp(type, sl_layer_type_names[t])) continue;
        draft->layer.type = (SlLayerType)t;
        return SL_OK;
    }
    const char *near = sl_nearest_name(type, sl_layer_type_names);
    if (near) {
        return sl_fail(err, SL_EINPUT, "unknown layer type '%.80s' (did you mean '%s'?)", type,
                       near);
    }
    return sl_fail(err, SL_EINPUT,
                   "unknown layer type '%.80s', expected conv, dw, linear, gemm or bmm", type);
}

// the keys of a type: as a list that ends with NULL, and joined by commas
static void list_keys(SlLayerType type, const char *names[N_KEYS + 1], char joined[128]) {
    int n = 0, at = 0;
    joined[0] = 0;
    for (int i = 0; i < N_KEYS; i++) {
        if (!(sl_layer_keys[i].types & 1u << type)) continue;
        at += snprintf(joined + at, 128 - (size_t)at, "%s%s", n ? ", " : "", sl_layer_keys[i].name);
        names[n++] = sl_layer_keys[i].name;
    }
    names[n] = NULL;
}

static SlStatus unknown_key(SlLayerType type, const char *name, SlError *err) {
    const char *names[N_KEYS + 1];
    char joined[128];
    list_keys(type, names, joined);
    const char *near = sl_nearest_name(name, names);
    const char *type_name = sl_layer_type_names[type];
    if (near) {
        return sl_fail(err, SL_EINPUT, "unknown key '%.80s' of %s (did you mean '%s'?)", name,
                       type_name, near);
    }
    return sl_fail(err, SL_EINPUT, "unknown key '%.80s' of %s, expected one of %s", name, type_name,
                   joined);
}

SlStatus sl_draft_key(const SlLayerDraft *draft, const char *name, const SlLayerKey **key,
                      SlError *err) {
    SlLayerType type = draft->layer.type;
    for (int i = 0; i < N_KEYS; i++) {
        const SlLayerKey *row = &sl_layer_keys[i];
        if (!(row->types & 1u << type) || strcmp(name, row->name)) continue;
        if (draft->seen & 1u << i) return sl_fail(err, SL_EINPUT, "%s is given twice", name);
        *key = row;
        return SL_OK;
    }
    return unknown_key(type, name, err);
}

// ---- its value ----

static void mark_seen(SlLayerDraft *draft, const SlLayerKey *key) {
    draft->seen |= 1u << (key - sl_layer_keys);
}

static SlStatus put_name(SlLayerDraft *draft, const SlLayerKey *key, const char *text,
                         SlError *err) {
    const char *reason = sl_name_check(text);
    if (reason) return sl_fail(err, SL_EINPUT, "name '%.80s': %s", text, reason);
    snprintf(draft->layer.name, sizeof draft->layer.name, "%s", text);
    mark_seen(draft, key);
    return SL_OK;
}

SlStatus sl_draft_put(SlLayerDraft *draft, const SlLayerKey *key, int n, const int64_t *values,
                      SlError *err) {
    int parts = sl_key_parts(key);
    if (n != 1 && n != parts) {
        return sl_fail(err, SL_EINPUT, "%s: expected %s numbers, not %d", key->name,
                       parts == 2 ? "1 or 2" : "1 or 3", n);
    }
    char *field = (char *)draft + key->offset;
    for (int i = 0; i < parts; i++) {
        int64_t value = values[n == 1 ? 0 : i];
        assert(key->lo <= value && value <= key->hi);
        if (key->kind == SL_KEY_DIM)
            ((int64_t *)(void *)field)[i] = value;
        else
            ((int32_t *)(void *)field)[i] = (int32_t)value;
    }
    mark_seen(draft, key);
    return SL_OK;
}

static SlStatus parse_part(const SlLayerKey *key, const char *text, int64_t *value, SlError *err) {
    SlError why;
    if (sl_parse_int(text, key->lo, key->hi, value, &why) == SL_OK) return SL_OK;
    return sl_fail(err, SL_EINPUT, "%s: %s", key->name, why.text);
}

SlStatus sl_draft_put_text(SlLayerDraft *draft, const SlLayerKey *key, const char *text,
                           SlError *err) {
    if (key->kind == SL_KEY_NAME) return put_name(draft, key, text, err);
    // three numbers of at most seven digits, or one of at most sixteen, fit with room to spare
    char copy[96];
    if (strlen(text) >= sizeof copy)
        return sl_fail(err, SL_EINPUT, "%s: no number has %zu bytes", key->name, strlen(text));
    snprintf(copy, sizeof copy, "%s", text);

    int64_t values[SL_KEY_MAX_PARTS];
    int n = 0;
    for (char *part = copy, *next; part; part = next) {
        next = key->kind == SL_KEY_DIM ? NULL : strchr(part, 'x');
        if (next) *next++ = 0;
        if (n == SL_KEY_MAX_PARTS)
            return sl_fail(err, SL_EINPUT, "%s: too many numbers in '%s'", key->name, text);
        SlStatus status = parse_part(key, part, &values[n++], err);
        if (status != SL_OK) return status;
    }
    return sl_draft_put(draft, key, n, values, err);
}

// ---- the whole ----

// P from H (axis 0) or Q from W (axis 1): outputs whose window lies inside the padded input
static SlStatus derive_output(SlLayerDraft *draft, int axis, SlError *err) {
    static const char *const names[2][3] = {{"H", "P", "R"}, {"W", "Q", "S"}};
    SlLayer *layer = &draft->layer;
    int64_t input = draft->input[axis], taps = layer->dims[axis ? SL_S : SL_R];
    int64_t stride = layer->stride[axis], dilation = layer->dilation[axis], pad = layer->pad[axis];
    SlDim out = axis ? SL_Q : SL_P;
    if (!input) return SL_OK;
    if (draft->seen & 1u << out) {
        return sl_fail(err, SL_EINPUT,
                       "%s and %s are both given; give the output size %s or the input size %s",
                       names[axis][1], names[axis][0], names[axis][1], names[axis][0]);
    }
    int64_t room = input + 2 * pad - 1;
    if (taps - 1 > room / dilation) {
        return sl_fail(err, SL_EINPUT,
                       "the filter does not fit into the input: %s=%" PRId64 ", pad=%" PRId64
                       ", %s=%" PRId64 ", dilation=%" PRId64,
                       names[axis][0], input, pad, names[axis][2], taps, dilation);
    }
    layer->dims[out] = (room - (taps - 1) * dilation) / stride + 1;
    return SL_OK;
}

static SlStatus check_given(const SlLayerDraft *draft, SlError *err) {
    for (int i = 0; i < N_KEYS; i++) {
        const SlLayerKey *key = &sl_layer_keys[i];
        if (!(key->needed & 1u << draft->layer.type) || draft->seen & 1u << i) continue;
        return sl_fail(err, SL_EINPUT, "expected %s, a %s needs it", key->name,
                       sl_layer_type_names[draft->layer.type]);
    }
    return SL_OK;
}

SlStatus sl_draft_finish(SlLayerDraft *draft, SlLayer *layer, SlError *err) {
    SlStatus given = check_given(draft, err);
    if (given != SL_OK) return given;
    for (int axis = 0; axis < 2; axis++) {
        SlStatus status = derive_output(draft, axis, err);
        if (status != SL_OK) return status;
    }
    const char *reason = sl_layer_check(&draft->layer);
    if (reason) {
        char shown[384];
        return sl_fail(err, SL_EINPUT, "%s: %s", reason,
                       sl_layer_show(&draft->layer, sizeof shown, shown));
    }
    *layer = draft->layer;
    return SL_OK;
}
