// fuzz_episodes.c - any bytes as recorded episodes: refused with a sentence, or played.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../src/task/episodes.h"

static void require(bool truth) {
    if (!truth) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
        SlArena arena;
        SlDeviation apart;
        SlError err = {0};
        sl_arena_init(&arena, 64 << 20);
        SlStatus status = sl_episodes_play_text("fuzz", (const char *)data, n,
                                                (SlParticleRules)rules, &arena, &apart, &err);
        if (status == SL_OK) {
            require(apart.episodes > 0 && apart.pos >= 0 && apart.vel >= 0);
            require(apart.obs >= 0 && apart.reward >= 0);
        } else {
            require(err.text[0] != '\0' || status == SL_ENOMEM);
        }
        require(sl_arena_mark(&arena) == 0);
        sl_arena_free(&arena);
    }
    return 0;
}
