// job.h - jobs: methods on tasks within budgets, with logs, proofs and records that resume.
//
// Flow: job/run.h (one method on one task), job/agents.h (agents of a task), job/groups.h (the
//       same as a file), job/log.h (samples that are kept), job/network_job.h (the layers of a
//       network, each a task), job/mapped.h (the same with prices), job/own_search.h (a space of
//       the user's own), job/run_dir.h (run directories), job/mapped_run.h (mapped networks read
//       back), job/verify.h (their certificates checked), job/rows.h (measured nests as lessons).
#pragma once

#include "starling/job/agents.h"
#include "starling/job/cell.h"
#include "starling/job/groups.h"
#include "starling/job/log.h"
#include "starling/job/mapped.h"
#include "starling/job/mapped_run.h"
#include "starling/job/network_job.h"
#include "starling/job/own_search.h"
#include "starling/job/rows.h"
#include "starling/job/run.h"
#include "starling/job/run_dir.h"
#include "starling/job/store.h"
#include "starling/job/variants.h"
#include "starling/job/verify.h"
#include "starling/prove.h"
