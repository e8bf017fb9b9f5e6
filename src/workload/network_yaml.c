// network_yaml.c - a network from YAML or JSON, docs/formats/network.md.
#include <stdio.h>
#include <string.h>

#include "layer_keys.h"
#include "network_build.h"
#include "transformer.h"

enum { PREFIX_ROOM = SL_NAME_ROOM };

static bool is_block(const SlNode *node) {
    return sl_node_get(node, "repeat") || sl_node_get(node, "layers");
}

// put the place of a key, or of its value, on an error
static SlStatus at_key(const SlNode *node, SlStatus status, SlError *err) {
    return sl_error_place(err, status, node->file, node->key_line, node->key_column);
}

static SlStatus at_value(const SlNode *node, SlStatus status, SlError *err) {
    return sl_error_place(err, status, node->file, node->line, node->column);
}

// ---- one layer ----

// [2, 1]
static SlStatus put_list(SlLayerDraft *draft, const SlLayerKey *key, const SlNode *list,
                         SlError *err) {
    int64_t values[SL_KEY_MAX_PARTS];
    int n = 0;
    for (const SlNode *item = list->first; item && n < SL_KEY_MAX_PARTS; item = item->next) {
        SlStatus status = sl_node_int(item, key->lo, key->hi, &values[n++], err);
        if (status != SL_OK) return status;
    }
    SlStatus status = list->n <= SL_KEY_MAX_PARTS
                          ? sl_draft_put(draft, key, n, values, err)
                          : sl_fail(err, SL_EINPUT, "%s: too many numbers", key->name);
    return status == SL_OK ? SL_OK : at_value(list, status, err);
}

// 64, 2x1, [2, 1], or a name
static SlStatus put_value(SlLayerDraft *draft, const SlLayerKey *key, const SlNode *node,
                          SlError *err) {
    if (node->kind == SL_NODE_LIST && sl_key_parts(key) > 1) return put_list(draft, key, node, err);
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, key->name, err);
    if (status != SL_OK) return status;
    bool as_text = key->kind == SL_KEY_NAME || (sl_key_parts(key) > 1 && strchr(node->text, 'x'));
    if (as_text) {
        status = sl_draft_put_text(draft, key, node->text, err);
        return status == SL_OK ? SL_OK : at_value(node, status, err);
    }
    int64_t value = 0;
    status = sl_node_int(node, key->lo, key->hi, &value, err);
    return status == SL_OK ? sl_draft_put(draft, key, 1, &value, err) : status;
}

static SlStatus read_layer(const SlNode *map, SlLayer *layer, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "a layer", err);
    if (status != SL_OK) return status;
    const SlNode *type = NULL;
    if ((status = sl_node_need(map, "type", &type, err)) != SL_OK) return status;
    if ((status = sl_node_expect(type, SL_NODE_SCALAR, "type", err)) != SL_OK) return status;
    SlLayerDraft draft;
    status = sl_draft_init(&draft, type->text, err);
    if (status != SL_OK) return at_value(type, status, err);

    for (const SlNode *node = map->first; node; node = node->next) {
        if (node == type) continue;
        const SlLayerKey *key = NULL;
        status = sl_draft_key(&draft, node->key, &key, err);
        if (status != SL_OK) return at_key(node, status, err);
        if ((status = put_value(&draft, key, node, err)) != SL_OK) return status;
    }
    status = sl_draft_finish(&draft, layer, err);
    return status == SL_OK ? SL_OK : at_value(map, status, err);
}

// ---- lists and blocks ----

static SlStatus count_layers(const SlNode *list, int64_t *n, SlError *err);

