// eval_csv.h - rows of counts and costs as CSV, under the names of the golden files.
#pragma once

#include "starling/cost.h"

// Headers: id[,layer],ext,... are the caller's; these start with a comma.
void csv_counts_header(int n_boundaries, SlText *out);
void csv_costs_header(int n_levels, SlText *out);

// Values in the same order. A row with fewer boundaries than the header has zeros for the missing.
void csv_counts(const SlCounts *counts, int n_boundaries, SlText *out);
void csv_costs(const SlCost *cost, SlText *out);
