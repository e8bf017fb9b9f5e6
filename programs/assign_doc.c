// assign_doc.c - what `starling assign` found: the dataset, the correlations, the tree, the agents.
#include <math.h>
#include <stdio.h>

#include "eval_doc.h"
#include "grouping.h"
#include "starling/draw.h"

// ---- what was asked ----

static void add_setup(const Grouping *group, SlDoc *doc) {
    const AssignOptions *options = group->options;
    const char *constraints = options->space.constraints ? group->constraints.name : NULL;
    char text[384];
    sl_doc_open(doc, "layer", NULL);
    sl_doc_string(doc, "name", NULL, group->layer.name);
    sl_doc_string(doc, "inline", NULL, sl_layer_write(&group->layer, sizeof text, text));
    sl_doc_close(doc);
    add_accel(doc, &group->accel);
    sl_doc_string(doc, "objective", NULL, sl_goal_text(&group->goal, sizeof text, text));
    sl_doc_string(doc, "space", NULL, sl_space_names[options->space.preset]);
    sl_doc_string(doc, "open", NULL, options->space.open ? options->space.open : "");
    sl_doc_string(doc, "constraints", NULL, constraints);
    sl_doc_string(doc, "policy", NULL, assign_policies[options->policy]);
    sl_doc_number(doc, "seed", NULL, SL_UNIT_COUNT, (double)options->seed);
    sl_doc_number(doc, "samples", NULL, SL_UNIT_COUNT, (double)group->found.samples);
    sl_doc_number(doc, "share_percent", NULL, SL_UNIT_PLAIN, options->share);
    sl_doc_number(doc, "rows", NULL, SL_UNIT_COUNT, group->found.n_rows);
    sl_doc_string(doc, "metric", NULL, sl_metric_names[options->metric]);
    sl_doc_string(doc, "linkage", NULL, sl_linkage_names[options->linkage]);
    sl_doc_number(doc, "agents", NULL, SL_UNIT_COUNT, group->agents.n_agents);
    sl_doc_number(doc, "cut", NULL, SL_UNIT_PLAIN, group->cut);
}

static void add_head(const Grouping *group, SlDoc *doc) {
    const AssignOptions *options = group->options;
    char text[384], samples[SL_UNIT_ROOM], rows[SL_UNIT_ROOM];
    sl_doc_title(doc, "%s on %s: %d parameters of the %s space, %d agent%s", group->layer.name,
                 group->accel.name, group->found.n, sl_space_names[options->space.preset],
                 group->agents.n_agents, group->agents.n_agents == 1 ? "" : "s");
    sl_doc_string(doc, NULL, "layer", sl_layer_show(&group->layer, sizeof text, text));
    if (options->space.constraints)
        sl_doc_string(doc, NULL, "constraints", group->constraints.name);
    sl_doc_words(doc,
                 "%s samples by %s, of which the best %g %% (%s) by %s enter the correlations.",
                 sl_unit_show(SL_UNIT_COUNT, (double)group->found.samples, samples),
                 assign_policies[options->policy], options->share,
                 sl_unit_show(SL_UNIT_COUNT, group->found.n_rows, rows),
                 sl_goal_text(&group->goal, sizeof text, text));
}

// ---- pictures ----

static const char *drawn(const SlText *text) {
    if (text->failed) call_no_memory();
    return text->data;
}

// in the order of the tree, so that what goes together stands together
static void add_heat_map(const Grouping *group, SlDoc *doc) {
    int n = group->found.n;
    double *values = call_need(SL_NEW(group->arena, n * n, double));
    const char **names = call_need(SL_NEW(group->arena, n, const char *));
    char title[256];
    SlText svg, lines;
    sl_text_init(&svg, group->arena);
    sl_text_init(&lines, group->arena);
    for (int i = 0; i < n; i++) {
        names[i] = group->names[group->leaves[i]];
        for (int j = 0; j < n; j++)
            values[i * n + j] = group->found.r[group->leaves[i] * n + group->leaves[j]];
    }
    snprintf(title, sizeof title, "Which parameters go together: %s on %s", group->layer.name,
             group->accel.name);
    SlHeatMap heat = {.n = n, .values = values, .names = names, .title = title};
    sl_draw_heat_svg(&heat, &svg);
    heat.title = "Correlations, in the order of the tree";
    sl_draw_heat_text(&heat, &lines);
    sl_doc_figure(doc, "matrix", drawn(&svg),
                  "Correlations of the parameters among the best samples, in the order of the "
                  "tree: 1 go up together, -1 one goes down, 0 neither.");
    sl_doc_sketch(doc, drawn(&lines));
}

