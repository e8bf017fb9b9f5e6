// status.c - fill in an error: one clean sentence and its place.
#include "starling/core/status.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

// the file name as it fits: of a long path the end says more than the beginning
static void set_file(SlError *err, const char *file) {
    size_t n = strlen(file), room = sizeof err->file;
    if (n < room) {
        sl_utf8_clean(file, room, err->file);
        return;
    }
    const char *tail = file + n - (room - 4);
    while (((unsigned char)*tail & 0xC0) == 0x80) tail++;
    memcpy(err->file, "...", 3);
    sl_utf8_clean(tail, room - 3, err->file + 3);
}

// the arguments may point into `err` itself, so the sentence is built aside
static void set_error(SlError *err, const char *file, int line, int column, const char *fmt,
                      va_list args) {
    char text[2 * sizeof err->text];
    vsnprintf(text, sizeof text, fmt, args);
    char place[sizeof err->file] = "";
    if (file == err->file) {
        memcpy(place, file, sizeof place);
        file = place;
    }
    err->file[0] = '\0';
    if (file) set_file(err, file);
    err->line = line;
    err->column = column;
    sl_utf8_clean(text, sizeof err->text, err->text);
}

SlStatus sl_fail(SlError *err, SlStatus status, const char *fmt, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, fmt);
    set_error(err, NULL, 0, 0, fmt, args);
    va_end(args);
    return status;
}

SlStatus sl_fail_at(SlError *err, SlStatus status, const char *file, int line, int column,
                    const char *fmt, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, fmt);
    set_error(err, file, line, column, fmt, args);
    va_end(args);
    return status;
}

const char *sl_error_text(const SlError *err, size_t n, char *out) {
    if (n == 0) return out;
    char place[sizeof err->file + 32] = "";
    int at = 0;
    if (err->file[0]) at += snprintf(place, sizeof place, "%s:", err->file);
    if (err->line > 0) {
        const char *word = err->file[0] ? "" : "line ";
        at += snprintf(place + at, sizeof place - (size_t)at, "%s%d:", word, err->line);
    }
    if (err->line > 0 && err->column > 0)
        snprintf(place + at, sizeof place - (size_t)at, "%d:", err->column);

    char whole[sizeof place + sizeof err->text + 2];
    snprintf(whole, sizeof whole, "%s%s%s", place, place[0] ? " " : "", err->text);
    sl_utf8_clean(whole, n, out);
    return out;
}
