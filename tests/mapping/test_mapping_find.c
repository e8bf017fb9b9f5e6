// test_mapping_find.c - mappings as users give them.
#include <string.h>

#include "starling/mapping/mapping_find.h"
#include "support/check.h"
#include "support/world.h"

#define LISTS SL_SOURCE_DIR "/tests/data/maestro/stale_energy.m"
#define LAYER "conv:K=5,C=6,P=3,Q=3,R=3,S=3"

// What is found for a word on flex256: the nest as text, or the sentence of the error.
static const char *found(const char *layer, SlMappingQuery query, char out[static 1024]) {
    World world;
    SlMapping mapping;
    SlError err;
    bool repaired;
    world_make(&world, layer, "flex256");
    query.name = "the text";
    query.layer = &world.layer;
    query.accel = &world.accel;
    if (sl_mapping_find(&query, &world.arena, &mapping, &repaired, &err) == SL_OK)
        sl_mapping_write(&mapping, 1024, out);
    else
        sl_error_text(&err, 1024, out);
    if (repaired) strcat(out, " repaired");
    world_free(&world);
    return out;
}

static void nest_text_is_no_file(void **state) {
    (void)state;
    char out[1100];
    found("conv:K=4", (SlMappingQuery){.word = " K:2 @7 @7 K:1"}, out);
    assert_string_equal(out, "K:2 @7 @7 K:1");
    found("conv:K=4", (SlMappingQuery){.word = "K:2 @9"}, out);
    assert_ptr_equal(strstr(out, "the text: "), out);
    found("conv:K=4", (SlMappingQuery){.word = "K:2 @7 K:1"}, out);
    assert_non_null(strstr(out, "the text: "));
    found("conv:K=4", (SlMappingQuery){.word = "absent.yaml"}, out);
    assert_ptr_equal(strstr(out, "absent.yaml: "), out);
}

static void what_does_not_fit_is_mended_where_asked(void **state) {
    (void)state;
    static const char layer[] = "conv:K=512,C=512,P=28,Q=28,R=3,S=3";
    SlMappingQuery query = {.word = "@7 @7 K:1 C:1 P:1 Q:1 R:1 S:1"};
    char out[1100];
    assert_string_equal(found(layer, query, out), query.word);
    query.repair = true;
    assert_non_null(strstr(found(layer, query, out), " repaired"));
}

static void a_list_of_a_file_is_a_nest_on_its_pes(void **state) {
    (void)state;
    char out[1100];
    found(LAYER, (SlMappingQuery){.word = LISTS ":second", .num_pes = 4}, out);
    assert_non_null(strstr(out, "@7"));
    found(LAYER, (SlMappingQuery){.word = LISTS, .num_pes = 4}, out);
    assert_non_null(strstr(out, "has 2 layers, none of them called"));
    found(LAYER, (SlMappingQuery){.word = LISTS ":third", .num_pes = 4}, out);
    assert_non_null(strstr(out, "has no layer 'third'"));
    found("gemm:M=4,N=4,K=4", (SlMappingQuery){.word = LISTS ":first"}, out);
    assert_non_null(
        strstr(out, "stale_energy.m:3: layer first is a CONV, the layer to map a GEMM"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nest_text_is_no_file),
        cmocka_unit_test(what_does_not_fit_is_mended_where_asked),
        cmocka_unit_test(a_list_of_a_file_is_a_nest_on_its_pes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
