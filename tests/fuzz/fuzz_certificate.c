// fuzz_certificate.c - certificates: whatever is read has a space that writes back to itself and
// decodes. Claims are not walked: they may ask for years.
#include <assert.h>
#include <string.h>

#include "../../src/prove/certificate_inside.h"

static void write_back(const SlCertificate *certificate, SlArena *arena) {
    const SlSpace *space = &certificate->space;
    SlText text;
    SlMapping mapping;
    int32_t point[SL_MAX_PARAMS];
    sl_text_init(&text, arena);
    sl_certificate_space(space, certificate->constrained, certificate->open, &text);
    assert(text.failed || strncmp(text.data, "space ", 6) == 0);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < space->n_params; i++) point[i] = end ? space->params[i].n - 1 : 0;
        sl_space_mapping(space, point, true, &mapping);
        assert(!sl_mapping_check(&certificate->layer, &mapping));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlError err;
    sl_arena_init(&arena, 64 << 20);
    SlCertificate *certificate = SL_NEW(&arena, 1, SlCertificate);
    const char *text = (const char *)data;
    if (sl_certificate_read("fuzz", text, n, &arena, certificate, &err) == SL_OK)
        write_back(certificate, &arena);
    sl_arena_free(&arena);
    return 0;
}
