// tune_doc.c - what `starling tune` found as a document (docs/formats/tune-json.md). People see no
// times of this run: the same run gives the same text and the same page.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tune_command.h"

enum { KNOBS_MOST = 4 * SL_MAX_PARAMS };

static void add_number(SlDoc *doc, const char *key, double value) {
    sl_doc_number(doc, key, NULL, SL_UNIT_PLAIN, value);
}

static const char *show_count(double value, char out[static SL_UNIT_ROOM]) {
    return sl_unit_show(SL_UNIT_COUNT, value, out);
}

// ---- what was asked for ----

void tune_add_setup(const Tune *tune, SlDoc *doc) {
    const TuneOptions *options = tune->options;
    sl_doc_string(doc, "target", NULL, tune->target->kind->name);
    sl_doc_string(doc, "method", NULL, tune->tuner->name);
    sl_doc_options(doc, "options", tune->tuner->options, tune->tuner_options);
    add_number(doc, "budget", options->budget ? (double)options->budget : (double)NAN);
    add_number(doc, "seconds", options->time > 0 ? options->time : (double)NAN);
    add_number(doc, "batch", (double)options->batch);
    add_number(doc, "seed", (double)options->seed);
    sl_doc_flag(doc, "skip_first", NULL, options->skip_first);
    tune->target->add_setup(tune, doc);
    sl_doc_string(doc, "transfer", NULL, tune->transfer ? tune->transfer_digest : NULL);
}

// "resnet18:conv3_1 on vta 1x16x16"
static void add_title(const Tune *tune, SlDoc *doc) {
    const SlNetwork *net = &tune->net;
    bool one = net->n_layers == 1, inside = one && strcmp(net->name, "inline") != 0;
    SlText machine;
    sl_text_init(&machine, tune->arena);
    tune->target->name(tune, &machine);
    sl_doc_title(doc, "%s%s%s on %s", inside ? net->name : "", inside ? ":" : "",
                 one ? net->layers[0].name : net->name, machine.data);
}

static void add_target(const Tune *tune, SlDoc *doc) {
    long long batch = (long long)tune->options->batch;
    SlText words;
    sl_text_init(&words, tune->arena);
    tune->target->describe(tune, &words);
    if (batch > 1) sl_text_add(&words, ", batch %lld", batch);
    sl_doc_string(doc, NULL, "target", words.data);
}

static void add_method(const Tune *tune, SlDoc *doc) {
    const TuneOptions *options = tune->options;
    SlText words;
    char count[SL_UNIT_ROOM];
    sl_text_init(&words, tune->arena);
    sl_text_add(&words, "%s, ", tune->tuner->name);
    if (options->budget > 0)
        sl_text_add(&words, "%s measurements%s", show_count((double)options->budget, count),
                    tune->n_layers > 1 ? " per layer" : "");
    if (tune_chooses_core(tune)) sl_text_add(&words, " shared by %d cores", (int)options->cores);
    if (options->time > 0)
        sl_text_add(&words, "%s%g seconds", options->budget > 0 ? " or " : "", options->time);
    if (tune->transfer) sl_text_add(&words, ", starting from other tasks");
    sl_text_add(&words, ", seed %lld", (long long)options->seed);
    sl_doc_string(doc, NULL, "method", words.data);
}

static void add_head(const Tune *tune, SlDoc *doc) {
    add_title(tune, doc);
    sl_doc_string(doc, "key", NULL, tune->key);
    sl_doc_string(doc, "workload", NULL, tune->net.name);
    sl_doc_open(doc, "setup", NULL);
    tune_add_setup(tune, doc);
    sl_doc_close(doc);
    sl_doc_flag(doc, "finished", NULL, tune_finished(tune));
    if (tune->net.title[0]) sl_doc_string(doc, NULL, "workload", tune->net.title);
    add_target(tune, doc);
    add_method(tune, doc);
    if (tune->signal)
        sl_doc_warn(doc, "INTERRUPTED: the best so far; the same command again finishes it.");
}

// ---- sums ----

