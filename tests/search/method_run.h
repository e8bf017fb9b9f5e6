// method_run.h - drive a method on a task, as a run does.
#pragma once

#include "starling/search.h"
#include "support/world.h"

// A row of the tables of search and learn.
const SlMethod *method_named(const char *name);

// The method's defaults; `changes` ("name=value ...") may be NULL. Lives in the arena.
void *method_options(const SlMethod *method, const char *changes, SlArena *arena);

typedef struct {
    World *world;
    SlTask *task;
    const SlMethod *method;
    void *state;
    int32_t *points; // (n_samples, n_params) all that was asked for
    int64_t n_points;
    bool may_end; // asking may return 0: then it is over
    bool over;
} MethodRun;

// A method with a task of its own.
void method_begin(MethodRun *run, World *world, const char *method, const char *changes,
                  uint64_t seed);

// Ask with at most `room` points at a time, evaluate, tell, for `n_samples` samples.
void method_continue(MethodRun *run, int64_t n_samples, int room);
