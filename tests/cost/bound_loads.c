// bound_loads.c - see bound_loads.h.
#include "bound_loads.h"

#include <stdio.h>
#include <string.h>

#include "bound_check.h"

// the nearest level outside that keeps the tensor
static int parent_of(const SlAccel *accel, int level, int tensor) {
    int parent = level - 1;
    while (!(accel->levels[parent].keep >> tensor & 1)) parent--;
    return parent;
}

void level_load(const SlAccel *accel, const SlCost *cost, int level, Load *out) {
    const SlLevelCounts *counts = &cost->counts.level[level];
    const SlLevel *own = &accel->levels[level];
    memset(out, 0, sizeof *out);
    for (int t = 0; t < SL_N_TENSORS; t++) {
        if (!(own->keep >> t & 1)) continue;
        int parent = parent_of(accel, level, t);
        const SlLevel *up = &accel->levels[parent];
        double *energy = &out->of[LOAD_ENERGY], *port = &out->of[LOAD_PORT];
        *energy += counts->pread[t] * up->read_pj + counts->fill[t] * own->link_pj;
        out->of[LOAD_LINK + level - 1] += counts->pread[t];
        port[parent] += counts->srv0[t];
        port[level] += counts->own0[t];
        if (t != SL_O) {
            *energy += counts->fill[t] * own->write_pj;
            continue;
        }
        *energy += counts->fill[t] * own->read_pj + counts->upd * up->write_pj +
                   counts->pread[t] * (own->write_pj + own->link_pj);
        out->of[LOAD_LINK + level - 1] += counts->upd;
        port[parent] += counts->upd0;
        port[level] += counts->own0[t] - counts->cov0;
    }
}

void level_bounds_copy(const SlBoundWork *work, LevelBounds *out) {
    memset(out, 0, sizeof *out);
    for (int l = 1; l <= work->bounds->n_chip; l++) {
        if (l > 1) out->open[l] = work->deep[l];
        out->tiles[l] = work->fixed[l];
    }
}

static const char *above(const Load *bound, const Load *load, const char *what, int level, size_t n,
                         char *why) {
    for (int r = 0; r < N_LOADS; r++) {
        if (about_most(bound->of[r], load->of[r])) continue;
        snprintf(why, n, "load %d of level %d has bound %.17g with %s, but is %.17g", r, level,
                 bound->of[r], what, load->of[r]);
        return why;
    }
    return NULL;
}

const char *level_bounds_wrong(const LevelBounds *bounds, const SlAccel *accel, const SlCost *cost,
                               size_t n, char *why) {
    for (int l = 1; l < accel->n_levels; l++) {
        Load load;
        level_load(accel, cost, l, &load);
        if (above(&bounds->open[l], &load, "all tiles open", l, n, why)) return why;
        if (above(&bounds->tiles[l], &load, "its tiles", l, n, why)) return why;
    }
    return NULL;
}
