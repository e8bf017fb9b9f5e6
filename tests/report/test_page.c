// test_page.c - the frame of every page: whole, escaped, and nothing from elsewhere.
#include "report/page.h"
#include "support/check.h"

#include <string.h>

#include "html_check.h"
#include "starling/report.h"

static int make_text(void **state) {
    static SlArena arena;
    static SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    *state = &text;
    return 0;
}

static int drop_text(void **state) {
    sl_arena_free(((SlText *)*state)->arena);
    return 0;
}

static void an_empty_page_is_whole(void **state) {
    SlText *text = *state;
    sl_page_begin("a < b & \"c\"", text);
    sl_page_end(NULL, text);
    assert_page(text);
    assert_non_null(strstr(text->data, "<title>a &lt; b &amp; &quot;c&quot;</title>"));
    assert_non_null(strstr(text->data, "<h1>a &lt; b &amp; &quot;c&quot;</h1>"));
    assert_non_null(strstr(text->data, "<footer>Written by starling " SL_VERSION ".</footer>"));
}

static void the_footer_says_one_more_sentence(void **state) {
    SlText *text = *state;
    sl_page_begin("title", text);
    sl_page_end("1 < 2.", text);
    assert_page(text);
    assert_non_null(strstr(text->data, SL_VERSION ". 1 &lt; 2.</footer>"));
}

static void pages_know_the_dark_phones_and_paper(void **state) {
    SlText *text = *state;
    sl_page_begin("title", text);
    assert_non_null(strstr(text->data, "name=\"viewport\""));
    assert_non_null(strstr(text->data, "@media(prefers-color-scheme:dark)"));
    assert_non_null(strstr(text->data, "@media(max-width:40rem)"));
    assert_non_null(strstr(text->data, "@media print"));
    static const char *const foreign[] = {"http:", "https:", "url(", "@import", "<script", "<link"};
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        assert_null(strstr(text->data, foreign[i]));
    // braces of the style sheet pair up
    int depth = 0;
    for (const char *at = text->data; *at; at++) {
        depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        assert_true(depth >= 0 && depth <= 2);
    }
    assert_int_equal(depth, 0);
}

static void the_checker_of_pages_sees_what_is_wrong(void **state) {
    (void)state;
    assert_null(html_check("<!doctype html><p class=\"a>b\">x<br></p>"));
    assert_non_null(html_check("<p></p>"));
    assert_non_null(html_check("<!doctype html><p><b></p></b>"));
    assert_non_null(html_check("<!doctype html><p>"));
    assert_non_null(html_check("<!doctype html><p></p></p>"));
    assert_non_null(html_check("<!doctype html>1 < 2"));
    assert_null(html_check("<!doctype html><style>a>b{}<p></style>"));
}

#define WRITES(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        WRITES(an_empty_page_is_whole),
        WRITES(the_footer_says_one_more_sentence),
        WRITES(pages_know_the_dark_phones_and_paper),
        cmocka_unit_test(the_checker_of_pages_sees_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
