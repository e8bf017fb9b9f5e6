// layer_text.c - a layer as one line of text: read inline, show, write.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layer_keys.h"

// ---- out ----

// A line being written into a caller's buffer; what does not fit is cut off.
typedef struct {
    char *out;
    size_t n, at;
} Line;

static void add(Line *line, const char *text) {
    while (*text && line->at + 1 < line->n) line->out[line->at++] = *text++;
    if (line->n) line->out[line->at] = 0;
}

static bool is_fallback(const SlLayerDraft *draft, const SlLayerKey *key) {
    for (int i = 0; i < sl_key_parts(key); i++) {
        if (sl_key_value(draft, key, i) != key->fallback) return false;
    }
    return true;
}

static bool has_key(const SlLayerKey *key, SlLayerType type) {
    return key->types & 1u << type;
}

// every number of the layer can be said with the keys of `type`
static bool fits(const SlLayerDraft *draft, SlLayerType type) {
    // conv has a key for everything
    for (const SlLayerKey *key = sl_layer_keys; key->name; key++) {
        if (!has_key(key, SL_CONV) || is_fallback(draft, key)) continue;
        bool said = false;
        for (const SlLayerKey *own = sl_layer_keys; own->name; own++)
            said |= has_key(own, type) && own->offset == key->offset;
        if (!said) return false;
    }
    return true;
}

// "K=64", "stride=2", "stride=2x1"
static void add_key(Line *line, const SlLayerDraft *draft, const SlLayerKey *key) {
    int parts = sl_key_parts(key);
    bool equal = true;
    for (int i = 1; i < parts; i++)
        equal = equal && sl_key_value(draft, key, i) == sl_key_value(draft, key, 0);
    add(line, key->name);
    for (int i = 0; i < (equal ? 1 : parts); i++) {
        char part[32];
        snprintf(part, sizeof part, "%s%" PRId64, i ? "x" : "=", sl_key_value(draft, key, i));
        add(line, part);
    }
}

// the type and every key that it needs or that is not at its fallback; at least one key
static const char *write_line(const SlLayer *layer, const char *after_type, const char *between,
                              size_t n, char *out) {
    Line line = {out, n, 0};
    SlLayerDraft draft = {.layer = *layer};
    SlLayerType type = fits(&draft, layer->type) ? layer->type : SL_CONV;
    add(&line, sl_layer_type_names[type]);
    add(&line, after_type);
    const SlLayerKey *first = sl_layer_keys;
    while (!has_key(first, type)) first++;
    int written = 0;
    for (const SlLayerKey *key = first; key->name; key++) {
        const bool needed = key->needed & 1u << type;
        if (!has_key(key, type) || (is_fallback(&draft, key) && !needed)) continue;
        add(&line, written++ ? between : "");
        add_key(&line, &draft, key);
    }
    if (!written) add_key(&line, &draft, first);
    return out;
}

const char *sl_layer_show(const SlLayer *layer, size_t n, char *out) {
    return write_line(layer, " ", " ", n, out);
}

const char *sl_layer_write(const SlLayer *layer, size_t n, char *out) {
    return write_line(layer, ":", ",", n, out);
}

// ---- in ----

enum { INLINE_MAX = 1024 };

static SlStatus fail_column(SlError *err, SlStatus status, const char *text, const char *at) {
    return sl_error_place(err, status, NULL, 0, (int)(at - text) + 1);
}

// one KEY=VALUE at `item`, cut out of `text`
static SlStatus read_item(SlLayerDraft *draft, const char *text, char *item, SlError *err) {
    char *equals = strchr(item, '=');
    SlStatus status = SL_OK;
    if (!equals) {
        status = sl_fail(err, SL_EINPUT, "expected KEY=VALUE, got '%.80s'", item);
        return fail_column(err, status, text, item);
    }
    *equals = 0;
    const SlLayerKey *key = NULL;
    status = sl_draft_key(draft, item, &key, err);
    if (status != SL_OK) return fail_column(err, status, text, item);
    status = sl_draft_put_text(draft, key, equals + 1, err);
    return status == SL_OK ? SL_OK : fail_column(err, status, text, equals + 1);
}

// "conv:K=64,C=64" in a buffer that is taken apart
static SlStatus read_inline(char *text, SlLayer *layer, SlError *err) {
    char *colon = strchr(text, ':');
    if (!colon) {
        return sl_fail(err, SL_EINPUT,
                       "expected TYPE:KEY=VALUE,..., such as conv:K=64,C=64,P=56,Q=56,R=3,S=3");
    }
    *colon = 0;
    SlLayerDraft draft;
    SlStatus status = sl_draft_init(&draft, text, err);
    if (status != SL_OK) return fail_column(err, status, text, text);
    for (char *item = colon + 1, *next; item; item = next) {
        next = strchr(item, ',');
        if (next) *next++ = 0;
        status = read_item(&draft, text, item, err);
        if (status != SL_OK) return status;
    }
    status = sl_draft_finish(&draft, layer, err);
    if (status != SL_OK) return fail_column(err, status, text, colon + 1);
    if (!layer->name[0])
        snprintf(layer->name, sizeof layer->name, "%s", sl_layer_type_names[layer->type]);
    return SL_OK;
}

SlStatus sl_layer_parse(const char *text, SlLayer *layer, SlError *err) {
    char copy[INLINE_MAX];
    if (strlen(text) >= sizeof copy) {
        return sl_fail(err, SL_EINPUT, "an inline layer has at most %d bytes, this one has %zu",
                       INLINE_MAX - 1, strlen(text));
    }
    snprintf(copy, sizeof copy, "%s", text);
    return read_inline(copy, layer, err);
}
