// records_help.h - records made by hand.
#pragma once

#include "starling/study/compare.h"

typedef struct {
    SlArena arena;
    int n;
    SlCellRecord at[4096];
    SlResults results;
} Records;

Records *records_make(void);
void records_free(Records *records);

// A run with a curve (n points), as long as its last point; value and budget follow from it.
SlCellRecord *records_run(Records *records, const char *task, const char *row, uint64_t seed, int n,
                          const SlCurvePoint *curve);
// A run of 100 samples that had a value from the first on.
SlCellRecord *records_flat(Records *records, const char *task, const char *row, uint64_t seed,
                           double value);
SlCellRecord *records_proof(Records *records, const char *task, double value, const char *status,
                            const char *detail);

// Results of what is there; must work. NULL = without a plan.
const SlResults *records_results(Records *records, const SlPlan *plan);
int records_row(const SlResults *results, const char *name); // its number
