// names.c - the name that was meant: optimal string alignment distance (Damerau 1964), which counts
// a missing, extra, wrong or swapped character as one.
#include "names.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "utf8.h"

enum { NAME_MAX_BYTES = 64 }; // longer words are never meant

static int lower(char c) {
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int least(int a, int b, int c) {
    int m = a < b ? a : b;
    return m < c ? m : c;
}

// rows i, i-1, i-2 of the table of distances between beginnings of the two words
static int edit_distance(const char *a, int na, const char *b, int nb) {
    int rows[3][NAME_MAX_BYTES + 1];
    for (int j = 0; j <= nb; j++) rows[0][j] = j;
    for (int i = 1; i <= na; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= nb; j++) {
            int x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y));
            bool swapped = i > 1 && j > 1 && x != y && x == lower(b[j - 2]) && lower(a[i - 2]) == y;
            if (swapped) row[j] = least(row[j], above2[j - 2] + 1, INT_MAX);
        }
    }
    return rows[na % 3][nb];
}

int sl_name_distance(const char *word, const char *name) {
    int nw = (int)strnlen(word, NAME_MAX_BYTES + 1), nn = (int)strnlen(name, NAME_MAX_BYTES + 1);
    if (nw > NAME_MAX_BYTES || nn > NAME_MAX_BYTES) return -1;
    int longer = nw > nn ? nw : nn, shorter = nw > nn ? nn : nw;
    int allowed = longer < 6 ? 1 : longer / 3;
    if (longer - shorter > allowed) return -1;
    int distance = edit_distance(word, nw, name, nn);
    // at least one character must have been right
    return distance <= allowed && distance < shorter + (distance == 0) ? distance : -1;
}

const char *sl_nearest_name(const char *word, const char *const *names) {
    const char *best = NULL;
    int best_distance = INT_MAX;
    for (; *names; names++) {
        int distance = sl_name_distance(word, *names);
        if (distance < 0 || distance >= best_distance) continue;
        best = *names;
        best_distance = distance;
    }
    return best;
}

int sl_choice_find(const char *word, const char *const *names) {
    for (int i = 0; names[i]; i++) {
        if (strcmp(word, names[i]) == 0) return i;
    }
    return -1;
}

const char *sl_choice_sentence(const char *word, const char *const *names,
                               char out[static SL_SENTENCE_ROOM]) {
    // the list may be long; what was got and the hint must still fit behind it
    enum { LIST_ROOM = 200, NAME_ROOM = NAME_MAX_BYTES + 1 };
    char list[LIST_ROOM + NAME_ROOM] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        bool full = used + strlen(names[i]) > LIST_ROOM - 8;
        int n = snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                         full ? "..." : names[i]);
        used += (size_t)n;
        if (full) break;
    }
    char got[SL_QUOTE_ROOM];
    const char *near = sl_nearest_name(word, names);
    snprintf(out, SL_SENTENCE_ROOM, "expected one of %s, got %s%s%s%s", list, sl_quote(word, got),
             near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    return out;
}
