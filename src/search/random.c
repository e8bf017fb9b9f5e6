// random.c - independent uniform points: what every other method must beat.
#include <stdio.h>

#include "search_inside.h"

typedef struct {
    const SlSpace *space;
    SlRng rng;
} Random;

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    (void)options;
    Random *state = SL_NEW(arena, 1, Random);
    if (!state) return NULL;
    state->space = setup->space;
    char stream[160];
    snprintf(stream, sizeof stream, "random %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

static int ask(void *context, int room, int32_t *points) {
    Random *state = context;
    int n = state->space->n_params;
    for (int i = 0; i < room; i++) sl_space_sample(state->space, &state->rng, points + i * n);
    return room;
}

static void tell(void *context, int n, const int32_t *points, const SlOutcome *outcomes) {
    (void)context, (void)n, (void)points, (void)outcomes;
}

static const SlOption options_table[] = {{0}};

const SlMethod sl_random_method = {
    .name = "random",
    .title = "independent uniform points",
    .source = "-",
    .options = options_table,
    .make = make,
    .ask = ask,
    .tell = tell,
};
