// section_assignment.c - which parameters go together, and the agents cut from their tree (Fig. 4
// of the mapping paper).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assignment_inside.h"
#include "detail.h"
#include "page.h"
#include "section.h"

enum { MOST_BUDGETS = 16, FEWEST_COLOURED = 3 };

// what an ASSIGN cell found
typedef struct {
    int n;
    const char **names;
    double *r;
    double *objective; // (n) NULL in records of earlier versions
    const char *goal, *policy;
    SlBranch *tree; // (n - 1)
    int *leaves;
    int n_budgets, budgets[MOST_BUDGETS];
    int *agents[MOST_BUDGETS]; // (n) each
    double samples, rows;
} Found;

static bool read_tree(const SlSection *section, const SlNode *root, Found *found) {
    enum { PER_MERGE = 4 };
    int n = found->n, room = n * PER_MERGE;
    double *numbers = SL_SECTION_NEW(section, room, double);
    found->tree = SL_SECTION_NEW(section, n, SlBranch);
    if (!numbers || !found->tree) return false;
    int got = sl_detail_numbers(sl_detail_get(root, "tree"), room, numbers);
    if (got != (n - 1) * PER_MERGE) return false;
    for (int i = 0; i < n - 1; i++) {
        const double *merge = numbers + i * PER_MERGE;
        if (!(merge[0] >= 0 && merge[0] < n + i && merge[1] >= 0 && merge[1] < n + i &&
              isfinite(merge[2])))
            return false;
        found->tree[i] = (SlBranch){(int)merge[0], (int)merge[1], merge[2]};
    }
    return true;
}

// (n) whole numbers from 0 to n - 1
static int *read_places(const SlSection *section, const SlNode *list, int n) {
    double *numbers = SL_SECTION_NEW(section, n, double);
    int *places = SL_SECTION_NEW(section, n, int);
    if (!numbers || !places || sl_detail_numbers(list, n, numbers) != n) return NULL;
    for (int i = 0; i < n; i++) {
        if (!(numbers[i] >= 0 && numbers[i] < n)) return NULL;
        places[i] = (int)numbers[i];
    }
    return places;
}

static void read_agents(const SlSection *section, const SlNode *root, Found *found) {
    const SlNode *agents = sl_detail_get(root, "agents");
    for (const SlNode *node = agents ? agents->first : NULL; node; node = node->next) {
        if (found->n_budgets == MOST_BUDGETS || !node->key) break;
        int *of = read_places(section, node, found->n);
        if (!of) continue;
        // ascending, whatever the order in the file
        int budget = (int)strtol(node->key, NULL, 10), at = found->n_budgets++;
        for (; at > 0 && found->budgets[at - 1] > budget; at--) {
            found->budgets[at] = found->budgets[at - 1];
            found->agents[at] = found->agents[at - 1];
        }
        found->budgets[at] = budget;
        found->agents[at] = of;
    }
}

static bool read_found(const SlSection *section, const SlCellRecord *record, Found *found) {
    const SlNode *root = sl_detail_read(record, section->arena);
    const SlNode *names = sl_detail_get(root, "names");
    *found = (Found){.n = names && names->kind == SL_NODE_LIST ? names->n : 0};
    int n = found->n;
    if (n < 2) return false;
    found->names = SL_SECTION_NEW(section, n, const char *);
    found->r = SL_SECTION_NEW(section, n * n, double);
    if (!found->names || !found->r) return false;
    int i = 0;
    for (const SlNode *node = names->first; node; node = node->next)
        found->names[i++] = node->kind == SL_NODE_SCALAR ? node->text : "";
    found->leaves = read_places(section, sl_detail_get(root, "leaves"), n);
    found->policy = record->method && record->method[0] ? record->method : "random";
    found->goal = record->objective ? record->objective : "objective";
    found->objective = SL_SECTION_NEW(section, n, double);
    if (sl_detail_numbers(sl_detail_get(root, "objective"), n, found->objective) != n)
        found->objective = NULL;
    found->samples = sl_detail_number(root, "samples");
    found->rows = sl_detail_number(root, "rows");
    read_agents(section, root, found);
    return found->leaves && read_tree(section, root, found) &&
           sl_detail_numbers(sl_detail_get(root, "r"), n * n, found->r) == n * n;
}

