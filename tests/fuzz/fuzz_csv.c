// fuzz_csv.c - any bytes as a table: every row has the cells of the header, or one clean sentence.
#include <stdlib.h>
#include <string.h>

#include "starling/core/csv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool holds) {
    if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlCsv csv;
    SlError err = {.text = ""};
    bool more = true;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_csv_open("fuzz", (const char *)data, n, &arena, &csv, &err);
    if (status == SL_OK) require(csv.n_columns >= 1 && csv.n_columns <= SL_CSV_MAX_COLUMNS);
    int line = 0;
    while (status == SL_OK && more) {
        status = sl_csv_next(&csv, &more, &err);
        if (status != SL_OK || !more) break;
        require(csv.line > line);
        line = csv.line;
        size_t bytes = 0;
        for (int i = 0; i < csv.n_columns; i++) bytes += strlen(csv.cells[i]);
        require(bytes <= n);
    }
    if (status != SL_OK) require(err.text[0] != '\0');
    sl_arena_free(&arena);
    return 0;
}