// how far from the optimum, where that was proven
static void add_optimal(const Tune *tune, SlDoc *doc) {
    int proven = 0, optimal = 0;
    double most = 0;
    char share[SL_UNIT_ROOM];
    for (int i = 0; i < tune->n_layers; i++) {
        double regret = tune_regret(&tune->layers[i]);
        if (isnan(regret)) continue;
        proven++;
        optimal += regret <= 0;
        most = fmax(most, regret);
    }
    if (proven == 0) return;
    sl_unit_show(SL_UNIT_SHARE, most, share);
    if (tune->n_layers == 1) {
        sl_doc_text(doc, NULL, "above best", most > 0 ? "+%s" : "optimal", share);
        sl_doc_remark(doc, "proven for the space");
        return;
    }
    sl_doc_text(doc, NULL, "optimal", "%d of %d", optimal, proven);
    sl_doc_remark(doc, most > 0 ? " that are proven; others up to +%s" : " that are proven", share);
}

static void add_measurements(const TuneSums *sums, SlDoc *doc) {
    char count[SL_UNIT_ROOM];
    sl_doc_number(doc, "measurements", "measurements", SL_UNIT_COUNT, (double)sums->measurements);
    sl_doc_remark(doc, "of which %s without a program", show_count((double)sums->failures, count));
    add_number(doc, "failures", (double)sums->failures);
}

static void add_sums(const Tune *tune, const TuneSums *sums, SlDoc *doc) {
    bool known = isfinite(sums->seconds);
    double batch = (double)tune->options->batch;
    char text[SL_UNIT_ROOM];
    if (!known) sl_doc_warn(doc, "Not every layer has a schedule.");
    sl_doc_cards(doc, "total", NULL);
    sl_doc_number(doc, "seconds", known ? "time" : NULL, SL_UNIT_SECONDS, sums->seconds);
    tune->target->add_sums(tune, sums, doc);
    sl_doc_number(doc, "images_per_second", known ? "images" : NULL, SL_UNIT_RATE,
                  batch / sums->seconds);
    sl_doc_remark(doc, " per second, batch %g", batch);
    sl_doc_number(doc, "gops", known ? "GOP/s" : NULL, SL_UNIT_RATE,
                  2e-9 * sums->macs / sums->seconds);
    sl_doc_remark(doc, "%s MACs", sl_unit_show(SL_UNIT_SHORT, sums->macs, text));
    if (isfinite(sums->untuned / sums->seconds)) {
        sl_doc_number(doc, NULL, "speed-up", SL_UNIT_TIMES, sums->untuned / sums->seconds);
        sl_doc_remark(doc, "untuned: %s", sl_unit_show(SL_UNIT_SECONDS, sums->untuned, text));
    }
    add_optimal(tune, doc);
    add_measurements(sums, doc);
    add_number(doc, "layers", sums->n_layers);
    add_number(doc, "macs", sums->macs);
    add_number(doc, "untuned_seconds", sums->untuned);
    sl_doc_close(doc);
}

// ---- layers ----

static void add_knobs(const SlJobTask *task, const int32_t *point, SlDoc *doc) {
    const SlSpace *knobs = sl_task_space(task->task);
    sl_doc_open(doc, "knobs", NULL);
    for (int k = 0; k < knobs->n_params; k++)
        add_number(doc, knobs->params[k].name, (double)knobs->params[k].sizes[point[k]]);
    sl_doc_close(doc);
}

static void add_value(const Tune *tune, const TuneLayer *layer, const char *key,
                      const TuneValue *value, SlDoc *doc) {
    sl_doc_open(doc, key, NULL);
    add_number(doc, tune->target->key, value->value);
    add_number(doc, "seconds", value->seconds);
    add_number(doc, "gops", tune_gops(layer, value->seconds));
    sl_doc_close(doc);
}

static void add_optimum(const SlJobTask *task, SlDoc *doc) {
    const SlRecord *optimum = &task->optimum;
    sl_doc_open(doc, "optimum", NULL);
    add_number(doc, "cycles", tune_found(optimum));
    sl_doc_flag(doc, "proven", NULL, optimum->proven);
    add_number(doc, "simulations", (double)optimum->samples);
    if (optimum->best.sample > 0) add_knobs(task, optimum->best.point, doc);
    sl_doc_close(doc);
}

