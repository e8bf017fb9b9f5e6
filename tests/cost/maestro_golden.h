// maestro_golden.h - runs of MAESTRO recorded in a compressed file of JSON lines, against ours.
#pragma once

typedef struct {
    int n_records, n_rows, n_cells; // rows and cells that were compared
    int n_refused;                  // runs without a result, refused here as well
    int n_wrong;                    // cells, results or refusals that differ; printed to stderr
} GoldenTally;

// `path` is the whole path. A file that cannot be read ends the test.
void maestro_golden(const char *path, GoldenTally *tally);
