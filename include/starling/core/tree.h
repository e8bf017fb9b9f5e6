// tree.h - a typed tree over YAML and JSON files, every node knowing its place.
//
// Flow: sl_tree_read (file) or sl_tree_parse (text) -> sl_node_get / sl_node_at -> sl_node_int,
// _real, _text ... The accessors return SL_EINPUT with file:line:column and what was expected;
// names get a nearest-name hint.
#pragma once

#include "starling/core/text.h"

SL_API_BEGIN

typedef enum { SL_NODE_SCALAR, SL_NODE_LIST, SL_NODE_MAP } SlNodeKind;

typedef struct SlNode SlNode;
struct SlNode {
    SlNodeKind kind;
    const char *file; // as given to the reader
    int line, column; // of the value, from 1
    const char *key;  // name inside a map, else NULL
    int key_line, key_column;
    const char *text;           // scalar: its text, valid UTF-8 without NUL
    bool quoted;                // scalar: was written in quotes (so "2" is text, 2 a number)
    int n;                      // list, map: number of children
    const SlNode *first, *next; // first child; next sibling
};

enum { SL_TREE_MAX_BYTES = 16 << 20, SL_TREE_MAX_DEPTH = 32, SL_TREE_MAX_VALUES = 1 << 20 };

// YAML (so also JSON), one document, no duplicate keys. Anchors, aliases and custom tags are
// refused by name.
SlStatus sl_tree_read(const char *path, SlArena *arena, const SlNode **root, SlError *err);
SlStatus sl_tree_parse(const char *name, const char *text, size_t n, SlArena *arena,
                       const SlNode **root, SlError *err);

const SlNode *sl_node_get(const SlNode *map, const char *key); // NULL if absent or not a map
const SlNode *sl_node_at(const SlNode *list, int i); // NULL if absent; walk with first / next

// Each key of the map must be one of `known` (ends with NULL): "unknown key 'bandwith' (did you
// mean 'bandwidth'?)".
SlStatus sl_node_check_keys(const SlNode *map, const char *const *known, SlError *err);

// The kind a caller needs, or an error that says what was expected ("levels: expected a list").
SlStatus sl_node_expect(const SlNode *node, SlNodeKind kind, const char *what, SlError *err);

// A child that must exist: "missing key 'K'" at the map's place.
SlStatus sl_node_need(const SlNode *map, const char *key, const SlNode **out, SlError *err);

// Scalars. Ranges are inclusive. Whole numbers may be written 4096, 4_096 or 4e3; bytes also 4 KiB,
// 1 MiB, 2 GiB; reals also inf.
SlStatus sl_node_int(const SlNode *node, int64_t lo, int64_t hi, int64_t *out, SlError *err);
SlStatus sl_node_bytes(const SlNode *node, int64_t lo, int64_t hi, int64_t *out, SlError *err);
SlStatus sl_node_real(const SlNode *node, double lo, double hi, double *out, SlError *err);
SlStatus sl_node_bool(const SlNode *node, bool *out, SlError *err);
SlStatus sl_node_copy_text(const SlNode *node, size_t room, char *out,
                           SlError *err); // at most room-1 bytes, else an error
SlStatus sl_node_choice(const SlNode *node, const char *const *names, int *out,
                        SlError *err); // index in `names`, ends with NULL

// An error at this node's place.
SlStatus sl_node_fail(const SlNode *node, SlError *err, const char *fmt, ...) SL_PRINTF(3, 4);

SL_API_END
