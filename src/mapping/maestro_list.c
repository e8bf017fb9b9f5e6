// maestro_list.c - directive lists of .m files: found for a layer, and written for a nest.
#include <stdio.h>

#include "starling/accel/maestro_hardware.h"
#include "starling/mapping/maestro_nest.h"

// ---- reading ----

// The layer of a .m file whose dataflow is meant: named behind ':', the only one, or the one that
// is called like the layer to map.
static SlStatus choose_layer(const SlMaestroNetwork *file, const char *path, const char *name,
                             const SlLayer *layer, int *at, SlError *err) {
    *at = 0;
    if (!name && file->n_layers == 1) return SL_OK;
    *at = sl_maestro_find_layer(file, name ? name : layer->name);
    if (*at >= 0) return SL_OK;
    if (name) return sl_fail(err, SL_EINPUT, "%s has no layer '%.80s'", path, name);
    return sl_fail(err, SL_EINPUT,
                   "%s has %d layers, none of them called %s: name one, as in %s:%s", path,
                   file->n_layers, layer->name, path, file->layers[0].name);
}

SlStatus sl_maestro_list_find(const char *word, const SlLayer *layer, SlArena *arena,
                              SlMaestroLayer *shape, SlMaestroMapping *list, SlError *err) {
    SlMaestroNetwork file;
    const char *end = sl_maestro_path_end(word), *name = *end ? end + 1 : NULL;
    const char *path = sl_arena_text(arena, word, (size_t)(end - word));
    int at = 0;
    if (!path) return sl_fail(err, SL_ENOMEM, "no memory for the name of a file");
    SlStatus status = sl_maestro_read(path, arena, &file, err);
    if (status == SL_OK) status = choose_layer(&file, path, name, layer, &at, err);
    if (status != SL_OK) return status;
    const char *reason = sl_maestro_shape(layer, shape);
    if (reason) return sl_fail(err, SL_EINPUT, "layer %s: %s", layer->name, reason);
    if (shape->type != file.layers[at].type)
        return sl_fail_at(err, SL_EINPUT, path, file.lines[at], 0,
                          "layer %s is a %s, the layer to map a %s", file.layers[at].name,
                          sl_maestro_type_names[file.layers[at].type],
                          sl_maestro_type_names[shape->type]);
    *list = file.mappings[at];
    return SL_OK;
}

// ---- writing ----

// The PEs of the accelerator if the nest has a list for them, else those that it uses.
static const char *make_list(const SlLayer *layer, const SlAccel *accel, const SlMapping *nest,
                             const SlMaestroLayer *shape, SlMaestroMapping *list, int32_t *pes) {
    SlMaestroHardware hardware;
    if (!sl_maestro_hardware_of(accel, &hardware) &&
        !sl_maestro_of_nest(layer, nest, hardware.num_pes, shape, list, pes))
        return NULL;
    return sl_maestro_of_nest(layer, nest, 0, shape, list, pes);
}

// a name that MAESTRO reads as it is
static void clean_name(const char *name, char out[static 64]) {
    SlLayer layer;
    SlMaestroLayer shape;
    sl_layer_init(&layer);
    snprintf(layer.name, sizeof layer.name, "%s", name);
    snprintf(out, 64, "%s", sl_maestro_shape(&layer, &shape) ? "network" : shape.name);
}

const char *sl_maestro_write_nest(const SlLayer *layer, const SlAccel *accel, const SlMapping *nest,
                                  const char *network, SlText *out) {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlMaestroNetwork net = {.n_layers = 1, .layers = &shape, .mappings = &list};
    int32_t pes = 0;
    const char *reason = sl_maestro_shape(layer, &shape);
    if (!reason) reason = make_list(layer, accel, nest, &shape, &list, &pes);
    if (reason) return reason;
    clean_name(network, net.name);
    sl_text_add(out, "// for %d PEs: --num-pes %d\n", (int)pes, (int)pes);
    sl_maestro_write(&net, out);
    return NULL;
}
