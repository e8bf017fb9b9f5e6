// pool.c - pthreads that wait for a round of items; the caller works along as worker 0.
//
// pthreads and not <threads.h>: ThreadSanitizer does not know the latter.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "starling/core/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct {
    SlPool *pool;
    int worker; // 1..n_threads-1
    pthread_t thread;
} Helper;

struct SlPool {
    int n_threads; // helpers and the caller
    int n_helpers;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    // the round at hand, under the lock
    unsigned round; // changes when a round starts
    int busy;       // helpers still in the round
    bool running, closing;
    SlWork *work;
    void *context;
    int n_items;
    atomic_llong next; // first item nobody has taken
    Helper helpers[];
};

static int available_cores(void) {
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    if (n < 1) n = (int)sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n;
}

// take items until none is left
static void work_through(SlPool *pool, SlWork *work, void *context, int n_items, int worker) {
    for (;;) {
        long long item = atomic_fetch_add(&pool->next, 1);
        if (item >= n_items) return;
        work(context, (int)item, worker);
    }
}

static void *run_helper(void *argument) {
    Helper *helper = argument;
    SlPool *pool = helper->pool;
    unsigned seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->round == seen && !pool->closing) pthread_cond_wait(&pool->start, &pool->lock);
        if (pool->closing) break;
        seen = pool->round;
        SlWork *work = pool->work;
        void *context = pool->context;
        int n_items = pool->n_items;
        pthread_mutex_unlock(&pool->lock);
        work_through(pool, work, context, n_items, helper->worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->busy == 0) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static bool start_helpers(SlPool *pool) {
    for (int i = 0; i < pool->n_threads - 1; i++) {
        Helper *helper = &pool->helpers[i];
        *helper = (Helper){.pool = pool, .worker = i + 1};
        if (pthread_create(&helper->thread, NULL, run_helper, helper) != 0) return false;
        pool->n_helpers++;
    }
    return true;
}

SlPool *sl_pool_make(int n_threads) {
    assert(n_threads >= 0);
    if (n_threads == 0) n_threads = available_cores();
    SlPool *pool = calloc(1, sizeof *pool + (size_t)n_threads * sizeof *pool->helpers);
    if (!pool) return NULL;
    pool->n_threads = n_threads;
    atomic_init(&pool->next, 0);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    if (start_helpers(pool)) return pool;
    sl_pool_free(pool);
    return NULL;
}

void sl_pool_free(SlPool *pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->n_helpers; i++) pthread_join(pool->helpers[i].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->start);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

int sl_pool_threads(const SlPool *pool) {
    return pool->n_threads;
}

void sl_pool_run(SlPool *pool, int n_items, SlWork *work, void *context) {
    pthread_mutex_lock(&pool->lock);
    assert(!pool->running && "sl_pool_run inside sl_pool_run");
    pool->running = true;
    pool->work = work;
    pool->context = context;
    pool->n_items = n_items;
    pool->busy = pool->n_helpers;
    pool->round++;
    atomic_store(&pool->next, 0);
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);

    work_through(pool, work, context, n_items, 0);

    // every helper has seen the round and left it, so the next one may start
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) pthread_cond_wait(&pool->done, &pool->lock);
    pool->running = false;
    pthread_mutex_unlock(&pool->lock);
}
