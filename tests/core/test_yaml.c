// test_yaml.c - files become trees; what is not a plain tree is refused with its place.
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/sweep.h"
#include "starling/core/tree.h"

static SlStatus parse(SlArena *arena, const char *text, const SlNode **root, SlError *err) {
    return sl_tree_parse("t.yaml", text, strlen(text), arena, root, err);
}

static void every_node_knows_its_place(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    assert_int_equal(
        parse(&arena, "# first\nlayers:\n  - {K: 64, 'C': \"3\"}\n  - fc\n", &root, &err), SL_OK);
    assert_int_equal(root->kind, SL_NODE_MAP);
    assert_string_equal(root->file, "t.yaml");
    assert_null(root->key);
    assert_null(root->next);
    const SlNode *layers = root->first;
    assert_string_equal(layers->key, "layers");
    assert_int_equal(layers->kind, SL_NODE_LIST);
    assert_int_equal(layers->key_line, 2);
    assert_int_equal(layers->key_column, 1);
    assert_int_equal(layers->n, 2);
    const SlNode *c = layers->first->first->next;
    assert_string_equal(c->key, "C");
    assert_string_equal(c->text, "3");
    assert_true(c->quoted);
    assert_false(layers->first->first->quoted);
    assert_int_equal(c->line, 3);
    assert_int_equal(c->column, 18);
    assert_int_equal(c->key_column, 13);
    assert_string_equal(layers->first->next->text, "fc");
    assert_null(layers->first->next->key);
    assert_null(layers->first->next->next);
    sl_arena_free(&arena);
}

static void json_is_read_as_well(void **state) {
    (void)state;
    SlArena arena;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    const char *text = "{\"a\":[1,2.5,true,null,\"x\\u00e9\\/\\n\"],\r\n\t\"b\":{\"c\":{}}}";
    assert_int_equal(parse(&arena, text, &root, NULL), SL_OK);
    assert_int_equal(sl_node_get(root, "a")->n, 5);
    assert_string_equal(sl_node_at(sl_node_get(root, "a"), 4)->text, "x\xc3\xa9/\n");
    assert_int_equal(sl_node_get(sl_node_get(root, "b"), "c")->kind, SL_NODE_MAP);
    sl_arena_free(&arena);
}

