// pool.h - a fixed set of threads that work through numbered items.
//
// Flow: sl_pool_make -> sl_pool_run (blocks) ... -> sl_pool_free. Results must depend on the item
// alone, never on the worker.
#pragma once

#include "starling/core/status.h"

SL_API_BEGIN

typedef struct SlPool SlPool;

// `n_threads` 0 = one per core available to the process. NULL if threads cannot be started.
SlPool *sl_pool_make(int n_threads);
void sl_pool_free(SlPool *pool);
int sl_pool_threads(const SlPool *pool);

// Call work(context, item, worker) once for every item in 0..n_items-1; worker is in 0..threads-1.
// Returns when all are done. The caller works along as worker 0. One run at a time: `work` must not
// run the same pool.
typedef void SlWork(void *context, int item, int worker);
void sl_pool_run(SlPool *pool, int n_items, SlWork *work, void *context);

SL_API_END
