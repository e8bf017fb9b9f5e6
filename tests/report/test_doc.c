// test_doc.c - documents: what goes in, where it stands, what it is called.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doc_help.h"
#include "report/page.h"
#include "support/check.h"

static void values_stand_in_the_order_in_which_they_were_given(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_number(doc, "n", "count", SL_UNIT_COUNT, 12);
    sl_doc_text(doc, "name", NULL, "%s %d", "pear", 2);
    sl_doc_flag(doc, NULL, "ripe", false);
    const SlDocNode *node = doc->root.first;
    assert_int_equal(node->kind, SL_DOC_NUMBER);
    assert_string_equal(node->key, "n");
    assert_string_equal(node->label, "count");
    assert_int_equal(node->unit, SL_UNIT_COUNT);
    node = node->next;
    assert_string_equal(node->text, "pear 2");
    assert_null(node->label);
    node = node->next;
    assert_int_equal(node->kind, SL_DOC_FLAG);
    assert_null(node->key);
    assert_null(node->next);
    assert_ptr_equal(doc->root.last, node);
}

static void texts_are_copied(void **state) {
    Paper *paper = *state;
    char key[] = "key", label[] = "label", text[] = "text";
    double numbers[] = {1, 2};
    sl_doc_string(paper->doc, key, label, text);
    sl_doc_numbers(paper->doc, key, 2, numbers);
    key[0] = label[0] = text[0] = '!';
    numbers[0] = 7;
    const SlDocNode *node = paper->doc->root.first;
    assert_string_equal(node->key, "key");
    assert_string_equal(node->label, "label");
    assert_string_equal(node->text, "text");
    assert_true(node->next->numbers[0] == 1);
}

static void what_cannot_be_shown_becomes_a_question_mark(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    // an escape sequence, an override of the direction, a broken byte; line breaks stay in text
    sl_doc_text(doc, "k\x1b[31m", "l\xE2\x80\xAEtxt", "a\x1b]0;x\x07\xFF\nü");
    sl_doc_heading(doc, "\xE2\x81\xA6h\xE2\x81\xA9");
    sl_doc_listing(doc, NULL, "", "1\n\t2\x7F");
    sl_doc_link(doc, "page", "a\nb", "x\xC3");
    const SlDocNode *node = doc->root.first;
    assert_string_equal(node->key, "k?[31m");
    assert_string_equal(node->label, "l?txt");
    assert_string_equal(node->text, "a?]0;x??\nü");
    assert_string_equal(node->next->text, "?h?");
    assert_string_equal(node->next->next->text, "1\n?2?");
    assert_string_equal(node->next->next->next->target, "a?b");
    assert_string_equal(node->next->next->next->text, "x?");
}

static void a_string_that_is_missing_is_null(void **state) {
    Paper *paper = *state;
    sl_doc_string(paper->doc, "owner", "owner", NULL);
    sl_doc_listing(paper->doc, "recipe", "Recipe", NULL);
    assert_int_equal(paper->doc->root.first->kind, SL_DOC_NULL);
    assert_string_equal(paper->doc->root.last->text, "");
}

static void nothing_to_say_is_no_paragraph(void **state) {
    Paper *paper = *state;
    sl_doc_words(paper->doc, "%s", "");
    sl_doc_warn(paper->doc, "%s", "");
    assert_null(paper->doc->root.first);
    sl_doc_warn(paper->doc, "Mind the %s.", "wasps");
    assert_string_equal(paper->doc->root.first->text, "Mind the wasps.");
    assert_true(paper->doc->root.first->marked);
}

static void groups_hold_what_follows_until_they_are_closed(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_open(doc, "a", NULL);
    sl_doc_open(doc, "b", NULL);
    sl_doc_null(doc, "c");
    sl_doc_close(doc);
    sl_doc_null(doc, "d");
    sl_doc_close(doc);
    sl_doc_null(doc, "e");
    const SlDocNode *a = doc->root.first;
    assert_string_equal(a->first->key, "b");
    assert_string_equal(a->first->first->key, "c");
    assert_string_equal(a->first->next->key, "d");
    assert_string_equal(a->next->key, "e");
    // one close too many changes nothing
    sl_doc_close(doc);
    sl_doc_close(doc);
    sl_doc_null(doc, "f");
    assert_string_equal(doc->root.last->key, "f");
}

static void a_row_ends_where_the_next_one_begins(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_table(doc, "t", NULL, 0, NULL);
    sl_doc_row(doc);
    sl_doc_null(doc, "a");
    sl_doc_row(doc);
    sl_doc_rule(doc);
    sl_doc_foot(doc);
    sl_doc_null(doc, "b");
    sl_doc_close(doc);
    sl_doc_null(doc, "c");
    const SlDocNode *row = doc->root.first->first;
    static const SlDocKind kinds[] = {SL_DOC_ROW, SL_DOC_ROW, SL_DOC_RULE, SL_DOC_ROW};
    for (int i = 0; i < 4; i++, row = row->next) assert_int_equal(row->kind, kinds[i]);
    assert_null(row);
    assert_true(doc->root.first->last->marked);
    assert_string_equal(doc->root.first->last->first->key, "b");
    assert_string_equal(doc->root.last->key, "c");
}

