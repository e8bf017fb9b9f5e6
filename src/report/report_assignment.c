// report_assignment.c - parameters of a layer grouped into agents, as a document
// (docs/formats/assign-json.md): the dataset, the correlations, the tree, the agents.
#include <math.h>
#include <stdio.h>

#include "assignment_inside.h"
#include "doc_inside.h"
#include "evaluation_parts.h"
#include "starling/report/assignment_doc.h"

// What the parts of the document share.
typedef struct {
    SlDoc *doc;
    const SlGrouping *of;
    const SlLayer *layer;
    const SlAccel *accel;
    SlAgents agents;
    double cut;         // height at which the tree falls into the agents; NAN = nowhere
    int *leaves;        // (n_params) in the order of the tree
    const char **names; // (n_params) of the parameters
} Group;

static bool make_group(SlDoc *doc, const SlGrouping *of, Group *group) {
    int n = of->found.n;
    *group = (Group){.doc = doc, .of = of, .layer = of->space->layer, .accel = of->space->accel};
    sl_assign_agents(&of->found, of->n_agents, &group->agents);
    group->cut = sl_assign_cut(&of->found, of->n_agents);
    group->leaves = sl_doc_need(doc, SL_NEW(sl_doc_arena(doc), n, int));
    group->names = sl_doc_need(doc, SL_NEW(sl_doc_arena(doc), n, const char *));
    if (!group->leaves || !group->names) return false;
    sl_dendro_leaves(n, of->found.tree, group->leaves);
    for (int i = 0; i < n; i++) group->names[i] = of->space->params[i].name;
    return true;
}

// ---- what was asked ----

static const char *policy_of(const SlGrouping *of) {
    return of->setup.policy ? of->setup.policy->name : "random";
}

// as it was given: 7, not 7.000000000000001
static double percent(double share) {
    return round(share * 1e12) / 1e10;
}

static void add_setup(const Group *group) {
    SlDoc *doc = group->doc;
    const SlGrouping *of = group->of;
    char text[384];
    sl_doc_open(doc, "layer", NULL);
    sl_doc_string(doc, "name", NULL, group->layer->name);
    sl_doc_string(doc, "inline", NULL, sl_layer_write(group->layer, sizeof text, text));
    sl_doc_close(doc);
    sl_doc_accel(doc, group->accel);
    sl_doc_string(doc, "objective", NULL, sl_goal_text(&of->goal, sizeof text, text));
    sl_doc_string(doc, "space", NULL, sl_space_names[of->space->preset]);
    sl_doc_string(doc, "open", NULL, of->open ? of->open : "");
    sl_doc_string(doc, "constraints", NULL, of->constraints);
    sl_doc_string(doc, "policy", NULL, policy_of(of));
    sl_doc_plain(doc, "seed", (double)of->setup.seed);
    sl_doc_plain(doc, "samples", (double)of->found.samples);
    sl_doc_plain(doc, "share_percent", percent(of->setup.share));
    sl_doc_plain(doc, "rows", of->found.n_rows);
    sl_doc_string(doc, "metric", NULL, sl_metric_names[of->setup.metric]);
    sl_doc_string(doc, "linkage", NULL, sl_linkage_names[of->setup.linkage]);
    sl_doc_plain(doc, "agents", of->n_agents);
    sl_doc_plain(doc, "cut", group->cut);
}

static void add_head(const Group *group) {
    SlDoc *doc = group->doc;
    const SlGrouping *of = group->of;
    char text[384], samples[SL_UNIT_ROOM], rows[SL_UNIT_ROOM];
    sl_doc_title(doc, "%s on %s: %d parameters of the %s space, %d agent%s", group->layer->name,
                 group->accel->name, of->found.n, sl_space_names[of->space->preset], of->n_agents,
                 of->n_agents == 1 ? "" : "s");
    sl_doc_string(doc, NULL, "layer", sl_layer_show(group->layer, sizeof text, text));
    if (of->constraints) sl_doc_string(doc, NULL, "constraints", of->constraints);
    sl_doc_words(doc,
                 "%s samples by %s, of which the best %g %% (%s) by %s enter the correlations.",
                 sl_unit_show(SL_UNIT_COUNT, (double)of->found.samples, samples), policy_of(of),
                 percent(of->setup.share), sl_unit_show(SL_UNIT_COUNT, of->found.n_rows, rows),
                 sl_goal_text(&of->goal, sizeof text, text));
}

// ---- pictures ----

static const char *drawn(const Group *group, const SlText *text) {
    if (text->failed) sl_doc_fail(group->doc);
    return text->data;
}

