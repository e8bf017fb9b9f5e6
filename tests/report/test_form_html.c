// test_form_html.c - a document as a page: whole, escaped, nothing from elsewhere.
#include <math.h>
#include <string.h>

#include "doc_help.h"
#include "html_check.h"
#include "support/check.h"

static const char picture[] =
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>.sl{}</style></svg>";

// the page, checked; what follows the title
static const char *page_of(Paper *paper) {
    SlText out;
    sl_text_init(&out, &paper->arena);
    assert_int_equal(sl_doc_write(paper->doc, SL_FORM_HTML, &out, NULL), SL_OK);
    assert_page(&out);
    return out.data;
}

static void assert_has(const char *page, const char *piece) {
    if (!strstr(page, piece)) fail_msg("no %s in %s", piece, strstr(page, "<h1>"));
}

static void a_page_is_whole_and_needs_nothing_from_elsewhere(void **state) {
    Paper *paper = *state;
    sl_doc_title(paper->doc, "Pears < plums");
    sl_doc_footer(paper->doc, "1 < 2.");
    sl_doc_words(paper->doc, "Some `code <x>` and **%s** words, 2 < 3 * 4.", "strong");
    sl_doc_warn(paper->doc, "Mind the <wasps>.");
    sl_doc_heading(paper->doc, "Weights & more");
    sl_doc_figure(paper->doc, "pears", picture, "What is seen, 1 < 2.");
    const char *page = page_of(paper);
    assert_has(page, "<title>Pears &lt; plums</title>");
    assert_has(page, "<h1>Pears &lt; plums</h1>");
    assert_has(page, "<p>Some <code>code &lt;x&gt;</code> and <strong>strong</strong> "
                     "words, 2 &lt; 3 * 4.</p>");
    assert_has(page, "<p class=\"warn\">Mind the &lt;wasps&gt;.</p>");
    assert_has(page, "<h2 id=\"weights-more\">Weights &amp; more</h2>");
    assert_has(page, "<figure class=\"wide\" id=\"pears\">");
    assert_has(page, "<figcaption>What is seen, 1 &lt; 2.</figcaption>");
    assert_has(page, "1 &lt; 2.</footer>");
}

static void one_style_sheet_serves_all_pictures_of_a_page(void **state) {
    Paper *paper = *state;
    static const char other[] = "<svg><style>.b{}</style><g/></svg>", plain[] = "<svg><g/></svg>";
    const char *const all[] = {picture, picture, plain, picture, other, picture};
    for (int i = 0; i < 6; i++) sl_doc_figure(paper->doc, "pears", all[i], "Seen.");
    const char *page = page_of(paper);
    // again only after another one
    assert_int_equal(count_of(page, "<style>.sl{}</style>"), 2);
    assert_int_equal(count_of(page, "<style>.b{}</style>"), 1);
    assert_int_equal(count_of(page, "<svg"), 6);
}

static void a_page_of_many_headings_has_contents(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("a", "A")};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_heading(doc, "One");
    sl_doc_open(doc, "g", "Two");
    sl_doc_heading(doc, "Inside");
    sl_doc_close(doc);
    sl_doc_open(doc, "e", "Empty");
    sl_doc_close(doc);
    sl_doc_table(doc, "u", "No cells", 1, columns);
    sl_doc_row(doc);
    sl_doc_close(doc);
    assert_null(strstr(page_of(paper), "class=\"contents\""));
    sl_doc_table(doc, "t", "The end, at <last>", 1, columns);
    sl_doc_row(doc);
    sl_doc_number(doc, "a", NULL, SL_UNIT_PLAIN, 1);
    sl_doc_close(doc);
    const char *page = page_of(paper);
    assert_has(page, "<nav class=\"contents\"><a href=\"#one\">One</a>\n"
                     "<a href=\"#two\">Two</a>\n"
                     "<a href=\"#the-end-at-last\">The end, at &lt;last&gt;</a>\n"
                     "</nav>");
    assert_has(page, "<h2 id=\"the-end-at-last\">");
    assert_has(page, "<h3 id=\"inside\">Inside</h3>"); // one level further down
}

