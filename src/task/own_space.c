// own_space.c - a space of the user's own from a YAML file (docs/formats/space.md): parameters with
// lists of values, and rules.
#include <stdlib.h>
#include <string.h>

#include "rules.h"

enum { MOST_VALUES = 4096, LABEL_ROOM = 64 };

static SlStatus no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the space");
}

// the values of a parameter as texts, each once
static SlStatus read_labels(const SlNode *list, int most, SlArena *arena, const char ***out,
                            SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, list->key, err);
    if (status != SL_OK) return status;
    if (list->n < 1 || list->n > most)
        return sl_node_fail(list, err, "expected 1 to %d values", most);
    const char **labels = SL_NEW(arena, list->n, const char *);
    if (!labels) return no_memory(err);
    int n = 0;
    for (const SlNode *node = list->first; node; node = node->next) {
        status = sl_node_expect(node, SL_NODE_SCALAR, "a value", err);
        if (status != SL_OK) return status;
        size_t bytes = strlen(node->text);
        if (bytes == 0 || bytes >= LABEL_ROOM || strpbrk(node->text, " =>\t"))
            return sl_node_fail(node, err,
                                "expected a value of 1 to %d bytes without blanks, '=' and '>'",
                                LABEL_ROOM - 1);
        for (int i = 0; i < n; i++)
            if (strcmp(labels[i], node->text) == 0)
                return sl_node_fail(node, err, "'%s' stands here twice", node->text);
        labels[n] = sl_arena_text(arena, node->text, bytes);
        if (!labels[n++]) return no_memory(err);
    }
    *out = labels;
    return SL_OK;
}

// numbers that ascend; those that are not whole and positive count by their places
static SlStatus read_ordinal(const SlNode *list, SlArena *arena, SlParam *param, SlError *err) {
    const char **labels = NULL;
    SlStatus status = read_labels(list, MOST_VALUES, arena, &labels, err);
    int64_t *sizes = status == SL_OK ? SL_NEW(arena, list->n, int64_t) : NULL;
    if (status != SL_OK) return status;
    if (!sizes) return no_memory(err);
    bool whole = true;
    double last = 0;
    int i = 0;
    for (const SlNode *node = list->first; node; node = node->next, i++) {
        double value;
        status = sl_node_real(node, -1e300, 1e300, &value, err);
        if (status != SL_OK) return status;
        if (i > 0 && value <= last)
            return sl_node_fail(node, err, "expected numbers that ascend; %s does not", node->text);
        last = value;
        whole = whole && sl_parse_int(node->text, 1, INT64_C(1) << 52, &sizes[i], NULL) == SL_OK;
    }
    for (i = 0; i < list->n && !whole; i++) sizes[i] = i + 1;
    param->kind = SL_ORDINAL;
    param->n = list->n;
    param->sizes = sizes;
    param->labels = whole ? NULL : labels;
    return SL_OK;
}

static SlStatus read_categorical(const SlNode *list, SlArena *arena, SlParam *param, SlError *err) {
    const char **labels = NULL;
    SlStatus status = read_labels(list, SL_MAX_SPREADS, arena, &labels, err);
    param->kind = SL_CATEGORICAL;
    param->n = list->n;
    param->labels = labels;
    return status;
}

static SlStatus read_permutation(const SlNode *list, SlArena *arena, SlParam *param, SlError *err) {
    const char **labels = NULL;
    SlStatus status = read_labels(list, SL_N_DIMS, arena, &labels, err);
    if (status != SL_OK) return status;
    param->kind = SL_PERMUTATION;
    param->n_items = list->n;
    param->n = sl_factorial(list->n);
    param->labels = labels;
    for (int i = 0; i < list->n; i++) param->items[i] = (uint8_t)i;
    return SL_OK;
}

static SlStatus read_param(const SlNode *node, SlArena *arena, SlSpace *space, SlError *err) {
    static const char *const kinds[] = {"ordinal", "categorical", "permutation", NULL};
    static SlStatus (*const readers[])(const SlNode *, SlArena *, SlParam *, SlError *) = {
        read_ordinal, read_categorical, read_permutation};
    size_t n = strlen(node->key);
    if (n == 0 || n >= sizeof space->params->name || strpbrk(node->key, " =\t"))
        return sl_node_fail(node, err, "expected a name of 1 to %d bytes without blanks and '='",
                            (int)sizeof space->params->name - 1);
    SlStatus status = sl_node_expect(node, SL_NODE_MAP, "a parameter", err);
    if (status == SL_OK) status = sl_node_check_keys(node, kinds, err);
    if (status != SL_OK) return status;
    if (node->n != 1)
        return sl_node_fail(node, err,
                            "expected one of ordinal, categorical, permutation with its values");
    SlParam *param = sl_space_add(space, node->key, SL_AGENT_MAPPING);
    if (!param) return sl_node_fail(node, err, "a space has at most %d parameters", SL_MAX_PARAMS);
    for (int k = 0; kinds[k]; k++)
        if (strcmp(node->first->key, kinds[k]) == 0)
            return readers[k](node->first, arena, param, err);
    return SL_OK;
}

static SlStatus read_space(const SlNode *root, SlArena *arena, SlOwnSpace *own, SlError *err) {
    static const char *const keys[] = {"name", "parameters", "rules", NULL};
    const SlNode *params, *name = sl_node_get(root, "name");
    SlStatus status = sl_node_expect(root, SL_NODE_MAP, "a space", err);
    if (status == SL_OK) status = sl_node_check_keys(root, keys, err);
    if (status == SL_OK && name) status = sl_node_copy_text(name, sizeof own->name, own->name, err);
    if (status == SL_OK) status = sl_node_need(root, "parameters", &params, err);
    if (status == SL_OK) status = sl_node_expect(params, SL_NODE_MAP, "parameters", err);
    if (status != SL_OK) return status;
    if (params->n == 0) return sl_node_fail(params, err, "expected at least one parameter");
    sl_space_open(&own->space, NULL, arena);
    for (const SlNode *node = params->first; node && status == SL_OK; node = node->next)
        status = read_param(node, arena, &own->space, err);
    if (status != SL_OK) return status;
    if (!sl_space_close(&own->space)) return no_memory(err);
    return sl_rules_make(sl_node_get(root, "rules"), &own->space, arena, &own->rules, err);
}

SlStatus sl_own_space_read(const char *path, SlArena *arena, SlOwnSpace *own, SlError *err) {
    const SlNode *root;
    *own = (SlOwnSpace){.name = "space"};
    SlStatus status = sl_tree_read(path, arena, &root, err);
    return status == SL_OK ? read_space(root, arena, own, err) : status;
}
