// dream_slope.c - dreams down the slope of a belief (Hegde et al., Mind Mappings, ASPLOS 2021).
//
// A chain stands at a point. A round guesses its neighbours: every size one step up and down, every
// two adjacent loops of an order swapped, every other choice of a category. Their differences are
// the slope, and the chain goes down all of it at once: sizes by up to `reach` steps, in proportion
// to their slopes, half as far with every round; orders and categories to their best neighbour.
// Where nothing is better, or after STEPS rounds, it jumps: to a fresh point or to one of the pool.
#include <math.h>
#include <string.h>

#include "dream.h"

enum { STEPS = 6, ROOM = SL_DREAM_BATCH - 1 };

// A point that differs from the chain's in one value.
typedef struct {
    int param, step; // step: of a size, 0 for the other kinds
    int32_t value;
} Neighbour;

static void jump(SlDreams *dreams) {
    const size_t bytes = (size_t)dreams->space->n_params * sizeof *dreams->chain;
    double u = sl_rng_uniform(dreams->rng);
    if (dreams->n_pool == 0 || sl_rng_uniform(dreams->rng) < dreams->options.fresh)
        sl_space_sample(dreams->space, dreams->rng, dreams->chain);
    else
        memcpy(dreams->chain, dreams->pool[(int)(u * u * dreams->n_pool)].point, bytes);
    dreams->chain_left = STEPS;
    dreams->chain_reach = (double)dreams->options.reach;
}

// ---- neighbours ----

static int add_sizes(const SlParam *param, int p, int32_t value, int room, Neighbour *out) {
    int n = 0;
    for (int step = -1; step <= 1; step += 2)
        if (value + step >= 0 && value + step < param->n && n < room)
            out[n++] = (Neighbour){p, step, value + step};
    return n;
}

static int add_orders(const SlParam *param, int p, int32_t value, int room, Neighbour *out) {
    int n = 0;
    for (int i = 0; i + 1 < param->n_items && n < room; i++) {
        uint8_t order[SL_N_DIMS];
        sl_permutation(param->n_items, value, order);
        uint8_t kept = order[i];
        order[i] = order[i + 1];
        order[i + 1] = kept;
        out[n++] = (Neighbour){p, 0, sl_permutation_number(param->n_items, order)};
    }
    return n;
}

static int add_choices(const SlParam *param, int p, int32_t value, int room, Neighbour *out) {
    int n = 0;
    for (int32_t other = 0; other < param->n && n < room; other++)
        if (other != value) out[n++] = (Neighbour){p, 0, other};
    return n;
}

// of all parameters, from a random one on, as many as there is space for
static int list_neighbours(SlDreams *dreams, Neighbour *out) {
    const int n_params = dreams->space->n_params;
    int n = 0, first = (int)sl_rng_below(dreams->rng, (uint64_t)n_params);
    for (int k = 0; k < n_params; k++) {
        const int p = (first + k) % n_params, room = ROOM - n;
        const SlParam *param = &dreams->space->params[p];
        int32_t value = dreams->chain[p];
        n += param->kind == SL_ORDINAL       ? add_sizes(param, p, value, room, out + n)
             : param->kind == SL_PERMUTATION ? add_orders(param, p, value, room, out + n)
                                             : add_choices(param, p, value, room, out + n);
    }
    return n;
}

// ---- going down ----

// The chain's point and its neighbours (n) as a batch; those that cannot be are dropped. Returns
// how many neighbours are left, or -1 where the chain's own point cannot be.
static int see_batch(SlDreams *dreams, int n, Neighbour *neighbours) {
    const size_t bytes = (size_t)dreams->space->n_params * sizeof *dreams->chain;
    int left = 0;
    memcpy(dreams->batch[0].point, dreams->chain, bytes);
    if (!sl_dreams_see(dreams, 0)) return -1;
    for (int i = 0; i < n; i++) {
        int32_t *point = dreams->batch[left + 1].point;
        memcpy(point, dreams->chain, bytes);
        point[neighbours[i].param] = neighbours[i].value;
        if (sl_dreams_see(dreams, left + 1)) neighbours[left++] = neighbours[i];
    }
    return left;
}

// change of the belief per step up, over the sizes; returns the largest
static double find_slopes(const SlDreams *dreams, int n, const Neighbour *neighbours,
                          double *slopes) {
    double most = 0, here = (double)dreams->batch[0].believe;
    int sides[SL_MAX_PARAMS] = {0};
    memset(slopes, 0, (size_t)dreams->space->n_params * sizeof *slopes);
    for (int i = 0; i < n; i++) {
        if (neighbours[i].step == 0) continue;
        double rise = ((double)dreams->batch[i + 1].believe - here) * neighbours[i].step;
        slopes[neighbours[i].param] += rise;
        sides[neighbours[i].param]++;
    }
    for (int p = 0; p < dreams->space->n_params; p++) {
        if (sides[p] > 1) slopes[p] /= sides[p];
        most = fmax(most, fabs(slopes[p]));
    }
    return most;
}

static bool move_sizes(SlDreams *dreams, const double *slopes, double most) {
    bool moved = false;
    for (int p = 0; p < dreams->space->n_params && most > 0; p++) {
        double to = dreams->chain[p] - round(slopes[p] / most * fmax(dreams->chain_reach, 1));
        int32_t value = (int32_t)fmin(fmax(to, 0), dreams->space->params[p].n - 1);
        moved |= value != dreams->chain[p];
        dreams->chain[p] = value;
    }
    return moved;
}

static bool move_others(SlDreams *dreams, int n, const Neighbour *neighbours) {
    float least[SL_MAX_PARAMS];
    bool moved = false;
    for (int p = 0; p < dreams->space->n_params; p++) least[p] = dreams->batch[0].believe;
    for (int i = 0; i < n; i++) {
        const Neighbour *one = &neighbours[i];
        if (one->step != 0 || dreams->batch[i + 1].believe >= least[one->param]) continue;
        least[one->param] = dreams->batch[i + 1].believe;
        dreams->chain[one->param] = one->value;
        moved = true;
    }
    return moved;
}

void sl_dreams_descend(SlDreams *dreams) {
    Neighbour neighbours[ROOM];
    double slopes[SL_MAX_PARAMS];
    if (dreams->chain_left == 0) jump(dreams);
    int n = see_batch(dreams, list_neighbours(dreams, neighbours), neighbours);
    if (n < 0) {
        dreams->chain_left = 0;
        return;
    }
    sl_dreams_judge(dreams, n + 1);
    double most = find_slopes(dreams, n, neighbours, slopes);
    bool moved = move_others(dreams, n, neighbours);
    moved |= move_sizes(dreams, slopes, most);
    dreams->chain_left = moved ? dreams->chain_left - 1 : 0;
    dreams->chain_reach /= 2;
}
