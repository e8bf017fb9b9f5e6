// constraints_yaml.c - dataflows from YAML files (docs/formats/constraints.md).
#include "nest_inside.h"

#include <string.h>

// --- labels

// free text for people, without line breaks or other control characters
static SlStatus read_line(const SlNode *node, size_t room, char *out, SlError *err) {
    if (!node) return SL_OK;
    SlStatus status = sl_node_copy_text(node, room, out, err);
    for (const char *c = out; status == SL_OK && *c; c++) {
        if ((unsigned char)*c >= ' ' && *c != 0x7F) continue;
        status = sl_node_fail(node, err, "%s: expected one line of text", node->key);
    }
    return status;
}

// names are one word, as those of accelerators and their levels
static SlStatus read_name(const SlNode *node, size_t room, char *out, SlError *err) {
    SlStatus status = sl_node_copy_text(node, room, out, err);
    if (status != SL_OK || sl_accel_name_ok(out)) return status;
    return sl_node_fail(node, err, "%s: expected letters, digits, '_', '-' or '.', got '%s'",
                        node->key, out);
}

// --- order: "C * P Q"

static SlStatus read_order(const SlNode *node, SlRuleSet *rule, SlError *err) {
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "order", err);
    if (status != SL_OK) return status;
    bool star = false;
    unsigned named = 0;
    rule->has_order = true;
    for (const char *c = node->text; *c; c++) {
        int d = sl_dim_find(*c);
        if (*c == ' ') continue;
        if (*c == '*' && !star) {
            star = true;
            continue;
        }
        if (d < 0 || named >> d & 1)
            return sl_node_fail(node, err,
                                "order: expected dims (N G K C P Q R S), each once, and one * for "
                                "all others, got '%s'",
                                node->text);
        named |= 1u << d;
        if (star)
            rule->after[rule->n_after++] = (uint8_t)d;
        else
            rule->before[rule->n_before++] = (uint8_t)d;
    }
    if (star) return SL_OK;
    return sl_node_fail(node, err, "order: expected a * where the other dims may stand, got '%s'",
                        node->text);
}

// --- parallel: [[K], [C, P], any]

static SlStatus read_dim(const SlNode *node, uint8_t *set, SlError *err) {
    int d = 0;
    SlStatus status = sl_node_choice(node, sl_dim_names, &d, err);
    if (status == SL_OK) *set |= (uint8_t)(1 << d);
    return status;
}

static SlStatus read_axis(const SlNode *node, uint8_t *set, SlError *err) {
    *set = 0;
    if (node->kind == SL_NODE_SCALAR && strcmp(node->text, "any") == 0) {
        *set = SL_SPREAD_ALL;
        return SL_OK;
    }
    if (node->kind == SL_NODE_SCALAR) return read_dim(node, set, err);
    SlStatus status = sl_node_expect(node, SL_NODE_LIST, "an axis of 'parallel'", err);
    if (status != SL_OK) return status;
    for (const SlNode *item = node->first; item && status == SL_OK; item = item->next)
        status = read_dim(item, set, err);
    return status;
}

static SlStatus read_parallel(const SlNode *node, SlRuleSet *rule, SlError *err) {
    SlStatus status = sl_node_expect(node, SL_NODE_LIST, "parallel", err);
    if (status != SL_OK) return status;
    if (node->n < 1 || node->n > SL_MAX_AXES)
        return sl_node_fail(node, err, "parallel: expected 1 to %d axes, got %d", SL_MAX_AXES,
                            node->n);
    for (const SlNode *axis = node->first; axis && status == SL_OK; axis = axis->next)
        status = read_axis(axis, &rule->parallel[rule->n_parallel++], err);
    return status;
}

// --- sizes: 4, whole, {least: 2, most: 8}

static SlStatus read_range(const SlNode *node, int64_t *least, int64_t *most, SlError *err) {
    static const char *const keys[] = {"least", "most", NULL};
    if (node->kind == SL_NODE_SCALAR) {
        SlStatus status = sl_node_int(node, 1, SL_MACS_LIMIT, least, err);
        *most = *least;
        return status;
    }
    SlStatus status = sl_node_expect(node, SL_NODE_MAP, node->key, err);
    if (status == SL_OK) status = sl_node_check_keys(node, keys, err);
    const SlNode *low = sl_node_get(node, "least"), *high = sl_node_get(node, "most");
    if (status == SL_OK && !low && !high)
        return sl_node_fail(node, err, "%s: expected 'least', 'most' or both", node->key);
    if (status == SL_OK && low) status = sl_node_int(low, 1, SL_MACS_LIMIT, least, err);
    if (status == SL_OK && high)
        status = sl_node_int(high, *least > 1 ? *least : 1, SL_MACS_LIMIT, most, err);
    return status;
}

