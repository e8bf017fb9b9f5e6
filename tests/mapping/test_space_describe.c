// test_space_describe.c - spaces are told apart by their text, and the same ones are not.
#include "support/check.h"

#include <string.h>

#include "starling/mapping.h"

typedef struct {
    SlArena arena;
    SlLayer layer;
    SlAccel accel;
    SlConstraints constraints;
} World;

static const char *describe(World *world, SlSpacePreset preset, uint8_t open,
                            const SlConstraints *constraints) {
    SlSpaceOptions options = {.preset = preset, .open = open, .constraints = constraints};
    SlSpace *space = SL_NEW(&world->arena, 1, SlSpace);
    SlText text;
    assert_int_equal(
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, space, NULL), SL_OK);
    sl_text_init(&text, &world->arena);
    sl_space_describe(space, &text);
    assert_false(text.failed);
    return text.data;
}

static int begin(void **state) {
    static World world;
    sl_arena_init(&world.arena, 0);
    assert_int_equal(sl_layer_parse("conv:K=16,C=8,P=14,Q=14,R=3,S=3", &world.layer, NULL), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", &world.arena, &world.accel, NULL), SL_OK);
    assert_int_equal(sl_constraints_find("nvdla-style", &world.arena, &world.constraints, NULL),
                     SL_OK);
    *state = &world;
    return 0;
}

static int end(void **state) {
    World *world = *state;
    sl_arena_free(&world->arena);
    return 0;
}

static void a_space_made_again_is_the_same(void **state) {
    World *world = *state;
    assert_string_equal(describe(world, SL_SPACE_NATIVE, 0, NULL),
                        describe(world, SL_SPACE_NATIVE, 0, NULL));
}

static void presets_open_dims_and_constraints_are_seen(void **state) {
    World *world = *state;
    const char *texts[] = {
        describe(world, SL_SPACE_NATIVE, 0, NULL), describe(world, SL_SPACE_ALL, 0, NULL),
        describe(world, SL_SPACE_PAPER, 0, NULL), describe(world, SL_SPACE_NATIVE, 1 << SL_R, NULL),
        describe(world, SL_SPACE_NATIVE, 0, &world->constraints)};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(texts[i], texts[j]);
}

static void every_number_of_the_accelerator_is_seen(void **state) {
    World *world = *state;
    const SlAccel as_found = world->accel;
    const char *text = describe(world, SL_SPACE_NATIVE, 0, NULL);
    for (int change = 0; change < 10; change++) {
        SlAccel *accel = &world->accel;
        *accel = as_found;
        if (change == 0) accel->levels[1].capacity_bytes += 1;
        if (change == 1) accel->levels[0].port_words *= 1 + 0x1p-50;
        if (change == 2) accel->levels[2].link_words += 1;
        if (change == 3) accel->levels[2].read_pj += 1;
        if (change == 4) accel->levels[0].write_pj += 1;
        if (change == 5) accel->levels[1].link_pj += 1;
        if (change == 6) accel->mac_pj += 1;
        if (change == 7) accel->clock_mhz += 1;
        if (change == 8) accel->fanouts[1].multicast = !accel->fanouts[1].multicast;
        if (change == 9) accel->levels[1].buffering = SL_BUFFER_SINGLE;
        assert_string_not_equal(describe(world, SL_SPACE_NATIVE, 0, NULL), text);
    }
    world->accel = as_found;
    assert_string_equal(describe(world, SL_SPACE_NATIVE, 0, NULL), text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_space_made_again_is_the_same, begin, end),
        cmocka_unit_test_setup_teardown(presets_open_dims_and_constraints_are_seen, begin, end),
        cmocka_unit_test_setup_teardown(every_number_of_the_accelerator_is_seen, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