// layers of a block, checked on the way: repetitions times layers
static SlStatus count_block(const SlNode *block, int64_t *n, SlError *err) {
    static const char *const keys[] = {"repeat", "prefix", "layers", NULL};
    const SlNode *repeat = NULL, *layers = NULL;
    int64_t times = 0, inside = 0;
    SlStatus status = sl_node_check_keys(block, keys, err);
    if (status == SL_OK) status = sl_node_need(block, "repeat", &repeat, err);
    if (status == SL_OK) status = sl_node_need(block, "layers", &layers, err);
    if (status == SL_OK) status = sl_node_int(repeat, 1, SL_NETWORK_MAX_LAYERS, &times, err);
    if (status == SL_OK) status = count_layers(layers, &inside, err);
    *n = times * inside;
    return status;
}

// layers of a list with its blocks unrolled, 1 to SL_NETWORK_MAX_LAYERS
static SlStatus count_layers(const SlNode *list, int64_t *n, SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "layers", err);
    if (status != SL_OK) return status;
    if (!list->n) return sl_node_fail(list, err, "layers: expected at least one layer");
    *n = 0;
    for (const SlNode *node = list->first; node; node = node->next) {
        int64_t more = 1;
        if (is_block(node) && (status = count_block(node, &more, err)) != SL_OK) return status;
        *n += more;
        if (*n > SL_NETWORK_MAX_LAYERS)
            return sl_node_fail(node, err, "a network has at most %d layers",
                                SL_NETWORK_MAX_LAYERS);
    }
    return SL_OK;
}

static SlStatus add_layer(SlNetworkBuilder *builder, const SlNode *node, const char *prefix,
                          SlError *err) {
    SlLayer layer;
    SlStatus status = read_layer(node, &layer, err);
    if (status != SL_OK) return status;
    const SlNode *named = sl_node_get(node, "name");
    if (named) {
        char name[2 * PREFIX_ROOM];
        snprintf(name, sizeof name, "%s%.63s", prefix, layer.name);
        if (strlen(name) >= SL_NAME_ROOM)
            return sl_node_fail(named, err, "name '%s': a name has at most 63 bytes", name);
        memcpy(layer.name, name, strlen(name) + 1);
    }
    status = sl_builder_add(builder, &layer, err);
    return status == SL_OK ? SL_OK : at_value(named ? named : node, status, err);
}

static SlStatus add_list(SlNetworkBuilder *builder, const SlNode *list, const char *prefix,
                         SlError *err);

// the layers of a counted block once for each repetition, as <prefix>1_..., <prefix>2_...
static SlStatus add_block(SlNetworkBuilder *builder, const SlNode *block, const char *prefix,
                          SlError *err) {
    int64_t times = 0;
    SlStatus status =
        sl_node_int(sl_node_get(block, "repeat"), 1, SL_NETWORK_MAX_LAYERS, &times, err);
    if (status != SL_OK) return status;
    char word[PREFIX_ROOM] = "block";
    const SlNode *named = sl_node_get(block, "prefix");
    if (named && (status = sl_node_copy_text(named, sizeof word, word, err)) != SL_OK)
        return status;
    const char *reason = named ? sl_name_check(word) : NULL;
    if (reason) return sl_node_fail(named, err, "prefix '%s': %s", word, reason);

    for (int64_t i = 1; i <= times; i++) {
        char longer[2 * PREFIX_ROOM + 32];
        int n = snprintf(longer, sizeof longer, "%s%s%d_", prefix, word, (int)i);
        if (n >= PREFIX_ROOM)
            return sl_node_fail(block, err, "the prefix '%s' leaves no space for names", longer);
        status = add_list(builder, sl_node_get(block, "layers"), longer, err);
        if (status != SL_OK) return status;
    }
    return SL_OK;
}

static SlStatus add_list(SlNetworkBuilder *builder, const SlNode *list, const char *prefix,
                         SlError *err) {
    for (const SlNode *node = list->first; node; node = node->next) {
        SlStatus status = is_block(node) ? add_block(builder, node, prefix, err)
                                         : add_layer(builder, node, prefix, err);
        if (status != SL_OK) return status;
    }
    return SL_OK;
}

