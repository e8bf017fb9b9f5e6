// test_csv.c - tables with comments, quotes, blanks and mistakes.
#include <math.h>

#include "support/check.h"

#include <string.h>

#include "core/sweep.h"
#include "starling/core/csv.h"

static SlStatus open_text(SlArena *arena, const char *text, SlCsv *csv, SlError *err) {
    return sl_csv_open("t.csv", text, strlen(text), arena, csv, err);
}

static void rows_follow_the_header(void **state) {
    (void)state;
    SlArena arena;
    SlCsv csv;
    SlError err;
    bool more = false;
    sl_arena_init(&arena, 0);
    const char *text = "# layers\n\n name , K,C\r\n  # a comment\nconv1, 64 ,3\r\n\t\nfc,,";
    assert_int_equal(open_text(&arena, text, &csv, &err), SL_OK);
    assert_int_equal(csv.n_columns, 3);
    assert_int_equal(sl_csv_column(&csv, "name"), 0);
    assert_int_equal(sl_csv_column(&csv, "C"), 2);
    assert_int_equal(sl_csv_column(&csv, "c"), -1);
    assert_int_equal(sl_csv_next(&csv, &more, &err), SL_OK);
    assert_true(more);
    assert_int_equal(csv.line, 5);
    assert_string_equal(csv.cells[0], "conv1");
    assert_string_equal(csv.cells[1], "64");
    assert_string_equal(csv.cells[2], "3");
    assert_int_equal(sl_csv_next(&csv, &more, &err), SL_OK);
    assert_true(more);
    assert_int_equal(csv.line, 7);
    assert_string_equal(csv.cells[0], "fc");
    assert_string_equal(csv.cells[1], "");
    assert_string_equal(csv.cells[2], "");
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sl_csv_next(&csv, &more, &err), SL_OK);
        assert_false(more);
    }
    sl_arena_free(&arena);
}

static void quoted_cells_keep_commas_blanks_and_quotes(void **state) {
    (void)state;
    SlArena arena;
    SlCsv csv;
    bool more = false;
    sl_arena_init(&arena, 0);
    const char *text = "\"a,b\",c,d,e\n \" x, \"\"y\"\" \" ,\"\",say \"hi\",\"#\"\r\n";
    assert_int_equal(open_text(&arena, text, &csv, NULL), SL_OK);
    assert_string_equal(csv.header[0], "a,b");
    assert_int_equal(sl_csv_next(&csv, &more, NULL), SL_OK);
    assert_true(more);
    assert_string_equal(csv.cells[0], " x, \"y\" ");
    assert_string_equal(csv.cells[1], "");
    assert_string_equal(csv.cells[2], "say \"hi\"");
    assert_string_equal(csv.cells[3], "#");
    sl_arena_free(&arena);
}

// what sl_csv_put makes of a text must be read as that text again
static void assert_cell(const char *text, const char *written) {
    SlArena arena;
    SlCsv csv;
    SlText out;
    bool more = false;
    sl_arena_init(&arena, 0);
    sl_text_init(&out, &arena);
    sl_csv_put(text, &out);
    assert_string_equal(out.data, written);
    sl_text_init(&out, &arena);
    sl_text_add(&out, "x,name\n1,");
    sl_csv_put(text, &out);
    assert_int_equal(open_text(&arena, out.data, &csv, NULL), SL_OK);
    assert_int_equal(sl_csv_next(&csv, &more, NULL), SL_OK);
    assert_string_equal(csv.cells[1], text);
    sl_arena_free(&arena);
}

static void written_cells_are_no_formulas_and_read_as_they_were(void **state) {
    (void)state;
    assert_cell("=1+1", "'=1+1");
    assert_cell("@SUM(A1)", "'@SUM(A1)");
    assert_cell("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0");
    assert_cell("-2+3", "'-2+3");
    assert_cell("@7+1", "'@7+1");
    assert_cell("=HYPERLINK(\"a\",\"b\")", "\"'=HYPERLINK(\"\"a\"\",\"\"b\"\")\"");
    // numbers, nests, dashes and everything else stay
    const char *same[] = {"-3.5", "+4",     "-1e-7", "-",  "@7 @3 K:4 C*8",
                          "a=b",  "conv-1", "'",     "'x", ""};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_cell(same[i], same[i]);
    assert_cell("#1", "\"#1\"");
    assert_cell("a,\"b\"", "\"a,\"\"b\"\"\"");
}

static void the_text_of_the_caller_stays_as_it_was(void **state) {
    (void)state;
    SlArena arena;
    SlCsv csv;
    bool more = false;
    sl_arena_init(&arena, 0);
    char text[] = "\xEF\xBB\xBF"
                  "a,b\n1,2\n";
    assert_int_equal(open_text(&arena, text, &csv, NULL), SL_OK);
    assert_int_equal(sl_csv_column(&csv, "a"), 0);
    assert_int_equal(sl_csv_next(&csv, &more, NULL), SL_OK);
    assert_string_equal(text, "\xEF\xBB\xBF"
                              "a,b\n1,2\n");
    memset(text, 'X', sizeof text - 1);
    assert_string_equal(csv.cells[1], "2");
    sl_arena_free(&arena);
}

