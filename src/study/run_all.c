// run_all.c - many runs on a pool, each as if it were alone.
#include "study_inside.h"

typedef struct {
    const SlRunSetup *setups; // (n)
    SlWatch *watch;
    void *context;
    SlArena *arenas;    // (n)
    SlRecord *records;  // (n)
    SlStatus *statuses; // (n)
    SlError *errors;    // (n)
} Runs;

static void work_on(void *context, int item, int worker) {
    (void)worker;
    Runs *runs = context;
    runs->statuses[item] =
        sl_run_numbered(&runs->setups[item], item, runs->watch, runs->context, &runs->arenas[item],
                        &runs->records[item], &runs->errors[item]);
}

SlStatus sl_run_all(int n, const SlRunSetup *setups, SlPool *pool, SlWatch *watch, void *context,
                    SlArena *arenas, SlRecord *records, SlError *err) {
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    Runs runs = {.setups = setups,
                 .watch = watch,
                 .context = context,
                 .arenas = arenas,
                 .records = records,
                 .statuses = SL_NEW(&scratch, n, SlStatus),
                 .errors = SL_NEW(&scratch, n, SlError)};
    if (!runs.statuses || !runs.errors) {
        sl_arena_free(&scratch);
        return sl_fail(err, SL_ENOMEM, "not enough memory for %d runs", n);
    }
    sl_pool_run(pool, n, work_on, &runs);
    SlStatus status = SL_OK;
    for (int i = 0; i < n && status == SL_OK; i++) {
        status = runs.statuses[i];
        if (status != SL_OK && err) *err = runs.errors[i];
    }
    sl_arena_free(&scratch);
    return status;
}
