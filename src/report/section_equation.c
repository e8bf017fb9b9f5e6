// section_equation.c - the size of a layer's search space by Equation 1 of the mapping paper,
// (n^d x d! x d! / (d - k)!)^l: n tile sizes of each of d loops, their orders, k of them parallel,
// at each of l memory levels.
//
// What the paper leaves open is chosen so: d as in its Table II (linear: input, output, batch;
// attention: two sequences, head size, heads, batch; convolution: its seven loops), k = 1 and l = 2
// as in its Fig. 2, and every size of a loop is a tile size, so n is the geometric mean of the d
// extents and n^d their product, the MACs of the layer.
#include <math.h>

#include "page.h"
#include "section.h"

enum { PARALLEL = 1, LEVELS = 2, N_SAME = 3 };
static const double same_n[N_SAME] = {2, 64, 128}; // about those that give the ranges of Table II

static int loops_of(const SlLayer *layer) {
    switch (layer->type) {
    case SL_LINEAR:
    case SL_GEMM:
        return 3;
    case SL_BMM:
        return 5;
    case SL_DEPTHWISE:
        return 6; // a channel has one filter: one loop for both
    default:
        return 7;
    }
}

// log10 of Equation 1
static double equation(double n, int d) {
    double orders = lgamma(d + 1) / log(10);
    double parallel = (lgamma(d + 1) - lgamma(d - PARALLEL + 1)) / log(10);
    return LEVELS * (d * log10(n) + orders + parallel);
}

static void add_row(const SlSection *section, SlTable *table, const SlLayer *layer,
                    const SlEquationRow *row) {
    int d = loops_of(layer);
    double n = pow((double)sl_layer_macs(layer), 1.0 / d);
    sl_table_row(table);
    sl_table_cell(table, "%s", section->results->tasks[row->task].layer);
    sl_table_cell(table, "%d", d);
    sl_table_cell(table, "%.1f", n);
    sl_table_cell(table, "%d", PARALLEL);
    sl_table_cell(table, "%d", LEVELS);
    sl_table_cell(table, "%.1f", equation(n, d));
    sl_table_cell(table, isfinite(row->exact) ? "%.1f" : "–", row->exact);
    for (int i = 0; i < N_SAME; i++) sl_table_cell(table, "%.1f", equation(same_n[i], d));
}

void sl_section_equation(const SlSection *section, int n, const SlEquationRow *rows) {
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<layer|d|n|k|l|Equation 1|exact, space paper");
    for (int i = 0; i < N_SAME; i++) sl_text_add(&heads, "|with n = %g", same_n[i]);
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(section->arena, "log10 of Equation 1", heads.data);
    int n_shown = 0;
    for (int i = 0; i < n; i++) {
        const SlPlanTask *planned = sl_section_plan_task(section, rows[i].task);
        const SlSpace *space = planned ? planned->setup.space : NULL;
        if (!space || !space->layer) continue;
        add_row(section, table, space->layer, &rows[i]);
        n_shown++;
    }
    if (n_shown == 0) return;
    sl_doc_words(section->doc,
                 "Equation 1 of the mapping paper, (n^d × d! × d!/(d−k)!)^l: n tile sizes of each "
                 "of d loops, their orders, k parallel loops, at each of l memory levels. d is the "
                 "number of loops that its Table II names (linear 3, attention 5, convolution 7); "
                 "k = %d and l = %d as in its Fig. 2; n is the geometric mean of the extents of "
                 "the d loops, since every size is a tile size: n^d is the number of MACs. The "
                 "last columns put one n for all loops.",
                 PARALLEL, LEVELS);
    sl_doc_grid(section->doc, "equation", table);
}