static void escapes_must_stand_for_text(void **state) {
    (void)state;
    SlArena arena;
    const SlNode *root = NULL;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(parse(&arena, "a: 1\nb: \"x\\u202Ey\"\n", &root, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected text, found the character U+202E");
    assert_int_equal(err.line, 2);
    assert_int_equal(err.column, 4);
    assert_int_equal(parse(&arena, "{\"\\u001b[2J\": 1}", &root, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected text, found the character U+001B");
    sl_arena_free(&arena);
}

static void the_reader_keeps_no_pointer_into_its_input(void **state) {
    (void)state;
    SlArena arena;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    char name[] = "name", text[] = "\xEF\xBB\xBFkey: value\n";
    assert_int_equal(sl_tree_parse(name, text, strlen(text), &arena, &root, NULL), SL_OK);
    memset(name, 'X', sizeof name - 1);
    memset(text, 'X', sizeof text - 1);
    assert_string_equal(root->file, "name");
    assert_string_equal(sl_node_get(root, "key")->text, "value");
    assert_int_equal(root->column, 1);
    sl_arena_free(&arena);
}

typedef struct {
    const char *text;
    int line, column;
    const char *sentence;
} Refused;

static void what_is_not_a_plain_tree_is_refused(void **state) {
    (void)state;
    static const Refused cases[] = {
        {"", 1, 1, "expected a document, the file is empty"},
        {"# nothing\n\n", 1, 1, "expected a document, the file is empty"},
        {"a: 1\n---\nb: 2\n", 2, 1, "expected one document, found a second one"},
        {"a: &x 1\n", 1, 4, "anchors are not supported: remove the anchor 'x'"},
        {"a: &x [1]\n", 1, 4, "anchors are not supported: remove the anchor 'x'"},
        {"a: &x {b: 1}\n", 1, 4, "anchors are not supported: remove the anchor 'x'"},
        {"&x a: 1\n", 1, 1, "anchors are not supported: remove the anchor 'x'"},
        {"a: 1\nb: *x\n", 2, 4, "aliases are not supported: write out the value of 'x'"},
        {"*x : 1\n", 1, 1, "aliases are not supported: write out the value of 'x'"},
        {"a: !layer 1\n", 1, 4, "tags are not supported: remove the tag '!layer'"},
        {"a: !layer [1]\n", 1, 4, "tags are not supported: remove the tag '!layer'"},
        {"--- !layer {a: 1}\n", 1, 5, "tags are not supported: remove the tag '!layer'"},
        {"a: ! 1\n", 1, 4, "tags are not supported: remove the tag '!'"},
        {"a: 1\nb: 2\na: 3\n", 3, 1, "key 'a' appears twice, first in line 1"},
        {"{z: 1, b: 2, b: 3, z: 4}", 1, 14, "key 'b' appears twice, first in line 1"},
        {"{a: 1, 'a': 2}", 1, 8, "key 'a' appears twice, first in line 1"},
        {"x:\n  - {k: 1,\n     k: 2}\n", 3, 6, "key 'k' appears twice, first in line 2"},
        {"? [a]\n: 1\n", 1, 3, "expected a name as key, found a list or map"},
        {"{{a: 1}: 1}\n", 1, 2, "expected a name as key, found a list or map"},
        {"a: \"x\\0y\"\n", 1, 4, "expected text without a NUL character"},
        {"a: \xff\n", 1, 4, "expected UTF-8 text, found the byte 0xFF"},
        {"a: b\x01\n", 1, 5, "expected text, found the character U+0001"},
        {"a: [1, 2\n", 2, 1,
         "expected YAML: did not find expected ',' or ']' while parsing a flow sequence"},
        {"a: b: c\n", 1, 5, "expected YAML: mapping values are not allowed in this context"},
        {"a: \"x\n", 2, 1,
         "expected YAML: found unexpected end of stream while scanning a quoted scalar"},
        {"\t- a\n", 1, 1,
         "expected YAML: found character that cannot start any token while scanning for the next "
         "token"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlArena arena;
        SlError err = {.line = -1};
        const SlNode *root = NULL;
        sl_arena_init(&arena, 0);
        assert_int_equal(parse(&arena, cases[i].text, &root, &err), SL_EINPUT);
        assert_string_equal(err.text, cases[i].sentence);
        assert_string_equal(err.file, "t.yaml");
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
        assert_int_equal(arena.used, 0);
        assert_null(root);
        sl_arena_free(&arena);
    }
}

static void a_nul_byte_in_the_middle_is_refused(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_tree_parse("t", "a: 1\nb\0: 2\n", 11, &arena, &root, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected text, found the character U+0000");
    assert_int_equal(err.line, 2);
    sl_arena_free(&arena);
}

static void depth_is_limited(void **state) {
    (void)state;
    for (int depth = SL_TREE_MAX_DEPTH; depth <= SL_TREE_MAX_DEPTH + 1; depth++) {
        SlArena arena;
        SlError err;
        const SlNode *root = NULL;
        char text[2 * SL_TREE_MAX_DEPTH + 3] = "";
        sl_arena_init(&arena, 0);
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        SlStatus expected = depth == SL_TREE_MAX_DEPTH ? SL_OK : SL_EINPUT;
        assert_int_equal(parse(&arena, text, &root, &err), expected);
        if (expected != SL_OK)
            assert_string_equal(err.text, "expected at most 32 lists and maps inside each other");
        sl_arena_free(&arena);
    }
}

// a text of `n` bytes made of repeated pieces
static char *repeat(const char *piece, size_t n) {
    char *text = malloc(n + 1);
    assert_non_null(text);
    size_t size = strlen(piece);
    for (size_t i = 0; i < n; i++) text[i] = piece[i % size];
    text[n] = '\0';
    return text;
}

static void size_is_limited(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    char *text = repeat("a", SL_TREE_MAX_BYTES + 1);
    assert_int_equal(parse(&arena, text, &root, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected at most 16777216 bytes, got 16777217");
    assert_int_equal(sl_tree_parse("t", text, SL_TREE_MAX_BYTES, &arena, &root, NULL), SL_OK);
    assert_int_equal(strlen(root->text), SL_TREE_MAX_BYTES);
    free(text);
    sl_arena_free(&arena);
}

static void the_number_of_values_is_limited(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    // the list itself is a value, too
    char *text = repeat("-\n", 2 * SL_TREE_MAX_VALUES);
    assert_int_equal(sl_tree_parse("t", text, 2 * (SL_TREE_MAX_VALUES - 1), &arena, &root, NULL),
                     SL_OK);
    assert_int_equal(root->n, SL_TREE_MAX_VALUES - 1);
    assert_int_equal(parse(&arena, text, &root, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected at most 1048576 values in a file");
    free(text);
    sl_arena_free(&arena);
}

static void a_huge_map_is_checked_for_repeated_keys_in_seconds(void **state) {
    (void)state;
    enum { N = 200000 };
    SlArena arena;
    SlError err;
    const SlNode *root = NULL;
    sl_arena_init(&arena, 0);
    char *text = malloc(16 * N + 16);
    assert_non_null(text);
    // keys with a long common beginning, the last one a repeated one
    size_t n = 0;
    for (int i = 0; i < N; i++) n += (size_t)sprintf(text + n, "k%07d:\n", i);
    clock_t start = clock();
    assert_int_equal(sl_tree_parse("t", text, n, &arena, &root, &err), SL_OK);
    assert_int_equal(root->n, N);
    sprintf(text + n, "k%07d:\n", N / 2);
    assert_int_equal(parse(&arena, text, &root, &err), SL_EINPUT);
    assert_int_equal(err.line, N + 1);
    assert_string_equal(err.text, "key 'k0100000' appears twice, first in line 100001");
    // comparing all pairs takes minutes
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
    free(text);
    sl_arena_free(&arena);
}

static SlStatus read_small(SlArena *arena) {
    const SlNode *root = NULL;
    SlError err;
    const char *text = "a: 1\nb: [x, 'y', {c: 3, d: 4}]\ne: {f: {g: h}}\n";
    return parse(arena, text, &root, &err);
}

static SlStatus read_long(SlArena *arena) {
    const SlNode *root = NULL;
    char text[2100];
    memset(text, 'w', sizeof text);
    memcpy(text, "a: [", 4);
    memcpy(text + 1000, ", ", 2);
    memcpy(text + sizeof text - 2, "]", 2);
    return parse(arena, text, &root, NULL);
}

static void without_memory_nothing_is_kept_or_lost(void **state) {
    (void)state;
    assert_true(sweep_memory(read_small, true) > 20);
    assert_true(sweep_memory(read_long, true) > 50);
}

static void write_file(const char *path, const char *text) {
    assert_int_equal(sl_file_write(path, text, strlen(text), NULL), SL_OK);
}

static void a_file_is_read_under_its_own_name(void **state) {
    (void)state;
    SlArena arena;
    SlError err;
    const SlNode *root = NULL;
    char path[64];
    snprintf(path, sizeof path, "/tmp/starling-yaml-%ld", (long)getpid());
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_tree_read(path, &arena, &root, &err), SL_EINPUT);
    write_file(path, "a: 1\n");
    assert_int_equal(sl_tree_read(path, &arena, &root, &err), SL_OK);
    assert_string_equal(root->file, path);
    size_t used = arena.used;
    write_file(path, "a: [\n");
    assert_int_equal(sl_tree_read(path, &arena, &root, &err), SL_EINPUT);
    assert_string_equal(err.file, path);
    assert_int_equal(arena.used, used);
    unlink(path);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_knows_its_place),
        cmocka_unit_test(json_is_read_as_well),
        cmocka_unit_test(escapes_must_stand_for_text),
        cmocka_unit_test(the_reader_keeps_no_pointer_into_its_input),
        cmocka_unit_test(what_is_not_a_plain_tree_is_refused),
        cmocka_unit_test(a_nul_byte_in_the_middle_is_refused),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(size_is_limited),
        cmocka_unit_test(the_number_of_values_is_limited),
        cmocka_unit_test(a_huge_map_is_checked_for_repeated_keys_in_seconds),
        cmocka_unit_test(without_memory_nothing_is_kept_or_lost),
        cmocka_unit_test(a_file_is_read_under_its_own_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