typedef struct {
    const char *text;
    int line, column;
    const char *sentence;
} Refused;

static void mistakes_are_refused_with_their_line(void **state) {
    (void)state;
    static const char quote[] = "expected a closing quote, then a comma or the end of the line";
    static const Refused cases[] = {
        {"", 0, 0, "expected a header line"},
        {"# only\n\n", 0, 0, "expected a header line"},
        {"a,b,a\n1,2,3\n", 1, 0, "column 'a' appears twice"},
        {"a,\"b\n1,2\n", 1, 3, quote},
        {"a,b\n1,2\n1\n", 3, 0, "expected 2 cells as in the header, got 1"},
        {"a,b\n#\n1,2,3,4\n", 3, 0, "expected 2 cells as in the header, got 4"},
        {"a,b\n1,\"2\n", 2, 3, quote},
        {"a,b\n\"1\"x,2\n", 2, 1, quote},
        {"a,b\n\"1\"\"\n", 2, 1, quote},
        {"a,b\n1,\xff\n", 2, 3, "expected UTF-8 text, found the byte 0xFF"},
        {"a,b\n1,\x02\n", 2, 3, "expected text, found the character U+0002"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlArena arena;
        SlCsv csv;
        SlError err;
        bool more = true;
        sl_arena_init(&arena, 0);
        SlStatus status = open_text(&arena, cases[i].text, &csv, &err);
        if (status != SL_OK) assert_int_equal(arena.used, 0);
        while (status == SL_OK && more) status = sl_csv_next(&csv, &more, &err);
        assert_int_equal(status, SL_EINPUT);
        assert_string_equal(err.text, cases[i].sentence);
        assert_string_equal(err.file, "t.csv");
        assert_int_equal(err.line, cases[i].line);
        assert_int_equal(err.column, cases[i].column);
        sl_arena_free(&arena);
    }
}

static void a_nul_byte_is_refused(void **state) {
    (void)state;
    SlArena arena;
    SlCsv csv;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_csv_open("t", "a,b\n1,\0", 7, &arena, &csv, NULL), SL_EINPUT);
    sl_arena_free(&arena);
}

static void columns_are_limited(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    SlError err;
    SlCsv csv;
    bool more = false;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    for (int i = 0; i < SL_CSV_MAX_COLUMNS; i++) sl_text_add(&text, "%sc%d", i ? "," : "", i);
    assert_int_equal(open_text(&arena, text.data, &csv, &err), SL_OK);
    assert_int_equal(sl_csv_column(&csv, "c511"), 511);
    // a row may not write behind the last column either
    char *header = sl_arena_text(&arena, text.data, text.n);
    sl_text_add(&text, "\n%s,%s,1\n", header, header);
    assert_int_equal(open_text(&arena, text.data, &csv, &err), SL_OK);
    assert_int_equal(sl_csv_next(&csv, &more, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected 512 cells as in the header, got 1025");
    sl_text_init(&text, &arena);
    for (int i = 0; i <= SL_CSV_MAX_COLUMNS; i++) sl_text_add(&text, "%sc%d", i ? "," : "", i);
    assert_int_equal(open_text(&arena, text.data, &csv, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected at most 512 columns, got 513");
    sl_arena_free(&arena);
}

static SlStatus read_table(SlArena *arena) {
    SlCsv csv;
    bool more = true;
    char text[300] = "a,b\n";
    for (int i = 0; i < 20; i++) strcat(text, "11,\"22\"\n");
    SlStatus status = open_text(arena, text, &csv, NULL);
    while (status == SL_OK && more) status = sl_csv_next(&csv, &more, NULL);
    return status;
}

static void without_memory_nothing_is_kept_or_lost(void **state) {
    (void)state;
    assert_true(sweep_memory(read_table, true) > 3);
}

static void numbers_are_as_short_as_they_can_be_read_back(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "0"},
                 {-4, "-4"},
                 {9007199254740991.0, "9007199254740991"},
                 {0.1, "0.1"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1.0 / 3, "0.3333333333333333"},
                 {17409516.8, "17409516.8"},
                 {1e300, "1e+300"},
                 {NAN, ""},
                 {INFINITY, ""}};
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlText text;
        sl_text_init(&text, &arena);
        sl_csv_number(cases[i].value, &text);
        assert_string_equal(text.data, cases[i].text);
    }
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_follow_the_header),
        cmocka_unit_test(quoted_cells_keep_commas_blanks_and_quotes),
        cmocka_unit_test(written_cells_are_no_formulas_and_read_as_they_were),
        cmocka_unit_test(the_text_of_the_caller_stays_as_it_was),
        cmocka_unit_test(mistakes_are_refused_with_their_line),
        cmocka_unit_test(a_nul_byte_is_refused),
        cmocka_unit_test(columns_are_limited),
        cmocka_unit_test(without_memory_nothing_is_kept_or_lost),
        cmocka_unit_test(numbers_are_as_short_as_they_can_be_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
