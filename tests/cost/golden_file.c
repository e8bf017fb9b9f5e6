// golden_file.c - see golden_file.h.
#include "golden_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "nest_walk.h"

enum { MAX_BYTES = 16 << 20 };

void golden_open(Golden *golden, const char *path) {
    char full[1024];
    SlError err = {.line = 0};
    snprintf(full, sizeof full, "%s/tests/data/%s", SL_SOURCE_DIR, path);
    golden->n_rows = 0;
    sl_arena_init(&golden->arena, 0);
    char *text = SL_NEW(&golden->arena, MAX_BYTES, char);
    gzFile file = gzopen(full, "rb"); // reads plain files as they are
    REQUIRE(text != NULL && file != NULL);
    int n = gzread(file, text, MAX_BYTES);
    REQUIRE(0 < n && n < MAX_BYTES);
    REQUIRE(gzclose(file) == Z_OK);
    SlStatus status = sl_csv_open(path, text, (size_t)n, &golden->arena, &golden->csv, &err);
    REQUIRE(status == SL_OK);
}

void golden_close(Golden *golden) {
    sl_arena_free(&golden->arena);
}

bool golden_next(Golden *golden) {
    bool more = false;
    REQUIRE(sl_csv_next(&golden->csv, &more, NULL) == SL_OK);
    golden->n_rows += more;
    return more;
}

const char *golden_cell(const Golden *golden, const char *column) {
    int i = sl_csv_column(&golden->csv, column);
    REQUIRE(i >= 0);
    return golden->csv.cells[i];
}

double golden_number(const Golden *golden, const char *column) {
    const char *cell = golden_cell(golden, column);
    char *end;
    double value = strtod(cell, &end);
    REQUIRE(end > cell && *end == '\0');
    return value;
}

void golden_case(const Golden *golden, Case *out) {
    case_parse(golden_cell(golden, "ext"), golden_cell(golden, "conv"), golden_cell(golden, "net"),
               golden_cell(golden, "nest"), out);
}
