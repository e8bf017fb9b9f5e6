// test_tree.c - nodes are found by name and turned into checked values.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/core/tree.h"

// A parsed text and the error of the call at hand.
typedef struct {
    SlArena arena;
    SlError err;
    const SlNode *root;
} Tree;

static const char TEXT[] = "name: conv1\n"
                           "K: 64\n"
                           "sizes: [1, 4_096, 4e3, 4.5, -3, '7', 9007199254740993]\n"
                           "bytes: {a: 4096, b: 4 KiB, c: 1 MiB, d: 5 KB}\n"
                           "reals: [0.5, inf, -2, x]\n"
                           "flags: [true, off, maybe, 'yes']\n"
                           "empty:\n"
                           "list: []\n"
                           "map: {}\n";

static int make_tree(void **state) {
    static Tree tree;
    sl_arena_init(&tree.arena, 0);
    *state = &tree;
    return sl_tree_parse("t.yaml", TEXT, strlen(TEXT), &tree.arena, &tree.root, &tree.err);
}

static int drop_tree(void **state) {
    sl_arena_free(&((Tree *)*state)->arena);
    return 0;
}

static const SlNode *item(const Tree *tree, const char *key, int i) {
    return sl_node_at(sl_node_get(tree->root, key), i);
}

static void children_are_found_by_key_and_place(void **state) {
    Tree *tree = *state;
    const SlNode *sizes = sl_node_get(tree->root, "sizes");
    assert_int_equal(tree->root->n, 9);
    assert_int_equal(sizes->n, 7);
    assert_string_equal(sl_node_at(sizes, 0)->text, "1");
    assert_string_equal(sl_node_at(sizes, 6)->text, "9007199254740993");
    assert_null(sl_node_at(sizes, 7));
    assert_null(sl_node_at(sizes, -1));
    assert_null(sl_node_at(tree->root, 0));
    assert_null(sl_node_get(tree->root, "k"));
    assert_null(sl_node_get(sizes, "K"));
    assert_null(sl_node_at(sl_node_get(tree->root, "list"), 0));
    assert_null(sl_node_get(sl_node_get(tree->root, "map"), ""));
}

