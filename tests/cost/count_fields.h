// count_fields.h - the fields of SlCounts by name: golden columns, comparing, printing.
#pragma once

#include "starling/cost.h"

// A count of a level. Names are those of the golden files without the level ("fill_W", "upd").
typedef struct {
    const char *name;
    size_t offset; // in SlLevelCounts
} CountField;

enum { N_COUNT_FIELDS = 23 };
extern const CountField count_fields[N_COUNT_FIELDS];

SlCount count_get(const SlLevelCounts *level, const CountField *field);

// The value of a golden column ("cycles", "l2_fill_W", "mac_upd"); levels that the nest does not
// have count 0. False if the column is no count.
bool count_by_column(const SlCounts *counts, const char *column, SlCount *value);

// NULL, or the first field in which the two differ, as a sentence in `out`. `only_moved`: just the
// counts that a machine can see moving (fill, pread, own0, srv0, upd, upd0).
const char *counts_differ(const SlCounts *got, const SlCounts *want, bool only_moved, size_t n,
                          char *out);
