// eval_files.c - a file per layer: its mapping.
#include <stdio.h>
#include <string.h>

#include "eval.h"

// a number is added where two layers would share a name
char (*evaluation_file_names(const Evaluation *eval))[FILE_NAME_ROOM] {
    int n = eval->net.n_layers;
    char(*names)[FILE_NAME_ROOM] =
        call_need(sl_arena_alloc(eval->arena, (size_t)n, FILE_NAME_ROOM));
    for (int i = 0; i < n; i++) folder_file_name(eval->net.layers[i].name, names[i]);
    for (int i = 1; i < n; i++) {
        for (int j = 0, again = i + 1; j < n; j++) {
            if (j == i || strcmp(names[i], names[j]) != 0) continue;
            if (j > i) continue; // the later one is renamed when its turn comes
            char base[FILE_NAME_ROOM];
            folder_file_name(eval->net.layers[i].name, base);
            snprintf(names[i], FILE_NAME_ROOM, "%.60s_%d", base, again++);
            j = -1;
        }
    }
    return names;
}

static SlStatus write_mapping(const Evaluation *eval, int i, const char *dir, const char *name,
                              SlError *err) {
    const Priced *priced = eval->layers[i];
    size_t mark = sl_arena_mark(eval->arena);
    char shape[160], file[FILE_NAME_ROOM + 8];
    SlText text;
    sl_text_init(&text, eval->arena);
    sl_text_add(&text, "# starling eval '%s' --accel %s --mapping %s.yaml\n",
                sl_layer_write(&priced->layer, sizeof shape, shape), eval->accel.name, name);
    sl_text_add(&text, "layer: \"%s\"\naccel: %s\n", shape, eval->accel.name);
    sl_mapping_write_yaml(&priced->mapping, &eval->accel, &text);
    snprintf(file, sizeof file, "%s.yaml", name);
    SlStatus status = folder_write(dir, file, &text, err);
    sl_arena_rewind(eval->arena, mark);
    return status;
}

SlStatus evaluation_write_mappings(const Evaluation *eval, const char *run, SlError *err) {
    char dir[4096];
    snprintf(dir, sizeof dir, "%s/mappings", run);
    SlStatus status = folder_make(dir, err);
    if (status != SL_OK) return status;
    char(*names)[FILE_NAME_ROOM] = evaluation_file_names(eval);
    for (int i = 0; i < eval->net.n_layers && status == SL_OK; i++)
        status = write_mapping(eval, i, dir, names[i], err);
    return status;
}