static void add_heat_map(const Group *group) {
    SlArena *arena = sl_doc_arena(group->doc);
    char title[256];
    SlText svg, lines;
    sl_text_init(&svg, arena);
    sl_text_init(&lines, arena);
    SlHeatMap heat =
        sl_heat_of_tree(group->of->found.n, group->of->found.r, group->names, group->leaves, arena);
    if (heat.n == 0) sl_doc_fail(group->doc);
    if (heat.n == 0) return;
    snprintf(title, sizeof title, "Which parameters go together: %s on %s", group->layer->name,
             group->accel->name);
    heat.title = title;
    sl_draw_heat_svg(&heat, &svg);
    heat.title = "Correlations, in the order of the tree";
    sl_draw_heat_text(&heat, &lines);
    sl_doc_figure(group->doc, "matrix", drawn(group, &svg),
                  "Correlations of the parameters among the best samples, in the order of the "
                  "tree: 1 go up together, -1 one goes down, 0 neither.");
    sl_doc_sketch(group->doc, drawn(group, &lines));
}

static SlTreePlot tree_plot(const Group *group) {
    int n = group->of->found.n;
    SlBranch *branches = sl_doc_need(group->doc, SL_NEW(sl_doc_arena(group->doc), n, SlBranch));
    for (int i = 0; branches && i < n - 1; i++) {
        const SlMerge *merge = &group->of->found.tree[i];
        branches[i] = (SlBranch){merge->left, merge->right, merge->height};
    }
    return (SlTreePlot){.n = n,
                        .branches = branches,
                        .leaves = group->leaves,
                        .names = group->names,
                        .cluster = group->agents.agent,
                        .cut = group->cut};
}

static void add_tree(const Group *group) {
    const SlAssignSetup *setup = &group->of->setup;
    char title[256], axis[SL_TREE_AXIS];
    SlText svg, lines;
    sl_text_init(&svg, sl_doc_arena(group->doc));
    sl_text_init(&lines, sl_doc_arena(group->doc));
    snprintf(title, sizeof title, "From parameters to agents: %s on %s", group->layer->name,
             group->accel->name);
    SlTreePlot plot = tree_plot(group);
    if (!plot.branches) return;
    plot.axis = sl_tree_axis(setup->metric, setup->linkage, axis);
    plot.title = title;
    sl_draw_tree_svg(&plot, &svg);
    plot.title = isnan(group->cut) ? "The tree" : "The tree, and where it is cut into agents";
    sl_draw_tree_text(&plot, &lines);
    sl_doc_figure(group->doc, "dendrogram", drawn(group, &svg),
                  "Parameters that go together meet early; a colour is an agent, the dashed line "
                  "the cut.");
    sl_doc_sketch(group->doc, drawn(group, &lines));
}

// ---- who steers what ----

// "agent 1  L2 order, L2 K", for people
static void add_agents(const Group *group) {
    SlDoc *doc = group->doc;
    sl_doc_open(doc, NULL, "Agents and their parameters");
    for (int agent = 0; agent < group->of->n_agents; agent++) {
        char label[32];
        SlText line;
        sl_text_init(&line, sl_doc_arena(doc));
        for (int i = 0; i < group->of->found.n; i++) {
            if (group->agents.agent[i] != agent) continue;
            sl_text_add(&line, "%s%s", line.n ? ", " : "", group->names[i]);
        }
        snprintf(label, sizeof label, "agent %d", agent + 1);
        sl_doc_string(doc, NULL, label, drawn(group, &line));
    }
    sl_doc_close(doc);
}

static void add_parameters(const Group *group) {
    SlDoc *doc = group->doc;
    static const char *const kinds[] = {
        [SL_ORDINAL] = "ordinal", [SL_CATEGORICAL] = "categorical", [SL_PERMUTATION] = "order"};
    static const SlColumn columns[] = {SL_COLUMN("name", "parameter"), SL_COLUMN("kind", "kind"),
                                       SL_COLUMN("values", "values"), SL_COLUMN("agent", "agent")};
    sl_doc_detail(doc, true);
    sl_doc_table(doc, "parameters", "Parameters", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < group->of->found.n; i++) {
        const SlParam *param = &group->of->space->params[i];
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
static void add_matrices(const Group *group) {
    SlDoc *doc = group->doc;
    const SlAssignment *found = &group->of->found;
    int n = found->n;
    double *leaves = sl_doc_need(doc, SL_NEW(sl_doc_arena(doc), n, double));
    if (!leaves) return;
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

SlDoc *sl_report_assignment(const SlGrouping *grouping, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "assign", 1);
    Group group;
    if (!doc || !make_group(doc, grouping, &group)) return doc;
    add_head(&group);
    add_setup(&group);
    add_heat_map(&group);
    add_tree(&group);
    add_agents(&group);
    add_parameters(&group);
    add_matrices(&group);
    return doc;
}
