// test_curves.c - curves as SVG and as a line of blocks.
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

static const double xs[] = {1, 10, 100, 1000}, falling[] = {8, 4, 2, 1}, same[] = {3, 3, 3, 3};
static const double lower[] = {7, 3, 1.5, 0.9}, upper[] = {9, 5, 3, 1.5};

static void curves_bands_and_names_are_there_on_any_axes(void **state) {
    SlText *text = *state;
    const SlCurve curves[] = {{"first", 4, xs, falling, lower, upper, true, 0},
                              {"second", 4, xs, same, NULL, NULL, false, 0}};
    for (int axes = 0; axes < 4; axes++) {
        SlCurvePlot plot = {.n = 2,
                            .curves = curves,
                            .title = "title",
                            .x_label = "samples",
                            .y_label = "best",
                            .log_x = axes & 1,
                            .log_y = axes & 2};
        text->n = 0;
        sl_draw_curves_svg(&plot, text);
        assert_svg(text);
        assert_int_equal(count_text(text->data, "class=\"sl-wide sl-c"), 2);
        assert_int_equal(count_text(text->data, "<g class=\"sl-band\">"), 1);
        for (int i = 0; i < 2; i++) assert_non_null(strstr(text->data, curves[i].name));
        assert_non_null(strstr(text->data, ">samples</text>"));
        assert_non_null(strstr(text->data, ">best</text>"));
    }
}

// the path of the first curve
static const char *path_of(const SlText *text) {
    const char *path = strstr(text->data, "class=\"sl-wide sl-c0\" d=\"");
    assert_non_null(path);
    return path + strlen("class=\"sl-wide sl-c0\" d=\"");
}

static void steps_hold_a_value_until_the_next(void **state) {
    SlText *text = *state;
    SlCurve curve = {"a", 4, xs, falling, NULL, NULL, true, 0};
    SlCurvePlot plot = {.n = 1, .curves = &curve, .log_x = true};
    sl_draw_curves_svg(&plot, text);
    const char *path = path_of(text);
    size_t n = strcspn(path, "\"");
    int across = 0, lines = 0;
    for (size_t i = 0; i < n; i++) {
        across += path[i] == 'H';
        lines += path[i] == 'L';
    }
    assert_int_equal(across, 3);
    assert_int_equal(lines, 0);
}

static void points_that_have_no_place_leave_gaps(void **state) {
    SlText *text = *state;
    const double y[] = {1, NAN, -1, 4}, wild[] = {INFINITY, -INFINITY, NAN, -1};
    const SlCurve curves[] = {{"gaps <&>", 4, xs, y, wild, wild, false, 0},
                              {"nothing", 4, xs, wild, NULL, NULL, true, 0},
                              {"empty", 0, NULL, NULL, NULL, NULL, false, 0},
                              {NULL, 4, xs, same, NULL, NULL, false, 0}};
    SlCurvePlot plot = {.n = 4, .curves = curves, .log_y = true};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    // two points alone, as dots, and the end of the curve
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f0\""), 3);
    assert_non_null(strstr(text->data, "gaps &lt;&amp;&gt;"));
    assert_null(strstr(text->data, ">nothing</text>"));
    plot = (SlCurvePlot){.n = 0};
    text->n = 0;
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
}

static void names_never_touch_each_other(void **state) {
    SlText *text = *state;
    enum { N = 40 };
    SlCurve curves[N];
    for (int i = 0; i < N; i++)
        curves[i] = (SlCurve){"name", 4, xs, i % 2 ? same : falling, NULL, NULL, false, 0};
    SlCurvePlot plot = {.n = N, .curves = curves};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    double y[N];
    int n = 0;
    const char *at = text->data;
    while (n < N && (at = strstr(at, "<text class=\"sl-ink\" x=\""))) {
        at = strstr(at, "y=\"") + 3;
        y[n++] = strtod(at, NULL);
    }
    assert_int_equal(n, N);
    double height = strtod(strstr(text->data, "height=\"") + 8, NULL);
    for (int i = 0; i < N; i++) {
        assert_true(y[i] > 0 && y[i] < height);
        for (int j = 0; j < i; j++) assert_true(fabs(y[i] - y[j]) > 16);
    }
}

static void names_stand_at_the_ends_where_these_are_apart(void **state) {
    SlText *text = *state;
    const double level[] = {9, 9, 9, 9};
    const SlCurve curves[] = {{"low", 4, xs, falling, NULL, NULL, false, 0},
                              {"flat", 4, xs, level, NULL, NULL, false, 0}};
    SlCurvePlot plot = {.n = 2, .curves = curves};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    // the last point of "flat" and its name have one height
    const char *name = find_text(text, NULL, "flat");
    double end = number_of(find_piece(text, "<circle class=\"sl-f1\"", 0), "cy");
    assert_true(fabs(number_of(name, "y") - 4 - end) < 0.2);
    assert_int_equal(count_text(text->data, "<path class=\"sl-thin"), 2); // leaders
    assert_true(number_of(find_text(text, NULL, "low"), "y") > number_of(name, "y"));
}

