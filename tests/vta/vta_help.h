// vta_help.h - layers on cores, random ones too, and their divisors, for the tests of vta.
#pragma once

#include <stdio.h>
#include <string.h>

#include "starling/vta.h"
#include "support/check.h"
#include "vta/vta_inside.h"

// A layer of the command line on a core ("" = the default one); fails the test if it is refused.
SlVtaTask vta_task(const char *core, const char *layer);

SlVtaSchedule vta_schedule(int h, int w, int ci, int co, int oc_threads, int h_threads);

// Divisors of `n` in order; returns how many (at most 64).
int vta_divisors(int n, int *out);

// A small layer with strides, padding and odd channels on a core of its own, and a valid schedule.
void vta_random_task(SlRng *rng, SlVtaTask *task);
void vta_random_schedule(SlRng *rng, const SlVtaTask *task, SlVtaSchedule *schedule);

// Everything a program of the layer reads, at random, in `arena`.
SlVtaTensors vta_random_tensors(SlRng *rng, const SlVtaTask *task, SlArena *arena);
int64_t vta_outputs(const SlVtaTask *task); // bytes of its result

// The whole program and its micro-ops.
SlVtaInsn *vta_program(const SlVtaStream *stream, SlArena *arena);
