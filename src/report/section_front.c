// section_front.c - what hardware buys: the least cycles of a network on every core against the
// resources of the core.
#include <math.h>
#include <string.h>

#include "page.h"
#include "section.h"
#include "starling/study/totals.h"

enum { MOST_CHIPS = 6 };

// names of the chips as groups of cores; the last is for cores that fit none
typedef struct {
    int n; // chips
    const char *names[MOST_CHIPS + 1];
} Chips;

static Chips list_chips(const SlSection *section) {
    Chips chips = {0};
    for (; chips.n < MOST_CHIPS && sl_vta_budgets[chips.n].name; chips.n++)
        chips.names[chips.n] = sl_section_text(section, "fits %s", sl_vta_budgets[chips.n].name);
    chips.names[chips.n] = "fits neither";
    return chips;
}

static bool is_default(const char *name) {
    return strcmp(name, "1x16x16") == 0;
}

static void add_front(const SlSection *section, const SlPlanNetwork *net, int n,
                      const SlCorePoint *points, bool macs) {
    Chips chips = list_chips(section);
    SlFrontDot *dots = SL_SECTION_NEW(section, n, SlFrontDot);
    SlFrontLimit limits[MOST_CHIPS];
    if (!dots) return;
    for (int i = 0; i < n; i++) {
        const SlCorePoint *point = &points[i];
        bool best = macs ? point->best_macs : point->best_bram;
        dots[i] = (SlFrontDot){.x = macs ? (double)point->macs : point->bram36,
                               .y = point->cycles,
                               .name = best || is_default(point->name) ? point->name : NULL,
                               .group = point->chip < 0 ? chips.n : point->chip,
                               .ringed = is_default(point->name)};
    }
    for (int i = 0; i < chips.n && !macs; i++)
        limits[i] = (SlFrontLimit){sl_vta_budgets[i].bram36, sl_vta_budgets[i].name};
    const char *what = macs ? "multipliers" : "block RAMs";
    SlFrontPlot plot = {.n = n,
                        .dots = dots,
                        .n_groups = chips.n + 1,
                        .groups = chips.names,
                        .n_limits = macs ? 0 : chips.n,
                        .limits = limits,
                        .title = sl_section_text(section, "%s: cycles against %s", net->name, what),
                        .x_label =
                            macs ? "multiply-accumulates per cycle" : "block RAMs of 36 Kbit",
                        .y_label = "cycles per image",
                        .log_x = true,
                        .log_y = true};
    SlText svg;
    sl_text_init(&svg, section->arena);
    sl_draw_front_svg(&plot, &svg);
    sl_section_figure(
        section, sl_section_text(section, "front %s %s", net->name, macs ? "macs" : "bram"), &svg,
        sl_section_text(section,
                        "Every core with the best schedule of every layer of %s. The line joins "
                        "cores that no core with as few %s beats; the ring is the default core%s.",
                        net->name, what, macs ? "" : ", dashed lines are what the chips have"));
}

static void add_core(SlTable *table, const SlCorePoint *point, double base) {
    sl_table_row(table);
    sl_table_cell(table, "%s", point->name);
    sl_table_cell(table, "%s", sl_shown_count((double)point->macs).text);
    sl_table_cell(table, "%d", point->bram36);
    sl_table_cell(table, "%s", point->chip < 0 ? "–" : sl_vta_budgets[point->chip].name);
    sl_table_cell(table, "%s", sl_shown_value(point->cycles).text);
    sl_table_cell(table, "%s", sl_shown_ratio(base / point->cycles).text);
    sl_table_cell(table, "%s%s%s", point->best_macs ? "MACs" : "",
                  point->best_macs && point->best_bram ? ", " : "",
                  point->best_bram ? "BRAM36" : "");
    sl_table_cell(table, "%s", point->proven ? "proven" : "best known");
}

