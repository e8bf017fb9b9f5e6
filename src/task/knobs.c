// knobs.c - points as numbers and as texts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "starling/task/tuning.h"

int64_t sl_knobs_index(const SlKnobs *knobs, const int32_t *point) {
    int64_t index = 0;
    for (int k = 0; k < knobs->n_knobs; k++) index = index * knobs->knobs[k].n + point[k];
    return index;
}

void sl_knobs_point(const SlKnobs *knobs, int64_t index, int32_t *point) {
    for (int k = knobs->n_knobs - 1; k >= 0; k--) {
        point[k] = (int32_t)(index % knobs->knobs[k].n);
        index /= knobs->knobs[k].n;
    }
}

const char *sl_knobs_show(const SlKnobs *knobs, const int32_t *point, size_t n, char *out) {
    size_t at = 0;
    if (n) out[0] = 0;
    for (int k = 0; k < knobs->n_knobs && at < n; k++) {
        const SlKnob *knob = &knobs->knobs[k];
        at += (size_t)snprintf(out + at, n - at, "%s%s=%d", k ? " " : "", knob->name,
                               knob->values[point[k]]);
    }
    return out;
}

static int knob_named(const SlKnobs *knobs, const char *name, size_t n) {
    for (int k = 0; k < knobs->n_knobs; k++)
        if (strlen(knobs->knobs[k].name) == n && !memcmp(knobs->knobs[k].name, name, n)) return k;
    return -1;
}

static int value_at(const SlKnob *knob, long value) {
    for (int i = 0; i < knob->n; i++)
        if (knob->values[i] == value) return i;
    return -1;
}

SlStatus sl_knobs_parse(const SlKnobs *knobs, const char *text, int32_t *point, SlError *err) {
    bool seen[SL_MAX_KNOBS] = {0};
    const char *at = text + strspn(text, " ");
    while (*at) {
        size_t n = strcspn(at, "= ");
        int k = at[n] == '=' ? knob_named(knobs, at, n) : -1;
        if (k < 0 || seen[k])
            return sl_fail(err, SL_EINPUT, "expected knob=value, each knob once, got '%.*s'",
                           (int)strcspn(at, " "), at);
        char *end;
        long value = strtol(at + n + 1, &end, 10);
        int index = value_at(&knobs->knobs[k], value);
        if (strspn(at + n + 1, "0123456789") == 0 || (*end && *end != ' ') || index < 0)
            return sl_fail(err, SL_EINPUT, "%s has no value '%.*s'", knobs->knobs[k].name,
                           (int)strcspn(at + n + 1, " "), at + n + 1);
        seen[k] = true;
        point[k] = index;
        at = end + strspn(end, " ");
    }
    for (int k = 0; k < knobs->n_knobs; k++)
        if (!seen[k]) return sl_fail(err, SL_EINPUT, "no value of %s", knobs->knobs[k].name);
    return SL_OK;
}
