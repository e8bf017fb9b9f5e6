// test_nest_yaml.c - mappings as YAML, and files of both forms.
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mapping/nest_inside.h"
#include "nest_cases.h"

static SlStatus parse(const char *text, SlMapping *mapping, SlError *err) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_mapping_parse_yaml("m.yaml", text, strlen(text), &arena, mapping, err);
    sl_arena_free(&arena);
    return status;
}

static void expect_nest(const char *yaml, const char *nest) {
    SlMapping mapping;
    SlError err;
    char text[SL_NEST_TEXT_MAX];
    if (parse(yaml, &mapping, &err) != SL_OK) fail_msg("%d: %s", err.line, err.text);
    assert_string_equal(sl_mapping_write(&mapping, sizeof text, text), nest);
}

static void expect_error(const char *yaml, const char *sentence) {
    SlMapping mapping;
    SlError err;
    char text[800];
    assert_int_equal(parse(yaml, &mapping, &err), SL_EINPUT);
    assert_string_equal(sl_error_text(&err, sizeof text, text), sentence);
}

static void the_documented_example_reads(void **state) {
    (void)state;
    expect_nest("layer: vgg16:conv1_2\n"
                "accel: eyeriss\n"
                "mapping:                  # outermost first\n"
                "  - level: DRAM\n"
                "    loops:\n"
                "      - K: 64             # in time, tiles of 64\n"
                "      - C: 29\n"
                "  - level: L2\n"
                "    keep: [W, I, O]\n"
                "    loops:\n"
                "      - spatial K: 8      # side by side, tiles of 8\n"
                "      - P: 1\n"
                "  - level: L1\n"
                "    keep: [W]\n"
                "    loops: [{K: 1}, {C: 1}]\n",
                "K:64 C:29 @7 K*8 P:1 @1 K:1 C:1");
}

static void short_forms_read(void **state) {
    (void)state;
    expect_nest("nest: 'K:4 @7 K*1 @0'", "K:4 @7 K*1 @0");
    expect_nest("{mapping: [{}, {}, {keep: []}, {loops: [spatial K: 1]}]}", "@7 @0 @7 K*1");
}

static void mistakes_are_named_at_their_place(void **state) {
    (void)state;
    expect_error("nest: K:4 k:1", "m.yaml:1:7: column 5: 'k:1': unknown dim 'k' (did you mean K?)");
    expect_error("mapping: []", "m.yaml:1:10: expected at least one level in the mapping");
    expect_error("layer: x", "m.yaml:1:1: expected either 'mapping' (levels) or 'nest' (text)");
    expect_error("nest: ''\nmapping: [{}]",
                 "m.yaml:1:1: expected either 'mapping' (levels) or 'nest' (text)");
    expect_error("maping: []", "m.yaml:1:1: unknown key 'maping' (did you mean 'mapping'?)");
    expect_error("mapping:\n  - loops:\n    - k: 4\n",
                 "m.yaml:3:7: unknown loop 'k', expected a dim (N G K C P Q R S) or 'spatial' and "
                 "a dim (did you mean K?)");
    expect_error("mapping:\n  - loops:\n    - spacial K: 4\n",
                 "m.yaml:3:7: unknown loop 'spacial K', expected a dim (N G K C P Q R S) or "
                 "'spatial' and a dim");
    expect_error("mapping:\n  - loops:\n    - {K: 4, C: 2}\n",
                 "m.yaml:3:7: expected one loop per list item, like '- K: 64'");
    expect_error("mapping:\n  - level: L2\n    keep: [W]\n",
                 "m.yaml:3:11: the outermost level keeps everything: leave 'keep' out, or put the "
                 "missing outermost level (DRAM) before this one");
    expect_error("mapping: [{}, {}, {}, {}, {}, {}, {}, {}]",
                 "m.yaml:1:39: a nest has at most 7 levels");
}

static void wrong_kinds_and_numbers_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        "",
        "- 1",
        "mapping: 3",
        "mapping: [3]",
        "mapping: [{loops: {K: 1}}]",
        "mapping: [{loops: [K]}]",
        "mapping: [{loops: [K: 0]}]",
        "mapping: [{loops: [K: -4]}]",
        "mapping: [{loops: [K: 1.5]}]",
        "mapping: [{loops: [K: 9007199254740993]}]",
        "mapping: [{loops: [K: []]}]",
        "mapping: [{}, {keep: W}]",
        "mapping: [{}, {keep: [X]}]",
        "mapping: [{level: []}]",
        "nest: []",
        "mapping: [{loops: ['spatial ': 1]}]",
        "mapping: [{loops: ['': 1]}]",
        "mapping: [",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        SlMapping mapping;
        SlError err = {.text = ""};
        if (parse(bad[i], &mapping, &err) != SL_EINPUT) fail_msg("accepted: %s", bad[i]);
        assert_true(err.text[0] != '\0');
    }
}

