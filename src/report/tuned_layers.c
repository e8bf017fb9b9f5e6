// tuned_layers.c - the layers of a tuned network as rows.
#include <math.h>
#include <string.h>

#include "evaluation_parts.h"
#include "tuned_inside.h"

// ---- what came of a layer ----

static void add_knobs(SlDoc *doc, const SlJobTask *task, const int32_t *point) {
    const SlSpace *knobs = sl_task_space(task->task);
    sl_doc_open(doc, "knobs", NULL);
    for (int k = 0; k < knobs->n_params; k++)
        sl_tuned_number(doc, knobs->params[k].name, (double)knobs->params[k].sizes[point[k]]);
    sl_doc_close(doc);
}

static void add_value(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer,
                      const char *key, const SlTunedValue *value) {
    sl_doc_open(doc, key, NULL);
    sl_tuned_number(doc, view->kind->key, value->value);
    sl_tuned_number(doc, "seconds", value->seconds);
    sl_tuned_number(doc, "gops", sl_tuned_gops(layer, value->seconds));
    sl_doc_close(doc);
}

static void add_optimum(SlDoc *doc, const SlJobTask *task) {
    const SlRecord *optimum = &task->optimum;
    if (!task->proven) {
        sl_doc_null(doc, "optimum");
        return;
    }
    sl_doc_open(doc, "optimum", NULL);
    sl_tuned_number(doc, "cycles", sl_tuned_found(optimum));
    sl_doc_flag(doc, "proven", NULL, optimum->proven);
    sl_tuned_number(doc, "simulations", (double)optimum->samples);
    if (optimum->best.sample > 0) add_knobs(doc, task, optimum->best.point);
    sl_doc_close(doc);
}

static void add_curve(SlDoc *doc, const SlRecord *record) {
    sl_doc_list(doc, "curve");
    for (int i = 0; i < record->n_curve; i++) {
        double pair[] = {(double)record->curve[i].sample, record->curve[i].value};
        sl_doc_numbers(doc, NULL, 2, pair);
    }
    sl_doc_close(doc);
}

static void add_regret(SlDoc *doc, const SlTunedLayer *layer) {
    double regret = sl_tuned_regret(layer);
    char share[SL_UNIT_ROOM];
    sl_tuned_number(doc, "regret", regret);
    if (isnan(regret)) return;
    sl_doc_shown(doc, regret > 0 ? "+%s" : "optimal", sl_unit_show(SL_UNIT_SHARE, regret, share));
}

static void add_result(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer) {
    add_knobs(doc, layer->task, layer->task->record.best.point);
    add_value(doc, view, layer, "best", &layer->best);
    sl_doc_number(doc, NULL, view->kind->columns[0].label, view->kind->unit,
                  layer->task->count * layer->best.value);
    if (layer->untuned.value > 0)
        add_value(doc, view, layer, "untuned", &layer->untuned);
    else
        sl_doc_null(doc, "untuned");
    sl_doc_number(doc, "speed_up", NULL, SL_UNIT_TIMES, sl_tuned_speed_up(layer));
    add_optimum(doc, layer->task);
    add_regret(doc, layer);
}

static void add_record(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer) {
    const SlRecord *record = &layer->task->record;
    if (view->setup->transfer) sl_tuned_number(doc, "history", layer->task->n_history);
    sl_tuned_number(doc, "measurements", (double)record->samples);
    sl_tuned_number(doc, "failures", (double)record->failures);
    sl_tuned_number(doc, "found_at", (double)record->best.sample);
    sl_doc_string(doc, "stopped", NULL, sl_stop_text(view->setup->kind, record->stopped));
    sl_tuned_number(doc, "best_measured", sl_tuned_found(record));
    add_curve(doc, record);
    if (record->best.sample > 0) add_result(doc, view, layer);
}

// ---- the table ----

static void add_layer(SlDoc *doc, const SlTunedView *view, const SlTunedLayer *layer) {
    const SlJobTask *task = layer->task;
    char shape[SL_UNIT_ROOM], text[512];
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, task->layer->name);
    sl_doc_string(doc, NULL, "shape", sl_layer_shape(task->layer, shape));
    sl_doc_string(doc, "layer", NULL, sl_layer_write(task->layer, sizeof text, text));
    sl_tuned_number(doc, "count", task->count);
    sl_tuned_number(doc, "macs", (double)sl_layer_macs(task->layer));
    sl_doc_string(doc, "left_out", NULL, task->reason[0] ? task->reason : NULL);
    if (!task->task) return;
    sl_tuned_number(doc, "points", (double)sl_task_space(task->task)->n_points);
    if (task->searched) add_record(doc, view, layer);
    view->kind->add_layer(doc, view, layer);
}

