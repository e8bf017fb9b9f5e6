// detail.h - inside report: the JSON details of records.
#pragma once

#include "starling/study.h"

// The detail of a record as a tree; NULL if there is none or it is no JSON.
const SlNode *sl_detail_read(const SlCellRecord *record, SlArena *arena);

const SlNode *sl_detail_get(const SlNode *map, const char *key); // NULL if map is NULL or lacks it
double sl_detail_number(const SlNode *map, const char *key);     // NAN if absent
const char *sl_detail_text(const SlNode *map, const char *key);  // "" if absent
double sl_detail_real(const SlNode *node);                       // NAN if it is none

// All numbers below a list, lists of lists too, in order, at most `room`; returns how many.
int sl_detail_numbers(const SlNode *list, int room, double *out);
