// records.h - records of a store (job/store.h) for other programs.
//
// Flow: sl_store_cells -> sl_records_csv; or sl_report_records -> sl_doc_write.
#pragma once

#include "starling/job/store.h"
#include "starling/report/doc.h"

SL_API_BEGIN

typedef enum {
    SL_RECORDS_CELLS,   // what came of every cell
    SL_RECORDS_CURVES,  // the best value over samples
    SL_RECORDS_WINDOWS, // means over stretches of samples
} SlRecordsPart;

typedef struct {
    const char *study; // its name, NULL = records of a run
    int n;
    const SlCellRecord *records; // (n)
    SlRecordsPart part;
    bool times; // seconds, machine and date too: they differ from run to run
} SlRecords;

// CSV: a line per cell, or per point of every run.
void sl_records_csv(const SlRecords *all, SlText *out);

// An object per cell, with its points (docs/formats/json.md). NULL without memory.
SlDoc *sl_report_records(const SlRecords *all, SlArena *arena);

SL_API_END
