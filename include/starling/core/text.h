// text.h - build text piece by piece; find the nearest name; format numbers for people.
//
// Flow: SlText t; sl_text_init(&t, arena) -> sl_text_add ... -> t.data (check t.failed once, at the
// end).
#pragma once

#include "starling/core/arena.h"

SL_API_BEGIN

// A growing NUL-terminated string in an arena. After a failed allocation it stays as it was and
// `failed` is set.
typedef struct {
    SlArena *arena;
    char *data; // never NULL after init
    size_t n, room;
    bool failed;
} SlText;

void sl_text_init(SlText *text, SlArena *arena);
void sl_text_add(SlText *text, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_text_put(SlText *text, const char *bytes, size_t n);
void sl_text_quote(SlText *text, const char *string); // as a JSON string

// Make text that came from outside safe to show, in place: each malformed byte and each control
// character, bidirectional ones too, becomes '?'; `lines`: line breaks stay.
void sl_text_clean(char *text, bool lines);

// Text for terminals without UTF-8: every other character becomes one of ASCII that is like it
// ("×" x, "µ" u, "─" -, "█" #), or '?', so that columns stay where they are.
void sl_text_ascii(const char *text, SlText *out);

// Whole file into the arena; SL_EINPUT with the reason if it cannot be read or is larger than `max`
// bytes. "-" reads standard input.
SlStatus sl_file_read(const char *path, size_t max, SlArena *arena, char **data, size_t *n,
                      SlError *err);

// The same for files that may be packed by gzip, whatever their name: what comes is unpacked, and
// `max` holds for that too.
SlStatus sl_file_read_gzip(const char *path, size_t max, SlArena *arena, char **data, size_t *n,
                           SlError *err);

// The same of bytes in memory that gzip packed; `name` stands in errors.
SlStatus sl_gunzip(const char *name, const char *packed, size_t n, size_t max, SlArena *arena,
                   char **data, size_t *n_data, SlError *err);

// Write a file whole or not at all (a temporary file beside it, stored, then renamed; links and
// permissions stay). A device or pipe is written to directly.
SlStatus sl_file_write(const char *path, const char *data, size_t n, SlError *err);
// The same packed by gzip: equal bytes make equal files.
SlStatus sl_file_write_gzip(const char *path, const char *data, size_t n, SlError *err);

// The name nearest to `word` (edit distance, case-blind) if it is near enough to be meant, else
// NULL. `names` ends with NULL.
const char *sl_nearest_name(const char *word, const char *const *names);

// Whole numbers from text: the whole text must be digits (a sign allowed). SL_EINPUT with what was
// expected in lo..hi. Reals are decimal or inf, never NaN; LC_NUMERIC must be "C".
SlStatus sl_parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out, SlError *err);
SlStatus sl_parse_real(const char *text, double lo, double hi, double *out, SlError *err);

// "1,849,688,064"; "1.85 G"; "6.5 KiB". Each writes into `out` (at least 32 bytes) and returns it.
const char *sl_show_count(double value, char out[SL_AT_LEAST(32)]);
const char *sl_show_short(double value, char out[SL_AT_LEAST(32)]);
const char *sl_show_bytes(double bytes, char out[SL_AT_LEAST(32)]);

SL_API_END
