// test_nest_text.c - the nest text, read and written.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "nest_cases.h"

static void expect_error(const char *nest, int line, int column, const char *sentence) {
    SlMapping mapping;
    SlError err;
    assert_int_equal(sl_mapping_parse(nest, &mapping, &err), SL_EINPUT);
    assert_string_equal(err.text, sentence);
    assert_int_equal(err.line, line);
    assert_int_equal(err.column, column);
}

static void the_example_of_the_spec_reads(void **state) {
    (void)state;
    SlMapping m = nest_of("C:1 P:2 @7 K*2 K:1 R:1 @5 P:1");
    assert_int_equal(m.n_loops, 6);
    assert_int_equal(m.n_boundaries, 2);
    assert_int_equal(m.at[0], 2);
    assert_int_equal(m.at[1], 5);
    assert_int_equal(m.keep[0], 7);
    assert_int_equal(m.keep[1], 5);
    assert_int_equal(m.loops[2].dim, SL_K);
    assert_true(m.loops[2].spatial);
    assert_int_equal(m.loops[2].tile, 2);
    assert_false(m.loops[3].spatial);
}

static void blanks_line_breaks_and_comments_separate(void **state) {
    (void)state;
    char text[SL_NEST_TEXT_MAX];
    SlMapping m = nest_of("  # a note\n\tK:4 K:1# the end\r\n\n@7   C*9007199254740992\n");
    assert_string_equal(sl_mapping_write(&m, sizeof text, text), "K:4 K:1 @7 C*9007199254740992");
    m = nest_of("");
    assert_string_equal(sl_mapping_write(&m, sizeof text, text), "");
}

static void malformed_texts_get_one_sentence_with_the_column(void **state) {
    (void)state;
    expect_error("K:4 k:1", 0, 5, "column 5: 'k:1': unknown dim 'k' (did you mean K?)");
    expect_error("X:4", 0, 1,
                 "column 1: 'X:4': expected a loop (K:4, K*4) over N G K C P Q R S, or a boundary "
                 "(@7)");
    expect_error("K", 0, 1,
                 "column 1: 'K': expected ':' (in time) or '*' (side by side) after the dim");
    const char *tile = "expected a tile size in 1..2^53 after the dim";
    static const char *const tiles[] = {"K:",
                                        "K:0",
                                        "K:-1",
                                        "K:+1",
                                        "K:1.5",
                                        "K:4x",
                                        "K:9007199254740993",
                                        "K:99999999999999999999999",
                                        "K: 4"};
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        char sentence[128];
        int n = (int)strcspn(tiles[i], " ");
        snprintf(sentence, sizeof sentence, "column 1: '%.*s': %s", n, tiles[i], tile);
        expect_error(tiles[i], 0, 1, sentence);
    }
    const char *mask = "expected @ and the sum of kept tensors (W 1, I 2, O 4), @0 to @7";
    static const char *const masks[] = {"@", "@8", "@-1", "@77", "@W"};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        char sentence[128];
        snprintf(sentence, sizeof sentence, "column 1: '%s': %s", masks[i], mask);
        expect_error(masks[i], 0, 1, sentence);
    }
}

static void strange_bytes_and_long_tokens_are_quoted_short(void **state) {
    (void)state;
    expect_error("K:1 \xff\x01", 0, 5,
                 "column 5: '\?\?': expected a loop (K:4, K*4) over N G K C P Q R S, or a boundary "
                 "(@7)");
    expect_error("K:111111111111111111111111111111111111111111", 0, 1,
                 "column 1: 'K:1111111111111111111111111111111111...': expected a tile size in "
                 "1..2^53 after the dim");
    expect_error("K:4\nK:1 q*1", 2, 5, "'q*1': unknown dim 'q' (did you mean Q?)");
}

static void too_many_loops_and_boundaries_are_refused(void **state) {
    (void)state;
    char text[512] = "";
    for (int i = 0; i < SL_MAX_LOOPS; i++) strcat(text, "K:1 ");
    assert_int_equal(nest_of(text).n_loops, SL_MAX_LOOPS);
    strcat(text, "C:1");
    expect_error(text, 0, 161, "column 161: 'C:1': a nest has at most 40 loops");
    assert_int_equal(nest_of("@1 @2 @3 @4 @5 @6").n_boundaries, 6);
    expect_error("@1 @2 @3 @4 @5 @6 @7", 0, 19,
                 "column 19: '@7': a nest has at most 6 storage boundaries");
}

static void random_nests_round_trip_through_text(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "text");
    for (int i = 0; i < 5000; i++) {
        SlLayer layer;
        SlMapping mapping;
        char text[SL_NEST_TEXT_MAX];
        layer_sample(&rng, &layer);
        nest_sample(&rng, &layer, &mapping);
        SlMapping back = nest_of(sl_mapping_write(&mapping, sizeof text, text));
        assert_memory_equal(&mapping, &back, sizeof back);
    }
}

static void the_longest_nest_fits_its_room_and_short_rooms_cut(void **state) {
    (void)state;
    SlMapping mapping = {.n_loops = SL_MAX_LOOPS, .n_boundaries = SL_MAX_BOUNDARIES};
    for (int i = 0; i < SL_MAX_LOOPS; i++) mapping.loops[i] = (SlLoop){INT64_MAX, SL_K, true};
    for (int b = 0; b < SL_MAX_BOUNDARIES; b++) mapping.at[b] = SL_MAX_LOOPS, mapping.keep[b] = 255;
    char text[SL_NEST_TEXT_MAX], cut[10];
    assert_true(strlen(sl_mapping_write(&mapping, sizeof text, text)) < SL_NEST_TEXT_MAX - 1);
    assert_string_equal(sl_mapping_write(&mapping, sizeof cut, cut), "K*9223372");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_spec_reads),
        cmocka_unit_test(blanks_line_breaks_and_comments_separate),
        cmocka_unit_test(malformed_texts_get_one_sentence_with_the_column),
        cmocka_unit_test(strange_bytes_and_long_tokens_are_quoted_short),
        cmocka_unit_test(too_many_loops_and_boundaries_are_refused),
        cmocka_unit_test(random_nests_round_trip_through_text),
        cmocka_unit_test(the_longest_nest_fits_its_room_and_short_rooms_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
