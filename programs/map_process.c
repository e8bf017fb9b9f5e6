// map_process.c - `starling map` with a program of the user's as the evaluator: its options, its
// log, and what it said beside what Starling's own model says.
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "map.h"
#include "show.h"
#include "text_table.h"

bool map_is_process(const Map *map) {
    return map->kind == &sl_kind_process;
}

SlStatus process_find(const MapOptions *options, Map *map, SlError *err) {
    map->kind = sl_task_kind_find(options->evaluator);
    if (map->kind && map->kind != &sl_kind_process) {
        if (map->kind->maps) return SL_OK;
        return sl_fail(
            err, SL_EINPUT,
            "--evaluator: %s measures programs, not mappings; see 'starling tune --help'",
            map->kind->name);
    }
    map->kind = &sl_kind_process;
    map->process.program = (SlEvaluatorSetup){.command = options->evaluator,
                                              .copies = (int)options->program.copies,
                                              .timeout_s = options->program.timeout};
    return sl_evaluator_open(&map->process.program, &map->process.shared, err);
}

SlStatus process_open_log(Map *map, SlError *err) {
    char path[RUN_PATH_ROOM];
    if (!map_is_process(map) || !map->dir) return SL_OK;
    run_path(map->dir, "log.jsonl", path);
    SlStatus status = sl_log_open(path, map->arena, &map->log, err);
    if (status == SL_OK) sl_job_set_log(map->job, map->log);
    return status;
}

void process_close(Map *map) {
    sl_evaluator_close(map->process.shared);
    sl_log_close(map->log);
}

// what the first sample, the default mapping, was worth
static double first_value(const MapLayer *layer) {
    const SlRecord *record = &layer->job->record;
    return record->n_curve > 0 && record->curve[0].sample == 1 ? record->curve[0].value : NAN;
}

double process_gain(const MapLayer *layer) {
    return first_value(layer) / layer->job->record.best.outcome.value;
}

SlNetworkCost process_sums(const Map *map) {
    SlNetworkCost sums;
    sl_network_cost_init(&sums, NULL);
    for (int i = 0; i < map->n_layers; i++) {
        SlNetworkPart part = sl_network_part(map->layers[i].job->count);
        part.value = map->layers[i].job->record.best.outcome.value;
        sl_network_cost_add(&sums, &part);
    }
    return sums;
}

void add_process_table(const Map *map, SlText *out) {
    TextTable table;
    char text[SHOW_ROOM], count[32];
    table_init(&table, map->arena, "n|~layer|best|first|gain|samples|failed|found at");
    for (int i = 0; i < map->n_layers; i++) {
        const MapLayer *layer = &map->layers[i];
        const SlRecord *record = &layer->job->record;
        table_row(&table);
        table_cell(&table, "%d", layer->job->count);
        table_cell(&table, "%s", layer->found->layer.name);
        table_cell(&table, "%.6g", record->best.outcome.value);
        if (isnan(first_value(layer)))
            table_cell(&table, "-");
        else
            table_cell(&table, "%.6g", first_value(layer));
        table_cell(&table, "%s", show_multiple(process_gain(layer), text));
        table_cell(&table, "%s", sl_show_count((double)record->samples, count));
        table_cell(&table, "%s", sl_show_count((double)record->failures, count));
        table_cell(&table, "%s", sl_show_count((double)record->best.sample, count));
    }
    sl_text_add(out, "Values by %s:\n", map->options->evaluator);
    table_draw(&table, out);
    sl_text_add(out, "\nWhat Starling's own model says of the same mappings:\n");
}
