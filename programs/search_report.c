// search_report.c - what came of a search in a space of the user's own: text and JSON.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "curve_json.h"
#include "search_command.h"
#include "show.h"

static void add_head(const Search *search, SlText *out) {
    const SlSpace *space = &search->own.space;
    char count[32];
    sl_text_add(out, "%s: %d parameter%s, ", search->own.name, space->n_params,
                space->n_params == 1 ? "" : "s");
    if (space->n_points > 0)
        sl_text_add(out, "%s points\n", sl_show_count((double)space->n_points, count));
    else
        sl_text_add(out, "about 10^%.0f points\n", space->log10_size);
    sl_text_add(out, "method %s, seed %lld, evaluator %s\n", search->method->name,
                (long long)search->options->seed, search->options->evaluator);
}

static void add_samples(const Search *search, SlText *out) {
    const SlRecord *record = &search->record;
    char count[32], failed[32];
    sl_text_add(out, "\n%s evaluation%s, %s without a value; stopped: %s\n",
                sl_show_count((double)record->samples, count), record->samples == 1 ? "" : "s",
                sl_show_count((double)record->failures, failed), sl_stop_names[record->stopped]);
    if (record->refused > 0)
        sl_text_add(out, "%s more points broke a rule and were not evaluated\n",
                    sl_show_count((double)record->refused, count));
    if (record->repeats > 0)
        sl_text_add(out, "%s of them were repeats, answered from memory\n",
                    sl_show_count((double)record->repeats, count));
    if (search->assign_samples > 0)
        sl_text_add(out, "%s more for the correlations of %d agents\n",
                    sl_show_count((double)search->assign_samples, count), search->agents.n_agents);
}

// every improvement of the best, at most the last ten
static void add_curve(const SlRecord *record, SlText *out) {
    int first = record->n_curve > 10 ? record->n_curve - 10 : 0;
    sl_text_add(out, "\n  sample  best so far\n");
    for (int i = first; i < record->n_curve; i++)
        sl_text_add(out, "%8lld  %.9g\n", (long long)record->curve[i].sample,
                    record->curve[i].value);
}

void search_text(const Search *search, SlText *out) {
    const SlRecord *record = &search->record;
    const SlSpace *space = &search->own.space;
    char value[256];
    add_head(search, out);
    add_samples(search, out);
    if (record->best.sample == 0) {
        sl_text_add(out, "\nNo point has a value. The log says why each failed.\n");
        return;
    }
    sl_text_add(out, "\nBest value %.9g at evaluation %lld%s\n", record->best.outcome.value,
                (long long)record->best.sample,
                record->proven ? ", the best of the space: all points were evaluated" : "");
    for (int i = 0; i < space->n_params; i++)
        sl_text_add(out, "  %-20s %s\n", space->params[i].name,
                    sl_param_text(&space->params[i], record->best.point[i], sizeof value, value));
    add_curve(record, out);
}

static json_t *point_json(const Search *search) {
    json_t *to = command_need(json_object());
    const SlSpace *space = &search->own.space;
    char value[256];
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        int32_t at = search->record.best.point[i];
        if (param->kind == SL_ORDINAL && !param->labels)
            json_put(to, param->name, json_integer(param->sizes[at]));
        else
            json_put_text(to, param->name, sl_param_text(param, at, sizeof value, value));
    }
    return to;
}

json_t *search_json(const Search *search) {
    const SlRecord *record = &search->record;
    json_t *to = command_need(sl_json_document("search", 1));
    bool found = record->best.sample > 0;
    json_put_text(to, "space", search->own.name);
    json_put_text(to, "evaluator", search->options->evaluator);
    json_put_text(to, "method", search->method->name);
    json_put(to, "settings",
             command_need(json_options(search->method->options, search->method_options)));
    json_put(to, "seed", json_integer(search->options->seed));
    json_put(to, "parameters", json_integer(search->own.space.n_params));
    json_put_number(to, "log10_points", search->own.space.log10_size);
    json_put(to, "agents", json_integer(search->agents.n_agents));
    json_put(to, "samples", json_integer(record->samples));
    json_put(to, "assign_samples", json_integer(search->assign_samples));
    json_put(to, "failures", json_integer(record->failures));
    json_put(to, "refused", json_integer(record->refused));
    json_put_text(to, "stopped", sl_stop_names[record->stopped]);
    json_put(to, "proven", json_boolean(record->proven));
    json_put(to, "best_sample", json_integer(record->best.sample));
    json_put(to, "value", found ? sl_json_number(record->best.outcome.value) : json_null());
    json_put(to, "point", found ? point_json(search) : json_null());
    json_put(to, "curve", curve_json(record->n_curve, record->curve, sl_json_number));
    return to;
}
