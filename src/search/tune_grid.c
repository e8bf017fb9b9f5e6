// tune_grid.c - points in the order of their numbers, the last knob first.
//
// AutoTVM's grid tuner (Chen et al. 2018). It is here because it is there.
#include <string.h>

#include "tune_inside.h"

typedef struct {
    bool check;
} Options;

typedef struct {
    SlPoints space;
    int64_t at; // next index
} Grid;

static void *make(const SlTunerSetup *setup, const void *options, SlArena *arena) {
    Options chosen;
    memcpy(&chosen, options, sizeof chosen);
    Grid *state = SL_NEW(arena, 1, Grid);
    return state && sl_points_init(&state->space, setup, "grid", chosen.check, arena) ? state
                                                                                      : NULL;
}

// the next point that is new and passes; false if there are none left
static bool step(Grid *state, int32_t *point) {
    const SlPoints *space = &state->space;
    while (state->at < space->knobs->n_points) {
        const int64_t index = state->at++;
        if (sl_points_has_index(space, index)) continue;
        sl_knobs_point(space->knobs, index, point);
        if (!space->check || sl_tuning_check(space->tuning, point, NULL)) return true;
    }
    return false;
}

static int ask(void *context, int room, int32_t *points) {
    Grid *state = context;
    int n = 0;
    while (n < room && step(state, points)) {
        sl_points_add(&state->space, points);
        points += state->space.knobs->n_knobs;
        n++;
    }
    return n;
}

static void tell(void *context, int n, const int32_t *points, const SlMeasured *measured) {
    Grid *state = context;
    (void)measured;
    sl_points_tell(&state->space, n, points);
}

static const SlOption options_table[] = {
    {.name = "check",
     .kind = SL_OPTION_FLAG,
     .offset = offsetof(Options, check),
     .help = "pass over points that fail the free check"},
    {0},
};

const SlTuner sl_grid_tuner = {
    .name = "grid",
    .title = "all points in the order of their numbers",
    .source = "AutoTVM's grid tuner: Chen et al., NeurIPS 2018",
    .options = options_table,
    .options_bytes = sizeof(Options),
    .make = make,
    .ask = ask,
    .tell = tell,
};
