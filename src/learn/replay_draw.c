// replay_draw.c - which rows make a batch.
//
// uniform: rows with replacement, as in the original. neighbor: Algorithm 1 of Gogineni, Wei, Lan &
// Venkataramani, "Towards Efficient Multi-Agent Learning Systems" (2023): references are drawn
// uniformly; of reference i the batch gets rows max(0, i - n) .. min(d, i + n + 1) - 1 but i, until
// it has enough. priority: references by weight, which are part of their micro-batch.
#include <assert.h>

#include "replay_inside.h"

int sl_replay_room(const SlReplay *replay, int batch) {
    if (replay->setup.sampling == SL_SAMPLE_UNIFORM) return batch;
    const int beyond = 2 * replay->setup.neighbors - 1;
    return batch + beyond + (replay->setup.sampling == SL_SAMPLE_PRIORITY);
}

// rows around a reference, with itself or without; returns how many
static int take_around(const SlReplay *replay, int64_t reference, bool itself, uint32_t *rows) {
    const int64_t n = replay->setup.neighbors;
    const int64_t first = reference > n ? reference - n : 0;
    const int64_t end = reference + n + 1 < replay->n ? reference + n + 1 : replay->n;
    int taken = 0;
    for (int64_t r = first; r < end; r++)
        if (itself || r != reference) rows[taken++] = (uint32_t)r;
    return taken;
}

int sl_replay_draw(const SlReplay *replay, int batch, SlRng *rng, uint32_t *rows) {
    assert(replay->n >= 2 && batch >= 1);
    const uint64_t held = (uint64_t)replay->n;
    int n = 0;
    switch (replay->setup.sampling) {
    case SL_SAMPLE_NEIGHBOR:
        while (n < batch)
            n += take_around(replay, (int64_t)sl_rng_below(rng, held), false, rows + n);
        break;
    case SL_SAMPLE_PRIORITY:
        while (n < batch)
            n += take_around(replay, sl_priority_draw(&replay->tree, rng), true, rows + n);
        break;
    default:
        while (n < batch) rows[n++] = (uint32_t)sl_rng_below(rng, held);
    }
    return n;
}