static void add_heat(const SlSection *section, const Found *found, const char *task) {
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlHeatSource source = {.n = found->n,
                           .r = found->r,
                           .objective = found->objective,
                           .goal = found->goal,
                           .names = found->names,
                           .leaves = found->leaves};
    SlHeatMap heat = sl_heat_of_tree(&source, section->arena);
    if (heat.n == 0) section->doc->failed = true;
    if (heat.n == 0) return;
    heat.title = sl_section_text(section, "Correlated parameters: %s", task);
    sl_draw_heat_svg(&heat, &svg);
    sl_section_figure(section, sl_section_text(section, "matrix %s", task), &svg,
                      sl_section_text(section,
                                      "Correlations of the parameters among the best %s of %s "
                                      "samples, in the order of the tree.",
                                      sl_shown_count(found->rows).text,
                                      sl_shown_count(found->samples).text));
}

// the budget whose agents are coloured: the first with three or more, else the last
static int coloured(const Found *found) {
    for (int i = 0; i < found->n_budgets; i++)
        if (found->budgets[i] >= FEWEST_COLOURED && found->budgets[i] < found->n) return i;
    return found->n_budgets - 1;
}

static void add_tree(const SlSection *section, const Found *found, const char *task) {
    const SlAssignSetup *setup = &section->plan->assign_setup;
    int budget = coloured(found), n = found->n, k = budget >= 0 ? found->budgets[budget] : 1;
    double cut = NAN;
    char axis[SL_TREE_AXIS];
    // between the last merge that is kept and the first that is undone
    if (k > 1 && k < n) cut = (found->tree[n - k - 1].height + found->tree[n - k].height) / 2;
    SlText svg;
    sl_text_init(&svg, section->arena);
    SlTreePlot plot = {.n = n,
                       .branches = found->tree,
                       .leaves = found->leaves,
                       .names = found->names,
                       .cluster = budget >= 0 ? found->agents[budget] : NULL,
                       .cut = cut,
                       .title = sl_section_text(section, "From parameters to agents: %s", task),
                       .axis = sl_tree_axis(setup->metric, setup->linkage, axis)};
    sl_draw_tree_svg(&plot, &svg);
    sl_section_figure(section, sl_section_text(section, "tree %s", task), &svg,
                      isnan(cut)
                          ? "The tree of parameters, nearest ones merged first."
                          : sl_section_text(section,
                                            "The tree of parameters, nearest ones merged first; "
                                            "the dashed line cuts it into %d agents.",
                                            k));
}

static void add_agents(const SlSection *section, const Found *found, const char *task) {
    if (found->n_budgets == 0) return;
    SlText heads;
    sl_text_init(&heads, section->arena);
    sl_text_add(&heads, "<parameter");
    for (int b = 0; b < found->n_budgets; b++)
        sl_text_add(&heads, "|%s", sl_shown_plural(found->budgets[b], "agent").text);
    if (heads.failed) section->doc->failed = true;
    SlTable *table = sl_table_make(
        section->arena,
        sl_section_text(section, "%s: which agent has which parameter, by budget of agents", task),
        heads.data);
    for (int i = 0; i < found->n; i++) {
        int parameter = found->leaves[i];
        sl_table_row(table);
        sl_table_cell(table, "%s", found->names[parameter]);
        for (int b = 0; b < found->n_budgets; b++)
            sl_table_cell(table, "%d", found->agents[b][parameter] + 1);
    }
    sl_doc_grid(section->doc, sl_section_text(section, "agents %s", task), table);
}

// one policy's; where there are several, its name is part of the names of pictures and tables
static void add_found(const SlSection *section, const SlResultTask *task, const Found *found) {
    const char *name = task->name;
    if (task->n_assigned > 1) name = sl_section_text(section, "%s by %s", name, found->policy);
    sl_doc_words(section->doc,
                 "**%s**: %s samples of %s, of which the best %s by %s enter the correlations.",
                 task->name, sl_shown_count(found->samples).text, found->policy,
                 sl_shown_count(found->rows).text, task->objective);
    add_heat(section, found, name);
    add_tree(section, found, name);
    add_agents(section, found, name);
}

void sl_section_assignment(const SlSection *section) {
    const SlResults *results = section->results;
    bool begun = false;
    for (int t = 0; t < results->n_tasks; t++) {
        const SlResultTask *task = &results->tasks[t];
        for (int i = 0; i < task->n_assigned; i++) {
            Found found;
            if (!read_found(section, task->assigned[i], &found)) continue;
            if (!begun) sl_doc_heading(section->doc, "Agents by correlation");
            begun = true;
            add_found(section, task, &found);
        }
    }
}
