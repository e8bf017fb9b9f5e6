// yaml.c - build the tree from libyaml's events.
//
// Input is hostile until proven otherwise: bytes are checked before libyaml sees them, depth and
// size are limited, and duplicate keys are found by sorting, in n log n.
#include "starling/core/tree.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "utf8.h"

// A list or map that is not closed yet.
typedef struct {
    SlNode *node;
    SlNode *last;    // newest child
    const char *key; // map: the key whose value comes next, else NULL
    int key_line, key_column;
} Frame;

typedef struct {
    const char *file;
    SlArena *arena;
    SlError *err;
    SlStatus status; // why add_node failed
    SlNode *root;
    int n_nodes;
    int depth; // open frames
    Frame open[SL_TREE_MAX_DEPTH];
    char *spare; // what is left of the newest piece for scalars
    size_t n_spare;
} Reader;

static SlStatus fail_mark(Reader *r, yaml_mark_t mark, const char *what, const char *word) {
    char quoted[SL_QUOTE_ROOM] = "";
    if (word) sl_quote(word, quoted);
    return sl_fail_at(r->err, SL_EINPUT, r->file, (int)mark.line + 1, (int)mark.column + 1,
                      "%s%s%s", what, word ? " " : "", quoted);
}

static SlStatus fail_memory(Reader *r) {
    return sl_fail_at(r->err, SL_ENOMEM, r->file, 0, 0, "not enough memory to read the file");
}

// a copy of a scalar; short ones share pieces, since each piece of an arena is padded
static char *copy_scalar(Reader *r, const char *text, size_t n) {
    enum { PIECE = 4096, LONG = 512 };
    if (n >= LONG) return sl_arena_text(r->arena, text, n);
    if (r->n_spare < n + 1) {
        r->spare = sl_arena_alloc(r->arena, PIECE, 1);
        r->n_spare = r->spare ? PIECE : 0;
        if (!r->spare) return NULL;
    }
    char *copy = r->spare;
    memcpy(copy, text, n);
    copy[n] = '\0';
    r->spare += n + 1;
    r->n_spare -= n + 1;
    return copy;
}

// put a node behind the newest child of the innermost open frame, or at the root
static void link_node(Reader *r, SlNode *node) {
    if (r->depth == 0) {
        r->root = node;
        return;
    }
    Frame *frame = &r->open[r->depth - 1];
    node->key = frame->key;
    node->key_line = frame->key_line;
    node->key_column = frame->key_column;
    frame->key = NULL;
    if (frame->last)
        frame->last->next = node;
    else
        frame->node->first = node;
    frame->last = node;
    frame->node->n++;
}

// a new node in its place; NULL with the reason in `status`
static SlNode *add_node(Reader *r, SlNodeKind kind, yaml_mark_t mark) {
    int line = (int)mark.line + 1, column = (int)mark.column + 1;
    if (r->n_nodes++ == SL_TREE_MAX_VALUES) {
        r->status = sl_fail_at(r->err, SL_EINPUT, r->file, line, column,
                               "expected at most %d values in a file", SL_TREE_MAX_VALUES);
        return NULL;
    }
    SlNode *node = SL_NEW(r->arena, 1, SlNode);
    if (!node) {
        r->status = fail_memory(r);
        return NULL;
    }
    *node = (SlNode){.kind = kind, .file = r->file, .line = line, .column = column, .text = ""};
    link_node(r, node);
    return node;
}

// is the next event the key of an entry
static bool wants_key(const Reader *r) {
    if (r->depth == 0) return false;
    const Frame *frame = &r->open[r->depth - 1];
    return frame->node->kind == SL_NODE_MAP && !frame->key;
}

// what YAML has and we do not
static SlStatus refuse(Reader *r, const yaml_event_t *event, const yaml_char_t *anchor,
                       const yaml_char_t *tag) {
    if (anchor)
        return fail_mark(r, event->start_mark, "anchors are not supported: remove the anchor",
                         (const char *)anchor);
    if (tag)
        return fail_mark(r, event->start_mark, "tags are not supported: remove the tag",
                         (const char *)tag);
    return SL_OK;
}

