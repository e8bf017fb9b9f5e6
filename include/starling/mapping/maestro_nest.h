// maestro_nest.h - loop nests as MAESTRO's directive lists, and back.
//
// Flow: SlMapping -> sl_maestro_of_nest -> SlMaestroMapping -> cost/maestro.h;
//       .m file -> sl_maestro_list_find -> sl_maestro_nest -> SlMapping -> cost.h;
//       SlMapping -> sl_maestro_write_nest -> .m file.
#pragma once

#include "starling/mapping/nest.h"
#include "starling/workload/maestro_file.h"

SL_API_BEGIN

// The directive list of a nest with two boundaries: loops in time, L2, at most one spread over
// clusters, loops in time, at most one spread inside a cluster, L1, the rest; filters whole. All
// dims are named at both levels. With `num_pes` PEs MAESTRO would use num_pes / (PEs of a cluster)
// clusters: a nest that needs another number has no list for them. num_pes 0: as many as the nest
// uses, *used. NULL, or why there is none.
const char *sl_maestro_of_nest(const SlLayer *layer, const SlMapping *nest, int32_t num_pes,
                               const SlMaestroLayer *shape, SlMaestroMapping *out, int32_t *used);

// The nest that a directive list of 1 to 4 levels describes, on `num_pes` PEs, of the layer that
// `shape` stands for: loops in time of level 0, L2, then spread and loops of every level, L1, the
// rest. NULL, or why there is none: steps that overlap or leave gaps compute another layer.
const char *sl_maestro_nest(const SlMaestroLayer *shape, const SlMaestroMapping *mapping,
                            int32_t num_pes, const SlLayer *layer, SlMapping *nest);

// The list for `layer`, and the shape of it, in a file: FILE.m:LAYER, or FILE.m with one layer or
// one that is called like `layer`. SL_EINPUT also where that layer is of another type.
SlStatus sl_maestro_list_find(const char *word, const SlLayer *layer, SlArena *arena,
                              SlMaestroLayer *shape, SlMaestroMapping *list, SlError *err);

// A .m file of one layer in a network of that name, for the PEs of the accelerator if the nest has
// a list for them, else for those that it uses; the first line says how many. NULL, or why the nest
// has no list; nothing is written then.
const char *sl_maestro_write_nest(const SlLayer *layer, const SlAccel *accel, const SlMapping *nest,
                                  const char *network, SlText *out);

SL_API_END
