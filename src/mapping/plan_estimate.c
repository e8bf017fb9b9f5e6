// plan_estimate.c - about what a plan costs, in a fraction of a microsecond.
//
// The classic reading of a loop nest: a tensor is fetched again in every iteration of the loops
// that do not index it, except for those inside its innermost loop that does. Trip counts are means
// over partial tiles, so that counts are exact where that reading is. Rows shared by neighbouring
// windows are credited to the innermost row or column loop only.
#include "plan.h"

static double larger(double a, double b) {
    return a > b ? a : b;
}

// How often a tensor comes to level l, per distinct word.
typedef struct {
    double refetch;  // iterations of its idle class that fetch it again
    double copies;   // instances that hold the same word
    double served;   // of them, those that are served one by one
    double parents;  // instances of the parent that hold the same word
    int inner;       // segment of its innermost loop that iterates, -1 if none does
    bool by_windows; // that loop moves the window
} Visits;

static Visits count_visits(const World *world, const Plan *plan, const Trips *trips, int level,
                           int tensor) {
    Visits v = {.refetch = 1, .copies = 1, .served = 1, .parents = 1, .inner = -1};
    int idle = sl_plan_idle[tensor], parent = world->parent[level][tensor];
    for (int s = level - 1; s >= 0; s--) {
        const SlFanout *fanout = &world->accel->fanouts[s];
        bool shared = s >= parent && (tensor == SL_O ? fanout->reduction : fanout->multicast);
        v.copies *= trips[s].space[idle];
        if (!shared) v.served *= trips[s].space[idle];
        if (s < parent) v.parents *= trips[s].space[idle];

        // the loops of the segment from the inside
        for (int i = N_STAYING - 1; i >= 0; i--) {
            int c = sl_plan_orders[plan->order[s]][i];
            if (c == idle) {
                if (v.inner >= 0) v.refetch *= trips[s].time[idle];
            } else if (v.inner < 0 && trips[s].time[c] > 1) {
                v.inner = s;
                v.by_windows = c == CLASS_NPQ;
            }
        }
        if (v.inner < 0 && trips[s].time[CLASS_G] > 1) v.inner = s;
    }
    return v;
}

// coordinates touched along one axis when `n_outputs` and `n_taps` are the numbers of pieces
static double window_sum(const World *world, int axis, double n_outputs, double n_taps) {
    const int64_t *e = world->layer->dims;
    double outputs = (double)e[SL_P + axis], taps = (double)e[SL_R + axis];
    double shared = larger(0, outputs - world->dilation[axis] * n_outputs) *
                    larger(0, taps - world->stride[axis] * n_taps);
    return outputs * taps - shared;
}

// words of all tiles of I at a level, halos counted in every tile but along the innermost loop
static double input_words(const World *world, const PlanCounts *counts, const Visits *visits,
                          int level) {
    const DimRow *dim = counts->dim;
    int s = level - 1;
    double n_rows = dim[SL_P].tiles[s], n_columns = dim[SL_Q].tiles[s];
    if (visits->inner >= 0 && visits->by_windows) {
        const Trips *inner = &counts->trips[visits->inner];
        if (inner->columns > 1)
            n_columns /= inner->columns;
        else
            n_rows /= inner->rows;
    }
    const int64_t *e = world->layer->dims;
    return (double)e[SL_N] * (double)e[SL_G] * (double)e[SL_C] *
           window_sum(world, 0, n_rows, dim[SL_R].tiles[s]) *
           window_sum(world, 1, n_columns, dim[SL_S].tiles[s]);
}

// Words moved, summed over the plan.
typedef struct {
    double reads[SL_MAX_LEVELS], writes[SL_MAX_LEVELS];
    double port[SL_MAX_LEVELS]; // accesses if all instances had as many as instance 0
    double link[SL_MAX_LEVELS], delivered[SL_MAX_LEVELS];
} Traffic;

// one tensor on its way to level l
static void add_tensor(const World *world, const Plan *plan, const PlanCounts *counts, int level,
                       int tensor, Traffic *traffic) {
    int parent = world->parent[level][tensor];
    Visits v = count_visits(world, plan, counts->trips, level, tensor);
    double fetched = world->words[tensor] * v.refetch;
    if (level == world->n)
        fetched = world->macs / v.copies; // the MACs hold nothing
    else if (tensor == SL_I)
        fetched = input_words(world, counts, &v, level) * v.refetch;
    double fill = fetched * v.copies, served = fetched * v.served;

    // partial sums; the first one under each parent starts at zero
    double back = tensor == SL_O ? larger(0, served - world->words[SL_O] * v.parents) : 0;
    double up = tensor == SL_O ? served : 0, down = tensor == SL_O ? back : served;
    traffic->reads[parent] += down;
    traffic->writes[parent] += up;
    traffic->port[parent] += down + up;
    if (level == world->n) return;

    // instance 0 is the one that gets the partial sums of its group
    double own_back = tensor == SL_O ? larger(0, fill - world->words[SL_O] * v.copies) : 0;
    traffic->port[level] += fill + own_back;
    traffic->reads[level] += tensor == SL_O ? fill : 0;
    traffic->writes[level] += tensor == SL_O ? back : fill;
    traffic->link[level] += down + up;
    traffic->delivered[level] += fill + back;
}

static double latency_cycles(const World *world, const PlanCounts *counts, const Traffic *traffic) {
    double longest = counts->steps, stalls = 0, instances = 1;
    for (int l = 0; l < world->n; l++) {
        const SlLevel *level = &world->accel->levels[l];
        longest = larger(longest, traffic->port[l] / instances / level->port_words);
        double link = l > 0 ? traffic->link[l] / level->link_words : 0;
        if (level->buffering == SL_BUFFER_SINGLE)
            stalls += link;
        else
            longest = larger(longest, link);
        instances *= counts->trips[l].all;
    }
    return longest + stalls;
}

Estimate sl_plan_estimate(const World *world, const Plan *plan, const PlanCounts *counts) {
    Traffic traffic = {0};
    for (int l = 1; l <= world->n; l++)
        for (int t = 0; t < SL_N_TENSORS; t++)
            if (world->keep[l] >> t & 1) add_tensor(world, plan, counts, l, t, &traffic);

    Estimate estimate = {.energy_pj = world->macs * world->accel->mac_pj};
    for (int l = 0; l < world->n; l++) {
        const SlLevel *level = &world->accel->levels[l];
        estimate.energy_pj += traffic.reads[l] * level->read_pj +
                              traffic.writes[l] * level->write_pj +
                              traffic.delivered[l] * level->link_pj;
    }
    estimate.latency_cycles = latency_cycles(world, counts, &traffic) + counts->ramp_cycles;
    return estimate;
}
