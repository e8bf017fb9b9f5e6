// detail.c - the JSON details of records.
#include "detail.h"

#include <math.h>
#include <string.h>

const SlNode *sl_detail_read(const SlCellRecord *record, SlArena *arena) {
    const SlNode *root = NULL;
    if (!record || !record->detail || !*record->detail) return NULL;
    SlStatus status =
        sl_tree_parse(record->key, record->detail, strlen(record->detail), arena, &root, NULL);
    return status == SL_OK ? root : NULL;
}

const SlNode *sl_detail_get(const SlNode *map, const char *key) {
    return map ? sl_node_get(map, key) : NULL;
}

double sl_detail_real(const SlNode *node) {
    double value = NAN;
    if (!node || node->kind != SL_NODE_SCALAR) return NAN;
    return sl_node_real(node, -INFINITY, INFINITY, &value, NULL) == SL_OK ? value : NAN;
}

double sl_detail_number(const SlNode *map, const char *key) {
    return sl_detail_real(sl_detail_get(map, key));
}

const char *sl_detail_text(const SlNode *map, const char *key) {
    const SlNode *node = sl_detail_get(map, key);
    return node && node->kind == SL_NODE_SCALAR ? node->text : "";
}

int sl_detail_numbers(const SlNode *list, int room, double *out) {
    int n = 0;
    if (!list || list->kind != SL_NODE_LIST) return 0;
    for (const SlNode *node = list->first; node; node = node->next) {
        if (node->kind == SL_NODE_LIST)
            n += sl_detail_numbers(node, room - n, out + n);
        else if (n < room)
            out[n++] = sl_detail_real(node);
    }
    return n;
}
