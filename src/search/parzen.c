// parzen.c - kernels over the values of a parameter.
//
// Each keeps its centre with some chance and spreads the rest: parallel dims
// evenly (Aitchison & Aitken 1976), sizes as a bell over the list, cut at its
// ends; orders by the number of pairs of loops that are turned round, with
// weight turn^pairs (Mallows 1957), drawn by repeated insertion (Doignon, Pekec
// & Regenwetter 2004).
#include "parzen.h"

#include <math.h>

// first value of a bin; of the one after the last the number of values
static int32_t bin_begin(const SlKernel *kernel, int64_t bin) {
    int64_t n = kernel->param->n;
    return (int32_t)((bin * n + kernel->n_bins - 1) / kernel->n_bins);
}

static uint32_t bin_of(const SlKernel *kernel, int32_t value) {
    return (uint32_t)((int64_t)value * kernel->n_bins / kernel->param->n);
}

// bit per pair of loops: set where the lower dim stands inside the other
static uint32_t pair_bits(int n_items, int32_t number) {
    uint8_t order[SL_N_DIMS], place[SL_N_DIMS] = {0};
    sl_permutation(n_items, number, order);
    for (int i = 0; i < n_items; i++) place[order[i]] = (uint8_t)i;
    uint32_t bits = 0;
    int bit = 0;
    for (int i = 0; i < n_items; i++)
        for (int j = i + 1; j < n_items; j++) bits |= (uint32_t)(place[i] > place[j]) << bit++;
    return bits;
}

// --- tables

static bool make_tables(SlKernel *kernel, SlArena *arena) {
    const SlParam *param = kernel->param;
    bool order = param->kind == SL_PERMUTATION;
    kernel->n_bins = param->n < SL_MAX_BINS ? param->n : SL_MAX_BINS;
    int n = order ? param->n_items * (param->n_items - 1) / 2 + 1 : kernel->n_bins * kernel->n_bins;
    kernel->density = SL_NEW(arena, n, double);
    kernel->log_density = SL_NEW(arena, n, double);
    kernel->rest = order ? NULL : SL_NEW(arena, n, double);
    return kernel->density && kernel->log_density && (order || kernel->rest);
}

static void fill_orders(SlKernel *kernel) {
    int n_items = kernel->param->n_items, n_pairs = n_items * (n_items - 1) / 2;
    // the weights of all orders: the i-th loop turns 0..i-1 pairs
    double all = 1;
    for (int i = 1; i <= n_items; i++) {
        double sum = 0;
        for (int j = 0; j < i; j++) sum += pow(kernel->turn, j);
        all *= sum;
    }
    for (int d = 0; d <= n_pairs; d++) {
        kernel->density[d] = (1 - kernel->keep) * pow(kernel->turn, d) / all;
        if (d == 0) kernel->density[d] += kernel->keep;
        kernel->log_density[d] = log(kernel->density[d]);
    }
    kernel->uniform = 1.0 / kernel->param->n;
    kernel->log_uniform = log(kernel->uniform);
}

static double weight(const SlKernel *kernel, double width, int distance) {
    if (kernel->param->kind == SL_CATEGORICAL) return 1;
    double steps = distance / fmax(width * kernel->n_bins, 0.3);
    return exp(-0.5 * steps * steps) + 1e-12;
}

static void fill_bins(SlKernel *kernel, double width) {
    int n = kernel->n_bins;
    for (int centre = 0; centre < n; centre++) {
        double *rest = kernel->rest + (ptrdiff_t)centre * n, sum = 0;
        for (int bin = 0; bin < n; bin++)
            rest[bin] = sum += weight(kernel, width, bin < centre ? centre - bin : bin - centre);
        for (int bin = 0; bin < n; bin++) {
            rest[bin] /= sum;
            double part = rest[bin] - (bin ? rest[bin - 1] : 0);
            double density = (1 - kernel->keep) * part + (bin == centre ? kernel->keep : 0);
            kernel->density[bin * n + centre] = density;
            kernel->log_density[bin * n + centre] = log(density);
        }
    }
    kernel->uniform = 1.0 / n;
    kernel->log_uniform = log(kernel->uniform);
}

