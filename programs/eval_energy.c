// eval_energy.c - where the energy goes: a table of places and tensors with bars.
#include <stdio.h>

#include "eval.h"
#include "show.h"
#include "text_table.h"

enum { BAR_COLUMNS = 20 };

// Where along the bars the next place starts, and what the whole is.
typedef struct {
    double whole_pj, from;
} Share;

// one place: its energy per tensor (NULL: of no tensor), its share of the whole and a bar
static void add_place(TextTable *table, const char *place, const double *tensors_pj, double pj,
                      Share *done) {
    char energy[SHOW_ROOM], percent[SHOW_ROOM];
    double share = pj / done->whole_pj;
    SlText bar;
    sl_text_init(&bar, table->arena);
    show_bar(done->from, done->from + share, BAR_COLUMNS, &bar);
    if (bar.failed) command_no_memory();
    done->from += share;

    table_row(table);
    table_cell(table, "  %s", place);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        bool some = tensors_pj && tensors_pj[t] > 0;
        table_cell(table, "%s", some ? show_energy(tensors_pj[t], energy) : "-");
    }
    table_cell(table, "%s", show_energy(pj, energy));
    table_cell(table, "%s", show_share(share, percent));
    table_cell(table, "%s", bar.data);
}

static double sum(const double pj[SL_N_TENSORS]) {
    return pj[SL_W] + pj[SL_I] + pj[SL_O];
}

void add_energy_table(const Evaluation *eval, const Priced *priced, SlText *out) {
    const SlBreakdown *parts = &priced->parts;
    Share done = {.whole_pj = priced->cost.energy_pj};
    char energy[SHOW_ROOM], count[SHOW_ROOM], name[SHOW_ROOM];
    TextTable table;
    table_init(&table, eval->arena, "<  spent in|W|I|O|total|share|<");
    sl_text_add(out, "Energy  %s = %s per MAC\n", show_energy(done.whole_pj, energy),
                show_energy(done.whole_pj / priced->cost.counts.macs, count));
    for (int l = 0; l < eval->accel.n_levels; l++) {
        const char *level = eval->accel.levels[l].name;
        snprintf(name, sizeof name, "network into %s", level);
        if (eval->accel.levels[l].link_pj > 0 && l > 0)
            add_place(&table, name, parts->link_pj[l], sum(parts->link_pj[l]), &done);
        add_place(&table, level, parts->level_pj[l], sum(parts->level_pj[l]), &done);
    }
    add_place(&table, "MACs", NULL, parts->mac_pj, &done);
    table_draw(&table, out);
    sl_text_add(out, "\n");
}
