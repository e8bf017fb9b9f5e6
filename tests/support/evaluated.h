// evaluated.h - workloads with mappings, priced, for what shows or executes them.
#pragma once

#include "starling/network/maestro_evaluation.h"

// A workload on an accelerator, as on the command line; `nest` NULL = default mappings. Fails the
// test if there is none.
SlEvaluation evaluated(SlArena *arena, const char *workload, const char *accel, const char *nest);

// The layers of tests/data/maestro/WORD on `num_pes` PEs, priced in both models.
SlMaestroEvaluation maestro_evaluated(SlArena *arena, const char *word, int num_pes);
