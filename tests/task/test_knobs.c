// test_knobs.c - points as numbers and as texts, and back.
#include "starling/task/tuning.h"

#include <string.h>

#include "support/check.h"
#include "support/toy_tuning.h"

static const int VALUES[] = {3, 1, 4, 2};
enum { KNOBS = 4, POINTS = 24 };

// a, b, c, d with values 10 20 30, 10, 10 20 30 40, 10 20
static SlKnobs four_knobs(void) {
    static ToyTuning toy;
    toy_tuning_init(&toy, KNOBS, VALUES);
    SlKnobs knobs = toy.tuning.knobs;
    for (int k = 0; k < KNOBS; k++) {
        knobs.knobs[k].name[0] = (char)('a' + k);
        knobs.knobs[k].name[1] = 0;
        for (int i = 0; i < knobs.knobs[k].n; i++) knobs.knobs[k].values[i] *= 10;
    }
    return knobs;
}

static void every_number_is_a_point_and_every_point_a_number(void **state) {
    (void)state;
    SlKnobs knobs = four_knobs();
    int32_t point[KNOBS], last[KNOBS] = {0};
    assert_int_equal(knobs.n_points, POINTS);
    for (int64_t i = 0; i < POINTS; i++) {
        sl_knobs_point(&knobs, i, point);
        for (int k = 0; k < KNOBS; k++) assert_in_range(point[k], 0, VALUES[k] - 1);
        assert_int_equal(sl_knobs_index(&knobs, point), i);
        if (i) assert_memory_not_equal(point, last, sizeof point);
        memcpy(last, point, sizeof point);
    }
    // the last knob turns fastest
    sl_knobs_point(&knobs, 1, point);
    assert_int_equal(point[3], 1);
}

static void numbers_of_large_spaces_do_not_wrap(void **state) {
    (void)state;
    SlKnobs knobs = {.n_knobs = 10, .n_points = 1};
    for (int k = 0; k < 10; k++) {
        knobs.knobs[k].n = 60;
        knobs.n_points *= 60;
    }
    int32_t point[10];
    int64_t index = knobs.n_points - 1; // 6e17
    sl_knobs_point(&knobs, index, point);
    for (int k = 0; k < 10; k++) assert_int_equal(point[k], 59);
    assert_true(sl_knobs_index(&knobs, point) == index);
}

static void a_point_is_shown_with_its_values(void **state) {
    (void)state;
    SlKnobs knobs = four_knobs();
    char text[64];
    int32_t point[KNOBS] = {2, 0, 3, 1};
    assert_string_equal(sl_knobs_show(&knobs, point, sizeof text, text), "a=30 b=10 c=40 d=20");
}

static void texts_are_cut_where_there_is_no_room(void **state) {
    (void)state;
    SlKnobs knobs = four_knobs();
    char text[64];
    int32_t point[KNOBS] = {2, 0, 3, 1};
    const char *whole = "a=30 b=10 c=40 d=20";
    for (size_t n = 1; n <= strlen(whole) + 1; n++) {
        memset(text, '#', sizeof text);
        sl_knobs_show(&knobs, point, n, text);
        assert_int_equal(strlen(text), n - 1);
        assert_memory_equal(text, whole, n - 1);
        assert_int_equal(text[n], '#');
    }
    text[0] = '#';
    sl_knobs_show(&knobs, point, 0, text);
    assert_int_equal(text[0], '#');
}

static void a_shown_point_can_be_read_again(void **state) {
    (void)state;
    SlKnobs knobs = four_knobs();
    char text[64];
    int32_t point[KNOBS], again[KNOBS];
    SlError err;
    for (int64_t i = 0; i < POINTS; i++) {
        sl_knobs_point(&knobs, i, point);
        sl_knobs_show(&knobs, point, sizeof text, text);
        assert_int_equal(sl_knobs_parse(&knobs, text, again, &err), SL_OK);
        assert_memory_equal(point, again, sizeof point);
    }
}

static void knobs_may_come_in_any_order(void **state) {
    (void)state;
    SlKnobs knobs = four_knobs();
    int32_t point[KNOBS], right[KNOBS] = {1, 0, 2, 0};
    SlError err;
    assert_int_equal(sl_knobs_parse(&knobs, "  d=10 c=30   b=10 a=20 ", point, &err), SL_OK);
    assert_memory_equal(point, right, sizeof point);
}

static void wrong_texts_are_refused_with_a_sentence(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "no value of a"},
        {"a=10 b=10 c=10", "no value of d"},
        {"a=10 b=10 c=10 d=10 a=20", "expected knob=value, each knob once, got 'a=20'"},
        {"a=10 b=10 c=10 e=10", "expected knob=value, each knob once, got 'e=10'"},
        {"a=10 nonsense", "expected knob=value, each knob once, got 'nonsense'"},
        {"=10", "expected knob=value, each knob once, got '=10'"},
        {"a=15", "a has no value '15'"},
        {"a=", "a has no value ''"},
        {"a= 10", "a has no value ''"},
        {"a=-10", "a has no value '-10'"},
        {"a=10x b=10", "a has no value '10x'"},
        {"a=99999999999999999999999999", "a has no value '99999999999999999999999999'"},
        {"a=4294967306", "a has no value '4294967306'"}, // 10 in 32 bits
    };
    SlKnobs knobs = four_knobs();
    int32_t point[KNOBS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlError err;
        assert_int_equal(sl_knobs_parse(&knobs, cases[i][0], point, &err), SL_EINPUT);
        assert_string_equal(err.text, cases[i][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_a_point_and_every_point_a_number),
        cmocka_unit_test(numbers_of_large_spaces_do_not_wrap),
        cmocka_unit_test(a_point_is_shown_with_its_values),
        cmocka_unit_test(texts_are_cut_where_there_is_no_room),
        cmocka_unit_test(a_shown_point_can_be_read_again),
        cmocka_unit_test(knobs_may_come_in_any_order),
        cmocka_unit_test(wrong_texts_are_refused_with_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
