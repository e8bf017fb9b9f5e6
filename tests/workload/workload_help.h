// workload_help.h - what the tests of this module share: reading text, expecting an error.
#pragma once

#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "starling/workload.h"

// One malformed text and what the reader must say about it.
typedef struct {
    const char *text;
    int line, column;
    const char *sentence;
} BadText;

// the error is the expected one, to the letter
static inline void expect_error(const SlError *err, const BadText *bad) {
    assert_string_equal(err->text, bad->sentence);
    if (err->line != bad->line || err->column != bad->column) {
        fail_msg("%s\nexpected at %d:%d, got %d:%d", bad->text, bad->line, bad->column, err->line,
                 err->column);
    }
}

// a network from text in memory; fails the test with the reader's sentence
static inline void parse_network(const char *file, const char *text, SlArena *arena,
                                 SlNetwork *net) {
    SlError err;
    char line[1024];
    if (sl_network_parse(file, text, strlen(text), arena, net, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof line, line));
}

// an inline layer; fails the test with the parser's sentence
static inline SlLayer parse_layer(const char *text) {
    SlLayer layer;
    SlError err;
    if (sl_layer_parse(text, &layer, &err) != SL_OK) fail_msg("%s: %s", text, err.text);
    return layer;
}

// a test whose *state is an arena of its own
static inline int make_arena(void **state) {
    SlArena *arena = calloc(1, sizeof *arena);
    if (!arena) return -1;
    sl_arena_init(arena, 0);
    *state = arena;
    return 0;
}

static inline int free_arena(void **state) {
    sl_arena_free(*state);
    free(*state);
    return 0;
}

#define TEST_WITH_ARENA(f) cmocka_unit_test_setup_teardown(f, make_arena, free_arena)
