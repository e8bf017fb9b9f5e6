// show.c - numbers, names and shapes for people.
#include "show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// three digits and the SI prefix that fits: "33.3 mJ"
static const char *show_si(double value, const char *unit, char out[static SHOW_ROOM]) {
    static const char *const prefixes[] = {"y", "z", "a", "f", "p", "n", "µ", "m",
                                           "",  "k", "M", "G", "T", "P", "E"};
    enum { NONE = 8, LAST = 14 };
    int i = NONE;
    // 999.5 is the first number that three digits round up to 1000
    for (; fabs(value) >= 999.5 && i < LAST; i++) value /= 1000;
    for (; value != 0 && fabs(value) < 0.9995 && i > 0; i--) value *= 1000;
    int decimals = fabs(value) < 9.995 ? 2 : fabs(value) < 99.95 ? 1 : 0;
    if (value == 0) decimals = 0;
    snprintf(out, SHOW_ROOM, "%.*f %s%s", decimals, value, prefixes[i], unit);
    return out;
}

const char *show_energy(double pj, char out[static SHOW_ROOM]) {
    return show_si(pj * 1e-12, "J", out);
}

const char *show_seconds(double seconds, char out[static SHOW_ROOM]) {
    return show_si(seconds, "s", out);
}

const char *show_rate(double per_second, char out[static SHOW_ROOM]) {
    char count[32];
    // 999.5 is the first number that three digits round up to 1000
    if (per_second >= 999.5)
        snprintf(out, SHOW_ROOM, "%s", sl_show_count(round(per_second), count));
    else
        snprintf(out, SHOW_ROOM, "%.3g", per_second);
    return out;
}

const char *show_left(double seconds, char out[static SHOW_ROOM]) {
    if (seconds < 90)
        snprintf(out, SHOW_ROOM, "%.0f s", seconds);
    else if (seconds < 5400)
        snprintf(out, SHOW_ROOM, "%.0f min", seconds / 60);
    else
        snprintf(out, SHOW_ROOM, "%.0f h %02.0f min", floor(seconds / 3600),
                 fmod(seconds / 60, 60));
    return out;
}

const char *show_power(double mw, char out[static SHOW_ROOM]) {
    return show_si(mw * 1e-3, "W", out);
}

const char *show_area(double um2, char out[static SHOW_ROOM]) {
    snprintf(out, SHOW_ROOM, "%.3g mm²", um2 * 1e-6);
    return out;
}

const char *show_edp(double pj_cycles, double clock_mhz, char out[static SHOW_ROOM]) {
    return show_si(pj_cycles * 1e-18 / clock_mhz, "Js", out);
}

const char *show_multiple(double x, char out[static SHOW_ROOM]) {
    if (!isfinite(x))
        snprintf(out, SHOW_ROOM, "-");
    else if (x < 99.95)
        snprintf(out, SHOW_ROOM, x < 9.995 ? "%.2f ×" : "%.1f ×", x);
    else
        snprintf(out, SHOW_ROOM, x < 9999.5 ? "%.0f ×" : "%.2g ×", x);
    return out;
}

const char *show_compared(double base, double now, char out[static SHOW_ROOM]) {
    double more = now / base - 1;
    char multiple[SHOW_ROOM];
    if (!isfinite(more))
        snprintf(out, SHOW_ROOM, "-");
    else if (fabs(more) < 0.0005)
        snprintf(out, SHOW_ROOM, "the same");
    else if (more < 1)
        snprintf(out, SHOW_ROOM, "%.1f %% %s", 100 * fabs(more), more < 0 ? "less" : "more");
    else
        snprintf(out, SHOW_ROOM, "%.40s as much", show_multiple(now / base, multiple));
    return out;
}

const char *show_share(double share, char out[static SHOW_ROOM]) {
    if (isnan(share) || share >= 9.995) return show_multiple(share, out);
    if (share > 0 && share < 0.0005)
        snprintf(out, SHOW_ROOM, "<0.1 %%");
    else
        snprintf(out, SHOW_ROOM, "%.1f %%", 100 * share);
    return out;
}

const char *show_objective(SlObjective objective, double value, double clock_mhz,
                           char out[static SHOW_ROOM]) {
    char digits[32];
    snprintf(out, SHOW_ROOM, "-");
    if (isnan(value)) return out;
    switch (objective) {
    case SL_LATENCY:
        snprintf(out, SHOW_ROOM, "%s cycles", sl_show_count(value, digits));
        return out;
    case SL_ENERGY:
        return show_energy(value, out);
    case SL_EDP:
        return show_edp(value, clock_mhz, out);
    case SL_AREA:
        return show_area(value, out);
    case SL_POWER:
        return show_power(value, out);
    default:
        return out;
    }
}

SlObjective goal_objective(const SlGoal *goal) {
    SlObjective only = SL_N_OBJECTIVES;
    int n = 0;
    for (int o = 0; o < SL_N_OBJECTIVES; o++) {
        if (goal->weight[o] <= 0) continue;
        if (goal->weight[o] == 1) only = (SlObjective)o;
        n++;
    }
    return n == 1 ? only : SL_N_OBJECTIVES;
}

