// map_key.h - what tells one run from another.
#pragma once

#include "map.h"

// Fill map->key: a hash over the version, every option that can change the result, the accelerator,
// the layers and their spaces. Threads are not among them.
void map_set_key(Map *map);
