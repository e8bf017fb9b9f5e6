// mapping_find.c - mappings as users give them: nest text, our YAML, Timeloop's, MAESTRO's lists.
#include "starling/mapping/mapping_find.h"

#include <ctype.h>
#include <string.h>

#include "starling/mapping/maestro_nest.h"
#include "starling/mapping/timeloop.h"

// `K:4 ...`, `K*4 ...` and `@7 ...` are nests; everything else is the name of a file
static bool is_nest(const char *text) {
    while (isspace((unsigned char)*text)) text++;
    return !text[0] || text[0] == '@' ||
           (isalpha((unsigned char)text[0]) && (text[1] == ':' || text[1] == '*'));
}

static SlStatus read_list(const SlMappingQuery *query, SlArena *scratch, SlMapping *mapping,
                          SlError *err) {
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlStatus status = sl_maestro_list_find(query->word, query->layer, scratch, &shape, &list, err);
    if (status != SL_OK) return status;
    int64_t pes = query->num_pes ? query->num_pes : sl_fanout_size(&query->accel->fanouts[1]);
    const char *reason = "there are more PEs than MAESTRO counts";
    if (pes <= INT32_MAX)
        reason = sl_maestro_nest(&shape, &list, (int32_t)pes, query->layer, mapping);
    if (!reason) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, query->word, 0, 0, "no loop nest does this on %lld PEs: %s",
                      (long long)pes, reason);
}

static SlStatus read_file(const SlMappingQuery *query, SlArena *scratch, SlMapping *mapping,
                          SlError *err) {
    const char *word = query->word;
    char *text = NULL;
    size_t n = 0;
    if (sl_maestro_path_end(word)) return read_list(query, scratch, mapping, err);
    // a pipe is read once
    SlStatus status = sl_file_read(word, SL_TREE_MAX_BYTES, scratch, &text, &n, err);
    if (status != SL_OK) return status;
    if (sl_timeloop_looks_like(text, n))
        return sl_timeloop_parse(word, text, n, query->layer, query->accel, scratch, mapping, err);
    return sl_mapping_parse_file(word, text, n, scratch, mapping, err);
}

// what is wrong with the mapping: in its file, or in the text that has a name
static SlStatus refuse(const SlMappingQuery *query, const char *reason, SlError *err) {
    if (!is_nest(query->word)) return sl_fail_at(err, SL_EINPUT, query->word, 0, 0, "%s", reason);
    return sl_fail(err, SL_EINPUT, "%s: %s", query->name, reason);
}

static SlStatus repair(const SlMappingQuery *query, SlMapping *mapping, bool *repaired,
                       SlError *err) {
    char before[SL_NEST_TEXT_MAX], after[SL_NEST_TEXT_MAX];
    sl_mapping_write(mapping, sizeof before, before);
    SlStatus status = sl_mapping_repair(query->layer, query->accel, mapping, err);
    sl_mapping_write(mapping, sizeof after, after);
    *repaired = strcmp(before, after) != 0;
    return status;
}

SlStatus sl_mapping_find(const SlMappingQuery *query, SlArena *scratch, SlMapping *mapping,
                         bool *repaired, SlError *err) {
    SlError inside;
    SlFit fit;
    char sentence[256];
    *repaired = false;
    if (is_nest(query->word)) {
        if (sl_mapping_parse(query->word, mapping, &inside) != SL_OK)
            return refuse(query, inside.text, err);
    } else {
        SlStatus status = read_file(query, scratch, mapping, err);
        if (status != SL_OK) return status;
    }
    const char *reason = sl_mapping_check(query->layer, mapping);
    if (reason) return refuse(query, reason, err);
    if (query->repair) return repair(query, mapping, repaired, err);

    // with other levels than the accelerator has there is nothing to price
    if (mapping->n_boundaries == query->accel->n_levels - 1) return SL_OK;
    sl_mapping_fit(query->layer, query->accel, mapping, &fit);
    sl_violation_text(query->accel, &fit.list[0], sizeof sentence, sentence);
    return refuse(query, sentence, err);
}
