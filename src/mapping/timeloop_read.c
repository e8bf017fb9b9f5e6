// timeloop_read.c - the mapping of a Timeloop document as a nest.
//
// A mapping is a list of entries, each about one node of the architecture: its loops in time, its
// loops side by side, what it keeps. From outside in, the nodes give the nest: a storage begins at
// its boundary, then come its loops.
#include "starling/mapping/timeloop.h"

#include <ctype.h>
#include <string.h>

#include "timeloop_inside.h"

// --- entries

// settings that change what Timeloop counts and that a nest cannot say must be empty
static SlStatus check_settings(const SlNode *map, SlEntryType type, SlError *err) {
    static const char *const settings[] = {"no_reuse", "no_temporal_reuse", "rmw_first_update",
                                           "no_coalesce", NULL};
    for (int i = 0; settings[i]; i++) {
        const SlNode *node = sl_node_get(map, settings[i]);
        bool network = type == SL_ENTRY_SPATIAL && i == 0; // the accelerator says it
        if (node && !network && !(node->kind == SL_NODE_LIST && node->n == 0))
            return sl_node_fail(node, err, "'%s' cannot be expressed as a nest", settings[i]);
    }
    return SL_OK;
}

// loops and what is kept are said in entries of their own
static SlStatus check_type(const SlNode *map, SlEntryType type, SlError *err) {
    static const char *const others[2][3] = {{"keep", "bypass", NULL},
                                             {"factors", "permutation", NULL}};
    bool keeps = type == SL_ENTRY_KEEP;
    for (int i = 0; others[keeps][i]; i++)
        if (sl_node_get(map, others[keeps][i]))
            return sl_node_fail(map, err, "'%s' belongs into an entry of type %s", others[keeps][i],
                                keeps ? "temporal or spatial" : "dataspace");
    return check_settings(map, type, err);
}

static SlStatus read_type(const SlNode *map, SlEntryType *type, SlError *err) {
    static const char *const types[] = {"temporal", "spatial", "dataspace",
                                        "datatype", "bypass",  NULL};
    const SlNode *node;
    int i = 0;
    SlStatus status = sl_node_need(map, "type", &node, err);
    if (status == SL_OK) status = sl_node_choice(node, types, &i, err);
    *type = i < SL_ENTRY_KEEP ? (SlEntryType)i : SL_ENTRY_KEEP;
    return status;
}

// tensors of a list, added to `mask`
static SlStatus read_tensors(const SlNode *list, int *mask, SlError *err) {
    if (!list) return SL_OK;
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, list->key, err);
    for (const SlNode *item = list->first; item && status == SL_OK; item = item->next) {
        int tensor = 0;
        if (item->kind == SL_NODE_SCALAR && strcmp(item->text, "*") == 0) {
            *mask = SL_KEEP_ALL;
            continue;
        }
        status = sl_node_choice(item, sl_timeloop_tensors, &tensor, err);
        if (status == SL_OK) *mask |= 1 << tensor;
    }
    return status;
}

SlStatus sl_timeloop_keep(const SlNode *map, int *keep, SlError *err) {
    int kept = 0, bypassed = 0;
    SlStatus status = read_tensors(sl_node_get(map, "keep"), &kept, err);
    if (status == SL_OK) status = read_tensors(sl_node_get(map, "bypass"), &bypassed, err);
    if (status == SL_OK && kept & bypassed)
        status = sl_node_fail(map, err, "a tensor is both kept and bypassed");
    *keep = SL_KEEP_ALL & ~bypassed;
    return status;
}

