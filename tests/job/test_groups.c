// test_groups.c - assignments as files: written, read, and matched with other layers by name.
#include "support/check.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "starling/job.h"
#include "support/folder.h"
#include "support/world.h"

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// three agents over a layer, in turns
static SlAgents in_turns(const SlSpace *space) {
    SlAgents agents = {.n_agents = 3};
    for (int i = 0; i < space->n_params; i++) agents.agent[i] = i % 3;
    return agents;
}

static void what_is_written_is_read_again(void **state) {
    (void)state;
    Folder folder;
    World world;
    SlGroups groups, back;
    SlAgents got;
    SlText text;
    char path[TEMP_ROOM];
    folder_make(&folder);
    world_make(&world, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    SlAgents agents = in_turns(&world.space);
    sl_groups_of(&world.space, &agents, &groups);
    groups.layer = "odd \"one\": a, b";
    groups.policy = "gamma";
    groups.samples = 1234;
    groups.seed = 7;
    sl_text_init(&text, &world.arena);
    sl_groups_write(&groups, &text);
    write_text(folder_path(&folder, "assignment.yaml", path), text.data);
    SlError err;
    // by its name, and by that of its folder
    for (int i = 0; i < 2; i++) {
        SlStatus status = sl_groups_read(i ? folder.dir : path, &world.arena, &back, &err);
        if (status != SL_OK) fail_msg("%s", err.text);
        assert_string_equal(back.layer, groups.layer);
        assert_string_equal(back.policy, "gamma");
        assert_null(back.accel);
        assert_int_equal(back.samples, 1234);
        assert_int_equal(back.seed, 7);
        assert_int_equal(sl_groups_match(&back, &world.space, &got, &err), SL_OK);
        assert_memory_equal(&got, &agents, sizeof got);
    }
    world_free(&world);
    folder_remove(&folder);
}

static int find_param(const SlSpace *space, const char *name) {
    for (int i = 0; i < space->n_params; i++)
        if (strcmp(space->params[i].name, name) == 0) return i;
    fail_msg("no %s", name);
    return -1;
}

static void other_layers_are_matched_by_name(void **state) {
    (void)state;
    World conv, dw;
    SlGroups groups;
    SlAgents got;
    SlError err;
    world_make(&conv, "conv:K=64,C=64,P=56,Q=56,R=3,S=3", "eyeriss");
    world_make(&dw, "dw:G=96,P=56,Q=56,R=3,S=3", "eyeriss");
    SlAgents agents = in_turns(&conv.space);
    sl_groups_of(&conv.space, &agents, &groups);
    assert_int_equal(sl_groups_match(&groups, &dw.space, &got, &err), SL_OK);
    assert_null(sl_agents_check(&dw.space, &got));
    // G takes K's place
    int g = find_param(&dw.space, "L2 G"), order = find_param(&dw.space, "L2 order");
    int k = find_param(&conv.space, "L2 K"), theirs = find_param(&conv.space, "L2 order");
    assert_int_equal(got.agent[g] == got.agent[order], agents.agent[k] == agents.agent[theirs]);
    // nobody knows these: an agent each
    snprintf(groups.params[k].name, SL_GROUPS_NAME, "nothing");
    snprintf(groups.params[theirs].name, SL_GROUPS_NAME, "nowhere");
    assert_int_equal(sl_groups_match(&groups, &dw.space, &got, &err), SL_OK);
    for (int i = 0; i < dw.space.n_params; i++) {
        if (i != g) assert_true(got.agent[i] != got.agent[g]);
        if (i != order) assert_true(got.agent[i] != got.agent[order]);
    }
    // not one name
    for (int i = 0; i < groups.n; i++) snprintf(groups.params[i].name, SL_GROUPS_NAME, "x%d", i);
    groups.file = "mine.yaml";
    assert_int_equal(sl_groups_match(&groups, &dw.space, &got, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, "mine.yaml: names none of the"));
    world_free(&conv);
    world_free(&dw);
}

static const struct {
    const char *text;
    int line;
    const char *says;
} wrong[] = {
    {"agents: [[a]]", 1, "missing key 'assignment'"},
    {"assignment: 2\nagents: [[a]]", 1, "expected a whole number"},
    {"assignment: 1", 1, "missing key 'agents'"},
    {"assignment: 1\nagents: 3", 2, "agents: expected a list"},
    {"assignment: 1\nagents: []", 2, "expected a list of parameters for each agent"},
    {"assignment: 1\nagents: [a, b]", 2, "agents: expected a list"},
    {"assignment: 1\nagents:\n  - [a]\n  - []", 4, "expected one parameter or more each"},
    {"assignment: 1\nagents:\n  - [a]\n  - [b, a]", 4, "'a' has an agent already"},
    {"assignment: 1\nagents: [[a, [b]]]", 2, "expected"},
    {"assignment: 1\nsampels: 3\nagents: [[a]]", 2, "unknown key 'sampels' (did you mean"},
    {"assignment: 1\nsamples: -3\nagents: [[a]]", 2, "samples: expected a whole number"},
    {"assignment: 1\nlayer: [a]\nagents: [[a]]", 2, "layer: expected"},
    {"[1, 2]", 1, "expected a map"},
};

static void wrong_files_are_refused_with_file_and_line(void **state) {
    (void)state;
    Folder folder;
    char path[TEMP_ROOM];
    folder_make(&folder);
    folder_path(&folder, "bad.yaml", path);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        SlArena arena;
        SlGroups groups;
        SlError err = {0};
        sl_arena_init(&arena, 0);
        write_text(path, wrong[i].text);
        assert_int_equal(sl_groups_read(path, &arena, &groups, &err), SL_EINPUT);
        if (!strstr(err.text, wrong[i].says) || err.line != wrong[i].line)
            fail_msg("line %d: %s", err.line, err.text);
        sl_arena_free(&arena);
    }
    assert_int_equal(unlink(path), 0);
    SlArena arena;
    SlGroups groups;
    SlError err = {0};
    sl_arena_init(&arena, 0);
    assert_true(sl_groups_read(path, &arena, &groups, &err) != SL_OK);
    sl_arena_free(&arena);
    folder_remove(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(other_layers_are_matched_by_name),
        cmocka_unit_test(wrong_files_are_refused_with_file_and_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
