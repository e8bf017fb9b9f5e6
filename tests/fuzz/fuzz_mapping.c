// fuzz_mapping.c - mapping files: whatever is read writes back to the same nest.
#include <assert.h>
#include <string.h>

#include "mapping/nest_inside.h"
#include "starling/mapping.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    SlArena arena;
    SlMapping mapping, again;
    SlError err;
    char a[SL_NEST_TEXT_MAX], b[SL_NEST_TEXT_MAX];
    sl_arena_init(&arena, 64 << 20);
    if (sl_mapping_parse_yaml("fuzz", (const char *)data, n, &arena, &mapping, &err) == SL_OK) {
        SlText text;
        sl_text_init(&text, &arena);
        sl_mapping_write_yaml(&mapping, NULL, &text);
        SlStatus status = sl_mapping_parse_yaml("again", text.data, text.n, &arena, &again, &err);
        assert(status == SL_OK);
        (void)status;
        sl_mapping_write(&mapping, sizeof a, a);
        assert(strcmp(a, sl_mapping_write(&again, sizeof b, b)) == 0);
    }
    sl_arena_free(&arena);
    return 0;
}
