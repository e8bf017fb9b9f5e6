// cell_print.c - what tells one result of a cell from another: all that decides it, hashed.
#include <stdio.h>

#include "starling/job/cell.h"
#include "starling/task/own_space.h"

static void add_task(const SlCell *cell, SlText *out) {
    const SlTaskKind *kind = cell->setup.kind;
    if (!kind->maps) {
        sl_text_add(out, "%s\n%s\n%lld points\n", SL_VERSION, cell->stream,
                    (long long)cell->n_points);
        return;
    }
    sl_text_add(out, "%s\n%s\n%s %s\n", SL_VERSION, cell->workload, cell->objective, cell->space);
    if (kind != &sl_kind_native) sl_text_add(out, "model %s\n", kind->name);
    if (kind == &sl_kind_process) {
        const SlProcessOptions *process = cell->setup.options;
        sl_text_add(out, "program %s\n", process->program.command);
    }
    sl_space_describe(cell->setup.space, out);
}

static void add_run(const SlCell *cell, SlText *out) {
    const char *method = cell->method->name;
    long long samples = cell->budget.samples;
    if (!cell->setup.kind->maps) {
        sl_text_add(out, "%s %s\n%lld", method, cell->settings, samples);
        return;
    }
    sl_text_add(out, "%s %s\n%d %lld %lld\n%s %s %d %d\n", method, cell->settings,
                cell->agents.n_agents, (long long)cell->agents.assign.samples, samples,
                sl_start_names[cell->start], sl_illegal_names[cell->setup.illegal], cell->n_windows,
                cell->trace);
    sl_agents_describe(&cell->agents, out);
    if (cell->footprint) sl_text_add(out, "footprint\n");
}

static void add_assign(const SlCell *cell, SlText *out) {
    const SlAssignSetup *setup = &cell->assign;
    sl_text_add(out, "%s %lld %.17g %s %s %s", setup->policy ? setup->policy->name : "random",
                (long long)setup->samples, setup->share, setup->proposed ? "proposed" : "repaired",
                sl_metric_names[setup->metric], sl_linkage_names[setup->linkage]);
    for (int i = 0; i < cell->n_budgets; i++) sl_text_add(out, " %d", cell->budgets[i]);
}

static void add_cell(const SlCell *cell, SlText *out) {
    add_task(cell, out);
    sl_text_add(out, "%s %llu\n", sl_cell_names[cell->kind], (unsigned long long)cell->seed);
    if (cell->kind == SL_CELL_RUN) add_run(cell, out);
    if (cell->kind == SL_CELL_PROOF)
        sl_text_add(out, "%.17g %.17g %lld", cell->gap, cell->seconds, (long long)cell->nodes);
    if (cell->kind == SL_CELL_ASSIGN) add_assign(cell, out);
    if (cell->more) sl_text_add(out, "\n%s", cell->more);
}

const char *sl_cell_fingerprint(const SlCell *cell, SlArena *arena) {
    char *out = SL_NEW(arena, 17, char);
    size_t mark = sl_arena_mark(arena);
    SlText text;
    sl_text_init(&text, arena);
    add_cell(cell, &text);
    uint64_t sum = sl_fnv_bytes(SL_FNV_START, text.data, text.n);
    if (out && !text.failed) snprintf(out, 17, "%016llx", (unsigned long long)sum);
    bool failed = text.failed;
    sl_arena_rewind(arena, mark);
    return failed ? NULL : out;
}
