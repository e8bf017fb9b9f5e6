// test_world_adversary.c - an adversary that must not find the goal: recordings, rewards, what is
// seen, how it seeks; by worlds made by hand, and how goals are drawn.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "particle_block.h"
#include "task/episodes.h"

// ---- recordings ----

static SlDeviation play(const char *name, SlParticleRules rules) {
    char path[512];
    SlArena arena;
    SlDeviation apart;
    SlError err;
    snprintf(path, sizeof path, "%s/tests/data/particle/%s", SL_SOURCE_DIR, name);
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_episodes_play(path, rules, &arena, &apart, &err), SL_OK);
    sl_arena_free(&arena);
    return apart;
}

static void our_rules_are_those_of_the_original_and_of_mpe2(void **state) {
    (void)state;
    static const char *const files[] = {"adversary.jsonl.gz", "adversary_mpe2.jsonl.gz"};
    for (int i = 0; i < 2; i++) {
        const SlDeviation same = play(files[i], (SlParticleRules)i);
        assert_int_equal(same.steps, 4 * 25);
        assert_true(same.pos < 1e-12 && same.vel < 1e-12 && same.obs < 1e-12);
        assert_true(same.reward < 1e-12);
        const SlDeviation other = play(files[i], (SlParticleRules)(1 - i));
        assert_true(other.pos > 1 && other.vel > 1 && other.obs > 1 && other.reward > 1);
    }
}

#define EPISODE(goal)                                                                              \
    "{\"scenario\":\"adversary\",\"n\":1,\"agents\":[{\"pos\":[0,0]},{\"pos\":[1,0]}],"            \
    "\"landmarks\":[{\"pos\":[1,1]},{\"pos\":[0,1]}]" goal ",\"steps\":[]}\n"

// NULL: it is played
static void refuse(const char *text, const char *sentence) {
    SlArena arena;
    SlDeviation apart;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status =
        sl_episodes_play_text("t.jsonl", text, strlen(text), SL_RULES_OPENAI, &arena, &apart, &err);
    sl_arena_free(&arena);
    assert_int_equal(status, sentence ? SL_EINPUT : SL_OK);
    if (sentence && !strstr(err.text, sentence))
        fail_msg("expected '%s', got '%s'", sentence, err.text);
}

static void episodes_name_the_goal_among_the_landmarks(void **state) {
    (void)state;
    refuse(EPISODE(",\"goal\":1"), NULL);
    refuse(EPISODE(""), "missing key 'goal'");
    refuse(EPISODE(",\"goal\":2"), "from 0 to 1");
    refuse("{\"scenario\":\"adversary\",\"n\":1,\"agents\":[{\"pos\":[0,0]}],\"landmarks\":[],"
           "\"goal\":0,\"steps\":[]}",
           "goal: expected a landmark");
    refuse("{\"scenario\":\"spread\",\"n\":1,\"agents\":[{\"pos\":[0,0]}],\"landmarks\":[],"
           "\"goal\":0,\"steps\":[]}",
           "goal: spread has none");
}

// ---- rewards and movement ----

// two agents, the adversary, two landmarks, of which the second is the goal
static void make_scene(Block *block, SlParticleRules rules) {
    block_init(block, "adversary", rules, 2);
    put_landmark(block, 0, -1, 0);
    put_landmark(block, 1, 1, 0);
    put_landmark(block, 2, 1, 0);
    put_mover(block, 0, 1, 0.25);
    put_mover(block, 1, 0, 0);
    put_mover(block, 2, -2, 4); // 5 from the goal
}

static void agents_share_the_adversarys_distance_minus_that_of_the_nearest(void **state) {
    Block *block = *state;
    for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
        make_scene(block, (SlParticleRules)rules);
        for (int i = 0; i < 2; i++) near_to(reward_of(block, i), 5 - 0.25);
        put_mover(block, 1, 1, 0);
        near_to(reward_of(block, 0), 5);
    }
}

static void adversaries_are_paid_by_squares_in_the_original_alone(void **state) {
    Block *block = *state;
    make_scene(block, SL_RULES_OPENAI);
    near_to(reward_of(block, 2), -25);
    make_scene(block, SL_RULES_MPE2);
    near_to(reward_of(block, 2), -5);
}

static void nobody_is_pushed(void **state) {
    Block *block = *state;
    make_scene(block, SL_RULES_OPENAI);
    for (int i = 0; i < 3; i++) put_mover(block, i, 1, 0.001 * i);
    block_move(block);
    for (int i = 0; i < 3; i++) assert_true(vx_of(block, i) == 0 && vy_of(block, i) == 0);
}

// ---- the script ----

