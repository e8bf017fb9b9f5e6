// map_prove.h - the second half of a run: how good are the mappings?
#pragma once

#include "map.h"
#include "map_progress.h"

// Prove every layer that has no proof yet, on the threads of `pool`. Better mappings that turn up
// are kept. After Ctrl-C the rest is left as it is, with the bounds so far. Certificates and
// records are written as soon as a layer is finished.
SlStatus map_prove(Map *map, SlPool *pool, Progress *progress, SlError *err);