static void add_curve(const SlRecord *record, SlDoc *doc) {
    sl_doc_list(doc, "curve");
    for (int i = 0; i < record->n_curve; i++) {
        double pair[] = {(double)record->curve[i].sample, record->curve[i].value};
        sl_doc_numbers(doc, NULL, 2, pair);
    }
    sl_doc_close(doc);
}

static void add_regret(const TuneLayer *layer, SlDoc *doc) {
    double regret = tune_regret(layer);
    char share[SL_UNIT_ROOM];
    add_number(doc, "regret", regret);
    if (isnan(regret)) return;
    sl_doc_shown(doc, regret > 0 ? "+%s" : "optimal", sl_unit_show(SL_UNIT_SHARE, regret, share));
}

static void add_result(const Tune *tune, const TuneLayer *layer, SlDoc *doc) {
    add_knobs(layer->job, layer->job->record.best.point, doc);
    add_value(tune, layer, "best", &layer->best, doc);
    if (layer->untuned.value > 0)
        add_value(tune, layer, "untuned", &layer->untuned, doc);
    else
        sl_doc_null(doc, "untuned");
    sl_doc_number(doc, "speed_up", NULL, SL_UNIT_TIMES, tune_speed_up(layer));
    if (layer->job->proven)
        add_optimum(layer->job, doc);
    else
        sl_doc_null(doc, "optimum");
    add_regret(layer, doc);
}

static void add_record(const Tune *tune, const TuneLayer *layer, SlDoc *doc) {
    const SlRecord *record = &layer->job->record;
    if (tune->transfer) add_number(doc, "history", layer->job->n_history);
    add_number(doc, "measurements", (double)record->samples);
    add_number(doc, "failures", (double)record->failures);
    add_number(doc, "found_at", (double)record->best.sample);
    sl_doc_string(doc, "stopped", NULL, sl_stop_text(tune->target->kind, record->stopped));
    add_number(doc, "best_measured", tune_found(record));
    add_curve(record, doc);
    if (record->best.sample > 0) add_result(tune, layer, doc);
}

static void add_layer(const Tune *tune, const TuneLayer *layer, SlDoc *doc) {
    const SlJobTask *task = layer->job;
    char shape[SL_UNIT_ROOM], text[512];
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, task->layer->name);
    sl_doc_string(doc, NULL, "shape", sl_layer_shape(task->layer, shape));
    sl_doc_string(doc, "layer", NULL, sl_layer_write(task->layer, sizeof text, text));
    add_number(doc, "count", task->count);
    add_number(doc, "macs", (double)sl_layer_macs(task->layer));
    sl_doc_string(doc, "left_out", NULL, task->reason[0] ? task->reason : NULL);
    if (!task->task) return;
    add_number(doc, "points", (double)sl_task_space(task->task)->n_points);
    if (task->searched) add_record(tune, layer, doc);
    tune->target->add_layer(tune, layer, doc);
}

// a row below the line, for people
static void add_foot(const Tune *tune, const TuneSums *sums, SlDoc *doc) {
    if (tune->n_layers < 2 || !isfinite(sums->seconds)) return;
    sl_doc_foot(doc);
    sl_doc_string(doc, NULL, "layer", "all");
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, sums->n_layers);
    sl_doc_number(doc, NULL, tune->target->columns[0].label, tune->target->unit, sums->value);
    sl_doc_number(doc, NULL, "GOP/s", SL_UNIT_RATE, 2e-9 * sums->macs / sums->seconds);
    sl_doc_number(doc, NULL, "faster", SL_UNIT_TIMES, sums->untuned / sums->seconds);
    sl_doc_number(doc, NULL, "tried", SL_UNIT_COUNT, (double)sums->measurements);
    sl_doc_number(doc, NULL, "bad", SL_UNIT_COUNT, (double)sums->failures);
}

