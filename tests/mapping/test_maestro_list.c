// test_maestro_list.c - directive lists found in .m files, and written for nests.
#include <string.h>

#include "starling/mapping/maestro_nest.h"
#include "support/check.h"
#include "support/world.h"

#define LISTS SL_SOURCE_DIR "/tests/data/maestro/stale_energy.m"

static void a_nest_is_written_as_a_file_that_reads_back(void **state) {
    (void)state;
    World world;
    SlText text;
    SlMapping mapping;
    SlMaestroNetwork net;
    world_make(&world, "conv:K=4,C=4,P=4,Q=4,R=3,S=3", "flex256");
    sl_text_init(&text, &world.arena);
    assert_int_equal(sl_mapping_parse("K:2 P:2 @7 C*1 @7 K:1 P:1 Q:1 R:1 S:1", &mapping, NULL),
                     SL_OK);
    assert_null(sl_maestro_write_nest(&world.layer, &world.accel, &mapping, "a net", &text));
    assert_ptr_equal(strstr(text.data, "// for 256 PEs"), text.data);
    assert_int_equal(sl_maestro_parse("text", text.data, text.n, &world.arena, &net, NULL), SL_OK);
    assert_int_equal(net.n_layers, 1);
    world_free(&world);
}

static void a_nest_that_needs_other_pes_says_how_many(void **state) {
    (void)state;
    World world;
    SlText text;
    SlMapping mapping;
    world_make(&world, "conv:K=400,C=2,P=4,Q=4,R=3,S=3", "flex256");
    sl_text_init(&text, &world.arena);
    assert_int_equal(sl_mapping_parse("K:200 @7 K*1 C*1 @7 P:1 Q:1 R:1 S:1", &mapping, NULL),
                     SL_OK);
    assert_null(sl_maestro_write_nest(&world.layer, &world.accel, &mapping, "net", &text));
    assert_ptr_equal(strstr(text.data, "// for 400 PEs"), text.data);
    assert_int_equal(sl_mapping_parse("@7 K:1 C:1 P:1 Q:1 R:1 S:1", &mapping, NULL), SL_OK);
    assert_non_null(sl_maestro_write_nest(&world.layer, &world.accel, &mapping, "net", &text));
    world_free(&world);
}

static void a_list_is_of_the_layer_that_is_named_or_called_so(void **state) {
    (void)state;
    World world;
    SlMaestroLayer shape;
    SlMaestroMapping list;
    SlError err;
    world_make(&world, "conv:K=5,C=6,P=3,Q=3,R=3,S=3", "flex256");
    const SlStatus lacks =
        sl_maestro_list_find(LISTS, &world.layer, &world.arena, &shape, &list, &err);
    assert_int_equal(lacks, SL_EINPUT);
    strcpy(world.layer.name, "second");
    assert_int_equal(sl_maestro_list_find(LISTS, &world.layer, &world.arena, &shape, &list, &err),
                     SL_OK);
    assert_int_equal(list.n, 13);
    assert_int_equal(shape.size[SL_MV_K], 5);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_nest_is_written_as_a_file_that_reads_back),
        cmocka_unit_test(a_nest_that_needs_other_pes_says_how_many),
        cmocka_unit_test(a_list_is_of_the_layer_that_is_named_or_called_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
