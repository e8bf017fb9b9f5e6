// test_maestro_find.c - words that name .m files and layers of them.
#include "starling/workload/maestro_file.h"
#include "support/check.h"

static void a_file_ends_where_its_layer_begins(void **state) {
    (void)state;
    assert_string_equal(sl_maestro_path_end("net.m:conv"), ":conv");
    assert_string_equal(sl_maestro_path_end("a.m:b/net.m"), "");
    assert_null(sl_maestro_path_end("resnet18:conv2_1"));
    assert_null(sl_maestro_path_end("net.mapping"));
}

static void a_layer_has_a_name_before_a_number(void **state) {
    (void)state;
    SlMaestroLayer layers[] = {{.name = "2"}, {.name = "conv"}};
    SlMaestroNetwork net = {.n_layers = 2, .layers = layers};
    assert_int_equal(sl_maestro_find_layer(&net, "conv"), 1);
    assert_int_equal(sl_maestro_find_layer(&net, "2"), 0);
    assert_int_equal(sl_maestro_find_layer(&net, "1"), 0);
    assert_int_equal(sl_maestro_find_layer(&net, "3"), -1);
    assert_int_equal(sl_maestro_find_layer(&net, "pool"), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_ends_where_its_layer_begins),
        cmocka_unit_test(a_layer_has_a_name_before_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