// ---- the document ----

// {macs: 1814073344, params: 11689512, other_params: 10600}
static SlStatus read_published(const SlNode *map, SlNetwork *net, SlError *err) {
    static const char *const keys[] = {"macs", "params", "other_params", NULL};
    int64_t *const fields[] = {&net->published_macs, &net->published_params, &net->other_params};
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "published", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    for (int i = 0; keys[i] && status == SL_OK; i++) {
        const SlNode *node = sl_node_get(map, keys[i]);
        if (node) status = sl_node_int(node, 0, SL_MACS_LIMIT - 1, fields[i], err);
    }
    return status;
}

// the text of an optional key
static SlStatus copy_text(const SlNode *map, const char *key, size_t room, char *out,
                          SlError *err) {
    const SlNode *node = sl_node_get(map, key);
    return node ? sl_node_copy_text(node, room, out, err) : SL_OK;
}

// everything of a network document but its layers
static SlStatus read_heading(const SlNode *root, SlNetwork *net, SlError *err) {
    static const char *const keys[] = {"network",     "title",  "source", "published",
                                       "transformer", "layers", NULL};
    SlStatus status = sl_node_check_keys(root, keys, err);
    if (status == SL_OK) status = copy_text(root, "network", sizeof net->name, net->name, err);
    if (status == SL_OK) status = copy_text(root, "title", sizeof net->title, net->title, err);
    if (status == SL_OK) status = copy_text(root, "source", sizeof net->source, net->source, err);
    if (status != SL_OK) return status;
    const char *reason = sl_name_check(net->name);
    if (reason)
        return sl_node_fail(sl_node_get(root, "network"), err, "network '%s': %s", net->name,
                            reason);
    const SlNode *published = sl_node_get(root, "published");
    return published ? read_published(published, net, err) : SL_OK;
}

// `transformer` in place of `layers`
static SlStatus read_transformer(const SlNode *root, const SlNetworkText *in, SlArena *arena,
                                 SlNetwork *net, SlError *err) {
    const SlNode *node = sl_node_get(root, "transformer");
    SlTransformer model;
    if (sl_node_get(root, "layers"))
        return sl_node_fail(node, err, "a network has layers or a transformer, not both");
    SlStatus status = sl_transformer_read(node, &model, err);
    return status == SL_OK ? sl_transformer_build(&model, in, arena, net, err) : status;
}

// a file that holds a single layer
static SlStatus read_single(const SlNode *root, const SlNetworkText *in, SlArena *arena,
                            SlNetwork *net, SlError *err) {
    SlNetworkBuilder builder;
    SlStatus status = sl_builder_init(&builder, 1, arena, in->scratch, net, err);
    return status == SL_OK ? add_layer(&builder, root, "", err) : status;
}

SlStatus sl_network_from_yaml(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                              SlError *err) {
    const SlNode *root = NULL, *list = NULL;
    SlStatus status = sl_tree_parse(in->name, in->text, in->n, in->scratch, &root, err);
    if (status != SL_OK) return status;
    if (root->kind == SL_NODE_SCALAR)
        return sl_node_fail(root, err, "expected a network, a list of layers or a layer");
    if (sl_node_get(root, "type")) return read_single(root, in, arena, net, err);
    list = root;
    if (root->kind == SL_NODE_MAP) {
        if ((status = read_heading(root, net, err)) != SL_OK) return status;
        if (sl_node_get(root, "transformer")) return read_transformer(root, in, arena, net, err);
        if ((status = sl_node_need(root, "layers", &list, err)) != SL_OK) return status;
    }
    int64_t n = 0;
    SlNetworkBuilder builder;
    if ((status = count_layers(list, &n, err)) != SL_OK) return status;
    status = sl_builder_init(&builder, (int)n, arena, in->scratch, net, err);
    return status == SL_OK ? add_list(&builder, list, "", err) : status;
}
