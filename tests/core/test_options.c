// test_options.c - one table fills a struct from defaults, the command line and YAML.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/core/options.h"

typedef struct {
    bool json, color;
    int64_t samples, shift;
    double rate, any, bound;
    const char *accel, *out;
    int objective, method;
} Options;

static const char *const OBJECTIVES[] = {"latency", "energy", "edp", NULL};

static const SlOption TABLE[] = {
    SL_OPT_FLAG(Options, "json", json, NULL, .letter = 'j'),
    SL_OPT_FLAG(Options, "color", color, NULL, .fallback = "true"),
    SL_OPT_WHOLE(Options, "samples", samples, "2000", 1, 1e6, NULL, NULL, .letter = 'n'),
    SL_OPT_WHOLE(Options, "shift", shift, NULL, 0, 0, NULL, NULL),
    SL_OPT_REAL(Options, "rate", rate, "0.5", 0, 1, NULL, NULL),
    SL_OPT_REAL(Options, "any", any, NULL, 0, 0, NULL, NULL),
    SL_OPT_REAL(Options, "bound", bound, NULL, 0, 10, "PERCENT", NULL, .letter = 'b',
                .implied = "0.5"),
    SL_OPT_TEXT(Options, "accel", accel, "eyeriss", NULL, NULL, .letter = 'a'),
    SL_OPT_TEXT(Options, "out", out, NULL, "FILE", NULL),
    SL_OPT_CHOICE(Options, "objective", objective, "edp", OBJECTIVES, NULL, NULL),
    SL_OPT_CHOICE(Options, "method", method, NULL, OBJECTIVES, NULL, NULL),
    {0},
};

enum { MAX_ARGS = 12 };

// parse words up to NULL into fresh options
static SlStatus parse(const char *const *argv, Options *options, SlWords *words, SlError *err) {
    int argc = 0;
    while (argv[argc]) argc++;
    memset(options, 0xAA, sizeof *options);
    sl_options_init(TABLE, options);
    return sl_options_parse(TABLE, argc, argv, options, words, err);
}

#define ARGS(...)                                                                                  \
    (const char *const[MAX_ARGS]) {                                                                \
        __VA_ARGS__, NULL                                                                          \
    }

static void defaults_come_from_the_table(void **state) {
    (void)state;
    Options options;
    memset(&options, 0xAA, sizeof options);
    sl_options_init(TABLE, &options);
    assert_false(options.json);
    assert_true(options.color);
    assert_true(options.samples == 2000);
    assert_true(options.shift == 0);
    assert_true(options.rate == 0.5);
    assert_true(options.any == 0);
    assert_string_equal(options.accel, "eyeriss");
    assert_null(options.out);
    assert_int_equal(options.objective, 2);
    assert_int_equal(options.method, 0);
}

static void every_form_of_an_option_is_understood(void **state) {
    (void)state;
    Options options;
    SlWords words;
    SlError err = {.text = ""};
    assert_int_equal(parse(ARGS("resnet50", "--json", "--no-color", "--samples", "1e3", "-a",
                                "simba", "--rate=0.25", "--objective=energy", "--out=a=b"),
                           &options, &words, &err),
                     SL_OK);
    assert_true(options.json);
    assert_false(options.color);
    assert_true(options.samples == 1000);
    assert_string_equal(options.accel, "simba");
    assert_true(options.rate == 0.25);
    assert_int_equal(options.objective, 1);
    assert_string_equal(options.out, "a=b");
    assert_int_equal(words.n, 1);
    assert_string_equal(words.words[0], "resnet50");
    assert_int_equal(parse(ARGS("-j", "-n8", "--out="), &options, &words, &err), SL_OK);
    assert_true(options.json);
    assert_true(options.samples == 8);
    assert_string_equal(options.out, "");
    assert_int_equal(words.n, 0);
}

static void the_last_of_repeated_options_wins(void **state) {
    (void)state;
    Options options;
    assert_int_equal(parse(ARGS("--json", "--no-json", "-n", "3", "-n", "4"), &options, NULL, NULL),
                     SL_OK);
    assert_false(options.json);
    assert_true(options.samples == 4);
}

