// test_replay_release.c - a round of batches of 24 agents is gathered within 10 ms.
#include "support/check.h"

#include <math.h>
#include <time.h>

#include "replay_help.h"

enum { BATCH = 1024, AGENTS = 24, ROWS = 100000, ROUNDS = 15 };

// processor time, since tests share the machine
static double thread_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

// every agent draws its own rows; the time of the gathers alone
static double time_round(const SlReplay *replay, SlRng *rng, SlReplayBatch *batch) {
    static uint32_t rows[AGENTS][BATCH];
    for (int a = 0; a < AGENTS; a++) sl_replay_draw(replay, BATCH, rng, rows[a]);
    const double begun = thread_ms();
    for (batch->agent = 0; batch->agent < AGENTS; batch->agent++)
        sl_replay_gather(replay, BATCH, rows[batch->agent], batch);
    return thread_ms() - begun;
}

static void rows_of_states_are_gathered_in_time(void **state) {
    (void)state;
    Filler filler = {0};
    filler_make(&filler, sl_world_find("tag"), AGENTS);
    SlReplaySetup setup = filler_setup(&filler, SL_LAYOUT_STATE, SL_SAMPLE_UNIFORM, ROWS);
    SlReplay *replay = replay_need(&setup);
    for (int step = 0; step < ROWS; step++) { // many times the caches
        const SlTransition one = filler_step(&filler, step);
        sl_replay_add(replay, &one);
    }
    const size_t n_state = (size_t)filler.shape->n_state;
    SlReplayBatch batch = {.state = SL_NEW(&filler.arena, BATCH * n_state, SlReal),
                           .next_state = SL_NEW(&filler.arena, BATCH * n_state, SlReal),
                           .state_row = n_state,
                           .actions = SL_NEW(&filler.arena, BATCH * AGENTS * 5, SlReal),
                           .actions_row = AGENTS * 5,
                           .rewards = SL_NEW(&filler.arena, BATCH, SlReal),
                           .ended = SL_NEW(&filler.arena, BATCH, SlReal)};
    SlRng rng;
    sl_rng_init(&rng, 1, "rounds");
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; i++) best = fmin(best, time_round(replay, &rng, &batch));
    print_message("%.2f ms per round\n", best);
    assert_true(best <= 10);
    sl_replay_free(replay);
    filler_free(&filler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_states_are_gathered_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
