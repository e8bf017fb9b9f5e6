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
    SlText *log;
    int left; // files before it fails
} Files;

static SlStatus note_file(void *context, const char *file, const SlText *bytes, SlError *err) {
    Files *files = context;
    if (files->left-- == 0) return sl_fail(err, SL_EINPUT, "the disk is full");
    sl_text_add(files->log, "%s %d %.5s\n", file, (int)bytes->n, bytes->data);
    return SL_OK;
}

static void pictures_and_tables_are_files_in_order(void **state) {
    Paper *paper = *state;
    SlArena other; // that of the document is rewound behind every file
    SlError err = {0};
    SlText log;
    Files files = {.left = 9, .log = &log};
    paper_fill(paper->doc);
    sl_arena_init(&other, 0);
    sl_text_init(&log, &other);
    assert_int_equal(sl_doc_files(paper->doc, note_file, &files, &err), SL_OK);
    assert_string_equal(log.data, "fruit.csv 66 name,\n"
                                  "pears.svg 66 <svg \n"
                                  "weights-of-all.csv 17 name,\n");
    sl_arena_free(&other);
}

static void a_file_that_fails_is_the_last_one(void **state) {
    Paper *paper = *state;
    SlArena other;
    SlError err = {0};
    SlText log;
    Files files = {.left = 1, .log = &log};
    paper_fill(paper->doc);
    sl_arena_init(&other, 0);
    sl_text_init(&log, &other);
    assert_int_equal(sl_doc_files(paper->doc, note_file, &files, &err), SL_EINPUT);
    assert_string_equal(err.text, "the disk is full");
    assert_int_equal(count_of(log.data, "\n"), 1);
    assert_int_equal(files.left, -1);
    assert_int_equal(sl_doc_files(NULL, note_file, &files, &err), SL_ENOMEM);
    sl_arena_free(&other);
}

// ---- memory ----

// longer than what a text has space for at first, so that it is what fails
static const char long_text[] =
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen twenty twenty-one twenty-two twenty-three twenty-four";
static const char long_svg[] = "<svg><style>.a{}</style><path d=\"M0 0L1 1L2 2L3 3L4 4L5 5L6 6L7 "
                               "7L8 8L9 9L10 10L11 11\"/></svg>";

static void one_line(SlDoc *doc) {
    sl_doc_text(doc, "key", "label", "%s", long_text);
}

static void one_number(SlDoc *doc) {
    sl_doc_number(doc, "key", "label", SL_UNIT_COUNT, 12345);
}

static void one_remark(SlDoc *doc) {
    sl_doc_flag(doc, "key", "label", true);
    sl_doc_remark(doc, "%s", long_text);
}

static void one_paragraph(SlDoc *doc) {
    sl_doc_words(doc, "%s", long_text);
}

static void one_listing(SlDoc *doc) {
    sl_doc_listing(doc, "key", "label", long_text);
}

static void one_link(SlDoc *doc) {
    sl_doc_link(doc, "label", long_text, "there");
}

static void one_curve(SlDoc *doc) {
    static const double curve[40] = {40, 30, 20, 10};
    sl_doc_spark(doc, "label", 40, curve);
}

static void one_json(SlDoc *doc) {
    sl_doc_json(doc, "key", "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]");
}

static void one_list(SlDoc *doc) {
    static const double many[40] = {1};
    sl_doc_numbers(doc, "key", 40, many);
}

static void one_figure(SlDoc *doc) {
    sl_doc_figure(doc, long_text, long_svg, "Seen.");
}

static void one_title(SlDoc *doc) {
    sl_doc_title(doc, "%s", long_text);
}

static void one_table_of_rows(SlDoc *doc) {
    sl_doc_rows(doc, "table", "Table");
    sl_doc_row(doc);
    sl_doc_open(doc, "group", NULL);
    sl_doc_text(doc, "a key that is not short, so that the way to it is longer", "A", "a");
    sl_doc_close(doc);
    sl_doc_sums(doc, "sums");
    sl_doc_text(doc, NULL, "A", "%s", long_text);
    sl_doc_close(doc);
}

static void one_sketch(SlDoc *doc) {
    sl_doc_figure(doc, "a", "<svg/>", "Seen.");
    sl_doc_sketch(doc, long_text);
}

static void one_wrapped_cell(SlDoc *doc) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A", .wrap = true)};
    sl_doc_table(doc, "table", NULL, 1, columns);
    sl_doc_row(doc);
    sl_doc_text(doc, "a", NULL, "%s", long_text);
    sl_doc_close(doc);
}

static void one_table(SlDoc *doc) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A"), SL_COLUMN(NULL, "B")};
    sl_doc_table(doc, "table", "Table", 2, columns);
    sl_doc_row(doc);
    sl_doc_text(doc, "a", NULL, "a");
    sl_doc_bar(doc, "B", 0, 1);
    sl_doc_close(doc);
}

