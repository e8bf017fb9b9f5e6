// test_fnv.c - hashes of known texts, in pieces and by words.
#include "support/check.h"

#include <string.h>

#include "starling/core/fnv.h"

static uint64_t hash_of(const char *text) {
    return sl_fnv_bytes(SL_FNV_START, text, strlen(text));
}

// values of Noll's own table (FNV-1a, 64 bits)
static void known_texts_have_their_known_hashes(void **state) {
    (void)state;
    assert_true(hash_of("") == UINT64_C(0xcbf29ce484222325));
    assert_true(hash_of("a") == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(hash_of("foobar") == UINT64_C(0x85944171f73967e8));
    assert_true(hash_of("\xff") == sl_fnv_add(SL_FNV_START, 0xff));
}

static void pieces_hash_as_the_whole(void **state) {
    (void)state;
    assert_true(sl_fnv_bytes(hash_of("foo"), "bar", 3) == hash_of("foobar"));
    assert_true(sl_fnv_bytes(hash_of("foo"), NULL, 0) == hash_of("foo"));
}

static void a_word_is_one_step(void **state) {
    (void)state;
    assert_true(sl_fnv_add(SL_FNV_START, 'a') == hash_of("a"));
    assert_true(sl_fnv_add(SL_FNV_START, 0x6161) != hash_of("aa"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts_have_their_known_hashes),
        cmocka_unit_test(pieces_hash_as_the_whole),
        cmocka_unit_test(a_word_is_one_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