const char *show_goal(const SlGoal *goal, double value, double clock_mhz,
                      char out[static SHOW_ROOM]) {
    SlObjective only = goal_objective(goal);
    if (only != SL_N_OBJECTIVES) return show_objective(only, value, clock_mhz, out);
    snprintf(out, SHOW_ROOM, isnan(value) ? "-" : "%.4g", value);
    return out;
}

const char *show_binder(const SlAccel *accel, SlBinder binder, char out[static SHOW_ROOM]) {
    const char *level = accel->levels[binder.level].name;
    if (binder.kind == SL_BIND_COMPUTE)
        snprintf(out, SHOW_ROOM, "compute");
    else
        snprintf(out, SHOW_ROOM, "%s %s", level, binder.kind == SL_BIND_PORT ? "port" : "link");
    return out;
}

// the window of a convolution: outputs, taps, stride and dilation
static int add_window(const SlLayer *layer, int used, char out[static SHOW_ROOM]) {
    const int64_t *d = layer->dims;
    used +=
        snprintf(out + used, (size_t)(SHOW_ROOM - used), " %lldx%lld %lldx%lld", (long long)d[SL_P],
                 (long long)d[SL_Q], (long long)d[SL_R], (long long)d[SL_S]);
    const int32_t *pairs[] = {layer->stride, layer->dilation};
    for (int i = 0; i < 2 && used < SHOW_ROOM; i++) {
        if (pairs[i][0] == 1 && pairs[i][1] == 1) continue;
        const char *mark = i == 0 ? "/" : "d";
        used += snprintf(out + used, (size_t)(SHOW_ROOM - used),
                         pairs[i][0] == pairs[i][1] ? " %s%d" : " %s%dx%d", mark, pairs[i][0],
                         pairs[i][1]);
    }
    return used;
}

const char *show_shape(const SlLayer *layer, char out[static SHOW_ROOM]) {
    const int64_t *d = layer->dims;
    long long n = d[SL_N], g = d[SL_G], k = d[SL_K], c = d[SL_C], p = d[SL_P];
    int used = 0;
    switch (layer->type) {
    case SL_GEMM:
        snprintf(out, SHOW_ROOM, "%lldx%lldx%lld", p * n, k, c);
        return out;
    case SL_BMM:
        snprintf(out, SHOW_ROOM, "%lld*%lldx%lldx%lld", g * n, p, k, c);
        return out;
    case SL_LINEAR:
        snprintf(out, SHOW_ROOM, "%lldx%lld", k, c);
        if (n > 1) snprintf(out, SHOW_ROOM, "%lld*%lldx%lld", n, k, c);
        return out;
    default:
        break;
    }
    if (n > 1) used += snprintf(out, SHOW_ROOM, "%lld*", n);
    const bool depthwise = layer->type == SL_DEPTHWISE && k * c == 1; // the groups say it all
    if (g > 1 || depthwise) used += snprintf(out + used, (size_t)(SHOW_ROOM - used), "g%lld", g);
    if (!depthwise)
        used +=
            snprintf(out + used, (size_t)(SHOW_ROOM - used), "%s%lldx%lld", g > 1 ? " " : "", k, c);
    if (used < SHOW_ROOM) add_window(layer, used, out);
    return out;
}

int show_columns(const char *text) {
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
    return n;
}

void show_bar(double from, double to, int width, SlText *out) {
    static const char *const eighths[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    from = fmin(from, 1);
    to = fmin(to, 1);
    int blanks = (int)lround(from * width), filled = (int)lround((to - from) * width * 8);
    // something that is not nothing is seen, and inside
    if (filled <= 0 && to > from) filled = 1;
    if (filled > 0 && blanks == width) blanks--;
    for (int i = 0; i < blanks; i++) sl_text_put(out, " ", 1);
    for (; filled >= 8; filled -= 8) sl_text_add(out, "%s", eighths[7]);
    if (filled > 0) sl_text_add(out, "%s", eighths[filled - 1]);
}

void show_wrapped(const char *first, const char *next, const char *text, SlText *out) {
    enum { PAGE = 100 };
    int lead = show_columns(first), column = lead;
    sl_text_add(out, "%s", first);
    while (*text) {
        char word[128];
        size_t n = strcspn(text, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        int columns = show_columns(word);
        if (column > lead && column + 1 + columns > PAGE) {
            sl_text_add(out, "\n%s", next);
            column = lead;
        } else if (column > lead) {
            sl_text_put(out, " ", 1);
            column++;
        }
        sl_text_put(out, text, n);
        column += columns;
        text += n + strspn(text + n, " ");
    }
    sl_text_put(out, "\n", 1);
}

void clean_text(char *text) {
    // the library's errors are always one line of valid UTF-8, so one of them does the cleaning
    SlError cleaned;
    size_t n = strlen(text);
    sl_fail(&cleaned, SL_EINPUT, "%s", text);
    if (strlen(cleaned.text) <= n) memcpy(text, cleaned.text, strlen(cleaned.text) + 1);
}
