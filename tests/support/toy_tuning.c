// toy_tuning.c - tuning tasks for tests.
#include "support/toy_tuning.h"

#include "support/check.h"

#include <math.h>
#include <string.h>

static const ToyTuning *toy_of(const SlTuning *tuning) {
    return tuning->state;
}

static void untuned(const SlTuning *tuning, int32_t *point) {
    memset(point, 0, (size_t)tuning->knobs.n_knobs * sizeof *point);
}

static bool check(const SlTuning *tuning, const int32_t *point, SlTuningFault *fault) {
    (void)fault;
    const ToyTuning *toy = toy_of(tuning);
    return !toy->valid || toy->valid(&tuning->knobs, point);
}

static double draft(const SlTuning *tuning, const int32_t *point) {
    const ToyTuning *toy = toy_of(tuning);
    return (toy->draft ? toy->draft : toy->value)(&tuning->knobs, point);
}

static double least(const SlTuning *tuning, const int32_t *point) {
    const ToyTuning *toy = toy_of(tuning);
    return toy->floor ? toy->floor(&tuning->knobs, point) : 0;
}

static void features(const SlTuning *tuning, const int32_t *point, float *out) {
    for (int k = 0; k < tuning->knobs.n_knobs; k++) out[k] = (float)point[k];
}

static void measure(SlTuning *tuning, int n, const int32_t *points, SlMeasured *measured) {
    for (int i = 0; i < n; i++, points += tuning->knobs.n_knobs) {
        const bool fits = check(tuning, points, NULL);
        const double value = fits ? toy_of(tuning)->value(&tuning->knobs, points) : INFINITY;
        measured[i] = (SlMeasured){.value = value, .error = isfinite(value) ? 0 : 1};
    }
}

void toy_tuning_init(ToyTuning *toy, int n_knobs, const int *n_values) {
    *toy = (ToyTuning){0};
    toy->row = (SlTargetRow){.untuned = untuned,
                             .check = check,
                             .draft = draft,
                             .floor = least,
                             .n_features = n_knobs,
                             .features = features,
                             .measure = measure,
                             .unit = "cycles"};
    toy->tuning = (SlTuning){.row = &toy->row, .state = toy, .knobs.n_points = 1};
    for (int k = 0; k < n_knobs; k++) {
        SlKnob *knob = sl_knobs_add(&toy->tuning.knobs, "knob", 0);
        knob->n = n_values[k];
        for (int i = 0; i < knob->n; i++) knob->values[i] = i + 1;
        toy->tuning.knobs.n_points *= knob->n;
    }
}

SlTuning *vta_tuning(const char *layer, SlArena *arena) {
    SlTuningSetup setup = {.target = SL_TARGET_VTA};
    SlTuning *tuning = NULL;
    SlError err;
    sl_vta_core_init(&setup.core);
    assert_int_equal(sl_layer_parse(layer, &setup.layer, &err), SL_OK);
    assert_int_equal(sl_tuning_make(&setup, arena, &tuning, &err), SL_OK);
    return tuning;
}
