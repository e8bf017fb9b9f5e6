// shown.h - inside report: numbers as people read them, the same everywhere. What is missing is
// "–".
#pragma once

#include "starling/study.h"

// Text in a value, for use inside one expression: sl_shown_ratio(x).text
typedef struct {
    char text[96];
} SlShown;

SlShown sl_shown_ratio(double ratio);            // "1.016", "12.35", "1,235"
SlShown sl_shown_factor(double factor);          // "3.1", "36", "1,235"
SlShown sl_shown_times(const SlEstimate *value); // "3.1 ×", "≥ 36 ×", "≤ 0.5 ×"
SlShown sl_shown_range(double low, double high, SlShown shown(double)); // "29–44"
SlShown sl_shown_count(double count);                                   // "12,345"
SlShown sl_shown_samples(double samples, int64_t budget); // "12,345", ">20,000" for infinity
SlShown sl_shown_share(double part, double whole);        // "96 %"
SlShown sl_shown_percent(double percent);                 // "0.3 %", "12 %"
SlShown sl_shown_value(double value);                     // "38,940", "6.376e+12"
SlShown sl_shown_p(double p);                             // "0.002", "<0.001"
SlShown sl_shown_duration(double seconds);                // "45 s", "12 min", "2 h 13 min"
SlShown sl_shown_plural(double n, const char *thing);     // "1 task", "4 tasks"
