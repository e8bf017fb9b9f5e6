// study_cells.h - inside study: a cell of a plan as a unit of work.
#pragma once

#include "starling/study.h"

SlCell sl_plan_cell(const SlPlan *plan, const SlPlanCell *cell);
