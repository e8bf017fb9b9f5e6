// 07_train.c - three agents learn to spread over three landmarks, by MADDPG.
#include <stdio.h>

#include "starling/learn/engine.h"

// called after every round of updates; true would stop
static bool watch(void *context, const SlEngine *engine) {
    SlEngineState so_far;
    int64_t *shown = context;
    sl_engine_state(engine, &so_far);
    if (so_far.episodes >= *shown + 500) {
        *shown = so_far.episodes;
        printf("%lld episodes, return %.1f\n", (long long)so_far.episodes, so_far.recent[0]);
    }
    return false;
}

int main(void) {
    SlEngineSetup setup;
    SlEngine *engine;
    SlError err;
    int64_t shown = 0;
    sl_engine_init(&setup);
    setup.world.world = sl_world_find("spread");
    setup.layout = SL_LAYOUT_STATE;
    setup.mode = SL_MODE_FOLDED; // the same networks, sooner
    setup.hidden = 32;
    setup.batch = 256;
    setup.capacity = 50000;
    setup.warm = 2500;
    if (sl_engine_make(&setup, &engine, &err) != SL_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    sl_engine_run(engine, 2500, NULL, watch, &shown);

    // what they learnt: mean return of an agent in new episodes
    SlReturn now = sl_engine_evaluate(engine, SL_ACT_NOISY, 200, 1);
    SlReturn chance = sl_engine_evaluate(engine, SL_ACT_RANDOM, 200, 1);
    printf("trained %.1f +- %.1f, at random %.1f +- %.1f\n", now.mean, now.error, chance.mean,
           chance.error);
    SlEngineState so_far;
    sl_engine_state(engine, &so_far);
    for (int p = 0; p < SL_N_PHASES; p++)
        printf("%-20s %.3f s\n", sl_phase_names[p], so_far.seconds[p]);
    sl_engine_free(engine);
    return now.mean > chance.mean ? 0 : 1;
}