static SlTreePlot tree_plot(const Grouping *group) {
    int n = group->found.n;
    SlBranch *branches = call_need(SL_NEW(group->arena, n, SlBranch));
    for (int i = 0; i < n - 1; i++) {
        const SlMerge *merge = &group->found.tree[i];
        branches[i] = (SlBranch){merge->left, merge->right, merge->height};
    }
    return (SlTreePlot){.n = n,
                        .branches = branches,
                        .leaves = group->leaves,
                        .names = group->names,
                        .cluster = group->agents.agent,
                        .cut = group->cut};
}

static void add_tree(const Grouping *group, SlDoc *doc) {
    static const char *const metrics[SL_N_METRICS] = {
        [SL_METRIC_ROWS] = "distance between rows of the matrix",
        [SL_METRIC_ONE_MINUS_R] = "distance 1 - |r|",
    };
    char title[256], axis[128];
    SlText svg, lines;
    sl_text_init(&svg, group->arena);
    sl_text_init(&lines, group->arena);
    snprintf(title, sizeof title, "From parameters to agents: %s on %s", group->layer.name,
             group->accel.name);
    snprintf(axis, sizeof axis, "%s, %s linkage", metrics[group->options->metric],
             sl_linkage_names[group->options->linkage]);
    SlTreePlot plot = tree_plot(group);
    plot.axis = axis;
    plot.title = title;
    sl_draw_tree_svg(&plot, &svg);
    plot.title = isnan(group->cut) ? "The tree" : "The tree, and where it is cut into agents";
    sl_draw_tree_text(&plot, &lines);
    sl_doc_figure(doc, "dendrogram", drawn(&svg),
                  "Parameters that go together meet early; a colour is an agent, the dashed line "
                  "the cut.");
    sl_doc_sketch(doc, drawn(&lines));
}

// ---- who steers what ----

// "agent 1  L2 order, L2 K", for people
static void add_agents(const Grouping *group, SlDoc *doc) {
    sl_doc_open(doc, NULL, "Agents and their parameters");
    for (int agent = 0; agent < group->agents.n_agents; agent++) {
        char label[32];
        SlText line;
        sl_text_init(&line, group->arena);
        for (int i = 0; i < group->found.n; i++) {
            if (group->agents.agent[i] != agent) continue;
            sl_text_add(&line, "%s%s", line.n ? ", " : "", group->names[i]);
        }
        snprintf(label, sizeof label, "agent %d", agent + 1);
        sl_doc_string(doc, NULL, label, drawn(&line));
    }
    sl_doc_close(doc);
}

static void add_parameters(const Grouping *group, SlDoc *doc) {
    static const char *const kinds[] = {
        [SL_ORDINAL] = "ordinal", [SL_CATEGORICAL] = "categorical", [SL_PERMUTATION] = "order"};
    static const SlColumn columns[] = {SL_COLUMN("name", "parameter"), SL_COLUMN("kind", "kind"),
                                       SL_COLUMN("values", "values"), SL_COLUMN("agent", "agent")};
    sl_doc_detail(doc, true);
    sl_doc_table(doc, "parameters", "Parameters", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < group->found.n; i++) {
        const SlParam *param = &group->space.params[i];
        sl_doc_row(doc);
        sl_doc_string(doc, "name", NULL, param->name);
        sl_doc_string(doc, "kind", NULL, kinds[param->kind]);
        sl_doc_number(doc, "values", NULL, SL_UNIT_COUNT, param->n);
        sl_doc_number(doc, "agent", NULL, SL_UNIT_COUNT, group->agents.agent[i] + 1);
    }
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
}

// the matrix and the tree, for machines
static void add_matrices(const Grouping *group, SlDoc *doc) {
    const SlAssignment *found = &group->found;
    int n = found->n;
    double *leaves = call_need(SL_NEW(group->arena, n, double));
    sl_doc_list(doc, "correlation");
    for (int i = 0; i < n; i++) sl_doc_numbers(doc, NULL, n, &found->r[i * n]);
    sl_doc_close(doc);
    sl_doc_list(doc, "merges");
    for (int i = 0; i < n - 1; i++) {
        const SlMerge *merge = &found->tree[i];
        sl_doc_numbers(doc, NULL, 4,
                       (const double[]){merge->left, merge->right, merge->height, merge->size});
    }
    sl_doc_close(doc);
    for (int i = 0; i < n; i++) leaves[i] = group->leaves[i];
    sl_doc_numbers(doc, "leaves", n, leaves);
}

SlDoc *grouping_doc(const Grouping *group) {
    SlDoc *doc = sl_doc_make(group->arena, "assign", 1);
    add_head(group, doc);
    add_setup(group, doc);
    add_heat_map(group, doc);
    add_tree(group, doc);
    add_agents(group, doc);
    add_parameters(group, doc);
    add_matrices(group, doc);
    return doc;
}