bool sl_parzen_init(SlParzen *parzen, const SlSpace *space, const SlWidths *widths,
                    SlArena *arena) {
    parzen->space = space;
    parzen->n = 0;
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        if (param->n < 2) continue;
        SlKernel *kernel = &parzen->kernels[parzen->n];
        *kernel = (SlKernel){.param = param, .keep = widths->keep, .turn = widths->turn};
        if (!make_tables(kernel, arena)) return false;
        parzen->free[parzen->n++] = i;
    }
    for (int p = 0; p < parzen->n; p++) {
        SlKernel *kernel = &parzen->kernels[p];
        if (kernel->rest)
            fill_bins(kernel, widths->width);
        else
            fill_orders(kernel);
    }
    return true;
}

void sl_parzen_code(const SlParzen *parzen, const int32_t *point, uint32_t *codes) {
    for (int i = 0; i < parzen->n; i++) {
        const SlKernel *kernel = &parzen->kernels[i];
        int32_t value = point[parzen->free[i]];
        codes[i] = kernel->rest ? bin_of(kernel, value) : pair_bits(kernel->param->n_items, value);
    }
}

// --- densities

// pairs of loops that stand the other way round (portable: not every machine
// counts bits)
static uint32_t n_turned(uint32_t a, uint32_t b) {
    uint32_t x = a ^ b;
    x -= x >> 1 & 0x55555555u;
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}

void sl_kernel_add_logs(const SlKernel *kernel, uint32_t code, int n, const uint32_t *centres,
                        double *sums) {
    const double *table = kernel->log_density;
    if (kernel->rest) {
        table += (ptrdiff_t)code * kernel->n_bins;
        for (int i = 0; i < n; i++) sums[i] += table[centres[i]];
    } else {
        for (int i = 0; i < n; i++) sums[i] += table[n_turned(centres[i], code)];
    }
}

double sl_kernel_sum(const SlKernel *kernel, uint32_t code, int n, const uint32_t *centres) {
    const double *table = kernel->density;
    double sum = 0;
    if (kernel->rest) {
        table += (ptrdiff_t)code * kernel->n_bins;
        for (int i = 0; i < n; i++) sum += table[centres[i]];
    } else {
        for (int i = 0; i < n; i++) sum += table[n_turned(centres[i], code)];
    }
    return sum;
}

// --- draws

// loops come one by one, from the outermost of the centre, and go in 0, 1, ...
// places further out than they stood: each place turns one more pair
static int32_t sample_order(const SlKernel *kernel, int32_t centre, SlRng *rng) {
    int n = kernel->param->n_items;
    uint8_t from[SL_N_DIMS], order[SL_N_DIMS];
    sl_permutation(n, centre, from);
    for (int i = 0; i < n; i++) {
        double sum = 0, weight_of = 1;
        for (int j = 0; j <= i; j++, weight_of *= kernel->turn) sum += weight_of;
        double left = sl_rng_uniform(rng) * sum;
        int out = 0;
        weight_of = 1;
        for (; out < i && left >= weight_of; out++, weight_of *= kernel->turn) left -= weight_of;
        for (int j = i; j > i - out; j--) order[j] = order[j - 1];
        order[i - out] = from[i];
    }
    return sl_permutation_number(n, order);
}

int32_t sl_kernel_sample(const SlKernel *kernel, int32_t centre, SlRng *rng) {
    if (sl_rng_uniform(rng) < kernel->keep) return centre;
    if (!kernel->rest) return sample_order(kernel, centre, rng);
    const double *rest = kernel->rest + (ptrdiff_t)bin_of(kernel, centre) * kernel->n_bins;
    double u = sl_rng_uniform(rng);
    int bin = 0;
    while (bin + 1 < kernel->n_bins && rest[bin] <= u) bin++;
    int32_t begin = bin_begin(kernel, bin);
    return begin + (int32_t)sl_rng_below(rng, (uint64_t)(bin_begin(kernel, bin + 1) - begin));
}
