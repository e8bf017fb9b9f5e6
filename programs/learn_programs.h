// learn_programs.h - inside `starling learn`: evaluators that measure programs, schedules of a VTA
// core or C programs for this processor.
#pragma once

#include "starling/job/teach.h"
#include "starling/task/programs.h"

// What the kinds want to know.
typedef struct {
    SlVtaOptions vta;
    SlCpuOptions cpu;
    SlKernelBench bench;
} LearnPrograms;

// The kind of that name, NULL where it does not measure programs.
const SlTaskKind *learn_programs_kind(const char *name);
// Options of `starling learn` that do not apply, with blanks between them.
const char *learn_programs_idle(const SlTaskKind *kind);
// Who searches programs before there is a flock, and with which options: nobody who knows drafts.
#define LEARN_PROGRAMS_METHOD "autotvm"
#define LEARN_PROGRAMS_SET "check=true,plan=8"

// The kind, its options and which layers are drawn, into `setup`; `core` may be NULL.
SlStatus learn_programs_read(const SlTaskKind *kind, const char *core, LearnPrograms *programs,
                             SlTeachSetup *setup, SlError *err);
