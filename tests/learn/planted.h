// planted.h - a space whose best point is known, and a method let loose on it without any
// evaluator.
#pragma once

#include "task/task_inside.h"

enum { PLANTED_PARAMS = 9 };

// Six ordinals of 9 values, a categorical of 4, an order of 4, and a parameter without a choice.
typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlParam params[PLANTED_PARAMS];
    SlSpace space;
    SlTaskRow row;
    SlTaskKind kind;
    SlTask task; // of the space; its samples are made by whoever asks
} Planted;

// Do not copy it: it points into itself.
void planted_init(Planted *planted);

// 0 at the planted point, growing with the distance from it: ordinals by their squared distance,
// orders by what stands in the wrong place, the categorical by being wrong.
double planted_score(const int32_t *point);

typedef struct {
    double best;      // lowest score of all samples
    double late;      // mean score of the last tenth of the samples
    uint64_t digest;  // of all points, in order
    int64_t strange;  // points with a value out of range
    double us_sample; // time of the method alone
} PlantedRun;

// `options` NULL = the method's defaults; `agents` NULL = one per parameter; `room` of an ask.
PlantedRun planted_run(const SlMethod *method, const void *options, const SlAgents *agents,
                       uint64_t seed, int samples, int room);
