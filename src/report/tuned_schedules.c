// tuned_schedules.c - the best schedule of every layer of a tuned network: a column per knob.
#include <string.h>

#include "tuned_inside.h"

// Every knob that a layer has, by the profession that turns it.
enum { KNOBS_MOST = 4 * SL_MAX_PARAMS };
typedef struct {
    int n;
    const SlParam *knobs[KNOBS_MOST];
} Knobs;

static bool has_knob(const Knobs *all, const char *name) {
    for (int c = 0; c < all->n; c++)
        if (strcmp(all->knobs[c]->name, name) == 0) return true;
    return false;
}

static void list_knobs(const SlTunedView *view, int profession, Knobs *all) {
    for (int i = 0; i < view->n_layers; i++) {
        const SlJobTask *task = view->layers[i].task;
        if (!sl_tuned_has_result(task)) continue;
        const SlSpace *knobs = sl_task_space(task->task);
        for (int k = 0; k < knobs->n_params && all->n < KNOBS_MOST; k++)
            if ((int)sl_param_profession(&knobs->params[k]) == profession &&
                !has_knob(all, knobs->params[k].name))
                all->knobs[all->n++] = &knobs->params[k];
    }
}

// whose knobs they are: "Knobs of hardware: block_in; of scheduling: ..."
static void add_professions(SlDoc *doc, const Knobs *all) {
    const char *lead = "Knobs of";
    SlText words;
    sl_text_init(&words, sl_doc_arena(doc));
    for (int p = 0; p < SL_N_PROFESSIONS; p++) {
        bool any = false;
        for (int c = 0; c < all->n; c++) {
            if ((int)sl_param_profession(all->knobs[c]) != p) continue;
            if (!any) sl_text_add(&words, "%s %s: ", lead, sl_profession_names[p]);
            sl_text_add(&words, "%s`%s`", any ? ", " : "", all->knobs[c]->name);
            any = true;
        }
        if (any) lead = "; of";
    }
    sl_doc_detail(doc, true);
    sl_doc_words(doc, "%s.", sl_tuned_text(doc, &words));
    sl_doc_detail(doc, false);
}

static void add_schedule(SlDoc *doc, const SlTunedView *view, int i) {
    const SlJobTask *task = view->layers[i].task;
    const SlSpace *knobs = sl_task_space(task->task);
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "layer", task->layer->name);
    for (int k = 0; k < knobs->n_params; k++)
        sl_doc_number(doc, NULL, knobs->params[k].name, SL_UNIT_PLAIN,
                      (double)knobs->params[k].sizes[task->record.best.point[k]]);
    if (view->given->programs)
        sl_doc_link(doc, "program", view->given->programs[i], "%s", view->kind->program);
}

void sl_tuned_schedules(SlDoc *doc, const SlTunedView *view) {
    Knobs all = {0};
    SlColumn columns[KNOBS_MOST + 2];
    int n = 0;
    for (int p = 0; p < SL_N_PROFESSIONS; p++) list_knobs(view, p, &all);
    if (all.n == 0) return;
    columns[n++] = (SlColumn)SL_COLUMN(NULL, "layer", .cut = true);
    for (int c = 0; c < all.n; c++) columns[n++] = (SlColumn)SL_COLUMN(NULL, all.knobs[c]->name);
    columns[n++] = (SlColumn)SL_COLUMN(NULL, "program", .detail = true);
    sl_doc_table(doc, NULL, "Schedules", n, columns);
    for (int i = 0; i < view->n_layers; i++)
        if (sl_tuned_has_result(view->layers[i].task)) add_schedule(doc, view, i);
    sl_doc_close(doc);
    add_professions(doc, &all);
}
