// maestro_nest.h - loop nests as MAESTRO's directive lists, and back.
//
// Flow: SlMapping -> sl_maestro_of_nest -> SlMaestroMapping -> cost/maestro.h;
//       .m file -> sl_maestro_nest -> SlMapping -> cost.h.
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

SL_API_END
