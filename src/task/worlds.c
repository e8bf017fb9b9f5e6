// worlds.c - the table of particle worlds.
#include <assert.h>
#include <string.h>

#include "particle_inside.h"

// The rows, sl_world_NAME of src/task/world_NAME.c. Checkpoints name worlds by their place here, so
// new ones stand last.
#define WORLDS(ROW) ROW(tag) ROW(spread) ROW(adversary)

#define DECLARE(name) extern const SlWorld sl_world_##name;
WORLDS(DECLARE)

#define ADDRESS(name) &sl_world_##name,
const SlWorld *const sl_worlds[] = {WORLDS(ADDRESS) NULL};

#define NAME(name) #name,
const char *const sl_world_names[] = {WORLDS(NAME) NULL};

const SlWorld *sl_world_find(const char *name) {
    for (const SlWorld *const *world = sl_worlds; *world; world++)
        if (strcmp((*world)->name, name) == 0) return *world;
    return NULL;
}

int sl_world_index(const SlWorld *world) {
    int i = 0;
    while (sl_worlds[i] && sl_worlds[i] != world) i++;
    assert(sl_worlds[i]);
    return i;
}