static void whole_numbers_are_exact_and_in_range(void **state) {
    Tree *tree = *state;
    int64_t value = 0;
    const int64_t big = ((int64_t)1 << 53) - 1;
    assert_int_equal(sl_node_int(item(tree, "sizes", 0), 1, 1, &value, &tree->err), SL_OK);
    assert_true(value == 1);
    assert_int_equal(sl_node_int(item(tree, "sizes", 1), 1, big, &value, &tree->err), SL_OK);
    assert_true(value == 4096);
    assert_int_equal(sl_node_int(item(tree, "sizes", 2), 1, big, &value, &tree->err), SL_OK);
    assert_true(value == 4000);
    assert_int_equal(sl_node_int(item(tree, "sizes", 6), 1, INT64_MAX, &value, NULL), SL_OK);
    assert_true(value == 9007199254740993);

    value = 5;
    assert_int_equal(sl_node_int(item(tree, "sizes", 3), 1, big, &value, &tree->err), SL_EINPUT);
    assert_int_equal(sl_node_int(item(tree, "sizes", 4), 1, big, &value, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text,
                        "expected a whole number from 1 to 9007199254740991, got '-3'");
    assert_string_equal(tree->err.file, "t.yaml");
    assert_int_equal(tree->err.line, 3);
    assert_int_equal(tree->err.column, 29);
    assert_int_equal(sl_node_int(item(tree, "sizes", 5), 1, 9, &value, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "expected a whole number from 1 to 9, got '7' in quotes");
    assert_int_equal(sl_node_int(item(tree, "sizes", 6), 1, big, &value, NULL), SL_EINPUT);
    assert_true(value == 5);
}

static void an_error_begins_with_the_key(void **state) {
    Tree *tree = *state;
    int64_t value = 0;
    SlError *err = &tree->err;
    assert_int_equal(sl_node_int(sl_node_get(tree->root, "K"), 1, 8, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "K: expected a whole number from 1 to 8, got '64'");
    assert_int_equal(sl_node_int(sl_node_get(tree->root, "list"), 1, 8, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "list: expected a whole number from 1 to 8, got a list");
    assert_int_equal(sl_node_int(sl_node_get(tree->root, "map"), 1, 8, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "map: expected a whole number from 1 to 8, got a map");
    assert_int_equal(sl_node_int(sl_node_get(tree->root, "empty"), 1, 8, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "empty: expected a whole number from 1 to 8, got nothing");
}

static void bytes_may_have_units(void **state) {
    Tree *tree = *state;
    int64_t value = 0;
    SlError *err = &tree->err;
    const SlNode *bytes = sl_node_get(tree->root, "bytes");
    assert_int_equal(sl_node_bytes(sl_node_get(bytes, "a"), 0, 4096, &value, err), SL_OK);
    assert_true(value == 4096);
    assert_int_equal(sl_node_bytes(sl_node_get(bytes, "b"), 0, 4096, &value, err), SL_OK);
    assert_true(value == 4096);
    assert_int_equal(sl_node_bytes(sl_node_get(bytes, "c"), 0, INT64_MAX, &value, err), SL_OK);
    assert_true(value == 1 << 20);
    assert_int_equal(sl_node_bytes(sl_node_get(bytes, "c"), 0, 99, &value, err), SL_EINPUT);
    assert_int_equal(sl_node_bytes(sl_node_get(bytes, "d"), 0, 99999, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "d: expected a number of bytes from 0 to 99999, such as 4096 or "
                                   "4 KiB, got '5 KB'");
}

static void reals_may_be_infinite(void **state) {
    Tree *tree = *state;
    double value = 0;
    SlError *err = &tree->err;
    assert_int_equal(sl_node_real(item(tree, "reals", 0), 0, 1, &value, err), SL_OK);
    assert_true(value == 0.5);
    assert_int_equal(sl_node_real(item(tree, "reals", 1), 0, INFINITY, &value, err), SL_OK);
    assert_true(value == INFINITY);
    assert_int_equal(sl_node_real(item(tree, "reals", 1), 0, 1e9, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "expected a number from 0 to 1000000000, got 'inf'");
    assert_int_equal(sl_node_real(item(tree, "reals", 2), 0, INFINITY, &value, err), SL_EINPUT);
    assert_int_equal(sl_node_real(item(tree, "reals", 3), 0, INFINITY, &value, err), SL_EINPUT);
    assert_string_equal(err->text, "expected a number of at least 0, got 'x'");
}

static void truth_is_not_guessed(void **state) {
    Tree *tree = *state;
    bool value = false;
    assert_int_equal(sl_node_bool(item(tree, "flags", 0), &value, &tree->err), SL_OK);
    assert_true(value);
    assert_int_equal(sl_node_bool(item(tree, "flags", 1), &value, &tree->err), SL_OK);
    assert_false(value);
    assert_int_equal(sl_node_bool(item(tree, "flags", 2), &value, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "expected true or false, got 'maybe'");
    assert_int_equal(sl_node_bool(item(tree, "flags", 3), &value, &tree->err), SL_EINPUT);
    assert_false(value);
}

static void text_fits_its_room_or_is_refused(void **state) {
    Tree *tree = *state;
    char out[6] = "old";
    const SlNode *name = sl_node_get(tree->root, "name");
    assert_int_equal(sl_node_copy_text(name, 5, out, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "name: expected text of at most 4 bytes, got 'conv1'");
    assert_string_equal(out, "old");
    assert_int_equal(sl_node_copy_text(name, 6, out, &tree->err), SL_OK);
    assert_string_equal(out, "conv1");
    const SlNode *list = sl_node_get(tree->root, "list");
    assert_int_equal(sl_node_copy_text(list, 6, out, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "list: expected text, got a list");
}

static void a_choice_is_one_of_the_names(void **state) {
    Tree *tree = *state;
    static const char *const names[] = {"gemm", "conv1", NULL}, *const others[] = {"conv2", NULL};
    int i = -1;
    const SlNode *name = sl_node_get(tree->root, "name");
    assert_int_equal(sl_node_choice(name, names, &i, &tree->err), SL_OK);
    assert_int_equal(i, 1);
    assert_int_equal(sl_node_choice(name, others, &i, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text,
                        "name: expected one of conv2, got 'conv1' (did you mean 'conv2'?)");
    assert_int_equal(sl_node_choice(tree->root, names, &i, &tree->err), SL_EINPUT);
    assert_int_equal(i, 1);
}

static void unknown_keys_get_a_hint_at_the_key(void **state) {
    Tree *tree = *state;
    static const char *const known[] = {"name", "K",     "sizes", "bits", "bytes", "real",
                                        "flag", "empty", "lists", "map",  NULL};
    assert_int_equal(sl_node_check_keys(tree->root, known, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "unknown key 'reals' (did you mean 'real'?)");
    assert_int_equal(tree->err.line, 5);
    assert_int_equal(tree->err.column, 1);
    // the key may stand lines before its value
    const SlNode *apart = NULL;
    const char *text = "name: a\n? keys\n\n:\n  - 1\n";
    assert_int_equal(sl_tree_parse("t", text, strlen(text), &tree->arena, &apart, NULL), SL_OK);
    assert_int_equal(sl_node_check_keys(apart, known, &tree->err), SL_EINPUT);
    assert_int_equal(tree->err.line, 2);
    assert_int_equal(tree->err.column, 3);
    const SlNode *bytes = sl_node_get(tree->root, "bytes");
    static const char *const letters[] = {"d", "c", "b", "a", NULL}, *const none[] = {NULL};
    assert_int_equal(sl_node_check_keys(bytes, letters, &tree->err), SL_OK);
    assert_int_equal(sl_node_check_keys(bytes, none, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "unknown key 'a'");
    assert_int_equal(sl_node_check_keys(sl_node_get(tree->root, "K"), known, &tree->err),
                     SL_EINPUT);
    assert_string_equal(tree->err.text, "K: expected a map, got '64'");
}

static void a_needed_key_must_be_there(void **state) {
    Tree *tree = *state;
    const SlNode *found = NULL;
    assert_int_equal(sl_node_need(tree->root, "K", &found, &tree->err), SL_OK);
    assert_string_equal(found->text, "64");
    const SlNode *map = sl_node_get(tree->root, "map");
    assert_int_equal(sl_node_need(map, "C", &found, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "missing key 'C'");
    assert_int_equal(tree->err.line, 9);
    assert_int_equal(tree->err.column, 6);
    assert_string_equal(found->text, "64");
    assert_int_equal(sl_node_need(found, "C", &found, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "K: expected a map, got '64'");
}

static void a_kind_is_expected_by_name(void **state) {
    Tree *tree = *state;
    const SlNode *map = sl_node_get(tree->root, "map");
    assert_int_equal(sl_node_expect(map, SL_NODE_MAP, "levels", &tree->err), SL_OK);
    assert_int_equal(sl_node_expect(map, SL_NODE_LIST, "levels", &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "levels: expected a list, got a map");
    assert_int_equal(sl_node_expect(map, SL_NODE_SCALAR, NULL, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text, "expected a single value, got a map");
}

static void hostile_keys_and_values_stay_on_one_line(void **state) {
    Tree *tree = *state;
    static const char text[] = "\"a\\nb\\N[31m\": \"x\\ty\\u2028\"\n";
    const SlNode *root = NULL;
    int64_t value = 0;
    assert_int_equal(sl_tree_parse("t", text, strlen(text), &tree->arena, &root, &tree->err),
                     SL_OK);
    assert_int_equal(sl_node_int(root->first, 0, 1, &value, &tree->err), SL_EINPUT);
    assert_string_equal(tree->err.text,
                        "a?b?[31m: expected a whole number from 0 to 1, got 'x?y?' in quotes");
}

#define WITH_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, drop_tree)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_TREE(children_are_found_by_key_and_place),
        WITH_TREE(whole_numbers_are_exact_and_in_range),
        WITH_TREE(an_error_begins_with_the_key),
        WITH_TREE(bytes_may_have_units),
        WITH_TREE(reals_may_be_infinite),
        WITH_TREE(truth_is_not_guessed),
        WITH_TREE(text_fits_its_room_or_is_refused),
        WITH_TREE(a_choice_is_one_of_the_names),
        WITH_TREE(unknown_keys_get_a_hint_at_the_key),
        WITH_TREE(a_needed_key_must_be_there),
        WITH_TREE(a_kind_is_expected_by_name),
        WITH_TREE(hostile_keys_and_values_stay_on_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
