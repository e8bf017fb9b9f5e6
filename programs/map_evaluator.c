// map_evaluator.c - who evaluates: --evaluator, a program of the user's with the log of its
// replies, and the mappings as MAESTRO's files.
#include <stdio.h>

#include "map.h"

SlStatus map_evaluator_find(Map *map, SlError *err) {
    const MapOptions *options = map->options;
    SlJobSetup *setup = &map->mapped.setup;
    map->mapped.evaluator = options->evaluator;
    SlStatus status = choices_read_evaluator(options->evaluator, &options->program, &map->process,
                                             &setup->kind, err);
    if (setup->kind == &sl_kind_process) setup->kind_options = &map->process;
    return status;
}

SlStatus map_evaluator_log(Map *map, SlError *err) {
    char path[SL_FOLDER_PATH];
    if (map->mapped.setup.kind != &sl_kind_process) return SL_OK;
    sl_folder_path(map->dir, "log.jsonl", path);
    SlStatus status = sl_log_open(path, map->arena, &map->log, err);
    if (status == SL_OK) sl_job_set_log(map->mapped.job, map->log);
    return status;
}

void map_free(Map *map) {
    sl_evaluator_close(map->process.shared);
    sl_log_close(map->log);
    sl_job_close(map->mapped.job);
}

SlStatus map_evaluator_fail(const Map *map, const SlMappedLayer *layer, SlError *err) {
    const SlTaskKind *kind = map->mapped.setup.kind;
    const char *name = layer->found->layer.name;
    char samples[32];
    sl_show_count((double)layer->task->record.samples, samples);
    if (kind == &sl_kind_maestro)
        return sl_fail(err, SL_EINPUT,
                       "%s: MAESTRO's model has no physical result for any of %s samples; it needs "
                       "whole filters (constraints maestro)",
                       name, samples);
    if (kind == &sl_kind_process)
        return sl_fail(err, SL_EINPUT,
                       "%s: all %s requests to %.100s failed; see log.jsonl of the run directory",
                       name, samples, map->options->evaluator);
    return sl_fail(err, SL_EINPUT,
                   "%s: none of %s samples fits %s; use --illegal repair or --start default", name,
                   samples, map->mapped.eval.accel.name);
}

// mappings/LAYER.m
SlStatus map_maestro_write(const Map *map, int i, SlError *err) {
    const SlMappedMaestro *seen = sl_mapped_layer(&map->mapped, i)->maestro;
    char file[FILE_NAME_ROOM + 16];
    SlText text;
    if (!seen) return SL_OK;
    SlMaestroLayer shape = seen->shape;
    SlMaestroNetwork net = {
        .n_layers = 1, .layers = &shape, .mappings = (SlMaestroMapping *)&seen->list};
    size_t mark = sl_arena_mark(map->arena);
    snprintf(net.name, sizeof net.name, "%s", shape.name);
    sl_text_init(&text, map->arena);
    sl_text_add(&text, "// starling eval --model maestro %s.m --accel %s\n", map->names[i],
                map->mapped.eval.accel.name);
    sl_maestro_write(&net, &text);
    snprintf(file, sizeof file, "mappings/%s.m", map->names[i]);
    SlStatus status = folder_write(map->dir, file, &text, err);
    sl_arena_rewind(map->arena, mark);
    return status;
}
