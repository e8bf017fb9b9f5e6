// counts.h - from a nest split by dim to its counts.
#pragma once

#include "factors.h"

// One static function compiled for plain x86-64 and again for AVX2, chosen when the program starts
// (gcc would export one that is not static, hidden or not).
// Compiled once elsewhere; by clang, which refuses to inline vectors across the two; and under
// sanitizers, which are not ready when the choice is made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) &&                        \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default")))
#else
#define CLONES
#endif

// The loops of a nest by dim, outermost first.
typedef struct {
    int n[SL_N_DIMS];
    DimLoop loops[SL_N_DIMS][SL_MAX_LOOPS];
    uint8_t position[SL_N_DIMS][SL_MAX_LOOPS]; // of temporal loops, from the innermost;
                                               // SL_MAX_LOOPS for spatial ones
} SplitNest;

// Fills `nest` and the tables' dim_at and inside; the tables must know their levels.
void sl_nest_split(const SlMapping *mapping, Tables *tables, SplitNest *nest);

// Where the factors of a dim go; returns the first free entry behind them.
int sl_tables_reserve(Tables *tables, int dim, const SplitNest *nest, int n_entries);

// Put the loops of a dim that iterate (`active`) into the order masks.
void sl_tables_place(Tables *tables, int dim, const SplitNest *nest, uint64_t active);

// All of it: a nest ready to be counted.
void sl_tables_build(Tables *tables, const SlLayer *layer, SlNet net, const SlMapping *mapping);
void sl_tables_count(Tables *tables, SlCounts *out);
