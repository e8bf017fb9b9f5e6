// test_doc_detail.c - tables of documents: which rows and columns each form has.
#include <string.h>

#include "starling/report.h"
#include "support/check.h"

static void write_form(SlDoc *doc, SlForm form, SlText *out) {
    SlError err;
    sl_text_init(out, sl_doc_arena(doc));
    assert_int_equal(sl_doc_write(doc, form, out, &err), SL_OK);
}

static void rows_that_are_detail_spare_the_terminal_alone(void **state) {
    (void)state;
    static const SlColumn columns[] = {SL_COLUMN("name", "name"), SL_COLUMN("n", "count")};
    SlArena arena;
    SlText out;
    sl_arena_init(&arena, 0);
    SlDoc *doc = sl_doc_make(&arena, "fruit", 1);
    sl_doc_table(doc, "fruit", NULL, 2, columns);
    for (int i = 0; i < 3; i++) {
        sl_doc_detail(doc, i == 1);
        sl_doc_row(doc);
        sl_doc_text(doc, "name", NULL, "fruit%d", i);
        sl_doc_number(doc, "n", NULL, SL_UNIT_COUNT, 1000 + i);
    }
    sl_doc_close(doc);
    write_form(doc, SL_FORM_TEXT, &out);
    assert_string_equal(out.data, "name    count\nfruit0  1,000\nfruit2  1,002\n");
    write_form(doc, SL_FORM_CSV, &out);
    assert_string_equal(out.data, "name,n\nfruit0,1000\nfruit1,1001\nfruit2,1002\n");
    write_form(doc, SL_FORM_HTML, &out);
    assert_non_null(strstr(out.data, "fruit1"));
    write_form(doc, SL_FORM_JSON, &out);
    assert_non_null(strstr(out.data, "fruit1"));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_are_detail_spare_the_terminal_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
