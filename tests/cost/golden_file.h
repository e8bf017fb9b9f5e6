// golden_file.h - a (compressed) CSV file of tests/data, row by row.
//
// Flow: golden_open -> while (golden_next(...)) golden_cell / golden_case -> golden_close.
#pragma once

#include "random_nest.h"

typedef struct {
    SlArena arena;
    SlCsv csv;
    int n_rows; // read so far
} Golden;

// `path` is below tests/data. A file that cannot be read ends the test.
void golden_open(Golden *golden, const char *path);
void golden_close(Golden *golden);
bool golden_next(Golden *golden);

const char *golden_cell(const Golden *golden, const char *column);
double golden_number(const Golden *golden, const char *column);

// The case of the row, from its columns ext, conv, net, nest.
void golden_case(const Golden *golden, Case *out);
