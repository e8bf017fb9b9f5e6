// replay.c - a ring of transitions in one of three layouts; rows of floats in whole cache lines.
#include "starling/learn/replay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "replay_inside.h"

const char *const sl_replay_layout_names[SL_N_LAYOUTS + 1] = {"separate", "joint", "state", NULL};
const char *const sl_sampling_names[SL_N_SAMPLINGS + 1] = {"uniform", "neighbor", "priority", NULL};

enum { MAX_NUMBERS = 1 << 20, LINE = 16 }; // most numbers seen or in a state; floats in a line
enum { ACTIONS = SL_PARTICLE_ACTIONS };

static const char *check_map(const SlReplaySetup *setup) {
    if (setup->n_fixed < 0 || setup->n_fixed > setup->n_state)
        return "the fixed numbers of a state must be 0 to all of them";
    if (setup->layout != SL_LAYOUT_STATE) return NULL;
    if (setup->n_state < 1 || setup->n_state > INT16_MAX)
        return "states in replay must have 1 to 32767 numbers";
    if (!setup->map) return "replay of states needs the map of observations";
    for (int i = 0; i < setup->n_agents * setup->n_observed; i++) {
        const SlObserved one = setup->map[i];
        if (one.plus < -1 || one.plus >= setup->n_state || one.minus < -1 ||
            one.minus >= setup->n_state)
            return "the map of observations names numbers that the state does not have";
    }
    return NULL;
}

const char *sl_replay_check(const SlReplaySetup *setup) {
    if ((unsigned)setup->layout >= SL_N_LAYOUTS) return "no such layout of replay";
    if ((unsigned)setup->sampling >= SL_N_SAMPLINGS) return "no such sampling of replay";
    if (setup->capacity < 2 || setup->capacity > INT32_MAX)
        return "replay capacity must be 2 to 2147483647 transitions";
    if (setup->n_agents < 1 || setup->n_agents > SL_PARTICLE_MAX_AGENTS)
        return "replay must have 1 to 256 agents";
    if (setup->n_observed < 1 || setup->n_observed > MAX_NUMBERS / setup->n_agents)
        return "agents in replay must observe at least one number, all together at most 1048576";
    if (setup->sampling != SL_SAMPLE_UNIFORM && (setup->neighbors < 1 || setup->neighbors > 64))
        return "neighbors of a reference must be 1 to 64 on each side";
    if (setup->sampling == SL_SAMPLE_PRIORITY &&
        !(setup->priority_power >= 0 && setup->priority_power <= 1))
        return "the power of priorities must be 0 to 1";
    return check_map(setup);
}

// ---- what a row holds

RowPlan sl_replay_plan(const SlReplaySetup *setup) {
    const bool state = setup->layout == SL_LAYOUT_STATE;
    const size_t agents = setup->layout == SL_LAYOUT_SEPARATE ? 1 : (size_t)setup->n_agents;
    const size_t observed = state ? (size_t)setup->n_state : agents * (size_t)setup->n_observed;
    const size_t next = state ? (size_t)(setup->n_state - setup->n_fixed) : observed;
    RowPlan plan = {.next = observed};
    plan.actions = plan.next + next;
    plan.rewards = plan.actions + agents * ACTIONS;
    plan.ended = plan.rewards + agents;
    plan.n = plan.ended + 1;
    plan.stride = (plan.n + LINE - 1) / LINE * LINE;
    return plan;
}

size_t sl_replay_row_bytes(const SlReplaySetup *setup) {
    assert(!sl_replay_check(setup));
    return sl_replay_all_bytes(setup);
}

// where a number of the state lies in a row, of the next state if `next`; -1 stays
static int place(const SlReplaySetup *setup, const RowPlan *plan, bool next, int number) {
    const bool moves = number >= 0 && number < setup->n_state - setup->n_fixed;
    return next && moves ? (int)plan->next + number : number;
}

// whether (plus, minus) goes on where the run ends
static bool goes_on(const ObservedRun *run, int plus, int minus) {
    const bool plus_fits = run->plus < 0 ? plus < 0 : plus == run->plus + run->n;
    const bool minus_fits = run->minus < 0 ? minus < 0 : minus == run->minus + run->n % 2;
    return plus_fits && minus_fits;
}