static void an_implied_value_is_taken_unless_another_follows_the_equals_sign(void **state) {
    (void)state;
    static const struct {
        const char *args[3];
        double bound;
        int n_words;
    } cases[] = {
        {{"x"}, 0, 1},
        {{"--bound"}, 0.5, 0},
        {{"--bound=2", "3"}, 2, 1},
        {{"--bound=0"}, 0, 0},
        {{"-b"}, 0.5, 0},
        {{"-b3"}, 3, 0},
        {{"--bound", "3"}, 0.5, 1}, // what follows is a word
        {{"-b", "3"}, 0.5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Options options;
        SlWords words;
        SlError err = {.text = ""};
        assert_int_equal(parse(cases[i].args, &options, &words, &err), SL_OK);
        assert_true(options.bound == cases[i].bound);
        assert_int_equal(words.n, cases[i].n_words);
    }
}

static void negative_numbers_are_values_and_words(void **state) {
    (void)state;
    Options options;
    SlWords words;
    assert_int_equal(
        parse(ARGS("--shift", "-3", "--any", "-inf", "-5", "-", "-.5"), &options, &words, NULL),
        SL_OK);
    assert_true(options.shift == -3);
    assert_true(options.any == -INFINITY);
    assert_int_equal(words.n, 3);
    assert_string_equal(words.words[0], "-5");
    assert_string_equal(words.words[1], "-");
    assert_string_equal(words.words[2], "-.5");
}

static void two_dashes_end_the_options(void **state) {
    (void)state;
    Options options;
    SlWords words;
    assert_int_equal(parse(ARGS("a", "--", "--json", "--"), &options, &words, NULL), SL_OK);
    assert_false(options.json);
    assert_int_equal(words.n, 3);
    assert_string_equal(words.words[1], "--json");
    assert_string_equal(words.words[2], "--");
}

typedef struct {
    const char *args[3];
    const char *sentence;
} Refused;

static void mistakes_are_explained(void **state) {
    (void)state;
    static const Refused cases[] = {
        {{"--acel", "x"}, "unknown option --acel (did you mean --accel?)"},
        {{"--acel=x"}, "unknown option --acel (did you mean --accel?)"},
        {{"-accel", "x"}, "unknown option -accel (did you mean --accel?)"},
        {{"--zzzz"}, "unknown option --zzzz"},
        {{"--no-accel"}, "unknown option --no-accel"},
        {{"-q"}, "unknown option -q"},
        {{"-jn"}, "unknown option -jn"},
        {{"--json=1"}, "--json takes no value; use --json or --no-json"},
        {{"--accel"}, "--accel: expected a value: --accel VALUE"},
        {{"--out", "--json"}, "--out: expected a value: --out FILE"},
        {{"--out", "-j"}, "--out: expected a value: --out FILE"},
        {{"--out", "--"}, "--out: expected a value: --out FILE"},
        {{"--samples", "0"}, "--samples: expected a whole number from 1 to 1000000, got '0'"},
        {{"-n", "1000001"}, "--samples: expected a whole number from 1 to 1000000, got '1000001'"},
        {{"-n", "1.5"}, "--samples: expected a whole number from 1 to 1000000, got '1.5'"},
        {{"--shift", "x"}, "--shift: expected a whole number, got 'x'"},
        {{"--rate", "1.01"}, "--rate: expected a number from 0 to 1, got '1.01'"},
        {{"--bound=11"}, "--bound: expected a number from 0 to 10, got '11'"},
        {{"--bound="}, "--bound: expected a number from 0 to 10, got ''"},
        {{"--no-bound"}, "unknown option --no-bound"},
        {{"--rate", "nan"}, "--rate: expected a number from 0 to 1, got 'nan'"},
        {{"--objective", "latncy"},
         "--objective: expected one of latency, energy, edp, got 'latncy' (did you mean "
         "'latency'?)"},
        {{"--accel", "\xff"}, "--accel: expected UTF-8 text, got '?'"},
        {{"word"}, "expected options only, got 'word'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Options options;
        SlError err = {.text = ""};
        assert_int_equal(parse(cases[i].args, &options, NULL, &err), SL_EINPUT);
        assert_string_equal(err.text, cases[i].sentence);
    }
}

static void words_are_limited(void **state) {
    (void)state;
    const char *argv[SL_OPTIONS_MAX_WORDS + 1];
    Options options;
    SlWords words;
    SlError err;
    for (int i = 0; i <= SL_OPTIONS_MAX_WORDS; i++) argv[i] = "w";
    sl_options_init(TABLE, &options);
    assert_int_equal(sl_options_parse(TABLE, SL_OPTIONS_MAX_WORDS, argv, &options, &words, &err),
                     SL_OK);
    assert_int_equal(words.n, SL_OPTIONS_MAX_WORDS);
    assert_int_equal(
        sl_options_parse(TABLE, SL_OPTIONS_MAX_WORDS + 1, argv, &options, &words, &err), SL_EINPUT);
    assert_string_equal(err.text, "expected at most 1024 words, got one more: 'w'");
}

static void one_option_is_set_by_name(void **state) {
    (void)state;
    Options options;
    SlError err;
    sl_options_init(TABLE, &options);
    assert_int_equal(sl_options_set(TABLE, &options, "json", "true", &err), SL_OK);
    assert_true(options.json);
    assert_int_equal(sl_options_set(TABLE, &options, "samples", "17", &err), SL_OK);
    assert_true(options.samples == 17);
    assert_int_equal(sl_options_set(TABLE, &options, "json", "x", &err), SL_EINPUT);
    assert_string_equal(err.text, "--json: expected true or false, got 'x'");
    assert_int_equal(sl_options_set(TABLE, &options, "sampels", "1", &err), SL_EINPUT);
    assert_string_equal(err.text, "unknown option --sampels (did you mean --samples?)");
}

static void absurdly_long_names_are_shown_shortened(void **state) {
    (void)state;
    Options options;
    SlError err;
    char word[5000];
    memset(word, 'x', sizeof word);
    memcpy(word, "--", 2);
    word[sizeof word - 1] = '\0';
    assert_int_equal(parse(ARGS(word), &options, NULL, &err), SL_EINPUT);
    assert_string_equal(err.text, "unknown option --xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...");
}

// read a YAML text over the defaults
static SlStatus read_yaml(SlArena *arena, const char *text, Options *options, SlError *err) {
    const SlNode *root = NULL;
    sl_options_init(TABLE, options);
    SlStatus status = sl_tree_parse("t.yaml", text, strlen(text), arena, &root, err);
    return status == SL_OK ? sl_options_read(TABLE, root, options, err) : status;
}

static void yaml_sets_options_by_name(void **state) {
    (void)state;
    SlArena arena;
    Options options;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(read_yaml(&arena,
                               "json: true\ncolor: off\nsamples: 4_000\nshift: -2\nrate: 1\n"
                               "any: inf\naccel: 'simba'\nout: 7\nobjective: energy\n",
                               &options, &err),
                     SL_OK);
    assert_true(options.json);
    assert_false(options.color);
    assert_true(options.samples == 4000);
    assert_true(options.shift == -2);
    assert_true(options.rate == 1);
    assert_true(options.any == INFINITY);
    assert_string_equal(options.accel, "simba");
    assert_string_equal(options.out, "7");
    assert_int_equal(options.objective, 1);
    sl_arena_free(&arena);
}

typedef struct {
    const char *text, *sentence;
} RefusedText;

static void mistakes_in_yaml_have_a_place(void **state) {
    (void)state;
    static const RefusedText cases[] = {
        {"json: 1", "t.yaml:1:7: json: expected true or false, got '1'"},
        {"\nsamples: 0",
         "t.yaml:2:10: samples: expected a whole number from 1 to 1000000, got '0'"},
        {"rate: -1", "t.yaml:1:7: rate: expected a number from 0 to 1, got '-1'"},
        {"accel: [a]", "t.yaml:1:8: accel: expected a single value, got a list"},
        {"objective: x", "t.yaml:1:12: objective: expected one of latency, energy, edp, got 'x'"},
        {"json: true\nrates: 1", "t.yaml:2:1: unknown key 'rates' (did you mean 'rate'?)"},
        {"[a]", "t.yaml:1:1: expected a map, got a list"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SlArena arena;
        Options options;
        SlError err;
        char out[800];
        sl_arena_init(&arena, 0);
        assert_int_equal(read_yaml(&arena, cases[i].text, &options, &err), SL_EINPUT);
        assert_string_equal(sl_error_text(&err, sizeof out, out), cases[i].sentence);
        sl_arena_free(&arena);
    }
}

static void an_option_knows_whether_it_has_its_default(void **state) {
    (void)state;
    Options options;
    const char *set[] = {"--json",  "--samples=7",         "--rate=1",
                         "--out=x", "--objective=latency", NULL};
    const char *same[] = {"--color", "--samples=2000", "--rate=0.5", "--accel=eyeriss", NULL};
    assert_int_equal(parse(same, &options, NULL, NULL), SL_OK);
    for (const SlOption *row = TABLE; row->name; row++)
        assert_true(sl_option_is_default(TABLE, row->name, &options));
    assert_int_equal(parse(set, &options, NULL, NULL), SL_OK);
    const char *changed[] = {"json", "samples", "rate", "out", "objective"};
    for (int i = 0; i < 5; i++) assert_false(sl_option_is_default(TABLE, changed[i], &options));
    assert_true(sl_option_is_default(TABLE, "accel", &options));
    options.accel = "nvdla";
    assert_false(sl_option_is_default(TABLE, "accel", &options));
}

static void tables_are_joined_into_one(void **state) {
    (void)state;
    typedef struct {
        int64_t seed;
        Options one, two;
    } Both;
    static const SlOption own[] = {
        SL_OPT_WHOLE(Both, "seed", seed, "3", 0, 9, "N", "of all"),
        {0},
    };
    SlArena arena;
    SlError err;
    Both both = {0};
    const SlOptionPart parts[] = {{.table = own},
                                  {TABLE, offsetof(Both, one), "samples rate"},
                                  {TABLE, offsetof(Both, two), "accel"}};
    sl_arena_init(&arena, 0);
    const SlOption *table = sl_options_join(3, parts, &arena);
    assert_non_null(table);
    sl_options_init(table, &both);
    assert_int_equal(both.seed, 3);
    assert_int_equal(both.one.samples, 2000);
    assert_string_equal(both.two.accel, "eyeriss");
    assert_null(both.one.accel);
    assert_int_equal(sl_options_set(table, &both, "rate", "0.25", &err), SL_OK);
    assert_true(both.one.rate == 0.25 && both.two.rate == 0);
    assert_int_equal(sl_options_set(table, &both, "json", "true", &err), SL_EINPUT);
    sl_arena_free(&arena);
    sl_arena_init(&arena, 16);
    assert_null(sl_options_join(3, parts, &arena));
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_joined_into_one),
        cmocka_unit_test(defaults_come_from_the_table),
        cmocka_unit_test(an_option_knows_whether_it_has_its_default),
        cmocka_unit_test(every_form_of_an_option_is_understood),
        cmocka_unit_test(the_last_of_repeated_options_wins),
        cmocka_unit_test(an_implied_value_is_taken_unless_another_follows_the_equals_sign),
        cmocka_unit_test(negative_numbers_are_values_and_words),
        cmocka_unit_test(two_dashes_end_the_options),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(words_are_limited),
        cmocka_unit_test(one_option_is_set_by_name),
        cmocka_unit_test(absurdly_long_names_are_shown_shortened),
        cmocka_unit_test(yaml_sets_options_by_name),
        cmocka_unit_test(mistakes_in_yaml_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
