// store_help.h - stores and small plans.
#pragma once

#include "starling/study.h"
#include "support/folder.h"

// The plan of a text; fails the test with the sentence if it cannot be read.
void plan_of(const char *text, const SlPlanChanges *changes, SlArena *arena, SlPlan *plan);

SlStore *open_store(const char *path);
uint64_t digest_of(const char *path);