bool sl_replay_runs(const SlReplaySetup *setup, const RowPlan *plan, SlArena *arena, bool next,
                    RunList *list) {
    const int n = setup->n_agents * setup->n_observed;
    *list = (RunList){.runs = SL_NEW(arena, n, ObservedRun)};
    if (!list->runs) return false;
    for (int i = 0; i < n; i++) {
        const int plus = place(setup, plan, next, setup->map[i].plus);
        const int minus = place(setup, plan, next, setup->map[i].minus);
        if (list->n == 0 || !goes_on(&list->runs[list->n - 1], plus, minus))
            list->runs[list->n++] = (ObservedRun){.plus = plus, .minus = minus};
        list->runs[list->n - 1].n++;
    }
    return true;
}

// ---- making and adding

static bool make_parts(SlReplay *replay, const SlReplaySetup *setup) {
    const size_t bytes = replay->plan.stride * sizeof(float) * (size_t)setup->capacity;
    replay->buffers = SL_NEW(&replay->arena, replay->n_buffers, Pages);
    if (!replay->buffers) return false;
    for (int i = 0; i < replay->n_buffers; i++)
        if (!sl_pages_make(bytes, setup->small_pages, &replay->buffers[i])) return false;
    if (setup->sampling == SL_SAMPLE_PRIORITY && !sl_priority_make(setup->capacity, &replay->tree))
        return false;
    replay->setup.map = NULL;
    if (setup->layout != SL_LAYOUT_STATE) return true;

    const size_t n = (size_t)setup->n_agents * (size_t)setup->n_observed;
    SlObserved *map = SL_NEW(&replay->arena, n, SlObserved);
    if (!map) return false;
    memcpy(map, setup->map, n * sizeof *map);
    replay->setup.map = map;
    return sl_replay_runs(setup, &replay->plan, &replay->arena, false, &replay->seen) &&
           sl_replay_runs(setup, &replay->plan, &replay->arena, true, &replay->seen_next);
}

SlReplay *sl_replay_make(const SlReplaySetup *setup) {
    assert(!sl_replay_check(setup));
    SlReplay *replay = calloc(1, sizeof *replay);
    if (!replay) return NULL;
    replay->setup = *setup;
    replay->plan = sl_replay_plan(setup);
    replay->n_buffers = sl_replay_buffers(setup);
    sl_arena_init(&replay->arena, 0);
    if (make_parts(replay, setup)) return replay;
    sl_replay_free(replay);
    return NULL;
}

void sl_replay_free(SlReplay *replay) {
    if (!replay) return;
    for (int i = 0; replay->buffers && i < replay->n_buffers; i++)
        sl_pages_free(&replay->buffers[i]);
    sl_pages_free(&replay->tree.pages);
    sl_arena_free(&replay->arena);
    free(replay);
}

bool sl_replay_huge_pages(const SlReplay *replay) {
    for (int i = 0; i < replay->n_buffers; i++)
        if (!replay->buffers[i].huge) return false;
    return true;
}

int64_t sl_replay_n(const SlReplay *replay) {
    return replay->n;
}

static void put(float *to, const float *from, size_t n) {
    memcpy(to, from, n * sizeof *to);
}

// agents' numbers from `agent` on, as many as the layout keeps in one row
static void write_observed(const SlReplay *replay, const SlTransition *t, int agent, float *row) {
    const RowPlan *plan = &replay->plan;
    const size_t agents = (plan->ended - plan->rewards), first = (size_t)agent;
    const size_t each = (size_t)replay->setup.n_observed;
    put(row, t->observations + first * each, agents * each);
    put(row + plan->next, t->next_observations + first * each, agents * each);
    put(row + plan->actions, t->actions + first * ACTIONS, agents * ACTIONS);
    put(row + plan->rewards, t->rewards + first, agents);
    row[plan->ended] = t->ended;
}

static void write_state(const SlReplay *replay, const SlTransition *t, float *row) {
    const RowPlan *plan = &replay->plan;
    const size_t agents = (size_t)replay->setup.n_agents;
    put(row, t->state, plan->next);
    put(row + plan->next, t->next_state, plan->actions - plan->next);
    put(row + plan->actions, t->actions, agents * ACTIONS);
    put(row + plan->rewards, t->rewards, agents);
    row[plan->ended] = t->ended;
}

void sl_replay_add(SlReplay *replay, const SlTransition *transition) {
    const int64_t to = replay->next;
    for (int b = 0; b < replay->n_buffers; b++) {
        float *row = sl_replay_row(replay, b, to);
        if (replay->setup.layout == SL_LAYOUT_STATE) {
            write_state(replay, transition, row);
        } else {
            write_observed(replay, transition, b, row);
        }
    }
    if (replay->tree.nodes) sl_priority_set(&replay->tree, to, replay->tree.largest);
    replay->next = to + 1 < replay->setup.capacity ? to + 1 : 0;
    if (replay->n < replay->setup.capacity) replay->n++;
}