static void columns_are_copied(void **state) {
    Paper *paper = *state;
    SlColumn columns[] = {SL_COLUMN("a", "A")};
    sl_doc_table(paper->doc, "t", NULL, 1, columns);
    columns[0].key = "b";
    assert_string_equal(paper->doc->root.first->columns[0].key, "a");
}

static void words_behind_a_value_belong_to_the_last_one(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_shown(doc, "nothing to show yet");
    sl_doc_strong(doc);
    sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_number(doc, "b", NULL, SL_UNIT_PLAIN, 2);
    sl_doc_shown(doc, "%d pears", 2);
    sl_doc_remark(doc, "of %d", 3);
    sl_doc_strong(doc);
    const SlDocNode *a = doc->root.first, *b = a->next;
    assert_true(!a->shown && !a->remark && !a->marked);
    assert_string_equal(b->shown, "2 pears");
    assert_string_equal(b->remark, "of 3");
    assert_true(b->marked);
    // what was said in a group does not reach out of it
    sl_doc_open(doc, "g", NULL);
    sl_doc_null(doc, "c");
    sl_doc_close(doc);
    sl_doc_remark(doc, "of nothing");
    assert_string_equal(b->remark, "of 3");
    assert_null(doc->root.last->first->remark);
}

static void details_are_marked_from_where_they_begin(void **state) {
    Paper *paper = *state;
    sl_doc_words(paper->doc, "a");
    sl_doc_detail(paper->doc, true);
    sl_doc_words(paper->doc, "b");
    sl_doc_detail(paper->doc, false);
    sl_doc_words(paper->doc, "c");
    const SlDocNode *a = paper->doc->root.first;
    assert_true(!a->detail && a->next->detail && !a->next->next->detail);
}

static void json_that_is_none_is_null(void **state) {
    static const char *const bad[] = {NULL, "", "{", "{} {}", "nan", "'a'", "[1,]"};
    Paper *paper = *state;
    for (int i = 0; i < 7; i++) {
        sl_doc_json(paper->doc, "j", bad[i]);
        assert_int_equal(paper->doc->root.last->kind, SL_DOC_NULL);
    }
    sl_doc_json(paper->doc, "j", " [1, \"\\u00fc\"]");
    assert_int_equal(paper->doc->root.last->kind, SL_DOC_JSON);
    assert_string_equal(paper->doc->root.last->text, " [1, \"\\u00fc\"]");
}

typedef struct {
    bool flag;
    int64_t count;
    double rate;
    int color;
    const char *name, *none;
} Settings;

static void options_are_an_object_with_a_member_each(void **state) {
    static const char *const colors[] = {"red", "green", NULL};
    static const SlOption table[] = {
        SL_OPT_FLAG(Settings, "flag", flag, "a flag"),
        SL_OPT_WHOLE(Settings, "count", count, "0", 0, 100, "N", "a number"),
        SL_OPT_REAL(Settings, "rate", rate, "0", 0, 1, "X", "a rate"),
        SL_OPT_CHOICE(Settings, "color", color, "red", colors, "COLOR", "a color"),
        SL_OPT_TEXT(Settings, "name", name, NULL, "NAME", "a name"),
        SL_OPT_TEXT(Settings, "none", none, NULL, "NAME", "no name"),
        {0},
    };
    Settings settings = {.flag = true, .count = 7, .rate = 0.5, .color = 1, .name = "x\"y"};
    Paper *paper = *state;
    sl_doc_options(paper->doc, "options", table, &settings);
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "  \"options\": {\n"
                                                            "    \"flag\": true,\n"
                                                            "    \"count\": 7,\n"
                                                            "    \"rate\": 0.5,\n"
                                                            "    \"color\": \"green\",\n"
                                                            "    \"name\": \"x\\\"y\",\n"
                                                            "    \"none\": null\n"
                                                            "  }\n"));
}

static void names_of_figures_and_tables_are_names_of_files(void **state) {
    static const char *const given[] = {"Weights of all", "pears", "Pears!", "pears", "../ü", "?"};
    static const char *const kept[] = {"weights-of-all", "pears", "pears-2",
                                       "pears-3",        "block", "block-2"};
    Paper *paper = *state;
    for (int i = 0; i < 6; i++) {
        if (i == 2) sl_doc_open(paper->doc, "inside", NULL); // the names there count, too
        sl_doc_figure(paper->doc, given[i], "<svg/>", "Seen.");
        assert_string_equal(paper->doc->open->last->key, kept[i]);
        if (i == 2) sl_doc_close(paper->doc);
    }
}

