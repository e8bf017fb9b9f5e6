// utf8.c - well-formed UTF-8 (Unicode 15, table 3-7) and texts that are safe to show.
#include "utf8.h"

#include <string.h>

#include "starling/core/text.h"

// is `byte` a continuation byte
static bool follows(unsigned char byte) {
    return (byte & 0xC0) == 0x80;
}

int sl_utf8_size(const char *s, size_t n) {
    const unsigned char *b = (const unsigned char *)s;
    if (n >= 1 && b[0] < 0x80) return 1;
    if (n >= 2 && b[0] >= 0xC2 && b[0] <= 0xDF) return follows(b[1]) ? 2 : 0;
    if (n >= 3 && (b[0] & 0xF0) == 0xE0) {
        // no overlong forms, no surrogates
        bool fits = b[0] == 0xE0 ? b[1] >= 0xA0 : b[0] == 0xED ? b[1] <= 0x9F : true;
        return fits && follows(b[1]) && follows(b[2]) ? 3 : 0;
    }
    if (n >= 4 && b[0] >= 0xF0 && b[0] <= 0xF4) {
        // no overlong forms, nothing above U+10FFFF
        bool fits = b[0] == 0xF0 ? b[1] >= 0x90 : b[0] == 0xF4 ? b[1] <= 0x8F : true;
        return fits && follows(b[1]) && follows(b[2]) && follows(b[3]) ? 4 : 0;
    }
    return 0;
}

// the code point of a well-formed character of `size` bytes
static uint32_t code_point(const char *s, int size) {
    static const unsigned char lead_mask[] = {0, 0x7F, 0x1F, 0x0F, 0x07};
    uint32_t code = (unsigned char)s[0] & lead_mask[size];
    for (int i = 1; i < size; i++) code = code << 6 | ((unsigned char)s[i] & 0x3F);
    return code;
}

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

// embeddings, overrides and isolates: they reorder what is shown around them (CVE-2021-42574)
static bool turns_text(uint32_t code) {
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// may the character be part of a file; the same set as in YAML 1.2, section 5.1, but for those
static bool is_text(uint32_t code) {
    if (code == '\t' || code == '\n' || code == '\r' || code == 0x85) return true;
    return !is_control(code) && !turns_text(code) && code != 0xFEFF && code != 0xFFFE &&
           code != 0xFFFF;
}

// may the character be part of a single line: no controls, nothing that breaks or turns lines
static bool is_plain(const char *s, int size) {
    uint32_t code = code_point(s, size);
    return !is_control(code) && !turns_text(code) && code != 0x2028 && code != 0x2029;
}

bool sl_utf8_plain(const char *text, size_t n) {
    int size = 0;
    for (size_t i = 0; i < n; i += (size_t)size) {
        size = sl_utf8_size(text + i, n - i);
        if (size == 0 || !is_plain(text + i, size)) return false;
    }
    return true;
}

// append one character, or '?' for what cannot be shown; returns the bytes of `s` it stood for
static size_t put_clean(const char *s, size_t left, char *out, size_t *used) {
    int size = sl_utf8_size(s, left);
    if (size > 0 && is_plain(s, size)) {
        memmove(out + *used, s, (size_t)size);
        *used += (size_t)size;
        return (size_t)size;
    }
    out[(*used)++] = '?';
    return size > 0 ? (size_t)size : 1;
}

void sl_utf8_clean(const char *text, size_t room, char *out) {
    size_t n = strlen(text);
    size_t used = 0, fit = 0; // `fit`: where "..." can still be put
    for (size_t i = 0; i < n;) {
        char one[4];
        size_t size = 0;
        size_t taken = put_clean(text + i, n - i, one, &size);
        if (used + size >= room) {
            // cut at a character boundary that leaves space for the dots, if any space there is
            size_t dots = room > 3 ? 3 : 0;
            memcpy(out + fit, "...", dots);
            used = dots ? fit + dots : 0;
            break;
        }
        memcpy(out + used, one, size);
        used += size;
        i += taken;
        if (used + 3 < room) fit = used;
    }
    out[used] = '\0';
}

void sl_text_clean(char *text, bool lines) {
    size_t n = strlen(text), used = 0;
    for (size_t i = 0; i < n;) {
        // what is written never overtakes what is read
        if (lines && text[i] == '\n')
            text[used++] = text[i++];
        else
            i += put_clean(text + i, n - i, text, &used);
    }
    text[used] = '\0';
}

// ---- ASCII ----

// what looks like a character; 0 = nothing does
static char ascii_like(uint32_t code) {
    static const struct {
        uint32_t code;
        char like;
    } table[] = {
        {0xA0, ' '},   {0xB1, '~'},   {0xB2, '2'},   {0xB3, '3'},    {0xB5, 'u'},    {0xB7, '.'},
        {0xD7, 'x'},   {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201C, '"'},
        {0x201D, '"'}, {0x2026, '~'}, {0x2190, '<'}, {0x2192, '>'},  {0x2212, '-'},  {0x2248, '~'},
        {0x2264, '<'}, {0x2265, '>'}, {0x2500, '-'}, {0x2501, '-'},  {0x2502, '|'},  {0x2503, '|'},
        {0x250A, '|'}, {0x2550, '='}, {0x2551, '|'}, {0x2574, '-'},  {0x2575, '|'},  {0x2576, '-'},
        {0x2577, '|'}, {0x2591, '.'}, {0x2592, ':'}, {0x2593, '%'},
    };
    static const char levels[] = "_..:-=+*#"; // eighths of a column, upwards
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].code == code) return table[i].like;
    if (code >= 0x2581 && code <= 0x2588) return levels[code - 0x2580];
    if (code >= 0x2589 && code <= 0x258F) return code <= 0x258C ? '#' : '|';
    return code >= 0x2500 && code <= 0x257F ? '+' : '\0';
}

void sl_text_ascii(const char *text, SlText *out) {
    size_t n = strlen(text);
    for (size_t i = 0; i < n;) {
        int size = sl_utf8_size(text + i, n - i);
        char like = size > 1 ? ascii_like(code_point(text + i, size)) : '\0';
        if (size != 1 && !like) like = '?';
        sl_text_put(out, size == 1 ? text + i : &like, 1);
        i += size > 0 ? (size_t)size : 1;
    }
}

const char *sl_quote(const char *text, char out[static SL_QUOTE_ROOM]) {
    // only the beginning is looked at: texts may be megabytes long
    size_t n = strnlen(text, 4 * SL_QUOTE_CHARACTERS);
    size_t used = 0, i = 0;
    out[used++] = '\'';
    for (int shown = 0; i < n && shown < SL_QUOTE_CHARACTERS; shown++)
        i += put_clean(text + i, n - i, out, &used);
    const char *end = i < n || text[i] != '\0' ? "...'" : "'";
    memcpy(out + used, end, strlen(end) + 1);
    return out;
}

SlStatus sl_utf8_check(const char *file, const char *text, size_t n, SlError *err) {
    int line = 1, column = 1;
    for (size_t i = 0; i < n;) {
        int size = sl_utf8_size(text + i, n - i);
        unsigned byte = (unsigned char)text[i];
        if (size == 0)
            return sl_fail_at(err, SL_EINPUT, file, line, column,
                              "expected UTF-8 text, found the byte 0x%02X", byte);
        uint32_t code = code_point(text + i, size);
        if (!is_text(code))
            return sl_fail_at(err, SL_EINPUT, file, line, column,
                              "expected text, found the character U+%04X", (unsigned)code);
        i += (size_t)size;
        column = code == '\n' ? 1 : column + 1;
        line += code == '\n';
    }
    return SL_OK;
}
