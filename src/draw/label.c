// label.c - names as characters, whatever bytes they hold, and the space they take.
#include "label.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int sl_label_bytes(const char *text) {
    static const uint32_t lowest[5] = {0, 0x20, 0x80, 0x800, 0x10000};
    const unsigned char *byte = (const unsigned char *)text;
    int n = byte[0] < 0x7F             ? 1
            : (byte[0] & 0xE0) == 0xC0 ? 2
            : (byte[0] & 0xF0) == 0xE0 ? 3
            : (byte[0] & 0xF8) == 0xF0 ? 4
                                       : 0;
    uint32_t code = n > 1 ? byte[0] & (0xFFU >> (n + 1)) : byte[0];
    for (int i = 1; i < n; i++) {
        if ((byte[i] & 0xC0) != 0x80) return 0;
        code = code << 6 | (byte[i] & 0x3FU);
    }
    // no overlong forms, surrogates, control characters, nor what lies outside Unicode
    bool surrogate = code >= 0xD800 && code <= 0xDFFF, control = code >= 0x7F && code < 0xA0;
    bool outside = code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF;
    return code >= lowest[n] && !surrogate && !control && !outside ? n : 0;
}

int sl_label_characters(const char *text, int most) {
    int count = 0;
    while (text && *text && (most <= 0 || count < most)) {
        int n = sl_label_bytes(text);
        text += n ? n : 1;
        count++;
    }
    return count;
}

void sl_label_put(SlText *out, const char *name, int columns) {
    if (columns <= 0) return;
    int n = sl_label_characters(name, columns);
    bool cut = sl_label_characters(name, columns + 1) > columns;
    for (int i = 0; i < n - cut; i++) {
        int bytes = sl_label_bytes(name);
        sl_text_put(out, bytes ? name : "?", bytes ? (size_t)bytes : 1);
        name += bytes ? bytes : 1;
    }
    if (cut) sl_text_add(out, "…");
    sl_text_add(out, "%*s", columns - n, "");
}

// ---- room ----

// One character in ems; from the widths of DejaVu Sans, the widest of the usual system fonts.
static double character_ems(const char *text, int n_bytes) {
    if (n_bytes >= 3) return n_bytes == 3 && (unsigned char)*text < 0xE3 ? 0.85 : 1.1;
    if (n_bytes != 1) return 0.7;
    if (strchr("ijl'|", *text)) return 0.33;
    if (strchr(" .,:;!ft()[]/\\-r", *text)) return 0.42;
    if (strchr("mwMW%@", *text)) return 0.98;
    if (strchr("+<>=~#", *text)) return 0.84;
    if (*text >= 'A' && *text <= 'Z') return 0.73;
    return 0.635;
}

double sl_label_ems(const char *text, int most) {
    double ems = 0;
    for (int i = 0; text && *text && (most <= 0 || i < most); i++) {
        int n = sl_label_bytes(text);
        ems += character_ems(text, n);
        text += n ? n : 1;
    }
    return ems;
}

// bytes at the start of text that are at most `ems` wide, at least one character
static int bytes_within(const char *text, double ems) {
    int at = 0;
    while (text[at]) {
        int n = sl_label_bytes(text + at);
        ems -= character_ems(text + at, n);
        if (ems < 0 && at > 0) break;
        at += n ? n : 1;
    }
    return at;
}

// where a line that could hold `n_bytes` ends: behind the last word that is whole, else there
static int line_end(const char *text, int n_bytes) {
    if (!text[n_bytes] || text[n_bytes] == ' ') return n_bytes;
    for (int i = n_bytes; i > 0; i--)
        if (text[i - 1] == ' ' || strchr("-_/,:", text[i - 1])) return i;
    return n_bytes;
}

int sl_label_lines(const char *text, double ems, int most, LabelLine *lines) {
    int n = 0;
    while (text && *text && n < most) {
        int end = bytes_within(text, ems);
        bool cut = n == most - 1 && text[end];
        end = cut ? bytes_within(text, ems - 0.85) : line_end(text, end);
        int shown = end;
        while (shown > 0 && text[shown - 1] == ' ') shown--;
        lines[n++] = (LabelLine){text, shown, cut};
        text += end;
        while (*text == ' ') text++;
    }
    return n;
}

const char *sl_label_number(double value, bool keep_zeros, char out[static 32]) {
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
    double size = fabs(value);
    int i = 0;
    if (!isfinite(value)) return "–";
    if (size > 0 && (size < 1e-3 || size >= 9.995e20)) {
        int power = (int)floor(log10(size));
        double lead = size / pow(10, power);
        if (lead >= 9.95) {
            lead = 1;
            power++;
        }
        snprintf(out, 32, "%s%.2ge%d", value < 0 ? "−" : "", lead, power);
        return out;
    }
    for (; size >= 999.5 && i < 6; i++) size /= 1000;
    // digits behind the point that make three
    int digits = size > 0 ? 2 - (int)floor(log10(1.0005 * size)) : 0;
    double whole = round(size * pow(10, digits));
    for (; digits > 0 && !keep_zeros && fmod(whole, 10) == 0; digits--) whole /= 10;
    snprintf(out, 32, "%s%.*f%s", value < 0 ? "−" : "", digits, size, prefixes[i]);
    return out;
}
