// unit.c - numbers as people read them, by their unit.
#include "starling/report/unit.h"
#include "page.h"

#include <math.h>
#include <stdio.h>

// The SI prefix that fits a value, which is left with at most three digits before the point.
static const char *take_prefix(double *value) {
    static const char *const prefixes[] = {"y", "z", "a", "f", "p", "n", "µ", "m",
                                           "",  "k", "M", "G", "T", "P", "E"};
    enum { NONE = 8, LAST = 14 };
    int i = NONE;
    // 999.5 is the first number that three digits round up to 1000
    for (; fabs(*value) >= 999.5 && i < LAST; i++) *value /= 1000;
    for (; *value != 0 && fabs(*value) < 0.9995 && i > 0; i--) *value *= 1000;
    return prefixes[i];
}

// three digits and the prefix: "33.3 mJ"
static const char *show_si(double value, const char *unit, char out[static SL_UNIT_ROOM]) {
    const char *prefix = take_prefix(&value);
    int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
    if (value == 0) decimals = 0;
    snprintf(out, SL_UNIT_ROOM, "%.*f %s%s", decimals, value, prefix, unit);
    return out;
}

const char *sl_unit_exact(double value, const char *unit, char out[static SL_UNIT_ROOM]) {
    const char *prefix = take_prefix(&value);
    int decimals = fabs(value) < 9.999995 ? 5 : fabs(value) < 99.99995 ? 4 : 3;
    snprintf(out, SL_UNIT_ROOM, "%.*f %s%s", value == 0 ? 0 : decimals, value, prefix, unit);
    return out;
}

static const char *show_times(double x, char out[static SL_UNIT_ROOM]) {
    char count[32];
    if (x < 99.95)
        snprintf(out, SL_UNIT_ROOM, x < 9.995 ? "%.2f ×" : "%.1f ×", x);
    else
        snprintf(out, SL_UNIT_ROOM, "%s ×", sl_show_count(round(x), count));
    return out;
}

static const char *show_share(double share, char out[static SL_UNIT_ROOM]) {
    if (share >= 9.995) return show_times(share, out);
    // all and none are said only where they are true
    bool digit = fabs(share) < 0.0995 || (share >= 0.995 && share < 1);
    if (share > 0 && share < 0.0005)
        snprintf(out, SL_UNIT_ROOM, "<0.1 %%");
    else if (share > 0.9995 && share < 1)
        snprintf(out, SL_UNIT_ROOM, ">99.9 %%");
    else
        snprintf(out, SL_UNIT_ROOM, digit && share != 0 ? "%.1f %%" : "%.0f %%", 100 * share);
    return out;
}

static const char *show_rate(double per_second, char out[static SL_UNIT_ROOM]) {
    char count[32];
    if (per_second >= 999.5)
        snprintf(out, SL_UNIT_ROOM, "%s", sl_show_count(round(per_second), count));
    else
        snprintf(out, SL_UNIT_ROOM, "%.3g", per_second);
    return out;
}

const char *sl_unit_show(SlUnit unit, double value, char out[static SL_UNIT_ROOM]) {
    char count[32];
    snprintf(out, SL_UNIT_ROOM, "-");
    if (!isfinite(value)) return out;
    switch (unit) {
    case SL_UNIT_PLAIN:
        snprintf(out, SL_UNIT_ROOM, "%.6g", value);
        return out;
    case SL_UNIT_COUNT:
        snprintf(out, SL_UNIT_ROOM, "%s", sl_show_count(value, count));
        return out;
    case SL_UNIT_SHORT:
        snprintf(out, SL_UNIT_ROOM, "%s", sl_show_short(value, count));
        return out;
    case SL_UNIT_CYCLES:
        snprintf(out, SL_UNIT_ROOM, "%s cycles", sl_show_count(value, count));
        return out;
    case SL_UNIT_BYTES:
        snprintf(out, SL_UNIT_ROOM, "%s", sl_show_bytes(value, count));
        return out;
    case SL_UNIT_PJ:
        return show_si(value * 1e-12, "J", out);
    case SL_UNIT_SECONDS:
        return show_si(value, "s", out);
    case SL_UNIT_MW:
        return show_si(value * 1e-3, "W", out);
    case SL_UNIT_UM2:
        snprintf(out, SL_UNIT_ROOM, "%.3g mm²", value * 1e-6);
        return out;
    case SL_UNIT_JS:
        return show_si(value, "J·s", out);
    case SL_UNIT_TIMES:
        return show_times(value, out);
    case SL_UNIT_SHARE:
        return show_share(value, out);
    case SL_UNIT_RATE:
        return show_rate(value, out);
    }
    return out;
}

double sl_unit_axis(SlUnit unit, double most, char out[static SL_UNIT_ROOM]) {
    double base = unit == SL_UNIT_PJ ? 1e-12 : unit == SL_UNIT_MW ? 1e-3 : 1;
    const char *name = unit == SL_UNIT_PJ        ? "J"
                       : unit == SL_UNIT_SECONDS ? "s"
                       : unit == SL_UNIT_MW      ? "W"
                       : unit == SL_UNIT_JS      ? "J·s"
                                                 : NULL;
    snprintf(out, SL_UNIT_ROOM, "%s", unit == SL_UNIT_CYCLES ? "cycles" : "");
    if (!name) return 1;
    double shown = isfinite(most) && most > 0 ? most * base : 1, before = shown;
    const char *prefix = take_prefix(&shown);
    snprintf(out, SL_UNIT_ROOM, "%s%s", prefix, name);
    return base * shown / before;
}

const char *sl_unit_compare(double base, double now, char out[static SL_UNIT_ROOM]) {
    double more = now / base - 1;
    char times[SL_UNIT_ROOM];
    if (!isfinite(more))
        snprintf(out, SL_UNIT_ROOM, "-");
    else if (fabs(more) < 0.0005)
        snprintf(out, SL_UNIT_ROOM, "the same");
    else if (more < 1)
        snprintf(out, SL_UNIT_ROOM, "%.1f %% %s", 100 * fabs(more), more < 0 ? "less" : "more");
    else
        snprintf(out, SL_UNIT_ROOM, "%.40s as much", show_times(now / base, times));
    return out;
}

const char *sl_unit_wait(double seconds, char out[static SL_UNIT_ROOM]) {
    double minutes = round(seconds / 60);
    if (seconds < 90)
        snprintf(out, SL_UNIT_ROOM, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, SL_UNIT_ROOM, "%.0f min", minutes);
    else
        snprintf(out, SL_UNIT_ROOM, "%.0f h %02.0f min", floor(minutes / 60), fmod(minutes, 60));
    return out;
}
