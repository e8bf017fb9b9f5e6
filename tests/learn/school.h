// school.h - a small school: tasks of the native model, lessons of them, a flock.
#pragma once

#include "support/check.h"

#include "learn/flock_inside.h"
#include "starling/job.h"

enum { SCHOOL_TASKS = 14, SCHOOL_SAMPLES = 60 };

typedef struct {
    SlArena arena;
    SlAccel accel;
    SlLayer layers[SCHOOL_TASKS];
    SlSpace spaces[SCHOOL_TASKS];
    SlTask *tasks[SCHOOL_TASKS];
    SlLesson lessons[SCHOOL_TASKS];
    SlFlock *flock; // taught by all but the last two
} School;

SlTeachOptions school_options(void); // few trees
int school_open(void **state);
int school_close(void **state);

// The best value on the last task after so many samples; `set` are options of the method, NULL =
// its defaults.
double school_best(const School *school, const char *method, const char *set, const SlFlock *flock,
                   int64_t samples, uint64_t seed);
