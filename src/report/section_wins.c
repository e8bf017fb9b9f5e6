// section_wins.c - the reference against every other row, cell by cell; and the cells where it is
// neither the best nor tied with the best.
#include <math.h>

#include "page.h"
#include "section.h"

typedef struct {
    int n[SL_DUEL_NONE + 1];
} Tally;

static Tally tally(const SlSection *section, int other, int point) {
    const SlResults *results = section->results;
    Tally tally = {0};
    for (int t = 0; t < results->n_tasks; t++)
        for (int i = 0; i < section->n_points; i++) {
            if (point >= 0 && i != point) continue;
            SlDuel duel = sl_duel(results, t, results->reference, other, section->points[i]);
            tally.n[duel.result]++;
        }
    return tally;
}

static void add_duels(const SlSection *section) {
    const SlResults *results = section->results;
    const char *reference = sl_section_reference(section);
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<against|wins|ties|losses|untested");
    for (int i = 0; i < section->n_points; i++)
        sl_text_add(&heads, "|%s", sl_shown_count((double)section->points[i]).text);
    if (heads.failed) section->doc->failed = true;
    SlTable *table =
        sl_table_make(section->arena,
                      sl_section_text(section, "%s: wins, ties and losses, in all and by %s",
                                      reference, sl_section_samples(section)),
                      heads.data);
    for (int r = 0; r < results->n_rows; r++) {
        if (r == results->reference) continue;
        Tally all = tally(section, r, -1);
        sl_table_row(table);
        sl_table_cell(table, "%s", results->rows[r]);
        for (int d = 0; d <= SL_DUEL_NONE; d++) sl_table_cell(table, "%d", all.n[d]);
        for (int i = 0; i < section->n_points; i++) {
            Tally at = tally(section, r, i);
            sl_table_cell(table, "%d/%d/%d", at.n[SL_DUEL_WIN], at.n[SL_DUEL_TIE],
                          at.n[SL_DUEL_LOSS]);
        }
    }
    sl_doc_grid(section->doc, "wins", table);
}

// ---- where the reference is not best ----

// how the reference stands in one cell against the best of some rows
typedef struct {
    int best;  // of the others, -1 = none has runs
    bool good; // the reference is the best or tied with it
    SlDuel duel;
    double value, other; // medians
} Standing;

static bool counts(const SlSection *section, int row, bool other_methods) {
    if (row == section->results->reference) return false;
    return !other_methods || sl_section_other_method(section, row);
}

static Standing stand(const SlSection *section, int task, int64_t samples, bool other_methods) {
    const SlResults *results = section->results;
    Standing standing = {.best = -1, .other = INFINITY};
    SlSummary own = sl_summary_at(results, task, results->reference, samples);
    standing.value = own.n ? own.median : INFINITY;
    for (int r = 0; r < results->n_rows; r++) {
        if (!counts(section, r, other_methods)) continue;
        SlSummary at = sl_summary_at(results, task, r, samples);
        if (at.n == 0 || !(at.median < standing.other)) continue;
        standing.best = r;
        standing.other = at.median;
    }
    if (own.n == 0) standing.best = -1;
    if (standing.best < 0) return standing;
    standing.duel = sl_duel(results, task, results->reference, standing.best, samples);
    standing.good = standing.value <= standing.other || standing.duel.result == SL_DUEL_TIE ||
                    standing.duel.result == SL_DUEL_WIN;
    return standing;
}

typedef struct {
    int n, best, tied;
} Share;

static Share find_share(const SlSection *section, bool other_methods) {
    Share share = {0};
    for (int t = 0; t < section->results->n_tasks; t++)
        for (int i = 0; i < section->n_points; i++) {
            Standing standing = stand(section, t, section->points[i], other_methods);
            if (standing.best < 0) continue;
            share.n++;
            bool best = standing.value <= standing.other;
            share.best += best;
            share.tied += !best && standing.good;
        }
    return share;
}

static void add_share(const SlSection *section, const Share *share, const char *against) {
    if (share->n == 0) return;
    sl_doc_words(section->doc,
                 "**%s is the best or statistically tied with the best of %s in %s of the cells** "
                 "(%d of %d: best in %d, tied in %d).",
                 sl_section_reference(section), against,
                 sl_shown_share(share->best + share->tied, share->n).text,
                 share->best + share->tied, share->n, share->best, share->tied);
}

static void add_lost_cells(const SlSection *section, bool other_methods, const char *name,
                           const char *title) {
    const SlResults *results = section->results;
    SlTable *table = sl_table_make(
        section->arena, title,
        sl_section_text(section, "<task|%s|<better row|%s over it|p", sl_section_samples(section),
                        sl_section_column(section, sl_section_reference(section))));
    int n = 0;
    for (int t = 0; t < results->n_tasks; t++)
        for (int i = 0; i < section->n_points; i++) {
            Standing standing = stand(section, t, section->points[i], other_methods);
            if (standing.best < 0 || standing.good) continue;
            n++;
            sl_table_row(table);
            sl_table_cell(table, "%s", results->tasks[t].name);
            sl_table_cell(table, "%s", sl_shown_count((double)section->points[i]).text);
            sl_table_cell(table, "%s", results->rows[standing.best]);
            sl_table_cell(table, "%s", sl_shown_ratio(standing.value / standing.other).text);
            sl_table_cell(table, "%s",
                          standing.duel.result == SL_DUEL_NONE ? "untested"
                                                               : sl_shown_p(standing.duel.p).text);
        }
    if (n > 0) sl_doc_grid(section->doc, name, table);
}

void sl_section_wins(const SlSection *section) {
    const SlResults *results = section->results;
    if (results->reference < 0 || results->n_rows < 2) return;
    const char *reference = sl_section_reference(section);
    sl_doc_heading(section->doc, "Wins, ties and losses");
    sl_doc_words(section->doc,
                 "A cell is a task at a number of %s: %d tasks x %d checkpoints. %s wins or "
                 "loses where the Wilcoxon signed-rank test over seeds (exact, two-sided) gives "
                 "5 %% or less, else it is a tie; with fewer than 6 seeds nothing is tested.",
                 sl_section_samples(section), results->n_tasks, section->n_points, reference);
    Share all = find_share(section, false), others = find_share(section, true);
    bool variants = false;
    for (int r = 0; r < results->n_rows; r++)
        variants = variants || (r != results->reference && !counts(section, r, true));
    add_share(section, &all, "all other rows");
    if (variants) {
        add_share(section, &others,
                  sl_section_text(section, "all other methods (rows of the method %s left out)",
                                  sl_section_method(section, results->reference)));
    }
    add_duels(section);
    add_lost_cells(section, false, "not-best",
                   sl_section_text(section, "Where %s is not the best of all rows", reference));
    if (variants)
        add_lost_cells(
            section, true, "not-best-methods",
            sl_section_text(section, "Where %s is not the best of all methods", reference));
}
