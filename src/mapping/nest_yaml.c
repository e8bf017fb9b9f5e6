// nest_yaml.c - mappings as readable YAML (docs/formats/mapping.md), and mapping files of both
// forms.
#include "nest_inside.h"

#include <ctype.h>
#include <string.h>

// the dim and kind of a loop from its key: "K" in time, "spatial K" side by side
static SlStatus read_key(const SlNode *node, SlLoop *loop, SlError *err) {
    static const char spatial[] = "spatial ";
    const char *dim = node->key;
    loop->spatial = strncmp(dim, spatial, sizeof spatial - 1) == 0;
    if (loop->spatial) dim += sizeof spatial - 1;
    int d = dim[0] && !dim[1] ? sl_dim_find(dim[0]) : -1;
    if (d < 0) {
        const char *near = dim[0] && !dim[1] ? sl_nearest_name(dim, sl_dim_names) : NULL;
        return sl_fail_at(err, SL_EINPUT, node->file, node->key_line, node->key_column,
                          "unknown loop '%s', expected a dim (N G K C P Q R S) or 'spatial' and a "
                          "dim%s%s%s",
                          node->key, near ? " (did you mean " : "", near ? near : "",
                          near ? "?)" : "");
    }
    loop->dim = (uint8_t)d;
    return SL_OK;
}

// one loop: {K: 64}
static SlStatus read_loop(const SlNode *map, SlMapping *mapping, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "loop", err);
    if (status != SL_OK) return status;
    if (map->n != 1)
        return sl_node_fail(map, err, "expected one loop per list item, like '- K: 64'");
    if (mapping->n_loops == SL_MAX_LOOPS)
        return sl_node_fail(map, err, "a nest has at most 40 loops");

    SlLoop loop = {0};
    status = read_key(map->first, &loop, err);
    if (status == SL_OK) status = sl_node_int(map->first, 1, SL_MACS_LIMIT, &loop.tile, err);
    if (status == SL_OK) mapping->loops[mapping->n_loops++] = loop;
    return status;
}

static SlStatus read_keep(const SlNode *list, uint8_t *keep, SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "keep", err);
    *keep = 0;
    for (const SlNode *item = list->first; item && status == SL_OK; item = item->next) {
        int tensor = 0;
        status = sl_node_choice(item, sl_tensor_names, &tensor, err);
        if (status == SL_OK) *keep |= (uint8_t)(1 << tensor);
    }
    return status;
}

// the boundary above a level; the outermost one has none
static SlStatus read_boundary(const SlNode *map, int level, SlMapping *mapping, SlError *err) {
    const SlNode *keep = sl_node_get(map, "keep");
    if (level == 0 && keep)
        return sl_node_fail(keep, err,
                            "the outermost level keeps everything: leave 'keep' out, or put the "
                            "missing outermost level (DRAM) before this one");
    if (level == 0) return SL_OK;
    if (mapping->n_boundaries == SL_MAX_BOUNDARIES)
        return sl_node_fail(map, err, "a nest has at most 7 levels");

    int b = mapping->n_boundaries++;
    mapping->at[b] = mapping->n_loops;
    mapping->keep[b] = SL_KEEP_ALL;
    return keep ? read_keep(keep, &mapping->keep[b], err) : SL_OK;
}

static SlStatus read_level(const SlNode *map, int level, SlMapping *mapping, SlError *err) {
    static const char *const keys[] = {"level", "keep", "loops", NULL};
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "level", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = read_boundary(map, level, mapping, err);
    if (status != SL_OK) return status;

    const SlNode *name = sl_node_get(map, "level"), *loops = sl_node_get(map, "loops");
    if (name) status = sl_node_expect(name, SL_NODE_SCALAR, "level", err);
    if (!loops || status != SL_OK) return status;
    status = sl_node_expect(loops, SL_NODE_LIST, "loops", err);
    for (const SlNode *loop = loops->first; loop && status == SL_OK; loop = loop->next)
        status = read_loop(loop, mapping, err);
    return status;
}

