// boost_recall.c - average recall of the largest targets, the early stopping of AutoTVM's cost
// model (Chen et al., "Learning to optimize tensor programs", 2018).
#include <assert.h>
#include <string.h>

#include "boost_inside.h"

// let the word at `i` sink in a heap of n words with the smallest on top
static void sink(int n, uint64_t *heap, int i) {
    const uint64_t word = heap[i];
    for (int child = 2 * i + 1; child < n; i = child, child = 2 * i + 1) {
        if (child + 1 < n && heap[child + 1] < heap[child]) child++;
        if (heap[child] >= word) break;
        heap[i] = heap[child];
    }
    heap[i] = word;
}

// The `most` largest of n words: predictions above ranks, so that the worse come first among
// equals. They end up in descending order.
static void select_best(int n, const float *predicted, const int *rank, int most, uint64_t *heap) {
    for (int i = 0; i < n; i++) {
        const uint64_t word = (uint64_t)sl_boost_key(predicted[i]) << 32 | (uint64_t)rank[i];
        if (i < most) {
            heap[i] = word;
            if (i == most - 1)
                for (int k = most / 2; k >= 0; k--) sink(most, heap, k);
        } else if (word > heap[0]) {
            heap[0] = word;
            sink(most, heap, 0);
        }
    }
    for (int last = most - 1; last > 0; last--) {
        const uint64_t least = heap[0];
        heap[0] = heap[last];
        heap[last] = least;
        sink(last, heap, 0);
    }
}

double sl_boost_recall_ranked(int n, const float *predicted, const int *rank, int top,
                              uint64_t *scratch) {
    assert(n >= 1 && top >= 1);
    const int most = top < n ? top : n;
    uint64_t *best = scratch, *from = scratch + n; // from: rows that count from this m on
    select_best(n, predicted, rank, most, best);
    memset(from, 0, (size_t)most * sizeof *from);
    for (int i = 0; i < most; i++) {
        const int place = (int)(uint32_t)best[i], m = place > i + 1 ? place : i + 1;
        if (m < most) from[m]++;
    }
    double sum = 0;
    uint64_t found = 0;
    for (int m = 0; m < most; m++) {
        found += from[m];
        sum += (double)found / (m + 1);
    }
    return sum / most;
}

double sl_boost_recall(int n, const float *predicted, const float *target, int top,
                       uint64_t *scratch) {
    assert(n >= 1);
    int *rank = (int *)(scratch + 2 * (size_t)n);
    for (int i = 0; i < n; i++) scratch[i] = (uint64_t)~sl_boost_key(target[i]) << 32 | (uint64_t)i;
    const uint64_t *sorted = sl_boost_sort(n, scratch, scratch + n);
    for (int i = 0, above = 0; i < n; i++) {
        if (sorted[i] >> 32 != sorted[above] >> 32) above = i;
        rank[(uint32_t)sorted[i]] = above;
    }
    return sl_boost_recall_ranked(n, predicted, rank, top, scratch);
}
