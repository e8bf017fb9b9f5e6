// study_plan_layers.c - the layers of a plan: named ones, inline ones, the distinct ones of whole
// networks.
#include <stdio.h>
#include <string.h>

#include "study_plan_inside.h"

SlStatus sl_plan_fail_inside(const SlNode *node, SlStatus status, const SlError *inside,
                             SlError *err) {
    if (status == SL_EINPUT && !inside->file[0]) return sl_node_fail(node, err, "%s", inside->text);
    if (err) *err = *inside;
    return status;
}

// ---- entries ----

// "vgg16:conv2_1", or {small: "conv:K=16,..."}: the name given and the selector
static SlStatus read_entry(const SlNode *node, const char *key, const char **name,
                           const SlNode **selector, SlError *err) {
    *name = NULL;
    *selector = node;
    if (node->kind == SL_NODE_MAP) {
        if (node->n != 1)
            return sl_node_fail(node, err, "%s: expected one NAME: LAYER per entry, got %d", key,
                                node->n);
        *selector = node->first;
        if (strlen(node->first->key) >= 64 || !node->first->key[0])
            return sl_node_fail(node, err, "%s: expected a name of 1 to 63 bytes", key);
        *name = node->first->key;
    }
    const char *text = NULL;
    if ((*selector)->kind != SL_NODE_SCALAR)
        return sl_node_fail(*selector, err, "%s: expected a network, a layer or NAME: LAYER", key);
    // an inline layer may be longer than a label
    if (node->kind == SL_NODE_MAP || strlen(node->text) >= SL_PLAN_LABEL_ROOM) return SL_OK;
    return sl_plan_label(node, key, &text, err);
}

static bool is_inline(const SlNetwork *net) {
    return strcmp(net->name, "inline") == 0 && net->n_layers == 1;
}

// what a layer is called: its own name, the text of an inline layer, NETWORK:LAYER
static const char *label_of(const SlNetwork *net, int i, const char *name, const char *selector,
                            SlArena *arena) {
    char label[SL_LAYER_NAME + SL_PLAN_LABEL_ROOM];
    const SlLayer *layer = &net->layers[i];
    bool named = strcmp(layer->name, sl_layer_type_names[layer->type]) != 0;
    if (name && net->n_layers == 1)
        snprintf(label, sizeof label, "%s", name);
    else if (is_inline(net))
        snprintf(label, sizeof label, "%s", named ? layer->name : selector);
    else
        snprintf(label, sizeof label, "%s:%s", name ? name : net->name, layer->name);
    return sl_arena_text(arena, label, strlen(label));
}

// the layer without its name: its text names the random numbers too
static const char *inline_text(const SlLayer *layer, SlArena *arena) {
    char text[384];
    SlLayer nameless = *layer;
    nameless.name[0] = '\0';
    sl_layer_write(&nameless, sizeof text, text);
    return sl_arena_text(arena, text, strlen(text));
}

// One entry of a list and what it stands for.
typedef struct {
    const SlNode *node, *selector;
    const char *name; // NULL = none of its own
    SlNetwork net;
} Entry;

static SlStatus read_entries(SlPlanReader *reader, const SlNode *list, const char *key,
                             int64_t batch, Entry **entries, int *n_layers, SlError *err) {
    SlStatus status = sl_plan_list(list, key, SL_PLAN_MAX_ENTRIES, err);
    if (status != SL_OK) return status;
    Entry *entry = *entries = SL_NEW(reader->arena, list->n, Entry);
    if (!entry) return sl_plan_no_memory(err);
    for (const SlNode *node = list->first; node; node = node->next, entry++) {
        SlError inside = {0};
        entry->node = node;
        status = read_entry(node, key, &entry->name, &entry->selector, err);
        if (status != SL_OK) return status;
        status =
            sl_workload_find(entry->selector->text, batch, reader->arena, &entry->net, &inside);
        if (status != SL_OK) return sl_plan_fail_inside(entry->selector, status, &inside, err);
        *n_layers += entry->net.n_layers;
    }
    return SL_OK;
}

static SlStatus add_layer(const Entry *entry, int i, SlArena *arena, SlPlanLayers *out) {
    const SlNetwork *net = &entry->net;
    SlPlanLayer *layer = &out->layers[out->n++];
    *layer = (SlPlanLayer){.label = label_of(net, i, entry->name, entry->selector->text, arena),
                           .entry = entry->name ? entry->name : entry->selector->text,
                           .node = entry->node,
                           .layer = &net->layers[i],
                           .text = inline_text(&net->layers[i], arena)};
    return layer->label && layer->text ? SL_OK : SL_ENOMEM;
}

// the distinct layers of one entry behind those that are there
static SlStatus add_layers(const Entry *entry, SlArena *arena, SlPlanLayers *out) {
    const SlNetwork *net = &entry->net;
    int *first = SL_NEW(arena, net->n_layers, int);
    if (!first) return SL_ENOMEM;
    sl_network_distinct(net, first);
    for (int i = 0; i < net->n_layers; i++) {
        if (first[i] != i) continue;
        if (add_layer(entry, i, arena, out) != SL_OK) return SL_ENOMEM;
        for (int j = i; j < net->n_layers; j++) out->layers[out->n - 1].count += first[j] == i;
    }
    return SL_OK;
}

