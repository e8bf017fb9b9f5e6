// study_texts.c - what names a study in its store: the plan, and what was changed of it
// (docs/formats/store.md).
#include <stdio.h>
#include <string.h>

#include "starling/study/study_run.h"

SlStatus sl_study_keep(const SlPlan *plan, const SlPlanChanges *changes, SlStore *store,
                       SlError *err) {
    char samples[32], seeds[32];
    snprintf(samples, sizeof samples, "%lld", (long long)changes->samples);
    snprintf(seeds, sizeof seeds, "%lld", (long long)changes->seeds);
    const char *const texts[][2] = {{"study", plan->name},
                                    {"plan", plan->text},
                                    {"quick", changes->quick ? "yes" : "no"},
                                    {"samples", samples},
                                    {"seeds", seeds},
                                    {"methods", changes->methods ? changes->methods : ""},
                                    {"model", changes->evaluator ? changes->evaluator : ""}};
    SlStatus status = SL_OK;
    for (size_t i = 0; i < sizeof texts / sizeof *texts && status == SL_OK; i++)
        status = sl_store_set(store, texts[i][0], texts[i][1], err);
    return status;
}

// NULL where there is none, or nothing in it
static SlStatus get_text(SlStore *store, const char *name, SlArena *arena, const char **text,
                         SlError *err) {
    *text = NULL;
    SlStatus status = sl_store_get(store, name, arena, text, err);
    if (*text && !(*text)[0]) *text = NULL;
    return status;
}

static SlStatus get_number(SlStore *store, const char *name, SlArena *arena, int64_t *out,
                           SlError *err) {
    const char *text;
    SlStatus status = get_text(store, name, arena, &text, err);
    *out = 0;
    if (status != SL_OK || !text) return status;
    return sl_parse_int(text, 0, INT64_C(1) << 53, out, err);
}

SlStatus sl_study_recall(SlStore *store, SlArena *arena, SlPlan *plan, SlError *err) {
    const char *text, *quick;
    SlPlanChanges changes = {0};
    SlStatus status = get_text(store, "plan", arena, &text, err);
    if (status == SL_OK) status = get_text(store, "quick", arena, &quick, err);
    if (status == SL_OK) status = get_text(store, "methods", arena, &changes.methods, err);
    if (status == SL_OK) status = get_text(store, "model", arena, &changes.evaluator, err);
    if (status == SL_OK) status = get_number(store, "samples", arena, &changes.samples, err);
    if (status == SL_OK) status = get_number(store, "seeds", arena, &changes.seeds, err);
    if (status != SL_OK) return status;
    *plan = (SlPlan){0};
    if (!text) return SL_OK;
    changes.quick = quick && strcmp(quick, "yes") == 0;
    return sl_plan_parse(sl_store_path(store), text, strlen(text), &changes, arena, plan, err);
}

static SlStatus copy_texts(SlStore *to, SlStore *from, SlArena *arena, SlError *err) {
    static const char *const names[] = {"study", "plan",    "quick", "samples",
                                        "seeds", "methods", "model"};
    SlStatus status = SL_OK;
    for (size_t i = 0; i < sizeof names / sizeof *names && status == SL_OK; i++) {
        const char *text = NULL;
        status = sl_store_get(from, names[i], arena, &text, err);
        if (status == SL_OK && text) status = sl_store_set(to, names[i], text, err);
    }
    return status;
}

SlStatus sl_study_merge(SlStore *to, SlStore *from, int *n_new, SlError *err) {
    SlArena arena;
    const char *plan = NULL;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_store_get(to, "plan", &arena, &plan, err);
    if (status == SL_OK && !plan) status = copy_texts(to, from, &arena, err);
    sl_arena_free(&arena);
    return status == SL_OK ? sl_store_merge(to, from, n_new, err) : status;
}
