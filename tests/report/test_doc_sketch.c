// test_doc_sketch.c - figures in characters, and options as values.
#include <stdio.h>
#include <string.h>

#include "starling/report.h"
#include "support/check.h"

static void write_form(SlDoc *doc, SlForm form, SlText *out) {
    SlError err;
    sl_text_init(out, sl_doc_arena(doc));
    assert_int_equal(sl_doc_write(doc, form, out, &err), SL_OK);
}

static void a_terminal_shows_the_sketch_of_a_figure(void **state) {
    (void)state;
    SlArena arena;
    SlText out;
    sl_arena_init(&arena, 0);
    SlDoc *doc = sl_doc_make(&arena, "fruit", 1);
    sl_doc_sketch(doc, "before any figure");
    sl_doc_figure(doc, "bare", "<svg></svg>", "Seen on pages.");
    sl_doc_figure(doc, "tree", "<svg id=\"tree\"></svg>", "An apple tree.");
    sl_doc_sketch(doc, "  o\n /|\\");
    write_form(doc, SL_FORM_TEXT, &out);
    assert_string_equal(out.data, "  o\n /|\\\n");
    write_form(doc, SL_FORM_HTML, &out);
    assert_non_null(strstr(out.data, "<svg id=\"tree\">"));
    assert_null(strstr(out.data, "/|"));
    sl_arena_free(&arena);
}

static void an_option_is_a_value_of_its_kind(void **state) {
    (void)state;
    static const char *const colours[] = {"red", "green", NULL};
    typedef struct {
        bool ripe;
        int64_t n;
        double weight;
        const char *name;
        int colour;
    } Fruit;
    static const SlOption table[] = {
        SL_OPT_FLAG(Fruit, "ripe", ripe, "whether it is ripe", .fallback = "true"),
        SL_OPT_WHOLE(Fruit, "n", n, "3", 0, 9, "N", "how many"),
        SL_OPT_REAL(Fruit, "weight", weight, "0.5", 0, 9, "KG", "of one"),
        SL_OPT_TEXT(Fruit, "name", name, NULL, "NAME", "what it is called"),
        SL_OPT_CHOICE(Fruit, "colour", colour, "green", colours, "NAME", "how it looks"),
        {0},
    };
    static const char *const values[] = {"true", "3", "0.5", "null", "\"green\""};
    Fruit fruit;
    SlArena arena;
    SlText out;
    sl_options_init(table, &fruit);
    for (int i = 0; table[i].name; i++) {
        char expected[64];
        sl_arena_init(&arena, 0);
        SlDoc *doc = sl_doc_make(&arena, "fruit", 1);
        sl_doc_option(doc, "default", &table[i], &fruit);
        write_form(doc, SL_FORM_JSON, &out);
        snprintf(expected, sizeof expected, "\"default\": %s\n", values[i]);
        assert_non_null(strstr(out.data, expected));
        sl_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_shows_the_sketch_of_a_figure),
        cmocka_unit_test(an_option_is_a_value_of_its_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
