// report_assignment.c - parameters of a layer grouped into agents, as a document
// (docs/formats/assign-json.md): the dataset, the correlations, the tree, the agents.
#include <math.h>
#include <stdio.h>
#include <string.h>

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
    double top;         // height of the last merge
    int *leaves;        // (n_params) in the order of the tree
    const char **names; // (n_params) of the parameters
} Group;

static bool make_group(SlDoc *doc, const SlGrouping *of, Group *group) {
    int n = of->found.n;
    *group = (Group){.doc = doc, .of = of, .layer = of->space->layer, .accel = of->space->accel};
    sl_assign_agents(&of->found, of->n_agents, &group->agents);
    group->cut = sl_assign_cut(&of->found, of->n_agents);
    group->top = sl_assign_top_height(&of->found);
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

// where the tree is cut: heights as they are, and as shares of the last merge's
static void add_cut(const Group *group) {
    const SlThreshold *asked = &group->of->threshold;
    SlDoc *doc = group->doc;
    sl_doc_plain(doc, "threshold", asked->height > 0 && !asked->of_top ? asked->height : NAN);
    sl_doc_plain(doc, "threshold_percent", asked->of_top ? percent(asked->height) : NAN);
    sl_doc_plain(doc, "cut", group->cut);
    sl_doc_plain(doc, "cut_percent", group->top > 0 ? 100 * group->cut / group->top : NAN);
    sl_doc_plain(doc, "top", group->top);
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
    sl_doc_string(doc, "evaluator", NULL, of->evaluator);
    sl_doc_string(doc, "policy", NULL, policy_of(of));
    sl_doc_plain(doc, "seed", (double)of->setup.seed);
    sl_doc_plain(doc, "samples", (double)of->found.samples);
    sl_doc_plain(doc, "share_percent", percent(of->setup.share));
    sl_doc_plain(doc, "rows", of->found.n_rows);
    sl_doc_string(doc, "points", NULL, of->setup.proposed ? "proposed" : "repaired");
    sl_doc_plain(doc, "nearest_rows", of->found.n_nearest);
    sl_doc_string(doc, "metric", NULL, sl_metric_names[of->setup.metric]);
    sl_doc_string(doc, "linkage", NULL, sl_linkage_names[of->setup.linkage]);
    sl_doc_plain(doc, "agents", of->n_agents);
    add_cut(group);
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
                 "%s samples by %s, of which the best %g %% (%s) by %s enter the correlations%s.",
                 sl_unit_show(SL_UNIT_COUNT, (double)of->found.samples, samples), policy_of(of),
                 percent(of->setup.share), sl_unit_show(SL_UNIT_COUNT, of->found.n_rows, rows),
                 sl_goal_text(&of->goal, sizeof text, text),
                 of->setup.proposed ? ", as proposed" : ", as repaired");
}

// ---- pictures ----

static const char *drawn(const Group *group, const SlText *text) {
    if (text->failed) sl_doc_fail(group->doc);
    return text->data;
}

static void add_heat_map(const Group *group) {
    SlArena *arena = sl_doc_arena(group->doc);
    char title[384];
    SlText svg, lines;
    sl_text_init(&svg, arena);
    sl_text_init(&lines, arena);
    char goal[256];
    SlHeatSource source = {.n = group->of->found.n,
                           .r = group->of->found.r,
                           .objective = group->of->found.objective,
                           .goal = sl_goal_text(&group->of->goal, sizeof goal, goal),
                           .names = group->names,
                           .leaves = group->leaves};
    SlHeatMap heat = sl_heat_of_tree(&source, arena);
    if (heat.n == 0) sl_doc_fail(group->doc);
    if (heat.n == 0) return;
    snprintf(title, sizeof title, "Correlated parameters: %s on %s", group->layer->name,
             group->accel->name);
    heat.title = title;
    sl_draw_heat_svg(&heat, &svg);
    heat.title = "Correlations, in the order of the tree";
    sl_draw_heat_text(&heat, &lines);
    sl_doc_figure(group->doc, "matrix", drawn(group, &svg),
                  "Correlations of the parameters among the best samples, in the order of the "
                  "tree, and with the objective: 1 go up together, -1 one goes down, 0 neither.");
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
    char title[384], axis[SL_TREE_AXIS];
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

// heights depend on the policy and the number of parameters, shares of the top do not
static void add_heights(const Group *group) {
    int n = group->of->n_agents;
    if (isnan(group->cut) || !(group->top > 0)) return;
    sl_doc_words(group->doc,
                 "The last merge is at height %.3g; the cut into %d agents, at %.3g, is at %.0f %% "
                 "of it.",
                 group->top, n, group->cut, 100 * group->cut / group->top);
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
                                       SL_COLUMN("values", "values"), SL_COLUMN("agent", "agent"),
                                       SL_COLUMN("objective", "r with the objective")};
    sl_doc_detail(doc, true);
    sl_doc_table(doc, "parameters", "Parameters", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < group->of->found.n; i++) {
        const SlParam *param = &group->of->space->params[i];
        sl_doc_row(doc);
        sl_doc_string(doc, "name", NULL, param->name);
        sl_doc_string(doc, "kind", NULL, kinds[param->kind]);
        sl_doc_number(doc, "values", NULL, SL_UNIT_COUNT, param->n);
        sl_doc_number(doc, "agent", NULL, SL_UNIT_COUNT, group->agents.agent[i] + 1);
        sl_doc_plain(doc, "objective", group->of->found.objective[i]);
        sl_doc_shown(doc, "%.2f", group->of->found.objective[i]);
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
    sl_doc_numbers(doc, "objective_correlation", n, found->objective);
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

// ---- as a file ----

bool sl_grouping_groups(const SlGrouping *grouping, SlArena *arena, SlGroups *groups) {
    const SlSpace *space = grouping->space;
    char goal[256], shape[384];
    SlAgents agents;
    sl_assign_agents(&grouping->found, grouping->n_agents, &agents);
    sl_groups_of(space, &agents, groups);
    sl_goal_text(&grouping->goal, sizeof goal, goal);
    sl_layer_write(space->layer, sizeof shape, shape);
    groups->layer = space->layer->name;
    groups->shape = sl_arena_text(arena, shape, strlen(shape));
    groups->accel = space->accel->name;
    groups->evaluator = grouping->evaluator;
    groups->space = sl_space_names[space->preset];
    groups->open = grouping->open;
    groups->constraints = grouping->constraints;
    groups->objective = sl_arena_text(arena, goal, strlen(goal));
    groups->policy = policy_of(grouping);
    groups->metric = sl_metric_names[grouping->setup.metric];
    groups->linkage = sl_linkage_names[grouping->setup.linkage];
    groups->samples = grouping->found.samples;
    groups->rows = grouping->found.n_rows;
    groups->seed = (int64_t)grouping->setup.seed;
    return groups->shape && groups->objective;
}

SlDoc *sl_report_assignment(const SlGrouping *grouping, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "assign", 1);
    Group group;
    if (!doc || !make_group(doc, grouping, &group)) return doc;
    add_head(&group);
    add_setup(&group);
    add_heat_map(&group);
    add_tree(&group);
    add_heights(&group);
    add_agents(&group);
    add_parameters(&group);
    add_matrices(&group);
    return doc;
}
