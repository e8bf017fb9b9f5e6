// network_onnx.c - a network from an ONNX file, docs/formats/onnx.md. The file is mapped into
// memory: what weights hold is never read, and files of weights beside it are never opened.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "network_build.h"
#include "onnx_graph.h"

// ---- what the walk begins with ----

static int count_names(const SlOnnxModel *model) {
    int n = model->n_data + model->n_inputs;
    for (int i = 0; i < model->n_nodes; i++)
        n += model->nodes[i].n_inputs + model->nodes[i].n_outputs;
    return n;
}

static SlStatus add_constants(SlOnnxRun *run) {
    for (int i = 0; i < run->model->n_data; i++) {
        const SlOnnxData *data = &run->model->data[i];
        SlOnnxTensor *tensor = sl_onnx_tensor(run, data->name);
        if (!tensor) return sl_fail(run->err, SL_ENOMEM, "%s", run->failed);
        tensor->made = tensor->weight = true;
        tensor->known = sl_onnx_product(data->rank, data->dims) < INT64_C(1) << 62;
        tensor->why = tensor->known ? NULL : "a constant has 2^62 elements or more";
        tensor->elem = data->elem;
        tensor->rank = data->rank;
        tensor->dims = data->dims;
        tensor->data = data;
    }
    return SL_OK;
}

// ---- what comes of it ----

// append under its own name, or the first free of NAME~2, NAME~3, ...: nodes may repeat names
static SlStatus add_layer(SlNetworkBuilder *builder, SlLayer *layer, SlError *err) {
    size_t n = strlen(layer->name);
    SlStatus status = sl_builder_add(builder, layer, err);
    for (int copy = 2; status == SL_EINPUT && copy <= SL_NETWORK_MAX_LAYERS + 1; copy++) {
        snprintf(layer->name + n, sizeof layer->name - n, "~%d", copy);
        status = sl_builder_add(builder, layer, err);
    }
    return status;
}

static SlStatus keep_layers(const SlOnnxRun *run, SlArena *arena, SlNetwork *net) {
    SlNetworkBuilder builder;
    SlStatus status = sl_builder_init(&builder, run->n_layers, arena, run->arena, net, run->err);
    for (int i = 0; i < run->n_layers && status == SL_OK; i++)
        status = add_layer(&builder, &run->layers[i], run->err);
    return status;
}

static SlStatus keep_skipped(const SlOnnxRun *run, SlArena *arena, SlNetwork *net) {
    const char **skipped = SL_NEW(arena, run->n_skipped, const char *);
    for (int i = 0; i < run->n_skipped && skipped; i++) {
        skipped[i] = sl_arena_text(arena, run->skipped[i], strlen(run->skipped[i]));
        if (!skipped[i]) skipped = NULL;
    }
    if (!skipped) return sl_fail(run->err, SL_ENOMEM, "not enough memory for skipped nodes");
    net->n_skipped = run->n_skipped;
    net->skipped = skipped;
    return SL_OK;
}

// a batch that no open size is called by multiplies all layers
static SlStatus take_batch(const SlOnnxRun *run, SlAsked *asked) {
    asked->taken = true;
    if (!run->batch) return SL_OK;
    if (asked->batch != 1) return sl_batch_twice(run->batch, asked->batch, run->err);
    asked->batch = run->batch;
    return SL_OK;
}

SlStatus sl_network_from_onnx(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                              SlError *err) {
    SlOnnxModel model;
    SlOnnxRun run = {.model = &model,
                     .arena = in->scratch,
                     .err = err,
                     .skip_unsupported = in->asked->skip_unsupported};
    const SlBytes bytes = {(const uint8_t *)in->text, in->n};
    SlStatus status = sl_onnx_model_read(in->name, bytes, in->scratch, &model, err);
    if (status != SL_OK) return status;
    run.scope = sl_onnx_scope(&run, count_names(&model));
    if (!run.scope) return sl_fail(err, SL_ENOMEM, "not enough memory for the graph");
    status = add_constants(&run);
    if (status == SL_OK) status = sl_onnx_sizes_parse(&run, in->asked->selector, true);
    if (status == SL_OK) status = sl_onnx_sizes_parse(&run, in->asked->sizes, false);
    if (status == SL_OK) status = sl_onnx_bind(&run);
    if (status == SL_OK) status = take_batch(&run, in->asked);
    if (status == SL_OK) status = sl_onnx_walk(&run);
    if (status == SL_OK && !run.n_layers)
        return sl_fail_at(err, SL_EINPUT, in->name, 0, 0,
                          "expected at least one node with multiply-accumulates%s",
                          run.n_skipped ? ", all of them are left out" : "");
    if (status == SL_OK) status = keep_layers(&run, arena, net);
    return status == SL_OK ? keep_skipped(&run, arena, net) : status;
}

// ---- the file ----

static SlStatus fail_file(const char *path, const char *verb, SlError *err) {
    char reason[128] = "unknown reason";
    int code = errno;
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
    return sl_fail_at(err, SL_EINPUT, path, 0, 0, "cannot %s: %s", verb, reason);
}

static SlStatus map_file(const char *path, void **bytes, size_t *n, SlError *err) {
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *bytes = MAP_FAILED;
    if (fd < 0) return fail_file(path, "open", err);
    SlStatus status = SL_OK;
    if (fstat(fd, &info) != 0)
        status = fail_file(path, "read", err);
    else if (!S_ISREG(info.st_mode))
        status = sl_fail_at(err, SL_EINPUT, path, 0, 0, "expected a regular file");
    else if (info.st_size <= 0 || (uintmax_t)info.st_size > SIZE_MAX)
        status =
            sl_fail_at(err, SL_EINPUT, path, 0, 0, "expected an ONNX model: the file is empty");
    *n = status == SL_OK ? (size_t)info.st_size : 0;
    if (status == SL_OK) *bytes = mmap(NULL, *n, PROT_READ, MAP_PRIVATE, fd, 0);
    if (status == SL_OK && *bytes == MAP_FAILED) status = fail_file(path, "read", err);
    close(fd);
    return status;
}

SlStatus sl_network_map_onnx(const char *path, SlAsked *asked, SlArena *arena, SlNetwork *net,
                             SlError *err) {
    SlArena scratch;
    void *bytes = NULL;
    size_t n = 0;
    SlStatus status = map_file(path, &bytes, &n, err);
    if (status != SL_OK) return status;
    sl_arena_init(&scratch, arena->limit);
    const SlNetworkText in = {path, bytes, n, &scratch, asked};
    status = sl_network_from_onnx(&in, arena, net, err);
    sl_arena_free(&scratch);
    munmap(bytes, n);
    return status;
}
