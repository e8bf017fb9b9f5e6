// text.c - a string that grows in an arena, and numbers written for people.
#include "starling/core/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sl_text_init(SlText *text, SlArena *arena) {
    // nothing is written through `data` while `room` is 0
    *text = (SlText){.arena = arena, .data = (char *)""};
}

// make space for `more` bytes and the closing NUL; doubling keeps the cost per byte constant
static bool reserve(SlText *text, size_t more) {
    if (text->failed) return false;
    if (text->room && more < text->room - text->n) return true;
    size_t room = text->room ? 2 * text->room : 64;
    while (room - text->n <= more && room < SIZE_MAX / 4) room *= 2;
    char *data = sl_arena_alloc(text->arena, room, 1);
    if (!data || room - text->n <= more) {
        text->failed = true;
        return false;
    }
    memcpy(data, text->data, text->n);
    text->data = data;
    text->room = room;
    return true;
}

void sl_text_add(SlText *text, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int more = vsnprintf(NULL, 0, fmt, args);
    if (more < 0) text->failed = true;
    if (more > 0 && reserve(text, (size_t)more)) {
        vsnprintf(text->data + text->n, (size_t)more + 1, fmt, again);
        text->n += (size_t)more;
    }
    va_end(again);
    va_end(args);
}

void sl_text_put(SlText *text, const char *bytes, size_t n) {
    if (n == 0 || !reserve(text, n)) return;
    memcpy(text->data + text->n, bytes, n);
    text->n += n;
    text->data[text->n] = '\0';
}

void sl_text_quote(SlText *text, const char *string) {
    sl_text_put(text, "\"", 1);
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\')
            sl_text_add(text, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            sl_text_add(text, "\\u%04x", *c);
        else
            sl_text_put(text, c, 1);
    }
    sl_text_put(text, "\"", 1);
}

const char *sl_show_count(double value, char out[static 32]) {
    // whole numbers above 2^53 have no exact digits, so they are shown as what they are
    if (!(fabs(value) < 0x1p53)) {
        snprintf(out, 32, "%.6g", value);
        return out;
    }
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    int used = 0;
    if (value < 0 && strcmp(digits, "0") != 0) out[used++] = '-';
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0) out[used++] = ',';
        out[used++] = digits[i];
    }
    out[used] = '\0';
    return out;
}

const char *sl_show_short(double value, char out[static 32]) {
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};
    int i = 0;
    // 999.5 is the first number that three digits round up to 1000
    while (fabs(value) >= 999.5 && i < 6) {
        value /= 1000;
        i++;
    }
    snprintf(out, 32, "%.3g%s", value, isfinite(value) ? prefixes[i] : "");
    return out;
}

const char *sl_show_bytes(double bytes, char out[static 32]) {
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int i = 0;
    while (isfinite(bytes) && fabs(bytes) >= 1023.5 && i < 5) {
        bytes /= 1024;
        i++;
    }
    // three digits, but never an exponent for 1000..1023
    int digits = fabs(bytes) >= 999.5 && fabs(bytes) < 1023.5 ? 4 : 3;
    snprintf(out, 32, "%.*g %s", digits, bytes, units[i]);
    return out;
}
