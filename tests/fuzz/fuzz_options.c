// fuzz_options.c - any words as a command line: values within their ranges, or one sentence.
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "starling/core/json.h"
#include "starling/core/options.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

typedef struct {
    bool json;
    int64_t samples;
    double rate, bound;
    const char *accel;
    int objective;
} Options;

static const char *const OBJECTIVES[] = {"latency", "energy", "edp", NULL};

static const SlOption TABLE[] = {
    {.name = "json", .letter = 'j', .kind = SL_OPTION_FLAG, .offset = offsetof(Options, json)},
    {.name = "samples",
     .letter = 'n',
     .kind = SL_OPTION_INT,
     .offset = offsetof(Options, samples),
     .fallback = "5",
     .min = 1,
     .max = 1000},
    {.name = "rate", .kind = SL_OPTION_REAL, .offset = offsetof(Options, rate), .max = 1},
    {.name = "bound",
     .letter = 'b',
     .kind = SL_OPTION_REAL,
     .offset = offsetof(Options, bound),
     .max = 9,
     .implied = "0.5"},
    {.name = "accel", .letter = 'a', .kind = SL_OPTION_TEXT, .offset = offsetof(Options, accel)},
    {.name = "objective",
     .kind = SL_OPTION_CHOICE,
     .offset = offsetof(Options, objective),
     .choices = OBJECTIVES},
    {0},
};

static void require(bool holds) {
    if (!holds) abort();
}

// the lines of the input as words
static int split(char *text, int room, const char **words) {
    int n = 0;
    for (char *word = strtok(text, "\n"); word && n < room; word = strtok(NULL, "\n"))
        words[n++] = word;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    const char *argv[100];
    int argc = split(sl_arena_text(&arena, (const char *)data, n), 100, argv);
    Options options;
    SlWords words;
    SlError err = {.text = ""};
    sl_options_init(TABLE, &options);
    SlStatus status = sl_options_parse(TABLE, argc, argv, &options, &words, &err);
    require(words.n >= 0 && words.n <= argc);
    require((status == SL_OK) == (err.text[0] == '\0'));
    require(options.samples >= 1 && options.samples <= 1000);
    require(options.rate >= 0 && options.rate <= 1);
    require(options.bound >= 0 && options.bound <= 9);
    require(options.objective >= 0 && options.objective < 3);
    // whatever was accepted can be written down
    SlText text;
    sl_text_init(&text, &arena);
    require(sl_json_print(sl_options_json(TABLE, &options), &text, NULL) == SL_OK);
    sl_arena_free(&arena);
    return 0;
}
