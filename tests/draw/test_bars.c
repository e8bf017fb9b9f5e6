// test_bars.c - bars in groups: lengths, whiskers and numbers where the axis says.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "starling/draw.h"
#include "svg_find.h"
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

static const char much[] = "a name, a label or a title that is much longer than anyone would want "
                           "it to be, and still goes on for quite a while without any content "
                           "for those who read it here, there or anywhere else, again and again";

static const char *const names[] = {"first", "second <&>"}, *const series[] = {"old", "new"};

static void bars_end_at_their_numbers(void **state) {
    SlText *text = *state;
    const double values[] = {1, 2, 3, 4}, low[] = {0.5, NAN, 2, 3}, high[] = {1.5, 3, 4, 6};
    SlBarPlot plot = {.n = 2,
                      .n_series = 2,
                      .names = names,
                      .series = series,
                      .values = values,
                      .low = low,
                      .high = high,
                      .title = "title",
                      .x_label = "time (µs)"};
    sl_draw_bars_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    double zero = number_of(find_text(text, NULL, "0"), "x");
    // the axis comes before the bars' own numbers
    double two = number_of(find_text(text, NULL, "2"), "x"), unit = (two - zero) / 2;
    for (int i = 0; i < 4; i++) {
        // the first of each colour is in the key
        const char *bar =
            find_piece(text, i % 2 ? "<rect class=\"sl-b1\"" : "<rect class=\"sl-b0\"", 1 + i / 2);
        assert_true(fabs(number_of(bar, "x") - zero) < 0.11);
        assert_true(fabs(number_of(bar, "width") - values[i] * unit) < 0.2);
    }
    assert_int_equal(count_text(text->data, "<path class=\"sl-mark\""), 3);
    double from, top, bottom, x, y, to;
    assert_int_equal(sscanf(find_piece(text, "<path class=\"sl-mark\"", 2),
                            "<path class=\"sl-mark\" d=\"M%lf %lfV%lfM%lf %lfH%lf", &from, &top,
                            &bottom, &x, &y, &to),
                     6);
    assert_true(fabs(from - zero - 3 * unit) < 0.2 && fabs(to - zero - 6 * unit) < 0.2);
    // the number stands behind the whisker
    const char *four = find_text(text, find_text(text, NULL, "4"), "4");
    assert_true(number_of(four, "x") > to);
    assert_non_null(find_text(text, NULL, "old"));
    assert_non_null(find_text(text, NULL, "second &lt;&amp;&gt;"));
    assert_non_null(find_text(text, NULL, "time (µs)"));
    assert_non_null(strstr(text->data, "first old 1, new 2; second"));
}

static void bars_start_at_their_base(void **state) {
    SlText *text = *state;
    const double ratios[] = {4, 0.25}, below[] = {-2, 3};
    SlBarPlot plot = {.n = 2, .n_series = 1, .names = names, .values = ratios, .log_x = true};
    plot.base = 1;
    sl_draw_bars_svg(&plot, text);
    assert_svg(text);
    double one = number_of(find_text(text, NULL, "1"), "x");
    const char *more = find_piece(text, "<rect class=\"sl-b0\"", 0),
               *less = find_piece(text, "<rect class=\"sl-b0\"", 1);
    assert_true(fabs(number_of(more, "x") - one) < 0.11);
    assert_true(fabs(number_of(less, "x") + number_of(less, "width") - one) < 0.2);
    assert_true(fabs(number_of(less, "width") - number_of(more, "width")) < 0.2);
    // 0 where nothing is said, and below it to the left
    plot = (SlBarPlot){.n = 2, .n_series = 1, .names = names, .values = below};
    text->n = 0;
    sl_draw_bars_svg(&plot, text);
    assert_svg(text);
    double zero = number_of(find_text(text, NULL, "0"), "x");
    less = find_piece(text, "<rect class=\"sl-b0\"", 0);
    assert_true(fabs(number_of(less, "x") + number_of(less, "width") - zero) < 0.2);
}

static void what_has_no_place_is_said(void **state) {
    SlText *text = *state;
    const double values[] = {NAN, 0, INFINITY, 20}, low[] = {1, 0, NAN, 10}, high[] = {2, 5, 9, 30};
    for (int log_x = 0; log_x < 2; log_x++) {
        SlBarPlot plot = {.n = 2,
                          .n_series = 2,
                          .names = names,
                          .values = values,
                          .low = low,
                          .high = high,
                          .log_x = log_x};
        text->n = 0;
        sl_draw_bars_svg(&plot, text);
        assert_svg(text);
        assert_texts_inside(text);
        assert_int_equal(count_text(text->data, ">–</text>"), 2);
        // one with a length, and on a linear axis one without
        assert_int_equal(count_text(text->data, "<rect class=\"sl-b"), log_x ? 1 : 2);
    }
    SlBarPlot plot = {.n = 0, .n_series = 0};
    text->n = 0;
    sl_draw_bars_svg(&plot, text);
    assert_svg(text);
}

static void colours_are_those_of_series_or_of_names(void **state) {
    SlText *text = *state;
    const double values[] = {1, 2, 3, 4};
    const int colours[] = {10, 3};
    SlBarPlot plot = {.n = 2, .n_series = 1, .names = names, .values = values, .colours = colours};
    sl_draw_bars_svg(&plot, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-b1 sl-pale sl-c1 sl-dash1\""), 1);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-b2\""), 1);
    plot.n_series = 2;
    text->n = 0;
    sl_draw_bars_svg(&plot, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-b1 sl-pale sl-c1 sl-dash1\""), 2);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-b2\""), 2);
}

static void sixteen_series_and_long_names_stay_inside(void **state) {
    SlText *text = *state;
    enum { N = 16 };
    const char *many[N], *longs[N];
    double values[N * N];
    for (int i = 0; i < N * N; i++) values[i] = 1e-3 * pow(3, i % 37);
    for (int i = 0; i < N; i++) {
        many[i] = i % 3 ? "method" : much;
        longs[i] = i % 2 ? much : "verylongwordthatcannotbebrokenanywherebutwithinitself";
    }
    for (int log_x = 0; log_x < 2; log_x++) {
        SlBarPlot plot = {.n = N,
                          .n_series = N,
                          .names = longs,
                          .series = many,
                          .values = values,
                          .title = much,
                          .x_label = much,
                          .log_x = log_x};
        text->n = 0;
        sl_draw_bars_svg(&plot, text);
        assert_svg(text);
        assert_texts_inside(text);
        assert_true(svg_width(text) <= 960);
    }
}

#define DRAWS(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWS(bars_end_at_their_numbers),
        DRAWS(bars_start_at_their_base),
        DRAWS(what_has_no_place_is_said),
        DRAWS(colours_are_those_of_series_or_of_names),
        DRAWS(sixteen_series_and_long_names_stay_inside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
