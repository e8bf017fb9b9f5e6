// scan.h - text as a stream of words that know their places, for simple formats without quotes.
//
// Flow: sl_scan_init -> while (sl_scan_next(&scan, &word)) ...
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

// A word of the text: not NUL-terminated, points into it.
typedef struct {
    const char *text;
    size_t n;
    int line, column; // from 1, columns in bytes
} SlToken;

typedef struct {
    const char *file;       // stands in errors
    const char *rest, *end; // what has not been read yet
    const char *separators; // bytes that end a word, besides line breaks; belong to none
    const char *comment;    // a word that begins so hides the rest of its line; NULL = none
    const char *line_start;
    int line;
} SlScan;

// `text` (n) is kept. A NUL byte in it is an ordinary byte of a word.
void sl_scan_init(SlScan *scan, const char *file, const char *text, size_t n,
                  const char *separators, const char *comment);

// False at the end; the word is then empty and stands behind the last byte.
bool sl_scan_next(SlScan *scan, SlToken *token);

bool sl_token_is(const SlToken *token, const char *word);
bool sl_token_printable(const SlToken *token); // valid UTF-8 without control characters

// Copy the word into `out` (room bytes) with a closing NUL; false if it does not fit or holds a
// NUL.
bool sl_token_copy(const SlToken *token, size_t room, char *out);

// A decimal number of digits alone in lo..hi; false otherwise.
bool sl_token_int(const SlToken *token, int64_t lo, int64_t hi, int64_t *out);

// An error at the word's place; `fmt` may name it by "%.*s" with sl_token_shown (at most 40 bytes).
SlStatus sl_token_fail(const SlScan *scan, const SlToken *token, SlError *err, const char *fmt, ...)
    SL_PRINTF(4, 5);
int sl_token_shown(const SlToken *token);

SL_API_END
