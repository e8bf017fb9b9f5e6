// report_search.c - what came of a search in a space of the user's own, as a document
// (docs/formats/search-json.md).
#include "doc_inside.h"
#include "page.h"
#include "starling/report.h"
#include "starling/report/search_doc.h"

static void add_settings(SlDoc *doc, const SlOwnSearch *search) {
    const SlMethod *method = search->method;
    const void *options = search->options;
    void *defaults = NULL;
    if (doc && !options &&
        sl_method_options(method, NULL, sl_doc_arena(doc), &defaults, NULL) == SL_OK)
        options = defaults;
    if (sl_doc_need(doc, (void *)options))
        sl_doc_options(doc, "settings", method->options, options);
}

void sl_doc_own_search(SlDoc *doc, const SlOwnSearch *search) {
    sl_doc_string(doc, "space", NULL, search->own.name);
    sl_doc_string(doc, "evaluator", NULL, search->program.command);
    sl_doc_string(doc, "method", NULL, search->method->name);
    add_settings(doc, search);
}

static void add_head(SlDoc *doc, const SlOwnSearch *search) {
    const SlSpace *space = &search->own.space;
    const char *s = space->n_params == 1 ? "" : "s";
    char count[SL_UNIT_ROOM];
    if (space->n_points > 0)
        sl_doc_title(doc, "%s: %d parameter%s, %s points", search->own.name, space->n_params, s,
                     sl_unit_show(SL_UNIT_COUNT, (double)space->n_points, count));
    else
        sl_doc_title(doc, "%s: %d parameter%s, about 10^%.0f points", search->own.name,
                     space->n_params, s, space->log10_size);
    sl_doc_own_search(doc, search);
    sl_doc_text(doc, NULL, "method", "%s, seed %lld", search->method->name,
                (long long)search->seed);
    sl_doc_string(doc, NULL, "evaluator", search->program.command);
    sl_doc_plain(doc, "seed", (double)search->seed);
    sl_doc_plain(doc, "parameters", space->n_params);
    sl_doc_plain(doc, "log10_points", space->log10_size);
    sl_doc_plain(doc, "agents", search->agents.n_agents);
}

static void add_samples(SlDoc *doc, const SlOwnSearch *search) {
    const SlRecord *record = &search->record;
    char failed[SL_UNIT_ROOM];
    sl_doc_number(doc, "samples", "evaluations", SL_UNIT_COUNT, (double)record->samples);
    sl_doc_remark(doc, "%s without a value; stopped: %s",
                  sl_unit_show(SL_UNIT_COUNT, (double)record->failures, failed),
                  sl_stop_names[record->stopped]);
    sl_doc_number(doc, "assign_samples", search->assign_samples > 0 ? "more" : NULL, SL_UNIT_COUNT,
                  (double)search->assign_samples);
    sl_doc_remark(doc, " for the correlations of %d agents", search->agents.n_agents);
    sl_doc_plain(doc, "failures", (double)record->failures);
    sl_doc_number(doc, "refused", record->refused > 0 ? "refused" : NULL, SL_UNIT_COUNT,
                  (double)record->refused);
    sl_doc_remark(doc, " more points broke a rule and were not evaluated");
    if (record->repeats > 0) {
        sl_doc_number(doc, NULL, "repeats", SL_UNIT_COUNT, (double)record->repeats);
        sl_doc_remark(doc, " of the evaluations, answered from memory");
    }
    sl_doc_string(doc, "stopped", NULL, sl_stop_names[record->stopped]);
    sl_doc_flag(doc, "proven", NULL, record->proven);
    sl_doc_plain(doc, "best_sample", (double)record->best.sample);
}

static void add_point(SlDoc *doc, const SlOwnSearch *search) {
    const SlSpace *space = &search->own.space;
    char value[256];
    sl_doc_open(doc, "point", "Best point");
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        int32_t at = search->record.best.point[i];
        const char *text = sl_param_text(param, at, sizeof value, value);
        if (param->kind == SL_ORDINAL && !param->labels) {
            sl_doc_number(doc, param->name, param->name, SL_UNIT_PLAIN, (double)param->sizes[at]);
            sl_doc_shown(doc, "%s", text);
        } else {
            sl_doc_string(doc, param->name, param->name, text);
        }
    }
    sl_doc_close(doc);
}

static void add_best(SlDoc *doc, const SlOwnSearch *search) {
    const SlRecord *record = &search->record;
    if (record->best.sample == 0) {
        sl_doc_null(doc, "value");
        sl_doc_null(doc, "point");
        sl_doc_warn(doc, "No point has a value. The log says why each failed.");
        return;
    }
    sl_doc_number(doc, "value", "best value", SL_UNIT_PLAIN, record->best.outcome.value);
    sl_doc_shown(doc, "%.9g at evaluation %lld", record->best.outcome.value,
                 (long long)record->best.sample);
    if (record->proven) sl_doc_remark(doc, "the best of the space: all points were evaluated");
    add_point(doc, search);
}

// every improvement of the best
static void add_curve(SlDoc *doc, const SlRecord *record) {
    SlTable *table = sl_table_make(sl_doc_arena(doc), "", "sample|best so far");
    sl_doc_list(doc, "curve");
    for (int i = 0; i < record->n_curve; i++) {
        double pair[] = {(double)record->curve[i].sample, record->curve[i].value};
        sl_doc_numbers(doc, NULL, 2, pair);
        sl_table_row(table);
        sl_table_cell(table, "%lld", (long long)record->curve[i].sample);
        sl_table_cell(table, "%.9g", record->curve[i].value);
    }
    sl_doc_close(doc);
    if (record->best.sample > 0) sl_doc_grid(doc, "curve", table);
}

SlDoc *sl_report_search(const SlOwnSearch *search, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "search", 1);
    if (!doc) return NULL;
    add_head(doc, search);
    add_samples(doc, search);
    add_best(doc, search);
    add_curve(doc, &search->record);
    return doc;
}
