// test_form_json.c - a document for machines: all that has a key, and JSON whatever is in it.
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doc_help.h"
#include "report/page.h"
#include "support/check.h"

static void members_stand_in_order_with_their_values(void **state) {
    static const double three[] = {1, 0.5, NAN};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_number(doc, "n", "count", SL_UNIT_PJ, 12);
    sl_doc_shown(doc, "a dozen");
    sl_doc_text(doc, "name", NULL, "pear");
    sl_doc_flag(doc, "ripe", "ripe", false);
    sl_doc_string(doc, "owner", "owner", NULL);
    sl_doc_null(doc, "nothing");
    sl_doc_numbers(doc, "three", 3, three);
    sl_doc_numbers(doc, "none", 0, NULL);
    sl_doc_json(doc, "raw", "{\"a\": 1}");
    sl_doc_listing(doc, "recipe", NULL, "1\n2");
    sl_doc_open(doc, "group", "Heading");
    sl_doc_close(doc);
    assert_string_equal(paper_form(paper, SL_FORM_JSON), "{\n"
                                                         "  \"schema\": \"starling.test/1\",\n"
                                                         "  \"version\": \"" SL_VERSION "\",\n"
                                                         "  \"n\": 12,\n"
                                                         "  \"name\": \"pear\",\n"
                                                         "  \"ripe\": false,\n"
                                                         "  \"owner\": null,\n"
                                                         "  \"nothing\": null,\n"
                                                         "  \"three\": [1, 0.5, null],\n"
                                                         "  \"none\": [],\n"
                                                         "  \"raw\": {\"a\": 1},\n"
                                                         "  \"recipe\": \"1\\u000a2\",\n"
                                                         "  \"group\": {}\n"
                                                         "}\n");
}

static void what_has_no_key_is_for_people(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_title(doc, "Title");
    sl_doc_footer(doc, "Footer");
    sl_doc_number(doc, NULL, "count", SL_UNIT_PLAIN, 12);
    sl_doc_text(doc, NULL, "name", "pear");
    sl_doc_flag(doc, NULL, "ripe", true);
    sl_doc_heading(doc, "Heading");
    sl_doc_words(doc, "Words");
    sl_doc_warn(doc, "Words");
    sl_doc_listing(doc, NULL, "Listing", "lines");
    sl_doc_figure(doc, "figure", "<svg/>", "Seen.");
    sl_doc_grid(doc, "grid", sl_table_make(&paper->arena, "", "a"));
    sl_doc_bar(doc, "bar", 0, 1);
    sl_doc_link(doc, "link", "a.html", "a");
    sl_doc_table(doc, NULL, "Table", 0, NULL);
    sl_doc_row(doc);
    sl_doc_null(doc, "a");
    sl_doc_close(doc);
    sl_doc_list(doc, NULL);
    sl_doc_text(doc, NULL, NULL, "item");
    sl_doc_close(doc);
    assert_string_equal(paper_form(paper, SL_FORM_JSON),
                        "{\n  \"schema\": \"starling.test/1\",\n  \"version\": \"" SL_VERSION
                        "\"\n}\n");
}

static void a_group_without_a_key_gives_its_members_to_what_it_is_in(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_cards(doc, NULL, "Cards");
    sl_doc_number(doc, "a", "A", SL_UNIT_PLAIN, 1);
    sl_doc_open(doc, NULL, NULL);
    sl_doc_number(doc, "b", "B", SL_UNIT_PLAIN, 2);
    sl_doc_close(doc);
    sl_doc_close(doc);
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), ",\n  \"a\": 1,\n  \"b\": 2\n}\n"));
}