static SlStatus read_entry(SlTargets *r, const SlNode *map) {
    static const char *const keys[] = {"target",
                                       "type",
                                       "factors",
                                       "permutation",
                                       "split",
                                       "keep",
                                       "bypass",
                                       "no_reuse",
                                       "no_link_transfer",
                                       "no_temporal_reuse",
                                       "rmw_first_update",
                                       "no_coalesce",
                                       NULL};
    const SlNode *name = NULL;
    SlEntryType type = SL_ENTRY_TEMPORAL;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "mapping entry", r->err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, r->err);
    if (status == SL_OK) status = sl_node_need(map, "target", &name, r->err);
    if (status == SL_OK) status = sl_node_expect(name, SL_NODE_SCALAR, "target", r->err);
    if (status == SL_OK) status = read_type(map, &type, r->err);
    if (status == SL_OK) status = check_type(map, type, r->err);
    if (status != SL_OK) return status;

    SlTarget *target = sl_timeloop_find(r, name->text);
    if (!target && r->n == SL_TIMELOOP_NODES)
        return sl_node_fail(map, r->err, "more than %d targets", SL_TIMELOOP_NODES);
    if (!target) {
        target = &r->list[r->n++];
        *target = (SlTarget){.name = name->text, .place = name, .keep = SL_KEEP_ALL};
    }
    if (target->entries[type])
        return sl_node_fail(map, r->err, "a second entry of this type for '%.40s'", name->text);
    target->entries[type] = map;
    return type == SL_ENTRY_KEEP ? sl_timeloop_keep(map, &target->keep, r->err) : SL_OK;
}

// --- the nest

// What has been gathered of the nest.
typedef struct {
    SlMapping nest; // its boundaries
    int n_trips;
    SlTrip trips[SL_TIMELOOP_TRIPS];
} Nest;

static SlStatus add_loops(SlTargets *r, const SlTarget *target, SlEntryType type, Nest *nest) {
    const SlNode *entry = target->entries[type];
    if (!entry) return SL_OK;
    return sl_timeloop_entry(entry, type == SL_ENTRY_SPATIAL, &r->dims, &nest->n_trips, nest->trips,
                             r->err);
}

static SlStatus add_boundary(SlTargets *r, const SlTarget *target, Nest *nest) {
    int b = nest->nest.n_boundaries;
    if (b == SL_MAX_BOUNDARIES)
        return sl_node_fail(target->place, r->err, "a nest has at most 7 storage levels");
    nest->nest.at[b] = (uint8_t)nest->n_trips;
    nest->nest.keep[b] = (uint8_t)target->keep;
    nest->nest.n_boundaries++;
    return SL_OK;
}

static SlStatus add_target(SlTargets *r, const SlTarget *target, bool outermost, Nest *nest) {
    SlStatus status = SL_OK;
    bool above = target->spread_above && !outermost;
    if (above) status = add_loops(r, target, SL_ENTRY_SPATIAL, nest);
    if (status == SL_OK && target->storage && !outermost) status = add_boundary(r, target, nest);
    if (status == SL_OK) status = add_loops(r, target, SL_ENTRY_TEMPORAL, nest);
    if (status == SL_OK && !above) status = add_loops(r, target, SL_ENTRY_SPATIAL, nest);
    return status;
}

static SlStatus build(SlTargets *r, const SlNode *list, SlMapping *mapping) {
    Nest nest = {0};
    SlStatus status = SL_OK;
    for (int i = 0; i < r->n && status == SL_OK; i++)
        status = add_target(r, &r->list[i], i == 0, &nest);
    if (status == SL_OK && nest.n_trips > SL_MAX_LOOPS)
        status = sl_node_fail(list, r->err, "a nest has at most %d loops", SL_MAX_LOOPS);
    if (status == SL_OK)
        status =
            sl_timeloop_tiles(r->layer, list, nest.n_trips, nest.trips, nest.nest.loops, r->err);
    if (status != SL_OK) return status;
    nest.nest.n_loops = (uint8_t)nest.n_trips;
    sl_mapping_simplify(r->layer, &nest.nest);
    *mapping = nest.nest;
    return SL_OK;
}

// --- the document

