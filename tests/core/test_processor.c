// test_processor.c - the name of the processor is one line, cut to its room.
#include "support/check.h"

#include <string.h>

#include "starling/core.h"

static void its_name_is_one_line_that_fits(void **state) {
    char name[256], cut[6];
    (void)state;
    assert_ptr_equal(sl_processor_name(sizeof name, name), name);
    assert_null(strchr(name, '\n'));
    assert_true(name[0] != ' ' && name[0] != ':');
    sl_processor_name(sizeof cut, cut);
    assert_int_equal(strlen(cut), strlen(name) < 5 ? strlen(name) : 5);
    assert_memory_equal(cut, name, strlen(cut));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_name_is_one_line_that_fits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