static SlStatus take_scalar(Reader *r, const yaml_event_t *event) {
    const char *value = (const char *)event->data.scalar.value;
    size_t n = event->data.scalar.length;
    SlStatus status = refuse(r, event, event->data.scalar.anchor, event->data.scalar.tag);
    if (status != SL_OK) return status;
    // "\0" inside double quotes
    if (memchr(value, '\0', n))
        return fail_mark(r, event->start_mark, "expected text without a NUL character", NULL);
    // other escapes must stand for text as well
    SlError inner;
    if (sl_utf8_check(NULL, value, n, &inner) != SL_OK)
        return fail_mark(r, event->start_mark, inner.text, NULL);
    char *text = copy_scalar(r, value, n);
    if (!text) return fail_memory(r);

    if (wants_key(r)) {
        Frame *frame = &r->open[r->depth - 1];
        frame->key = text;
        frame->key_line = (int)event->start_mark.line + 1;
        frame->key_column = (int)event->start_mark.column + 1;
        return SL_OK;
    }
    SlNode *node = add_node(r, SL_NODE_SCALAR, event->start_mark);
    if (!node) return r->status;
    node->text = text;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return SL_OK;
}

static SlStatus open_frame(Reader *r, const yaml_event_t *event, SlNodeKind kind) {
    if (wants_key(r))
        return fail_mark(r, event->start_mark, "expected a name as key, found a list or map", NULL);
    if (r->depth == SL_TREE_MAX_DEPTH)
        return sl_fail_at(r->err, SL_EINPUT, r->file, (int)event->start_mark.line + 1,
                          (int)event->start_mark.column + 1,
                          "expected at most %d lists and maps inside each other",
                          SL_TREE_MAX_DEPTH);
    SlNode *node = add_node(r, kind, event->start_mark);
    if (!node) return r->status;
    r->open[r->depth++] = (Frame){.node = node};
    return SL_OK;
}

// by key, then by place
static int compare_keys(const void *left, const void *right) {
    const SlNode *a = *(const SlNode *const *)left, *b = *(const SlNode *const *)right;
    int order = strcmp(a->key, b->key);
    if (order) return order;
    if (a->key_line != b->key_line) return a->key_line < b->key_line ? -1 : 1;
    return (a->key_column > b->key_column) - (a->key_column < b->key_column);
}

// does `a` come before `b` in the file
static bool is_before(const SlNode *a, const SlNode *b) {
    return a->key_line < b->key_line ||
           (a->key_line == b->key_line && a->key_column < b->key_column);
}

// the first entry in the file whose key was there before; `sorted` (n) in the order above
static const SlNode *find_repeated(const SlNode *const *sorted, int n, const SlNode **earlier) {
    const SlNode *found = NULL;
    for (int i = 1; i < n; i++) {
        const SlNode *before = sorted[i - 1], *after = sorted[i];
        if (strcmp(before->key, after->key) != 0) continue;
        if (found && !is_before(after, found)) continue;
        found = after;
        *earlier = before;
    }
    return found;
}

static SlStatus check_unique(Reader *r, const SlNode *map) {
    if (map->n < 2) return SL_OK;
    size_t mark = sl_arena_mark(r->arena);
    const SlNode **sorted = SL_NEW(r->arena, map->n, const SlNode *);
    if (!sorted) return fail_memory(r);
    int n = 0;
    for (const SlNode *child = map->first; child; child = child->next) sorted[n++] = child;
    qsort(sorted, (size_t)n, sizeof *sorted, compare_keys);
    const SlNode *earlier = NULL, *found = find_repeated(sorted, n, &earlier);
    sl_arena_rewind(r->arena, mark);
    if (!found) return SL_OK;
    char quoted[SL_QUOTE_ROOM];
    return sl_fail_at(r->err, SL_EINPUT, r->file, found->key_line, found->key_column,
                      "key %s appears twice, first in line %d", sl_quote(found->key, quoted),
                      earlier->key_line);
}

