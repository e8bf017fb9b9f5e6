// replay_priority.c - rows weighed by |TD error|^power (Schaul et al., "Prioritized Experience
// Replay", 2016, the proportional kind), kept as a tree of sums.
//
// Sums are made anew from below at each change, so that no rounding piles up.
#include <assert.h>
#include <math.h>

#include "replay_inside.h"

static const double least_error = 1e-6; // so that every row can be drawn

bool sl_priority_make(int64_t n_rows, PriorityTree *tree) {
    *tree = (PriorityTree){.n_leaves = 1, .largest = 1};
    while (tree->n_leaves < n_rows) tree->n_leaves *= 2;
    if (!sl_pages_make(2 * (size_t)tree->n_leaves * sizeof(double), false, &tree->pages))
        return false;
    tree->nodes = tree->pages.at;
    return true;
}

void sl_priority_set(PriorityTree *tree, int64_t row, double weight) {
    int64_t i = tree->n_leaves + row;
    tree->nodes[i] = weight;
    for (i /= 2; i > 0; i /= 2) tree->nodes[i] = tree->nodes[2 * i] + tree->nodes[2 * i + 1];
}

void sl_priority_rebuild(PriorityTree *tree) {
    for (int64_t i = tree->n_leaves - 1; i > 0; i--)
        tree->nodes[i] = tree->nodes[2 * i] + tree->nodes[2 * i + 1];
}

uint32_t sl_priority_draw(const PriorityTree *tree, SlRng *rng) {
    double left = sl_rng_uniform(rng) * tree->nodes[1];
    int64_t i = 1;
    while (i < tree->n_leaves) {
        i *= 2;
        // rounding may leave a little too much; where there is no weight nothing is drawn
        if (left < tree->nodes[i] || tree->nodes[i + 1] <= 0) continue;
        left -= tree->nodes[i++];
    }
    return (uint32_t)(i - tree->n_leaves);
}

void sl_replay_prioritise(SlReplay *replay, int n, const uint32_t *rows, const SlReal *errors) {
    PriorityTree *tree = &replay->tree;
    assert(tree->nodes);
    for (int i = 0; i < n; i++) {
        assert(rows[i] < replay->n);
        double weight = pow(fabs((double)errors[i]) + least_error, replay->setup.priority_power);
        if (!isfinite(weight)) weight = tree->largest;
        tree->largest = fmax(tree->largest, weight);
        sl_priority_set(tree, rows[i], weight);
    }
}
