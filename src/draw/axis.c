// axis.c - from numbers to places on a line, with ticks at round numbers.
#include "axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void sl_axis_init(Axis *axis, bool is_log) {
    *axis = (Axis){.is_log = is_log, .low = INFINITY, .high = -INFINITY};
}

bool sl_axis_holds(const Axis *axis, double value) {
    return isfinite(value) && (!axis->is_log || value > 0 || (axis->keeps_zero && value == 0));
}

void sl_axis_widen(Axis *axis, double value) {
    if (!sl_axis_holds(axis, value)) return;
    if (axis->is_log && value == 0) {
        axis->has_zero = true;
        return;
    }
    axis->low = fmin(axis->low, value);
    axis->high = fmax(axis->high, value);
}

// 1, 2 or 5 times a power of ten, at least `step`
static double round_step(double step) {
    double power = pow(10, floor(log10(step)));
    double lead = step / power;
    // a little slack, so that 1.0000001 is still 1
    return power * (lead <= 1 + 1e-9 ? 1 : lead <= 2 + 1e-9 ? 2 : lead <= 5 + 1e-9 ? 5 : 10);
}

static double linear_step(const Axis *axis, int wanted) {
    // a quarter of each, so that the difference of extreme numbers is finite
    double range = axis->high / 4 - axis->low / 4;
    return fmax(round_step(fmax(4 * (range / wanted), 1e-300)), 1e-300);
}

// not empty, and never so wide that differences overflow
static void open_up(Axis *axis) {
    if (axis->low > axis->high) {
        axis->low = axis->is_log ? 1 : 0;
        axis->high = axis->is_log ? 10 : 1;
    }
    // enough as it is
    double least = 1e-9 * fmax(fabs(axis->high), fabs(axis->low));
    if (axis->high - axis->low > fmax(least, 1e-290)) return;
    double middle = axis->low, room = fabs(middle) < 1e-280 ? 1 : fabs(middle) / 4;
    axis->low = axis->is_log ? middle / 1.5 : middle - room;
    axis->high = axis->is_log ? middle * 1.5 : middle + room;
}

static void add_air(Axis *axis) {
    if (axis->is_log) {
        double air = pow(axis->high / axis->low, 0.06);
        axis->low /= air;
        axis->high *= air;
        return;
    }
    double step = linear_step(axis, 5);
    axis->low = step * floor(axis->low / step + 1e-9);
    axis->high = step * ceil(axis->high / step - 1e-9);
}

void sl_axis_fit(Axis *axis, bool air, double from, double to) {
    // far enough from overflow for all that follows; an axis without numbers stays one
    const double most = axis->is_log ? 1e100 : 1e300, least = axis->is_log ? 1e-100 : -1e300;
    if (axis->low <= axis->high) {
        axis->low = fmin(fmax(axis->low, least), most);
        axis->high = fmin(fmax(axis->high, least), most);
    }
    open_up(axis);
    if (air) add_air(axis);
    axis->from = from;
    axis->to = to;
}

double sl_axis_place(const Axis *axis, double value) {
    double from = axis->from;
    if (axis->has_zero) {
        if (value == 0) return from;
        from += axis->to > from ? AXIS_ZERO_ROOM : -AXIS_ZERO_ROOM;
    }
    double share = axis->is_log ? log(value / axis->low) / log(axis->high / axis->low)
                                : (value / 4 - axis->low / 4) / (axis->high / 4 - axis->low / 4);
    return from + fmin(fmax(share, 0), 1) * (axis->to - from);
}

static int linear_ticks(const Axis *axis, int wanted, double *ticks) {
    double step = linear_step(axis, wanted);
    int n = 0;
    double first = ceil(axis->low / step - 1e-9);
    for (int i = 0; n < AXIS_MAX_TICKS; i++) {
        double tick = (first + i) * step;
        if (tick > axis->high + 1e-9 * step) break;
        ticks[n++] = tick == 0 ? 0 : tick; // not -0
    }
    return n;
}

