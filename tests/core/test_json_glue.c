// test_json_glue.c - the program's documents carry their schema, numbers survive, printing has one
// form.
#include "support/check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../../programs/json_glue.c" // NOLINT(bugprone-suspicious-include)
#include "core/sweep.h"

static void a_document_says_what_it_is(void **state) {
    (void)state;
    json_t *json = sl_json_document("cost", 3);
    assert_string_equal(json_string_value(json_object_get(json, "schema")), "starling.cost/3");
    assert_string_equal(json_string_value(json_object_get(json, "version")), SL_VERSION);
    assert_int_equal(json_object_size(json), 2);
    json_decref(json);
}

// the printed form of one number
static void assert_number(double value, const char *expected) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    assert_int_equal(sl_json_print(sl_json_number(value), &text, NULL), SL_OK);
    assert_string_equal(text.data, expected);
    sl_arena_free(&arena);
}

static void numbers_are_whole_real_or_null(void **state) {
    (void)state;
    assert_number(0, "0\n");
    assert_number(-0.0, "0\n");
    assert_number(1849688064, "1849688064\n");
    assert_number(-9007199254740991, "-9007199254740991\n");
    assert_number(0x1p53, "9.00719925474099e15\n");
    assert_number(0.1, "0.1\n");
    assert_number(2.5e-9, "2.5e-9\n");
    assert_number(1e300, "1e300\n");
    assert_number(NAN, "null\n");
    assert_number(INFINITY, "null\n");
    assert_number(-INFINITY, "null\n");
}

static void a_document_is_printed_in_order_and_indented(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    json_t *json = json_pack("{s:i, s:[f, s], s:{}}", "z", 1, "a", 1.0 / 3, "\xc3\xa9\n", "m");
    assert_int_equal(sl_json_print(json, &text, NULL), SL_OK);
    assert_string_equal(text.data, "{\n  \"z\": 1,\n  \"a\": [\n    0.333333333333333,\n"
                                   "    \"\xc3\xa9\\n\"\n  ],\n  \"m\": {}\n}\n");
    sl_arena_free(&arena);
}

static void printing_nothing_is_a_lack_of_memory(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    SlError err;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    assert_int_equal(sl_json_print(NULL, &text, &err), SL_ENOMEM);
    assert_string_equal(err.text, "not enough memory to print JSON");
    sl_arena_free(&arena);
}

static SlStatus print_document(SlArena *arena) {
    SlText text;
    sl_text_init(&text, arena);
    json_t *json = sl_json_document("test", 1);
    for (int i = 0; i < 30; i++) {
        char key[] = {'k', (char)('0' + i), '\0'};
        json_object_set_new(json, key, sl_json_number(i / 7.0));
    }
    return sl_json_print(json, &text, NULL);
}

static void without_memory_the_reference_is_still_taken(void **state) {
    (void)state;
    assert_true(sweep_memory(print_document, false) > 5);
}

// allocations that Jansson may still make
static int allowance;

static void *limited_malloc(size_t n) {
    return allowance-- > 0 ? malloc(n) : NULL;
}

static void without_memory_for_jansson_there_is_no_document(void **state) {
    (void)state;
    typedef struct {
        int64_t a;
        double b;
    } Options;
    static const SlOption table[] = {
        SL_OPT_WHOLE(Options, "a", a, "7", 0, 0, NULL, NULL),
        SL_OPT_REAL(Options, "b", b, "0.5", 0, 0, NULL, NULL),
        {0},
    };
    Options options;
    sl_options_init(table, &options);
    int failed_documents = 0, failed_options = 0;
    for (int n = 0; n < 40; n++) {
        json_set_alloc_funcs(limited_malloc, free);
        allowance = n;
        json_t *document = sl_json_document("test", 1);
        allowance = n;
        json_t *object = json_options(table, &options);
        failed_documents += !document;
        failed_options += !object;
        if (document) assert_int_equal(json_object_size(document), 2);
        if (object) assert_int_equal(json_object_size(object), 2);
        json_decref(document);
        json_decref(object);
        json_set_alloc_funcs(malloc, free);
    }
    assert_true(failed_documents > 3 && failed_documents < 40);
    assert_true(failed_options > 3 && failed_options < 40);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_says_what_it_is),
        cmocka_unit_test(numbers_are_whole_real_or_null),
        cmocka_unit_test(a_document_is_printed_in_order_and_indented),
        cmocka_unit_test(printing_nothing_is_a_lack_of_memory),
        cmocka_unit_test(without_memory_the_reference_is_still_taken),
        cmocka_unit_test(without_memory_for_jansson_there_is_no_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
