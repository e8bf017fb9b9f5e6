// test_panels.c - many small plots: one key, one colour per name, all of it inside.
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

static const double xs[] = {1, 10, 100, 10000}, falling[] = {8, 4, 2, 1}, same[] = {3, 3, 3, 3};
static const double tall[] = {800, 400, 200, 100};

static void one_name_has_one_colour_in_all_panels(void **state) {
    SlText *text = *state;
    const SlCurve first[] = {{"a", 4, xs, falling, NULL, NULL, true, 0},
                             {"b", 4, xs, same, NULL, NULL, true, 0}};
    const SlCurve second[] = {{"c", 4, xs, same, NULL, NULL, true, 0},
                              {"b", 4, xs, falling, NULL, NULL, true, 0}};
    const SlCurvePlot plots[] = {{.n = 2, .curves = first, .title = "one"},
                                 {.n = 2, .curves = second, .title = "two"}};
    SlPanels panels = {.n = 2, .plots = plots, .title = "both"};
    sl_draw_panels_svg(&panels, text);
    assert_svg(text);
    assert_texts_inside(text);
    // a curve and a sample of it in the key; "b" is in both panels
    const int times[] = {2, 3, 2};
    for (int i = 0; i < 3; i++) {
        char class[64], name[2] = {(char)('a' + i), '\0'};
        snprintf(class, sizeof class, "<path class=\"sl-wide sl-c%d\"", i);
        assert_int_equal(count_text(text->data, class), times[i]);
        const char *entry = find_text(text, NULL, name);
        assert_non_null(entry);
        assert_null(find_text(text, entry, name));
    }
    assert_non_null(find_text(text, NULL, "one"));
    assert_non_null(find_text(text, NULL, "two"));
}

static void given_colours_hold_and_unseen_curves_have_no_entry(void **state) {
    SlText *text = *state;
    const double none[] = {NAN, NAN, NAN, NAN};
    const SlCurve first[] = {{"seen", 4, xs, falling, NULL, NULL, true, 5},
                             {"unseen", 4, xs, none, NULL, NULL, true, 2},
                             {NULL, 4, xs, same, NULL, NULL, true, 0}};
    const SlCurvePlot plots[] = {{.n = 3, .curves = first, .title = "one"}, {.title = "two"}};
    SlPanels panels = {.n = 2, .plots = plots};
    sl_draw_panels_svg(&panels, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, "<path class=\"sl-wide sl-c4\""), 2);
    assert_null(find_text(text, NULL, "unseen"));
    assert_non_null(find_text(text, NULL, "no data"));
}

static void axis_titles_that_are_the_same_stand_once(void **state) {
    SlText *text = *state;
    const SlCurve curve = {"a", 4, xs, falling, NULL, NULL, true, 0};
    SlCurvePlot plots[6];
    for (int i = 0; i < 6; i++)
        plots[i] = (SlCurvePlot){
            .n = 1, .curves = &curve, .x_label = "samples", .y_label = "regret", .title = "t"};
    SlPanels panels = {.n = 6, .plots = plots};
    sl_draw_panels_svg(&panels, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, ">samples</text>"), 1);
    assert_int_equal(count_text(text->data, ">regret</text>"), 1);
    plots[4].x_label = plots[5].y_label = "other";
    text->n = 0;
    sl_draw_panels_svg(&panels, text);
    assert_svg(text);
    assert_texts_inside(text);
    assert_int_equal(count_text(text->data, ">samples</text>"), 5);
    assert_int_equal(count_text(text->data, ">regret</text>"), 5);
}

static void heights_compare_where_the_axis_is_shared(void **state) {
    SlText *text = *state;
    const SlCurve curves[] = {{"a", 4, xs, falling, NULL, NULL, true, 0},
                              {"b", 4, xs, tall, NULL, NULL, true, 0}};
    const SlCurvePlot plots[] = {{.n = 1, .curves = curves, .log_x = true, .log_y = true},
                                 {.n = 1, .curves = curves + 1, .log_x = true, .log_y = true}};
    for (int share = 0; share < 2; share++) {
        SlPanels panels = {.n = 2, .plots = plots, .share_y = share};
        text->n = 0;
        sl_draw_panels_svg(&panels, text);
        assert_svg(text);
        // the first has 1..8, the second 100..800
        const char *hundred = find_text(text, NULL, "100"); // of x
        int ones = count_text(text->data, ">1</text>"), hundreds = 0;
        for (; hundred; hundred = find_text(text, hundred, "100")) hundreds++;
        assert_int_equal(ones, share ? 4 : 3); // x twice, y
        assert_int_equal(hundreds, share ? 4 : 3);
    }
}

static void sixteen_curves_in_nine_panels_fit_a_phone_turned(void **state) {
    SlText *text = *state;
    enum { N = 16, P = 9 };
    SlCurve curves[N];
    char names[N][24];
    SlCurvePlot plots[P];
    for (int i = 0; i < N; i++) {
        snprintf(names[i], sizeof names[i], "method %d", i);
        curves[i] = (SlCurve){names[i], 4, xs, i % 2 ? same : falling, same, falling, true, 0};
    }
    for (int i = 0; i < P; i++)
        plots[i] = (SlCurvePlot){.n = N, .curves = curves, .log_x = true, .title = much};
    for (int columns = 0; columns <= 9; columns++) {
        SlPanels panels = {.n = P, .plots = plots, .columns = columns, .title = much};
        text->n = 0;
        sl_draw_panels_svg(&panels, text);
        assert_svg(text);
        assert_texts_inside(text);
        assert_true(svg_width(text) <= 960);
        assert_int_equal(count_text(text->data, "<path class=\"sl-wide sl-c"), N * (P + 1));
    }
    // ever more bands are ever paler
    assert_non_null(strstr(text->data, "sl-band sl-faint"));
}

static void nothing_at_all_is_a_picture_too(void **state) {
    SlText *text = *state;
    SlPanels panels = {.n = 0};
    sl_draw_panels_svg(&panels, text);
    assert_svg(text);
    const double zero[] = {0};
    const SlCurve point = {"zero", 1, xs, zero, NULL, NULL, true, 0};
    const SlCurvePlot plot = {.n = 1, .curves = &point, .log_y = true, .line = NAN};
    panels = (SlPanels){.n = 1, .plots = &plot, .share_y = true};
    text->n = 0;
    sl_draw_panels_svg(&panels, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f0\""), 1);
}

#define DRAWS(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWS(one_name_has_one_colour_in_all_panels),
        DRAWS(given_colours_hold_and_unseen_curves_have_no_entry),
        DRAWS(axis_titles_that_are_the_same_stand_once),
        DRAWS(heights_compare_where_the_axis_is_shared),
        DRAWS(sixteen_curves_in_nine_panels_fit_a_phone_turned),
        DRAWS(nothing_at_all_is_a_picture_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
