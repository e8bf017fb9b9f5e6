// test_xml_check.c - the checker itself finds what it is there for.
#include "support/check.h"

#include "xml_check.h"

static void well_formed_elements_pass(void **state) {
    (void)state;
    assert_null(xml_check("<svg/>"));
    assert_null(xml_check("<svg a=\"1\" b-c=\"x &amp; y\"><g>t &lt; u</g><r/></svg>\n"));
}

static void broken_ones_do_not(void **state) {
    (void)state;
    static const char *const broken[] = {"",
                                         "svg",
                                         "<svg>",
                                         "<svg></g>",
                                         "<svg><g></svg></g>",
                                         "<svg a=1/>",
                                         "<svg a=\"1/>",
                                         "<svg>a & b</svg>",
                                         "<svg a=\"nan\"/>",
                                         "<svg a=\"-inf\"/>",
                                         "<svg/><svg/>",
                                         "<svg>\x01</svg>",
                                         "<svg a=\"<\"/>"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (!xml_check(broken[i])) fail_msg("passed: %s", broken[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_formed_elements_pass),
        cmocka_unit_test(broken_ones_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
