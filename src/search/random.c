// random.c - independent uniform points: what every other method must beat. Where samples are dear
// no point is drawn twice: a random order of the whole space, as AutoTVM's random tuner (Chen et
// al. 2018) has it.
#include <stdio.h>
#include <string.h>

#include "fresh.h"
#include "search_inside.h"

enum { MOST_TRIES = 10000 }; // of points that fail the check

typedef struct {
    bool check;
} Options;

typedef struct {
    const SlTask *task;
    Options options;
    bool once; // no point twice
    SlRng rng;
    SlFresh fresh; // once
} Random;

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Random *state = SL_NEW(arena, 1, Random);
    if (!state) return NULL;
    state->task = setup->task;
    memcpy(&state->options, options, sizeof state->options);
    state->once = sl_task_kind(setup->task)->dear;
    if (state->once)
        return sl_fresh_init(&state->fresh, setup, "random", state->options.check, arena) ? state
                                                                                          : NULL;
    char stream[160];
    snprintf(stream, sizeof stream, "random %s", setup->stream);
    sl_rng_init(&state->rng, setup->seed, stream);
    return state;
}

// any point, or one that passes the check if a few draws find one
static void draw(Random *state, int32_t *point) {
    for (int i = 0; i < MOST_TRIES; i++) {
        sl_space_sample(sl_task_space(state->task), &state->rng, point);
        if (!state->options.check || sl_task_check(state->task, point, NULL)) return;
    }
}

static int ask(void *context, int room, int32_t *points) {
    Random *state = context;
    int n_params = sl_task_space(state->task)->n_params, n = 0;
    for (; n < room; n++, points += n_params) {
        if (!state->once) {
            draw(state, points);
            continue;
        }
        if (!sl_fresh_draw(&state->fresh, points)) break;
        sl_fresh_add(&state->fresh, points);
    }
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlSample *samples) {
    (void)context, (void)n, (void)points, (void)samples;
}

static void meet(void *context, int n, const int32_t *points, const SlSample *samples) {
    Random *state = context;
    (void)samples;
    if (state->once) sl_fresh_tell(&state->fresh, n, points);
}

static const SlOption options_table[] = {
    SL_OPT_FLAG(Options, "check", check, "exclude points that fail the free check"),
    {0},
};

const SlMethod sl_random_method = {
    .name = "random",
    .title = "uniform random sampling, without repeats where evaluations are expensive",
    .source = "-",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
    .meet = meet,
};