static SlStatus read_levels(const SlNode *list, SlMapping *mapping, SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "mapping", err);
    if (status != SL_OK) return status;
    if (list->n == 0) return sl_node_fail(list, err, "expected at least one level in the mapping");
    int level = 0;
    for (const SlNode *map = list->first; map && status == SL_OK; map = map->next)
        status = read_level(map, level++, mapping, err);
    return status;
}

// the nest text inside YAML: errors give the place of the value and the column in the text
static SlStatus read_nest(const SlNode *node, SlMapping *mapping, SlError *err) {
    SlError inside;
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "nest", err);
    if (status != SL_OK) return status;
    status = sl_mapping_parse(node->text, mapping, &inside);
    return status == SL_OK ? SL_OK : sl_node_fail(node, err, "%s", inside.text);
}

SlStatus sl_mapping_parse_yaml(const char *name, const char *text, size_t n, SlArena *scratch,
                               SlMapping *mapping, SlError *err) {
    static const char *const keys[] = {"mapping", "nest", "layer", "accel", NULL};
    *mapping = (SlMapping){0};
    size_t mark = sl_arena_mark(scratch);
    const SlNode *root;
    SlStatus status = sl_tree_parse(name, text, n, scratch, &root, err);
    if (status == SL_OK) status = sl_node_expect(root, SL_NODE_MAP, "mapping file", err);
    if (status == SL_OK) status = sl_node_check_keys(root, keys, err);
    if (status != SL_OK) goto done;

    const SlNode *levels = sl_node_get(root, "mapping"), *nest = sl_node_get(root, "nest");
    if (!levels == !nest)
        status = sl_node_fail(root, err, "expected either 'mapping' (levels) or 'nest' (text)");
    else
        status = levels ? read_levels(levels, mapping, err) : read_nest(nest, mapping, err);
done:
    sl_arena_rewind(scratch, mark);
    return status;
}

// does a file begin like a nest text, with `K:`, `K*` or `@`? YAML begins with a longer word
static bool is_nest_text(const char *text) {
    while (*text && (isspace((unsigned char)*text) || *text == '#'))
        text += *text == '#' ? strcspn(text, "\n") : 1;
    return text[0] == '@' ||
           (isalpha((unsigned char)text[0]) && (text[1] == ':' || text[1] == '*'));
}

SlStatus sl_mapping_parse_file(const char *name, const char *text, size_t n, SlArena *scratch,
                               SlMapping *mapping, SlError *err) {
    *mapping = (SlMapping){0};
    if (!memchr(text, '\0', n) && is_nest_text(text))
        return sl_nest_parse(name, text, mapping, err);
    return sl_mapping_parse_yaml(name, text, n, scratch, mapping, err);
}

// --- writing

static void write_level(const SlMapping *mapping, const SlAccel *accel, int level, SlText *out) {
    if (accel && level < accel->n_levels && isalpha((unsigned char)accel->levels[level].name[0]))
        sl_text_add(out, "  - level: %s\n", accel->levels[level].name);
    else
        sl_text_add(out, level == 0 ? "  - level: DRAM\n" : "  - level: %d\n", level);
    if (level == 0) return;
    sl_text_add(out, "    keep: [");
    for (int t = 0, n = 0; t < SL_N_TENSORS; t++)
        if (mapping->keep[level - 1] >> t & 1)
            sl_text_add(out, "%s%s", n++ ? ", " : "", sl_tensor_names[t]);
    sl_text_add(out, "]\n");
}

void sl_mapping_write_yaml(const SlMapping *mapping, const SlAccel *accel, SlText *out) {
    sl_text_add(out, "mapping: # outermost first\n");
    for (int s = 0; s <= mapping->n_boundaries; s++) {
        int begin = sl_segment_begin(mapping, s), end = sl_segment_end(mapping, s);
        write_level(mapping, accel, s, out);
        sl_text_add(out, begin < end ? "    loops:\n" : "    loops: []\n");
        for (int i = begin; i < end; i++) {
            const SlLoop *loop = &mapping->loops[i];
            sl_text_add(out, "      - %s%s: %lld\n", loop->spatial ? "spatial " : "",
                        sl_dim_names[loop->dim], (long long)loop->tile);
        }
    }
}
