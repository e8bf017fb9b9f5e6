// sweep.c - the out-of-memory sweep.
#include "core/sweep.h"

#include "support/check.h"

int sweep_memory(SlStatus (*call)(SlArena *arena), bool keeps) {
    for (int failed = 0;; failed++) {
        SlArena arena;
        sl_arena_init(&arena, 16 + SL_ARENA_ALIGN * (size_t)failed);
        SlStatus status = call(&arena);
        if (status != SL_OK) assert_int_equal(status, SL_ENOMEM);
        if (status != SL_OK && keeps) assert_int_equal(arena.used, 0);
        sl_arena_free(&arena);
        if (status == SL_OK) return failed;
    }
}
