// test_tree_plot.c - dendrograms as SVG and as text.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "starling/draw.h"
#include "xml_check.h"

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

// a comb: leaf 0 and 1 merge, then each next leaf joins, heights 1, 2, ...
enum { MOST = 200 };
static SlTreePlot comb(int n) {
    static SlBranch branches[MOST];
    static char room[MOST][24];
    static const char *names[MOST];
    static int leaves[MOST], cluster[MOST];
    for (int i = 0; i < n; i++) {
        snprintf(room[i], sizeof room[i], "leaf %d", i);
        names[i] = room[i];
        leaves[i] = n - 1 - i;
        cluster[i] = i < 2 ? 0 : i - 1;
        branches[i] = (SlBranch){i + 1, i == 0 ? 0 : n + i - 1, i + 1};
    }
    return (SlTreePlot){.n = n,
                        .branches = branches,
                        .leaves = leaves,
                        .names = names,
                        .cluster = cluster,
                        .cut = 1.5,
                        .title = "a comb",
                        .axis = "height"};
}

static void every_size_is_a_whole_picture_with_all_names(void **state) {
    SlText *text = *state;
    for (int n = 1; n <= MOST; n = n < 5 ? n + 1 : 2 * n) {
        SlTreePlot plot = comb(n);
        text->n = 0;
        sl_draw_tree_svg(&plot, text);
        assert_svg(text);
        assert_int_equal(count_text(text->data, "<path"), n - 1);
        for (int i = 0; i < n; i++) assert_non_null(strstr(text->data, plot.names[i]));
        assert_non_null(strstr(text->data, ">height</text>"));
    }
}

static void a_cut_is_a_dashed_line_and_none_is_none(void **state) {
    SlText *text = *state;
    SlTreePlot plot = comb(4);
    sl_draw_tree_svg(&plot, text);
    assert_int_equal(count_text(text->data, "class=\"sl-cut\""), 1);
    plot.cut = NAN;
    text->n = 0;
    sl_draw_tree_svg(&plot, text);
    assert_int_equal(count_text(text->data, "class=\"sl-cut\""), 0);
}

static void clusters_have_their_colour_and_number(void **state) {
    SlText *text = *state;
    SlTreePlot plot = comb(4);
    sl_draw_tree_svg(&plot, text);
    // leaves 0 and 1 share the first colour; the branch that joins them has it too
    assert_int_equal(count_text(text->data, "<rect class=\"sl-f0\""), 2);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-f2\""), 1);
    assert_int_equal(count_text(text->data, "<path class=\"sl-wide sl-c0\""), 1);
    assert_int_equal(count_text(text->data, "<path class=\"sl-above\""), 2);
    plot.cluster = NULL;
    text->n = 0;
    sl_draw_tree_svg(&plot, text);
    assert_int_equal(count_text(text->data, "<path class=\"sl-wide sl-c0\""), 3);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-f"), 0);
}

static void odd_trees_do_no_harm(void **state) {
    SlText *text = *state;
    const SlBranch flat[] = {{0, 1, 0}, {2, 3, 0}}, odd[] = {{0, 1, NAN}, {2, 3, INFINITY}};
    const int leaves[] = {2, 0, 1};
    const char *const names[] = {"<a&b>", "", "\xff\x01"};
    for (int i = 0; i < 2; i++) {
        SlTreePlot plot = {.n = 3,
                           .branches = i ? odd : flat,
                           .leaves = leaves,
                           .names = names,
                           .cut = i ? INFINITY : 0};
        text->n = 0;
        sl_draw_tree_svg(&plot, text);
        assert_svg(text);
        text->n = 0;
        sl_draw_tree_text(&plot, text);
        assert_int_equal(count_text(text->data, "\n"), 3 + 2);
        // no height at all: an axis from 0 to 1
        assert_int_equal(count_text(text->data, "0.0 "), 1);
        assert_null(strstr(text->data, "−"));
    }
}

static void text_draws_the_tree_with_box_lines(void **state) {
    SlText *text = *state;
    SlTreePlot plot = comb(3);
    plot.cluster = NULL;
    plot.cut = NAN;
    sl_draw_tree_text(&plot, text);
    const char expected[] = "a comb\n"
                            "leaf 2 ──────────────────────────────────────────────────────────┬╴\n"
                            "leaf 1 ─────────────────────────────┬────────────────────────────┘\n"
                            "leaf 0 ─────────────────────────────┘\n"
                            "       +--------------+-------------+--------------+-------------+\n"
                            "       0.0           0.5           1.0            1.5           2.0\n"
                            "                                 height\n";
    assert_string_equal(text->data, expected);
}

static void text_shows_clusters_and_the_cut(void **state) {
    SlText *text = *state;
    SlTreePlot plot = comb(12);
    sl_draw_tree_text(&plot, text);
    assert_non_null(strstr(text->data, "leaf 11  11 ─"));
    assert_non_null(strstr(text->data, "leaf 0    1 ─"));
    // every row but the one whose line runs across it
    assert_true(count_text(text->data, "┊") >= 1);
    for (const char *line = text->data; *line;) {
        int columns = 0;
        for (; *line != '\n'; line++) columns += ((unsigned char)*line & 0xC0) != 0x80;
        assert_true(columns <= 100);
        line++;
    }
}

#define DRAWS(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWS(every_size_is_a_whole_picture_with_all_names),
        DRAWS(a_cut_is_a_dashed_line_and_none_is_none),
        DRAWS(clusters_have_their_colour_and_number),
        DRAWS(odd_trees_do_no_harm),
        DRAWS(text_draws_the_tree_with_box_lines),
        DRAWS(text_shows_clusters_and_the_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
