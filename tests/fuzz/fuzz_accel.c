// fuzz_accel.c - any bytes as an accelerator file: refused with a sentence, or good for everything.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "starling/accel.h"

static void require(bool truth) {
    if (!truth) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlAccel accel;
    SlError err = {0};
    sl_arena_init(&arena, 64 << 20);
    SlStatus status = sl_accel_parse("fuzz", (const char *)data, n, &arena, &accel, &err);
    if (status == SL_OK) {
        SlText picture;
        sl_text_init(&picture, &arena);
        sl_accel_draw(&accel, &picture);
        require(!sl_accel_check(&accel));
        require(sl_accel_macs(&accel) >= 1 && sl_accel_area_um2(&accel) >= 0);
    } else {
        require(err.text[0] != '\0' || status == SL_ENOMEM);
    }
    sl_arena_free(&arena);
    return 0;
}