static SlStatus read_tiles(const SlNode *map, SlRuleSet *rule, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "tiles", err);
    if (status == SL_OK) status = sl_node_check_keys(map, sl_dim_names, err);
    if (status != SL_OK) return status;
    for (const SlNode *item = map->first; item && status == SL_OK; item = item->next) {
        int d = sl_dim_find(item->key[0]);
        if (item->kind == SL_NODE_SCALAR && strcmp(item->text, "whole") == 0)
            rule->most[d] = -1;
        else
            status = read_range(item, &rule->least[d], &rule->most[d], err);
    }
    return status;
}

// --- the file

static SlStatus read_rule(const SlNode *map, SlRuleSet *rule, SlError *err) {
    static const char *const keys[] = {"level", "order", "parallel", "tiles", "cluster", NULL};
    const SlNode *level = NULL;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "a rule", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = sl_node_need(map, "level", &level, err);
    if (status == SL_OK) status = read_name(level, sizeof rule->level, rule->level, err);
    const SlNode *order = sl_node_get(map, "order"), *tiles = sl_node_get(map, "tiles");
    const SlNode *parallel = sl_node_get(map, "parallel"), *cluster = sl_node_get(map, "cluster");
    if (status == SL_OK && !order && !tiles && !parallel && !cluster)
        return sl_node_fail(map, err, "expected 'order', 'parallel', 'tiles' or 'cluster'");
    if (status == SL_OK && order) status = read_order(order, rule, err);
    if (status == SL_OK && parallel) status = read_parallel(parallel, rule, err);
    if (status == SL_OK && tiles) status = read_tiles(tiles, rule, err);
    if (status == SL_OK && cluster)
        status = read_range(cluster, &rule->cluster_least, &rule->cluster_most, err);
    return status;
}

static SlStatus read_rules(const SlNode *list, SlConstraints *out, SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "rules", err);
    if (status != SL_OK) return status;
    if (list->n < 1 || list->n > SL_MAX_RULES)
        return sl_node_fail(list, err, "rules: expected 1 to %d, got %d", SL_MAX_RULES, list->n);
    for (const SlNode *rule = list->first; rule && status == SL_OK; rule = rule->next)
        status = read_rule(rule, &out->rules[out->n_rules++], err);
    return status;
}

// `out` is written only when all of the tree was good
static SlStatus read_constraints(const SlNode *root, SlConstraints *out, SlError *err) {
    static const char *const keys[] = {"constraints", "title", "source", "rules", NULL};
    const SlNode *name = NULL, *rules = NULL;
    SlConstraints fresh;
    memset(&fresh, 0, sizeof fresh);
    SlStatus status = sl_node_expect(root, SL_NODE_MAP, "constraints", err);
    if (status == SL_OK) status = sl_node_check_keys(root, keys, err);
    if (status == SL_OK) status = sl_node_need(root, "constraints", &name, err);
    if (status == SL_OK) status = read_name(name, sizeof fresh.name, fresh.name, err);
    if (status == SL_OK)
        status = read_line(sl_node_get(root, "title"), sizeof fresh.title, fresh.title, err);
    if (status == SL_OK)
        status = read_line(sl_node_get(root, "source"), sizeof fresh.source, fresh.source, err);
    if (status == SL_OK) status = sl_node_need(root, "rules", &rules, err);
    if (status == SL_OK) status = read_rules(rules, &fresh, err);
    if (status == SL_OK) *out = fresh;
    return status;
}

SlStatus sl_constraints_parse(const char *name, const char *text, size_t n, SlArena *scratch,
                              SlConstraints *out, SlError *err) {
    size_t mark = sl_arena_mark(scratch);
    const SlNode *root = NULL;
    SlStatus status = sl_tree_parse(name, text, n, scratch, &root, err);
    if (status == SL_OK) status = read_constraints(root, out, err);
    sl_arena_rewind(scratch, mark);
    return status;
}

SlStatus sl_constraints_read(const char *path, SlArena *scratch, SlConstraints *out, SlError *err) {
    size_t mark = sl_arena_mark(scratch);
    const SlNode *root = NULL;
    SlStatus status = sl_tree_read(path, scratch, &root, err);
    if (status == SL_OK) status = read_constraints(root, out, err);
    sl_arena_rewind(scratch, mark);
    return status;
}
