// world_options.c - one table from a command's options and those of every world.
#include "world_options.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static int count_rows(const SlOption *table) {
    int n = 0;
    while (table[n].name) n++;
    return n;
}

// the options of all worlds, at their places in the command's struct; returns where the next goes
static SlOption *add_worlds(size_t offset, SlOption *to) {
    for (int w = 0; sl_worlds[w]; w++) {
        for (const SlOption *row = sl_worlds[w]->options; row->name; row++) {
            *to = *row;
            to++->offset += offset + (size_t)w * sizeof(SlParticleSetup);
        }
    }
    return to;
}

const SlOption *world_options(const SlOption *table, size_t offset, SlArena *arena) {
    int n = count_rows(table) + 1;
    for (int w = 0; sl_worlds[w]; w++) n += count_rows(sl_worlds[w]->options);
    SlOption *all = command_need(SL_NEW(arena, n, SlOption)), *to = all;
    for (; table->name; table++) {
        *to++ = *table;
        if (strcmp(table->name, "env") == 0) to = add_worlds(offset, to);
    }
    *to = (SlOption){0};
    return all;
}

void world_options_init(SlParticleSetup worlds[static WORLDS_ROOM]) {
    for (int w = 0; sl_worlds[w]; w++) {
        assert(w < WORLDS_ROOM);
        sl_world_init(sl_worlds[w], &worlds[w]);
    }
}

int world_options_refuse(const SlParticleSetup worlds[static WORLDS_ROOM], const SlWorld *chosen) {
    char where[64];
    int code = CODE_DONE;
    snprintf(where, sizeof where, "--env %s", chosen->name);
    for (int w = 0; sl_worlds[w]; w++) {
        const SlOption *table = sl_worlds[w]->options;
        for (const SlOption *row = table; row->name && code == CODE_DONE; row++)
            if (sl_worlds[w] != chosen)
                code = command_refuse_idle(table, &worlds[w], row->name, where);
    }
    return code;
}
