// section_networks.c - whole networks: images per second and what tuning them takes, row by row.
#include <math.h>

#include "page.h"
#include "section.h"
#include "starling/study/totals.h"

static const double near_percent = 1;

// hours of measurements on a board, and of the tuner itself
static double board_hours(double measurements, double seconds) {
    return (measurements * SL_BOARD_SECONDS + seconds) / 3600;
}

static SlTotal total_of(const SlSection *section, int network, const char *core) {
    return (SlTotal){section->plan, section->results, network, core};
}

// ---- the paper's form: networks x rows ----

static void add_images(const SlSection *section, const char *core, const char *name,
                       const char *title) {
    const SlResults *results = section->results;
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<network");
    for (int r = 0; r < results->n_rows; r++)
        sl_text_add(&heads, "|%s", sl_section_column(section, results->rows[r]));
    sl_text_add(&heads, "|optimum");
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(section->arena, title, heads.data);
    for (int k = 0; k < section->plan->n_networks; k++) {
        SlTotal total = total_of(section, k, core);
        double least = INFINITY;
        for (int r = 0; r < results->n_rows; r++)
            least = fmin(least, sl_total_summary(&total, r, results->budget).median);
        sl_table_row(table);
        sl_table_cell(table, "%s", section->plan->networks[k].name);
        for (int r = 0; r < results->n_rows; r++) {
            double cycles = sl_total_summary(&total, r, results->budget).median;
            sl_table_cell(table, "%s", sl_shown_ratio(sl_total_images(&total, cycles)).text);
            if (isfinite(cycles) && cycles <= least) sl_table_strong(table);
        }
        double optimum = sl_total_optimum(&total, NULL);
        sl_table_cell(table, "%s", sl_shown_ratio(sl_total_images(&total, optimum)).text);
    }
    sl_doc_grid(section->doc, name, table);
}

// ---- one network: everything about every row ----

static void add_row(const SlSection *section, const SlTotal *total, int row, SlTable *table) {
    const SlResults *results = section->results;
    SlSummary cycles = sl_total_summary(total, row, results->budget);
    SlSummary all = sl_total_effort(total, row, -1),
              some = sl_total_effort(total, row, near_percent);
    SlSummary time = sl_total_time(total, row);
    double optimum = sl_total_optimum(total, NULL);
    sl_table_row(table);
    sl_table_cell(table, "%s", results->rows[row]);
    sl_table_cell(table, "%s", sl_shown_value(cycles.median).text);
    sl_table_cell(table, "%s", sl_shown_range(cycles.low, cycles.high, sl_shown_value).text);
    sl_table_cell(table, "%s", sl_shown_ratio(cycles.median / optimum).text);
    if (results->reference >= 0) {
        SlEstimate ratio = sl_total_ratio(total, row, results->reference, results->budget);
        bool self = row == results->reference;
        sl_table_cell(table, "%s", sl_shown_ratio(self ? 1 : ratio.value).text);
        sl_table_cell(table, "%s",
                      self ? "" : sl_shown_range(ratio.low, ratio.high, sl_shown_ratio).text);
    }
    sl_table_cell(table, "%s", sl_shown_count(all.median).text);
    sl_table_cell(table, "%s", sl_shown_ratio(board_hours(all.median, time.median)).text);
    sl_table_cell(table, "%s", sl_shown_count(some.median).text);
    if (results->reference >= 0) {
        SlEstimate ratio = sl_total_effort_ratio(total, row, results->reference, near_percent);
        bool self = row == results->reference;
        sl_table_cell(table, "%s", sl_shown_factor(self ? 1 : ratio.value).text);
        sl_table_cell(table, "%s",
                      self ? "" : sl_shown_range(ratio.low, ratio.high, sl_shown_factor).text);
    }
    sl_table_cell(table, "%s", sl_shown_ratio(time.median).text);
}

static void add_network(const SlSection *section, int network, const char *core, bool many) {
    const SlPlanNetwork *net = &section->plan->networks[network];
    const SlResults *results = section->results;
    const char *name = sl_section_column(section, sl_section_reference(section));
    SlTotal total = total_of(section, network, core);
    const char *heads =
        "<row|cycles|quartiles|over optimum|measurements|hours|to 1 %: measurements|search, s";
    if (results->reference >= 0)
        heads = sl_section_text(section,
                                "<row|cycles|quartiles|over optimum|over %s|95 %%|measurements|"
                                "hours|to 1 %%: measurements|over %s|95 %%|search, s",
                                name, name);
    const char *title = many ? sl_section_text(section, "%s on %s", net->name, core) : net->name;
    SlTable *table = sl_table_make(section->arena,
                                   sl_section_text(section, "%s: %d of %d layers", title,
                                                   net->n_layers - net->n_host, net->n_layers),
                                   heads);
    for (int r = 0; r < results->n_rows; r++) add_row(section, &total, r, table);
    sl_doc_grid(section->doc, sl_section_text(section, "network %s", title), table);
}

