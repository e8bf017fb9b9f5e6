// method_rows.h - every method that `starling map` takes: those that sample, and `exact`, which
// proves instead.
#pragma once

#include "starling/study.h"

enum { METHOD_ROWS = 64 };
void method_rows(const SlMethod *rows[static METHOD_ROWS]); // all; NULL behind the last
const SlMethod *method_row_find(const char *name);          // NULL if there is none
bool method_is_exact(const SlMethod *method); // no ask and tell: sl_prove does its work

// The name nearest to one that is not there, NULL if none is near.
const char *method_row_nearest(const char *name);
