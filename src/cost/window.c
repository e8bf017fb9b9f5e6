// window.c - two dims that share coordinates: rows p * stride + r * dilation, and columns likewise.
//
// Stride and dilation are reduced by their common divisor; then two pairs (p, r) name one
// coordinate iff they differ by a multiple of (dilation, -stride).
#include "factors.h"

static int64_t floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static int64_t ceil_div(int64_t a, int64_t b) {
    return -floor_div(-a, b);
}

// of [0, now) and [-shift, -shift + old)
static int64_t interval_overlap(int64_t now, int64_t old, int64_t shift) {
    int64_t end = min_size(now, old - shift), start = shift < 0 ? -shift : 0;
    return end > start ? end - start : 0;
}

// Residue classes of one dim that look alike: the new tile has indices 0..last, the old one
// from..to.
typedef struct {
    int64_t times, last, from, to;
} ClassRun;

// where floor((a - x) / step) falls by one while x goes from 0 to step - 1
static int64_t fall(int64_t a, int64_t step) {
    return a - floor_div(a, step) * step + 1;
}

// The classes x = 0..step-1 of indices modulo `step` that the new tile has. Each bound falls by one
// at a single x, so there are at most four runs; up to four classes need no runs.
static int class_runs(int64_t step, const Leaf *leaf, ClassRun runs[4]) {
    int64_t old = -leaf->shift, n_classes = min_size(step, leaf->now), cuts[3];
    int n = 0, n_cuts = n_classes > 4 ? 3 : 0;
    if (n_cuts) {
        cuts[0] = fall(leaf->now - 1, step);
        cuts[1] = fall(old - 1, step);
        cuts[2] = fall(old + leaf->old - 1, step);
    }
    for (int64_t x = 0; x < n_classes;) {
        int64_t next = n_cuts ? n_classes : x + 1;
        for (int i = 0; i < n_cuts; i++)
            if (cuts[i] > x) next = min_size(next, cuts[i]);
        ClassRun run = {.times = next - x,
                        .last = (leaf->now - 1 - x) / step,
                        .from = ceil_div(old - x, step),
                        .to = floor_div(old + leaf->old - 1 - x, step)};
        if (run.from <= run.to) runs[n++] = run;
        x = next;
    }
    return n;
}

// With gaps: every class of coordinates modulo stride x dilation has one (p mod dilation, r mod
// stride), and inside a class both tiles are intervals.
static int64_t gap_overlap(const Window *w, const Leaf *a, const Leaf *b) {
    ClassRun p[4], r[4];
    int n_p = class_runs(w->dilation, a, p), n_r = class_runs(w->stride, b, r);
    int64_t sum = 0;
    for (int i = 0; i < n_p; i++) {
        for (int j = 0; j < n_r; j++) {
            int64_t start = p[i].from + r[j].from > 0 ? p[i].from + r[j].from : 0;
            int64_t end = min_size(p[i].last + r[j].last, p[i].to + r[j].to);
            if (end >= start) sum += p[i].times * r[j].times * (end - start + 1);
        }
    }
    return sum;
}

static int64_t pair_overlap(const Window *w, const Leaf *a, const Leaf *b) {
    int64_t s = w->stride;
    bool solid = w->dilation == 1 && (s == 1 || (b->now >= s && b->old >= s));
    if (!solid) {
        // one tap at a time: rows stride apart
        bool one_tap = w->dilation == 1 && b->now == 1 && b->old == 1;
        if (!one_tap) return gap_overlap(w, a, b);
        return b->shift % s ? 0 : interval_overlap(a->now, a->old, a->shift + b->shift / s);
    }
    return interval_overlap((a->now - 1) * s + b->now, (a->old - 1) * s + b->old,
                            a->shift * s + b->shift);
}

static double pair_sum(const Window *w, int n_a, const Leaf *a, int n_b, const Leaf *b) {
    double sum = 0;
    for (int i = 0; i < n_a; i++)
        for (int j = 0; j < n_b; j++)
            sum += a[i].times * b[j].times * (double)pair_overlap(w, &a[i], &b[j]);
    return sum;
}

