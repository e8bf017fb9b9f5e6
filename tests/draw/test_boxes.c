// test_boxes.c - boxes of runs: quartiles, medians and dots where the axis says.
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

static void boxes_run_from_quartile_to_quartile(void **state) {
    SlText *text = *state;
    const char *const names[] = {"first", "second <&>"};
    // quartiles 2, 3, 4 and 10, 10, 10
    const double points[] = {3, 1, 5, 2, 4, 10, 10, 10, NAN, 10};
    SlBoxPlot plot = {.n = 2,
                      .names = names,
                      .n_points = 5,
                      .points = points,
                      .title = "title",
                      .x_label = "best (cycles)"};
    sl_draw_boxes_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    double two = number_of(find_text(text, NULL, "2"), "x");
    double four = number_of(find_text(text, NULL, "4"), "x"), unit = (four - two) / 2;
    const char *box = find_piece(text, "<rect class=\"sl-b0", 0);
    assert_true(fabs(number_of(box, "x") - two) < 0.11);
    assert_true(fabs(number_of(box, "width") - (four - two)) < 0.11);
    const char *median = find_piece(text, "<line class=\"sl-mark", 0);
    assert_true(fabs(number_of(median, "x1") - (two + unit)) < 0.11);
    // whiskers from 1 to 5: the path starts at the least
    double least = strtod(strstr(find_piece(text, "<path class=\"sl-c0\"", 0), "d=\"M") + 4, NULL);
    assert_true(fabs(least - (two - unit)) < 0.2);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f0"), 5);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f1"), 4);
    assert_non_null(find_text(text, NULL, "3.00"));
    assert_non_null(find_text(text, NULL, "10.0"));
    assert_non_null(find_text(text, NULL, "second &lt;&amp;&gt;"));
    assert_non_null(find_text(text, NULL, "best (cycles)"));
    assert_non_null(strstr(text->data, "first median 3, quartiles 2 and 4;"));
}

static void rows_keep_their_colours_and_dashes(void **state) {
    SlText *text = *state;
    enum { N = 16 };
    const char *names[N];
    double points[N];
    int colours[N];
    for (int i = 0; i < N; i++) {
        names[i] = "name";
        points[i] = i + 1;
        colours[i] = i == 0 ? 12 : 0;
    }
    SlBoxPlot plot = {.n = N, .names = names, .n_points = 1, .points = points};
    sl_draw_boxes_svg(&plot, text);
    assert_svg(text);
    for (int i = 0; i < N; i++) {
        char class[64];
        snprintf(class, sizeof class, "<rect class=\"sl-b%d sl-c%d sl-pale%s\"", i % SL_N_COLOURS,
                 i % SL_N_COLOURS, i < SL_N_COLOURS ? "" : " sl-dash1");
        assert_int_equal(count_text(text->data, class), 1);
    }
    plot.n = 1;
    plot.colours = colours;
    text->n = 0;
    sl_draw_boxes_svg(&plot, text);
    assert_int_equal(count_text(text->data, "<rect class=\"sl-b3 sl-c3 sl-pale sl-dash1\""), 1);
}

static void zero_stands_at_the_start_of_a_logarithmic_axis(void **state) {
    SlText *text = *state;
    const char *const names[] = {"a"};
    const double points[] = {0, 0, 0.01, 1, -1, NAN, INFINITY};
    SlBoxPlot plot = {.n = 1,
                      .names = names,
                      .n_points = 7,
                      .points = points,
                      .log_x = true,
                      .line = 0.1,
                      .line_name = "ten %"};
    sl_draw_boxes_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f0"), 4);
    double zero = number_of(find_text(text, NULL, "0"), "x");
    assert_true(fabs(number_of(find_piece(text, "<circle class=\"sl-f0", 1), "cx") - zero) < 0.11);
    double tenth = number_of(find_text(text, NULL, "0.1"), "x");
    assert_true(zero < number_of(find_text(text, NULL, "0.01"), "x"));
    assert_true(fabs(number_of(find_piece(text, "<line class=\"sl-cut\"", 0), "x1") - tenth) <
                0.11);
    assert_non_null(find_text(text, NULL, "ten %"));
}

static void rows_without_numbers_and_long_names_do_no_harm(void **state) {
    SlText *text = *state;
    const char *const names[] = {much, "averylongwordthatcannotbebrokenanywherebutwithin", ""};
    const double points[] = {NAN, INFINITY, NAN};
    SlBoxPlot plot = {.n = 3,
                      .names = names,
                      .n_points = 1,
                      .points = points,
                      .title = much,
                      .x_label = much,
                      .line = 1,
                      .line_name = much};
    for (int log_x = 0; log_x < 2; log_x++) {
        plot.log_x = log_x;
        text->n = 0;
        sl_draw_boxes_svg(&plot, text);
        assert_svg(text);
        assert_texts_inside(text);
        assert_true(svg_width(text) <= 960);
        assert_int_equal(count_text(text->data, "<circle"), 0);
        assert_int_equal(count_text(text->data, ">–</text>"), 3);
    }
    plot = (SlBoxPlot){.n = 0};
    text->n = 0;
    sl_draw_boxes_svg(&plot, text);
    assert_svg(text);
}

#define DRAWS(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWS(boxes_run_from_quartile_to_quartile),
        DRAWS(rows_keep_their_colours_and_dashes),
        DRAWS(zero_stands_at_the_start_of_a_logarithmic_axis),
        DRAWS(rows_without_numbers_and_long_names_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
