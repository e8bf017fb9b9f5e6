// test_status.c - sentences, places, and input that tries to break them.
#include "support/check.h"

#include <string.h>

#include "core/utf8.h"
#include "starling/core/status.h"

// every character of `text` is well-formed and none is a control character
static void assert_one_valid_line(const char *text) {
    size_t n = strlen(text);
    for (size_t i = 0; i < n;) {
        int size = sl_utf8_size(text + i, n - i);
        assert_true(size > 0);
        assert_true((unsigned char)text[i] >= 0x20 && text[i] != 0x7F);
        i += (size_t)size;
    }
}

static void a_failure_returns_its_status_and_keeps_the_sentence(void **state) {
    (void)state;
    SlError err = {.file = "old", .line = 3, .column = 4};
    assert_int_equal(sl_fail(&err, SL_EIO, "no %s in %d", "disk", 7), SL_EIO);
    assert_string_equal(err.text, "no disk in 7");
    assert_string_equal(err.file, "");
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
}

static void an_error_is_not_required(void **state) {
    (void)state;
    assert_int_equal(sl_fail(NULL, SL_EINPUT, "%s", "x"), SL_EINPUT);
    assert_int_equal(sl_fail_at(NULL, SL_ENOMEM, "f", 1, 2, "%s", "x"), SL_ENOMEM);
}

static void a_place_is_shown_as_far_as_it_is_known(void **state) {
    (void)state;
    SlError err;
    char out[900];
    sl_fail_at(&err, SL_EINPUT, "a.yaml", 3, 9, "bad");
    assert_string_equal(sl_error_text(&err, sizeof out, out), "a.yaml:3:9: bad");
    sl_fail_at(&err, SL_EINPUT, "a.yaml", 3, 0, "bad");
    assert_string_equal(sl_error_text(&err, sizeof out, out), "a.yaml:3: bad");
    sl_fail_at(&err, SL_EINPUT, "a.yaml", 0, 0, "bad");
    assert_string_equal(sl_error_text(&err, sizeof out, out), "a.yaml: bad");
    sl_fail_at(&err, SL_EINPUT, NULL, 3, 9, "bad");
    assert_string_equal(sl_error_text(&err, sizeof out, out), "line 3:9: bad");
    sl_fail(&err, SL_EINPUT, "bad");
    assert_string_equal(sl_error_text(&err, sizeof out, out), "bad");
}

static void a_short_buffer_gets_a_shortened_sentence(void **state) {
    (void)state;
    SlError err;
    char out[12] = "unchanged";
    sl_fail_at(&err, SL_EINPUT, "a.yaml", 3, 9, "bad");
    assert_string_equal(sl_error_text(&err, 10, out), "a.yaml...");
    assert_string_equal(sl_error_text(&err, 1, out), "");
    memcpy(out, "unchanged", 10);
    assert_string_equal(sl_error_text(&err, 0, out), "unchanged");
}

static void a_sentence_is_one_valid_line_whatever_it_quotes(void **state) {
    (void)state;
    SlError err;
    sl_fail(&err, SL_EINPUT, "got '%s'", "a\nb\tc\x1b[31m\x7f\xff\xc3\xc3\xa9\xe2\x80\xa8");
    assert_string_equal(err.text, "got 'a?b?c?[31m???\xc3\xa9?'");
    assert_one_valid_line(err.text);
}

static void a_long_sentence_is_cut_between_characters(void **state) {
    (void)state;
    SlError err;
    char word[1201];
    // two-byte characters at both parities
    for (size_t shift = 0; shift < 2; shift++) {
        memset(word, 'x', shift);
        for (size_t i = shift; i + 1 < sizeof word; i += 2) memcpy(word + i, "\xc3\xa9", 2);
        word[sizeof word - 1] = '\0';
        sl_fail(&err, SL_EINPUT, "%s", word);
        assert_one_valid_line(err.text);
        assert_true(strlen(err.text) >= sizeof err.text - 3);
        assert_string_equal(err.text + strlen(err.text) - 3, "...");
    }
}

static void of_a_long_path_the_end_is_kept(void **state) {
    (void)state;
    SlError err;
    char path[1000];
    memset(path, 'a', sizeof path);
    memcpy(path + sizeof path - 12, "/layer.yaml", 12);
    sl_fail_at(&err, SL_EINPUT, path, 1, 1, "bad");
    assert_int_equal(strlen(err.file), sizeof err.file - 1);
    assert_memory_equal(err.file, "...aaa", 6);
    assert_string_equal(err.file + strlen(err.file) - 11, "/layer.yaml");
}

static void an_error_may_be_built_from_itself(void **state) {
    (void)state;
    SlError err;
    sl_fail_at(&err, SL_EINPUT, "a.yaml", 1, 2, "bad");
    sl_fail_at(&err, SL_EINPUT, err.file, err.line, err.column, "worse: %s", err.text);
    assert_string_equal(err.text, "worse: bad");
    assert_string_equal(err.file, "a.yaml");
    assert_int_equal(err.column, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_returns_its_status_and_keeps_the_sentence),
        cmocka_unit_test(an_error_is_not_required),
        cmocka_unit_test(a_place_is_shown_as_far_as_it_is_known),
        cmocka_unit_test(a_short_buffer_gets_a_shortened_sentence),
        cmocka_unit_test(a_sentence_is_one_valid_line_whatever_it_quotes),
        cmocka_unit_test(a_long_sentence_is_cut_between_characters),
        cmocka_unit_test(of_a_long_path_the_end_is_kept),
        cmocka_unit_test(an_error_may_be_built_from_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
