// study_help.c - runs in a world, and records compared.
#include "study_help.h"

#include <string.h>

#include "support/check.h"

SlRunSetup run_setup(const World *world, const char *goal, const char *method) {
    const SlMethod *row = sl_method_find(method);
    assert_non_null(row);
    return (SlRunSetup){.space = &world->space,
                        .goal = world_goal(goal),
                        .method = row,
                        .seed = 1,
                        .stream = "test",
                        .budget = {.samples = 500}};
}

static void assert_same_curve(const SlRecord *a, const SlRecord *b) {
    assert_int_equal(a->n_curve, b->n_curve);
    for (int i = 0; i < a->n_curve; i++) {
        assert_int_equal(a->curve[i].sample, b->curve[i].sample);
        assert_memory_equal(&a->curve[i].value, &b->curve[i].value, sizeof(double));
    }
}

void assert_same_record(const SlRecord *a, const SlRecord *b) {
    assert_memory_equal(&a->best.mapping, &b->best.mapping, sizeof a->best.mapping);
    assert_memory_equal(&a->best.outcome, &b->best.outcome, sizeof a->best.outcome);
    assert_int_equal(a->best.sample, b->best.sample);
    assert_memory_equal(&a->cost.latency_cycles, &b->cost.latency_cycles, sizeof(double));
    assert_memory_equal(&a->cost.energy_pj, &b->cost.energy_pj, sizeof(double));
    assert_memory_equal(&a->cost.area_min_um2, &b->cost.area_min_um2, sizeof(double));
    assert_memory_equal(&a->floor, &b->floor, sizeof(double));
    assert_memory_equal(&a->floor_multiple, &b->floor_multiple, sizeof(double));
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->stopped, b->stopped);
    assert_same_curve(a, b);
}

void assert_good_curve(const SlRecord *record) {
    assert_true(record->n_curve >= 1);
    for (int i = 1; i < record->n_curve; i++) {
        const SlCurvePoint *before = &record->curve[i - 1], *point = &record->curve[i];
        assert_true(point->sample > before->sample);
        // only the end may say the same value again
        bool end = i == record->n_curve - 1;
        assert_true(point->value < before->value || (end && point->value == before->value));
    }
    const SlCurvePoint *last = &record->curve[record->n_curve - 1];
    assert_int_equal(last->sample, record->samples);
    assert_true(last->value == record->best.outcome.value);
}
