// timeloop_problem.c - is the problem of a Timeloop document the layer at hand?
#include <string.h>

#include "timeloop_inside.h"

// the order of the dims, by which permutations are filled up
static SlStatus read_order(const SlNode *shape, SlTimeloopDims *dims, SlError *err) {
    const SlNode *list = sl_node_get(shape, "dimensions");
    if (!list) return SL_OK;
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "dimensions", err);
    for (const SlNode *item = list->first; item && status == SL_OK; item = item->next) {
        status = sl_node_expect(item, SL_NODE_SCALAR, "dimension", err);
        if (status != SL_OK) break;
        int d = item->text[0] && !item->text[1] ? sl_timeloop_dim(dims, item->text[0]) : -1;
        for (int i = 0; i < dims->n_order; i++)
            if (dims->order[i] == d) d = -1;
        if (d < 0)
            return sl_node_fail(item, err,
                                "unknown or repeated dim '%.20s', expected some of N G K C P Q R S "
                                "(or M for K, not both)",
                                item->text);
        dims->order[dims->n_order++] = (uint8_t)d;
    }
    return status;
}

// the number of the layer that a key of the instance names; false = not a number of ours
static bool find_number(const SlLayer *layer, const char *key, SlTimeloopDims *dims, int64_t *want,
                        int *dim) {
    const struct {
        const char *key;
        int64_t value;
    } others[] = {{"Wstride", layer->stride[0]},
                  {"Hstride", layer->stride[1]},
                  {"Wdilation", layer->dilation[0]},
                  {"Hdilation", layer->dilation[1]}};
    *dim = key[0] && !key[1] ? sl_timeloop_dim(dims, key[0]) : -1;
    if (*dim >= 0) {
        *want = layer->dims[*dim];
        return true;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(key, others[i].key) != 0) continue;
        *want = others[i].value;
        return true;
    }
    return false;
}

// what the instance may say besides: sizes and pads that follow or do not count
static SlStatus check_other(const SlNode *node, SlError *err) {
    static const char *const ignored[] = {"H", "W", "Hpad", "Wpad", "name", "densities", NULL};
    for (int i = 0; ignored[i]; i++)
        if (strcmp(node->key, ignored[i]) == 0) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, node->file, node->key_line, node->key_column,
                      "unknown key '%.40s', expected dims (N G K C P Q R S, or M for K), Wstride, "
                      "Hstride, Wdilation or Hdilation",
                      node->key);
}

static SlStatus check_instance(const SlNode *instance, const SlLayer *layer, SlTimeloopDims *dims,
                               SlError *err) {
    int given = 0;
    for (const SlNode *node = instance->first; node; node = node->next) {
        int64_t want = 0, value = 0;
        int dim = -1;
        SlStatus status = SL_OK;
        if (!find_number(layer, node->key, dims, &want, &dim))
            status = check_other(node, err);
        else
            status = sl_node_int(node, 1, SL_MACS_LIMIT, &value, err);
        if (status != SL_OK) return status;
        if (value != want)
            return sl_node_fail(node, err, "the problem has %s=%lld, the layer %lld", node->key,
                                (long long)value, (long long)want);
        if (dim >= 0) given |= 1 << dim;
    }
    for (int d = 0; d < SL_N_DIMS; d++)
        if (!(given >> d & 1) && layer->dims[d] != 1)
            return sl_node_fail(instance, err, "the problem has no %s, the layer has %s=%lld",
                                sl_dim_names[d], sl_dim_names[d], (long long)layer->dims[d]);
    return SL_OK;
}

SlStatus sl_timeloop_problem(const SlNode *problem, const SlLayer *layer, SlTimeloopDims *dims,
                             SlError *err) {
    const SlNode *instance = NULL, *shape = sl_node_get(problem, "shape");
    SlStatus status = sl_node_expect(problem, SL_NODE_MAP, "problem", err);
    if (status == SL_OK && shape) status = read_order(shape, dims, err);
    if (status == SL_OK) status = sl_node_need(problem, "instance", &instance, err);
    if (status == SL_OK) status = sl_node_expect(instance, SL_NODE_MAP, "instance", err);
    return status == SL_OK ? check_instance(instance, layer, dims, err) : status;
}
