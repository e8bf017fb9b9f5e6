// test_names.c - what was probably meant, and what was not.
#include "support/check.h"

#include <string.h>

#include "core/names.h"

static const char *const NAMES[] = {"bandwidth", "capacity", "accel", "K", "C", "latency", NULL};

static void a_slip_of_the_finger_is_understood(void **state) {
    (void)state;
    assert_string_equal(sl_nearest_name("bandwith", NAMES), "bandwidth");
    assert_string_equal(sl_nearest_name("acel", NAMES), "accel");
    assert_string_equal(sl_nearest_name("acecl", NAMES), "accel");
    assert_string_equal(sl_nearest_name("BANDWIDTH", NAMES), "bandwidth");
    assert_string_equal(sl_nearest_name("k", NAMES), "K");
    assert_string_equal(sl_nearest_name("latencies", NAMES), "latency");
}

static void another_word_is_not_a_slip(void **state) {
    (void)state;
    assert_null(sl_nearest_name("energy", NAMES));
    assert_null(sl_nearest_name("X", NAMES));
    assert_null(sl_nearest_name("", NAMES));
    assert_null(sl_nearest_name("band", NAMES));
    char word[5000];
    memset(word, 'b', sizeof word);
    word[sizeof word - 1] = '\0';
    assert_null(sl_nearest_name(word, NAMES));
}

static void the_nearest_wins_and_ties_go_to_the_first(void **state) {
    (void)state;
    static const char *const names[] = {"masac", "mappo", "maddpg", "mapp", NULL};
    assert_string_equal(sl_nearest_name("mappoo", names), "mappo");
    assert_string_equal(sl_nearest_name("mapp", names), "mapp");
    static const char *const twins[] = {"tile1", "tile2", NULL};
    assert_string_equal(sl_nearest_name("tile3", twins), "tile1");
}

static void distances_count_each_kind_of_slip_once(void **state) {
    (void)state;
    assert_int_equal(sl_name_distance("objective", "objective"), 0);
    assert_int_equal(sl_name_distance("objectve", "objective"), 1);
    assert_int_equal(sl_name_distance("objjective", "objective"), 1);
    assert_int_equal(sl_name_distance("objectove", "objective"), 1);
    assert_int_equal(sl_name_distance("obejctive", "objective"), 1);
    assert_int_equal(sl_name_distance("obejctiv", "objective"), 2);
    assert_int_equal(sl_name_distance("", ""), 0);
}

static void a_choice_sentence_lists_the_choices(void **state) {
    (void)state;
    static const char *const names[] = {"latency", "energy", "edp", NULL};
    char out[SL_SENTENCE_ROOM];
    assert_string_equal(sl_choice_sentence("latncy", names, out),
                        "expected one of latency, energy, edp, got 'latncy' (did you mean "
                        "'latency'?)");
    assert_string_equal(sl_choice_sentence("zzzz", names, out),
                        "expected one of latency, energy, edp, got 'zzzz'");
}

static void a_long_list_of_choices_leaves_room_for_the_rest(void **state) {
    (void)state;
    const char *names[101];
    for (int i = 0; i < 100; i++) names[i] = "a-name-of-a-network";
    names[99] = "resnet50";
    names[100] = NULL;
    char out[SL_SENTENCE_ROOM];
    sl_choice_sentence("resnet5", names, out);
    const char *end = ", ..., got 'resnet5' (did you mean 'resnet50'?)";
    assert_true(strlen(out) > strlen(end));
    assert_string_equal(out + strlen(out) - strlen(end), end);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slip_of_the_finger_is_understood),
        cmocka_unit_test(another_word_is_not_a_slip),
        cmocka_unit_test(the_nearest_wins_and_ties_go_to_the_first),
        cmocka_unit_test(distances_count_each_kind_of_slip_once),
        cmocka_unit_test(a_choice_sentence_lists_the_choices),
        cmocka_unit_test(a_long_list_of_choices_leaves_room_for_the_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
