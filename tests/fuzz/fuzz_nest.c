// fuzz_nest.c - nest text: whatever parses writes back to itself, and counts without a crash.
#include <assert.h>
#include <string.h>

#include "starling/cost.h"

static void count(const SlMapping *mapping) {
    SlLayer layer;
    SlCounts counts;
    sl_layer_init(&layer);
    for (int d = 0; d < SL_N_DIMS; d++) layer.dims[d] = 3 + 2 * d;
    layer.stride[0] = 2;
    layer.dilation[1] = 3;
    if (sl_mapping_check(&layer, mapping)) return;
    sl_counts_eval(&layer, (SlNet){255, 255}, mapping, &counts);
    assert(counts.macs >= counts.cycles);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    char text[4096], written[SL_NEST_TEXT_MAX], again[SL_NEST_TEXT_MAX];
    SlMapping mapping, copy;
    SlError err;
    if (n >= sizeof text) return 0;
    memcpy(text, data, n);
    text[n] = 0;
    if (sl_mapping_parse(text, &mapping, &err) != SL_OK) return 0;
    sl_mapping_write(&mapping, sizeof written, written);
    SlStatus status = sl_mapping_parse(written, &copy, &err);
    assert(status == SL_OK);
    (void)status;
    assert(strcmp(written, sl_mapping_write(&copy, sizeof again, again)) == 0);
    count(&mapping);
    return 0;
}
