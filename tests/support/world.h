// world.h - a layer on an accelerator and the space of its mappings, ready for tasks and methods.
#pragma once

#include "starling/task.h"

typedef struct {
    SlArena arena;
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
} World;

// The layer as on the command line, an accelerator by name; the native space. Do not copy a world:
// it points into itself.
void world_make(World *world, const char *layer, const char *accel);

// The space anew, after the accelerator was changed.
void world_remake(World *world);
void world_free(World *world);

SlGoal world_goal(const char *text);
SlTask *world_task(World *world, const char *goal, SlIllegal illegal);
