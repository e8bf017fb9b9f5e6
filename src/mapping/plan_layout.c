// plan_layout.c - which dims to spread over which fan-outs, before tiles and orders are known.
//
// Every axis of every fan-out takes up to two dims in turn, from the outermost on; a beam keeps the
// layouts with the fewest steps times the energy estimated for the smallest tiles.
#include "plan.h"

#include <string.h>

enum {
    BEAM = 12,      // layouts kept after every axis
    MAX_MINOR = 64, // most instances tried for the dim that gets the smaller share of an axis
};

typedef struct {
    Plan plan;
    double score;
} Layout;

// The best layouts so far, best first.
typedef struct {
    int n;
    Layout list[BEAM];
} Beam;

// two ways around may lead to the same layout
static bool has_layout(const Beam *beam, const Plan *plan) {
    for (int i = 0; i < beam->n; i++)
        if (memcmp(beam->list[i].plan.spread, plan->spread, sizeof plan->spread) == 0) return true;
    return false;
}

static void offer(const World *world, const Plan *plan, Beam *beam) {
    Layout layout = {.plan = *plan};
    PlanCounts counts;
    sl_plan_start(world, &layout.plan);
    if (has_layout(beam, &layout.plan)) return;
    sl_plan_count(world, &layout.plan, SL_SPREAD_ALL, &counts);
    if (!sl_plan_is_legal(world, &layout.plan, &counts)) return;
    layout.score = counts.steps * sl_plan_estimate(world, &layout.plan, &counts).energy_pj;

    int i = beam->n < BEAM ? beam->n++ : BEAM;
    for (; i > 0 && layout.score < beam->list[i - 1].score; i--)
        if (i < BEAM) beam->list[i] = beam->list[i - 1];
    if (i < BEAM) beam->list[i] = layout;
}

// what is left of a dim for an axis of a segment; nothing where another axis has it, for a loop
// lies on one axis
static int64_t rest_of(const World *world, const Plan *plan, int segment, int dim) {
    int64_t rest = world->layer->dims[dim];
    if (plan->spread[segment][dim] > 1) return 1;
    for (int s = 0; s < world->n; s++) rest = sl_ceil_div(rest, plan->spread[s][dim]);
    return rest;
}

// the fewest instances that need as few turns as `most` do
static int64_t useful_count(int64_t extent, int64_t most) {
    return sl_ceil_div(extent, sl_ceil_div(extent, sl_smaller(extent, most)));
}

// the split of an axis over a minor and a major dim with the fewest turns
static void offer_pair(const World *world, const Plan *base, int segment, int64_t size,
                       const int dims[2], Beam *beam) {
    int64_t minor = rest_of(world, base, segment, dims[0]);
    int64_t major = rest_of(world, base, segment, dims[1]);
    int64_t best = 0;
    double best_turns = 0;
    for (int64_t n = 2; n <= minor && n <= size / n && n <= MAX_MINOR; n++) {
        double turns = (double)sl_ceil_div(minor, n) *
                       (double)sl_ceil_div(major, useful_count(major, size / n));
        if (best > 0 && turns >= best_turns) continue;
        best = n;
        best_turns = turns;
    }
    if (best == 0 || major < 2) return;
    Plan plan = *base;
    plan.spread[segment][dims[0]] = best;
    plan.spread[segment][dims[1]] = useful_count(major, size / best);
    offer(world, &plan, beam);
}

// every way to fill one axis, from one layout
static void fill_axis(const World *world, const Plan *base, int segment, const SlAxis *axis,
                      Beam *beam) {
    offer(world, base, beam);
    for (int d = 0; d < SL_N_DIMS; d++) {
        int64_t rest = rest_of(world, base, segment, d);
        if (!(axis->dims >> d & 1) || rest < 2 || axis->size < 2) continue;
        Plan plan = *base;
        plan.spread[segment][d] = useful_count(rest, axis->size);
        offer(world, &plan, beam);
        for (int other = 0; other < SL_N_DIMS; other++)
            if (other != d && axis->dims >> other & 1)
                offer_pair(world, base, segment, axis->size, (int[]){d, other}, beam);
    }
}

int sl_layouts_find(const World *world, int room, Plan *plans) {
    Plan bare = {0};
    for (int s = 0; s < world->n; s++)
        for (int d = 0; d < SL_N_DIMS; d++) bare.spread[s][d] = bare.tile[s][d] = 1;
    Beam beam = {0};
    offer(world, &bare, &beam);

    for (int s = 0; s < world->n; s++) {
        const SlFanout *fanout = &world->accel->fanouts[s];
        for (int a = 0; a < fanout->n_axes; a++) {
            Beam next = {0};
            for (int i = 0; i < beam.n; i++)
                fill_axis(world, &beam.list[i].plan, s, &fanout->axes[a], &next);
            beam = next;
        }
    }
    int n = beam.n < room ? beam.n : room;
    for (int i = 0; i < n; i++) plans[i] = beam.list[i].plan;
    return n;
}
