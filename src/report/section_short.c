// section_short.c - the result of a study in a few sentences: how far above the optimum the
// reference and the best other method end, and how many times more samples the others need.
#include <math.h>

#include "section.h"

static const double near_percent = 5;

// "0.9 %"
static SlShown shown_above(double ratio) {
    return sl_shown_percent(100 * (ratio - 1));
}

static void add_end(const SlSection *section, SlText *out) {
    const SlResults *results = section->results;
    double own = sl_section_mean(results, results->reference, results->budget).median;
    double least = INFINITY;
    int best = -1;
    for (int r = 0; r < results->n_rows; r++) {
        double mean = sl_section_mean(results, r, results->budget).median;
        if (!sl_section_other_method(section, r) || !(mean < least)) continue;
        least = mean;
        best = r;
    }
    if (!isfinite(own)) return;
    sl_text_add(out, "**In short.** After %s %s %s is %s above the optimum%s",
                sl_shown_count((double)results->budget).text, sl_section_samples(section),
                sl_section_reference(section), shown_above(own).text,
                results->n_tasks > 1 ? " (median over seeds, geometric mean over tasks)" : "");
    if (best >= 0)
        sl_text_add(out, ", the best row of another method, %s, %s", results->rows[best],
                    shown_above(least).text);
    sl_text_add(out, ".");
}

static void add_factors(const SlSection *section, SlText *out) {
    const SlResults *results = section->results;
    SlReach reach = sl_reach(results, -1, results->reference, near_percent);
    if (reach.n == 0) return;
    if (!isfinite(reach.median)) {
        sl_text_add(out, " Half of the runs of %s or more do not come within %g %%.",
                    sl_section_reference(section), near_percent);
        return;
    }
    sl_text_add(out, " It comes within %g %% after %s %s", near_percent,
                sl_shown_samples(reach.median, results->budget).text,
                reach.median == 1 ? sl_section_sample(section) : sl_section_samples(section));
    int n = 0;
    for (int r = 0; r < results->n_rows; r++) {
        if (!sl_section_other_method(section, r)) continue;
        SlEstimate factor = sl_reach_factor(results, -1, r, results->reference, near_percent);
        if (!isfinite(factor.value)) continue;
        sl_text_add(out, "%s%s %s (%s)",
                    n++ ? "; "
                        : "; the other methods need this many times as many, with 95 % "
                          "intervals: ",
                    results->rows[r], sl_shown_times(&factor).text,
                    sl_shown_range(factor.low, factor.high, sl_shown_factor).text);
    }
    sl_text_add(out, ".");
}

void sl_section_short(const SlSection *section) {
    if (section->results->reference < 0) return;
    SlText out;
    sl_text_init(&out, section->arena);
    add_end(section, &out);
    if (out.n > 0 && section->plan->show[SL_SHOW_TARGETS]) add_factors(section, &out);
    if (out.failed) section->doc->failed = true;
    if (out.n > 0) sl_doc_words(section->doc, "%s", out.data);
}
