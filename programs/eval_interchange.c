// eval_interchange.c - mappings in the forms of MAESTRO and Timeloop: read by --mapping, printed by
// --export.
#include <stdio.h>
#include <string.h>

#include "eval_maestro.h"
#include "starling/mapping/timeloop.h"

// ---- reading ----

// The layer of a .m file whose dataflow is meant: named behind ':', the only one, or the one that
// is called like the layer to map.
static SlStatus choose_layer(const SlMaestroNetwork *file, const char *path, const char *name,
                             const SlLayer *layer, int *at, SlError *err) {
    *at = 0;
    if (!name && file->n_layers == 1) return SL_OK;
    *at = maestro_find_layer(file, name ? name : layer->name);
    if (*at >= 0) return SL_OK;
    if (name) return sl_fail(err, SL_EINPUT, "%s has no layer '%.80s'", path, name);
    return sl_fail(err, SL_EINPUT,
                   "%s has %d layers, none of them called %s: name one, as in %s:%s", path,
                   file->n_layers, layer->name, path, file->layers[0].name);
}

SlStatus maestro_read_list(const char *word, const SlLayer *layer, SlArena *arena,
                           SlMaestroLayer *shape, SlMaestroMapping *list, SlError *err) {
    SlMaestroNetwork file;
    const char *end = maestro_file_end(word), *name = *end ? end + 1 : NULL;
    const char *path = call_need(sl_arena_text(arena, word, (size_t)(end - word)));
    int at = 0;
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

static SlStatus read_maestro(const Evaluation *eval, const char *word, Priced *priced,
                             SlError *err) {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlStatus status = maestro_read_list(word, &priced->layer, eval->arena, &shape, &list, err);
    if (status != SL_OK) return status;
    int64_t pes = eval->options->maestro.num_pes;
    if (!pes) pes = sl_fanout_size(&eval->accel.fanouts[1]);
    const char *reason = "there are more PEs than MAESTRO counts";
    if (pes <= INT32_MAX)
        reason = sl_maestro_nest(&shape, &list, (int32_t)pes, &priced->layer, &priced->mapping);
    if (!reason) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, word, 0, 0, "no loop nest does this on %lld PEs: %s",
                      (long long)pes, reason);
}

SlStatus mapping_read(const Evaluation *eval, const char *word, Priced *priced, SlError *err) {
    if (maestro_is_file(word)) return read_maestro(eval, word, priced, err);
    char *text = NULL;
    size_t n = 0;
    // a pipe is read once
    SlStatus status = sl_file_read(word, SL_TREE_MAX_BYTES, eval->arena, &text, &n, err);
    if (status != SL_OK) return status;
    if (sl_timeloop_looks_like(text, n))
        return sl_timeloop_parse(word, text, n, &priced->layer, &eval->accel, eval->arena,
                                 &priced->mapping, err);
    return sl_mapping_parse_file(word, text, n, eval->arena, &priced->mapping, err);
}

// ---- printing ----

// The PEs of the accelerator if the nest has a list for them, else those that it uses.
static const char *make_list(const Evaluation *eval, const SlMaestroLayer *shape,
                             SlMaestroMapping *list, int32_t *pes) {
    const Priced *priced = eval->layers[0];
    SlMaestroHardware hardware;
    if (!sl_maestro_hardware_of(&eval->accel, &hardware) &&
        !sl_maestro_of_nest(&priced->layer, &priced->mapping, hardware.num_pes, shape, list, pes))
        return NULL;
    return sl_maestro_of_nest(&priced->layer, &priced->mapping, 0, shape, list, pes);
}

// a name that MAESTRO reads as it is
static void clean_name(const char *name, char out[static 64]) {
    SlLayer layer;
    SlMaestroLayer shape;
    sl_layer_init(&layer);
    snprintf(layer.name, sizeof layer.name, "%s", name);
    snprintf(out, 64, "%s", sl_maestro_shape(&layer, &shape) ? "network" : shape.name);
}

static const char *write_maestro(const Evaluation *eval, SlText *out) {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlMaestroNetwork net = {.n_layers = 1, .layers = &shape, .mappings = &list};
    int32_t pes = 0;
    const char *reason = sl_maestro_shape(&eval->layers[0]->layer, &shape);
    if (!reason) reason = make_list(eval, &shape, &list, &pes);
    if (reason) return reason;
    clean_name(eval->net.name, net.name);
    sl_text_add(out, "// for %d PEs: --num-pes %d\n", (int)pes, (int)pes);
    sl_maestro_write(&net, out);
    return NULL;
}

int eval_export(const Call *call, const Evaluation *eval) {
    bool maestro = eval->options->export == EXPORT_MAESTRO;
    const char *form = maestro ? "maestro" : "timeloop";
    const Priced *priced = eval->layers[0];
    if (eval->net.n_layers > 1)
        return call_refuse(
            call, "--export prints one layer, %s has %d; name one of them, such as %s:%s",
            eval->net.name, eval->net.n_layers, eval->net.name, eval->net.layers[0].name);
    SlText text;
    sl_text_init(&text, eval->arena);
    const char *reason =
        maestro ? write_maestro(eval, &text)
                : sl_timeloop_write(&priced->layer, &eval->accel, &priced->mapping, &text);
    if (reason) return call_refuse(call, "--export %s: %s", form, reason);
    if (text.failed) call_no_memory();
    return call_print(call, text.data, text.n, CODE_DONE);
}
