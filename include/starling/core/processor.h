// processor.h - which processor this is.
#pragma once

#include <stddef.h>

#include "starling/core/api.h"

SL_API_BEGIN

// As the system calls it ("AMD EPYC 7763 64-Core Processor"), "" if it does not; returns `out` (n).
const char *sl_processor_name(size_t n, char *out);

// The instruction sets that hot functions are compiled for and that this processor has, "AVX2,
// FMA";
// "" = plain C alone; returns `out` (n).
const char *sl_processor_sets(size_t n, char *out);

SL_API_END
