// 09_job.c - the main job in one call: good mappings of every layer of a network, each with a proof
// of how far it is from the best of its space at most.
#include <math.h>
#include <stdio.h>

#include "starling/job.h"

// a line that is written over, for people
static bool watch(void *context, const SlEvent *event) {
    (void)context;
    if (event->kind == SL_EVENT_END)
        fprintf(stderr, "\r%d of %d: %-24s", event->n_done, event->n_all, event->task);
    return false; // true would end the job; every layer keeps its best so far
}

int main(void) {
    SlArena arena;
    SlNetwork net;
    SlAccel accel;
    SlError err = {0};
    SlJob *job = NULL;
    SlPool *pool = sl_pool_make(0);
    int code = 1;
    sl_arena_init(&arena, 0);
    SlJobSetup setup = {.net = &net,
                        .accel = &accel,
                        .goal.weight[SL_EDP] = 1,
                        .method = sl_method_find("marl"),
                        .budget.samples = 100, // of every distinct layer
                        .prove = true,
                        .epsilon = 0.005, // until the gap is at most half a percent
                        .prove_seconds = 5,
                        .seed = 1};
    if (pool && sl_workload_find("mobilenet_v2", 1, &arena, &net, &err) == SL_OK &&
        sl_accel_find("eyeriss", &arena, &accel, &err) == SL_OK &&
        sl_job_open(&setup, NULL, &arena, &job, &err) == SL_OK &&
        sl_job_run(job, pool, watch, NULL, NULL, &err) == SL_OK) {
        SlNetworkResult sums = sl_job_result(job);
        printf("\n%d layers, %d of them distinct, %lld samples\n", sums.n_layers, sums.n_tasks,
               (long long)sums.samples);
        printf("EDP %.4g pJ x cycles; no mappings of these spaces are below %.4g\n", sums.value,
               sums.bound);
        printf("%d proofs; the whole network is within %.2f %% of the best\n", sums.n_proven,
               100 * sums.gap);
        code = 0;
    } else {
        fprintf(stderr, "%s\n", err.text);
    }
    sl_job_close(job);
    sl_pool_free(pool);
    sl_arena_free(&arena);
    return code;
}
