// test_heat.c - matrices as SVG and as text.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "starling/draw.h"
#include "xml_check.h"

enum { MOST = 96 };

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

// a matrix of n parameters: ones on the diagonal, -0.5 below and above
static SlHeatMap plain_matrix(int n) {
    static double values[MOST * MOST];
    static char room[MOST][24];
    static const char *names[MOST];
    for (int i = 0; i < n; i++) {
        snprintf(room[i], sizeof room[i], "param %d", i);
        names[i] = room[i];
        for (int j = 0; j < n; j++) values[i * n + j] = i == j ? 1 : -0.5;
    }
    return (SlHeatMap){.n = n, .values = values, .names = names, .title = "a matrix"};
}

static void every_size_is_a_whole_picture_with_all_names(void **state) {
    SlText *text = *state;
    for (int n = 1; n <= MOST; n = n < 6 ? n + 1 : 2 * n) {
        SlHeatMap heat = plain_matrix(n);
        text->n = 0;
        sl_draw_heat_svg(&heat, text);
        assert_svg(text);
        for (int i = 0; i < n; i++) assert_true(count_text(text->data, heat.names[i]) >= 2);
        // a square per number, 41 of the colour bar, the ground
        assert_int_equal(count_text(text->data, "<rect"), n * n + 41 + 1);
    }
}

static void cells_show_their_value_where_they_have_room(void **state) {
    SlText *text = *state;
    SlHeatMap heat = plain_matrix(3);
    sl_draw_heat_svg(&heat, text);
    assert_int_equal(count_text(text->data, ">−.50</text>"), 6);
    assert_int_equal(count_text(text->data, ">1</text>"), 3 + 1); // and on the bar
    assert_non_null(strstr(text->data, "<title>param 0 – param 2: -0.500</title>"));
    heat = plain_matrix(60);
    text->n = 0;
    sl_draw_heat_svg(&heat, text);
    assert_null(strstr(text->data, ">−.50</text>"));
}

static void opposite_values_have_different_colours(void **state) {
    SlText *text = *state;
    const double values[] = {1, -1, 0, 0.5};
    const char *const names[] = {"a", "b"};
    SlHeatMap heat = {.n = 2, .values = values, .names = names};
    sl_draw_heat_svg(&heat, text);
    // classes q0 (-1), q20 (0), q30 (0.5), q40 (1), one cell each beside the bar's
    assert_int_equal(count_text(text->data, "class=\"q0\""), 2);
    assert_int_equal(count_text(text->data, "class=\"q20\""), 2);
    assert_int_equal(count_text(text->data, "class=\"q30\""), 2);
    assert_int_equal(count_text(text->data, "class=\"q40\""), 2);
    assert_int_equal(count_text(text->data, "class=\"q10\""), 1);
}

static void odd_names_and_numbers_do_no_harm(void **state) {
    SlText *text = *state;
    const double values[] = {NAN, INFINITY, -INFINITY, 7, -0.0, 0.004, -0.004, 1e300, -1e300};
    const char *const names[] = {"<a&b>", "",
                                 "\xff\x01 a name that is far too long to be shown whole"};
    SlHeatMap heat = {.n = 3, .values = values, .names = names, .title = "\"<&>\""};
    sl_draw_heat_svg(&heat, text);
    assert_svg(text);
    // what is no number counts as 0, what is outside as the nearest end
    assert_non_null(strstr(text->data, "&lt;a&amp;b&gt; – &lt;a&amp;b&gt;: 0.000"));
    assert_non_null(strstr(text->data, "&lt;a&amp;b&gt; – : 1.000"));
    assert_non_null(strstr(text->data, "…</text>"));
    text->n = 0;
    sl_draw_heat_text(&heat, text);
    assert_int_equal(count_text(text->data, "\n"), 1 + 1 + 3);
    assert_null(strstr(text->data, "nan"));
    assert_null(strstr(text->data, "inf"));
}

static void text_has_numbers_above_and_shades_below(void **state) {
    SlText *text = *state;
    const double values[] = {1, .97, -.42, .97, 1, .09, -.42, .09, 1};
    const char *const names[] = {"L2 K", "L2 order", "x"};
    SlHeatMap heat = {.n = 3, .values = values, .names = names, .title = "title"};
    sl_draw_heat_text(&heat, text);
    assert_string_equal(text->data, "title\n"
                                    "              1    2    3\n"
                                    "1 L2 K        1  .97 -.42\n"
                                    "2 L2 order ████    1  .09\n"
                                    "3 x        ▒▒▒▒ ····    1\n");
}

static void a_matrix_that_is_not_symmetric_shows_all_its_numbers(void **state) {
    SlText *text = *state;
    const double values[] = {1, .97, -.42, 1};
    const char *const names[] = {"a", "b"};
    SlHeatMap heat = {.n = 2, .values = values, .names = names};
    sl_draw_heat_text(&heat, text);
    assert_string_equal(text->data, "       1    2\n"
                                    "1 a    1  .97\n"
                                    "2 b -.42    1\n");
}

static void text_stays_within_a_page(void **state) {
    SlText *text = *state;
    for (int n = 1; n <= 96; n++) {
        SlHeatMap heat = plain_matrix(n);
        text->n = 0;
        sl_draw_heat_text(&heat, text);
        for (const char *line = text->data; *line;) {
            int columns = 0;
            for (; *line != '\n'; line++) columns += ((unsigned char)*line & 0xC0) != 0x80;
            if (columns > 100) fail_msg("%d columns with n = %d", columns, n);
            line++;
        }
    }
}

static void a_lack_of_memory_is_marked(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    SlHeatMap heat = plain_matrix(5);
    sl_arena_init(&arena, 2000);
    sl_text_init(&text, &arena);
    sl_draw_heat_svg(&heat, &text);
    assert_true(text.failed);
    sl_arena_free(&arena);
}

#define DRAWS(name) cmocka_unit_test_setup_teardown(name, make_text, drop_text)

int main(void) {
    const struct CMUnitTest tests[] = {
        DRAWS(every_size_is_a_whole_picture_with_all_names),
        DRAWS(cells_show_their_value_where_they_have_room),
        DRAWS(opposite_values_have_different_colours),
        DRAWS(odd_names_and_numbers_do_no_harm),
        DRAWS(text_has_numbers_above_and_shades_below),
        DRAWS(a_matrix_that_is_not_symmetric_shows_all_its_numbers),
        DRAWS(text_stays_within_a_page),
        cmocka_unit_test(a_lack_of_memory_is_marked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
