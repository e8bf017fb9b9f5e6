// timeloop_order.c - which targets of a Timeloop mapping are storage levels, and in which order.
//
// The architecture of the document says it, or the accelerator and the order of the entries do.
#include <string.h>
#include <strings.h>

#include "timeloop_inside.h"

SlTarget *sl_timeloop_find(SlTargets *r, const char *name) {
    for (int i = 0; i < r->n; i++)
        if (strcmp(r->list[i].name, name) == 0) return &r->list[i];
    return NULL;
}

static bool has_word(const char *text, const char *word) {
    for (size_t n = strlen(word); *text; text++)
        if (strncasecmp(text, word, n) == 0) return true;
    return false;
}

// the level of the accelerator with this name, -1 = none
static int level_of(const SlAccel *accel, const char *target) {
    for (int l = 0; l < accel->n_levels; l++) {
        char name[SL_TIMELOOP_NAME];
        sl_timeloop_name(accel->levels[l].name, name);
        if (strcasecmp(name, target) == 0 || strcasecmp(accel->levels[l].name, target) == 0)
            return l;
    }
    return -1;
}

static int64_t mesh_of(const SlNode *node) {
    int64_t mesh = 1, size;
    for (const SlNode *axis = node ? node->first : NULL; axis; axis = axis->next)
        if (sl_node_int(axis, 1, SL_MAX_INSTANCES, &size, NULL) == SL_OK && size > 1) mesh = size;
    return mesh;
}

// take the nodes of an architecture in order; those the mapping speaks of come into `sorted`
static SlStatus take_nodes(SlTargets *r, const SlNode *nodes, int *n, SlTarget *sorted) {
    SlStatus status = sl_node_expect(nodes, SL_NODE_LIST, "nodes", r->err);
    for (const SlNode *node = nodes->first; node && status == SL_OK; node = node->next) {
        status = sl_node_expect(node, SL_NODE_MAP, "node of the architecture", r->err);
        const SlNode *name = sl_node_get(node, "name"), *kind = sl_node_get(node, "class");
        if (status == SL_OK && sl_node_get(node, "nodes"))
            status = take_nodes(r, sl_node_get(node, "nodes"), n, sorted);
        SlTarget *target =
            name && name->kind == SL_NODE_SCALAR ? sl_timeloop_find(r, name->text) : NULL;
        if (!target || !target->place || status != SL_OK) continue;
        target->storage = kind && kind->kind == SL_NODE_SCALAR && !has_word(kind->text, "dummy");
        target->spread_above = target->storage && mesh_of(sl_node_get(node, "spatial")) > 1;
        const SlNode *rules = sl_node_get(node, "constraints");
        const SlNode *keep = rules ? sl_node_get(rules, "dataspace") : NULL;
        if (keep && !target->entries[SL_ENTRY_KEEP])
            status = sl_timeloop_keep(keep, &target->keep, r->err);
        sorted[(*n)++] = *target;
        target->place = NULL; // taken
    }
    return status;
}

static SlStatus order_by_nodes(SlTargets *r, const SlNode *nodes) {
    SlTarget sorted[SL_TIMELOOP_NODES];
    int n = 0;
    SlStatus status = take_nodes(r, nodes, &n, sorted);
    for (int i = 0; i < r->n && status == SL_OK; i++)
        if (r->list[i].place)
            return sl_node_fail(r->list[i].place, r->err, "the architecture has no node '%.40s'",
                                r->list[i].name);
    if (status == SL_OK) memcpy(r->list, sorted, (size_t)n * sizeof *sorted);
    return status;
}

static void reverse(SlTargets *r) {
    for (int i = 0, k = r->n - 1; i < k; i++, k--) {
        SlTarget swap = r->list[i];
        r->list[i] = r->list[k];
        r->list[k] = swap;
    }
}

