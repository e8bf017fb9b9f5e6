// core.h - the floor we stand on: errors, memory, random numbers, text and files, options,
// statistics, threads.
#pragma once

#include "starling/core/api.h"
#include "starling/core/arena.h"
#include "starling/core/bundle.h"
#include "starling/core/cache.h"
#include "starling/core/clock.h"
#include "starling/core/counters.h"
#include "starling/core/csv.h"
#include "starling/core/fnv.h"
#include "starling/core/json.h"
#include "starling/core/keyset.h"
#include "starling/core/options.h"
#include "starling/core/pool.h"
#include "starling/core/processor.h"
#include "starling/core/rng.h"
#include "starling/core/scan.h"
#include "starling/core/stats.h"
#include "starling/core/status.h"
#include "starling/core/text.h"
#include "starling/core/tree.h"
#include "starling/core/version.h"
