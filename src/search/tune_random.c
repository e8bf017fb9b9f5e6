// tune_random.c - points in a random order: what every other tuner must beat.
//
// AutoTVM's random tuner (Chen et al. 2018) does the same and measures invalid points too; with
// `check` they are passed over.
#include <string.h>

#include "tune_inside.h"

typedef struct {
    bool check;
} Options;

static void *make(const SlTunerSetup *setup, const void *options, SlArena *arena) {
    Options chosen;
    memcpy(&chosen, options, sizeof chosen);
    SlPoints *points = SL_NEW(arena, 1, SlPoints);
    return points && sl_points_init(points, setup, "random", chosen.check, arena) ? points : NULL;
}

static int ask(void *state, int room, int32_t *points) {
    SlPoints *space = state;
    int n = 0;
    while (n < room && sl_points_draw(space, points)) {
        sl_points_add(space, points);
        points += space->knobs->n_knobs;
        n++;
    }
    return n;
}

static void tell(void *state, int n, const int32_t *points, const SlMeasured *measured) {
    (void)measured;
    sl_points_tell(state, n, points);
}

static const SlOption options_table[] = {
    {.name = "check",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(Options, check),
     .help = "pass over points that fail the free check"},
    {0},
};

const SlTuner sl_random_tuner = {
    .name = "random",
    .title = "all points in a random order",
    .source = "AutoTVM's random tuner: Chen et al., NeurIPS 2018",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
};