static void more_than_40_loops_are_refused(void **state) {
    (void)state;
    char yaml[1024] = "mapping:\n - loops:\n";
    for (int i = 0; i < SL_MAX_LOOPS + 1; i++) strcat(yaml, "   - K: 1\n");
    expect_error(yaml, "m.yaml:43:6: a nest has at most 40 loops");
}

static void random_nests_round_trip_through_yaml(void **state) {
    (void)state;
    SlRng rng;
    SlAccel simba = accel_of("simba");
    sl_rng_init(&rng, 1, "yaml");
    for (int i = 0; i < 1000; i++) {
        SlLayer layer;
        SlMapping mapping, back;
        SlArena arena;
        SlText out;
        SlError err;
        layer_sample(&rng, &layer);
        nest_sample(&rng, &layer, &mapping);
        sl_arena_init(&arena, 0);
        sl_text_init(&out, &arena);
        sl_mapping_write_yaml(&mapping, i % 2 ? &simba : NULL, &out);
        assert_false(out.failed);
        if (parse(out.data, &back, &err) != SL_OK) fail_msg("%s\n%s", err.text, out.data);
        assert_memory_equal(&mapping, &back, sizeof back);
        sl_arena_free(&arena);
    }
}

static void writing_names_the_levels(void **state) {
    (void)state;
    SlMapping mapping = nest_of("K:4 @5 @0 K*1");
    SlAccel eyeriss = accel_of("eyeriss");
    SlArena arena;
    SlText out;
    sl_arena_init(&arena, 0);
    sl_text_init(&out, &arena);
    sl_mapping_write_yaml(&mapping, &eyeriss, &out);
    assert_string_equal(out.data, "mapping: # outermost first\n"
                                  "  - level: DRAM\n"
                                  "    loops:\n"
                                  "      - K: 4\n"
                                  "  - level: L2\n"
                                  "    keep: [W, O]\n"
                                  "    loops: []\n"
                                  "  - level: L1\n"
                                  "    keep: []\n"
                                  "    loops:\n"
                                  "      - spatial K: 1\n");
    sl_arena_free(&arena);
}

// the nest of a file with this content, or its error
static void expect_file(const char *content, const char *nest, const char *sentence) {
    char text[SL_NEST_TEXT_MAX];
    SlArena arena;
    SlMapping mapping;
    SlError err = {.text = ""};
    sl_arena_init(&arena, 0);
    SlStatus status =
        sl_mapping_parse_file("m.txt", content, strlen(content), &arena, &mapping, &err);
    assert_int_equal(arena.used, 0);
    sl_arena_free(&arena);
    assert_int_equal(status, nest ? SL_OK : SL_EINPUT);
    if (nest) assert_string_equal(sl_mapping_write(&mapping, sizeof text, text), nest);
    if (!nest) assert_string_equal(err.text, sentence);
    if (!nest) assert_string_equal(err.file, "m.txt");
}

static void files_are_read_by_what_they_contain(void **state) {
    (void)state;
    const char *nest = "# best so far\n\nK:4 # outer\n@7 K:1\n";
    const char *yaml = "# best so far\nnest: 'K:4 @7 K:1'\n";
    const char *wrong = "# x\nK:4 q:1";
    expect_file(nest, "K:4 @7 K:1", NULL);
    expect_file(yaml, "K:4 @7 K:1", NULL);
    expect_file("@7", "@7", NULL);
    expect_file(wrong, NULL, "'q:1': unknown dim 'q' (did you mean Q?)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_documented_example_reads),
        cmocka_unit_test(short_forms_read),
        cmocka_unit_test(mistakes_are_named_at_their_place),
        cmocka_unit_test(wrong_kinds_and_numbers_are_refused),
        cmocka_unit_test(more_than_40_loops_are_refused),
        cmocka_unit_test(random_nests_round_trip_through_yaml),
        cmocka_unit_test(writing_names_the_levels),
        cmocka_unit_test(files_are_read_by_what_they_contain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
