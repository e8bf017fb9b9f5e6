// map_layer.cc - the library from C++: a good mapping of one layer, as in examples/03_map_layer.c.
#include <cmath>
#include <cstdio>
#include <cstring>

#include <starling/job.h>

static int fail(const char *why) {
    std::fprintf(stderr, "%s\n", why);
    return 1;
}

int main() {
    SlArena arena;
    SlError err = {};
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlSpaceOptions all = {};
    SlTaskSetup world = {};
    SlTask *task = nullptr;
    SlRecord record;
    char nest[SL_NEST_TEXT_MAX];
    sl_arena_init(&arena, 0);
    if (std::strcmp(sl_version(), SL_VERSION) != 0) return fail("another library");
    if (sl_layer_parse("conv:K=16,C=8,P=14,Q=14,R=3,S=3", &layer, &err) != SL_OK ||
        sl_accel_find("eyeriss", &arena, &accel, &err) != SL_OK ||
        sl_space_make(&layer, &accel, &all, &arena, &space, &err) != SL_OK ||
        sl_goal_parse("edp", &world.goal, &err) != SL_OK)
        return fail(err.text);
    world.space = &space;
    if (sl_task_make(&world, &arena, &task, &err) != SL_OK) return fail(err.text);

    SlRunSetup setup = {};
    setup.task = task;
    setup.method = sl_method_find("marl");
    setup.seed = 1;
    setup.stream = "cpp";
    setup.budget.samples = 50;
    if (sl_run(&setup, nullptr, nullptr, &arena, &record, &err) != SL_OK) return fail(err.text);
    std::printf("%s\n%.3f x the floor after %d samples\n",
                sl_mapping_write(&record.best.mapping, sizeof nest, nest), record.floor_multiple,
                static_cast<int>(record.samples));
    bool good =
        record.samples == 50 && std::isfinite(record.floor_multiple) && record.floor_multiple >= 1;
    sl_task_close(task);
    sl_arena_free(&arena);
    return good ? 0 : fail("no mapping");
}
