// section_sizes.c - how many points the spaces of a layer have (Table II of the mapping paper).
#include <math.h>
#include <string.h>

#include "detail.h"
#include "page.h"
#include "section.h"

// one layer on one accelerator; presets as the first of them lists them
typedef struct {
    int task;
    double log10_size[SL_N_SPACES], n_params[SL_N_SPACES]; // NAN = not there
} Sizes;

// tasks of other objectives have the same spaces
static bool is_first(const SlResults *results, int task) {
    for (int t = 0; t < task; t++)
        if (results->tasks[t].space &&
            strcmp(results->tasks[t].layer, results->tasks[task].layer) == 0 &&
            strcmp(results->tasks[t].accel, results->tasks[task].accel) == 0)
            return false;
    return true;
}

static int find_preset(const char *name) {
    for (int i = 0; i < SL_N_SPACES; i++)
        if (strcmp(sl_space_names[i], name) == 0) return i;
    return -1;
}

static void read_sizes(const SlSection *section, int task, Sizes *sizes) {
    *sizes = (Sizes){.task = task};
    for (int i = 0; i < SL_N_SPACES; i++) sizes->log10_size[i] = sizes->n_params[i] = NAN;
    const SlNode *root = sl_detail_read(section->results->tasks[task].space, section->arena);
    const SlNode *presets = sl_detail_get(root, "presets");
    for (const SlNode *node = presets ? presets->first : NULL; node; node = node->next) {
        int i = find_preset(sl_detail_text(node, "preset"));
        if (i < 0) continue;
        sizes->log10_size[i] = sl_detail_number(node, "log10_size");
        sizes->n_params[i] = sl_detail_number(node, "params");
    }
}

static bool has_preset(int n, const Sizes *sizes, int preset) {
    for (int i = 0; i < n; i++)
        if (isfinite(sizes[i].log10_size[preset])) return true;
    return false;
}

// "4–13" of the paper for a layer
static const char *published(const SlSection *section, const char *layer) {
    for (int i = 0; i < section->plan->n_paper; i++) {
        const SlPaperNumber *number = &section->plan->paper[i];
        if (strcmp(number->quantity, "log10 size") != 0 || strcmp(number->layer, layer) != 0)
            continue;
        if (isnan(number->high)) return sl_section_text(section, "%g", number->value);
        return sl_section_text(section, "%g–%g", number->value, number->high);
    }
    return NULL;
}

static void add_table(const SlSection *section, int n, const Sizes *sizes) {
    bool paper = false;
    for (int i = 0; i < n; i++)
        paper = paper || published(section, section->results->tasks[sizes[i].task].layer);
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<layer|<accelerator");
    for (int p = 0; p < SL_N_SPACES; p++)
        if (has_preset(n, sizes, p)) sl_text_add(&heads, "|%s|params", sl_space_names[p]);
    if (paper) sl_text_add(&heads, "|paper");
    if (heads.failed) section->doc->failed = true;
    SlTable *table =
        sl_table_make(section->arena, "log10 of the number of points, by space", heads.data);
    for (int i = 0; i < n; i++) {
        const SlResultTask *task = &section->results->tasks[sizes[i].task];
        const char *range = published(section, task->layer);
        sl_table_row(table);
        sl_table_cell(table, "%s", task->layer);
        sl_table_cell(table, "%s", task->accel);
        for (int p = 0; p < SL_N_SPACES; p++) {
            if (!has_preset(n, sizes, p)) continue;
            bool known = isfinite(sizes[i].log10_size[p]);
            sl_table_cell(table, known ? "%.1f" : "–", sizes[i].log10_size[p]);
            sl_table_cell(table, "%s", sl_shown_count(sizes[i].n_params[p]).text);
        }
        if (paper) sl_table_cell(table, "%s", range ? range : "–");
    }
    sl_doc_grid(section->doc, "sizes", table);
}

static void add_bars(const SlSection *section, int n, const Sizes *sizes) {
    const char *series[SL_N_SPACES];
    int shown[SL_N_SPACES], n_series = 0;
    for (int p = 0; p < SL_N_SPACES; p++) {
        if (!has_preset(n, sizes, p)) continue;
        shown[n_series] = p;
        series[n_series++] = sl_space_names[p];
    }
    const char **names = SL_SECTION_NEW(section, n, const char *);
    double *values = SL_SECTION_NEW(section, n * SL_N_SPACES, double);
    if (!names || !values || n_series == 0) return;
    for (int i = 0; i < n; i++) {
        names[i] = section->results->tasks[sizes[i].task].layer;
        for (int s = 0; s < n_series; s++) values[i * n_series + s] = sizes[i].log10_size[shown[s]];
    }
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlBarPlot plot = {.n = n,
                      .n_series = n_series,
                      .names = names,
                      .series = series,
                      .values = values,
                      .title = "Number of mappings of a layer",
                      .x_label = "log10 of the number of points"};
    sl_draw_bars_svg(&plot, &svg);
    sl_section_figure(section, "space-sizes", &svg,
                      "The number of points of every space, as powers of ten.");
}

static void add_equation(const SlSection *section, int n, const Sizes *sizes) {
    SlEquationRow *rows = SL_SECTION_NEW(section, n, SlEquationRow);
    for (int i = 0; rows && i < n; i++)
        rows[i] = (SlEquationRow){sizes[i].task, sizes[i].log10_size[SL_SPACE_PAPER]};
    if (rows) sl_section_equation(section, n, rows);
}

void sl_section_sizes(const SlSection *section) {
    const SlResults *results = section->results;
    Sizes *sizes = SL_SECTION_NEW(section, results->n_tasks, Sizes);
    int n = 0;
    for (int t = 0; sizes && t < results->n_tasks; t++)
        if (results->tasks[t].space && is_first(results, t)) read_sizes(section, t, &sizes[n++]);
    if (n == 0) return;
    sl_doc_heading(section->doc, "Sizes of the spaces");
    sl_doc_words(section->doc,
                 "Every number is exact: the product of the values of all parameters, as a power "
                 "of ten; params: how many parameters.%s%s%s",
                 section->plan->n_paper > 0 ? " Paper: " : "",
                 section->plan->n_paper > 0 ? section->plan->paper_source : "",
                 section->plan->n_paper > 0 ? "." : "");
    add_table(section, n, sizes);
    add_equation(section, n, sizes);
    add_bars(section, n, sizes);
}
