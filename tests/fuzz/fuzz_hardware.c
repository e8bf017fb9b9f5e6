// fuzz_hardware.c - MAESTRO's hardware files: whatever is read is an accelerator.
#include <assert.h>
#include <string.h>

#include "accel/maestro_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlMaestroHardware hardware;
    SlError err;
    sl_maestro_hardware_init(&hardware);
    if (sl_maestro_hardware_parse("fuzz", (const char *)data, n, &hardware, &err) == SL_OK) {
        SlAccel accel;
        sl_maestro_accel(&hardware, &accel);
        assert(!sl_accel_check(&accel));
    } else {
        assert(err.text[0] && !strchr(err.text, '\n'));
    }
    return 0;
}
