// margin.c - CMA-ES with margin (Hamano, Saito, Nomura, Shirakawa, GECCO 2022) for sizes, and what
// corresponds to it for orders and sets of dims.
//
// A size is an integer: its thresholds are the middles between neighbouring sizes. Where the chance
// of a value below or above the present one falls under chance/2, mean and width of the coordinate
// are solved from the two chances, raised to that. At the ends of the list, where only one side is
// left, the mean is pulled towards the threshold. Orders and sets compare coordinates, so there it
// is the difference of two means that is held within reach of the deviation of that difference.
#include "margin.h"

#include <math.h>

static const double SQRT_HALF = 0.70710678118654752440;

// chance of a standard normal number above z
static double tail(double z) {
    return 0.5 * erfc(z * SQRT_HALF);
}

double sl_normal_tail(double p) {
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (tail(middle) > p)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

// between two thresholds
static void keep_between(int column, double low, double high, double chance, SlCma *cma) {
    double *mean = &cma->mean[column], deviation = sl_cma_deviation(cma, column);
    double below = tail((*mean - low) / deviation), above = tail((high - *mean) / deviation);
    double least = chance / 2;
    if (below >= least && above >= least) return;
    // raise what is too small; the others give in proportion to what they have above the least
    double between = 1 - below - above;
    below = fmax(below, least);
    above = fmax(above, least);
    double sum = below + above + between, give = (1 - sum) / (sum - 3 * least);
    below += give * (below - least);
    above += give * (above - least);
    double down = sl_normal_tail(below), up = sl_normal_tail(above);
    cma->stretch[column] *= (high - low) / (down + up) / deviation;
    *mean = low + down * (high - low) / (down + up);
}

// beyond the last threshold: not too far from it
static void keep_near(int column, double threshold, double reach, SlCma *cma) {
    double most = reach * sl_cma_deviation(cma, column), *mean = &cma->mean[column];
    *mean = threshold + fmin(fmax(*mean - threshold, -most), most);
}

static void keep_size(const SlParam *param, int column, int32_t value, double chance, double reach,
                      SlCma *cma) {
    double here = sl_relax_size(param, param->sizes[value]), low = NAN, high = NAN;
    if (value > 0) low = 0.5 * (here + sl_relax_size(param, param->sizes[value - 1]));
    if (value < param->n - 1) high = 0.5 * (here + sl_relax_size(param, param->sizes[value + 1]));
    if (value > 0 && value < param->n - 1)
        keep_between(column, low, high, chance, cma);
    else
        keep_near(column, value > 0 ? low : high, reach, cma);
}

// neighbours of the present order
static void keep_order(const SlParam *param, int first, int32_t value, double reach, SlCma *cma) {
    uint8_t order[SL_N_DIMS];
    sl_permutation(param->n_items, value, order);
    for (int k = 0; k + 1 < param->n_items; k++) {
        int i = first + order[k], j = first + order[k + 1];
        double most = reach * sl_cma_deviation_between(cma, i, j);
        double over = cma->mean[j] - cma->mean[i] - most;
        if (over <= 0) continue;
        // all that follow move up together
        for (int l = k + 1; l < param->n_items; l++) cma->mean[first + order[l]] -= over;
    }
}

// every value may overtake the present one
static void keep_set(const SlParam *param, int first, int32_t value, double reach, SlCma *cma) {
    double *mean = cma->mean + first;
    for (int32_t v = 0; v < param->n; v++) {
        if (v == value) continue;
        double most = reach * sl_cma_deviation_between(cma, first + value, first + v);
        mean[v] = fmax(mean[v], mean[value] - most);
    }
}

// only differences count: keep the numbers of a parameter around 1/2
static void centre(int n, double *mean) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += mean[i];
    for (int i = 0; i < n; i++) mean[i] += 0.5 - sum / n;
}

void sl_margin_keep(const SlRelax *relax, double chance, SlCma *cma) {
    int32_t point[SL_MAX_PARAMS];
    double reach = sl_normal_tail(chance);
    sl_relax_round(relax, cma->mean, point);
    for (int i = 0; i < relax->space->n_params; i++) {
        const SlParam *param = &relax->space->params[i];
        int first = relax->first[i], n = relax->first[i + 1] - first;
        if (n == 0) continue;
        if (param->kind == SL_ORDINAL) {
            keep_size(param, first, point[i], chance, reach, cma);
            continue;
        }
        if (param->kind == SL_PERMUTATION)
            keep_order(param, first, point[i], reach, cma);
        else
            keep_set(param, first, point[i], reach, cma);
        centre(n, cma->mean + first);
    }
}
