// test_form_markdown.c - a document in Markdown: links to pictures, and marks only where meant.
#include <math.h>
#include <string.h>

#include "doc_help.h"
#include "report/page.h"
#include "support/check.h"

static void pictures_are_links_into_the_folder(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    SlText out;
    sl_doc_title(doc, "Pears < plums");
    sl_doc_words(doc, "Some `code <x>` and **%s** words, 2 < 3 * 4.", "strong");
    sl_doc_heading(doc, "Weights");
    SlTable *table = sl_table_make(&paper->arena, "All", "<name|n");
    sl_table_row(table);
    sl_table_cell(table, "pear");
    sl_table_cell(table, "1");
    sl_doc_grid(doc, "Weights of all", table);
    sl_doc_heading(doc, "A picture");
    sl_doc_figure(doc, "pears", "<svg/>", "What is seen, 1 < 2.");
    sl_doc_figure(doc, "pears", "<svg/>", "Again.");
    sl_text_init(&out, &paper->arena);
    assert_int_equal(sl_doc_markdown(doc, "figures", &out, NULL), SL_OK);
    assert_string_equal(out.data, "# Pears \\< plums\n"
                                  "\n"
                                  "Some `code <x>` and **strong** words, 2 \\< 3 * 4.\n"
                                  "\n"
                                  "## Weights\n"
                                  "\n"
                                  "**All**\n"
                                  "\n"
                                  "| name | n |\n"
                                  "|---|---:|\n"
                                  "| pear | 1 |\n"
                                  "\n"
                                  "## A picture\n"
                                  "\n"
                                  "![What is seen, 1 \\< 2.](figures/pears.svg)\n"
                                  "\n"
                                  "*What is seen, 1 \\< 2.*\n"
                                  "\n"
                                  "![Again.](figures/pears-2.svg)\n"
                                  "\n"
                                  "*Again.*\n");
    assert_non_null(strstr(paper_form(paper, SL_FORM_MARKDOWN), "](pears-2.svg)"));
}

static void values_are_items_of_a_list(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_number(doc, "e", "energy", SL_UNIT_PJ, 33.3e9);
    sl_doc_remark(doc, "of `DRAM`");
    sl_doc_text(doc, "hidden", NULL, "unseen");
    sl_doc_number(doc, NULL, "none", SL_UNIT_COUNT, INFINITY);
    sl_doc_remark(doc, " (yet)");
    sl_doc_words(doc, "End.");
    assert_string_equal(paper_form(paper, SL_FORM_MARKDOWN), "# test\n"
                                                             "\n"
                                                             "- energy: 33.3 mJ, of `DRAM`\n"
                                                             "- none: - (yet)\n"
                                                             "\n"
                                                             "End.\n");
}

static void names_are_never_marks(void **state) {
    static const char name[] = "<b>*a* [x](y) `c` \\\n# d";
    static const char safe[] = "\\<b>\\*a\\* \\[x\\](y) \\`c\\` \\\\ # d";
    static const SlColumn columns[] = {SL_COLUMN("a", "|A|")};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    SlText out;
    sl_doc_title(doc, "%s", name);
    sl_doc_heading(doc, "%s", name);
    sl_doc_text(doc, "a", "label", "%s", name);
    sl_doc_table(doc, "t", NULL, 1, columns);
    sl_doc_row(doc);
    sl_doc_text(doc, "a", NULL, "%s|", name);
    sl_doc_close(doc);
    sl_text_init(&out, &paper->arena);
    sl_text_add(&out, "# %s\n\n## %s\n\n- label: %s\n\n| \\|A\\| |\n|---|\n| %s\\| |\n", safe, safe,
                safe, safe);
    assert_string_equal(paper_form(paper, SL_FORM_MARKDOWN), out.data);
}

static void words_keep_their_marks_but_are_no_html(void **state) {
    Paper *paper = *state;
    sl_doc_words(paper->doc, "`a<b` <i> ` <script>");
    sl_doc_warn(paper->doc, "**Mind** the <wasps>.");
    assert_string_equal(paper_form(paper, SL_FORM_MARKDOWN), "# test\n"
                                                             "\n"
                                                             "`a<b` \\<i> ` \\<script>\n"
                                                             "\n"
                                                             "**Mind** the \\<wasps>.\n");
}

static void listings_cannot_leave_their_fence(void **state) {
    Paper *paper = *state;
    sl_doc_listing(paper->doc, "a", "Nest", "for k");
    sl_doc_listing(paper->doc, "b", "", "`x` ````\n<b>\n");
    sl_doc_listing(paper->doc, "c", NULL, "unseen");
    sl_doc_listing(paper->doc, "d", "", "");
    assert_string_equal(paper_form(paper, SL_FORM_MARKDOWN), "# test\n"
                                                             "\n"
                                                             "Nest\n"
                                                             "\n"
                                                             "```\n"
                                                             "for k\n"
                                                             "```\n"
                                                             "\n"
                                                             "`````\n"
                                                             "`x` ````\n"
                                                             "<b>\n"
                                                             "`````\n"
                                                             "\n"
                                                             "```\n"
                                                             "```\n");
}

static void headings_go_down_with_groups(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_open(doc, "a", "Group");
    sl_doc_heading(doc, "Inside");
    sl_doc_close(doc);
    sl_doc_open(doc, "b", "Empty");
    sl_doc_close(doc);
    sl_doc_heading(doc, "After");
    assert_string_equal(paper_form(paper, SL_FORM_MARKDOWN),
                        "# test\n\n## Group\n\n### Inside\n\n## After\n");
}

static void the_whole_document_is_in_it(void **state) {
    Paper *paper = *state;
    paper_fill(paper->doc);
    const char *text = paper_form(paper, SL_FORM_MARKDOWN);
    static const char *const pieces[] = {
        "# Pears \\< plums\n",
        "- name: \\<b>pear|\\*\\`\\[x\\](y) & \"co\"\n",
        "- energy: 33.3 mJ, with `care` \\< 1\n",
        "## Totals\n\n- Latency: 709,767 cycles, of all\n",
        "````\n1. wash\n2. eat ```raw```\n````\n",
        "## All fruit\n\n| name | reads | cycles | share |\n|---|---:|---:|---|\n| fig,",
        "| fig, \"dry\" | 1,001 | 12,345 | ██████████ |\n",
        "| sum |  |  |  |\n",
        "![What is seen, 1 \\< 2.](pears.svg)\n",
        "Fine print.\n",
    };
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (!strstr(text, pieces[i])) fail_msg("no %s in %s", pieces[i], text);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(pictures_are_links_into_the_folder),
        CASE(values_are_items_of_a_list),
        CASE(names_are_never_marks),
        CASE(words_keep_their_marks_but_are_no_html),
        CASE(listings_cannot_leave_their_fence),
        CASE(headings_go_down_with_groups),
        CASE(the_whole_document_is_in_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
