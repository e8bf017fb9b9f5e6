// number_list.c - lists of whole numbers, each once.
#include "number_list.h"

#include <stdio.h>
#include <string.h>

static bool has(int n, const int *numbers, int64_t value) {
    for (int i = 0; i < n; i++)
        if (numbers[i] == value) return true;
    return false;
}

SlStatus number_list_read(const char *option, const char *text, int most, int room, int *numbers,
                          int *n, SlError *err) {
    *n = 0;
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, ",");
        char word[32];
        int64_t value;
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), at);
        at += length + (at[length] == ',');
        if (sl_parse_int(word, 1, most, &value, NULL) != SL_OK)
            return sl_fail(err, SL_EINPUT, "--%s: expected numbers from 1 to %d, got '%s'", option,
                           most, word);
        if (has(*n, numbers, value)) continue;
        if (*n == room)
            return sl_fail(err, SL_EINPUT, "--%s: expected at most %d numbers", option, room);
        numbers[(*n)++] = (int)value;
    }
    return *n > 0 ? SL_OK : sl_fail(err, SL_EINPUT, "--%s: expected a list of numbers", option);
}