static void long_names_are_cut_and_stay_apart(void **state) {
    char name[200] = {0};
    Paper *paper = *state;
    memset(name, 'a', sizeof name - 1);
    for (int i = 0; i < 2; i++) sl_doc_figure(paper->doc, name, "<svg/>", "Seen.");
    const SlDocNode *first = paper->doc->root.first, *last = paper->doc->root.last;
    assert_int_equal(strlen(first->key), 100);
    assert_int_equal(strlen(last->key), 102);
    assert_string_equal(last->key + 100, "-2");
}

static void a_table_that_could_not_be_made_fails_the_document(void **state) {
    Paper *paper = *state;
    SlError err;
    SlText out;
    sl_doc_grid(paper->doc, "none", NULL);
    sl_text_init(&out, &paper->arena);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_TEXT, &out, &err), SL_ENOMEM);
}

static void every_call_takes_no_document(void **state) {
    (void)state;
    SlError err;
    SlText out;
    SlArena arena;
    sl_arena_init(&arena, 0);
    sl_text_init(&out, &arena);
    SlTable *table = sl_table_make(&arena, "", "a");
    assert_null(sl_doc_arena(NULL));
    sl_doc_title(NULL, "t");
    sl_doc_footer(NULL, "t");
    sl_doc_number(NULL, "n", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_text(NULL, "n", NULL, "t");
    sl_doc_string(NULL, "n", NULL, "t");
    sl_doc_flag(NULL, "n", NULL, true);
    sl_doc_null(NULL, "n");
    sl_doc_numbers(NULL, "n", 1, (double[]){1});
    sl_doc_json(NULL, "n", "1");
    sl_doc_shown(NULL, "t");
    sl_doc_remark(NULL, "t");
    sl_doc_strong(NULL);
    sl_doc_bar(NULL, "l", 0, 1);
    sl_doc_spark(NULL, "l", 1, (double[]){1});
    sl_doc_link(NULL, "l", "t", "t");
    sl_doc_heading(NULL, "t");
    sl_doc_words(NULL, "t");
    sl_doc_warn(NULL, "t");
    sl_doc_listing(NULL, "k", "l", "t");
    sl_doc_terminal(NULL, "t");
    sl_doc_sketch(NULL, "t");
    sl_doc_rows(NULL, "k", "l");
    sl_doc_sums(NULL, "k");
    sl_doc_figure(NULL, "f", "<svg/>", "t");
    sl_doc_grid(NULL, "g", table);
    sl_doc_detail(NULL, true);
    sl_doc_open(NULL, "k", "l");
    sl_doc_cards(NULL, "k", "l");
    sl_doc_list(NULL, "k");
    sl_doc_table(NULL, "k", "l", 0, NULL);
    sl_doc_row(NULL);
    sl_doc_rule(NULL);
    sl_doc_foot(NULL);
    sl_doc_close(NULL);
    assert_int_equal(sl_doc_write(NULL, SL_FORM_JSON, &out, &err), SL_ENOMEM);
    assert_int_equal(sl_doc_markdown(NULL, "", &out, &err), SL_ENOMEM);
    assert_false(sl_doc_csv(NULL, "k", &out));
    assert_int_equal(out.n, 0);
    sl_arena_free(&arena);
}

static void without_memory_a_document_stays_what_it_was(void **state) {
    (void)state;
    SlArena little;
    sl_arena_init(&little, 4096);
    SlDoc *doc = sl_doc_make(&little, "test", 1);
    while (!doc->failed) sl_doc_words(doc, "%0200d", 1);
    const SlDocNode *last = doc->root.last;
    sl_doc_open(doc, "a", NULL);
    sl_doc_null(doc, NULL);
    sl_doc_close(doc);
    assert_ptr_equal(doc->root.last, last);
    sl_arena_free(&little);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(values_stand_in_the_order_in_which_they_were_given),
        CASE(texts_are_copied),
        CASE(what_cannot_be_shown_becomes_a_question_mark),
        CASE(a_string_that_is_missing_is_null),
        CASE(nothing_to_say_is_no_paragraph),
        CASE(groups_hold_what_follows_until_they_are_closed),
        CASE(a_row_ends_where_the_next_one_begins),
        CASE(columns_are_copied),
        CASE(words_behind_a_value_belong_to_the_last_one),
        CASE(details_are_marked_from_where_they_begin),
        CASE(json_that_is_none_is_null),
        CASE(options_are_an_object_with_a_member_each),
        CASE(names_of_figures_and_tables_are_names_of_files),
        CASE(long_names_are_cut_and_stay_apart),
        CASE(a_table_that_could_not_be_made_fails_the_document),
        CASE(every_call_takes_no_document),
        CASE(without_memory_a_document_stays_what_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
