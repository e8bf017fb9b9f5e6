// label.h - inside draw: names as characters, whatever bytes they hold, and the space they take.
#pragma once

#include "starling/core.h"

// Bytes of the character at `text`: 1..4, 0 if it is not valid UTF-8 or one that XML cannot hold.
int sl_label_bytes(const char *text);

// Characters of text (NULL = 0), at most `most` (0 = all). An invalid byte counts as one.
int sl_label_characters(const char *text, int most);

// A name in exactly `columns` columns of a terminal: cut with "…", or blanks behind; what a
// terminal cannot show becomes '?'.
void sl_label_put(SlText *out, const char *name, int columns);

// Width of the first `most` (0 = all) characters in a sans-serif font, as a multiple of the font's
// size; that of wide system fonts, so that text never takes more.
double sl_label_ems(const char *text, int most);

// Lines of text that are at most `ems` wide, broken at blanks and behind hyphens, within words
// where there is no other way. Returns their number, at most `most`; the last is cut where the text
// is longer. NULL and "" have none.
typedef struct {
    const char *text;
    int n_bytes;
    bool cut; // "…" follows
} LabelLine;
int sl_label_lines(const char *text, double ems, int most, LabelLine *lines);

// Three digits for people: "0", "0.0123", "4.56", "789", "12.3k", "1e-7"; "–" for what is none.
// Zeros at the end are left out, unless they are to be kept ("4.50").
const char *sl_label_number(double value, bool keep_zeros, char out[static 32]);
