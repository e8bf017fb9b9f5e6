// mapping.h - the front door of module mapping: what a mapping is, and the choices that make one.
//
// Flow: nest.h (a loop nest: check, fit, repair, read, write, draw), constraints.h (fixed
// dataflows), space.h (parameters, points, keys, features), timeloop.h (Timeloop documents).
#pragma once

#include "starling/mapping/constraints.h"
#include "starling/mapping/nest.h"
#include "starling/mapping/space.h"
#include "starling/mapping/timeloop.h"
