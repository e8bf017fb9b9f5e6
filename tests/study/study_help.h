// study_help.h - a layer on an accelerator with its space and a goal, and records compared.
#pragma once

#include "starling/study.h"

typedef struct {
    SlArena arena;
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlGoal goal;
} World;

// Fails the test if any of the three cannot be read.
void world_init(World *world, const char *layer, const char *accel, const char *goal);
void world_free(World *world);

// A run of a method on it with its default options, 500 samples, seed 1, the default start.
SlRunSetup world_setup(const World *world, const char *method);

// Fails the test unless all but the seconds is the same.
void assert_same_record(const SlRecord *a, const SlRecord *b);

// Fails the test unless the curve falls from the first legal sample to the last one.
void assert_good_curve(const SlRecord *record);