static void marks_without_a_partner_are_text(void **state) {
    Paper *paper = *state;
    sl_doc_words(paper->doc, "a ` b ** c");
    assert_has(page_of(paper), "<p>a ` b ** c</p>");
}

static void values_are_facts_with_their_labels(void **state) {
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_number(doc, "e", "energy <e>", SL_UNIT_PJ, 33.3e9);
    sl_doc_remark(doc, "of `a<b`");
    sl_doc_text(doc, "hidden", NULL, "unseen");
    sl_doc_text(doc, "t", "text", "<script>alert(1)</script>");
    sl_doc_strong(doc);
    sl_doc_number(doc, "n", "none", SL_UNIT_COUNT, NAN);
    sl_doc_link(doc, "page", "a\"b&c.html", "the <page>");
    sl_doc_detail(doc, true);
    sl_doc_flag(doc, "d", "detail", false);
    const char *page = page_of(paper);
    assert_has(page,
               "<dl class=\"facts\">\n"
               "<dt>energy &lt;e&gt;</dt><dd>33.3 mJ, of <code>a&lt;b</code></dd>\n"
               "<dt>text</dt><dd><strong>&lt;script&gt;alert(1)&lt;/script&gt;</strong></dd>\n"
               "<dt>none</dt><dd>-</dd>\n"
               "<dt>page</dt><dd><a href=\"a&quot;b&amp;c.html\">the &lt;page&gt;</a></dd>\n"
               "<dt>detail</dt><dd>no</dd>\n"
               "</dl>\n");
    assert_null(strstr(page, "unseen"));
}

static void values_of_cards_are_cards(void **state) {
    Paper *paper = *state;
    sl_doc_cards(paper->doc, "c", NULL);
    sl_doc_number(paper->doc, "l", "Latency", SL_UNIT_CYCLES, 709767);
    sl_doc_remark(paper->doc, ", of <all>");
    sl_doc_close(paper->doc);
    assert_has(page_of(paper), "<section class=\"cards\">\n"
                               "<div class=\"card\"><span>Latency</span><b>709,767 cycles</b>"
                               "<span>of &lt;all&gt;</span></div>\n"
                               "</section>\n");
}

static void tables_have_heads_rows_groups_and_sums(void **state) {
    static const SlColumn columns[] = {SL_COLUMN("name", "the <name>"),
                                       SL_COLUMN("levels.0.reads", "reads"),
                                       SL_COLUMN(NULL, "share"), SL_COLUMN("hidden", NULL)};
    Paper *paper = *state;
    SlDoc *doc = paper->doc;
    sl_doc_table(doc, "t", "Table", 4, columns);
    for (int i = 0; i < 2; i++) {
        if (i) sl_doc_rule(doc);
        sl_doc_row(doc);
        sl_doc_text(doc, "name", NULL, "a & %d", i);
        sl_doc_text(doc, "hidden", NULL, "unseen");
        sl_doc_table(doc, "levels", NULL, 0, NULL);
        sl_doc_row(doc);
        sl_doc_number(doc, "reads", NULL, SL_UNIT_COUNT, 1000 + i);
        if (i) sl_doc_strong(doc);
        sl_doc_close(doc);
        sl_doc_bar(doc, "share", 0.25, 0.75);
    }
    sl_doc_foot(doc);
    sl_doc_text(doc, NULL, "reads", "2k");
    sl_doc_close(doc);
    const char *bar = "<div class=\"bar track\"><i style=\"width:25.00%\"></i><i "
                      "style=\"background:var(--floor);width:50.00%\"></i></div>";
    SlText expected;
    sl_text_init(&expected, &paper->arena);
    sl_text_add(
        &expected,
        "<h2 id=\"table\">Table</h2>\n"
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"named\">\n"
        "<thead><tr><th scope=\"col\" class=\"t\">the &lt;name&gt;</th>"
        "<th scope=\"col\">reads</th><th scope=\"col\" class=\"t\">share</th></tr></thead>\n"
        "<tbody>\n"
        "<tr><td class=\"t\">a &amp; 0</td><td>1,000</td><td class=\"t\">%s</td></tr>\n"
        "</tbody><tbody>\n"
        "<tr><td class=\"t\">a &amp; 1</td><td><strong>1,001</strong></td>"
        "<td class=\"t\">%s</td></tr>\n"
        "</tbody>\n<tfoot>\n"
        "<tr><td class=\"t\"></td><td>2k</td><td class=\"t\"></td></tr>\n"
        "</tfoot></table></div>\n",
        bar, bar);
    assert_has(page_of(paper), expected.data);
}

