// parzen.h - inside search: kernels over the values of a parameter, for densities around known
// points.
//
// Flow: sl_parzen_init (one kernel per parameter with a choice) -> sl_parzen_code (a point as the
//       kernels see it) -> sl_kernel_add_logs, sl_kernel_sum (kernels around known values, at a
//       value), sl_kernel_sample (a value near a known one).
#pragma once

#include "starling/search.h"

enum {
    SL_MAX_BINS = 64, // lists of more values are seen in so many parts
    SL_MAX_PAIRS = SL_N_DIMS * (SL_N_DIMS - 1) / 2,
};

// How wide kernels are.
typedef struct {
    double keep;  // chance of the value itself; the rest is
    double width; // sizes: a bell over the list, standard deviation as share of the list
    double turn;  // orders: weight, for each pair of loops that stands the other way round (0..1)
                  // parallel dims: uniform
} SlWidths;

// The kernel of one parameter. Codes are bins of values; of orders, one bit per pair of loops.
typedef struct {
    const SlParam *param;
    double keep, turn;
    int n_bins;
    double *density;     // (n_bins, n_bins) at bin (row) around bin (column); of orders
                         // (n_pairs + 1) by the number of pairs turned
    double *log_density; // the same
    double
        *rest; // (n_bins, n_bins) around bin (row): sums up to bin, without `keep`. NULL = orders
    double uniform, log_uniform; // the uniform density
} SlKernel;

typedef struct {
    const SlSpace *space;
    int n;                           // parameters with a choice
    int free[SL_MAX_PARAMS];         // (n) which
    SlKernel kernels[SL_MAX_PARAMS]; // (n)
} SlParzen;

// False without memory.
bool sl_parzen_init(SlParzen *parzen, const SlSpace *space, const SlWidths *widths, SlArena *arena);
void sl_parzen_code(const SlParzen *parzen, const int32_t *point, uint32_t *codes); // codes (n)

// Add to `sums` (n) the logs of the densities at `code` of the kernels around n centres; or return
// the sum of the densities themselves.
void sl_kernel_add_logs(const SlKernel *kernel, uint32_t code, int n, const uint32_t *centres,
                        double *sums);
double sl_kernel_sum(const SlKernel *kernel, uint32_t code, int n, const uint32_t *centres);

// A value from the kernel around `centre`, a value too.
int32_t sl_kernel_sample(const SlKernel *kernel, int32_t centre, SlRng *rng);
