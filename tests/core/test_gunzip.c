// test_gunzip.c - files that gzip packed, and others.
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/sweep.h"
#include "starling/core/text.h"

enum { LONG = 300000 };

// The file of all tests, gone after them.
static struct { char path[64]; } place;

static int make_place(void **state) {
    strcpy(place.path, "/tmp/starling-gunzip-XXXXXX");
    int fd = mkstemp(place.path);
    if (fd < 0) return -1;
    (void)state;
    close(fd);
    return 0;
}

static int drop_place(void **state) {
    (void)state;
    return unlink(place.path);
}

static void write_plain(const char *path, const char *bytes, size_t n) {
    assert_int_equal(sl_file_write(path, bytes, n, NULL), SL_OK);
}

// what gzip would write; `mode` "ab" for one more member
static void write_packed(const char *path, const char *mode, const char *bytes, size_t n) {
    gzFile file = gzopen(path, mode);
    assert_non_null(file);
    assert_int_equal(gzwrite(file, bytes, (unsigned)n), (int)n);
    assert_int_equal(gzclose(file), Z_OK);
}

static void expect(const char *path, const char *bytes, size_t n) {
    SlArena arena;
    char *data = NULL;
    size_t got = 0;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_file_read_gzip(path, LONG, &arena, &data, &got, &err), SL_OK);
    assert_int_equal(got, n);
    assert_memory_equal(data, bytes, n);
    assert_int_equal(data[n], '\0');
    sl_arena_free(&arena);
}

static void refuse(const char *path, size_t max, const char *sentence) {
    SlArena arena;
    char *data = NULL;
    size_t n = 0;
    SlError err;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_file_read_gzip(path, max, &arena, &data, &n, &err), SL_EINPUT);
    assert_int_equal(sl_arena_mark(&arena), 0);
    assert_string_equal(err.file, path);
    if (!strstr(err.text, sentence)) fail_msg("expected '%s', got '%s'", sentence, err.text);
    sl_arena_free(&arena);
}

static char *long_text(void) {
    char *text = malloc(LONG);
    assert_non_null(text);
    for (int i = 0; i < LONG; i++) text[i] = (char)('a' + (i * 7 + i / 11) % 26);
    return text;
}

static void plain_files_come_as_they_are(void **state) {
    (void)state;
    write_plain(place.path, "", 0);
    expect(place.path, "", 0);
    write_plain(place.path, "\x1f{}", 3);
    expect(place.path, "\x1f{}", 3);
}

static void packed_files_come_unpacked(void **state) {
    (void)state;
    char *text = long_text();
    write_packed(place.path, "wb", "short\n", 6);
    expect(place.path, "short\n", 6);
    write_packed(place.path, "wb", text, LONG);
    expect(place.path, text, LONG);
    write_packed(place.path, "wb", "", 0);
    expect(place.path, "", 0);
    free(text);
}

static void members_follow_each_other(void **state) {
    (void)state;
    write_packed(place.path, "wb", "one ", 4);
    write_packed(place.path, "ab", "two ", 4);
    write_packed(place.path, "ab", "three", 5);
    expect(place.path, "one two three", 13);
}

static void the_limit_holds_for_what_is_unpacked(void **state) {
    (void)state;
    char *text = calloc(1, LONG);
    write_packed(place.path, "wb", text, LONG);
    expect(place.path, text, LONG);
    refuse(place.path, LONG - 1, "expected at most 299999 bytes when unpacked");
    refuse(place.path, 100, "expected at most 100 bytes");
    free(text);
}

static void broken_files_are_refused(void **state) {
    (void)state;
    char *text = long_text();
    write_packed(place.path, "wb", text, LONG);
    SlArena arena;
    char *packed = NULL;
    size_t n = 0;
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_file_read(place.path, LONG, &arena, &packed, &n, NULL), SL_OK);
    for (size_t cut = 2; cut < n; cut += n / 7) {
        write_plain(place.path, packed, cut);
        refuse(place.path, LONG, "cannot unpack: the file ends too early");
    }
    packed[n / 2] ^= 0x55;
    write_plain(place.path, packed, n);
    refuse(place.path, LONG, "cannot unpack: ");
    write_plain(place.path, "\x1f\x8b\x08 and no more", 15);
    refuse(place.path, LONG, "cannot unpack: ");
    sl_arena_free(&arena);
    free(text);
}

static SlStatus read_seven(SlArena *arena) {
    char *data;
    size_t n;
    return sl_file_read_gzip(place.path, LONG, arena, &data, &n, NULL);
}

static void too_little_memory_is_told(void **state) {
    (void)state;
    write_packed(place.path, "wb", "7 bytes", 7);
    assert_true(sweep_memory(read_seven, true) > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_come_as_they_are),
        cmocka_unit_test(packed_files_come_unpacked),
        cmocka_unit_test(members_follow_each_other),
        cmocka_unit_test(the_limit_holds_for_what_is_unpacked),
        cmocka_unit_test(broken_files_are_refused),
        cmocka_unit_test(too_little_memory_is_told),
    };
    return cmocka_run_group_tests(tests, make_place, drop_place);
}
