// returns.h - inside report: the mean return of runs, stretch by stretch. A return is optimum /
// value: 1 = every sample of the stretch is optimal.
#pragma once

#include "section.h"

// Mean returns of one run in one stretch; NAN = none.
double sl_return_at(const SlResults *results, int task, int row, int seed, int window);
int sl_return_windows(const SlResults *results, int task);              // most of any run
int64_t sl_return_last(const SlResults *results, int task, int window); // sample at its end

// Quartiles over seeds of the mean return in a stretch.
SlSummary sl_return_summary(const SlSection *section, int task, int row, int window);
// The median over seeds of the mean return of the last tenth.
double sl_return_final(const SlSection *section, int task, int row);

// Samples until the mean return first reaches a level: the median over seeds, INFINITY if half of
// them never get there, NAN without runs.
double sl_return_reach(const SlSection *section, int task, int row, double level);
// That of a row over that of the reference; NAN where neither gets there.
SlEstimate sl_return_factor(const SlSection *section, int task, int row, double level);
