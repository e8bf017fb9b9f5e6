// fuzz_tree.c - any bytes as YAML: a consistent tree, or one clean sentence; accessors never crash.
#include <stdlib.h>
#include <string.h>

#include "starling/core/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool holds) {
    if (!holds) abort();
}

// one line without control characters
static void require_sentence(const SlError *err) {
    require(err->text[0] != '\0' && strlen(err->text) < sizeof err->text);
    for (const char *c = err->text; *c; c++) require((unsigned char)*c >= 0x20 && *c != 0x7F);
}

// every accessor either works or leaves a sentence
static void try_accessors(const SlNode *node) {
    static const char *const names[] = {"conv", "gemm", "levels", NULL};
    SlError err;
    int64_t whole = 0;
    double real = 0;
    bool flag = false;
    int choice = 0;
    char text[16];
    if (sl_node_int(node, -10, 1000, &whole, &err) != SL_OK) require_sentence(&err);
    require(whole >= -10 && whole <= 1000);
    if (sl_node_bytes(node, 0, INT64_MAX, &whole, &err) != SL_OK) require_sentence(&err);
    if (sl_node_real(node, -1, 1e9, &real, &err) != SL_OK) require_sentence(&err);
    require(real >= -1 && real <= 1e9);
    if (sl_node_bool(node, &flag, &err) != SL_OK) require_sentence(&err);
    if (sl_node_choice(node, names, &choice, &err) != SL_OK) require_sentence(&err);
    if (sl_node_check_keys(node, names, &err) != SL_OK) require_sentence(&err);
    if (sl_node_copy_text(node, sizeof text, text, &err) != SL_OK) require_sentence(&err);
}

// returns the number of nodes
static int walk(const SlNode *node, int depth) {
    require(depth <= SL_TREE_MAX_DEPTH && node->line >= 1 && node->column >= 1);
    try_accessors(node);
    int children = 0, all = 1;
    for (const SlNode *child = node->first; child; child = child->next) {
        require((child->key != NULL) == (node->kind == SL_NODE_MAP));
        // found by its key: keys are unique
        if (child->key && children < 50) require(sl_node_get(node, child->key) == child);
        all += walk(child, depth + 1);
        children++;
    }
    require(children == node->n);
    return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlError err = {.text = ""};
    const SlNode *root = NULL;
    sl_arena_init(&arena, 64 << 20);
    SlStatus status = sl_tree_parse("fuzz", (const char *)data, n, &arena, &root, &err);
    if (status == SL_OK)
        require(walk(root, 0) <= SL_TREE_MAX_VALUES);
    else
        require_sentence(&err);
    // the same with too little memory
    sl_arena_rewind(&arena, 0);
    arena.limit = 32 * (n % 300);
    SlStatus tight = sl_tree_parse("fuzz", (const char *)data, n, &arena, &root, NULL);
    require(tight == status || tight == SL_ENOMEM);
    sl_arena_free(&arena);
    return 0;
}
