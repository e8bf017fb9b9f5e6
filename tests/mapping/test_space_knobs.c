// test_space_knobs.c - spaces that make no mappings: points as numbers and as texts, and back.
#include "starling/mapping.h"

#include <string.h>

#include "support/check.h"

static const int VALUES[] = {3, 1, 4, 2};
enum { KNOBS = 4, POINTS = 24 };

static SlArena arena;

static int set_up(void **state) {
    (void)state;
    sl_arena_init(&arena, 0);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    sl_arena_free(&arena);
    return 0;
}

// a, b, c, d with values 10 20 30, 10, 10 20 30 40, 10 20
static SlSpace four_knobs(void) {
    static const int32_t values[] = {10, 20, 30, 40};
    static const char *const names[] = {"a", "b", "c", "d"};
    SlSpace space;
    sl_space_open(&space, NULL, &arena);
    for (int k = 0; k < KNOBS; k++)
        sl_space_add_sizes(&space, names[k], SL_AGENT_MAPPING, VALUES[k], values, &arena);
    assert_true(sl_space_close(&space));
    return space;
}

static void every_number_is_a_point_and_every_point_a_number(void **state) {
    (void)state;
    const SlSpace space = four_knobs();
    int32_t point[KNOBS], last[KNOBS] = {0};
    assert_int_equal(space.n_points, POINTS);
    for (int64_t i = 0; i < POINTS; i++) {
        sl_space_at(&space, i, point);
        for (int k = 0; k < KNOBS; k++) assert_in_range(point[k], 0, VALUES[k] - 1);
        assert_int_equal(sl_space_index(&space, point), i);
        if (i) assert_memory_not_equal(point, last, sizeof point);
        memcpy(last, point, sizeof point);
    }
    // the last knob turns fastest
    sl_space_at(&space, 1, point);
    assert_int_equal(point[3], 1);
}

static void numbers_of_large_spaces_do_not_wrap(void **state) {
    (void)state;
    int32_t values[60];
    SlSpace space;
    for (int i = 0; i < 60; i++) values[i] = i;
    sl_space_open(&space, NULL, &arena);
    for (int k = 0; k < 10; k++)
        sl_space_add_sizes(&space, "knob", SL_AGENT_MAPPING, 60, values, &arena);
    assert_true(sl_space_close(&space));
    int32_t point[10];
    int64_t index = space.n_points - 1; // 6e17
    sl_space_at(&space, index, point);
    for (int k = 0; k < 10; k++) assert_int_equal(point[k], 59);
    assert_true(sl_space_index(&space, point) == index);
}

static void a_point_is_shown_with_its_values(void **state) {
    (void)state;
    const SlSpace space = four_knobs();
    char text[64];
    int32_t point[KNOBS] = {2, 0, 3, 1};
    assert_string_equal(sl_space_show(&space, point, sizeof text, text), "a=30 b=10 c=40 d=20");
}

static void texts_are_cut_where_there_is_no_room(void **state) {
    (void)state;
    const SlSpace space = four_knobs();
    char text[64];
    int32_t point[KNOBS] = {2, 0, 3, 1};
    const char *whole = "a=30 b=10 c=40 d=20";
    for (size_t n = 1; n <= strlen(whole) + 1; n++) {
        memset(text, '#', sizeof text);
        sl_space_show(&space, point, n, text);
        assert_int_equal(strlen(text), n - 1);
        assert_memory_equal(text, whole, n - 1);
        assert_int_equal(text[n], '#');
    }
    text[0] = '#';
    sl_space_show(&space, point, 0, text);
    assert_int_equal(text[0], '#');
}

static void a_shown_point_can_be_read_again(void **state) {
    (void)state;
    const SlSpace space = four_knobs();
    char text[64];
    int32_t point[KNOBS], again[KNOBS];
    SlError err;
    for (int64_t i = 0; i < POINTS; i++) {
        sl_space_at(&space, i, point);
        sl_space_show(&space, point, sizeof text, text);
        assert_int_equal(sl_space_parse(&space, text, again, &err), SL_OK);
        assert_memory_equal(point, again, sizeof point);
    }
}

static void knobs_may_come_in_any_order(void **state) {
    (void)state;
    const SlSpace space = four_knobs();
    int32_t point[KNOBS], right[KNOBS] = {1, 0, 2, 0};
    SlError err;
    assert_int_equal(sl_space_parse(&space, "  d=10 c=30   b=10 a=20 ", point, &err), SL_OK);
    assert_memory_equal(point, right, sizeof point);
}

static void wrong_texts_are_refused_with_a_sentence(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "no value of a"},
        {"a=10 b=10 c=10", "no value of d"},
        {"a=10 b=10 c=10 d=10 a=20", "expected parameter=value, each once, got 'a=20'"},
        {"a=10 b=10 c=10 e=10", "expected parameter=value, each once, got 'e=10'"},
        {"a=10 nonsense", "expected parameter=value, each once, got 'nonsense'"},
        {"=10", "expected parameter=value, each once, got '=10'"},
        {"a=15", "a has no value '15'"},
        {"a=", "a has no value ''"},
        {"a= 10", "a has no value ''"},
        {"a=-10", "a has no value '-10'"},
        {"a=10x b=10", "a has no value '10x'"},
        {"a=99999999999999999999999999", "a has no value '99999999999999999999999999'"},
        {"a=4294967306", "a has no value '4294967306'"}, // 10 in 32 bits
    };
    const SlSpace space = four_knobs();
    int32_t point[KNOBS];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlError err;
        assert_int_equal(sl_space_parse(&space, cases[i][0], point, &err), SL_EINPUT);
        assert_string_equal(err.text, cases[i][1]);
    }
}

