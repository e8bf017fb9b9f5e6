// fuzz_log.c - logs of samples: whatever is read has tasks whose points decode, and every sample of
// a space with numbers is found again.
#include <assert.h>
#include <math.h>

#include "starling/job.h"

static void walk(const SlLog *log) {
    for (int t = 0; t < sl_log_n_tasks(log); t++) {
        const SlLogTask *task = sl_log_task(log, t);
        for (int64_t i = 0; i < task->n; i++) {
            int32_t point[SL_MAX_PARAMS];
            const SlLogEntry *entry = &task->entries[i];
            assert(isfinite(entry->sample.value) == (entry->sample.error == 0));
            if (task->space.n_points == 0) continue;
            assert(entry->key < (uint64_t)task->space.n_points);
            sl_space_at(&task->space, (int64_t)entry->key, point);
            assert(sl_space_index(&task->space, point) == (int64_t)entry->key);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlError err;
    SlLog *log;
    sl_arena_init(&arena, 64 << 20);
    if (sl_log_parse("fuzz", (const char *)data, n, &arena, &log, &err) == SL_OK) walk(log);
    sl_arena_free(&arena);
    return 0;
}
