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
    SL_OPT_FLAG(Options, "json", json, NULL, .letter = 'j'),
    SL_OPT_WHOLE(Options, "samples", samples, "5", 1, 1000, NULL, NULL, .letter = 'n'),
    SL_OPT_REAL(Options, "rate", rate, NULL, 0, 1, NULL, NULL),
    SL_OPT_REAL(Options, "bound", bound, NULL, 0, 9, NULL, NULL, .letter = 'b', .implied = "0.5"),
    SL_OPT_TEXT(Options, "accel", accel, NULL, NULL, NULL, .letter = 'a'),
    SL_OPT_CHOICE(Options, "objective", objective, NULL, OBJECTIVES, NULL, NULL),
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
    sl_options_json(TABLE, &options, &text);
    require(!text.failed);
    sl_arena_free(&arena);
    return 0;
}
