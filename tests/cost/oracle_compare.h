// oracle_compare.h - many random nests through two counters that must agree on every field.
#pragma once

#include "random_nest.h"

// NULL, or what differs between sl_counts_eval and the oracle, with the nest to replay, in `out`.
const char *oracle_differs(const Case *c, size_t n, char *out);

// NULL, or how the machine fails or what it moved otherwise than the oracle says.
const char *machine_differs(const Case *c, SlRng *rng, size_t n, char *out);

enum { DIFFERENCE_MAX = CASE_TEXT_MAX + 256 };
