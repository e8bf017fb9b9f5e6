// tree.c - find nodes and turn their text into checked values.
#include "starling/core/tree.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "numbers.h"
#include "utf8.h"

const SlNode *sl_node_get(const SlNode *map, const char *key) {
    if (map->kind != SL_NODE_MAP) return NULL;
    for (const SlNode *child = map->first; child; child = child->next) {
        if (strcmp(child->key, key) == 0) return child;
    }
    return NULL;
}

const SlNode *sl_node_at(const SlNode *list, int i) {
    if (list->kind != SL_NODE_LIST || i < 0) return NULL;
    const SlNode *child = list->first;
    for (; child && i > 0; i--) child = child->next;
    return child;
}

SlStatus sl_node_fail(const SlNode *node, SlError *err, const char *fmt, ...) {
    char text[2 * sizeof err->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return sl_fail_at(err, SL_EINPUT, node->file, node->line, node->column, "%s", text);
}

// "name: sentence" at the node's place; without a name the sentence alone
static SlStatus fail_named(const SlNode *node, const char *name, const char *sentence,
                           SlError *err) {
    char quoted[SL_QUOTE_ROOM] = "";
    if (name) {
        // a key is shown without its quotes
        size_t n = strlen(sl_quote(name, quoted));
        memmove(quoted, quoted + 1, n - 2);
        memcpy(quoted + n - 2, ": ", 3);
    }
    return sl_node_fail(node, err, "%s%s", quoted, sentence);
}

// what a node is, for the end of a sentence
static const char *describe(const SlNode *node, char out[static SL_QUOTE_ROOM + 16]) {
    char quoted[SL_QUOTE_ROOM];
    if (node->kind == SL_NODE_LIST) return "a list";
    if (node->kind == SL_NODE_MAP) return "a map";
    if (node->text[0] == '\0' && !node->quoted) return "nothing";
    snprintf(out, SL_QUOTE_ROOM + 16, "%s%s", sl_quote(node->text, quoted),
             node->quoted ? " in quotes" : "");
    return out;
}

// "K: expected <what>, got <the node>"
static SlStatus fail_value(const SlNode *node, const char *what, SlError *err) {
    char got[SL_QUOTE_ROOM + 16], sentence[SL_SENTENCE_ROOM];
    snprintf(sentence, sizeof sentence, "expected %s, got %s", what, describe(node, got));
    return fail_named(node, node->key, sentence, err);
}

SlStatus sl_node_check_keys(const SlNode *map, const char *const *known, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, map->key, err);
    if (status != SL_OK) return status;
    for (const SlNode *child = map->first; child; child = child->next) {
        if (sl_choice_find(child->key, known) >= 0) continue;
        char quoted[SL_QUOTE_ROOM];
        const char *near = sl_nearest_name(child->key, known);
        return sl_fail_at(err, SL_EINPUT, child->file, child->key_line, child->key_column,
                          "unknown key %s%s%s%s", sl_quote(child->key, quoted),
                          near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
    return SL_OK;
}

SlStatus sl_node_expect(const SlNode *node, SlNodeKind kind, const char *what, SlError *err) {
    static const char *const kinds[] = {"a single value", "a list", "a map"};
    if (node->kind == kind) return SL_OK;
    char got[SL_QUOTE_ROOM + 16], sentence[SL_SENTENCE_ROOM];
    snprintf(sentence, sizeof sentence, "expected %s, got %s", kinds[kind], describe(node, got));
    return fail_named(node, what, sentence, err);
}

SlStatus sl_node_need(const SlNode *map, const char *key, const SlNode **out, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, map->key, err);
    if (status != SL_OK) return status;
    const SlNode *found = sl_node_get(map, key);
    if (!found) return sl_node_fail(map, err, "missing key '%s'", key);
    *out = found;
    return SL_OK;
}

// numbers and truth values are written without quotes
static bool is_bare(const SlNode *node) {
    return node->kind == SL_NODE_SCALAR && !node->quoted;
}

SlStatus sl_node_int(const SlNode *node, int64_t lo, int64_t hi, int64_t *out, SlError *err) {
    int64_t value = 0;
    bool whole = is_bare(node) && sl_scan_int(node->text, strlen(node->text), 1, &value);
    if (!whole || value < lo || value > hi) {
        char range[SL_RANGE_ROOM], what[SL_RANGE_ROOM + 32];
        snprintf(what, sizeof what, "a whole number%s", sl_range_int(lo, hi, range));
        return fail_value(node, what, err);
    }
    *out = value;
    return SL_OK;
}

SlStatus sl_node_bytes(const SlNode *node, int64_t lo, int64_t hi, int64_t *out, SlError *err) {
    int64_t value = 0;
    if (!is_bare(node) || !sl_scan_bytes(node->text, &value) || value < lo || value > hi) {
        char range[SL_RANGE_ROOM], what[SL_RANGE_ROOM + 64];
        snprintf(what, sizeof what, "a number of bytes%s, such as 4096 or 4 KiB",
                 sl_range_int(lo, hi, range));
        return fail_value(node, what, err);
    }
    *out = value;
    return SL_OK;
}

SlStatus sl_node_real(const SlNode *node, double lo, double hi, double *out, SlError *err) {
    double value = 0;
    if (!is_bare(node) || !sl_scan_real(node->text, &value) || value < lo || value > hi) {
        char range[SL_RANGE_ROOM], what[SL_RANGE_ROOM + 16];
        snprintf(what, sizeof what, "a number%s", sl_range_real(lo, hi, range));
        return fail_value(node, what, err);
    }
    *out = value;
    return SL_OK;
}

SlStatus sl_node_bool(const SlNode *node, bool *out, SlError *err) {
    if (is_bare(node) && sl_scan_bool(node->text, out)) return SL_OK;
    return fail_value(node, "true or false", err);
}

SlStatus sl_node_copy_text(const SlNode *node, size_t room, char *out, SlError *err) {
    assert(room >= 1);
    if (node->kind != SL_NODE_SCALAR) return fail_value(node, "text", err);
    size_t n = strlen(node->text);
    if (n >= room) {
        char what[64];
        snprintf(what, sizeof what, "text of at most %zu bytes", room - 1);
        return fail_value(node, what, err);
    }
    memcpy(out, node->text, n + 1);
    return SL_OK;
}

SlStatus sl_node_choice(const SlNode *node, const char *const *names, int *out, SlError *err) {
    char sentence[SL_SENTENCE_ROOM];
    if (node->kind != SL_NODE_SCALAR) return fail_value(node, "a name", err);
    int i = sl_choice_find(node->text, names);
    if (i < 0)
        return fail_named(node, node->key, sl_choice_sentence(node->text, names, sentence), err);
    *out = i;
    return SL_OK;
}
