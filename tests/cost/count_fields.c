// count_fields.c - see count_fields.h.
#include "count_fields.h"

#include <stdio.h>
#include <string.h>

#define PER_TENSOR(what)                                                                           \
    {#what "_W", offsetof(SlLevelCounts, what) + SL_W * sizeof(SlCount)},                          \
        {#what "_I", offsetof(SlLevelCounts, what) + SL_I * sizeof(SlCount)}, {                    \
#what "_O", offsetof(SlLevelCounts, what) + SL_O * sizeof(SlCount)                         \
    }
#define ALONE(what)                                                                                \
    { #what, offsetof(SlLevelCounts, what) }

const CountField count_fields[N_COUNT_FIELDS] = {
    PER_TENSOR(fill), PER_TENSOR(pread), PER_TENSOR(own0), PER_TENSOR(srv0),
    PER_TENSOR(tile), PER_TENSOR(first), ALONE(upd),       ALONE(upd0),
    ALONE(cov0),      ALONE(inst),       ALONE(grid),
};

SlCount count_get(const SlLevelCounts *level, const CountField *field) {
    SlCount value;
    memcpy(&value, (const char *)level + field->offset, sizeof value);
    return value;
}

// the level that a column speaks of, and the rest of its name
static const char *split_column(const SlCounts *counts, const char *column, int *level) {
    if (strncmp(column, "mac_", 4) == 0) {
        *level = counts->n_levels;
        return column + 4;
    }
    bool numbered = column[0] == 'l' && column[1] >= '1' && column[1] <= '9' && column[2] == '_';
    *level = numbered ? column[1] - '0' : 0;
    return numbered ? column + 3 : "";
}

bool count_by_column(const SlCounts *counts, const char *column, SlCount *value) {
    int level;
    const char *name = split_column(counts, column, &level);
    for (int i = 0; i < N_COUNT_FIELDS; i++) {
        if (strcmp(name, count_fields[i].name) != 0) continue;
        bool absent = level >= counts->n_levels && column[0] == 'l';
        *value = absent ? 0 : count_get(&counts->level[level], &count_fields[i]);
        return true;
    }
    if (strcmp(column, "macs") == 0)
        *value = counts->macs;
    else if (strcmp(column, "cycles") == 0)
        *value = counts->cycles;
    else
        return false;
    return true;
}

static bool moves(const char *name) {
    static const char *const moved[] = {"fill_", "pread_", "own0_", "srv0_", "upd"};
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        if (strncmp(name, moved[i], strlen(moved[i])) == 0) return true;
    }
    return false;
}

static const char *level_differs(const SlCounts *got, const SlCounts *want, int level,
                                 bool only_moved, size_t n, char *out) {
    for (int i = 0; i < N_COUNT_FIELDS; i++) {
        const CountField *field = &count_fields[i];
        SlCount a = count_get(&got->level[level], field);
        SlCount b = count_get(&want->level[level], field);
        if (a == b || (only_moved && !moves(field->name))) continue;
        snprintf(out, n, "level %d of %d, %s: %.17g, must be %.17g", level, want->n_levels,
                 field->name, a, b);
        return out;
    }
    return NULL;
}

const char *counts_differ(const SlCounts *got, const SlCounts *want, bool only_moved, size_t n,
                          char *out) {
    if (got->n_levels != want->n_levels || got->macs != want->macs || got->cycles != want->cycles) {
        snprintf(out, n, "levels %d, macs %.17g, cycles %.17g, must be %d, %.17g, %.17g",
                 got->n_levels, got->macs, got->cycles, want->n_levels, want->macs, want->cycles);
        return out;
    }
    for (int l = 1; l <= want->n_levels; l++) {
        if (level_differs(got, want, l, only_moved, n, out)) return out;
    }
    return NULL;
}
