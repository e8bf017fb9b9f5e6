// label.h - inside draw: names as characters, whatever bytes they hold.
#pragma once

#include "starling/core.h"

// Bytes of the character at `text`: 1..4, 0 if it is not valid UTF-8 or one that XML cannot hold.
int sl_label_bytes(const char *text);

// Characters of text (NULL = 0), at most `most` (0 = all). An invalid byte counts as one.
int sl_label_characters(const char *text, int most);

// A name in exactly `columns` columns of a terminal: cut with "…", or blanks behind; what a
// terminal cannot show becomes '?'.
void sl_label_put(SlText *out, const char *name, int columns);
