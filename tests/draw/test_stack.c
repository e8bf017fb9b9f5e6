// test_stack.c - bars made of parts: lengths, shares, what stands beside them.
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

static const char *const names[] = {"3 agents", "6 <&>"}, *const parts[] = {"act", "see", "learn"};

static void parts_stand_end_to_end(void **state) {
    SlText *text = *state;
    const double values[] = {1, 2, 3, 4, 0, 5};
    SlStackPlot plot = {
        .n = 2, .n_parts = 3, .names = names, .parts = parts, .values = values, .x_label = "ms"};
    sl_draw_stack_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    double zero = number_of(find_text(text, NULL, "0"), "x");
    double unit = (number_of(find_text(text, NULL, "2"), "x") - zero) / 2, at = zero;
    static const char *const classes[] = {"<rect class=\"sl-b0\"", "<rect class=\"sl-b1\"",
                                          "<rect class=\"sl-b2\""};
    for (int p = 0; p < 3; p++) {
        // the first of each colour is in the key
        const char *bar = find_piece(text, classes[p], 1);
        assert_true(fabs(number_of(bar, "x") - at) < 0.2);
        assert_true(fabs(number_of(bar, "width") - values[p] * unit) < 0.2);
        at += values[p] * unit;
    }
    // what is 0 has no part: one in the key, one in the first row
    assert_int_equal(count_text(text->data, classes[1]), 2);
    // sums stand behind the rows
    assert_true(number_of(find_text(text, NULL, "9"), "x") > zero + 9 * unit);
}

static void shares_fill_the_axis(void **state) {
    SlText *text = *state;
    const double values[] = {1, 1, 2, 30, NAN, 90};
    const char *const notes[] = {"4 ms", "120 ms"};
    SlStackPlot plot = {.n = 2,
                        .n_parts = 3,
                        .names = names,
                        .parts = parts,
                        .values = values,
                        .shares = true,
                        .notes = notes,
                        .title = "where time goes",
                        .x_label = "%"};
    sl_draw_stack_svg(&plot, text);
    assert_svg(text);
    assert_texts_inside(text);
    double zero = number_of(find_text(text, NULL, "0"), "x");
    double all = number_of(find_text(text, NULL, "100"), "x") - zero;
    double half = number_of(find_piece(text, "<rect class=\"sl-b2\"", 1), "width");
    double three_quarters = number_of(find_piece(text, "<rect class=\"sl-b2\"", 2), "width");
    assert_true(fabs(half - all / 2) < 0.2 && fabs(three_quarters - 0.75 * all) < 0.2);
    assert_non_null(find_text(text, NULL, "50"));
    assert_non_null(find_text(text, NULL, "75"));
    assert_true(number_of(find_text(text, NULL, "120 ms"), "x") > zero + all);
}

static void nothing_to_show_is_a_picture_too(void **state) {
    SlText *text = *state;
    const double values[] = {0, 0, 0, NAN, -1, INFINITY};
    SlStackPlot plot = {.n = 2, .n_parts = 3, .names = names, .parts = parts, .values = values};
    for (int shares = 0; shares < 2; shares++) {
        plot.shares = shares;
        text->n = 0;
        sl_draw_stack_svg(&plot, text);
        assert_svg(text);
        assert_false(text->failed);
        assert_null(strstr(text->data, "nan"));
        assert_null(strstr(text->data, "inf"));
    }
    plot.n = 0;
    text->n = 0;
    sl_draw_stack_svg(&plot, text);
    assert_svg(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(parts_stand_end_to_end, make_text, drop_text),
        cmocka_unit_test_setup_teardown(shares_fill_the_axis, make_text, drop_text),
        cmocka_unit_test_setup_teardown(nothing_to_show_is_a_picture_too, make_text, drop_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
