// section.c - what the sections of a study's report share; and the report of a whole study.
#include "section.h"
#include "page.h"

#include <math.h>
#include <string.h>

#include "words.h"

const char *sl_section_text(const SlSection *section, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    const char *text = sl_words_format(section->arena, fmt, args);
    va_end(args);
    if (!text) section->doc->failed = true;
    return text ? text : "";
}

void *sl_section_alloc(const SlSection *section, size_t n, size_t size) {
    void *piece = sl_arena_alloc(section->arena, n, size);
    if (!piece) section->doc->failed = true;
    return piece;
}

int64_t sl_section_end(const SlSection *section) {
    return section->results->budget;
}

int64_t sl_section_budget(const SlSection *section, int row) {
    const SlPlanRow *planned = sl_section_plan_row(section, row);
    int64_t most = section->results->budget;
    return planned && planned->samples > 0 && planned->samples < most ? planned->samples : most;
}

const char *sl_section_samples(const SlSection *section) {
    return section->plan->kind->maps ? "samples" : "measurements";
}

const char *sl_section_sample(const SlSection *section) {
    return section->plan->kind->maps ? "sample" : "measurement";
}

const char *sl_section_mapping(const SlSection *section) {
    return section->plan->kind->maps ? "mapping" : "schedule";
}

const char *sl_section_reference(const SlSection *section) {
    int reference = section->results->reference;
    return reference >= 0 ? section->results->rows[reference] : "";
}

const char *sl_section_column(const SlSection *section, const char *name) {
    name += strspn(name, "<~");
    char *text = sl_arena_text(section->arena, name, strlen(name));
    if (!text) section->doc->failed = true;
    for (char *c = text; c && *c; c++)
        if (*c == '|') *c = '/';
    return text ? text : "";
}

const SlPlanRow *sl_section_plan_row(const SlSection *section, int row) {
    for (int i = 0; i < section->plan->n_rows; i++)
        if (strcmp(section->plan->rows[i].name, section->results->rows[row]) == 0)
            return &section->plan->rows[i];
    return NULL;
}

const SlPlanTask *sl_section_plan_task(const SlSection *section, int task) {
    for (int i = 0; i < section->plan->n_tasks; i++)
        if (strcmp(section->plan->tasks[i].name, section->results->tasks[task].name) == 0)
            return &section->plan->tasks[i];
    return NULL;
}

const char *sl_section_method(const SlSection *section, int row) {
    const SlResults *results = section->results;
    const SlPlanRow *planned = sl_section_plan_row(section, row);
    if (planned) return planned->method->name;
    for (int i = 0; i < results->n_tasks * results->n_seeds; i++) {
        const SlCellRecord *run =
            sl_results_run(results, i / results->n_seeds, row, i % results->n_seeds);
        if (run) return run->method;
    }
    return "";
}

bool sl_section_other_method(const SlSection *section, int row) {
    int reference = section->results->reference;
    if (reference < 0 || row == reference) return false;
    const char *method = sl_section_method(section, reference);
    return strcmp(sl_section_method(section, row), method) != 0;
}

const char *sl_section_unit(const SlSection *section, int task) {
    SlGoal goal;
    if (!section->plan->kind->maps) return section->results->tasks[task].objective;
    if (sl_goal_parse(section->results->tasks[task].objective, &goal, NULL) != SL_OK) return "";
    return sl_goal_unit(&goal);
}

int sl_section_runs(const SlResults *results, int task, int row) {
    int n = 0;
    for (int t = 0; t < results->n_tasks; t++)
        for (int r = 0; r < results->n_rows; r++)
            for (int s = 0; s < results->n_seeds; s++)
                n += (task < 0 || t == task) && (row < 0 || r == row) &&
                     sl_results_run(results, t, r, s);
    return n;
}

int sl_section_objectives(const SlSection *section, const char **names) {
    int n = 0;
    for (int t = 0; t < section->results->n_tasks; t++) {
        const char *objective = section->results->tasks[t].objective;
        int i = 0;
        while (i < n && strcmp(names[i], objective) != 0) i++;
        if (i == n) names[n++] = objective;
    }
    return n;
}

bool sl_section_part(const SlSection *section, const char *objective, SlResults *part) {
    const SlResults *all = section->results;
    size_t per_task = (size_t)all->n_rows * (size_t)all->n_seeds;
    SlResultTask *tasks = SL_SECTION_NEW(section, all->n_tasks, SlResultTask);
    const SlCellRecord **runs =
        SL_SECTION_NEW(section, (size_t)all->n_tasks * per_task, const SlCellRecord *);
    if (!tasks || !runs) return false;
    int n = 0;
    for (int t = 0; t < all->n_tasks; t++) {
        if (strcmp(all->tasks[t].objective, objective) != 0) continue;
        tasks[n] = all->tasks[t];
        if (per_task > 0)
            memcpy(runs + (size_t)n * per_task, all->runs + (size_t)t * per_task,
                   per_task * sizeof(SlCellRecord *));
        n++;
    }
    *part = *all;
    part->n_tasks = n;
    part->tasks = tasks;
    part->runs = runs;
    return true;
}

SlSummary sl_section_mean(const SlResults *results, int row, int64_t samples) {
    SlSummary mean = {.least = NAN, .most = NAN};
    double logs[3] = {0};
    for (int t = 0; t < results->n_tasks; t++) {
        SlSummary regret = sl_summary_regret(results, t, row, samples);
        if (regret.n == 0) continue;
        mean.n++;
        logs[0] += log1p(regret.median);
        logs[1] += log1p(regret.low);
        logs[2] += log1p(regret.high);
    }
    mean.median = mean.n ? exp(logs[0] / mean.n) : NAN;
    mean.low = mean.n ? exp(logs[1] / mean.n) : NAN;
    mean.high = mean.n ? exp(logs[2] / mean.n) : NAN;
    return mean;
}

SlTable *sl_section_checkpoints(const SlSection *section, const char *title, const char *first) {
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<%s", first);
    for (int i = 0; i < section->n_points; i++)
        sl_text_add(&heads, "|%s", sl_shown_count((double)section->points[i]).text);
    if (heads.failed) section->doc->failed = true;
    return sl_table_make(section->arena, title, heads.data);
}

void sl_section_cells(const SlSection *section, SlTable *table, const double *values,
                      const double *best) {
    for (int i = 0; i < section->n_points; i++) {
        SlShown shown = sl_shown_ratio(values[i]);
        sl_table_cell(table, "%s", shown.text);
        if (!section->complete) continue;
        if (isfinite(values[i]) && best && strcmp(shown.text, sl_shown_ratio(best[i]).text) == 0)
            sl_table_strong(table);
    }
}

void sl_section_figure(const SlSection *section, const char *name, const SlText *svg,
                       const char *caption) {
    if (svg->failed)
        section->doc->failed = true;
    else
        sl_doc_figure(section->doc, name, svg->data, caption);
}

int sl_section_grid(double first, double last, int n, double *x) {
    int used = 0;
    for (int i = 0; i < n; i++) {
        double at = n > 1 ? first * pow(last / first, (double)i / (n - 1)) : last;
        at = i == n - 1 ? last : round(at);
        if (used == 0 || at > x[used - 1]) x[used++] = at;
    }
    return used;
}
