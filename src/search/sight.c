// sight.c - what a model sees of a point.
#include "sight.h"

#include <assert.h>
#include <math.h>

enum { MAX_FEATURES = SL_MAX_RELAXED };

const char *const sl_nest_sight_names[] = {"point", "plain", "reuse", "estimate", NULL};

int sl_sight_most(SlSightKind kind, const SlTask *task) {
    SlRelax relax;
    bool columns = kind == SL_SIGHT_POINT && sl_relax_init(&relax, sl_task_space(task));
    return columns ? relax.n : sl_task_n_features(task);
}

static void add_number(SlSight *sight, int source, int group, bool label) {
    sight->source[sight->n] = source;
    sight->group[sight->n] = group;
    sight->label[sight->n++] = label;
}

static void see_params(SlSight *sight) {
    const SlRelax *relax = &sight->relax;
    int group = 0;
    for (int i = 0; i < relax->space->n_params; i++) {
        const SlParam *param = &relax->space->params[i];
        if (param->n < 2) continue;
        if (param->kind == SL_CATEGORICAL)
            add_number(sight, i, group, true);
        else
            for (int c = relax->first[i]; c < relax->first[i + 1]; c++)
                add_number(sight, c, group, false);
        group++;
    }
}

// features of the wanted groups that are not always the same
static void see_features(SlSight *sight, SlFeatureGroup most, SlRng *rng) {
    enum { DRAWS = 100 };
    const SlTask *task = sight->task;
    int32_t point[SL_MAX_PARAMS];
    float first[MAX_FEATURES], features[MAX_FEATURES];
    bool varies[MAX_FEATURES] = {false};
    int n = sl_task_n_features(task);
    assert(n <= MAX_FEATURES);
    for (int k = 0; k < DRAWS; k++) {
        SlView view;
        sl_space_sample(sl_task_space(task), rng, point);
        sl_task_view(task, point, &view);
        sl_task_features(task, point, &view, k ? features : first);
        for (int i = 0; k > 0 && i < n; i++)
            if (fabsf(features[i] - first[i]) > 1e-4F) varies[i] = true;
    }
    for (int i = 0; i < n; i++)
        if (varies[i] && sl_task_feature_group(task, i) <= most)
            add_number(sight, i, sight->n, false);
}

void sl_sight_init(SlSight *sight, SlSightKind kind, const SlTask *task, SlRng *rng) {
    *sight = (SlSight){.kind = kind, .task = task};
    bool room = sl_relax_init(&sight->relax, sl_task_space(task));
    if (!room && kind == SL_SIGHT_POINT) sight->kind = SL_SIGHT_PLAIN;
    if (sight->kind == SL_SIGHT_POINT)
        see_params(sight);
    else
        see_features(sight, (SlFeatureGroup)(sight->kind - SL_SIGHT_PLAIN), rng);
}

void sl_sight_numbers(const SlSight *sight, const int32_t *point, const SlView *view, double *x) {
    if (sight->kind != SL_SIGHT_POINT) {
        float features[MAX_FEATURES];
        sl_task_features(sight->task, point, view, features);
        for (int i = 0; i < sight->n; i++) x[i] = (double)features[sight->source[i]];
        return;
    }
    double columns[SL_MAX_RELAXED];
    sl_relax_point(&sight->relax, point, columns);
    for (int i = 0; i < sight->n; i++)
        x[i] = sight->label[i] ? point[sight->source[i]] : columns[sight->source[i]];
}
