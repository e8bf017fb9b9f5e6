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

#define FIELD(field) .name = #field, .offset = offsetof(Options, field)

static const SlOption TABLE[] = {
    {FIELD(accel), .letter = 'a', .kind = SL_OPTION_TEXT, .fallback = "eyeriss", .value = "FILE",
     .help = "accelerator"},
    {FIELD(json), .kind = SL_OPTION_FLAG, .help = "print JSON"},
    {FIELD(color), .kind = SL_OPTION_FLAG, .fallback = "true", .help = "colours"},
    {FIELD(samples), .letter = 'n', .kind = SL_OPTION_INT, .fallback = "2000", .min = 1,
     .max = 9007199254740991, .value = "N",
     .help = "evaluations of the cost model that every method may use for each of "
             "the layers"},
    {FIELD(seed), .kind = SL_OPTION_INT, .fallback = "0", .max = INFINITY, .value = "N",
     .help = "seed"},
    {FIELD(rate), .kind = SL_OPTION_REAL, .fallback = "3e-4", .max = 1, .value = "R",
     .help = "rate"},
    {FIELD(most), .kind = SL_OPTION_REAL, .min = -INFINITY, .max = 5, .value = "R", .help = "most"},
    {FIELD(out), .kind = SL_OPTION_TEXT, .value = "A-VERY-LONG-NAME-FOR-A-FILE", .help = "a|b"},
    {FIELD(objective), .kind = SL_OPTION_CHOICE, .choices = OBJECTIVES, .value = "NAME",
     .help = "what to minimise"},
    {FIELD(bound), .letter = 'b', .kind = SL_OPTION_REAL, .max = 9, .value = "P", .implied = "0.5",
     .help = "prove a bound"},
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
        "                        layers (1 to 9007199254740991; default: 2000)\n"
        "      --seed N          seed (at least 0; default: 0)\n"
        "      --rate R          rate (0 to 1; default: 3e-4)\n"
        "      --most R          most (at most 5)\n"
        "      --out A-VERY-LONG-NAME-FOR-A-FILE\n"
        "                        a|b\n"
        "      --objective NAME  what to minimise (latency, energy, edp; default: latency)\n"
        "  -b, --bound[=P]       prove a bound (0 to 9)\n");
    sl_arena_free(&arena);
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

static void the_document_is_a_markdown_table(void **state) {
    (void)state;
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_options_doc(TABLE + 6, &text);
    assert_string_equal(
        text.data, "| option | values | default | meaning |\n"
                   "|---|---|---|---|\n"
                   "| `--most R` | at most 5 |  | most |\n"
                   "| `--out A-VERY-LONG-NAME-FOR-A-FILE` |  |  | a\\|b |\n"
                   "| `--objective NAME` | latency, energy, edp | `latency` | what to minimise "
                   "|\n"
                   "| `-b, --bound[=P]` | 0 to 9 |  | prove a bound |\n");
    sl_arena_free(&arena);
}

static void values_become_json_under_their_names(void **state) {
    (void)state;
    Options options;
    sl_options_init(TABLE, &options);
    options.most = INFINITY;
    json_t *json = sl_options_json(TABLE, &options);
    assert_non_null(json);
    char *text = json_dumps(json, JSON_COMPACT);
    assert_string_equal(text,
                        "{\"accel\":\"eyeriss\",\"json\":false,\"color\":true,\"samples\":2000,"
                        "\"seed\":0,\"rate\":0.00029999999999999997,\"most\":null,\"out\":null,"
                        "\"objective\":\"latency\",\"bound\":0}");
    free(text);
    json_decref(json);
}

static SlStatus show_help(SlArena *arena) {
    SlText text;
    sl_text_init(&text, arena);
    sl_options_help(TABLE, &text);
    sl_options_doc(TABLE, &text);
    return text.failed ? SL_ENOMEM : SL_OK;
}

static void without_memory_the_text_is_marked_as_failed(void **state) {
    (void)state;
    assert_true(sweep_memory(show_help, false) > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_is_aligned_wrapped_and_complete),
        cmocka_unit_test(no_help_line_is_too_long),
        cmocka_unit_test(the_document_is_a_markdown_table),
        cmocka_unit_test(values_become_json_under_their_names),
        cmocka_unit_test(without_memory_the_text_is_marked_as_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
