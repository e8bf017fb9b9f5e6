// timeloop.h - loop nests as Timeloop v4 documents, and back (docs/formats/timeloop.md).
//
// Flow: SlMapping -> sl_timeloop_write -> YAML for Timeloop; a mapping for Timeloop ->
//       sl_timeloop_looks_like -> sl_timeloop_parse -> SlMapping.
#pragma once

#include "starling/mapping/nest.h"

SL_API_BEGIN

// One document for Timeloop's front end (version 0.4): the problem, a skeleton of the architecture
// and the mapping, whose counts are those of the nest. NULL, or why the nest has no such document
// (tiles that do not divide, another number of levels than the accelerator); nothing is written
// then.
const char *sl_timeloop_write(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                              SlText *out);

// Is this a Timeloop mapping rather than one of docs/formats/mapping.md? Looks for the key
// `target`; reads nothing.
bool sl_timeloop_looks_like(const char *text, size_t n);

// The nest of a Timeloop mapping of `layer`: the list under `mapping`, alone or in a document with
// `problem` (must be that of the layer) and `architecture` (gives the order of the levels).
// `accel` may be NULL; otherwise the levels must be its levels, by name or one by one. `scratch` is
// used and given back. SL_EINPUT with the place.
SlStatus sl_timeloop_parse(const char *name, const char *text, size_t n, const SlLayer *layer,
                           const SlAccel *accel, SlArena *scratch, SlMapping *mapping,
                           SlError *err);

SL_API_END
