// test_profile_cases.c - the combinations of a profile, and which of them are compared.
#include "starling/learn/engine_profile.h"
#include "support/check.h"

// two worlds, 2 and 4 agents; per group 4 cases of faithful and 2 of folded, which has one layout
static SlProfileLists some_lists(void) {
    return (SlProfileLists){.worlds = {2, {0, 1}},
                            .agents = {2, {2, 4}},
                            .algos = {1, {SL_MASAC}},
                            .modes = {2, {SL_MODE_FAITHFUL, SL_MODE_FOLDED}},
                            .layouts = {2, {SL_LAYOUT_SEPARATE, SL_LAYOUT_JOINT}},
                            .samplings = {2, {SL_SAMPLE_UNIFORM, SL_SAMPLE_NEIGHBOR}}};
}

static SlStatus combine(const SlProfileLists *lists, SlArena *arena, SlProfile *profile) {
    SlEngineSetup like;
    sl_engine_init(&like);
    like.batch = 77;
    return sl_profile_combine(profile, lists, &like, arena, NULL);
}

static void every_combination_is_there_once(void **state) {
    (void)state;
    SlProfileLists lists = some_lists();
    SlProfile profile = {0};
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_int_equal(combine(&lists, &arena, &profile), SL_OK);
    assert_int_equal(profile.n, 24);
    for (int i = 0; i < profile.n; i++) {
        const SlEngineSetup *one = &profile.setups[i];
        assert_int_equal(one->batch, 77);
        assert_int_equal(one->algo, SL_MASAC);
        assert_int_equal(one->world.n_agents, i / 6 % 2 ? 4 : 2);
        assert_ptr_equal(one->world.world, sl_worlds[i / 12]);
        assert_true((one->mode == SL_MODE_FOLDED) == (one->layout == SL_LAYOUT_STATE));
        assert_null(sl_engine_check(one));
    }
    sl_arena_free(&arena);
}

static void cases_are_compared_with_all_else_alike(void **state) {
    (void)state;
    SlProfileLists lists = some_lists();
    SlProfile profile = {0};
    SlArena arena;
    sl_arena_init(&arena, 0);
    assert_int_equal(combine(&lists, &arena, &profile), SL_OK);
    for (int i = 0; i < profile.n; i += 6) assert_int_equal(sl_profile_group(&profile, i), 6);
    assert_int_equal(sl_profile_twice(&profile, 3), 9);
    assert_int_equal(sl_profile_twice(&profile, 9), -1); // nobody has 8 agents
    assert_int_equal(sl_profile_twice(&profile, 15), 21);
    assert_int_equal(sl_profile_uniform(&profile, 3), 2);
    assert_int_equal(sl_profile_uniform(&profile, 2), -1); // it is uniform itself
    profile.n = 23;
    assert_int_equal(sl_profile_group(&profile, 18), 5); // never past the end
    sl_arena_free(&arena);
}

// two algorithms; phase p of case i takes (i + 1) (p + 1) ms
static void growth_is_averaged_over_algorithms(void **state) {
    (void)state;
    SlProfileLists lists = some_lists();
    SlProfile profile = {0};
    SlArena arena;
    SlGrowth growth;
    lists.worlds.n = lists.modes.n = lists.layouts.n = 1;
    lists.algos = (SlProfileList){2, {SL_MADDPG, SL_MASAC}};
    sl_arena_init(&arena, 0);
    assert_int_equal(combine(&lists, &arena, &profile), SL_OK);
    assert_int_equal(profile.n, 8);
    for (int i = 0; i < profile.n; i++) {
        for (int p = 0; p < SL_N_PHASES; p++) profile.times[i].phases[p].median = (i + 1) * (p + 1);
        profile.times[i].all.median = i + 1;
    }
    // cases 1 and 3: neighbor, 2 agents; with 4 agents they are 5 and 7
    assert_true(sl_profile_growth(&profile, 1, &growth));
    assert_true(growth.all == 6.0 / 2 && growth.update == 3 && growth.phases[0] == 3);
    assert_false(sl_profile_growth(&profile, 5, &growth));
    assert_false(sl_profile_mean_growth(&profile, 1, &growth)); // not the last algorithm
    assert_false(sl_profile_mean_growth(&profile, 7, &growth));
    assert_true(sl_profile_mean_growth(&profile, 3, &growth));
    assert_true(growth.all == (6.0 / 2 + 8.0 / 4) / 2 && growth.update == 2.5);
    assert_true(growth.phases[SL_PHASE_REST] == 2.5);
    sl_arena_free(&arena);
}

static void too_many_and_too_little_memory_are_errors(void **state) {
    (void)state;
    SlProfileLists lists = some_lists();
    SlProfile profile = {0};
    SlArena arena;
    sl_arena_init(&arena, 1000);
    assert_int_equal(combine(&lists, &arena, &profile), SL_ENOMEM);
    sl_arena_free(&arena);
    sl_arena_init(&arena, 0);
    lists.agents.n = SL_PROFILE_LIST;
    for (int i = 0; i < SL_PROFILE_LIST; i++) lists.agents.items[i] = 1 + i % 48;
    lists.algos = (SlProfileList){2, {SL_MADDPG, SL_MASAC}};
    assert_int_equal(combine(&lists, &arena, &profile), SL_EINPUT);
    assert_int_equal(profile.n, SL_PROFILE_CASES);
    sl_arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_is_there_once),
        cmocka_unit_test(cases_are_compared_with_all_else_alike),
        cmocka_unit_test(growth_is_averaged_over_algorithms),
        cmocka_unit_test(too_many_and_too_little_memory_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
