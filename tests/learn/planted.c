// planted.c - a space whose best point is known, and a method let loose on it.
#include "planted.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int32_t target[PLANTED_PARAMS] = {7, 1, 4, 8, 0, 3, 2, 17, 0};

void planted_init(Planted *planted) {
    memset(planted, 0, sizeof *planted);
    sl_layer_init(&planted->layer);
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    if (sl_accel_find("eyeriss", &scratch, &planted->accel, NULL) != SL_OK) abort();
    sl_arena_free(&scratch);
    for (int i = 0; i < PLANTED_PARAMS; i++) {
        SlParam *param = &planted->params[i];
        *param = (SlParam){.kind = SL_ORDINAL, .role = SL_ROLE_TILE, .n = 9, .sizes = sizes};
        snprintf(param->name, sizeof param->name, "p%d", i);
    }
    planted->params[6].kind = SL_CATEGORICAL;
    planted->params[6].role = SL_ROLE_PARALLEL;
    planted->params[6].n = 4;
    planted->params[7].kind = SL_PERMUTATION;
    planted->params[7].role = SL_ROLE_ORDER;
    planted->params[7].n = 24;
    planted->params[7].n_items = 4;
    planted->params[8].n = 1;
    planted->space = (SlSpace){.layer = &planted->layer,
                               .accel = &planted->accel,
                               .n_params = PLANTED_PARAMS,
                               .params = planted->params};
    planted->row = (SlTaskRow){.view = sl_knob_view,
                               .n_features = sl_knob_n_features,
                               .group = sl_knob_group,
                               .features = sl_knob_features};
    planted->kind = (SlTaskKind){.name = "planted", .title = "planted", .us = 1};
    planted->kind.row = &planted->row;
    planted->task =
        (SlTask){.kind = &planted->kind, .space = &planted->space, .unit = "", .floor = NAN};
}

double planted_score(const int32_t *point) {
    double score = 0;
    for (int i = 0; i < 6; i++) score += pow((point[i] - target[i]) / 9.0, 2);
    score += point[6] == target[6] ? 0 : 0.2;
    uint8_t order[4], wanted[4];
    sl_permutation(4, point[7], order);
    sl_permutation(4, target[7], wanted);
    for (int i = 0; i < 4; i++) score += order[i] == wanted[i] ? 0 : 0.1;
    return score;
}

static void note(const Planted *planted, const int32_t *point, PlantedRun *run) {
    for (int i = 0; i < PLANTED_PARAMS; i++) {
        run->digest = sl_fnv_add(run->digest, (uint64_t)point[i]);
        run->strange += point[i] < 0 || point[i] >= planted->params[i].n;
    }
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

PlantedRun planted_run(const SlMethod *method, const void *options, const SlAgents *agents,
                       uint64_t seed, int samples, int room) {
    Planted planted;
    planted_init(&planted);
    SlArena arena;
    sl_arena_init(&arena, 0);
    SlAgents each;
    sl_agents_each(&planted.space, &each);
    SlMethodSetup setup = {.task = &planted.task,
                           .agents = agents ? agents : &each,
                           .seed = seed,
                           .stream = "planted",
                           .budget = samples};
    void *defaults = sl_arena_alloc(&arena, 1, method->options_bytes);
    if (method->options_bytes) sl_options_init(method->options, defaults);
    double begun = now_us();
    void *state = method->make(&setup, options ? options : defaults, &arena);
    int32_t *points = SL_NEW(&arena, room * PLANTED_PARAMS, int32_t);
    SlSample *outcomes = SL_NEW(&arena, room, SlSample);
    if (!state || !points || !outcomes) abort();

    PlantedRun run = {.best = INFINITY, .digest = SL_FNV_START};
    for (int t = 0; t < samples;) {
        int most = samples - t < room ? samples - t : room;
        int n = method->ask(state, most, points);
        assert(1 <= n && n <= most);
        for (int i = 0; i < n; i++, t++) {
            const int32_t *point = points + (ptrdiff_t)i * PLANTED_PARAMS;
            note(&planted, point, &run);
            double score = planted_score(point);
            run.best = fmin(run.best, score);
            if (t >= samples - samples / 10) run.late += score / (samples / 10);
            outcomes[i] = (SlSample){.value = exp(score),
                                     .score = score,
                                     .latency_cycles = exp(score),
                                     .energy_pj = exp(score),
                                     .area_um2 = 1,
                                     .power_mw = 1};
        }
        method->tell(state, n, points, outcomes);
    }
    run.us_sample = (now_us() - begun) / samples;
    sl_arena_free(&arena);
    return run;
}
