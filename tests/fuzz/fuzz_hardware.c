// fuzz_hardware.c - MAESTRO's hardware files: whatever is read writes back the same, and is an
// accelerator.
#include <assert.h>
#include <string.h>

#include "starling/accel/maestro_hardware.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlMaestroHardware hardware, again;
    SlError err;
    sl_arena_init(&arena, 1 << 20);
    sl_maestro_hardware_init(&hardware);
    if (sl_maestro_hardware_parse("fuzz", (const char *)data, n, &hardware, &err) == SL_OK) {
        SlText text;
        SlAccel accel;
        sl_text_init(&text, &arena);
        sl_maestro_hardware_write(&hardware, &text);
        sl_maestro_hardware_init(&again);
        SlStatus status = sl_maestro_hardware_parse("again", text.data, text.n, &again, &err);
        assert(status == SL_OK && !memcmp(&hardware, &again, sizeof again));
        (void)status;
        sl_maestro_accel(&hardware, &accel);
        assert(!sl_accel_check(&accel));
    } else {
        assert(err.text[0] && !strchr(err.text, '\n'));
    }
    sl_arena_free(&arena);
    return 0;
}