static void listings_are_escaped_and_details_folded(void **state) {
    Paper *paper = *state;
    sl_doc_listing(paper->doc, "a", "Nest", "for k < 3\n  </pre>");
    sl_doc_listing(paper->doc, "b", "", "bare");
    sl_doc_listing(paper->doc, "c", NULL, "unseen");
    sl_doc_detail(paper->doc, true);
    sl_doc_listing(paper->doc, "d", "More & more", "x");
    const char *page = page_of(paper);
    assert_has(page, "<p>Nest</p>\n<pre>for k &lt; 3\n  &lt;/pre&gt;</pre>\n<pre>bare</pre>\n");
    assert_has(page, "<details><summary>More &amp; more</summary><pre>x</pre></details>\n");
    assert_null(strstr(page, "unseen"));
}

static void curves_and_bars_have_no_numbers_that_are_none(void **state) {
    static const double curves[][3] = {
        {3, NAN, 1}, {INFINITY, -INFINITY, NAN}, {0, 0, 0}, {-1, 0, 1e300}};
    Paper *paper = *state;
    for (int i = 0; i < 4; i++) sl_doc_spark(paper->doc, "curve", 3, curves[i]);
    sl_doc_spark(paper->doc, "curve", 0, NULL);
    sl_doc_bar(paper->doc, "bar", NAN, INFINITY);
    sl_doc_bar(paper->doc, "bar", 0.5, -1);
    const char *page = page_of(paper), *facts = strstr(page, "<dl");
    assert_has(page, "<path d=\"M0 2.0L63 16.0\"/>");
    assert_null(strstr(facts, "nan"));
    assert_null(strstr(facts, "inf"));
    assert_has(page, "<i style=\"width:0.00%\"></i><i "
                     "style=\"background:var(--floor);width:100.00%\"></i>");
    assert_has(page, "<i style=\"width:50.00%\"></i><i "
                     "style=\"background:var(--floor);width:0.00%\"></i>");
}

static void the_whole_document_is_a_page(void **state) {
    Paper *paper = *state;
    paper_fill(paper->doc);
    const char *page = page_of(paper);
    assert_has(page, "<dd>&lt;b&gt;pear|*`[x](y) &amp; &quot;co&quot;</dd>");
    assert_has(page, "<td class=\"t\">fig, &quot;dry&quot;</td><td>1,001</td><td>12,345</td>");
    assert_has(page, "<p>Fine print.</p>");
    assert_has(page, "<h3>All</h3>");
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, paper_make, paper_free)
    const struct CMUnitTest tests[] = {
        CASE(a_page_is_whole_and_needs_nothing_from_elsewhere),
        CASE(one_style_sheet_serves_all_pictures_of_a_page),
        CASE(a_page_of_many_headings_has_contents),
        CASE(marks_without_a_partner_are_text),
        CASE(values_are_facts_with_their_labels),
        CASE(values_of_cards_are_cards),
        CASE(tables_have_heads_rows_groups_and_sums),
        CASE(listings_are_escaped_and_details_folded),
        CASE(curves_and_bars_have_no_numbers_that_are_none),
        CASE(the_whole_document_is_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
