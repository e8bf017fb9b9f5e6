// spark.c - a curve as one line of blocks.
#include <assert.h>
#include <math.h>
#include <stddef.h>

#include "starling/draw.h"

// the mean of the finite ones of y[from..to-1], NAN where there are none
static double finite_mean(const double *y, int from, int to) {
    double sum = 0;
    int n = 0;
    for (int i = from; i < to; i++) {
        if (!isfinite(y[i])) continue;
        n++;
        sum += (y[i] - sum) / n; // a running mean cannot overflow where a sum would
    }
    return n ? sum : NAN;
}

// what column c of `width` stands for: the mean of its points, or the nearest point
static double column_value(int n, const double *y, int width, int c) {
    int from = (int)((int64_t)c * n / width), to = (int)((int64_t)(c + 1) * n / width);
    return finite_mean(y, from, to > from ? to : from + 1);
}

void sl_draw_spark(int n, const double *y, int width, SlText *out) {
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    assert(n >= 0 && width >= 0);
    double low = INFINITY, high = -INFINITY;
    for (int c = 0; c < width && n > 0; c++) {
        double value = column_value(n, y, width, c);
        low = fmin(low, value);
        high = fmax(high, value);
    }
    for (int c = 0; c < width && n > 0; c++) {
        double value = column_value(n, y, width, c);
        // halves, so that the difference of extreme numbers is finite
        double range = high / 2 - low / 2;
        double share = range > 0 ? (value / 2 - low / 2) / range : 0;
        sl_text_add(out, "%s", isnan(value) ? " " : blocks[(int)fmin(7, share * 8)]);
    }
}
