// halving.c - a search method of your own: draws a point, and keeps half of the best one's values.
//
//   cc -shared -fPIC $(pkg-config --cflags starling) halving.c -o halving.so
//   starling map resnet18:conv2_1 --method ./halving.so --set first=50
#include <math.h>
#include <string.h>

#include "starling/job.h"

typedef struct {
    int64_t first; // points that are all new
} Options;

typedef struct {
    const SlSpace *space;
    int64_t left; // of the first points
    SlRng rng;
    int32_t best[SL_MAX_PARAMS];
    double score; // of it, INFINITY = none yet
} Halving;

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Halving *state = SL_NEW(arena, 1, Halving);
    if (!state) return NULL;
    state->space = sl_task_space(setup->task);
    state->left = ((const Options *)options)->first;
    state->score = INFINITY;
    sl_rng_init(&state->rng, setup->seed, setup->stream);
    return state;
}

static int ask(void *context, int room, int32_t *points) {
    Halving *state = context;
    (void)room; // one at a time: the next point depends on what comes of this one
    sl_space_sample(state->space, &state->rng, points);
    bool keep = state->left-- <= 0 && isfinite(state->score);
    for (int i = 0; keep && i < state->space->n_params; i++)
        if (sl_rng_uniform(&state->rng) < 0.5) points[i] = state->best[i];
    return 1;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    Halving *state = context;
    if (n == 0 || samples[0].score >= state->score) return;
    state->score = samples[0].score;
    memcpy(state->best, points, (size_t)state->space->n_params * sizeof *points);
}

static const SlOption options[] = {
    SL_OPT_WHOLE(Options, "first", first, "20", 1, 1e6, "N",
                 "uniformly random points at the start"),
    {0},
};

static const SlMethod halving = {"halving",       "keeps half of the best point",
                                 "an example",    options,
                                 sizeof(Options), .make = make,
                                 .ask = ask,      .tell = tell};

const SlMethodPlugin sl_plugin_method = {SL_METHOD_VERSION, sizeof(SlMethod), &halving};