static void lists_have_items_and_tables_are_lists_of_their_rows(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A")};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_list(doc, "list");
    sl_doc_number(doc, NULL, NULL, SL_UNIT_PLAIN, 1);
    sl_doc_text(doc, NULL, NULL, "two");
    sl_doc_numbers(doc, NULL, 1, (double[]){3});
    sl_doc_open(doc, NULL, NULL);
    sl_doc_null(doc, "four");
    sl_doc_close(doc);
    sl_doc_close(doc);
    sl_doc_table(doc, "table", "Table", 1, columns);
    sl_doc_row(doc);
    sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_number(doc, "beyond", NULL, SL_UNIT_PLAIN, 2); // no column names it
    sl_doc_table(doc, "inner", NULL, 0, NULL);
    sl_doc_row(doc);
    sl_doc_null(doc, "b");
    sl_doc_close(doc);
    sl_doc_bar(doc, "bar", 0, 1);
    sl_doc_rule(doc);
    sl_doc_foot(doc);
    sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, 99);
    sl_doc_close(doc);
    assert_non_null(strstr(paper_form(paper, SL_FORM_JSON), "  \"list\": [\n"
                                                            "    1,\n"
                                                            "    \"two\",\n"
                                                            "    [3],\n"
                                                            "    {\n"
                                                            "      \"four\": null\n"
                                                            "    }\n"
                                                            "  ],\n"
                                                            "  \"table\": [\n"
                                                            "    {\n"
                                                            "      \"a\": 1,\n"
                                                            "      \"beyond\": 2,\n"
                                                            "      \"inner\": [\n"
                                                            "        {\n"
                                                            "          \"b\": null\n"
                                                            "        }\n"
                                                            "      ]\n"
                                                            "    }\n"
                                                            "  ]\n"
                                                            "}\n"));
}

static void numbers_are_jsons(void **state) {
    static const struct {
        double value;
        const char *text;
    } numbers[] = {{0, "0"},
                   {-0.0, "0"},
                   {-7, "-7"},
                   {9007199254740991.0, "9007199254740991"},
                   {9007199254740992.0, "9.00719925474099e15"},
                   {0.1, "0.1"},
                   {1.5e-7, "1.5e-7"},
                   {1e300, "1e300"},
                   {NAN, "null"},
                   {INFINITY, "null"},
                   {-INFINITY, "null"}};
    Paper *paper = *state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        SlText out;
        sl_text_init(&out, &paper->arena);
        sl_docnode_put_number(numbers[i].value, &out);
        assert_string_equal(out.data, numbers[i].text);
        json_t *read = json_loads(out.data, JSON_DECODE_ANY, NULL);
        assert_non_null(read);
        json_decref(read);
    }
}

static void texts_come_back_as_they_were(void **state) {
    static const char *const texts[] = {"\"\\/\b",   "a\nb",    "ü × 漢 \xF0\x9F\x8D\x90",
                                        "</script>", "\\u0041", ""};
    static const char *const back[] = {"\"\\/?",    "a\nb",    "ü × 漢 \xF0\x9F\x8D\x90",
                                       "</script>", "\\u0041", ""};
    Paper *paper = *state;
    char key[16];
    for (int i = 0; i < 6; i++) {
        snprintf(key, sizeof key, "%d\"\\", i);
        sl_doc_string(paper->doc, key, NULL, texts[i]);
    }
    json_t *root = json_loads(paper_form(paper, SL_FORM_JSON), JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    for (int i = 0; i < 6; i++) {
        snprintf(key, sizeof key, "%d\"\\", i);
        assert_string_equal(json_string_value(json_object_get(root, key)), back[i]);
    }
    json_decref(root);
}

static void the_whole_document_is_json(void **state) {
    Paper *paper = *state;
    paper_fill(paper->doc);
    json_t *root = json_loads(paper_form(paper, SL_FORM_JSON), JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "schema")), "starling.test/1");
    assert_string_equal(json_string_value(json_object_get(root, "name")),
                        "<b>pear|*`[x](y) & \"co\"");
    assert_true(json_is_null(json_object_get(root, "worst")));
    const json_t *row = json_array_get(json_object_get(root, "fruit"), 1);
    const json_t *level = json_array_get(json_object_get(row, "levels"), 1);
    assert_int_equal(json_integer_value(json_object_get(level, "reads")), 2001);
    assert_int_equal(json_array_size(json_object_get(root, "fruit")), 2);
    json_decref(root);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(members_stand_in_order_with_their_values),
        CASE(what_has_no_key_is_for_people),
        CASE(a_group_without_a_key_gives_its_members_to_what_it_is_in),
        CASE(lists_have_items_and_tables_are_lists_of_their_rows),
        CASE(numbers_are_jsons),
        CASE(texts_come_back_as_they_were),
        CASE(the_whole_document_is_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