// all cores, or those of the fronts and the default one
static void add_table(const SlSection *section, const SlPlanNetwork *net, int n,
                      const SlCorePoint *points, bool all) {
    double base = NAN;
    for (int i = 0; i < n; i++)
        if (is_default(points[i].name)) base = points[i].cycles;
    SlTable *table = sl_table_make(
        section->arena,
        sl_section_text(section, all ? "%s: all cores" : "%s: the cores of the fronts", net->name),
        "<core|MACs|BRAM36|<fits|cycles per image|× 1x16x16|<front of|<status");
    for (int i = 0; i < n; i++)
        if (all || points[i].best_macs || points[i].best_bram || is_default(points[i].name))
            add_core(table, &points[i], base);
    sl_doc_grid(section->doc, sl_section_text(section, all ? "cores %s" : "front %s", net->name),
                table);
}

// ---- the best core within limits ----

// as few MACs and block RAMs as the default core, a chip, anything
static bool is_within(const SlCorePoint *point, const SlCorePoint *base, int limit, int n_chips) {
    if (limit == 0) return base && point->macs <= base->macs && point->bram36 <= base->bram36;
    if (limit <= n_chips) return point->chip >= 0 && point->chip < limit;
    return true;
}

static const char *limit_name(const SlSection *section, int limit, int n_chips) {
    if (limit == 0) return "no more than 1x16x16";
    if (limit <= n_chips) return sl_section_text(section, "%s", sl_vta_budgets[limit - 1].name);
    return "none";
}

static void add_limits(const SlSection *section, const SlPlanNetwork *net, int n,
                       const SlCorePoint *points, SlTable *table) {
    int n_chips = list_chips(section).n;
    const SlCorePoint *base = NULL;
    for (int i = 0; i < n; i++)
        if (is_default(points[i].name)) base = &points[i];
    double clock = sl_plan_core(&section->plan->tasks[0])->timing.clock_mhz * 1e6;
    for (int limit = 0; limit <= n_chips + 1; limit++) {
        const SlCorePoint *best = NULL;
        for (int i = 0; i < n; i++) {
            if (!isfinite(points[i].cycles) || !is_within(&points[i], base, limit, n_chips))
                continue;
            if (!best || points[i].cycles < best->cycles) best = &points[i];
        }
        if (!best) continue;
        sl_table_row(table);
        sl_table_cell(table, "%s", net->name);
        sl_table_cell(table, "%s", limit_name(section, limit, n_chips));
        sl_table_cell(table, "%s", best->name);
        sl_table_cell(table, "%s", sl_shown_count((double)best->macs).text);
        sl_table_cell(table, "%d", best->bram36);
        sl_table_cell(table, "%s", sl_shown_ratio(clock / best->cycles).text);
        sl_table_cell(table, "%s", sl_shown_ratio(base ? base->cycles / best->cycles : NAN).text);
    }
}

static void add_best(const SlSection *section, SlCorePoint *points) {
    const SlPlan *plan = section->plan;
    SlTable *table = sl_table_make(section->arena, "The best core of every network within limits",
                                   "<network|<limit|<core|MACs|BRAM36|images/s|× 1x16x16");
    for (int k = 0; k < plan->n_networks; k++) {
        int n = sl_core_points(plan, section->results, k, points);
        add_limits(section, &plan->networks[k], n, points, table);
    }
    sl_doc_grid(section->doc, "best-cores", table);
}

void sl_section_front(const SlSection *section) {
    const SlPlan *plan = section->plan;
    SlCorePoint *points = SL_SECTION_NEW(section, plan->n_tasks, SlCorePoint);
    if (!points || plan->n_networks == 0) return;
    sl_doc_heading(section->doc, "Cycles against resources");
    sl_doc_words(section->doc,
                 "Every layer of a network runs with the best of all schedules on every core; "
                 "buffers and bus are the same for all of them. Multipliers that find no DSP "
                 "are made of LUTs. × 1x16x16 is how many times faster than the default core.");
    add_best(section, points);
    for (int k = 0; k < plan->n_networks; k++) {
        const SlPlanNetwork *net = &plan->networks[k];
        int n = sl_core_points(plan, section->results, k, points);
        add_front(section, net, n, points, true);
        add_front(section, net, n, points, false);
        add_table(section, net, n, points, false);
        bool detail = section->doc->detail;
        sl_doc_detail(section->doc, true);
        add_table(section, net, n, points, true);
        sl_doc_detail(section->doc, detail);
    }
}
