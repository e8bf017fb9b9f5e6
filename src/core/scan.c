// scan.c - words of a text and their places.
#include "starling/core/scan.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

enum { SHOWN_BYTES = 40 };

void sl_scan_init(SlScan *scan, const char *file, const char *text, size_t n,
                  const char *separators, const char *comment) {
    *scan = (SlScan){.file = file,
                     .rest = text,
                     .end = text + n,
                     .separators = separators,
                     .comment = comment,
                     .line_start = text,
                     .line = 1};
}

// strchr would take the closing NUL for a separator
static bool separates(const SlScan *scan, char c) {
    return c == '\n' || (c && strchr(scan->separators, c));
}

static void skip_separators(SlScan *scan) {
    for (; scan->rest < scan->end && separates(scan, *scan->rest); scan->rest++) {
        if (*scan->rest != '\n') continue;
        scan->line++;
        scan->line_start = scan->rest + 1;
    }
}

static bool at_comment(const SlScan *scan) {
    size_t n = scan->comment ? strlen(scan->comment) : 0;
    return n && (size_t)(scan->end - scan->rest) >= n && !memcmp(scan->rest, scan->comment, n);
}

static void skip_line(SlScan *scan) {
    const char *end = memchr(scan->rest, '\n', (size_t)(scan->end - scan->rest));
    scan->rest = end ? end : scan->end;
}

bool sl_scan_next(SlScan *scan, SlToken *token) {
    skip_separators(scan);
    while (scan->rest < scan->end && at_comment(scan)) {
        skip_line(scan);
        skip_separators(scan);
    }
    const char *start = scan->rest;
    while (scan->rest < scan->end && !separates(scan, *scan->rest)) scan->rest++;
    *token = (SlToken){.text = start,
                       .n = (size_t)(scan->rest - start),
                       .line = scan->line,
                       .column = (int)(start - scan->line_start) + 1};
    return token->n > 0;
}

bool sl_token_is(const SlToken *token, const char *word) {
    return token->n == strlen(word) && !memcmp(token->text, word, token->n);
}

bool sl_token_printable(const SlToken *token) {
    return sl_utf8_plain(token->text, token->n);
}

bool sl_token_copy(const SlToken *token, size_t room, char *out) {
    if (token->n >= room || memchr(token->text, 0, token->n)) return false;
    memcpy(out, token->text, token->n);
    out[token->n] = '\0';
    return true;
}

bool sl_token_int(const SlToken *token, int64_t lo, int64_t hi, int64_t *out) {
    int64_t value = 0;
    for (size_t i = 0; i < token->n; i++) {
        int digit = token->text[i] - '0';
        if (digit < 0 || digit > 9 || value > (INT64_MAX - digit) / 10) return false;
        value = 10 * value + digit;
    }
    if (!token->n || value < lo || value > hi) return false;
    *out = value;
    return true;
}

int sl_token_shown(const SlToken *token) {
    if (token->n <= SHOWN_BYTES) return (int)token->n;
    // not inside a character
    int n = SHOWN_BYTES;
    while (n > SHOWN_BYTES - 4 && ((unsigned char)token->text[n] & 0xC0) == 0x80) n--;
    return n;
}

SlStatus sl_token_fail(const SlScan *scan, const SlToken *token, SlError *err, const char *fmt,
                       ...) {
    char sentence[2 * sizeof err->text];
    va_list args;
    va_start(args, fmt);
    vsnprintf(sentence, sizeof sentence, fmt, args);
    va_end(args);
    return sl_fail_at(err, SL_EINPUT, scan->file, token->line, token->column, "%s", sentence);
}
