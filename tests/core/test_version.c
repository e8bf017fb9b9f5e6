// test_version.c - the library is as new as its headers.
#include "support/check.h"

#include <stdio.h>

#include "starling/core/version.h"

static void the_library_has_the_version_of_its_header(void **state) {
    (void)state;
    int major, minor, patch;
    char behind;
    assert_string_equal(sl_version(), SL_VERSION);
    assert_int_equal(sscanf(sl_version(), "%d.%d.%d%c", &major, &minor, &patch, &behind), 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_the_version_of_its_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
