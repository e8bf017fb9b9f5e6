// fuzz_tune_log.c - measurement logs: whatever is read has tasks whose points decode, and every
// measurement is found again.
#include <assert.h>
#include <math.h>

#include "starling/study/tune.h"

static void walk(const SlTuneLog *log) {
    for (int t = 0; t < sl_tune_log_n_tasks(log); t++) {
        const SlTuneTask *task = sl_tune_log_task(log, t);
        for (int64_t i = 0; i < task->n; i++) {
            int32_t point[SL_MAX_KNOBS];
            const SlTuneEntry *entry = &task->entries[i];
            assert(entry->index >= 0 && entry->index < task->knobs.n_points);
            sl_knobs_point(&task->knobs, entry->index, point);
            assert(sl_knobs_index(&task->knobs, point) == entry->index);
            assert(isfinite(entry->measured.value) == (entry->measured.error == 0));
            assert(sl_tune_log_measured(log, task, entry->index));
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlError err;
    SlTuneLog *log;
    sl_arena_init(&arena, 64 << 20);
    if (sl_tune_log_parse("fuzz", (const char *)data, n, &arena, &log, &err) == SL_OK) walk(log);
    sl_arena_free(&arena);
    return 0;
}
