// test_curves.c - curves as SVG and as a line of blocks.
#include "support/check.h"

#include <math.h>
#include <stdlib.h>
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

static const double xs[] = {1, 10, 100, 1000}, falling[] = {8, 4, 2, 1}, same[] = {3, 3, 3, 3};
static const double lower[] = {7, 3, 1.5, 0.9}, upper[] = {9, 5, 3, 1.5};

static void curves_bands_and_names_are_there_on_any_axes(void **state) {
    SlText *text = *state;
    const SlCurve curves[] = {{"first", 4, xs, falling, lower, upper, true},
                              {"second", 4, xs, same, NULL, NULL, false}};
    for (int axes = 0; axes < 4; axes++) {
        SlCurvePlot plot = {2, curves, "title", "samples", "best", axes & 1, axes & 2};
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
    SlCurve curve = {"a", 4, xs, falling, NULL, NULL, true};
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
    const double y[] = {1, NAN, 0, 4}, wild[] = {INFINITY, -INFINITY, NAN, -1};
    const SlCurve curves[] = {{"gaps <&>", 4, xs, y, wild, wild, false},
                              {"nothing", 4, xs, wild, NULL, NULL, true},
                              {"empty", 0, NULL, NULL, NULL, NULL, false},
                              {NULL, 4, xs, same, NULL, NULL, false}};
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
        curves[i] = (SlCurve){"name", 4, xs, i % 2 ? same : falling, NULL, NULL, false};
    SlCurvePlot plot = {.n = N, .curves = curves};
    sl_draw_curves_svg(&plot, text);
    assert_svg(text);
    double y[N];
    int n = 0;
    const char *at = text->data;
    while (n < N && (at = strstr(at, "sl-strong\" x=\""))) {
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
        DRAWS(a_spark_is_a_line_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
