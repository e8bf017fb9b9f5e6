// csv.h - comma-separated tables with a header line and `#` comments, row by row.
//
// Flow: sl_csv_open (text in memory) -> sl_csv_column (by name) -> while (sl_csv_next(...))
// row.cells[i]. Writing: sl_csv_put for cells of text, sl_csv_number for numbers.
#pragma once

#include "starling/core/text.h"

SL_API_BEGIN

enum { SL_CSV_MAX_COLUMNS = 512 };

// Reads text that the caller keeps; cells point into a private copy in the arena.
typedef struct {
    const char *file;
    char *rest;    // what has not been read yet
    int line;      // of the row in `cells`
    int n_columns; // of the header
    const char *header[SL_CSV_MAX_COLUMNS];
    const char *cells[SL_CSV_MAX_COLUMNS]; // of the current row, surrounding blanks removed
} SlCsv;

// Reads the header line. Quoted cells ("a,b" with "" for a quote) are understood; a cell never
// spans lines.
SlStatus sl_csv_open(const char *file, const char *text, size_t n, SlArena *arena, SlCsv *csv,
                     SlError *err);
int sl_csv_column(const SlCsv *csv, const char *name); // -1 if absent

// Append a cell of text: in quotes where it needs them (RFC 4180), and with a ' in front where a
// spreadsheet would take it for a formula: it begins with = + - @ and is neither a number nor a
// loop nest (`@7 K:4`). Reading removes that ' again.
void sl_csv_put(const char *text, SlText *out);

// Append a number in as few digits as it takes to read it back; nothing for what is not finite.
void sl_csv_number(double value, SlText *out);

// The next row into `cells`; *more = false at the end. A row with another number of cells than the
// header is an error.
SlStatus sl_csv_next(SlCsv *csv, bool *more, SlError *err);

SL_API_END
