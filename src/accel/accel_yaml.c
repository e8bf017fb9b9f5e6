// accel_yaml.c - accelerators from YAML files (docs/formats/accelerator.md) and by name.
//
// Every reader below takes the node of one value, says at its place what it expected, and fills one
// part of the description; energies are multiplied by energy_unit_pj on the way.
#include "starling/accel.h"

#include <math.h>
#include <string.h>

// in the order of the bits of SlAxis.dims and SlLevel.keep
static const char *const dim_letters[] = {"N", "G", "K", "C", "P", "Q", "R", "S", NULL};
static const char *const tensor_letters[] = {"W", "I", "O", NULL};

// 0 or more, finite, times `unit`
static SlStatus read_amount(const SlNode *node, double unit, double *out, SlError *err) {
    double value;
    SlStatus status = sl_node_real(node, -INFINITY, INFINITY, &value, err);
    if (status != SL_OK) return status;
    *out = value * unit;
    if (value >= 0 && *out < INFINITY) return SL_OK;
    return sl_node_fail(node, err, "%s: expected a finite number of at least 0, got %s", node->key,
                        node->text);
}

// above 0, finite
static SlStatus read_positive(const SlNode *node, double *out, SlError *err) {
    SlStatus status = sl_node_real(node, -INFINITY, INFINITY, out, err);
    if (status != SL_OK) return status;
    if (*out > 0 && *out < INFINITY) return SL_OK;
    return sl_node_fail(node, err, "%s: expected a positive number, got %s", node->key, node->text);
}

// words per cycle: above 0, or infinite where the node is absent or says so
static SlStatus read_rate(const SlNode *node, double *out, SlError *err) {
    *out = INFINITY;
    if (!node) return SL_OK;
    SlStatus status = sl_node_real(node, -INFINITY, INFINITY, out, err);
    if (status != SL_OK || *out > 0) return status;
    return sl_node_fail(node, err,
                        "%s: expected a positive number of words per cycle or inf, got %s",
                        node->key, node->text);
}

static SlStatus read_name(const SlNode *node, size_t room, char *out, SlError *err) {
    SlStatus status = sl_node_copy_text(node, room, out, err);
    if (status != SL_OK || sl_accel_name_ok(out)) return status;
    return sl_node_fail(node, err, "%s: expected letters, digits, '_', '-' or '.', got '%s'",
                        node->key, out);
}

// a list of letters as a mask; all bits where the node is absent
static SlStatus read_mask(const SlNode *node, const char *const *letters, int all, uint8_t *mask,
                          SlError *err) {
    *mask = (uint8_t)all;
    if (!node) return SL_OK;
    SlStatus status = sl_node_expect(node, SL_NODE_LIST, node->key, err);
    if (status != SL_OK) return status;
    if (node->n == 0) return sl_node_fail(node, err, "%s: expected at least one letter", node->key);
    *mask = 0;
    for (const SlNode *item = node->first; item; item = item->next) {
        int bit = 0;
        status = sl_node_choice(item, letters, &bit, err);
        if (status != SL_OK) return status;
        if (*mask >> bit & 1)
            return sl_node_fail(item, err, "%s: %s is there twice", node->key, item->text);
        *mask |= (uint8_t)(1 << bit);
    }
    return SL_OK;
}

// one axis of a fixed grid: {size: 16, spread: [C, R]}
static SlStatus read_axis(const SlNode *map, SlAxis *axis, SlError *err) {
    static const char *const keys[] = {"size", "spread", NULL};
    const SlNode *size = NULL;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, map->key, err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = sl_node_need(map, "size", &size, err);
    if (status == SL_OK) status = sl_node_int(size, 1, SL_MAX_INSTANCES, &axis->size, err);
    if (status != SL_OK) return status;
    if (strlen(map->key) >= sizeof axis->name || !sl_accel_name_ok(map->key)) {
        return sl_fail_at(err, SL_EINPUT, map->file, map->key_line, map->key_column,
                          "expected an axis name of at most %d letters or digits, got '%s'",
                          (int)sizeof axis->name - 1, map->key);
    }
    memcpy(axis->name, map->key, strlen(map->key) + 1);
    return read_mask(sl_node_get(map, "spread"), dim_letters, SL_SPREAD_ALL, &axis->dims, err);
}

