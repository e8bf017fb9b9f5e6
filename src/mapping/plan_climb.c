// plan_climb.c - improve the tiles and loop orders of a plan step by step.
//
// Coordinate descent on latency x energy as estimated: every tile size steps to its neighbours
// among the sizes ceil(E / n), together with the orders beside its boundary; a step that would not
// fit may take the room from another dim. First improvement, fixed sequence: deterministic.
#include "plan.h"

#include <math.h>

// a step that starts out this much worse is not worth trying other orders for (tried: 1.2 to 2)
static const double hopeless = 1.5;

// A plan with its counts, so that a move recounts only the dim that moved.
typedef struct {
    Plan plan;
    PlanCounts counts;
    double score; // latency x energy
} Point;

static double score_of(const World *world, const Point *point) {
    Estimate estimate = sl_plan_estimate(world, &point->plan, &point->counts);
    return estimate.latency_cycles * estimate.energy_pj;
}

// --- moves

// the order as the sequence of classes that iterate; orders with equal ones are the same nest
static int order_key(const Trips *trips, int order) {
    int key = 1;
    for (int i = 0; i < N_STAYING; i++) {
        int c = sl_plan_orders[order][i];
        if (trips->time[c] > 1) key = key * 4 + c;
    }
    return key;
}

// try all orders of one segment
static void best_order(const World *world, int segment, Point *point) {
    const Trips *trips = &point->counts.trips[segment];
    uint8_t *order = &point->plan.order[segment], best = *order;
    int tried[N_ORDERS], n = 0;
    tried[n++] = order_key(trips, best);
    for (int o = 0; o < N_ORDERS; o++) {
        int key = order_key(trips, o), i = 0;
        while (i < n && tried[i] != key) i++;
        if (i < n) continue;
        tried[n++] = key;
        *order = (uint8_t)o;
        double score = score_of(world, point);
        if (score >= point->score) continue;
        point->score = score;
        best = (uint8_t)o;
    }
    *order = best;
}

// take the step if it fits and, with the best orders beside the boundary, lowers the score
static bool try_point(const World *world, int b, int dims, Point *next, Point *point) {
    sl_plan_count(world, &next->plan, dims, &next->counts);
    if (!sl_plan_is_legal(world, &next->plan, &next->counts)) return false;
    next->score = score_of(world, next);
    if (next->score > hopeless * point->score) return false;
    best_order(world, b, next);
    best_order(world, b + 1, next);
    if (next->score >= point->score * (1 - 1e-9)) return false;
    *point = *next;
    return true;
}

static bool try_tile(const World *world, int b, int dim, int64_t size, Point *point) {
    if (size == point->plan.tile[b][dim]) return false;
    Point next = *point;
    sl_plan_set_tile(world, b, dim, size, &next.plan);
    return try_point(world, b, 1 << dim, &next, point);
}

// neighbouring sizes among ceil(whole / n)
static int64_t larger(int64_t whole, int64_t size) {
    int64_t n = sl_ceil_div(whole, size);
    return n > 1 ? sl_ceil_div(whole, n - 1) : whole;
}

static int64_t smaller(int64_t whole, int64_t size) {
    if (size == 1) return 1;
    int64_t next = sl_ceil_div(whole, sl_ceil_div(whole, size) + 1);
    return next < size ? next : size - 1;
}

// the size that keeps all instances busy
static int64_t even(const World *world, const Plan *plan, int b, int dim) {
    int64_t context = b > 0 ? plan->tile[b - 1][dim] : world->layer->dims[dim];
    return sl_ceil_div(context, plan->spread[b][dim]);
}

static bool climb_dim(const World *world, int b, int dim, Point *point) {
    int64_t whole = world->layer->dims[dim];
    const int64_t *size = &point->plan.tile[b][dim];
    bool moved = false;
    while (try_tile(world, b, dim, larger(whole, *size), point)) moved = true;
    while (!moved && try_tile(world, b, dim, smaller(whole, *size), point)) moved = true;
    moved |= try_tile(world, b, dim, sl_smaller(whole, 2 * *size), point);
    moved |= try_tile(world, b, dim, (*size + 1) / 2, point);
    moved |= try_tile(world, b, dim, whole, point);
    moved |= try_tile(world, b, dim, even(world, &point->plan, b, dim), point);
    return moved;
}

// grow one dim and shrink another at the same boundary
static bool try_trade(const World *world, int b, int grown, int shrunk, Point *point) {
    const int64_t *whole = world->layer->dims, *tile = point->plan.tile[b];
    Point next = *point;
    sl_plan_set_tile(world, b, grown, larger(whole[grown], tile[grown]), &next.plan);
    sl_plan_set_tile(world, b, shrunk, smaller(whole[shrunk], tile[shrunk]), &next.plan);
    return try_point(world, b, 1 << grown | 1 << shrunk, &next, point);
}

static bool climb_trades(const World *world, int b, Point *point) {
    bool moved = false;
    for (int grown = 0; grown < SL_N_DIMS; grown++) {
        for (int shrunk = 0; shrunk < SL_N_DIMS; shrunk++) {
            if (grown == shrunk || point->plan.tile[b][grown] == world->layer->dims[grown] ||
                point->plan.tile[b][shrunk] == 1)
                continue;
            while (try_trade(world, b, grown, shrunk, point)) moved = true;
        }
    }
    return moved;
}

double sl_plan_climb(const World *world, int sweeps, Plan *plan) {
    Point point = {.plan = *plan};
    sl_plan_count(world, plan, SL_SPREAD_ALL, &point.counts);
    if (!sl_plan_is_legal(world, plan, &point.counts)) return INFINITY;
    point.score = score_of(world, &point);
    for (int s = 0; s < world->n; s++) best_order(world, s, &point);
    bool moved = true;
    for (int sweep = 0; sweep < sweeps && moved; sweep++) {
        moved = false;
        for (int b = world->n - 2; b >= 0; b--)
            for (int d = 0; d < SL_N_DIMS; d++)
                if (world->layer->dims[d] > 1) moved |= climb_dim(world, b, d, &point);
        if (moved) continue;
        for (int b = world->n - 2; b >= 0; b--) moved |= climb_trades(world, b, &point);
    }
    *plan = point.plan;
    return point.score;
}
