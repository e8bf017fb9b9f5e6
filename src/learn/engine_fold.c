// engine_fold.c - the first critic layer on the world state: with observations X = s M the layer is
// X W = s (M W), and the gradient of W is M^T (s^T dZ).
#include <string.h>

#include "engine_inside.h"

static void add_row(size_t n, SlReal factor, const SlReal *from, SlReal *to) {
    for (size_t i = 0; i < n; i++) to[i] += factor * from[i];
}

const SlReal *sl_agent_fold(const SlNets *nets, const SlReal *params, SlReal *room) {
    if (!nets->folded) return params;
    size_t hidden = (size_t)nets->hidden, n = (size_t)nets->n_agents * (size_t)nets->n_observed;
    memset(room, 0, (size_t)nets->n_state * hidden * sizeof *room);
    for (size_t o = 0; o < n; o++) {
        const SlObserved *map = &nets->map[o];
        const SlReal *row = params + o * hidden;
        if (map->plus >= 0) add_row(hidden, 1, row, room + (size_t)map->plus * hidden);
        if (map->minus >= 0) add_row(hidden, -1, row, room + (size_t)map->minus * hidden);
    }
    size_t actions = (size_t)nets->n_agents * SL_PARTICLE_ACTIONS * hidden;
    memcpy(room + (size_t)nets->n_state * hidden, params + n * hidden, actions * sizeof *room);
    return room;
}

void sl_agent_unfold(const SlNets *nets, const SlReal *folded, SlReal *grad) {
    size_t hidden = (size_t)nets->hidden, n = (size_t)nets->n_agents * (size_t)nets->n_observed;
    memset(grad, 0, n * hidden * sizeof *grad);
    for (size_t o = 0; o < n; o++) {
        const SlObserved *map = &nets->map[o];
        SlReal *row = grad + o * hidden;
        if (map->plus >= 0) add_row(hidden, 1, folded + (size_t)map->plus * hidden, row);
        if (map->minus >= 0) add_row(hidden, -1, folded + (size_t)map->minus * hidden, row);
    }
    size_t actions = (size_t)nets->n_agents * SL_PARTICLE_ACTIONS * hidden;
    memcpy(grad + n * hidden, folded + (size_t)nets->n_state * hidden, actions * sizeof *grad);
}