static SlStatus read_grid(const SlNode *map, SlFanout *fanout, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "grid", err);
    if (status != SL_OK) return status;
    if (map->n < 1 || map->n > SL_MAX_AXES) {
        return sl_node_fail(map, err, "grid: expected 1 to %d axes, got %d", SL_MAX_AXES, map->n);
    }
    for (const SlNode *axis = map->first; axis && status == SL_OK; axis = axis->next) {
        status = read_axis(axis, &fanout->axes[fanout->n_axes++], err);
    }
    return status;
}

// a flexible fan-out is one axis that all spatial loops share
static SlStatus read_clusters(const SlNode *size, const SlNode *spread, SlFanout *fanout,
                              SlError *err) {
    SlAxis *axis = &fanout->axes[0];
    *axis = (SlAxis){.name = "clusters"};
    fanout->n_axes = 1;
    SlStatus status = sl_node_int(size, 1, SL_MAX_INSTANCES, &axis->size, err);
    if (status != SL_OK) return status;
    return read_mask(spread, dim_letters, SL_SPREAD_ALL, &axis->dims, err);
}

static SlStatus read_flag(const SlNode *node, bool *out, SlError *err) {
    *out = false;
    return node ? sl_node_bool(node, out, err) : SL_OK;
}

static SlStatus read_fanout(const SlNode *map, SlFanout *fanout, SlError *err) {
    static const char *const keys[] = {"clusters",  "spread",    "grid",
                                       "multicast", "reduction", NULL};
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "fanout", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status != SL_OK) return status;

    const SlNode *clusters = sl_node_get(map, "clusters"), *grid = sl_node_get(map, "grid");
    const SlNode *spread = sl_node_get(map, "spread");
    if (!clusters == !grid) {
        return sl_node_fail(map, err,
                            "fanout: expected either 'clusters' (flexible) or 'grid' (fixed axes)");
    }
    if (grid && spread)
        return sl_node_fail(spread, err, "'spread' belongs into each axis of the grid");
    status = grid ? read_grid(grid, fanout, err) : read_clusters(clusters, spread, fanout, err);
    if (status == SL_OK) status = read_flag(sl_node_get(map, "multicast"), &fanout->multicast, err);
    if (status == SL_OK) status = read_flag(sl_node_get(map, "reduction"), &fanout->reduction, err);
    return status;
}

// `energy` for reads and writes alike, or both of them
static SlStatus read_energy(const SlNode *map, double unit, SlLevel *level, SlError *err) {
    const SlNode *both = sl_node_get(map, "energy");
    const SlNode *read = sl_node_get(map, "read"), *write = sl_node_get(map, "write");
    if (both && (read || write)) {
        return sl_node_fail(
            both, err, "'energy' stands for 'read' and 'write': give it alone or give those two");
    }
    if (!both && !(read && write)) {
        return sl_node_fail(map, err, "level %s: expected 'energy' per word, or 'read' and 'write'",
                            level->name);
    }
    SlStatus status = read_amount(both ? both : read, unit, &level->read_pj, err);
    if (status != SL_OK) return status;
    return read_amount(both ? both : write, unit, &level->write_pj, err);
}

static SlStatus read_link(const SlNode *map, double unit, SlLevel *level, SlError *err) {
    static const char *const keys[] = {"words", "energy", NULL};
    level->link_words = INFINITY;
    if (!map) return SL_OK;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "link", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = read_rate(sl_node_get(map, "words"), &level->link_words, err);
    const SlNode *energy = sl_node_get(map, "energy");
    if (status == SL_OK && energy) status = read_amount(energy, unit, &level->link_pj, err);
    return status;
}