// the tree reader refuses tags, an architecture has one per node (`- !Component`): blanks instead
static void blank_tags(char *text, size_t n) {
    static const char key[] = "architecture:";
    bool inside = false; // the architecture
    for (size_t i = 0; i < n;) {
        size_t end = i;
        while (end < n && text[end] != '\n') end++;
        if (end > i && !strchr(" #\r-", text[i]))
            inside = end - i >= sizeof key - 1 && memcmp(text + i, key, sizeof key - 1) == 0;
        size_t at = i;
        while (at < end && (text[at] == ' ' || text[at] == '-')) at++;
        if (inside && at > i && at < end && text[at] == '!' && text[at - 1] == ' ') {
            text[at++] = ' ';
            while (at < end && isalpha((unsigned char)text[at])) text[at++] = ' ';
        }
        i = end + 1;
    }
}

static SlStatus read_document(SlTargets *r, const SlNode *root, SlMapping *mapping) {
    static const char *const keys[] = {"mapping",
                                       "problem",
                                       "architecture",
                                       "components",
                                       "compound_components",
                                       "variables",
                                       "mapper",
                                       "mapspace",
                                       "globals",
                                       "constraints",
                                       "architecture_constraints",
                                       "sparse_optimizations",
                                       "ERT",
                                       "ART",
                                       NULL};
    const SlNode *list = root, *problem = NULL, *architecture = NULL;
    SlStatus status = SL_OK;
    if (root->kind != SL_NODE_LIST) {
        status = sl_node_expect(root, SL_NODE_MAP, "Timeloop document", r->err);
        if (status == SL_OK) status = sl_node_check_keys(root, keys, r->err);
        if (status == SL_OK) status = sl_node_need(root, "mapping", &list, r->err);
        problem = sl_node_get(root, "problem");
        architecture = sl_node_get(root, "architecture");
    }
    if (status == SL_OK) status = sl_node_expect(list, SL_NODE_LIST, "mapping", r->err);
    if (status == SL_OK && problem)
        status = sl_timeloop_problem(problem, r->layer, &r->dims, r->err);
    if (status == SL_OK && list->n == 0)
        status = sl_node_fail(list, r->err, "expected at least one entry in the mapping");
    for (const SlNode *map = list->first; map && status == SL_OK; map = map->next)
        status = read_entry(r, map);
    if (status == SL_OK) status = sl_timeloop_order(r, list, architecture);
    return status == SL_OK ? build(r, list, mapping) : status;
}

SlStatus sl_timeloop_parse(const char *name, const char *text, size_t n, const SlLayer *layer,
                           const SlAccel *accel, SlArena *scratch, SlMapping *mapping,
                           SlError *err) {
    *mapping = (SlMapping){0};
    size_t mark = sl_arena_mark(scratch);
    SlTargets *r = SL_NEW(scratch, 1, SlTargets);
    char *copy = sl_arena_text(scratch, text, n);
    if (!r || !copy) {
        sl_arena_rewind(scratch, mark);
        return sl_fail_at(err, SL_ENOMEM, name, 0, 0, "not enough memory to read the file");
    }
    *r = (SlTargets){.layer = layer, .accel = accel, .err = err};
    blank_tags(copy, n);
    const SlNode *root;
    SlStatus status = sl_tree_parse(name, copy, n, scratch, &root, err);
    if (status == SL_OK) status = read_document(r, root, mapping);
    sl_arena_rewind(scratch, mark);
    return status;
}

bool sl_timeloop_looks_like(const char *text, size_t n) {
    static const char word[] = "target";
    const size_t length = sizeof word - 1;
    bool comment = false;
    for (size_t i = 0; i + length < n; i++) {
        if (text[i] == '\n') comment = false;
        if (text[i] == '#') comment = true;
        bool begins = i == 0 || strchr(" -{,\n\t\"'", text[i - 1]);
        if (comment || !begins || memcmp(text + i, word, length) != 0) continue;
        size_t after = i + length;
        while (after < n && strchr(" \"'", text[after])) after++;
        if (after < n && text[after] == ':') return true;
    }
    return false;
}
