// world.c - a layer on an accelerator and the space of its mappings.
#include "support/world.h"

#include "support/check.h"

static void expect_ok(SlStatus status, const SlError *err) {
    if (status != SL_OK) print_message("%s\n", err->text);
    assert_int_equal(status, SL_OK);
}

void world_remake(World *world) {
    SlError err = {0};
    const SlSpaceOptions options = {.preset = SL_SPACE_NATIVE};
    assert_null(sl_accel_check(&world->accel));
    expect_ok(
        sl_space_make(&world->layer, &world->accel, &options, &world->arena, &world->space, &err),
        &err);
}

void world_make(World *world, const char *layer, const char *accel) {
    SlError err = {0};
    sl_arena_init(&world->arena, 0);
    expect_ok(sl_layer_parse(layer, &world->layer, &err), &err);
    expect_ok(sl_accel_find(accel, &world->arena, &world->accel, &err), &err);
    world_remake(world);
}

void world_free(World *world) {
    sl_arena_free(&world->arena);
}

SlGoal world_goal(const char *text) {
    SlGoal goal;
    SlError err = {0};
    expect_ok(sl_goal_parse(text, &goal, &err), &err);
    return goal;
}

SlTask *world_task(World *world, const char *goal, SlIllegal illegal) {
    const SlTaskSetup setup = {
        .space = &world->space, .goal = world_goal(goal), .illegal = illegal};
    SlTask *task = NULL;
    SlError err = {0};
    expect_ok(sl_task_make(&setup, &world->arena, &task, &err), &err);
    return task;
}
