// halving.c - a search method of your own as a shared object: random points, then changes of half
// of the best one's parameters. Build and use it:
//
//   cc -shared -fPIC $(pkg-config --cflags starling) halving.c -o halving.so
//   starling map resnet18:conv2_1 --method ./halving.so
//   starling list methods ./halving.so
#include <math.h>
#include <string.h>

#include "starling/job.h"

typedef struct {
    int64_t first; // random points
} Options;

typedef struct {
    const SlSpace *space;
    Options options;
    SlRng rng;
    int32_t best[SL_MAX_PARAMS];
    double score; // of it, INFINITY = none yet
    int64_t asked;
} Halving;

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Halving *state = SL_NEW(arena, 1, Halving);
    if (!state) return NULL;
    state->space = sl_task_space(setup->task);
    state->options = *(const Options *)options;
    state->score = INFINITY;
    sl_rng_init(&state->rng, setup->seed, setup->stream);
    return state;
}

// one point at a time: the next one depends on what came of this one
static int ask(void *context, int room, int32_t *points) {
    Halving *state = context;
    (void)room;
    sl_space_sample(state->space, &state->rng, points);
    if (state->asked++ < state->options.first || isinf(state->score)) return 1;
    for (int i = 0; i < state->space->n_params; i++)
        if (sl_rng_uniform(&state->rng) < 0.5) points[i] = state->best[i];
    return 1;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    Halving *state = context;
    if (n == 0 || samples[0].score >= state->score) return;
    state->score = samples[0].score;
    memcpy(state->best, points, (size_t)state->space->n_params * sizeof *points);
}

static const SlOption options_table[] = {{.name = "first",
                                          .kind = SL_OPTION_INT,
                                          .offset = offsetof(Options, first),
                                          .fallback = "20",
                                          .min = 1,
                                          .max = 1e6,
                                          .value = "N",
                                          .help = "random points before the first change"},
                                         {0}};

static const SlMethod halving = {.name = "halving",
                                 .title = "changes half of the best point's parameters",
                                 .source = "an example",
                                 .options = options_table,
                                 .options_bytes = sizeof(Options),
                                 .make = make,
                                 .ask = ask,
                                 .tell = tell};

const SlMethodPlugin sl_plugin_method = {SL_METHOD_VERSION, sizeof(SlMethod), &halving};
