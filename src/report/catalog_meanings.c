// catalog_meanings.c - objectives and presets of spaces, each with what it means, as documents.
#include "starling/report/catalog.h"

// a table of names with units, NULL = without, and meanings (n); `label` is the column of the names
static SlDoc *meanings_doc(const char *kind, const char *label, int n, const char *const *names,
                           const char *const (*rows)[2], SlArena *arena) {
    const SlColumn columns[] = {SL_COLUMN("name", label), SL_COLUMN("unit", "unit"),
                                SL_COLUMN("meaning", "meaning", .cut = true)};
    SlDoc *doc = sl_doc_make(arena, kind, 1);
    sl_doc_table(doc, kind, NULL, sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < n; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "name", NULL, names[i]);
        if (rows[i][0]) sl_doc_string(doc, "unit", NULL, rows[i][0]);
        sl_doc_string(doc, "meaning", NULL, rows[i][1]);
    }
    sl_doc_close(doc);
    return doc;
}

SlDoc *sl_report_objectives(SlArena *arena) {
    static const char *const rows[SL_N_OBJECTIVES][2] = {
        {"cycles", "time until the last result"},
        {"pJ", "energy of memories, networks and MACs"},
        {"pJ x cycles", "energy times latency"},
        {"um2", "area of the smallest hardware that runs the mapping; no floor"},
        {"mW", "energy over time; no floor"},
    };
    return meanings_doc("objectives", "objective", SL_N_OBJECTIVES, sl_objective_names, rows,
                        arena);
}

SlDoc *sl_report_spaces(SlArena *arena) {
    static const char *const rows[SL_N_SPACES][2] = {
        {NULL, "any levels and fan-outs; useful tile sizes; permutations as orders"},
        {NULL, "native with every tile size and every cluster size; dims up to 65,536"},
        {NULL,
         "17 parameters: every tile size, one spatial dim per level, cluster size; two levels"},
        {NULL, "10 parameters: one set of tiles, inner tiles derived; two levels"},
    };
    return meanings_doc("spaces", "space", SL_N_SPACES, sl_space_names, rows, arena);
}