// ---- a picture ----

// cycles of every row over those of the reference
static void add_bars(const SlSection *section, const char *core, const char *name) {
    const SlResults *results = section->results;
    const SlPlan *plan = section->plan;
    int n = 0, n_series = results->n_rows - 1, room = plan->n_networks * results->n_rows;
    const char **names = SL_SECTION_NEW(section, plan->n_networks, const char *);
    const char **series = SL_SECTION_NEW(section, results->n_rows, const char *);
    double *values = SL_SECTION_NEW(section, room, double);
    double *low = SL_SECTION_NEW(section, room, double);
    double *high = SL_SECTION_NEW(section, room, double);
    if (!names || !series || !values || !low || !high || n_series < 1) return;
    for (int k = 0; k < plan->n_networks; k++) {
        SlTotal total = total_of(section, k, core);
        int s = 0;
        names[k] = plan->networks[k].name;
        for (int r = 0; r < results->n_rows; r++) {
            if (r == results->reference) continue;
            SlEstimate ratio = sl_total_ratio(&total, r, results->reference, results->budget);
            series[s++] = results->rows[r];
            values[n] = ratio.value;
            low[n] = ratio.low;
            high[n++] = ratio.high;
        }
    }
    SlText svg;
    sl_text_init(&svg, section->arena);
    const char *reference = sl_section_reference(section);
    SlBarPlot plot = {.n = plan->n_networks,
                      .n_series = n_series,
                      .names = names,
                      .series = series,
                      .values = values,
                      .low = low,
                      .high = high,
                      .base = 1,
                      .title = sl_section_text(section, "Cycles of a network over %s", reference),
                      .x_label = sl_section_text(section, "cycles over those of %s", reference)};
    sl_draw_bars_svg(&plot, &svg);
    sl_section_figure(section, name, &svg,
                      sl_section_text(section,
                                      "Cycles of whole networks after %s measurements a layer, "
                                      "over those of %s: ratio of medians over seeds with 95 %% "
                                      "intervals; above 1 it is slower.",
                                      sl_shown_count((double)results->budget).text, reference));
}

// ---- all of it ----

static void add_words(const SlSection *section) {
    const SlPlan *plan = section->plan;
    const SlVtaCore *core = sl_plan_core(&plan->tasks[0]);
    int n_host = 0;
    for (int k = 0; k < plan->n_networks; k++) n_host += plan->networks[k].n_host;
    sl_doc_words(
        section->doc,
        "A network is the sum of its layers, each distinct layer tuned once with %s measurements "
        "and counted as often as the network has it; one seed is one tuning of the whole network, "
        "and medians are over seeds. Images per second are those of %g MHz. **Hours** is what the "
        "measurements would take on a board at %g s each, with the tuner's own time; **search** "
        "is that time alone, simulation included.",
        sl_shown_count((double)section->results->budget).text, core->timing.clock_mhz,
        SL_BOARD_SECONDS);
    if (plan->hardware == SL_HARDWARE_SEARCH)
        sl_doc_words(section->doc,
                     "Every layer has a core of its own here, so a network's sum is what no one "
                     "core reaches: read it as a bound.");
    if (n_host > 0)
        sl_doc_words(section->doc,
                     "Layers that stay on the host are not in these numbers: linear layers, and "
                     "first convolutions on the few channels of an image, as VTA's own flow "
                     "leaves them to the CPU (option `host` of the plan).");
}

void sl_section_networks(const SlSection *section) {
    const SlPlan *plan = section->plan;
    const char **cores = SL_SECTION_NEW(section, plan->n_tasks, const char *);
    if (plan->n_networks == 0 || !cores) return;
    int n = sl_plan_core_names(plan, cores);
    sl_doc_heading(section->doc, "Networks");
    add_words(section);
    for (int c = 0; c < n; c++) {
        const char *on = n > 1 ? sl_section_text(section, " on %s", cores[c]) : "";
        add_images(section, cores[c], sl_section_text(section, "networks%s", on),
                   sl_section_text(section, "Images per second%s, median over seeds", on));
        if (section->results->reference >= 0)
            add_bars(section, cores[c], sl_section_text(section, "network-ratios%s", on));
        for (int k = 0; k < plan->n_networks; k++) add_network(section, k, cores[c], n > 1);
    }
}