// the target's columns stand behind the first three
static void open_table(const Tune *tune, SlDoc *doc) {
    enum { FIRST = 3, MOST = 24 };
    static const SlColumn common[] = {
        SL_COLUMN("name", "layer", .cut = true),
        SL_COLUMN(NULL, "shape", .cut = true),
        SL_COLUMN("count", "n"),
        SL_COLUMN("best.gops", "GOP/s", .unit = SL_UNIT_RATE, .csv = "gops"),
        SL_COLUMN("speed_up", "faster"),
        SL_COLUMN("measurements", "tried", .unit = SL_UNIT_COUNT),
        SL_COLUMN("found_at", "at", .unit = SL_UNIT_COUNT),
        SL_COLUMN("failures", "bad", .unit = SL_UNIT_COUNT),
        SL_COLUMN("layer", NULL),
        SL_COLUMN("macs", NULL),
        SL_COLUMN("points", NULL),
        SL_COLUMN("left_out", NULL),
    };
    enum { N_COMMON = sizeof common / sizeof *common };
    SlColumn columns[MOST];
    int n = 0;
    for (int i = 0; i < FIRST; i++) columns[n++] = common[i];
    for (int i = 0; i < tune->target->n_columns; i++) columns[n++] = tune->target->columns[i];
    for (int i = FIRST; i < N_COMMON; i++) columns[n++] = common[i];
    sl_doc_table(doc, "layers", "Layers", n, columns);
}

// the first layer that was left out for the same reason
static int first_like(const Tune *tune, int i) {
    for (int j = 0; j < i; j++)
        if (strcmp(tune->layers[j].job->reason, tune->layers[i].job->reason) == 0) return j;
    return i;
}

// "depth1, depth2 (the template has no groups); conv1 (...)"
static void add_left_out(const Tune *tune, SlDoc *doc) {
    SlText words;
    sl_text_init(&words, tune->arena);
    for (int i = 0; i < tune->n_layers; i++) {
        const char *reason = tune->layers[i].job->reason;
        if (!reason[0] || first_like(tune, i) != i) continue;
        const char *lead = words.n > 0 ? "; " : "";
        for (int j = i; j < tune->n_layers; j++) {
            if (first_like(tune, j) != i) continue;
            sl_text_add(&words, "%s%s", lead, tune->layers[j].job->layer->name);
            lead = ", ";
        }
        sl_text_add(&words, " (%s)", reason);
    }
    if (words.n > 0) sl_doc_words(doc, "Left out, and not in the sums: %s.", words.data);
}

static void add_layers(const Tune *tune, const TuneSums *sums, SlDoc *doc) {
    open_table(tune, doc);
    for (int i = 0; i < tune->n_layers; i++) {
        sl_doc_detail(doc, tune->layers[i].job->reason[0]);
        add_layer(tune, &tune->layers[i], doc);
    }
    sl_doc_detail(doc, false);
    add_foot(tune, sums, doc);
    sl_doc_close(doc);
    sl_doc_words(doc,
                 "n: layers of this shape. %s faster: than the schedule of the untuned template. "
                 "tried, at, bad: measurements, the one that found it, those without a program or "
                 "result.",
                 tune->target->legend);
    add_left_out(tune, doc);
}

// ---- schedules ----

// Every knob that a layer has, by the profession that turns it.
typedef struct {
    int n;
    const SlParam *knobs[KNOBS_MOST];
} Knobs;

static bool has_knob(const Knobs *all, const char *name) {
    for (int c = 0; c < all->n; c++)
        if (strcmp(all->knobs[c]->name, name) == 0) return true;
    return false;
}

static void list_knobs(const Tune *tune, int profession, Knobs *all) {
    for (int i = 0; i < tune->n_layers; i++) {
        if (!tune_has_result(&tune->layers[i])) continue;
        const SlSpace *knobs = sl_task_space(tune->layers[i].job->task);
        for (int k = 0; k < knobs->n_params && all->n < KNOBS_MOST; k++)
            if ((int)sl_param_profession(&knobs->params[k]) == profession &&
                !has_knob(all, knobs->params[k].name))
                all->knobs[all->n++] = &knobs->params[k];
    }
}

