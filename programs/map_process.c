// map_process.c - `starling map` with a program of the user's as the evaluator: its options, its
// log, and what it said beside what Starling's own model says.
#include <math.h>

#include "map.h"

enum { PROCESS_SAMPLES = 100 };

typedef struct {
    SlProcessOptions options; // first: the job gets it
    SlLog *log;               // of its replies, NULL = none
} State;

static SlStatus plan(Map *map, SlError *err) {
    const MapOptions *options = map->options;
    State *state = call_need(SL_NEW(map->arena, 1, State));
    map->state = state;
    state->options.program = (SlEvaluatorSetup){.command = options->evaluator,
                                                .copies = (int)options->program.copies,
                                                .timeout_s = options->program.timeout};
    return sl_evaluator_open(&state->options.program, &state->options.shared, err);
}

static SlStatus open_log(Map *map, SlError *err) {
    State *state = map->state;
    char path[SL_FOLDER_PATH];
    sl_folder_path(map->dir, "log.jsonl", path);
    SlStatus status = sl_log_open(path, map->arena, &state->log, err);
    if (status == SL_OK) sl_job_set_log(map->job, state->log);
    return status;
}

static void close_all(Map *map) {
    State *state = map->state;
    sl_evaluator_close(state->options.shared);
    sl_log_close(state->log);
}

// ---- values ----

// what the first sample, the default mapping, was worth
static double first_value(const MapLayer *layer) {
    const SlRecord *record = &layer->job->record;
    return record->n_curve > 0 && record->curve[0].sample == 1 ? record->curve[0].value
                                                               : (double)NAN;
}

static void price(const Map *map, MapLayer *layer) {
    (void)map;
    layer->value = layer->job->record.best.outcome.value;
    layer->base_value = NAN;
    layer->gain = first_value(layer) / layer->value;
}

static SlNetworkCost sums(const Map *map) {
    SlNetworkCost sums;
    sl_network_cost_init(&sums, NULL);
    for (int i = 0; i < map->n_layers; i++) {
        SlNetworkPart part = sl_network_part(map->layers[i].job->count);
        part.value = map->layers[i].value;
        sl_network_cost_add(&sums, &part);
    }
    return sums;
}

static SlStatus fail(const Map *map, const MapLayer *layer, SlError *err) {
    char samples[32];
    return sl_fail(err, SL_EINPUT,
                   "%s: none of %s requests to %.100s has a value; log.jsonl of the run directory "
                   "says why",
                   layer->found->layer.name,
                   sl_show_count((double)layer->job->record.samples, samples),
                   map->options->evaluator);
}

// ---- what is shown ----

static void describe(const Map *map, SlText *out) {
    sl_text_add(out, "evaluator %s", map->options->evaluator);
}

static void add_value(const MapLayer *layer, SlDoc *doc) {
    const SlRecord *record = &layer->job->record;
    sl_doc_row(doc);
    sl_doc_number(doc, NULL, "n", SL_UNIT_COUNT, layer->job->count);
    sl_doc_string(doc, NULL, "layer", layer->found->layer.name);
    sl_doc_number(doc, NULL, "best", SL_UNIT_PLAIN, layer->value);
    sl_doc_number(doc, NULL, "first", SL_UNIT_PLAIN, first_value(layer));
    sl_doc_number(doc, NULL, "gain", SL_UNIT_TIMES, layer->gain);
    sl_doc_number(doc, NULL, "samples", SL_UNIT_COUNT, (double)record->samples);
    sl_doc_number(doc, NULL, "failed", SL_UNIT_COUNT, (double)record->failures);
    sl_doc_number(doc, NULL, "found at", SL_UNIT_COUNT, (double)record->best.sample);
}

static void add_values(const Map *map, SlDoc *doc) {
    static const SlColumn columns[] = {
        SL_COLUMN(NULL, "layer", .cut = true),
        SL_COLUMN(NULL, "n"),
        SL_COLUMN(NULL, "best"),
        SL_COLUMN(NULL, "first"),
        SL_COLUMN(NULL, "gain"),
        SL_COLUMN(NULL, "samples"),
        SL_COLUMN(NULL, "failed"),
        SL_COLUMN(NULL, "found at"),
    };
    sl_doc_table(doc, NULL, "Values by the evaluator", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < map->n_layers; i++) add_value(&map->layers[i], doc);
    sl_doc_close(doc);
    sl_doc_heading(doc, "What Starling's own model says of the same mappings");
}

const MapEvaluator map_process = {
    .kind = &sl_kind_process,
    .samples = PROCESS_SAMPLES,
    .alone = true,
    .key = "evaluator",
    .note = NUMBERS_NOTE,
    .n_columns = N_NATIVE_COLUMNS,
    .columns = map_native_columns,
    .legend = map_native_legend,
    .plan = plan,
    .open = open_log,
    .close = close_all,
    .price = price,
    .sums = sums,
    .fail = fail,
    .describe = describe,
    .add_values = add_values,
    .add_facts = map_add_native_facts,
};
