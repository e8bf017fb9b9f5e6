// eval_run.c - runs of `starling map` as workloads of `starling eval`.
#include <string.h>

#include "eval.h"
#include "starling/job/mapped_run.h"

bool run_find(const char *word, SlArena *arena, RunName *run) {
    // bundled networks and inline layers go before a folder of their name; ./NAME is the folder
    char *name = call_need(sl_arena_text(arena, word, strcspn(word, ":")));
    *run = (RunName){.dir = name};
    if (sl_bundle_find("networks", name)) return false;
    for (int t = 0; t < SL_N_LAYER_TYPES; t++)
        if (word[strlen(name)] == ':' && strcmp(name, sl_layer_type_names[t]) == 0) return false;
    run->dir = call_need(sl_arena_text(arena, word, strlen(word)));
    if (sl_mapped_run_exists(run->dir)) return true;
    // names of layers may hold ':', so the first folder that is a run counts
    for (const char *colon = word; (colon = strchr(colon, ':')); colon++) {
        run->dir = call_need(sl_arena_text(arena, word, (size_t)(colon - word)));
        run->layer = colon + 1;
        if (sl_mapped_run_exists(run->dir)) return true;
    }
    return false;
}

SlStatus evaluation_read_run(const EvalOptions *options, const RunName *name, SlArena *arena,
                             SlEvaluation *eval, SlError *err) {
    SlMappedRun run;
    SlAccel accel;
    if (options->graph.sizes || options->graph.skip_unsupported)
        return sl_fail(err, SL_EINPUT,
                       "%s is a run of 'starling map' with its own sizes, so not with --dim or "
                       "--skip-unsupported",
                       name->dir);
    if (options->mapping || options->batch != 1)
        return sl_fail(err, SL_EINPUT, "%s is a run of 'starling map' with its own %s", name->dir,
                       options->mapping ? "mappings: not together with --mapping"
                                        : "batch: not together with --batch");
    SlStatus status = sl_mapped_run_read(name->dir, arena, &run, err);
    if (status == SL_OK && name->layer) status = sl_mapped_run_pick(&run, name->layer, err);
    if (status == SL_OK && options->accel)
        status = sl_accel_find(options->accel, arena, &accel, err);
    if (status != SL_OK) return status;
    return sl_mapped_run_evaluate(&run, options->accel ? &accel : NULL,
                                  (SlObjective)options->objective, arena, eval, err);
}
