// cell_detail.c - proofs, spaces and assignments as JSON.
#include "cell_detail.h"

#include <math.h>

// all digits, or null
static void add_exact(SlText *out, double value) {
    if (isfinite(value))
        sl_text_add(out, "%.17g", value);
    else
        sl_text_add(out, "null");
}

void sl_detail_proof(const SlProof *proof, SlText *out) {
    sl_text_add(out, "{\"status\": \"%s\", \"lower_bound\": ", sl_proof_names[proof->status]);
    add_exact(out, proof->lower_bound);
    sl_text_add(out, ", \"gap\": ");
    add_exact(out, proof->gap);
    sl_text_add(out, ", \"nodes\": %lld", (long long)proof->nodes);
    if (proof->reason) {
        sl_text_add(out, ", \"reason\": ");
        sl_text_quote(out, proof->reason);
    }
    sl_text_add(out, "}");
}

// one preset: its size, or why the layer has no such space
static void add_preset(const SlTaskSetup *task, SlSpacePreset preset, SlArena *scratch,
                       SlText *out) {
    SlError why = {0};
    SlSpace space;
    SlSpaceOptions options = {.preset = preset};
    SlConstraints constraints;
    size_t mark = sl_arena_mark(scratch);
    SlStatus status = sl_kind_space(task->kind, scratch, &constraints, &options, &why);
    if (status == SL_OK)
        status =
            sl_space_make(task->space->layer, task->space->accel, &options, scratch, &space, &why);
    sl_text_add(out, "{\"preset\": \"%s\"", sl_space_names[preset]);
    if (status == SL_OK) {
        sl_text_add(out, ", \"params\": %d, \"log10_size\": %.6g", space.n_params,
                    space.log10_size);
    } else {
        sl_text_add(out, ", \"reason\": ");
        sl_text_quote(out, why.text);
    }
    sl_text_add(out, "}");
    if (status == SL_ENOMEM) out->failed = true;
    sl_arena_rewind(scratch, mark);
}

void sl_detail_spaces(const SlCell *cell, SlArena *scratch, SlText *out) {
    sl_text_add(out, "{\"space\": \"%s\", \"presets\": [", sl_space_names[cell->preset]);
    for (int preset = 0; preset < SL_N_SPACES; preset++) {
        if (preset) sl_text_add(out, ", ");
        add_preset(&cell->setup, (SlSpacePreset)preset, scratch, out);
    }
    sl_text_add(out, "]}");
}

static void add_matrix(SlText *out, const char *key, int n, const double *values) {
    sl_text_add(out, ", \"%s\": [", key);
    for (int i = 0; i < n; i++) {
        sl_text_add(out, i ? ", [" : "[");
        for (int j = 0; j < n; j++)
            sl_text_add(out, j ? ", %.6g" : "%.6g", values[(ptrdiff_t)i * n + j]);
        sl_text_add(out, "]");
    }
    sl_text_add(out, "]");
}

static void add_ints(SlText *out, int n, const int *values) {
    sl_text_add(out, "[");
    for (int i = 0; i < n; i++) sl_text_add(out, i ? ", %d" : "%d", values[i]);
    sl_text_add(out, "]");
}

static void add_tree(const SlAssignment *assignment, SlText *out) {
    sl_text_add(out, ", \"tree\": [");
    for (int i = 0; i < assignment->n - 1; i++) {
        const SlMerge *merge = &assignment->tree[i];
        sl_text_add(out, "%s[%d, %d, %.6g, %d]", i ? ", " : "", merge->left, merge->right,
                    merge->height, merge->size);
    }
    int leaves[SL_MAX_PARAMS];
    sl_dendro_leaves(assignment->n, assignment->tree, leaves);
    sl_text_add(out, "], \"leaves\": ");
    add_ints(out, assignment->n, leaves);
}

// the agent of every parameter for each number of agents that the space has parameters for
static void add_agents(const SlCell *cell, const SlAssignment *assignment, SlText *out) {
    bool first = true;
    sl_text_add(out, ", \"agents\": {");
    for (int i = 0; i < cell->n_budgets; i++) {
        if (cell->budgets[i] > assignment->n) continue;
        SlAgents agents;
        sl_assign_agents(assignment, cell->budgets[i], &agents);
        sl_text_add(out, "%s\"%d\": ", first ? "" : ", ", cell->budgets[i]);
        add_ints(out, assignment->n, agents.agent);
        first = false;
    }
    sl_text_add(out, "}");
}

void sl_detail_assign(const SlCell *cell, const SlAssignment *assignment, SlText *out) {
    const SlSpace *space = cell->setup.space;
    sl_text_add(out, "{\"names\": [");
    for (int i = 0; i < assignment->n; i++) {
        if (i) sl_text_add(out, ", ");
        sl_text_quote(out, space->params[i].name);
    }
    sl_text_add(out, "]");
    add_matrix(out, "r", assignment->n, assignment->r);
    add_matrix(out, "distance", assignment->n, assignment->distance);
    sl_text_add(out, ", \"objective\": [");
    for (int i = 0; i < assignment->n; i++)
        sl_text_add(out, i ? ", %.6g" : "%.6g", assignment->objective[i]);
    sl_text_add(out, "]");
    add_tree(assignment, out);
    sl_text_add(out, ", \"samples\": %lld, \"rows\": %d", (long long)assignment->samples,
                assignment->n_rows);
    add_agents(cell, assignment, out);
    sl_text_add(out, "}");
}