static void the_adversary_goes_where_an_agent_is_at_a_landmark(void **state) {
    Block *block = *state;
    make_scene(block, SL_RULES_OPENAI);
    put_mover(block, 0, 1, 0);
    put_mover(block, 2, 1, 0.4);
    block_drive(block);
    near_to(force_of(block, 2, 1), -0.8 * 5); // it is 0.4 away
    assert_true(fabs(force_of(block, 2, 0)) < 0.02);
    put_mover(block, 2, 1, 3);
    block_drive(block);
    near_to(hypot(force_of(block, 2, 0), force_of(block, 2, 1)), 5); // at most a whole action
}

static void agents_at_all_landmarks_lead_it_to_the_middle(void **state) {
    Block *block = *state;
    make_scene(block, SL_RULES_OPENAI);
    put_mover(block, 0, 1, 0.1);
    put_mover(block, 1, -1, 0.1);
    put_mover(block, 2, 0, 0);
    block_drive(block);
    assert_true(fabs(force_of(block, 2, 0)) < 1e-6 && fabs(force_of(block, 2, 1)) < 1e-6);
    put_mover(block, 1, -1, 0.4); // farther from its landmark: not believed any more
    block_drive(block);
    assert_true(force_of(block, 2, 0) > 4.5);
}

static void the_adversary_does_not_look_at_the_goal(void **state) {
    Block *block = *state;
    make_scene(block, SL_RULES_OPENAI);
    block_drive(block);
    const double x = force_of(block, 2, 0), y = force_of(block, 2, 1);
    put_landmark(block, 2, -1, 0);
    block_drive(block);
    assert_true(force_of(block, 2, 0) == x && force_of(block, 2, 1) == y);
}

// ---- what is seen ----

static void agents_see_the_goal_landmarks_the_adversary_and_each_other(void **state) {
    (void)state;
    const SlWorld *world = sl_world_find("adversary");
    SlParticleSetup setup;
    SlObserved map[2 * 10];
    SlArena arena;
    sl_arena_init(&arena, 0);
    sl_world_init(world, &setup);
    setup.n_agents = 2;
    assert_int_equal(setup.script, SL_SCRIPT_OWN); // trained against one that seeks
    const SlParticleShape *shape = sl_particles_shape(sl_particles_make(&setup, &arena));
    assert_int_equal(shape->n_observed, 10);
    assert_int_equal(shape->n_state, 3 * 4 + 3 * 2);
    assert_int_equal(shape->n_fixed, 3 * 2);
    sl_particle_map(world, shape, map);
    static const int plus[] = {16, 17, 12, 13, 14, 15, 4, 5, 0, 1}; // of agent 1
    for (int i = 0; i < 10; i++) {
        assert_int_equal(map[10 + i].plus, plus[i]);
        assert_int_equal(map[10 + i].minus, 2 + i % 2);
    }
    sl_arena_free(&arena);
}

static void every_landmark_is_the_goal_equally_often(void **state) {
    (void)state;
    enum { ENVS = 3000, N = 3, STATE = 6 * N + 6 };
    static float states[ENVS * STATE];
    const SlParticleSetup setup = {
        .world = sl_world_find("adversary"), .n_agents = N, .n_envs = ENVS, .episode_steps = 25};
    SlArena arena;
    int count[N] = {0};
    sl_arena_init(&arena, 0);
    SlParticleBuffers buffers = {.state = states};
    sl_particles_reset(sl_particles_make(&setup, &arena), 1, &buffers);
    for (int e = 0; e < ENVS; e++) {
        const float *landmarks = states + (ptrdiff_t)e * STATE + 4 * (N + 1);
        for (int k = 0; k < N; k++)
            count[k] += memcmp(landmarks + 2 * k, landmarks + 2 * N, 2 * sizeof(float)) == 0;
    }
    assert_int_equal(count[0] + count[1] + count[2], ENVS);
    for (int k = 0; k < N; k++) assert_true(900 < count[k] && count[k] < 1100); // 4 sigma
    sl_arena_free(&arena);
}

int main(void) {
    static Block block;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_rules_are_those_of_the_original_and_of_mpe2),
        cmocka_unit_test(episodes_name_the_goal_among_the_landmarks),
        cmocka_unit_test_prestate(agents_share_the_adversarys_distance_minus_that_of_the_nearest,
                                  &block),
        cmocka_unit_test_prestate(adversaries_are_paid_by_squares_in_the_original_alone, &block),
        cmocka_unit_test_prestate(nobody_is_pushed, &block),
        cmocka_unit_test_prestate(the_adversary_goes_where_an_agent_is_at_a_landmark, &block),
        cmocka_unit_test_prestate(agents_at_all_landmarks_lead_it_to_the_middle, &block),
        cmocka_unit_test_prestate(the_adversary_does_not_look_at_the_goal, &block),
        cmocka_unit_test(agents_see_the_goal_landmarks_the_adversary_and_each_other),
        cmocka_unit_test(every_landmark_is_the_goal_equally_often),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
