// random_nest.h - random small cases (layer, nest, networks) that try every corner of the model.
//
// Flow: sl_rng_init -> case_sample -> oracle, machine, sl_counts_eval; case_text to replay one.
#pragma once

#include "starling/cost.h"

typedef struct {
    SlLayer layer;
    SlNet net;
    SlMapping mapping;
} Case;

// A case of at most `max_macs` MACs, 512 instances and 8 * max_macs moments x instances: all dims,
// primes, strides up to 5, dilations up to 4, gaps, repeated dims, tiles beyond the extent, spatial
// loops anywhere, up to 6 boundaries anywhere with any kept set, up to 40 loops, networks with
// flags for all fan-outs or for each.
void case_sample(SlRng *rng, int64_t max_macs, Case *out);

// A case far too large to walk: up to 2^53 - 1 MACs, strides and dilations up to 2^31 - 1, any
// number of instances.
void case_sample_huge(SlRng *rng, Case *out);

enum { CASE_TEXT_MAX = SL_NEST_TEXT_MAX + 256 };

// "ext,conv,net,nest" as in the golden files; networks with a flag per fan-out as 0xMM.0xMM.
const char *case_text(const Case *c, size_t n, char *out);

// A case from the columns of a golden file; ends the test if they cannot be read.
void case_parse(const char *ext, const char *conv, const char *net, const char *nest, Case *out);

// The same from the text that case_text writes.
void case_read(const char *text, Case *out);