// a space of labels and of an order of three, as evaluators from outside give them
static SlSpace labelled_space(void) {
    static const char *const modes[] = {"ws", "os"}, *const loops[] = {"K", "C", "P"};
    static const int32_t sizes[] = {1, 8};
    SlSpace space;
    sl_space_open(&space, NULL, &arena);
    SlParam *mode = sl_space_add(&space, "mode", SL_AGENT_HARDWARE);
    mode->kind = SL_CATEGORICAL, mode->n = 2, mode->labels = modes;
    SlParam *order = sl_space_add(&space, "order", SL_AGENT_SCHEDULING);
    order->kind = SL_PERMUTATION, order->n = 6, order->n_items = 3, order->labels = loops;
    sl_space_add_sizes(&space, "tile", SL_AGENT_MAPPING, 2, sizes, &arena);
    assert_true(sl_space_close(&space));
    return space;
}

static void labels_and_orders_are_shown_and_read(void **state) {
    (void)state;
    const SlSpace space = labelled_space();
    SlKeySet *texts = sl_keyset_make(0, &arena);
    assert_int_equal(space.n_points, 24);
    for (int64_t i = 0; i < space.n_points; i++) {
        char text[64];
        int32_t point[3], again[3];
        SlError err;
        sl_space_at(&space, i, point);
        sl_space_show(&space, point, sizeof text, text);
        if (i == 0) assert_string_equal(text, "mode=ws order=K>C>P tile=1");
        if (i == 23) assert_string_equal(text, "mode=os order=P>C>K tile=8");
        assert_int_equal(sl_space_parse(&space, text, again, &err), SL_OK);
        assert_memory_equal(point, again, sizeof point);
        uint64_t hash = 5381;
        for (const char *at = text; *at; at++) hash = hash * 33 + (unsigned char)*at;
        assert_true(sl_keyset_add(texts, hash)); // no two points share a text
    }
}

static void knobs_have_the_profession_they_were_given(void **state) {
    (void)state;
    const SlSpace space = labelled_space();
    for (int k = 0; k < 3; k++) {
        assert_int_equal(space.params[k].role, SL_ROLE_KNOB);
        assert_int_equal(sl_param_profession(&space.params[k]), k);
    }
    // of mappings the role decides
    assert_int_equal(sl_param_profession(&(SlParam){.role = SL_ROLE_ORDER}), SL_AGENT_SCHEDULING);
    assert_int_equal(sl_param_profession(&(SlParam){.role = SL_ROLE_TILE}), SL_AGENT_MAPPING);
    assert_int_equal(sl_param_profession(&(SlParam){.role = SL_ROLE_PARALLEL}), SL_AGENT_HARDWARE);
    assert_int_equal(sl_param_profession(&(SlParam){.role = SL_ROLE_CLUSTER}), SL_AGENT_HARDWARE);
}

static void spaces_too_large_for_numbers_have_none(void **state) {
    (void)state;
    static const int32_t values[] = {0, 1};
    SlSpace space;
    for (int n = 61; n <= 62; n++) {
        sl_space_open(&space, NULL, &arena);
        for (int k = 0; k < n; k++)
            sl_space_add_sizes(&space, "k", SL_AGENT_MAPPING, 2, values, &arena);
        assert_true(sl_space_close(&space));
        assert_true(space.n_points == (n == 61 ? INT64_C(1) << 61 : 0));
        assert_true(space.log10_size > 18 && space.log10_size < 19);
    }
}

static void too_many_parameters_and_too_little_memory_are_told(void **state) {
    (void)state;
    static const int32_t values[] = {0, 1};
    SlSpace space;
    sl_space_open(&space, NULL, &arena);
    for (int k = 0; k < SL_MAX_PARAMS; k++)
        sl_space_add_sizes(&space, "k", SL_AGENT_MAPPING, 2, values, &arena);
    assert_null(sl_space_add(&space, "one more", SL_AGENT_MAPPING));
    assert_false(sl_space_close(&space));
    for (size_t limit = 64; limit < 1 << 20; limit *= 2) {
        SlArena little;
        sl_arena_init(&little, limit);
        sl_space_open(&space, NULL, &little);
        sl_space_add_sizes(&space, "k", SL_AGENT_MAPPING, 2, values, &little);
        if (limit == 64) assert_false(sl_space_close(&space));
        if (limit == 1 << 19) assert_true(sl_space_close(&space));
        sl_arena_free(&little);
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
        cmocka_unit_test(labels_and_orders_are_shown_and_read),
        cmocka_unit_test(knobs_have_the_profession_they_were_given),
        cmocka_unit_test(spaces_too_large_for_numbers_have_none),
        cmocka_unit_test(too_many_parameters_and_too_little_memory_are_told),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
