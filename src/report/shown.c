// shown.c - numbers as people read them.
#include "shown.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static SlShown none(void) {
    return (SlShown){"–"};
}

SlShown sl_shown_count(double count) {
    if (!isfinite(count)) return none();
    SlShown shown;
    char digits[32];
    snprintf(shown.text, sizeof shown.text, "%s", sl_show_count(round(count), digits));
    return shown;
}

SlShown sl_shown_ratio(double ratio) {
    if (!isfinite(ratio)) return none();
    if (fabs(ratio) >= 999.5) return sl_shown_count(ratio);
    // at least three digits behind the point near 1, four digits further up
    int decimals = fabs(ratio) < 9.9995 ? 3 : fabs(ratio) < 99.995 ? 2 : 1;
    SlShown shown;
    snprintf(shown.text, sizeof shown.text, "%.*f", decimals, ratio);
    return shown;
}

SlShown sl_shown_factor(double factor) {
    if (!isfinite(factor)) return none();
    if (fabs(factor) >= 9.95) return sl_shown_count(factor);
    SlShown shown;
    snprintf(shown.text, sizeof shown.text, fabs(factor) < 0.995 ? "%.2f" : "%.1f", factor);
    return shown;
}

SlShown sl_shown_times(const SlEstimate *value) {
    if (!isfinite(value->value)) return none();
    SlShown shown;
    // a bound on either side says nothing together
    const char *mark = value->bound && value->ceiling ? "≈ "
                       : value->bound                 ? "≥ "
                       : value->ceiling               ? "≤ "
                                                      : "";
    snprintf(shown.text, sizeof shown.text, "%s%.48s ×", mark, sl_shown_factor(value->value).text);
    return shown;
}

SlShown sl_shown_range(double low, double high, SlShown shown(double)) {
    if (!isfinite(low) || !isfinite(high)) return none();
    SlShown both;
    snprintf(both.text, sizeof both.text, "%.40s–%.40s", shown(low).text, shown(high).text);
    return both;
}

SlShown sl_shown_samples(double samples, int64_t budget) {
    if (isnan(samples)) return none();
    if (isfinite(samples)) return sl_shown_count(samples);
    SlShown shown;
    snprintf(shown.text, sizeof shown.text, ">%.40s", sl_shown_count((double)budget).text);
    return shown;
}

SlShown sl_shown_share(double part, double whole) {
    if (!(whole > 0)) return none();
    SlShown shown;
    double percent = 100 * part / whole;
    // all and none are said only where they are true
    if (percent > 99.45 && percent < 100)
        snprintf(shown.text, sizeof shown.text, "%.1f %%", fmin(percent, 99.9));
    else if (percent > 0 && percent < 0.55)
        snprintf(shown.text, sizeof shown.text, "%.1f %%", fmax(percent, 0.1));
    else
        snprintf(shown.text, sizeof shown.text, "%.0f %%", percent);
    return shown;
}

SlShown sl_shown_percent(double percent) {
    if (!isfinite(percent)) return none();
    SlShown shown;
    bool tiny = percent > 0 && percent < 0.001;
    snprintf(shown.text, sizeof shown.text, tiny ? "<0.001 %%" : "%.2g %%", percent);
    if (fabs(percent) >= 99.5)
        snprintf(shown.text, sizeof shown.text, "%.40s %%", sl_shown_count(percent).text);
    return shown;
}

SlShown sl_shown_value(double value) {
    if (!isfinite(value)) return none();
    bool whole = value == round(value) || fabs(value) >= 1000;
    if (fabs(value) < 1e10 && whole) return sl_shown_count(value);
    SlShown shown;
    snprintf(shown.text, sizeof shown.text, fabs(value) >= 1e10 ? "%.3e" : "%.4g", value);
    return shown;
}

SlShown sl_shown_p(double p) {
    if (!isfinite(p)) return none();
    SlShown shown;
    snprintf(shown.text, sizeof shown.text, p < 0.0005 ? "<0.001" : "%.3f", p);
    return shown;
}

SlShown sl_shown_duration(double seconds) {
    SlShown shown;
    double minutes = round(seconds / 60);
    if (seconds < 0.1)
        snprintf(shown.text, sizeof shown.text, "less than 0.1 s");
    else if (seconds < 9.95)
        snprintf(shown.text, sizeof shown.text, "%.1f s", seconds);
    else if (seconds < 119.5)
        snprintf(shown.text, sizeof shown.text, "%.0f s", seconds);
    else if (minutes < 120)
        snprintf(shown.text, sizeof shown.text, "%.0f min", minutes);
    else
        snprintf(shown.text, sizeof shown.text, "%.0f h %02.0f min", floor(minutes / 60),
                 fmod(minutes, 60));
    return shown;
}

SlShown sl_shown_plural(double n, const char *thing) {
    SlShown shown;
    snprintf(shown.text, sizeof shown.text, "%.40s %.40s%s", sl_shown_count(n).text, thing,
             n == 1 ? "" : "s");
    return shown;
}
