// totals.h - what the tasks of a plan of tuners amount to: cycles of whole networks, what tuning
// them takes, and cores against each other.
//
// Flow: sl_results_make -> sl_plan_core_names -> one call per number of a table.
//
// A network on a core is the sum over its distinct layers, each as often as the network has it;
// layers that stay on the host are not in it. With one seed every distinct layer is tuned once.
#pragma once

#include "starling/study/compare.h"

SL_API_BEGIN

// Seconds that a measurement takes on a board; TopHub's records of VTA show 7.5 to 15.
#define SL_BOARD_SECONDS 8.0

// The cores of a plan, names (n_tasks), in the order of its tasks; returns how many.
int sl_plan_core_names(const SlPlan *plan, const char **names);

// A network of the plan on one of its cores.
typedef struct {
    const SlPlan *plan;
    const SlResults *results; // of the same plan: its first tasks are the plan's
    int network;
    const char *core;
} SlTotal;

// The sum of the optima; NAN where one is not known. `proven`: all are (NULL = not wanted).
double sl_total_optimum(const SlTotal *total, bool *proven);
// Images per second at the clock of the core's profile.
double sl_total_images(const SlTotal *total, double cycles);

// Over seeds.
SlSummary sl_total_summary(const SlTotal *total, int row, int64_t samples); // cycles
SlSummary sl_total_effort(const SlTotal *total, int row, double percent);   // measurements
SlSummary sl_total_time(const SlTotal *total, int row);                     // seconds
SlEstimate sl_total_ratio(const SlTotal *total, int row, int other, int64_t samples);
// Measurements of the row over those of the other, as above.
SlEstimate sl_total_effort_ratio(const SlTotal *total, int row, int other, double percent);

// Failed measurements of a run, -1 = not known.
int64_t sl_run_failures(const SlCellRecord *run);

// --- Cores against each other

typedef struct {
    const char *name;
    double cycles; // of a network, per image: the sum of the optima; NAN = not known
    bool proven;   // all of them are
    int64_t macs;
    int bram36;
    int chip;       // the first of sl_vta_budgets that has space, -1 = none
    bool best_macs; // no core with at most as many MACs is faster; the same of BRAM36
    bool best_bram;
} SlCorePoint;

// The cores of the plan (n), which are points (space for n_tasks), and who is on the fronts.
int sl_core_points(const SlPlan *plan, const SlResults *results, int network, SlCorePoint *points);

SL_API_END