// whose knobs they are: "Knobs of hardware: block_in; of scheduling: ..."
static void add_professions(const Tune *tune, const Knobs *all, SlDoc *doc) {
    const char *lead = "Knobs of";
    SlText words;
    sl_text_init(&words, tune->arena);
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
    sl_doc_words(doc, "%s.", words.data);
    sl_doc_detail(doc, false);
}

static void add_schedule(const Tune *tune, int i, SlDoc *doc) {
    const SlJobTask *task = tune->layers[i].job;
    const SlSpace *knobs = sl_task_space(task->task);
    char file[TUNE_FILE_ROOM];
    sl_doc_row(doc);
    sl_doc_string(doc, NULL, "layer", task->layer->name);
    for (int k = 0; k < knobs->n_params; k++)
        sl_doc_number(doc, NULL, knobs->params[k].name, SL_UNIT_PLAIN,
                      (double)knobs->params[k].sizes[task->record.best.point[k]]);
    if (!tune->dir) return;
    tune_program_name(tune, i, file);
    sl_doc_link(doc, "program", file, "%s", tune->target->program);
}

static void add_schedules(const Tune *tune, SlDoc *doc) {
    Knobs all = {0};
    SlColumn columns[KNOBS_MOST + 2];
    int n = 0;
    for (int p = 0; p < SL_N_PROFESSIONS; p++) list_knobs(tune, p, &all);
    if (all.n == 0) return;
    columns[n++] = (SlColumn)SL_COLUMN(NULL, "layer", .cut = true);
    for (int c = 0; c < all.n; c++) columns[n++] = (SlColumn)SL_COLUMN(NULL, all.knobs[c]->name);
    columns[n++] = (SlColumn)SL_COLUMN(NULL, "program", .detail = true);
    sl_doc_table(doc, NULL, "Schedules", n, columns);
    for (int i = 0; i < tune->n_layers; i++)
        if (tune_has_result(&tune->layers[i])) add_schedule(tune, i, doc);
    sl_doc_close(doc);
    add_professions(tune, &all, doc);
}

// ---- files, and the clock ----

static void add_files(const Tune *tune, SlDoc *doc) {
    static const char *const files[][2] = {{"numbers", "tune.json"}, {"as printed", "tune.txt"},
                                           {"layers", "layers.csv"}, {"best so far", "curves.svg"},
                                           {"knobs", "schedules/"},  {"programs", "programs/"}};
    const char *log = tune->options->log;
    if (!tune->dir) return;
    sl_doc_detail(doc, true);
    sl_doc_open(doc, NULL, "Files");
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sl_doc_link(doc, files[i][0], files[i][1], "%s", files[i][1]);
    if (log)
        sl_doc_string(doc, NULL, "measurements", log);
    else
        sl_doc_link(doc, "measurements", "log.jsonl", "log.jsonl");
    sl_doc_close(doc);
    sl_doc_detail(doc, false);
}

// what the clock says, of this run alone
static void add_speed(const Tune *tune, SlDoc *doc) {
    sl_doc_open(doc, "speed", NULL);
    add_number(doc, "measured", (double)tune->measured);
    add_number(doc, "replayed", (double)tune->replayed);
    add_number(doc, "seconds", tune->seconds);
    add_number(doc, "method_seconds", tune->method_seconds);
    add_number(doc, "measure_seconds", tune->measure_seconds);
    sl_doc_close(doc);
}

SlDoc *tune_document(const Tune *tune) {
    SlDoc *doc = sl_doc_make(tune->arena, "tune", 1);
    TuneSums sums;
    tune_sums(tune, &sums);
    add_head(tune, doc);
    add_sums(tune, &sums, doc);
    add_layers(tune, &sums, doc);
    tune_add_figures(tune, doc);
    add_schedules(tune, doc);
    tune->target->add_machine(tune, doc);
    add_files(tune, doc);
    add_speed(tune, doc);
    return doc;
}
