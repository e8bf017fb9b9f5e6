// candidates.c - expected improvement of points.
//
// Jones, Schonlau & Welch, "Efficient global optimization of expensive black-box functions" (1998);
// its logarithm, so that candidates that promise next to nothing are still compared: Ament et al.,
// "Unexpected improvements to expected improvement for Bayesian optimization" (2023).
#include "candidates.h"

#include <math.h>
#include <string.h>

bool sl_candidates_make(SlCandidates *some, const SlSight *sight, int n_params, int room,
                        SlArena *arena) {
    *some = (SlCandidates){.sight = sight, .n_params = n_params, .room = room};
    some->points = SL_NEW(arena, room * n_params, int32_t);
    some->inputs = SL_NEW(arena, room * sight->n, double);
    some->keys = SL_NEW(arena, room, uint64_t);
    some->means = SL_NEW(arena, room, double);
    some->gains = SL_NEW(arena, room, double);
    some->scratch = SL_NEW(arena, room, double);
    return some->points && some->inputs && some->keys && some->means && some->gains &&
           some->scratch;
}

void sl_candidates_add(SlCandidates *some, const int32_t *point, const SlKeySet *seen) {
    if (some->n == some->room) return;
    SlView view;
    sl_task_view(some->sight->task, point, &view);
    uint64_t key = view.key;
    if (sl_keyset_has(seen, key)) return;
    for (int i = 0; i < some->n; i++)
        if (some->keys[i] == key) return;
    memcpy(some->points + (ptrdiff_t)some->n * some->n_params, point,
           (size_t)some->n_params * sizeof *point);
    sl_sight_numbers(some->sight, point, &view, some->inputs + (ptrdiff_t)some->n * some->sight->n);
    some->keys[some->n++] = key;
}

double sl_log_improvement(double best, double mean, double variance) {
    const double root_2 = 1.4142135623730951, log_root_2_pi = 0.9189385332046727;
    double deviation = sqrt(variance), z = (best - mean) / deviation;
    double log_density = -0.5 * z * z - log_root_2_pi;
    if (z > -5) // z Phi(z) + phi(z)
        return log(deviation) + log(z * 0.5 * erfc(-z / root_2) + exp(log_density));
    return log(deviation) + log_density - log(z * z + 3 - 6 / (z * z)); // its asymptotic series
}

void sl_candidates_judge(SlCandidates *some, SlGp *gp, double best) {
    int first = some->n_judged, n = some->n - first;
    double *variances = some->scratch;
    sl_gp_predict(gp, n, some->inputs + (ptrdiff_t)first * some->sight->n, some->means + first,
                  variances);
    for (int i = 0; i < n; i++)
        some->gains[first + i] = sl_log_improvement(best, some->means[first + i], variances[i]);
    some->n_judged = some->n;
}

int sl_candidates_best(const SlCandidates *some, int most, int *rows) {
    int n = 0;
    for (int i = 0; i < some->n_judged; i++) {
        int place = n;
        while (place > 0 && some->gains[i] > some->gains[rows[place - 1]]) place--;
        if (place == most) continue;
        if (n < most) n++;
        memmove(rows + place + 1, rows + place, (size_t)(n - 1 - place) * sizeof *rows);
        rows[place] = i;
    }
    return n;
}
