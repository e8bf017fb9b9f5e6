// job.h - jobs: methods on tasks within budgets, with logs, proofs and records that resume.
//
// Flow: job/run.h (one method on one task), job/assign.h (agents of a task), job/log.h (samples
//       that are kept), job/network.h (the layers of a network, each a task).
#pragma once

#include "starling/job/assign.h"
#include "starling/job/cell.h"
#include "starling/job/log.h"
#include "starling/job/network.h"
#include "starling/job/run.h"
#include "starling/job/store.h"
#include "starling/prove.h"