// a row below the line, for people
static void add_foot(SlDoc *doc, const SlTunedView *view) {
    const SlNetworkCost *sums = &view->sums;
    if (view->n_layers < 2 || !isfinite(sums->seconds)) return;
    sl_doc_foot(doc);
    sl_doc_string(doc, NULL, "layer", "all");
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, sums->n_layers);
    sl_doc_number(doc, NULL, view->kind->columns[0].label, view->kind->unit, sums->value);
    sl_doc_number(doc, NULL, "GOP/s", SL_UNIT_RATE, 2e-9 * sums->macs / sums->seconds);
    sl_doc_number(doc, NULL, "faster", SL_UNIT_TIMES, view->untuned_seconds / sums->seconds);
    sl_doc_number(doc, NULL, "measured", SL_UNIT_COUNT, (double)view->effort.samples);
    sl_doc_number(doc, NULL, "failed", SL_UNIT_COUNT, (double)view->effort.failures);
}

// the kind's columns stand behind the first three
static void open_table(SlDoc *doc, const SlTunedKind *kind) {
    enum { FIRST = 3, MOST = 24 };
    static const SlColumn common[] = {
        SL_COLUMN("name", "layer", .cut = true),
        SL_COLUMN(NULL, "shape", .cut = true),
        SL_COLUMN("count", "n"),
        SL_COLUMN("best.gops", "GOP/s", .unit = SL_UNIT_RATE, .csv = "gops"),
        SL_COLUMN("speed_up", "faster"),
        SL_COLUMN("measurements", "measured", .unit = SL_UNIT_COUNT),
        SL_COLUMN("found_at", "best at", .unit = SL_UNIT_COUNT),
        SL_COLUMN("failures", "failed", .unit = SL_UNIT_COUNT),
        SL_COLUMN("layer", NULL),
        SL_COLUMN("macs", NULL),
        SL_COLUMN("points", NULL),
        SL_COLUMN("left_out", NULL),
    };
    enum { N_COMMON = sizeof common / sizeof *common };
    SlColumn columns[MOST];
    int n = 0;
    for (int i = 0; i < FIRST; i++) columns[n++] = common[i];
    // the value: of one layer for CSV, of all of its shape for people, so that the column adds up
    columns[n] = columns[n + 1] = kind->columns[0];
    columns[n].label = NULL;
    columns[n + 1].key = NULL;
    n += 2;
    for (int i = 1; i < kind->n_columns; i++) columns[n++] = kind->columns[i];
    for (int i = FIRST; i < N_COMMON; i++) columns[n++] = common[i];
    sl_doc_table(doc, "layers", "Layers", n, columns);
}

// ---- layers left out ----

// the first layer that was left out for the same reason
static int first_like(const SlTunedView *view, int i) {
    for (int j = 0; j < i; j++)
        if (strcmp(view->layers[j].task->reason, view->layers[i].task->reason) == 0) return j;
    return i;
}

// "depth1, depth2 (the template has no groups); conv1 (...)"
static void add_left_out(SlDoc *doc, const SlTunedView *view) {
    SlText words;
    sl_text_init(&words, view->arena);
    for (int i = 0; i < view->n_layers; i++) {
        const char *reason = view->layers[i].task->reason;
        if (!reason[0] || first_like(view, i) != i) continue;
        const char *lead = words.n > 0 ? "; " : "";
        for (int j = i; j < view->n_layers; j++) {
            if (first_like(view, j) != i) continue;
            sl_text_add(&words, "%s%s", lead, view->layers[j].task->layer->name);
            lead = ", ";
        }
        sl_text_add(&words, " (%s)", reason);
    }
    if (words.n > 0)
        sl_doc_words(doc, "Left out, and not in the sums: %s.", sl_tuned_text(doc, &words));
}

void sl_tuned_layers(SlDoc *doc, const SlTunedView *view) {
    open_table(doc, view->kind);
    for (int i = 0; i < view->n_layers; i++) {
        sl_doc_detail(doc, view->layers[i].task->reason[0]);
        add_layer(doc, view, &view->layers[i]);
    }
    sl_doc_detail(doc, false);
    add_foot(doc, view);
    sl_doc_close(doc);
    sl_doc_words(doc,
                 "n: layers of this shape, %s of all of them together. %s faster: than the "
                 "schedule of the untuned template. "
                 "Measured: measurements; best at: the one that found the schedule; failed: those "
                 "without a program or result.",
                 view->kind->columns[0].label, view->kind->legend);
    add_left_out(doc, view);
}
