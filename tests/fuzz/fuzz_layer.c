// fuzz_layer.c - inline layers: whatever parses is a layer and writes back to itself.
#include <assert.h>
#include <string.h>

#include "starling/workload.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char text[1024], written[512];
    SlLayer layer, again;
    SlError err;
    if (n >= sizeof text) return 0;
    memcpy(text, data, n);
    text[n] = 0;
    if (sl_layer_parse(text, &layer, &err) != SL_OK) return 0;
    assert(sl_layer_check(&layer) == NULL);
    SlStatus status = sl_layer_parse(sl_layer_write(&layer, sizeof written, written), &again, &err);
    assert(status == SL_OK && sl_layer_same(&layer, &again));
    (void)status;
    return 0;
}
