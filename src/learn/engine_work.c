// engine_work.c - memory of updates.
#include "engine_inside.h"

bool sl_agent_work_make(const SlNets *nets, int rows, SlArena *arena, SlAgentWork *work) {
    size_t n = (size_t)rows, hidden = n * (size_t)nets->hidden;
    size_t first = (size_t)nets->n_first * (size_t)nets->hidden;
    SlReal **const wide[] = {&work->h1, &work->h2, &work->dz1, &work->dz2,
                             &work->a1, &work->a2, &work->da1, &work->da2};
    SlReal **const thin[] = {&work->q, &work->dq};
    SlReal **const all[] = {&work->y, &work->rewards, &work->ended};
    bool made = true;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
        made = made && (*wide[i] = SL_NEW(arena, hidden, SlReal));
    for (size_t i = 0; i < sizeof thin / sizeof *thin; i++)
        made = made && (*thin[i] = SL_NEW(arena, n, SlReal));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        made = made && (*all[i] = SL_NEW(arena, n * (size_t)nets->n_agents, SlReal));
    work->own = SL_NEW(arena, n * (size_t)nets->n_observed, SlReal);
    work->dlogits = SL_NEW(arena, n * SL_PARTICLE_ACTIONS, SlReal);
    size_t larger =
        nets->critic_params > nets->actor_params ? nets->critic_params : nets->actor_params;
    work->grad = SL_NEW(arena, larger, SlReal);
    work->first = SL_NEW(arena, nets->folded ? first : 1, SlReal);
    work->first2 = SL_NEW(arena, nets->folded ? first : 1, SlReal);
    work->dfirst = SL_NEW(arena, nets->folded ? first : 1, SlReal);
    // two second layers, and third ones with the rows of the own action: 1 + 5 + 5 columns
    work->turned = SL_NEW(
        arena, (size_t)nets->hidden * (2 * (size_t)nets->hidden + 1 + 2 * SL_PARTICLE_ACTIONS),
        SlReal);
    work->n_workers = 0;
    return made && work->turned && work->own && work->dlogits && work->grad && work->first &&
           work->first2 && work->dfirst;
}

bool sl_agent_work_widen(const SlNets *nets, int workers, SlArena *arena, SlAgentWork *work) {
    if (workers <= work->n_workers) return true;
    SlReal **scratch = SL_NEW(arena, workers, SlReal *);
    if (!scratch) return false;
    for (int w = 0; w < workers; w++) {
        scratch[w] =
            w < work->n_workers ? work->scratch[w] : SL_NEW(arena, sl_agent_scratch(nets), SlReal);
        if (!scratch[w]) return false;
    }
    work->scratch = scratch;
    work->n_workers = workers;
    return true;
}
