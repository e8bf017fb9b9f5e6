// test_front.c - fronts: who is on them, where dots stand, what is named.
#include "support/check.h"

#include <math.h>
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

static const char *const groups[] = {"fits", "does <not>"};

static SlFrontPlot plot_of(int n, const SlFrontDot *dots) {
    return (SlFrontPlot){.n = n,
                         .dots = dots,
                         .n_groups = 2,
                         .groups = groups,
                         .title = "a front",
                         .x_label = "cost",
                         .y_label = "time",
                         .log_x = true,
                         .log_y = true};
}

static void the_front_joins_what_nothing_beats(void **state) {
    SlText *text = *state;
    // b is beaten by a, which comes later, the fourth by c
    const SlFrontDot dots[] = {{20, 2000, "b", 1, false},
                               {10, 1000, "a", 0, false},
                               {100, 100, "c", 0, true},
                               {100, 200, NULL, 0, false},
                               {1000, 10, "e", 1, false}};
    const SlFrontLimit limits[] = {{50, "chip"}};
    SlFrontPlot plot = plot_of(5, dots);
    plot.n_limits = 1;
    plot.limits = limits;
    sl_draw_front_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    // a, c and e: two steps
    const char *path = find_piece(text, "sl-front", 0);
    const char *end = strchr(path, '>');
    int steps = 0;
    for (const char *c = path; c < end; c++) steps += *c == 'H';
    assert_int_equal(steps, 2);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f0"), 3);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f1"), 2);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-mark"), 1); // the ring of c
    assert_non_null(strstr(text->data, "5 dots; the front: a at 10, 1k; c at 100, 100; e at"));
    const char *const named[] = {"a", "b", "c", "e", "chip", "fits", "does &lt;not&gt;"};
    for (int i = 0; i < 7; i++) assert_non_null(find_text(text, NULL, named[i]));
    // the ring stands where the axes say
    const char *ring = find_piece(text, "<circle class=\"sl-mark", 0);
    const char *y_tick = find_text(text, NULL, "100"), *x_tick = find_text(text, y_tick, "100");
    assert_true(fabs(number_of(ring, "cx") - number_of(x_tick, "x")) < 0.2);
    assert_true(fabs(number_of(ring, "cy") - (number_of(y_tick, "y") - 3.7)) < 0.2);
    const char *limit = find_piece(text, "<line class=\"sl-cut\"", 0);
    assert_true(number_of(limit, "x1") == number_of(limit, "x2"));
    assert_true(number_of(limit, "x1") < number_of(ring, "cx"));
}

static void equal_dots_count_once(void **state) {
    SlText *text = *state;
    const SlFrontDot dots[] = {{1, 1, "a", 0, false}, {1, 1, "b", 0, false}};
    SlFrontPlot plot = plot_of(2, dots);
    sl_draw_front_svg(&plot, text);
    assert_svg(text);
    assert_null(strstr(text->data, "sl-front"));
    assert_non_null(strstr(text->data, "the front: a at 1, 1."));
}

static void what_has_no_place_is_left_out(void **state) {
    SlText *text = *state;
    const SlFrontDot dots[] = {{1, NAN, "nowhere", 0, true},
                               {INFINITY, 3, "far", 0, false},
                               {-1, 5, "low", 0, false},
                               {4, 5, "here", 1, false}};
    SlFrontPlot plot = plot_of(4, dots);
    sl_draw_front_svg(&plot, text);
    assert_svg(text);
    assert_int_equal(count_text(text->data, "<circle class=\"sl-f"), 1);
    assert_null(find_text(text, NULL, "nowhere"));
    assert_null(find_text(text, NULL, "far"));
    assert_non_null(find_text(text, NULL, "here"));
}

static void an_empty_front_is_a_picture_too(void **state) {
    SlText *text = *state;
    SlFrontPlot plot = plot_of(0, NULL);
    sl_draw_front_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
}

static void crowded_names_do_not_cover_each_other(void **state) {
    SlText *text = *state;
    SlFrontDot dots[60];
    for (int i = 0; i < 60; i++)
        dots[i] = (SlFrontDot){100 + 0.1 * i, 100 - 0.1 * i, "a name", i % 2, false};
    SlFrontPlot plot = plot_of(60, dots);
    sl_draw_front_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    const char *last = NULL;
    double xs[60], ys[60];
    int n = 0;
    for (const char *at = NULL; (at = find_text(text, last, "a name")) != NULL; last = at) {
        xs[n] = number_of(at, "x");
        ys[n] = number_of(at, "y");
        for (int i = 0; i < n; i++)
            assert_true(fabs(xs[i] - xs[n]) > 1 || fabs(ys[i] - ys[n]) >= 11.9);
        n++;
    }
    assert_true(n >= 1 && n < 60);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_front_joins_what_nothing_beats, make_text, drop_text),
        cmocka_unit_test_setup_teardown(equal_dots_count_once, make_text, drop_text),
        cmocka_unit_test_setup_teardown(what_has_no_place_is_left_out, make_text, drop_text),
        cmocka_unit_test_setup_teardown(an_empty_front_is_a_picture_too, make_text, drop_text),
        cmocka_unit_test_setup_teardown(crowded_names_do_not_cover_each_other, make_text,
                                        drop_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