// as many leaves as the cache has space for; returns how many there are
static int fill_list(const DimTable *dim, int level, int state, uint64_t zero,
                     Leaf few[FEW_LEAVES]) {
    if (dim->exact) return sl_dim_leaves(dim, level, state, zero, few);
    Leaf list[MAX_LEAVES];
    int n = sl_dim_leaves(dim, level, state, zero, list);
    for (int j = 0; j < n && j < FEW_LEAVES; j++) few[j] = list[j];
    return n;
}

// the leaves of a window dim, from the cache if they are the ones it holds
static const LeafSet *leaf_set(Tables *tables, int group, int k, int level, int state) {
    LeafSet *set = &tables->windows[group].cache[k][state & 1];
    if (set->level == level && set->state == state) return set;
    int d = WINDOW_DIMS[group][k];
    const DimTable *dim = &tables->dims[d];
    uint64_t zero[N_LANES] = {0};
    if (dim->levels[level].spread) sl_dim_masks(tables, d, level, SL_I, zero);
    set->level = level, set->state = state, set->overflow = false;
    int n_lists = 0;
    uint64_t of_list[N_LANES];
    for (int lane = 0; lane < N_LANES; lane++) {
        int i = 0;
        while (i < n_lists && of_list[i] != zero[lane]) i++;
        set->list[lane] = (uint8_t)i;
        if (i < n_lists) continue;
        of_list[n_lists++] = zero[lane];
        set->n[i] = fill_list(dim, level, state, zero[lane], set->leaf[i]);
        set->overflow |= set->n[i] > FEW_LEAVES;
    }
    return set;
}

// one lane without the cache, for nests with very many loops
static double pair_sum_long(const Tables *tables, int group, int level, const int state[2],
                            int lane) {
    Leaf leaves[2][MAX_LEAVES];
    int n[2];
    for (int k = 0; k < 2; k++) {
        int d = WINDOW_DIMS[group][k];
        uint64_t zero[N_LANES];
        sl_dim_masks(tables, d, level, SL_I, zero);
        n[k] = sl_dim_leaves(&tables->dims[d], level, state[k], zero[lane], leaves[k]);
    }
    return pair_sum(&tables->windows[group], n[0], leaves[0], n[1], leaves[1]);
}

// words of a window over all steps: pairs (p, r) minus those that name a coordinate once more
static void window_volume(const Tables *tables, int group, int level, Lanes *out) {
    Lanes sum[2], more[2];
    for (int k = 0; k < 2; k++) {
        int d = WINDOW_DIMS[group][k];
        const DimTable *dim = &tables->dims[d];
        const DimLevel *view = &dim->levels[level];
        uint64_t zero[N_LANES] = {0};
        if (view->spread) sl_dim_masks(tables, d, level, SL_I, zero);
        sum[k] = tables->entries[view->entry].factor[SL_I];
        for (int lane = 0; lane < N_LANES; lane++)
            more[k][lane] = sl_dim_excess(dim, level, zero[lane]);
    }
    *out = sum[0] * sum[1] - more[0] * more[1];
}

static void window_overlap(Tables *tables, int group, int level, int state_a, int state_b,
                           Lanes *out) {
    const Window *window = &tables->windows[group];
    const LeafSet *a = leaf_set(tables, group, 0, level, state_a);
    const LeafSet *b = leaf_set(tables, group, 1, level, state_b);
    for (int lane = 0; lane < N_LANES; lane++) {
        int i = a->list[lane], j = b->list[lane], same = 0;
        while (same < lane && (a->list[same] != i || b->list[same] != j)) same++;
        if (same < lane)
            (*out)[lane] = (*out)[same];
        else if (a->overflow || b->overflow)
            (*out)[lane] = pair_sum_long(tables, group, level, (int[2]){state_a, state_b}, lane);
        else
            (*out)[lane] = pair_sum(window, a->n[i], a->leaf[i], b->n[j], b->leaf[j]);
    }
}

void sl_window_factor(Tables *tables, int group, int level, int state_a, int state_b, Lanes *out) {
    if (state_a == 0 && state_b == 0)
        window_volume(tables, group, level, out);
    else
        window_overlap(tables, group, level, state_a, state_b, out);
}
