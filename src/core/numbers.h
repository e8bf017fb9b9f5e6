// numbers.h - inside core: numbers as people write them, and the sentence when they did not.
#pragma once

#include "names.h"

// Whole numbers: 4096, 4_096, 4e3, 1.5e3; not 4.5. `unit` multiplies (1024 for "KiB").
// False if `text` (n bytes) is no such number, or it does not fit.
bool sl_scan_int(const char *text, size_t n, int64_t unit, int64_t *out);

// 4096 also with B, KiB, MiB, GiB or TiB behind, a blank between or not.
bool sl_scan_bytes(const char *text, int64_t *out);

// Decimal numbers: 1, -1.5, 1e-3, .5, inf, -inf. Never NaN; too large is false.
bool sl_scan_real(const char *text, double *out);

// true, yes, on; false, no, off.
bool sl_scan_bool(const char *text, bool *out);

enum { SL_RANGE_ROOM = 64 };

// " from 1 to 8", " of at least 1", " of at most 8" or "". Returns `out`.
const char *sl_range_int(int64_t lo, int64_t hi, char out[static SL_RANGE_ROOM]);
const char *sl_range_real(double lo, double hi, char out[static SL_RANGE_ROOM]);
