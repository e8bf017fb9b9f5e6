// test_accel_write.c - every bundled accelerator, and machines drawn like them, written and read
// back: the same one but for title and source.
#include "support/check.h"

#include <string.h>

#include "starling/job/teach.h"

// all that a description says, as text that differs wherever two do
static void describe(const SlAccel *accel, SlArena *arena, SlText *out) {
    SlLayer layer;
    SlSpace space = {.layer = &layer, .accel = accel};
    sl_layer_init(&layer);
    sl_text_init(out, arena);
    sl_space_describe(&space, out);
}

static void check_same(const SlAccel *accel) {
    SlAccel twin;
    SlArena arena;
    SlText text, one, other;
    SlError err;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_accel_write(accel, &text);
    if (sl_accel_parse("written", text.data, text.n, &arena, &twin, &err) != SL_OK)
        fail_msg("%s: %s\n%s", accel->name, err.text, text.data);
    describe(accel, &arena, &one);
    describe(&twin, &arena, &other);
    assert_string_equal(one.data, other.data);
    sl_arena_free(&arena);
}

static void what_is_written_reads_back(void **state) {
    (void)state;
    const char *names[64];
    SlRng rng;
    int n = sl_bundle_names("accels", 64, names);
    assert_true(n > 5);
    sl_rng_init(&rng, 1, "write");
    for (int i = 0; i < n; i++) {
        SlAccel accel, drawn;
        SlArena arena;
        sl_arena_init(&arena, 0);
        assert_int_equal(sl_accel_find(names[i], &arena, &accel, NULL), SL_OK);
        check_same(&accel);
        sl_accel_vary(&accel, &rng, &drawn);
        check_same(&drawn);
        sl_arena_free(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
