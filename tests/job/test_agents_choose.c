// test_agents_choose.c - the agents of a run: by number, height, another layer, a file, at random.
#include "support/check.h"

#include <string.h>

#include "starling/job.h"
#include "support/world.h"

typedef struct {
    World world, other;
    SlTaskSetup task, elsewhere;
    SlAgentChoice choice;
} Scene;

static int scene_make(void **state) {
    static Scene scene;
    world_make(&scene.world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    world_make(&scene.other, "conv:K=16,C=32,P=112,Q=112", "eyeriss");
    scene.task = (SlTaskSetup){.space = &scene.world.space, .goal = world_goal("latency")};
    scene.elsewhere = (SlTaskSetup){.space = &scene.other.space, .goal = world_goal("latency")};
    scene.choice = (SlAgentChoice){.assign = sl_assign_defaults()};
    scene.choice.assign.samples = 200;
    *state = &scene;
    return 0;
}

static int scene_free(void **state) {
    Scene *scene = *state;
    world_free(&scene->world);
    world_free(&scene->other);
    return 0;
}

static SlAgents choose(Scene *scene, int64_t expected_samples) {
    SlAgents agents;
    int64_t samples = -1;
    SlError err;
    SlStatus status = sl_agents_choose(&scene->task, &scene->world.space, &scene->choice,
                                       &scene->world.arena, &agents, &samples, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    assert_int_equal(samples, expected_samples);
    assert_null(sl_agents_check(&scene->world.space, &agents));
    return agents;
}

static SlAssignment assignment(Scene *scene, const SlTaskSetup *task) {
    SlAssignment found;
    SlStatus status = sl_assign_run(task, &scene->choice.assign, &scene->world.arena, &found, NULL);
    assert_int_equal(status, SL_OK);
    return found;
}

static void numbers_of_agents_take_samples_only_where_groups_are_made(void **state) {
    Scene *scene = *state;
    int n = scene->world.space.n_params;
    assert_int_equal(choose(scene, 0).n_agents, n);
    scene->choice.n_agents = 1;
    assert_int_equal(choose(scene, 0).n_agents, 1);
    scene->choice.n_agents = n;
    assert_int_equal(choose(scene, 0).n_agents, n);
    scene->choice.n_agents = 4;
    SlAgents agents = choose(scene, 200), expected;
    SlAssignment found = assignment(scene, &scene->task);
    sl_assign_agents(&found, 4, &expected);
    assert_memory_equal(&agents, &expected, sizeof agents);
    // nothing said of the dataset: the defaults
    scene->choice.assign = (SlAssignSetup){.seed = 3};
    assert_int_equal(choose(scene, sl_assign_defaults().samples).n_agents, 4);
}

static void a_height_says_how_many(void **state) {
    Scene *scene = *state;
    scene->choice.threshold = (SlThreshold){.height = 0.6, .of_top = true};
    SlAssignment found = assignment(scene, &scene->task);
    int n = sl_assign_count(&found, &scene->choice.threshold);
    assert_true(n > 1 && n < found.n);
    assert_int_equal(choose(scene, 200).n_agents, n);
}

static void other_layers_lend_their_groups_for_nothing(void **state) {
    Scene *scene = *state;
    scene->choice.n_agents = 3;
    scene->choice.elsewhere = &scene->elsewhere;
    SlAgents agents = choose(scene, 0), theirs, expected;
    SlAssignment found = assignment(scene, &scene->elsewhere);
    SlGroups groups;
    sl_assign_agents(&found, 3, &theirs);
    sl_groups_of(&scene->other.space, &theirs, &groups);
    assert_int_equal(sl_groups_match(&groups, &scene->world.space, &expected, NULL), SL_OK);
    assert_memory_equal(&agents, &expected, sizeof agents);
    // as from a file
    scene->choice = (SlAgentChoice){.groups = &groups};
    agents = choose(scene, 0);
    assert_memory_equal(&agents, &expected, sizeof agents);
}

static void shuffled_groups_keep_their_sizes(void **state) {
    Scene *scene = *state;
    int sizes[2][3] = {{0}};
    scene->choice.n_agents = 3;
    SlAgents plain = choose(scene, 200);
    scene->choice.shuffled = true;
    SlAgents shuffled = choose(scene, 200);
    for (int i = 0; i < scene->world.space.n_params; i++) {
        sizes[0][plain.agent[i]]++;
        sizes[1][shuffled.agent[i]]++;
    }
    assert_memory_equal(sizes[0], sizes[1], sizeof sizes[0]);
    assert_true(memcmp(&plain, &shuffled, sizeof plain) != 0);
}

static const char *described(Scene *scene) {
    SlText text;
    sl_text_init(&text, &scene->world.arena);
    sl_agents_describe(&scene->choice, &text);
    return text.data ? text.data : "";
}

// what decides about agents tells runs apart; records of runs without groups stay what they are
static void descriptions_tell_choices_apart(void **state) {
    Scene *scene = *state;
    SlGroups groups = {.n = 1, .n_agents = 1, .params[0] = {.name = "L2 K"}};
    const char *seen[8];
    int n = 0;
    assert_string_equal(described(scene), "");
    scene->choice.n_agents = 1;
    assert_string_equal(described(scene), "");
    scene->choice.n_agents = 3;
    seen[n++] = described(scene);
    scene->choice.assign.policy = sl_method_find("ga");
    seen[n++] = described(scene);
    scene->choice.assign.proposed = true;
    seen[n++] = described(scene);
    scene->choice.shuffled = true;
    seen[n++] = described(scene);
    scene->choice.threshold.height = 2;
    seen[n++] = described(scene);
    scene->choice.elsewhere = &scene->elsewhere;
    seen[n++] = described(scene);
    scene->choice.groups = &groups;
    seen[n++] = described(scene);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(seen[i], seen[j]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_of_agents_take_samples_only_where_groups_are_made,
                                        scene_make, scene_free),
        cmocka_unit_test_setup_teardown(a_height_says_how_many, scene_make, scene_free),
        cmocka_unit_test_setup_teardown(other_layers_lend_their_groups_for_nothing, scene_make,
                                        scene_free),
        cmocka_unit_test_setup_teardown(shuffled_groups_keep_their_sizes, scene_make, scene_free),
        cmocka_unit_test_setup_teardown(descriptions_tell_choices_apart, scene_make, scene_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
