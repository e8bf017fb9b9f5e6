// oracle.h - counts of a mapped nest by executing it, element by element.
//
// Every count of SlCounts is tallied from events of the walk (nest_walk.h) with sets of elements;
// nothing is computed by a formula, nothing comes from src/cost. For small nests only.
#pragma once

#include "starling/cost.h"

// Fill `out` with the counts of executing the nest. Aborts where the execution breaks a rule that
// the model claims: all working members of a network group must need the same words, and each
// residency of O must begin and end once.
void oracle_count(const SlLayer *layer, SlNet net, const SlMapping *mapping, SlCounts *out);