typedef void Fill(SlDoc *doc);
static Fill *const fills[] = {one_line,    one_number,       one_remark, one_paragraph,
                              one_listing, one_link,         one_curve,  one_json,
                              one_list,    one_figure,       one_title,  one_table_of_rows,
                              one_sketch,  one_wrapped_cell, one_table,  paper_fill};
enum { N_FILLS = sizeof fills / sizeof *fills };

static bool has_table(Fill *fill) {
    return fill == one_table || fill == one_table_of_rows || fill == one_wrapped_cell ||
           fill == paper_fill;
}

// a document, its form, and what comes if there is memory
typedef struct {
    Fill *fill;
    SlForm form;
    const char *whole;
} Job;

// the document in its arena, its form in that of `out`; true if it was written
static bool write_job(const Job *job, SlArena *of_doc, SlText *out) {
    SlError err = {0};
    SlDoc *doc = sl_doc_make(of_doc, "test", 1);
    if (doc) job->fill(doc);
    SlStatus status = sl_doc_write(doc, job->form, out, &err);
    if (status == SL_OK) {
        assert_string_equal(out->data, job->whole);
    } else {
        assert_int_equal(status, SL_ENOMEM);
        assert_string_equal(err.text, "not enough memory for the report");
    }
    return status == SL_OK;
}

// memory for the document, and as much as it likes for its form
static bool with_small_document(const Job *job, size_t limit) {
    SlArena little, large;
    SlText out;
    sl_arena_init(&little, limit);
    sl_arena_init(&large, 0);
    sl_text_init(&out, &large);
    bool written = write_job(job, &little, &out);
    sl_arena_free(&large);
    sl_arena_free(&little);
    return written;
}

// memory for what the form needs beside its text, which has its own already
static bool with_small_form(const Job *job, size_t limit) {
    SlArena little, large;
    SlText out;
    sl_arena_init(&large, 0);
    sl_arena_init(&little, 2 * strlen(job->whole) + 64 + limit);
    sl_text_init(&out, &little);
    sl_text_put(&out, job->whole, strlen(job->whole));
    assert_false(out.failed);
    little.limit = little.used + limit - SL_ARENA_ALIGN; // from none at all
    out.n = 0;
    bool written = write_job(job, &large, &out);
    sl_arena_free(&little);
    sl_arena_free(&large);
    return written;
}

// memory for everything together
static bool with_little_at_all(const Job *job, size_t limit) {
    SlArena little;
    SlText out;
    sl_arena_init(&little, limit);
    sl_text_init(&out, &little);
    bool written = write_job(job, &little, &out);
    sl_arena_free(&little);
    return written;
}

// from none to enough; returns how often it was not
static int sweep(const Job *job, bool with(const Job *job, size_t limit)) {
    int n = 0;
    while (!with(job, (size_t)(n + 1) * SL_ARENA_ALIGN)) n++;
    return n;
}

static void whatever_the_memory_a_form_fails_or_is_whole(void **state) {
    (void)state;
    for (int i = 0; i < N_FILLS; i++) {
        for (int form = 0; form < SL_N_FORMS; form++) {
            if (form == SL_FORM_CSV && !has_table(fills[i])) continue;
            SlArena arena;
            Paper paper = {0};
            sl_arena_init(&arena, 0);
            sl_arena_init(&paper.arena, 0);
            paper.doc = sl_doc_make(&arena, "test", 1);
            fills[i](paper.doc);
            Job job = {fills[i], (SlForm)form, paper_form(&paper, (SlForm)form)};
            assert_true(sweep(&job, with_small_document) > 10);
            sweep(&job, with_small_form);
            if (fills[i] == paper_fill) assert_true(sweep(&job, with_little_at_all) > 200);
            sl_arena_free(&paper.arena);
            sl_arena_free(&arena);
        }
    }
}

// the files of a document within `limit` bytes, 0 = any; what was visited goes to `log`
static SlStatus visit_within(Fill *fill, size_t limit, SlText *log) {
    SlArena little;
    SlError err = {0};
    Files files = {.left = 9, .log = log};
    sl_arena_init(&little, limit);
    SlDoc *doc = sl_doc_make(&little, "test", 1);
    if (doc) fill(doc);
    size_t mark = sl_arena_mark(&little);
    SlStatus status = sl_doc_files(doc, note_file, &files, &err);
    assert_true(sl_arena_mark(&little) == mark);
    sl_arena_free(&little);
    return status;
}

static void whatever_the_memory_files_fail_or_are_whole(void **state) {
    static Fill *const filed[] = {one_figure, one_table, paper_fill};
    Paper *paper = *state;
    for (int i = 0; i < 3; i++) {
        SlText whole, log;
        sl_text_init(&whole, &paper->arena);
        assert_int_equal(visit_within(filed[i], 0, &whole), SL_OK);
        SlStatus status = SL_ENOMEM;
        for (size_t limit = SL_ARENA_ALIGN; status != SL_OK; limit += SL_ARENA_ALIGN) {
            sl_text_init(&log, &paper->arena);
            status = visit_within(filed[i], limit, &log);
            assert_true(status == SL_OK || status == SL_ENOMEM);
        }
        assert_string_equal(log.data, whole.data);
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
