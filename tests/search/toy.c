// toy.c - functions over the points of a space whose optimum is known.
#include "search/toy.h"

#include "support/check.h"

#include <math.h>

// share of the pairs of loops that stand the other way round
static double order_distance(int n, int32_t a, int32_t b) {
    uint8_t left[SL_N_DIMS], right[SL_N_DIMS], place[SL_N_DIMS];
    int wrong = 0;
    sl_permutation(n, a, left);
    sl_permutation(n, b, right);
    for (int i = 0; i < n; i++) place[right[i]] = (uint8_t)i;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) wrong += place[left[i]] > place[left[j]];
    return (double)wrong / (n * (n - 1) / 2.0);
}

static double distance(const SlParam *param, int32_t a, int32_t b) {
    if (a == b) return 0;
    if (param->kind == SL_CATEGORICAL) return 1;
    if (param->kind == SL_PERMUTATION) return order_distance(param->n_items, a, b);
    return fabs((double)(a - b)) / (param->n - 1);
}

double toy_score(Toy toy, const SlSpace *space, const int32_t *target, const int32_t *point) {
    double sum = 0, last = 0;
    if (toy == TOY_PLAIN) return 0.5;
    for (int i = 0; i < space->n_params; i++) {
        double d = distance(&space->params[i], point[i], target[i]);
        sum += toy == TOY_LINKED ? fmax(d, last) : d;
        last = d;
    }
    return sum / space->n_params;
}

double toy_best(Toy toy, World *world, const char *name, const char *changes, uint64_t seed,
                int64_t n_samples) {
    enum { ROOM = 16 };
    int32_t target[SL_MAX_PARAMS], points[ROOM * SL_MAX_PARAMS];
    int n_params = world->space.n_params;
    SlSample outcomes[ROOM];
    SlArena arena;
    SlAgents agents;
    SlRng rng;
    sl_rng_init(&rng, seed, "toy");
    sl_space_sample(&world->space, &rng, target);
    sl_arena_init(&arena, 0);
    sl_agents_each(&world->space, &agents);
    const SlMethod *method = method_named(name);
    const SlMethodSetup setup = {.task = world_task(world, "edp", SL_ILLEGAL_REPAIR),
                                 .agents = &agents,
                                 .seed = seed,
                                 .stream = "toy",
                                 .budget = n_samples};
    void *state = method->make(&setup, method_options(method, changes, &arena), &arena);
    assert_non_null(state);
    double best = INFINITY;
    for (int64_t done = 0; done < n_samples;) {
        int room = n_samples - done < ROOM ? (int)(n_samples - done) : ROOM;
        int n = method->ask(state, room, points);
        assert_in_range(n, 1, room);
        for (int i = 0; i < n; i++) {
            const int32_t *point = points + (ptrdiff_t)i * n_params;
            for (int p = 0; p < n_params; p++)
                assert_in_range(point[p], 0, world->space.params[p].n - 1);
            double score = toy_score(toy, &world->space, target, point);
            outcomes[i] = (SlSample){.value = exp(score), .score = score};
            best = fmin(best, score);
        }
        method->tell(state, n, points, outcomes);
        done += n;
    }
    sl_arena_free(&arena);
    return best;
}