// what only levels on chip have
static SlStatus read_chip_level(const SlNode *map, double unit, SlLevel *level, SlError *err) {
    const SlNode *capacity = NULL, *buffering = sl_node_get(map, "buffering");
    const SlNode *area = sl_node_get(map, "area_um2_per_byte"), *line = sl_node_get(map, "line");
    int choice = SL_BUFFER_DOUBLE;
    SlStatus status = sl_node_need(map, "capacity", &capacity, err);
    if (status == SL_OK)
        status = sl_node_bytes(capacity, 1, INT64_MAX, &level->capacity_bytes, err);
    if (status == SL_OK)
        status =
            read_mask(sl_node_get(map, "keep"), tensor_letters, SL_KEEP_ALL, &level->keep, err);
    if (status == SL_OK && buffering)
        status = sl_node_choice(buffering, sl_buffering_names, &choice, err);
    level->buffering = (SlBuffering)choice;
    if (status == SL_OK) status = read_link(sl_node_get(map, "link"), unit, level, err);
    if (status == SL_OK && area) status = read_amount(area, 1, &level->area_um2_per_byte, err);
    if (status == SL_OK && line) status = sl_node_bytes(line, 1, 65536, &level->line_bytes, err);
    return status;
}

// DRAM holds everything and nothing feeds it
static SlStatus read_outer_level(const SlNode *map, SlLevel *level, SlError *err) {
    static const char *const never[] = {"capacity",          "keep", "buffering", "link", "line",
                                        "area_um2_per_byte", NULL};
    for (int i = 0; never[i]; i++) {
        const SlNode *node = sl_node_get(map, never[i]);
        if (node)
            return sl_node_fail(node, err,
                                "the first level is the memory outside: '%s' is for levels on chip",
                                never[i]);
    }
    level->keep = SL_KEEP_ALL;
    level->link_words = INFINITY;
    level->buffering = SL_BUFFER_OVERLAPPED;
    return SL_OK;
}

static SlStatus read_level(const SlNode *map, double unit, int l, SlAccel *accel, SlError *err) {
    static const char *const keys[] = {
        "name", "capacity", "keep", "buffering",         "port",   "link", "energy",
        "read", "write",    "line", "area_um2_per_byte", "fanout", NULL};
    SlLevel *level = &accel->levels[l];
    const SlNode *name = NULL, *fanout = sl_node_get(map, "fanout");
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "a level", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = sl_node_need(map, "name", &name, err);
    if (status == SL_OK) status = read_name(name, sizeof level->name, level->name, err);
    for (int k = 0; k < l && status == SL_OK; k++) {
        if (strcmp(level->name, accel->levels[k].name) != 0) continue;
        status = sl_node_fail(name, err, "a level named '%s' is already above", level->name);
    }
    if (status == SL_OK)
        status =
            l == 0 ? read_outer_level(map, level, err) : read_chip_level(map, unit, level, err);
    if (status == SL_OK) status = read_rate(sl_node_get(map, "port"), &level->port_words, err);
    if (status == SL_OK) status = read_energy(map, unit, level, err);
    if (status == SL_OK && fanout) status = read_fanout(fanout, &accel->fanouts[l], err);
    if (status == SL_OK && sl_accel_instances(accel, l + 1) > SL_MAX_INSTANCES) {
        status = sl_node_fail(fanout, err,
                              "the fan-outs down to here multiply to more than 2^40 instances");
    }
    return status;
}

static SlStatus read_levels(const SlNode *list, double unit, SlAccel *accel, SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "levels", err);
    if (status != SL_OK) return status;
    if (list->n < 2 || list->n > SL_MAX_LEVELS) {
        return sl_node_fail(list, err, "levels: expected 2 to %d, the memory outside first, got %d",
                            SL_MAX_LEVELS, list->n);
    }
    accel->n_levels = list->n;
    const SlNode *level = list->first;
    for (int l = 0; level && status == SL_OK; l++, level = level->next) {
        status = read_level(level, unit, l, accel, err);
    }
    return status;
}

// one number for all three tensors, or {W: 1, I: 1, O: 4}
static SlStatus read_word_bytes(const SlNode *node, double *word_bytes, SlError *err) {
    SlStatus status =
        node->kind == SL_NODE_MAP ? sl_node_check_keys(node, tensor_letters, err) : SL_OK;
    for (int t = 0; t < 3 && status == SL_OK; t++) {
        const SlNode *item = node;
        if (node->kind == SL_NODE_MAP) status = sl_node_need(node, tensor_letters[t], &item, err);
        if (status == SL_OK) status = read_positive(item, &word_bytes[t], err);
    }
    return status;
}

