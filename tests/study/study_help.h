// study_help.h - runs in a world, and records compared.
#pragma once

#include "starling/study.h"
#include "support/world.h"

// A run of a method with its default options, 500 samples, seed 1, the default start.
SlRunSetup run_setup(const World *world, const char *goal, const char *method);

// Fails the test unless all but the seconds is the same.
void assert_same_record(const SlRecord *a, const SlRecord *b);

// Fails the test unless the curve falls from the first legal sample to the last one.
void assert_good_curve(const SlRecord *record);