// ---- networks ----

static int find_same(const SlPlanLayers *layers, const SlLayer *layer) {
    for (int i = 0; i < layers->n; i++)
        if (sl_layer_same(layers->layers[i].layer, layer)) return i;
    return -1;
}

// what the host computes: layers that are no convolutions, those of an image's few channels
static bool is_left(const SlPlanReader *reader, const SlLayer *layer) {
    bool linear = layer->type == SL_LINEAR || layer->type == SL_GEMM || layer->type == SL_BMM;
    return (reader->host_linear && linear) ||
           (reader->host_stem && layer->dims[SL_C] * layer->dims[SL_G] < 4);
}

// a network as multiples of the plan's layers; those that no other has come to them
static SlStatus add_network(const SlPlanReader *reader, const Entry *entry, SlPlanLayers *out) {
    SlPlanShare *share = &out->shares[out->n_shares++];
    *share = (SlPlanShare){.name = entry->name ? entry->name : entry->net.name,
                           .node = entry->node,
                           .n_layers = entry->net.n_layers,
                           .counts = SL_NEW(reader->arena, out->room, int)};
    if (!share->counts) return SL_ENOMEM;
    for (int i = 0; i < entry->net.n_layers; i++) {
        const SlLayer *layer = &entry->net.layers[i];
        if (is_left(reader, layer)) {
            share->n_host++;
            continue;
        }
        int at = find_same(out, layer);
        if (at < 0) {
            at = out->n;
            if (add_layer(entry, i, reader->arena, out) != SL_OK) return SL_ENOMEM;
        }
        share->counts[at]++;
        out->layers[at].count++;
    }
    return SL_OK;
}

static SlStatus check_networks(const SlPlanLayers *layers, SlError *err) {
    for (int i = 0; i < layers->n_shares; i++) {
        const SlPlanShare *share = &layers->shares[i];
        if (share->n_host == share->n_layers)
            return sl_node_fail(share->node, err, "networks: '%s' has no layer for the target",
                                share->name);
        for (int j = 0; j < i; j++) {
            if (strcmp(share->name, layers->shares[j].name) == 0)
                return sl_node_fail(share->node, err, "networks: '%s' stands here twice",
                                    share->name);
        }
    }
    return SL_OK;
}

// ---- all of them ----

static SlStatus check_labels(const SlPlanLayers *layers, SlError *err) {
    for (int i = 0; i < layers->n; i++) {
        const SlPlanLayer *layer = &layers->layers[i];
        for (const char *c = layer->label; *c; c++) {
            if ((unsigned char)*c < ' ' || *c == 0x7F)
                return sl_node_fail(layer->node, err, "layers: expected names without line breaks");
        }
        for (int j = 0; j < i; j++) {
            if (strcmp(layer->label, layers->layers[j].label) == 0)
                return sl_node_fail(layer->node, err,
                                    "layers: '%s' stands here twice; give one of them a name of "
                                    "its own, NAME: LAYER",
                                    layer->label);
        }
    }
    return SL_OK;
}

SlStatus sl_plan_read_layers(SlPlanReader *reader, const SlNode *list, const SlNode *networks,
                             int64_t batch, SlPlanLayers *out, SlError *err) {
    Entry *named = NULL, *whole = NULL;
    *out = (SlPlanLayers){0};
    SlStatus status = SL_OK;
    if (list) status = read_entries(reader, list, "layers", batch, &named, &out->room, err);
    if (status == SL_OK && networks)
        status = read_entries(reader, networks, "networks", batch, &whole, &out->room, err);
    if (status != SL_OK) return status;
    if (out->room > SL_PLAN_MAX_TASKS)
        return sl_node_fail(list ? list : networks, err, "layers: expected at most %d, got %d",
                            SL_PLAN_MAX_TASKS, out->room);
    out->layers = SL_NEW(reader->arena, out->room, SlPlanLayer);
    out->shares = SL_NEW(reader->arena, networks ? networks->n : 0, SlPlanShare);
    if (!out->layers || !out->shares) return sl_plan_no_memory(err);
    for (int i = 0; list && i < list->n && status == SL_OK; i++)
        status = add_layers(&named[i], reader->arena, out);
    for (int i = 0; networks && i < networks->n && status == SL_OK; i++)
        status = add_network(reader, &whole[i], out);
    if (status != SL_OK) return sl_plan_no_memory(err);
    status = check_networks(out, err);
    return status == SL_OK ? check_labels(out, err) : status;
}

SlStatus sl_plan_layer_names(const SlPlanLayers *layers, SlArena *arena, SlPlanNames *names,
                             SlError *err) {
    const char **labels = SL_NEW(arena, layers->n + 1, const char *);
    const char **entries = SL_NEW(arena, layers->n + 1, const char *);
    if (!labels || !entries) return sl_plan_no_memory(err);
    for (int i = 0; i < layers->n; i++) {
        labels[i] = layers->layers[i].label;
        entries[i] = layers->layers[i].entry;
    }
    *names = (SlPlanNames){layers->n, labels, entries, "layer"};
    return SL_OK;
}
