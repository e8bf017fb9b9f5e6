// test_options_show.c - the table as help, as Markdown and as JSON.
#include "support/check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sweep.h"
#include "starling/core/options.h"

typedef struct {
    bool json, color;
    int64_t samples, seed;
    double rate, most, bound;
    const char *accel, *out;
    int objective;
} Options;

static const char *const OBJECTIVES[] = {"latency", "energy", "edp", NULL};

static const SlOption TABLE[] = {
    SL_OPT_TEXT(Options, "accel", accel, "eyeriss", "FILE", "accelerator", .letter = 'a'),
    SL_OPT_FLAG(Options, "json", json, "print JSON"),
    SL_OPT_FLAG(Options, "color", color, "colours", .fallback = "true"),
    SL_OPT_WHOLE(Options, "samples", samples, "2000", 1, 9007199254740991, "N",
                 "evaluations of the cost model that every method may use for each of the layers",
                 .letter = 'n'),
    SL_OPT_WHOLE(Options, "seed", seed, "0", 0, INFINITY, "N", "seed"),
    SL_OPT_REAL(Options, "rate", rate, "3e-4", 0, 1, "R", "rate"),
    SL_OPT_REAL(Options, "most", most, NULL, -INFINITY, 5, "R", "most"),
    SL_OPT_TEXT(Options, "out", out, NULL, "A-VERY-LONG-NAME-FOR-A-FILE", "a|b"),
    SL_OPT_CHOICE(Options, "objective", objective, NULL, OBJECTIVES, "NAME", "what to minimise"),
    SL_OPT_REAL(Options, "bound", bound, NULL, 0, 9, "P", "prove a bound", .letter = 'b',
                .implied = "0.5"),
    {0},
};

static void help_is_aligned_wrapped_and_complete(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_options_help(TABLE, &text);
    assert_string_equal(
        text.data,
        "  -a, --accel FILE      accelerator (default: eyeriss)\n"
        "      --json            print JSON\n"
        "      --[no-]color      colours (default: on)\n"
        "  -n, --samples N       evaluations of the cost model that every method may use for each "
        "of the\n"
        "                        layers (default: 2000)\n"
        "      --seed N          seed (default: 0)\n"
        "      --rate R          rate (default: 3e-4)\n"
        "      --most R          most\n"
        "      --out A-VERY-LONG-NAME-FOR-A-FILE\n"
        "                        a|b\n"
        "      --objective NAME  what to minimise (latency, energy, edp; default: latency)\n"
        "  -b, --bound[=P]       prove a bound\n");
    sl_arena_free(&arena);
}

static void a_meaning_has_limits_and_choices_that_its_help_leaves_out(void **state) {
    (void)state;
    static const char *const kinds[] = {"fixed", "re-use", NULL};
    static const SlOption glossed = {.name = "x",
                                     .kind = SL_OPTION_CHOICE,
                                     .choices = kinds,
                                     .help = "core: fixed (as given) or re-use (of the last)"};
    static const SlOption hinted = {
        .name = "x", .kind = SL_OPTION_CHOICE, .choices = kinds, .help = "fixedness, or re-used"};
    char out[200];
    assert_string_equal(sl_option_meaning(&glossed, true, sizeof out, out),
                        "core: fixed (as given) or re-use (of the last) (default: fixed)");
    assert_string_equal(sl_option_meaning(&hinted, true, sizeof out, out),
                        "fixedness, or re-used (fixed, re-use; default: fixed)");
    assert_string_equal(sl_option_meaning(&TABLE[3], true, sizeof out, out),
                        "evaluations of the cost model that every method may use for each of the "
                        "layers (at least 1; default: 2000)");
    assert_string_equal(sl_option_meaning(&TABLE[5], true, sizeof out, out),
                        "rate (0 to 1; default: 3e-4)");
    assert_string_equal(sl_option_meaning(&TABLE[5], false, sizeof out, out),
                        "rate (default: 3e-4)");
}

static void no_help_line_is_too_long(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    char help[600];
    for (size_t i = 0; i < sizeof help; i++) help[i] = i % 7 == 6 ? ' ' : 'w';
    help[sizeof help - 1] = '\0';
    const SlOption table[] = {{.name = "x", .kind = SL_OPTION_FLAG, .help = help}, {0}};
    sl_options_help(table, &text);
    int lines = 0;
    for (const char *line = text.data; *line; lines++) {
        size_t n = strcspn(line, "\n");
        assert_true(n <= 100);
        line += n + 1;
    }
    assert_true(lines >= 6 && lines <= 8);
    sl_arena_free(&arena);
}

