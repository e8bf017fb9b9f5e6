// assign_draw.c - the correlations and the tree of `starling assign`: report and pictures.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grouping.h"
#include "show.h"

// a sentence in the arena
static const char *sentence(const Grouping *group, const char *what) {
    SlText text;
    sl_text_init(&text, group->arena);
    sl_text_add(&text, "%s: %s on %s", what, group->layer.name, group->accel.name);
    if (text.failed) command_no_memory();
    return text.data;
}

void grouping_heat(const Grouping *group, SlHeatMap *heat) {
    int n = group->found.n;
    double *values = command_need(SL_NEW(group->arena, n * n, double));
    const char **names = command_need(SL_NEW(group->arena, n, const char *));
    // in the order of the tree, so that what goes together stands together
    for (int i = 0; i < n; i++) {
        names[i] = group->names[group->leaves[i]];
        for (int j = 0; j < n; j++)
            values[i * n + j] = group->found.r[group->leaves[i] * n + group->leaves[j]];
    }
    *heat = (SlHeatMap){.n = n,
                        .values = values,
                        .names = names,
                        .title = sentence(group, "Which parameters go together")};
}

void grouping_tree(const Grouping *group, SlTreePlot *plot) {
    static const char *const metrics[SL_N_METRICS] = {
        [SL_METRIC_ROWS] = "distance between rows of the matrix",
        [SL_METRIC_ONE_MINUS_R] = "distance 1 - |r|",
    };
    int n = group->found.n;
    SlBranch *branches = command_need(SL_NEW(group->arena, n, SlBranch));
    for (int i = 0; i < n - 1; i++) {
        const SlMerge *merge = &group->found.tree[i];
        branches[i] = (SlBranch){merge->left, merge->right, merge->height};
    }
    SlText axis;
    sl_text_init(&axis, group->arena);
    sl_text_add(&axis, "%s, %s linkage", metrics[group->options->metric],
                sl_linkage_names[group->options->linkage]);
    if (axis.failed) command_no_memory();
    *plot = (SlTreePlot){.n = n,
                         .branches = branches,
                         .leaves = group->leaves,
                         .names = group->names,
                         .cluster = group->agents.agent,
                         .cut = group->cut,
                         .title = sentence(group, "From parameters to agents"),
                         .axis = axis.data};
}

// ---- the report ----

static void add_head(const Grouping *group, SlText *out) {
    const AssignOptions *options = group->options;
    char layer[384], goal[256], samples[32], rows[32];
    sl_layer_show(&group->layer, sizeof layer, layer);
    sl_text_add(out, "%s on %s: %d parameters of the %s space, %d agent%s\n", group->layer.name,
                group->accel.name, group->found.n, sl_space_names[options->space.preset],
                group->agents.n_agents, group->agents.n_agents == 1 ? "" : "s");
    show_wrapped("", "  ", layer, out);
    if (options->space.constraints) sl_text_add(out, "constraints %s\n", group->constraints.name);
    SlText line;
    sl_text_init(&line, group->arena);
    sl_text_add(
        &line, "%s samples by %s, of which the best %g %% (%s) by %s enter the correlations.",
        sl_show_count((double)group->found.samples, samples), assign_policies[options->policy],
        options->share, sl_show_count(group->found.n_rows, rows),
        sl_goal_text(&group->goal, sizeof goal, goal));
    if (line.failed) command_no_memory();
    show_wrapped("", "", line.data, out);
}

// "1  L2 order, L2 K" for every agent
static void add_agents(const Grouping *group, SlText *out) {
    sl_text_add(out, "agent  parameters\n");
    for (int agent = 0; agent < group->agents.n_agents; agent++) {
        char lead[32];
        SlText line;
        sl_text_init(&line, group->arena);
        for (int i = 0; i < group->found.n; i++) {
            if (group->agents.agent[i] != agent) continue;
            sl_text_add(&line, "%s%s", line.n ? ", " : "", group->names[i]);
        }
        if (line.failed) command_no_memory();
        snprintf(lead, sizeof lead, "%5d  ", agent + 1);
        show_wrapped(lead, "       ", line.data, out);
    }
}

void add_grouping_report(const Grouping *group, SlText *out) {
    SlHeatMap heat;
    SlTreePlot plot;
    grouping_heat(group, &heat);
    grouping_tree(group, &plot);
    heat.title = "Correlations, in the order of the tree";
    plot.title = isnan(group->cut) ? "The tree" : "The tree, and where it is cut into agents";
    add_head(group, out);
    sl_text_add(out, "\n");
    sl_draw_heat_text(&heat, out);
    sl_text_add(out, "\n");
    sl_draw_tree_text(&plot, out);
    sl_text_add(out, "\n");
    add_agents(group, out);
}

// ---- pictures ----

SlStatus grouping_write_pictures(const Grouping *group, SlError *err) {
    const char *dir = group->options->common.out;
    SlHeatMap heat;
    SlTreePlot plot;
    SlText matrix, dendrogram;
    sl_text_init(&matrix, group->arena);
    sl_text_init(&dendrogram, group->arena);
    grouping_heat(group, &heat);
    grouping_tree(group, &plot);
    sl_draw_heat_svg(&heat, &matrix);
    sl_draw_tree_svg(&plot, &dendrogram);
    SlStatus status = command_make_dir(dir, err);
    if (status == SL_OK) status = command_write(dir, "matrix.svg", &matrix, err);
    return status == SL_OK ? command_write(dir, "dendrogram.svg", &dendrogram, err) : status;
}
