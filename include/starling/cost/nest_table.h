// nest_table.h - many nests from a CSV file, each counted, and priced on a machine
// (docs/formats/eval-csv.md).
//
// Flow: fill `name`, `text`, `n`, `accel` -> sl_nest_table_check: every row is read once, so that
//       wrong input gives nothing -> sl_nest_table_write: counts and costs as CSV, part by part.
#pragma once

#include "starling/cost.h"

SL_API_BEGIN

// Columns of the file, in any order.
enum {
    SL_NEST_ID,
    SL_NEST_EXT,  // N.G.K.C.P.Q.R.S
    SL_NEST_CONV, // strides y.x, dilations y.x
    SL_NEST_NET,  // multicast.reduction: a digit for all fan-outs, or one for each
    SL_NEST_NEST, // as sl_mapping_parse reads it
    SL_NEST_N_COLUMNS
};

typedef struct {
    const char *name;     // of the file, for errors
    const char *text;     // (n) what it holds, kept by the caller
    size_t n;             // bytes
    const SlAccel *accel; // prices; the networks are those of the rows. NULL = counts alone
    int n_boundaries;     // the most of any nest, once all are checked
    SlCsv csv;
    int columns[SL_NEST_N_COLUMNS]; // where they are in it
} SlNestTable;

typedef struct {
    const char *id; // in the arena of the table
    SlLayer layer;
    SlNet net;
    SlMapping mapping;
} SlNestRow;

// Read every row; the arena is used and given back. SL_EINPUT with the line.
SlStatus sl_nest_table_check(SlNestTable *table, SlArena *scratch, SlError *err);

// From the first row on; the next one, *more = false behind the last.
SlStatus sl_nest_table_open(SlNestTable *table, SlArena *arena, SlError *err);
SlStatus sl_nest_table_next(SlNestTable *table, bool *more, SlNestRow *row, SlError *err);

// Header and rows of a checked table, in their order, under the names of the golden files: id, the
// counts of every level, and on a machine accesses, needs, latency, energy and area. `put` gets
// whole lines of some 64 KiB and returns false to stop. A nest with fewer boundaries than others
// has zeros for the missing.
typedef bool SlNestPut(void *context, const char *bytes, size_t n);
SlStatus sl_nest_table_write(SlNestTable *table, SlArena *arena, SlNestPut *put, void *context,
                             SlError *err);

SL_API_END