// entries about what is kept may come before all others: targets stand where their loops do
static SlStatus order_by_loops(SlTargets *r, const SlNode *list) {
    SlTarget sorted[SL_TIMELOOP_NODES];
    int n = 0;
    for (const SlNode *map = list->first; map; map = map->next) {
        SlTarget *target = sl_timeloop_find(r, sl_node_get(map, "target")->text);
        bool loops =
            map == target->entries[SL_ENTRY_TEMPORAL] || map == target->entries[SL_ENTRY_SPATIAL];
        if (!target->place || !loops) continue;
        sorted[n++] = *target;
        target->place = NULL;
    }
    for (int i = 0; i < r->n; i++)
        if (r->list[i].place)
            return sl_node_fail(r->list[i].place, r->err,
                                "'%.40s' has no entry of type temporal or spatial, so its place is "
                                "unknown",
                                r->list[i].name);
    memcpy(r->list, sorted, (size_t)n * sizeof *sorted);
    return SL_OK;
}

// without an architecture: what stores anything is a level, and what the accelerator calls so
static void guess_levels(SlTargets *r) {
    for (int i = 0; i < r->n; i++) {
        SlTarget *target = &r->list[i];
        bool loops_only = !target->entries[SL_ENTRY_TEMPORAL] && !target->entries[SL_ENTRY_KEEP];
        target->storage = (!loops_only && target->keep != 0) ||
                          (r->accel && level_of(r->accel, target->name) >= 0);
    }
}

// timeloop-mapper lists the innermost level first: the memory outside tells by its name
static void outermost_first(SlTargets *r) {
    static const char *const memories[] = {"DRAM", "MainMemory", "BackingStorage", NULL};
    const char *last = r->n ? r->list[r->n - 1].name : "";
    bool backwards = false;
    for (int i = 0; memories[i]; i++) backwards |= strcasecmp(last, memories[i]) == 0;
    if (r->accel) backwards |= level_of(r->accel, last) == 0;
    if (backwards) reverse(r);
}

// where the mapping says nothing, a level keeps what it can
static void limit_keep(SlTargets *r) {
    int level = 0;
    for (int i = 0; i < r->n; i++) {
        SlTarget *target = &r->list[i];
        if (!target->storage) continue;
        if (!target->entries[SL_ENTRY_KEEP]) target->keep &= r->accel->levels[level].keep;
        level++;
    }
}

// the levels must be those of the accelerator: by name if one name is known, else one by one
static SlStatus match_levels(const SlTargets *r) {
    int n = 0, named = 0, want = 0;
    for (int i = 0; i < r->n; i++) {
        n += r->list[i].storage;
        named += r->list[i].storage && level_of(r->accel, r->list[i].name) >= 0;
    }
    for (int i = 0; i < r->n && named; i++) {
        const SlTarget *target = &r->list[i];
        if (!target->storage) continue;
        if (want < r->accel->n_levels && level_of(r->accel, target->name) == want++) continue;
        return sl_node_fail(target->place, r->err, "expected level '%s' of %s here, found '%.40s'",
                            want <= r->accel->n_levels ? r->accel->levels[want - 1].name : "(none)",
                            r->accel->name, target->name);
    }
    if (n == r->accel->n_levels) return SL_OK;
    return sl_node_fail(r->list[r->n - 1].place, r->err,
                        "the mapping has %d storage levels, %s has %d", n, r->accel->name,
                        r->accel->n_levels);
}

SlStatus sl_timeloop_order(SlTargets *r, const SlNode *list, const SlNode *architecture) {
    const SlNode *nodes = architecture ? sl_node_get(architecture, "nodes") : NULL;
    SlStatus status = nodes ? order_by_nodes(r, nodes) : order_by_loops(r, list);
    if (status != SL_OK) return status;
    if (!nodes) guess_levels(r);
    if (!nodes) outermost_first(r);

    const SlTarget *first = &r->list[0];
    if (!first->storage)
        return sl_node_fail(first->place, r->err,
                            "'%.40s' lies outside all storage levels: expected the memory outside "
                            "(DRAM) first",
                            first->name);
    if (first->keep != SL_KEEP_ALL)
        return sl_node_fail(first->place, r->err,
                            "the outermost level '%.40s' must keep all tensors", first->name);
    if (!r->accel) return SL_OK;
    status = match_levels(r);
    if (status == SL_OK) limit_keep(r);
    return status;
}