static void names_that_would_crowd_are_a_key_in_the_order_of_the_ends(void **state) {
    SlText *text = *state;
    enum { N = 16 };
    SlCurve curves[N];
    double y[N][4];
    char names[N][16];
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "c%d", i);
        for (int k = 0; k < 4; k++) y[i][k] = k < 3 ? 100 : 1 + 0.01 * i; // all end near 1
        curves[i] = (SlCurve){names[i], 4, xs, y[i], NULL, NULL, true, 0};
    }
    SlCurvePlot plot = {.n = N, .curves = curves};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    assert_int_equal(count_text(text->data, "<path class=\"sl-thin"), 0);
    for (int i = 1; i < N; i++)
        assert_true(number_of(find_text(text, NULL, names[i]), "y") <
                    number_of(find_text(text, NULL, names[i - 1]), "y"));
    // each pair of colour and dash: once as the curve, once as its sample
    for (int i = 0; i < N; i++) {
        char class[64];
        snprintf(class, sizeof class, "<path class=\"sl-wide sl-c%d%s\"", i % SL_N_COLOURS,
                 i < SL_N_COLOURS ? "" : " sl-dash1");
        assert_int_equal(count_text(text->data, class), 2);
    }
}

static void colours_can_be_given(void **state) {
    SlText *text = *state;
    const SlCurve curves[] = {{"a", 4, xs, falling, lower, upper, false, 3},
                              {"b", 4, xs, same, NULL, NULL, false, 11}};
    SlCurvePlot plot = {.n = 2, .curves = curves};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, "<path class=\"sl-wide sl-c2\""), 1);
    assert_int_equal(count_text(text->data, "<path class=\"sl-wide sl-c2 sl-dash1\""), 1);
    assert_int_equal(count_text(text->data, "<path class=\"sl-b2\""), 1);
}

// the last number of the path of the first curve
static double path_end(const SlText *text) {
    const char *path = path_of(text), *at = path + strcspn(path, "\"");
    while (at[-1] == '.' || (at[-1] >= '0' && at[-1] <= '9')) at--;
    return strtod(at, NULL);
}

static void points_land_where_the_axis_says(void **state) {
    SlText *text = *state;
    const double x[] = {10, 100, 10000}, y[] = {30, 0.5, 2}, logs[] = {30, 0.5, 0.1};
    SlCurve curve = {"a", 3, x, y, NULL, NULL, false, 0};
    for (int log_y = 0; log_y < 2; log_y++) {
        SlCurvePlot plot = {.n = 1, .curves = &curve, .log_x = true, .log_y = log_y};
        if (log_y) curve.y = logs;
        text->n = 0;
        sl_draw_curves_svg(&plot, text);
        assert_svg(text);
        // from the first point, over 100, to 10k
        double from_x, from_y, at_x, at_y;
        assert_int_equal(sscanf(path_of(text), "M%lf %lfL%lf %lf", &from_x, &from_y, &at_x, &at_y),
                         4);
        assert_true(fabs(at_x - number_of(find_text(text, NULL, "100"), "x")) < 0.11);
        double tick = number_of(find_text(text, NULL, log_y ? "0.1" : "30"), "y") - 3.7;
        assert_true(fabs((log_y ? path_end(text) : from_y) - tick) < 0.11);
        assert_non_null(find_text(text, NULL, "10k"));
        assert_non_null(find_text(text, NULL, "1k"));
    }
}

static void zero_is_drawn_below_a_logarithmic_axis(void **state) {
    SlText *text = *state;
    const double y[] = {8, 0.5, 0, 0}, low[] = {4, 0, 0, 0}, none[] = {0, 0, 0, 0};
    const SlCurve curves[] = {{"a", 4, xs, y, low, y, true, 0},
                              {"b", 4, xs, none, none, none, true, 0}};
    SlCurvePlot plot = {.n = 1, .curves = curves, .log_y = true};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    const char *zero = find_text(text, NULL, "0");
    assert_non_null(zero);
    assert_true(fabs(path_end(text) - (number_of(zero, "y") - 3.7)) < 0.11);
    // and is no level
    assert_null(strstr(text->data, "class=\"sl-cut\""));
    plot = (SlCurvePlot){.n = 1, .curves = curves + 1, .log_y = true, .log_x = true};
    text->n = 0;
    sl_draw_curves_svg(&plot, text); // nothing but zeros
    assert_svg(text);
    assert_non_null(find_text(text, NULL, "0"));
}

