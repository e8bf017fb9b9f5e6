// label.c - names as characters, whatever bytes they hold.
#include "label.h"

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