static SlStatus read_mac(const SlNode *map, double unit, SlAccel *accel, SlError *err) {
    static const char *const keys[] = {"energy", "area_um2", NULL};
    const SlNode *energy = NULL, *area = sl_node_get(map, "area_um2");
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "mac", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = sl_node_need(map, "energy", &energy, err);
    if (status == SL_OK) status = read_amount(energy, unit, &accel->mac_pj, err);
    if (status == SL_OK && area) status = read_amount(area, 1, &accel->mac_area_um2, err);
    return status;
}

// free text for people, without line breaks or other control characters
static SlStatus read_line(const SlNode *node, size_t room, char *out, SlError *err) {
    if (!node) return SL_OK;
    SlStatus status = sl_node_copy_text(node, room, out, err);
    for (const char *c = out; status == SL_OK && *c; c++) {
        if ((unsigned char)*c >= ' ' && *c != 0x7F) continue;
        status = sl_node_fail(node, err, "%s: expected one line of text", node->key);
    }
    return status;
}

// name, title and source
static SlStatus read_labels(const SlNode *root, SlAccel *accel, SlError *err) {
    const SlNode *name = NULL, *title = sl_node_get(root, "title");
    const SlNode *source = sl_node_get(root, "source");
    SlStatus status = sl_node_need(root, "accel", &name, err);
    if (status == SL_OK) status = read_name(name, sizeof accel->name, accel->name, err);
    if (status == SL_OK) status = read_line(title, sizeof accel->title, accel->title, err);
    if (status == SL_OK) status = read_line(source, sizeof accel->source, accel->source, err);
    return status;
}

static SlStatus read_accel(const SlNode *root, SlAccel *accel, SlError *err) {
    static const char *const keys[] = {"accel",     "title",      "source",
                                       "clock_mhz", "word_bytes", "energy_unit_pj",
                                       "mac",       "levels",     NULL};
    const SlNode *clock = NULL, *words = NULL, *mac = NULL, *levels = NULL;
    const SlNode *energy_unit = sl_node_get(root, "energy_unit_pj");
    double unit = 1;
    SlStatus status = sl_node_expect(root, SL_NODE_MAP, "an accelerator", err);
    if (status == SL_OK) status = sl_node_check_keys(root, keys, err);
    if (status == SL_OK) status = read_labels(root, accel, err);
    if (status == SL_OK) status = sl_node_need(root, "clock_mhz", &clock, err);
    if (status == SL_OK) status = read_positive(clock, &accel->clock_mhz, err);
    if (status == SL_OK) status = sl_node_need(root, "word_bytes", &words, err);
    if (status == SL_OK) status = read_word_bytes(words, accel->word_bytes, err);
    if (status == SL_OK && energy_unit) status = read_positive(energy_unit, &unit, err);
    if (status == SL_OK) status = sl_node_need(root, "mac", &mac, err);
    if (status == SL_OK) status = read_mac(mac, unit, accel, err);
    if (status == SL_OK) status = sl_node_need(root, "levels", &levels, err);
    if (status == SL_OK) status = read_levels(levels, unit, accel, err);
    const char *why = status == SL_OK ? sl_accel_check(accel) : NULL;
    return why ? sl_node_fail(root, err, "%s", why) : status;
}

// `accel` is written only when all of the tree was good
static SlStatus finish(const SlNode *root, SlAccel *accel, SlError *err) {
    SlAccel fresh = {.n_levels = 0};
    SlStatus status = read_accel(root, &fresh, err);
    if (status == SL_OK) *accel = fresh;
    return status;
}

SlStatus sl_accel_read(const char *path, SlArena *scratch, SlAccel *accel, SlError *err) {
    size_t mark = sl_arena_mark(scratch);
    const SlNode *root = NULL;
    SlStatus status = sl_tree_read(path, scratch, &root, err);
    if (status == SL_OK) status = finish(root, accel, err);
    sl_arena_rewind(scratch, mark);
    return status;
}

SlStatus sl_accel_parse(const char *name, const char *text, size_t n, SlArena *scratch,
                        SlAccel *accel, SlError *err) {
    size_t mark = sl_arena_mark(scratch);
    const SlNode *root = NULL;
    SlStatus status = sl_tree_parse(name, text, n, scratch, &root, err);
    if (status == SL_OK) status = finish(root, accel, err);
    sl_arena_rewind(scratch, mark);
    return status;
}
