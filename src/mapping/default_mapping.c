// default_mapping.c - a decent mapping of any layer on any accelerator without search.
//
// The best layouts of the fan-outs, each with tiles grown and orders chosen by estimate; the one
// with the least latency x energy wins.
#include "plan.h"

#include <assert.h>
#include <math.h>

// How much is tried: as many layouts as the time of a few milliseconds allows, fewer where more
// levels make each one dearer. More layouts help (tried: 3 to 12 on the zoo), more sweeps hardly.
enum {
    MAX_LAYOUTS = 8,
    LEVELS_IN_ALL = 24, // layouts x storage levels
    FIRST_SWEEPS = 2,   // of every layout
    LAST_SWEEPS = 30,   // of the best
};

// tiles of one word are the least that any level must hold
static SlStatus check_smallest(const World *world, SlError *err) {
    Plan ones = {0};
    for (int s = 0; s < world->n; s++)
        for (int d = 0; d < SL_N_DIMS; d++) ones.tile[s][d] = ones.spread[s][d] = 1;
    for (int b = 0; b < world->n - 1; b++) {
        SlViolation why;
        char text[256];
        if (sl_plan_fits(world, &ones, b, &why)) continue;
        sl_violation_text(world->accel, &why, sizeof text, text);
        return sl_fail(err, SL_EINPUT, "%s even for the smallest tile", text);
    }
    return SL_OK;
}

SlStatus sl_mapping_default(const SlLayer *layer, const SlAccel *accel, SlMapping *mapping,
                            SlError *err) {
    World world;
    Plan plans[MAX_LAYOUTS];
    sl_plan_world_init(&world, layer, accel);
    SlStatus status = check_smallest(&world, err);
    if (status != SL_OK) return status;

    int room = (int)sl_smaller(MAX_LAYOUTS, LEVELS_IN_ALL / world.n);
    int n = sl_layouts_find(&world, room, plans);
    Plan best = plans[0];
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        for (int fill = 0; fill <= N_STAYING; fill++) {
            Plan plan = plans[i];
            if (fill < N_STAYING) sl_plan_fill(&world, (DimClass)fill, &plan);
            double score = sl_plan_climb(&world, FIRST_SWEEPS, &plan);
            if (score >= least) continue;
            least = score;
            best = plan;
        }
    }
    sl_plan_climb(&world, LAST_SWEEPS, &best);
    sl_plan_write(&world, &best, mapping);
    assert(!sl_mapping_check(layer, mapping));
    return SL_OK;
}