static void values_become_json_under_their_names(void **state) {
    (void)state;
    Options options;
    sl_options_init(TABLE, &options);
    options.most = INFINITY;
    options.seed = INT64_MAX;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_options_json(TABLE, &options, &text);
    assert_false(text.failed);
    assert_string_equal(
        text.data,
        "{\"accel\": \"eyeriss\", \"json\": false, \"color\": true, \"samples\": 2000, "
        "\"seed\": 9223372036854775807, \"rate\": 0.0003, \"most\": null, \"out\": null, "
        "\"objective\": \"latency\", \"bound\": 0}");
    sl_arena_free(&arena);
}

static void reals_are_whole_or_have_15_digits(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {-0.0, "{\"x\": 0}"},      {1849688064, "{\"x\": 1849688064}"},
        {0.1, "{\"x\": 0.1}"},     {0x1p53, "{\"x\": 9.00719925474099e15}"},
        {1e300, "{\"x\": 1e300}"}, {2.5e-9, "{\"x\": 2.5e-9}"},
        {NAN, "{\"x\": null}"},    {-INFINITY, "{\"x\": null}"},
    };
    static const SlOption table[] = {{.name = "x", .kind = SL_OPTION_REAL}, {0}};
    SlArena arena;
    sl_arena_init(&arena, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlText text;
        sl_text_init(&text, &arena);
        sl_options_json(table, &cases[i].value, &text);
        assert_string_equal(text.data, cases[i].text);
    }
    sl_arena_free(&arena);
}

static void a_text_that_is_not_utf8_fails(void **state) {
    (void)state;
    static const SlOption table[] = {{.name = "x", .kind = SL_OPTION_TEXT}, {0}};
    const char *values[] = {"\xc3\xa9\n", "\xff"};
    SlArena arena;
    SlText good, bad;
    sl_arena_init(&arena, 0);
    sl_text_init(&good, &arena);
    sl_text_init(&bad, &arena);
    sl_options_json(table, &values[0], &good);
    sl_options_json(table, &values[1], &bad);
    assert_string_equal(good.data, "{\"x\": \"\xc3\xa9\\n\"}");
    assert_true(bad.failed);
    sl_arena_free(&arena);
}

// allocations that Jansson may still make
static int allowance;

static void *limited_malloc(size_t n) {
    return allowance-- > 0 ? malloc(n) : NULL;
}

static void without_memory_for_jansson_the_text_is_marked_as_failed(void **state) {
    (void)state;
    Options options;
    SlArena arena;
    sl_arena_init(&arena, 0);
    sl_options_init(TABLE, &options);
    int n_failed = 0;
    for (int n = 0; n < 100; n++) {
        SlText text;
        sl_text_init(&text, &arena);
        json_set_alloc_funcs(limited_malloc, free);
        allowance = n;
        sl_options_json(TABLE, &options, &text);
        json_set_alloc_funcs(malloc, free);
        n_failed += text.failed;
        if (!text.failed) assert_int_equal(text.data[text.n - 1], '}');
    }
    assert_true(n_failed > 10 && n_failed < 100);
    sl_arena_free(&arena);
}

static SlStatus show_help(SlArena *arena) {
    SlText text;
    sl_text_init(&text, arena);
    sl_options_help(TABLE, &text);
    Options options;
    sl_options_init(TABLE, &options);
    sl_options_json(TABLE, &options, &text);
    return text.failed ? SL_ENOMEM : SL_OK;
}

static void without_memory_the_text_is_marked_as_failed(void **state) {
    (void)state;
    assert_true(sweep_memory(show_help, false) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_is_aligned_wrapped_and_complete),
        cmocka_unit_test(a_meaning_has_limits_and_choices_that_its_help_leaves_out),
        cmocka_unit_test(no_help_line_is_too_long),
        cmocka_unit_test(values_become_json_under_their_names),
        cmocka_unit_test(reals_are_whole_or_have_15_digits),
        cmocka_unit_test(a_text_that_is_not_utf8_fails),
        cmocka_unit_test(without_memory_for_jansson_the_text_is_marked_as_failed),
        cmocka_unit_test(without_memory_the_text_is_marked_as_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
