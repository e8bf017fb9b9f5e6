// utf8.h - inside core: keep every text that leaves the library valid, short and on one line.
#pragma once

#include "starling/core/status.h"

// Bytes of the well-formed character at `s`, of which `n` bytes are left; 0 if it is malformed.
int sl_utf8_size(const char *s, size_t n);

// Copy `text` into `out` (room bytes, at least 1) as one valid line: each malformed byte and each
// control character, bidirectional ones (U+202A..202E, U+2066..2069) too, becomes '?'; what does
// not fit is cut between characters and ends in "...".
void sl_utf8_clean(const char *text, size_t room, char *out);

// Whether `n` bytes are well-formed and have no control characters, bidirectional ones included, or
// line breaks of any kind.
bool sl_utf8_plain(const char *text, size_t n);

enum { SL_QUOTE_CHARACTERS = 40, SL_QUOTE_ROOM = 4 * SL_QUOTE_CHARACTERS + 8 };

// The text in single quotes, cleaned, at most SL_QUOTE_CHARACTERS characters of it. Returns `out`.
const char *sl_quote(const char *text, char out[static SL_QUOTE_ROOM]);

// SL_EINPUT with the place of the first NUL, malformed byte or control character, bidirectional
// ones included (tab, line feed and carriage return are allowed), in `n` bytes of `text`.
SlStatus sl_utf8_check(const char *file, const char *text, size_t n, SlError *err);