static void a_level_is_dashed_and_named_at_its_height(void **state) {
    SlText *text = *state;
    SlCurve curve = {"a", 4, xs, falling, NULL, NULL, true, 0};
    SlCurvePlot plot = {
        .n = 1, .curves = &curve, .log_y = true, .line = 0.1, .line_name = "target <1 %>"};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    const char *line = find_piece(text, "<line class=\"sl-cut\"", 0);
    assert_true(number_of(line, "y1") == number_of(line, "y2"));
    assert_true(fabs(number_of(find_text(text, NULL, "0.1"), "y") - 3.7 - number_of(line, "y1")) <
                0.11);
    const char *name = find_text(text, NULL, "target &lt;1 %&gt;");
    assert_true(fabs(number_of(name, "y") - number_of(line, "y1")) < 20);
    // no level
    const double levels[] = {0, NAN, -1, INFINITY};
    for (int i = 0; i < 4; i++) {
        plot.line = levels[i];
        text->n = 0;
        sl_draw_curves_svg(&plot, text);
        assert_svg(text);
        assert_null(strstr(text->data, "class=\"sl-cut\""));
        assert_null(strstr(text->data, "target"));
    }
}

static void long_words_are_broken_or_cut_and_stay_inside(void **state) {
    SlText *text = *state;
    static const char much[] = "a name, a label or a title that is much longer than anyone would "
                               "want it to be, and still goes on for quite a while without saying "
                               "anything that matters to the reader of this picture at all, "
                               "really nothing, neither here nor there nor anywhere else";
    SlCurve curve = {much, 4, xs, falling, NULL, NULL, true, 0};
    SlCurvePlot plot = {.n = 1,
                        .curves = &curve,
                        .title = much,
                        .x_label = much,
                        .y_label = much,
                        .line = 2,
                        .line_name = much};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    assert_true(svg_width(text) <= 960);
    assert_int_equal(count_text(text->data, "sl-title\" x="), 3);
    assert_true(count_text(text->data, "…</text>") >= 4);
}

static void readers_who_do_not_see_get_the_last_numbers(void **state) {
    SlText *text = *state;
    const SlCurve curves[] = {{"low", 4, xs, falling, NULL, NULL, false, 0},
                              {"flat", 4, xs, same, NULL, NULL, false, 0}};
    SlCurvePlot plot = {.n = 2, .curves = curves, .x_label = "samples", .y_label = "best"};
    sl_draw_curves_svg(&plot, text);
    assert_non_null(
        strstr(text->data, "<desc>best over samples: flat ends at 3, low ends at 1.</desc>"));
}

static const char *spark(SlText *text, int n, const double *y, int width) {
    text->n = 0;
    sl_text_add(text, "|");
    sl_draw_spark(n, y, width, text);
    return text->data;
}

static void a_spark_is_a_line_of_blocks(void **state) {
    const double ramp[] = {0, 1, 2, 3, 4, 5, 6, 7}, holes[] = {1, NAN, INFINITY, 0};
    const double extreme[] = {-1.7e308, 1.7e308};
    assert_string_equal(spark(*state, 8, ramp, 8), "|▁▂▃▄▅▆▇█");
    assert_string_equal(spark(*state, 8, ramp, 4), "|▁▃▆█");
    assert_string_equal(spark(*state, 2, ramp, 4), "|▁▁██");
    assert_string_equal(spark(*state, 4, same, 3), "|▁▁▁");
    assert_string_equal(spark(*state, 4, holes, 4), "|█  ▁");
    assert_string_equal(spark(*state, 2, extreme, 2), "|▁█");
    assert_string_equal(spark(*state, 0, ramp, 4), "|");
    assert_string_equal(spark(*state, 4, ramp, 0), "|");
}

#define DRAWS(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWS(curves_bands_and_names_are_there_on_any_axes),
        DRAWS(steps_hold_a_value_until_the_next),
        DRAWS(points_that_have_no_place_leave_gaps),
        DRAWS(names_never_touch_each_other),
        DRAWS(names_stand_at_the_ends_where_these_are_apart),
        DRAWS(names_that_would_crowd_are_a_key_in_the_order_of_the_ends),
        DRAWS(colours_can_be_given),
        DRAWS(points_land_where_the_axis_says),
        DRAWS(zero_is_drawn_below_a_logarithmic_axis),
        DRAWS(a_level_is_dashed_and_named_at_its_height),
        DRAWS(long_words_are_broken_or_cut_and_stay_inside),
        DRAWS(readers_who_do_not_see_get_the_last_numbers),
        DRAWS(a_spark_is_a_line_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