static SlStatus close_frame(Reader *r) {
    const SlNode *node = r->open[--r->depth].node;
    return node->kind == SL_NODE_MAP ? check_unique(r, node) : SL_OK;
}

static SlStatus take_event(Reader *r, const yaml_event_t *event) {
    SlStatus status = SL_OK;
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (!r->root) return SL_OK;
        return fail_mark(r, event->start_mark, "expected one document, found a second one", NULL);
    case YAML_ALIAS_EVENT:
        return fail_mark(r, event->start_mark, "aliases are not supported: write out the value of",
                         (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
        return take_scalar(r, event);
    case YAML_SEQUENCE_START_EVENT:
        status =
            refuse(r, event, event->data.sequence_start.anchor, event->data.sequence_start.tag);
        return status != SL_OK ? status : open_frame(r, event, SL_NODE_LIST);
    case YAML_MAPPING_START_EVENT:
        status = refuse(r, event, event->data.mapping_start.anchor, event->data.mapping_start.tag);
        return status != SL_OK ? status : open_frame(r, event, SL_NODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close_frame(r);
    default:
        return SL_OK;
    }
}

// libyaml's complaint as a sentence
static SlStatus fail_yaml(Reader *r, const yaml_parser_t *parser) {
    if (parser->error == YAML_MEMORY_ERROR) return fail_memory(r);
    const char *problem = parser->problem ? parser->problem : "unknown problem";
    const char *context = parser->context;
    return sl_fail_at(r->err, SL_EINPUT, r->file, (int)parser->problem_mark.line + 1,
                      (int)parser->problem_mark.column + 1, "expected YAML: %s%s%s", problem,
                      context ? " " : "", context ? context : "");
}

static SlStatus read_events(Reader *r, yaml_parser_t *parser) {
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) return fail_yaml(r, parser);
        more = event.type != YAML_STREAM_END_EVENT;
        SlStatus status = take_event(r, &event);
        yaml_event_delete(&event);
        if (status != SL_OK) return status;
    }
    if (r->root) return SL_OK;
    return sl_fail_at(r->err, SL_EINPUT, r->file, 1, 1, "expected a document, the file is empty");
}

static SlStatus parse(Reader *r, const char *name, const char *text, size_t n) {
    // a byte-order mark is not text
    if (n >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        text += 3;
        n -= 3;
    }
    SlStatus status = sl_utf8_check(name, text, n, r->err);
    if (status != SL_OK) return status;
    r->file = sl_arena_text(r->arena, name, strlen(name));
    yaml_parser_t parser;
    if (!r->file || !yaml_parser_initialize(&parser)) return fail_memory(r);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, n);
    status = read_events(r, &parser);
    yaml_parser_delete(&parser);
    return status;
}

SlStatus sl_tree_parse(const char *name, const char *text, size_t n, SlArena *arena,
                       const SlNode **root, SlError *err) {
    if (n > SL_TREE_MAX_BYTES)
        return sl_fail_at(err, SL_EINPUT, name, 0, 0, "expected at most %d bytes, got %zu",
                          SL_TREE_MAX_BYTES, n);
    size_t mark = sl_arena_mark(arena);
    Reader reader = {.arena = arena, .err = err};
    SlStatus status = parse(&reader, name, text, n);
    if (status == SL_OK)
        *root = reader.root;
    else
        sl_arena_rewind(arena, mark);
    return status;
}

SlStatus sl_tree_read(const char *path, SlArena *arena, const SlNode **root, SlError *err) {
    size_t mark = sl_arena_mark(arena), n = 0;
    char *text = NULL;
    SlStatus status = sl_file_read(path, SL_TREE_MAX_BYTES, arena, &text, &n, err);
    if (status == SL_OK) status = sl_tree_parse(path, text, n, arena, root, err);
    if (status != SL_OK) sl_arena_rewind(arena, mark);
    return status;
}
