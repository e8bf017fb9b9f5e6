// doc_help.c - a document on the table of a test.
#include "doc_help.h"
#include "report/page.h"

#include <math.h>
#include <string.h>

#include "support/check.h"

int paper_make(void **state) {
    static Paper paper;
    sl_arena_init(&paper.arena, 0);
    paper.doc = sl_doc_make(&paper.arena, "test", 1);
    *state = &paper;
    return 0;
}

int paper_free(void **state) {
    sl_arena_free(&((Paper *)*state)->arena);
    return 0;
}

const char *paper_form(Paper *paper, SlForm form) {
    SlText out;
    SlError err = {0};
    sl_text_init(&out, &paper->arena);
    if (sl_doc_write(paper->doc, form, &out, &err) != SL_OK) fail_msg("%s", err.text);
    return out.data;
}

static void fill_values(SlDoc *doc) {
    static const double three[] = {1, NAN, 0.5};
    sl_doc_text(doc, "name", "name", "<b>%s & \"co\"", "pear|*`[x](y)");
    sl_doc_number(doc, "energy_pj", "energy", SL_UNIT_PJ, 33.3e9);
    sl_doc_remark(doc, "with `care` < 1");
    sl_doc_strong(doc);
    sl_doc_number(doc, "worst", "worst", SL_UNIT_COUNT, INFINITY);
    sl_doc_flag(doc, "ripe", "ripe", true);
    sl_doc_string(doc, "owner", "owner", NULL);
    sl_doc_null(doc, "nothing");
    sl_doc_numbers(doc, "three", 3, three);
    sl_doc_json(doc, "raw", "{\"a\": [1, null]}");
    sl_doc_bar(doc, "share", 0.25, 0.5);
    sl_doc_spark(doc, "curve", 3, three);
    sl_doc_link(doc, "page", "a\"b.html", "the <page>");
}

static void fill_table(SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN("name", "name", .cut = true),
        SL_COLUMN("levels.1.reads", "reads", .csv = "inner"),
        SL_COLUMN("best.cycles", "cycles", .unit = SL_UNIT_COUNT),
        SL_COLUMN(NULL, "share"),
    };
    sl_doc_table(doc, "fruit", "All fruit", 4, columns);
    for (int i = 0; i < 2; i++) {
        sl_doc_row(doc);
        sl_doc_text(doc, "name", NULL, "%s", i ? "=1+1" : "fig, \"dry\"");
        sl_doc_table(doc, "levels", NULL, 0, NULL);
        for (int l = 0; l < 2; l++) {
            sl_doc_row(doc);
            sl_doc_number(doc, "reads", NULL, SL_UNIT_COUNT, 1000 * (i + 1) + l);
        }
        sl_doc_close(doc);
        sl_doc_open(doc, "best", NULL);
        sl_doc_number(doc, "cycles", NULL, SL_UNIT_CYCLES, 12345 + i);
        sl_doc_close(doc);
        sl_doc_bar(doc, "share", 0, 0.5);
    }
    sl_doc_rule(doc);
    sl_doc_foot(doc);
    sl_doc_text(doc, NULL, "name", "sum");
    sl_doc_close(doc);
}

void paper_fill(SlDoc *doc) {
    static const char picture[] =
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><style>.sl{}</style></svg>";
    sl_doc_title(doc, "Pears < plums");
    sl_doc_footer(doc, "Grown in 1 < 2 gardens.");
    fill_values(doc);
    sl_doc_cards(doc, "totals", "Totals");
    sl_doc_number(doc, "latency", "Latency", SL_UNIT_CYCLES, 709767);
    sl_doc_remark(doc, ", of all");
    sl_doc_close(doc);
    sl_doc_list(doc, "items");
    sl_doc_open(doc, NULL, NULL);
    sl_doc_text(doc, "id", NULL, "one");
    sl_doc_close(doc);
    sl_doc_number(doc, NULL, NULL, SL_UNIT_PLAIN, 2);
    sl_doc_close(doc);
    sl_doc_heading(doc, "In words");
    sl_doc_words(doc, "Some `code <x>` and **%s** words.", "strong");
    sl_doc_warn(doc, "Mind the wasps.");
    sl_doc_listing(doc, "recipe", "Recipe", "1. wash\n2. eat ```raw```");
    fill_table(doc);
    sl_doc_figure(doc, "pears", picture, "What is seen, 1 < 2.");
    SlTable *table = sl_table_make(sl_doc_arena(doc), "All", "<name|n");
    sl_table_row(table);
    sl_table_cell(table, "pear");
    sl_table_cell(table, "1,000");
    sl_doc_grid(doc, "Weights of all", table);
    sl_doc_detail(doc, true);
    sl_doc_words(doc, "Fine print.");
    sl_doc_listing(doc, NULL, "More", "Every pear by name.");
    sl_doc_detail(doc, false);
}

int widest_line(const char *text) {
    int widest = 0, columns = 0;
    for (; *text; text++) {
        columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xC0) != 0x80);
        if (columns > widest) widest = columns;
    }
    return widest;
}

int count_of(const char *text, const char *piece) {
    int n = 0;
    for (; (text = strstr(text, piece)); text++) n++;
    return n;
}

void assert_survives_little_memory(SlDoc *(*make)(const void *of, SlArena *arena), const void *of) {
    bool written = false;
    int n_failed = 0;
    for (size_t limit = 1024; !written && limit < (size_t)1 << 30; limit += limit / 4) {
        SlArena arena, other;
        SlText out;
        SlError err;
        sl_arena_init(&arena, limit);
        sl_arena_init(&other, 0);
        sl_text_init(&out, &other);
        const SlDoc *doc = make(of, &arena);
        written = doc && sl_doc_write(doc, SL_FORM_HTML, &out, &err) == SL_OK;
        n_failed += !written;
        sl_arena_free(&arena);
        sl_arena_free(&other);
    }
    assert_true(written);
    assert_true(n_failed > 2);
}