// leads (n_leads) times every stride-th power of ten within the ends
static int power_ticks(const Axis *axis, int stride, int n_leads, const double *leads,
                       double *ticks) {
    int n = 0, decade = (int)floor(log10(axis->low));
    decade -= ((decade % stride) + stride) % stride;
    for (; pow(10, decade) <= axis->high * (1 + 1e-9); decade += stride) {
        for (int i = 0; i < n_leads && n < AXIS_MAX_TICKS; i++) {
            double tick = leads[i] * pow(10, decade);
            if (tick >= axis->low * (1 - 1e-9) && tick <= axis->high * (1 + 1e-9))
                ticks[n++] = tick;
        }
    }
    return n;
}

int sl_axis_ticks(const Axis *axis, int wanted, double ticks[static AXIS_MAX_TICKS]) {
    static const double ones[] = {1}, thirds[] = {1, 2, 5}, fine[] = {1, 1.5, 2, 3, 4, 5, 7};
    static const struct {
        int n;
        const double *leads;
    } sets[] = {{1, ones}, {3, thirds}, {7, fine}};
    if (!axis->is_log) return linear_ticks(axis, wanted, ticks);
    // the coarsest of the usual sets that gives enough ticks
    double decades = log10(axis->high / axis->low);
    int stride = (int)fmax(1, ceil(decades / (wanted + 1)));
    int enough = wanted < 6 ? wanted - 2 : 4;
    for (int i = 0; i < 3; i++) {
        int n = power_ticks(axis, stride, sets[i].n, sets[i].leads, ticks);
        if (n >= enough) return n;
    }
    // within a short stretch a logarithm is nearly straight
    return linear_ticks(axis, wanted, ticks);
}

int sl_axis_minor(const Axis *axis, double minor[static AXIS_MAX_MINOR]) {
    if (!axis->is_log) return 0;
    double decades = log10(axis->high / axis->low);
    if (decades > AXIS_MAX_MINOR - 2) return 0;
    int n = 0, step = decades > 6 ? 9 : 1;
    for (int decade = (int)floor(log10(axis->low)); pow(10, decade) <= axis->high; decade++) {
        for (int lead = 1; lead <= 9 && n < AXIS_MAX_MINOR; lead += step) {
            double at = lead * pow(10, decade);
            if (at >= axis->low && at <= axis->high) minor[n++] = at;
        }
    }
    return n;
}

double sl_axis_step(int n, const double *ticks) {
    double step = n > 1 ? ticks[1] - ticks[0] : 0;
    for (int i = 2; i < n; i++)
        if (fabs(ticks[i] - ticks[i - 1] - step) > 1e-6 * step) return 0;
    return step;
}

// digits behind the point that tell ticks `step` apart
static int decimals(double step) {
    int n = 0;
    while (n < 8 && fabs(step * pow(10, n) - round(step * pow(10, n))) > 1e-6 * step * pow(10, n))
        n++;
    return n;
}

const char *sl_tick_text(double value, double step, char out[static 32]) {
    static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
    double size = fabs(value);
    int i = 0;
    const char *sign = value < 0 ? "−" : "";
    if (size >= 1e18 || (size > 0 && size < 1e-4)) {
        int power = (int)floor(log10(size) + 1e-9);
        snprintf(out, 32, "%s%.3ge%d", sign, size / pow(10, power), power);
        return out;
    }
    // thousands count as such unless their neighbours are hundreds
    if (size >= (step > 0 && step < 1000 ? 1e4 : 1e3))
        while (size >= 1000 && i < 5) {
            size /= 1000;
            i++;
        }
    int digits = step > 0 ? decimals(step / pow(1000, i)) : decimals(size);
    // ticks of one axis keep their digits, but a whole number needs none
    if (size == round(size) && (step <= 0 || i > 0)) digits = 0;
    snprintf(out, 32, "%s%.*f%s", sign, digits, size, prefixes[i]);
    return out;
}
