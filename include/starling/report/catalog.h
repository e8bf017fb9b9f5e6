// catalog.h - what is bundled with the library, and what it can be told, as documents.
//
// Flow: sl_report_networks, _accels, _constraints, _methods, _objectives, _spaces, _worlds.
#pragma once

#include "starling/cost.h"
#include "starling/report/doc.h"
#include "starling/task.h"

SL_API_BEGIN

// All that are bundled, or the one called `name` (or in that file): the layers of a network, the
// picture of an accelerator, the file of constraints. SL_EINPUT: there is none, or it is wrong.
SlStatus sl_report_networks(const char *name, SlArena *arena, SlDoc **doc, SlError *err);
SlStatus sl_report_network(const SlWorkload *workload, SlArena *arena, SlDoc **doc, SlError *err);
SlStatus sl_report_accels(const char *name, SlArena *arena, SlDoc **doc, SlError *err);
SlStatus sl_report_constraints(const char *name, SlArena *arena, SlDoc **doc, SlError *err);

// NULL without memory.
SlDoc *sl_report_methods(const SlMethod *const *methods, SlArena *arena); // which end with NULL
SlDoc *sl_report_method(const SlMethod *method, SlArena *arena);          // with its options
SlDoc *sl_report_objectives(SlArena *arena);                              // with units and meanings
SlDoc *sl_report_spaces(SlArena *arena); // presets of sl_space_make
SlDoc *sl_report_worlds(SlArena *arena); // particle worlds, with sizes by number of agents

SL_API_END
