// method_rows.h - every method that `starling map` takes: those that sample, and `exact`, which
// proves instead.
#pragma once

#include "starling/report/doc.h"
#include "starling/study.h"

const SlMethod *method_row_at(int i);              // 0, 1, ...; NULL behind the last
const SlMethod *method_row_find(const char *name); // NULL if there is none
bool method_is_exact(const SlMethod *method);      // no ask and tell: sl_prove does its work

// The name nearest to one that is not there, NULL if none is near.
const char *method_row_nearest(const char *name);

// The document of `starling list methods`: of all, or of one with its options (list_methods.c).
SlStatus list_methods(const char *name, SlArena *arena, SlDoc **doc, SlError *err);
