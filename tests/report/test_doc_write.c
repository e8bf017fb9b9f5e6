// test_doc_write.c - documents in their forms: which there are, all or nothing, files beside them.
#include <stdio.h>
#include <string.h>

#include "doc_help.h"
#include "support/check.h"

static void forms_have_names(void **state) {
    (void)state;
    static const char *const names[] = {"text", "json", "html", "markdown", "csv"};
    for (int i = 0; i < SL_N_FORMS; i++) assert_string_equal(sl_form_names[i], names[i]);
    assert_null(sl_form_names[SL_N_FORMS]);
}

static void an_empty_document_has_every_form_but_csv(void **state) {
    Paper *paper = *state;
    SlError err = {0};
    SlText out;
    assert_string_equal(paper_form(paper, SL_FORM_TEXT), "");
    assert_string_equal(paper_form(paper, SL_FORM_MARKDOWN), "# test\n");
    assert_string_equal(paper_form(paper, SL_FORM_JSON),
                        "{\n  \"schema\": \"starling.test/1\",\n  \"version\": \"" SL_VERSION
                        "\"\n}\n");
    assert_non_null(strstr(paper_form(paper, SL_FORM_HTML), "<h1>test</h1>"));
    sl_text_init(&out, &paper->arena);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_CSV, &out, &err), SL_EINPUT);
    assert_string_equal(err.text, "csv: this result has no table");
}

static void csv_is_the_first_table_with_a_key_or_that_of_a_key(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A")};
    static const char *const keys[] = {NULL, "first", "second"};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    SlText out;
    for (int i = 0; i < 3; i++) {
        sl_doc_open(doc, "group", NULL);
        sl_doc_table(doc, keys[i], NULL, 1, columns);
        sl_doc_row(doc);
        sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, i);
        sl_doc_close(doc);
        sl_doc_close(doc);
    }
    assert_string_equal(paper_form(paper, SL_FORM_CSV), "a\n1\n");
    sl_text_init(&out, &paper->arena);
    assert_true(sl_doc_csv(doc, "second", &out));
    assert_string_equal(out.data, "a\n2\n");
    assert_false(sl_doc_csv(doc, "third", &out));
    assert_string_equal(out.data, "a\n2\n");
}

// ---- files ----

typedef struct {
    SlText log;
    int left; // files before it fails
} Files;

static SlStatus note_file(void *context, const char *file, const SlText *bytes, SlError *err) {
    Files *files = context;
    if (files->left-- == 0) return sl_fail(err, SL_EINPUT, "the disk is full");
    sl_text_add(&files->log, "%s %.5s\n", file, bytes->data);
    return SL_OK;
}

static void pictures_and_tables_are_files_in_order(void **state) {
    Paper *paper = *state;
    SlError err = {0};
    Files files = {.left = 9};
    paper_fill(paper->doc);
    sl_text_init(&files.log, &paper->arena);
    // the visitor's text is in the arena that is rewound behind it: make room before
    sl_text_add(&files.log, "%0500d", 0);
    files.log.n = 0;
    assert_int_equal(sl_doc_files(paper->doc, note_file, &files, &err), SL_OK);
    assert_string_equal(files.log.data, "fruit.csv name,\n"
                                        "pears.svg <svg \n"
                                        "weights-of-all.csv name,\n");
}

static void a_file_that_fails_is_the_last_one(void **state) {
    Paper *paper = *state;
    SlError err = {0};
    Files files = {.left = 1};
    paper_fill(paper->doc);
    sl_text_init(&files.log, &paper->arena);
    sl_text_add(&files.log, "%0500d", 0);
    files.log.n = 0;
    assert_int_equal(sl_doc_files(paper->doc, note_file, &files, &err), SL_EINPUT);
    assert_string_equal(err.text, "the disk is full");
    assert_int_equal(files.left, -1);
    assert_int_equal(sl_doc_files(NULL, note_file, &files, &err), SL_ENOMEM);
}

// ---- memory ----

// a document and its form within `limit` bytes; true if it was written, as it must be then
static bool write_within(size_t limit, SlForm form, const char *whole) {
    SlArena little;
    SlText out;
    SlError err = {0};
    sl_arena_init(&little, limit);
    SlDoc *doc = sl_doc_make(&little, "test", 1);
    if (doc) paper_fill(doc);
    sl_text_init(&out, &little);
    SlStatus status = sl_doc_write(doc, form, &out, &err);
    if (status == SL_OK) {
        assert_string_equal(out.data, whole);
    } else {
        assert_int_equal(status, SL_ENOMEM);
        assert_string_equal(err.text, "not enough memory for the report");
    }
    sl_arena_free(&little);
    return status == SL_OK;
}

static void whatever_the_memory_a_form_fails_or_is_whole(void **state) {
    Paper *paper = *state;
    paper_fill(paper->doc);
    for (int form = 0; form < SL_N_FORMS; form++) {
        const char *whole = paper_form(paper, (SlForm)form);
        size_t limit = SL_ARENA_ALIGN;
        while (!write_within(limit, (SlForm)form, whole)) limit += SL_ARENA_ALIGN;
        assert_true(limit > 4096);
    }
}

static void whatever_the_memory_files_fail_or_are_whole(void **state) {
    (void)state;
    SlStatus status = SL_ENOMEM;
    for (size_t limit = SL_ARENA_ALIGN; status != SL_OK; limit += SL_ARENA_ALIGN) {
        SlArena little, large;
        SlError err = {0};
        Files files = {.left = 9};
        sl_arena_init(&little, limit);
        sl_arena_init(&large, 0);
        sl_text_init(&files.log, &large);
        SlDoc *doc = sl_doc_make(&little, "test", 1);
        if (doc) paper_fill(doc);
        status = sl_doc_files(doc, note_file, &files, &err);
        assert_true(status == SL_ENOMEM || count_of(files.log.data, "\n") == 3);
        sl_arena_free(&large);
        sl_arena_free(&little);
    }
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(forms_have_names),
        CASE(an_empty_document_has_every_form_but_csv),
        CASE(csv_is_the_first_table_with_a_key_or_that_of_a_key),
        CASE(pictures_and_tables_are_files_in_order),
        CASE(a_file_that_fails_is_the_last_one),
        CASE(whatever_the_memory_a_form_fails_or_is_whole),
        CASE(whatever_the_memory_files_fail_or_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
