// tuning.c - tuning tasks: what all targets share.
#include "starling/task/tuning.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tuning_inside.h"

const char *const sl_target_names[SL_N_TARGETS + 1] = {"vta", "cpu", NULL};
const char *const sl_tuning_agent_names[SL_N_KERNEL_AGENTS + 1] = {"hardware", "scheduling",
                                                                   "mapping", NULL};
const char *const sl_hardware_names[3] = {"fixed", "search", NULL};
const char *const sl_sight_names[3] = {"knobs", "program", NULL};

SlKnob *sl_knobs_add(SlKnobs *knobs, const char *name, int agent) {
    assert(knobs->n_knobs < SL_MAX_KNOBS);
    SlKnob *knob = &knobs->knobs[knobs->n_knobs++];
    *knob = (SlKnob){.agent = agent};
    snprintf(knob->name, sizeof knob->name, "%s", name);
    return knob;
}

int32_t sl_knob_at(const SlTuning *tuning, const int32_t *point, int knob) {
    return tuning->knobs.knobs[knob].values[point[knob]];
}

SlStatus sl_tuning_make(const SlTuningSetup *setup, SlArena *arena, SlTuning **tuning,
                        SlError *err) {
    SlTuning *made = SL_NEW(arena, 1, SlTuning);
    if (!made) return sl_fail(err, SL_ENOMEM, "not enough memory");
    *made = (SlTuning){.setup = *setup,
                       .row = setup->target == SL_TARGET_VTA ? &sl_target_vta : &sl_target_cpu,
                       .arena = arena};
    SlStatus status = made->row->make(made, arena, err);
    if (status != SL_OK) return status;
    made->knobs.n_points = 1;
    for (int k = 0; k < made->knobs.n_knobs; k++) made->knobs.n_points *= made->knobs.knobs[k].n;
    *tuning = made;
    return SL_OK;
}

const SlTuningSetup *sl_tuning_setup(const SlTuning *tuning) {
    return &tuning->setup;
}

const SlKnobs *sl_tuning_knobs(const SlTuning *tuning) {
    return &tuning->knobs;
}

const char *sl_tuning_key(const SlTuning *tuning) {
    return tuning->key;
}

const char *sl_tuning_unit(const SlTuning *tuning) {
    return tuning->row->unit;
}

double sl_tuning_macs(const SlTuning *tuning) {
    return (double)sl_layer_macs(&tuning->setup.layer);
}

void sl_tuning_default(const SlTuning *tuning, int32_t *point) {
    tuning->row->untuned(tuning, point);
}

bool sl_tuning_check(const SlTuning *tuning, const int32_t *point, SlTuningFault *fault) {
    if (fault) *fault = (SlTuningFault){0};
    return tuning->row->check(tuning, point, fault);
}

double sl_tuning_draft(const SlTuning *tuning, const int32_t *point) {
    bool fits = tuning->row->check(tuning, point, NULL);
    return fits ? tuning->row->draft(tuning, point) : INFINITY;
}

double sl_tuning_floor(const SlTuning *tuning, const int32_t *point) {
    bool fits = tuning->row->check(tuning, point, NULL);
    return fits ? tuning->row->floor(tuning, point) : INFINITY;
}

int sl_tuning_n_features(const SlTuning *tuning, SlTuningSight sight) {
    return sight == SL_SEE_KNOBS ? tuning->knobs.n_knobs : tuning->row->n_features;
}

void sl_tuning_features(const SlTuning *tuning, SlTuningSight sight, const int32_t *point,
                        float *out) {
    if (sight == SL_SEE_KNOBS) {
        for (int k = 0; k < tuning->knobs.n_knobs; k++)
            out[k] = log2f((float)sl_knob_at(tuning, point, k) + 1);
        return;
    }
    if (tuning->row->check(tuning, point, NULL))
        tuning->row->features(tuning, point, out);
    else
        memset(out, 0, (size_t)tuning->row->n_features * sizeof *out);
}

void sl_tuning_measure(SlTuning *tuning, int n, const int32_t *points, SlMeasured *measured) {
    tuning->measurements += n;
    tuning->row->measure(tuning, n, points, measured);
}

int64_t sl_tuning_measurements(const SlTuning *tuning) {
    return tuning->measurements;
}
