// study_check.c - whether running a plan would mix studies, or throw away what another version has
// found.
#include <stdio.h>
#include <string.h>

#include "study_cells.h"

// results that the plan wants and this version would run again; `version` is that of the first
static SlStatus count_others(const SlPlan *plan, SlStore *store, SlArena *arena, int *n_others,
                             const char **version, SlError *err) {
    int n = 0, n_entries = 0;
    SlPlanCell *cells = NULL;
    SlStoreEntry *entries = NULL;
    SlStatus status = sl_plan_cells(plan, arena, &n, &cells, err);
    if (status == SL_OK) status = sl_store_index(store, arena, &n_entries, &entries, err);
    for (int i = 0; i < n && status == SL_OK; i++) {
        const SlStoreEntry *entry = sl_store_entry(n_entries, entries, cells[i].key);
        if (!entry || entry->broken || strcmp(entry->version, SL_VERSION) == 0) continue;
        if ((*n_others)++ == 0) *version = entry->version;
    }
    return status;
}

// a store holds one study
static SlStatus check_name(const SlPlan *plan, SlStore *store, SlArena *arena, SlError *err) {
    const char *name = NULL;
    SlStatus status = sl_store_get(store, "study", arena, &name, err);
    if (status != SL_OK || !name || strcmp(name, plan->name) == 0) return status;
    return sl_fail(err, SL_EINPUT,
                   "%.200s holds the study '%.60s', not '%.60s'; give another folder by --out",
                   sl_store_path(store), name, plan->name);
}

SlStatus sl_study_check(const SlPlan *plan, SlStore *store, SlError *err) {
    SlArena arena;
    const char *version = "";
    int n = 0;
    sl_arena_init(&arena, 0);
    SlStatus status = check_name(plan, store, &arena, err);
    if (status == SL_OK) status = count_others(plan, store, &arena, &n, &version, err);
    if (status == SL_OK && n > 0)
        status = sl_fail_at(err, SL_EINPUT, sl_store_path(store), 0, 0,
                            "holds %d result%s of version %.20s, which " SL_VERSION
                            " would replace by its own: run the plan with another --out, or remove "
                            "this store ('study report' and 'study export' still read it)",
                            n, n == 1 ? "" : "s", version);
    sl_arena_free(&arena);
    return status;
}
