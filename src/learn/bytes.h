// bytes.h - inside learn: little-endian numbers, one after the other, written and read.
//
// Reading never fails half-way: what is wrong is noted once, and zeros come from then on.
#pragma once

#include "starling/core.h"

// What is left of the bytes; `wrong` is the first thing that is.
typedef struct {
    const unsigned char *at;
    size_t left;
    const char *wrong;
    SlError why; // where `wrong` is a sentence of its own
    SlArena *arena;
} SlBytes;

extern const char *const sl_bytes_cut_off; // the sentence where bytes are missing

void sl_bytes_put_whole(SlText *out, uint64_t value, int bytes); // its lowest `bytes`
void sl_bytes_put_real(SlText *out, double value);
void sl_bytes_put_floats(SlText *out, size_t n, const float *values);

uint64_t sl_bytes_whole(SlBytes *in, int bytes);
// A count of 4 bytes; 0 and `wrong` where it is out of range.
int sl_bytes_count(SlBytes *in, int64_t least, int64_t most, const char *wrong);
double sl_bytes_real(SlBytes *in);                       // finite
void sl_bytes_floats(SlBytes *in, size_t n, float *out); // any
void sl_bytes_finite(SlBytes *in, size_t n, float *out);
// Space for n things of `size` that take at least `bytes` each in the file; NULL where something is
// wrong.
void *sl_bytes_room(SlBytes *in, size_t n, size_t bytes, size_t size);
