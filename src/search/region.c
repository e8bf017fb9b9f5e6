// region.c - bounded samples and their Gaussian process.
#include "region.h"

#include <assert.h>
#include <math.h>
#include <string.h>

SlRegion *sl_region_make(int n_params, const SlGpShape *shape, SlArena *arena) {
    SlRegion *region = SL_NEW(arena, 1, SlRegion);
    if (!region) return NULL;
    int room = shape->room;
    *region = (SlRegion){.n_params = n_params, .n_inputs = shape->n_inputs, .room = room};
    region->points = SL_NEW(arena, room * n_params, int32_t);
    region->inputs = SL_NEW(arena, room * shape->n_inputs, double);
    region->scores = SL_NEW(arena, room, double);
    region->sorted = SL_NEW(arena, room, double);
    region->gp = sl_gp_make(shape, arena);
    bool made = region->points && region->inputs && region->scores && region->sorted && region->gp;
    return made ? region : NULL;
}

void sl_region_clear(SlRegion *region) {
    sl_gp_clear(region->gp);
    region->n = 0;
    region->told = region->next_fit = 0;
}

static void put_row(SlRegion *region, int row, const int32_t *point, const double *inputs,
                    double score) {
    size_t n_params = (size_t)region->n_params, n_inputs = (size_t)region->n_inputs;
    memmove(region->points + (size_t)row * n_params, point, n_params * sizeof *point);
    memmove(region->inputs + (size_t)row * n_inputs, inputs, n_inputs * sizeof *inputs);
    region->scores[row] = score;
}

// the better half and the newest quarter move up
static void thin_out(SlRegion *region) {
    int n = region->n, kept = 0, better = 0;
    memcpy(region->sorted, region->scores, (size_t)n * sizeof *region->scores);
    sl_sort(n, region->sorted);
    double limit = region->sorted[n / 2 - 1];
    for (int i = 0; i < n; i++) {
        bool good = region->scores[i] <= limit && better < n / 2;
        better += good;
        if (!good && i < n - n / 4) continue;
        put_row(region, kept++, region->points + (ptrdiff_t)i * region->n_params,
                region->inputs + (ptrdiff_t)i * region->n_inputs, region->scores[i]);
    }
    region->n = kept;
    sl_gp_clear(region->gp);
}

void sl_region_add(SlRegion *region, const int32_t *point, const double *inputs, double score) {
    if (region->n == region->room) thin_out(region);
    put_row(region, region->n++, point, inputs, score);
    region->told++;
}

void sl_region_update(SlRegion *region) {
    for (int i = sl_gp_n(region->gp); i < region->n; i++)
        sl_gp_add(region->gp, region->inputs + (ptrdiff_t)i * region->n_inputs);
    sl_gp_teach(region->gp, region->scores);
    if (region->told < region->next_fit) return;
    sl_gp_fit(region->gp, region->evaluations);
    double wait = fmax((double)region->every, region->growth * (double)region->told);
    region->next_fit = region->told + (int64_t)wait;
}

int sl_region_best(const SlRegion *region, int most, int *rows) {
    int n = 0;
    for (int i = 0; i < region->n; i++) {
        int place = n;
        while (place > 0 && region->scores[i] <= region->scores[rows[place - 1]]) place--;
        if (place == most) continue;
        if (n < most) n++;
        memmove(rows + place + 1, rows + place, (size_t)(n - 1 - place) * sizeof *rows);
        rows[place] = i;
    }
    return n;
}
