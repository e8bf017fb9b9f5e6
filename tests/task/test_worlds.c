// test_worlds.c - the table of particle worlds: every row is whole, and none is mistaken for
// another.
#include "support/check.h"

#include <string.h>

#include "task/particle_inside.h"

static void rows_are_found_by_name_and_place(void **state) {
    (void)state;
    int n = 0;
    for (; sl_worlds[n]; n++) {
        assert_string_equal(sl_world_names[n], sl_worlds[n]->name);
        assert_ptr_equal(sl_world_find(sl_worlds[n]->name), sl_worlds[n]);
        assert_int_equal(sl_world_index(sl_worlds[n]), n);
    }
    assert_null(sl_world_names[n]);
    assert_null(sl_world_find("chess"));
}

static void checkpoints_of_old_find_their_worlds(void **state) {
    (void)state;
    static const char *const names[] = {"tag", "spread"}; // 0 and 1 in files of version 0.1.0
    for (int i = 0; i < 2; i++) assert_string_equal(sl_world_names[i], names[i]);
}

static void rows_have_all_that_they_need(void **state) {
    (void)state;
    for (int w = 0; sl_worlds[w]; w++) {
        const SlWorldRow *row = sl_worlds[w]->row;
        const bool scripted = row->n_scripted;
        assert_true(sl_worlds[w]->title[0] && row->n_landmarks(3) > 0);
        assert_int_equal(scripted, row->codes->plain.drive && row->codes->wide.drive);
        assert_int_equal(scripted, row->codes->plain.reward_scripted != NULL);
        assert_int_equal(scripted, row->codes->exact.reward_scripted != NULL);
        assert_int_equal(scripted, sl_worlds[w]->teams[1] != NULL);
        assert_non_null(sl_worlds[w]->teams[0]);
        assert_int_equal(row->facts->sight[PARTICLE_MAX_SIGHT - 1], SIGHT_END);
        // those with a script can learn; some worlds have a second script
        int n = 0;
        while (sl_worlds[w]->scripts[n]) n++;
        assert_in_range(n, scripted ? SL_SCRIPT_LEARN + 1 : SL_SCRIPT_LEARN, SL_N_SCRIPTS);
        if (scripted) assert_string_equal(sl_worlds[w]->scripts[SL_SCRIPT_LEARN], "learn");
    }
}

// options of all worlds stand in one table of `starling train`
static void no_option_is_in_two_worlds(void **state) {
    (void)state;
    for (int w = 0; sl_worlds[w]; w++)
        for (const SlOption *one = sl_worlds[w]->options; one->name; one++)
            for (int v = 0; v < w; v++)
                for (const SlOption *other = sl_worlds[v]->options; other->name; other++)
                    assert_string_not_equal(one->name, other->name);
}

static void agents_are_trained_in_the_worlds_of_the_paper(void **state) {
    (void)state;
    for (int w = 0; sl_worlds[w]; w++) {
        SlParticleSetup setup;
        sl_world_init(sl_worlds[w], &setup);
        assert_null(sl_particles_check(&setup));
        assert_int_equal(setup.n_agents, 3);
        assert_int_equal(setup.episode_steps, 25);
    }
    SlParticleSetup tag, spread; // numbers in the checkpoints of version 0.1.0
    sl_world_init(sl_world_find("tag"), &tag);
    sl_world_init(sl_world_find("spread"), &spread);
    assert_int_equal(tag.script, SL_SCRIPT_RANDOM);
    assert_int_equal(spread.script, SL_SCRIPT_RANDOM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_found_by_name_and_place),
        cmocka_unit_test(checkpoints_of_old_find_their_worlds),
        cmocka_unit_test(rows_have_all_that_they_need),
        cmocka_unit_test(no_option_is_in_two_worlds),
        cmocka_unit_test(agents_are_trained_in_the_worlds_of_the_paper),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
