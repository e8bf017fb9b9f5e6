// test_episodes.c - recorded episodes: those of the original, some made by hand, and some that are
// wrong.
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task/episodes.h"

// plays a recording; the other rules must be far from it
static void play_golden(const char *name, SlParticleRules rules, int episodes) {
    char path[512];
    SlArena arena;
    SlDeviation apart;
    SlError err;
    snprintf(path, sizeof path, "%s/tests/data/particle/%s", SL_SOURCE_DIR, name);
    sl_arena_init(&arena, 0);
    assert_int_equal(sl_episodes_play(path, rules, &arena, &apart, &err), SL_OK);
    assert_int_equal(apart.episodes, episodes);
    assert_int_equal(apart.steps, episodes * 25);
    assert_true(apart.pos < 1e-9 && apart.vel < 1e-9 && apart.obs < 1e-9 && apart.reward < 1e-9);
    assert_int_equal(sl_arena_mark(&arena), 0);
    SlParticleRules other = rules == SL_RULES_MPE2 ? SL_RULES_OPENAI : SL_RULES_MPE2;
    assert_int_equal(sl_episodes_play(path, other, &arena, &apart, &err), SL_OK);
    assert_true(apart.pos > 0.1 && apart.vel > 0.1 && apart.obs > 0.1 && apart.reward > 1);
    sl_arena_free(&arena);
}

static void our_rules_are_those_of_the_original(void **state) {
    (void)state;
    play_golden("golden.jsonl.gz", SL_RULES_OPENAI, 24);
}

static void the_newer_rules_are_those_of_mpe2(void **state) {
    (void)state;
    play_golden("mpe2.jsonl.gz", SL_RULES_MPE2, 4);
}

static SlDeviation play(const char *text, SlParticleRules rules) {
    SlArena arena;
    SlDeviation apart;
    SlError err = {.text = ""};
    char said[1024];
    sl_arena_init(&arena, 0);
    if (sl_episodes_play_text("t", text, strlen(text), rules, &arena, &apart, &err) != SL_OK)
        fail_msg("%s", sl_error_text(&err, sizeof said, said));
    sl_arena_free(&arena);
    return apart;
}

// one predator, one prey, no obstacles, a step without actions and what is recorded of it
#define TAG(predator, prey, recorded)                                                              \
    "{\"scenario\":\"tag\",\"n\":1,\"agents\":[{" predator "},{" prey                              \
    "}],\"landmarks\":[],\"steps\":[{\"actions\":[[0,0,0,0,0],[0,0,0,0,0]]" recorded "}]}\n"
#define FAR "\"pos\":[-5,0]"

static void prey_pay_for_leaving_the_square(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double reward;
    } cases[] = {
        {TAG(FAR, "\"pos\":[0.5,-0.89]", ",\"reward\":[0,0]"), 0},
        {TAG(FAR, "\"pos\":[0.95,0]", ",\"reward\":[0,0]"), -0.5},
        {TAG(FAR, "\"pos\":[0.95,-0.92]", ",\"reward\":[0,0]"), -0.7},
        {TAG(FAR, "\"pos\":[0,1.2]", ",\"reward\":[0,0]"), -1.4918246976412703},
        {TAG(FAR, "\"pos\":[-3,0]", ",\"reward\":[0,0]"), -10},
        {TAG(FAR, "\"pos\":[3,-4]", ",\"reward\":[0,0]"), -20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int rules = 0; rules < SL_N_PARTICLE_RULES; rules++) {
            SlDeviation apart = play(cases[i].text, (SlParticleRules)rules);
            assert_true(fabs(apart.reward + cases[i].reward) < 1e-12);
        }
}

static void a_catch_gives_ten_to_predators_and_takes_ten_from_prey(void **state) {
    (void)state;
    const char *text =
        TAG("\"pos\":[-0.12,0],\"vel\":[1,0]", "\"pos\":[0,0]", ",\"reward\":[10,-10]");
    assert_true(play(text, SL_RULES_OPENAI).reward == 0);
    // 1.4 times the size apart, and nobody moves towards anybody
    text = TAG("\"pos\":[-0.175,0]", "\"pos\":[0,0]", ",\"reward\":[0,0]");
    assert_true(play(text, SL_RULES_OPENAI).reward == 0);
}

static void what_movers_see_is_compared_in_their_own_order(void **state) {
    (void)state;
    // predator: velocity, place, prey from it, velocity of prey; prey: all but that
    const char *text = TAG("\"pos\":[0.5,0]", "\"pos\":[0.25,-0.5]",
                           ",\"obs\":[[0,0,0.5,0,-0.25,-0.5,0,0],[0,0,0.25,-0.5,0.25,0.5]]");
    assert_true(play(text, SL_RULES_OPENAI).obs == 0);
    text = TAG("\"pos\":[0.5,0]", "\"pos\":[0.25,-0.5]",
               ",\"obs\":[[0,0,0.5,0,-0.25,-0.5,0,0],[0,0,0.25,-0.5,0.25,0.75]]");
    assert_true(play(text, SL_RULES_OPENAI).obs == 0.25);
}

#define PUSHED                                                                                     \
    "{\"scenario\":\"simple_spread\",\"n\":1,\"agents\":[{\"pos\":[0,0],\"vel\":[0,1],"            \
    "\"accel\":null}],\"landmarks\":[{\"pos\":[0.5,0]}],\"steps\":[{\"actions\":[[9,1,0,0,0]],"

static void rules_differ_in_sign_order_and_reward(void **state) {
    (void)state;
    const char *openai = PUSHED "\"pos\":[[0.05,0.075]],\"vel\":[[0.5,0.75]]}]}";
    const char *mpe2 = "\n  \r\n" PUSHED "\"pos\":[[0,0.1]],\"vel\":[[-0.5,0.75]]}]}\r\n";
    assert_true(play(openai, SL_RULES_OPENAI).pos < 1e-15);
    assert_true(play(openai, SL_RULES_OPENAI).vel < 1e-15);
    assert_true(fabs(play(openai, SL_RULES_MPE2).vel - 1) < 1e-12);
    assert_true(play(mpe2, SL_RULES_MPE2).pos < 1e-15);
    assert_true(play(mpe2, SL_RULES_MPE2).vel < 1e-15);
    // -(distance) - 1 for oneself; half of the distance
    const double x = 0.5, far = hypot(x, 0.1);
    char text[512];
    snprintf(text, sizeof text, PUSHED "\"reward\":[%.17g]}]}", -far / 2);
    assert_true(play(text, SL_RULES_MPE2).reward < 1e-15);
    snprintf(text, sizeof text, PUSHED "\"reward\":[%.17g]}]}", -hypot(0.45, 0.075) - 1);
    assert_true(play(text, SL_RULES_OPENAI).reward < 1e-15);
}

static void the_first_line_may_name_the_source(void **state) {
    (void)state;
    const char *text = "{\"source\": \"me\"}\n" TAG(FAR, "\"pos\":[0,0]", "");
    assert_int_equal(play(text, SL_RULES_OPENAI).episodes, 1);
    assert_int_equal(play(text, SL_RULES_OPENAI).steps, 1);
}

static void refuse(const char *text, int line, const char *sentence) {
    SlArena arena;
    SlDeviation apart;
    SlError err = {.text = ""};
    sl_arena_init(&arena, 0);
    SlStatus status =
        sl_episodes_play_text("t.jsonl", text, strlen(text), SL_RULES_OPENAI, &arena, &apart, &err);
    assert_int_equal(status, SL_EINPUT);
    assert_int_equal(sl_arena_mark(&arena), 0);
    sl_arena_free(&arena);
    if (!strstr(err.text, sentence)) fail_msg("expected '%s', got '%s'", sentence, err.text);
    assert_int_equal(err.line, line);
    assert_string_equal(err.file, "t.jsonl");
}

static void wrong_episodes_are_refused_with_line_and_sentence(void **state) {
    (void)state;
    const char *good = TAG(FAR, "\"pos\":[0,0]", "");
    char second[2048];
    refuse("", 0, "expected episodes, one JSON object a line");
    refuse("{\"source\": 1}\n\n", 0, "expected episodes, one JSON object a line");
    refuse("[1]\n", 1, "expected a map");
    snprintf(second, sizeof second, "%s\n{\"source\": 1}\n", good);
    refuse(second, 3, "source");
    snprintf(second, sizeof second, "%s{\"scenario\": \"tag\"}\n", good);
    refuse(second, 2, "missing key 'n'");
    snprintf(second, sizeof second, "%s%s", good, "{\"scenario\": \"tag\", ");
    refuse(second, 2, "");
    refuse("{\"scenario\":\"tga\",\"n\":1,\"agents\":[],\"landmarks\":[]}", 1, "tag");
    refuse("{\"scenario\":\"tag\",\"n\":0,\"agents\":[],\"landmarks\":[]}", 1, "from 1 to 256");
    refuse("{\"scenario\":\"tag\",\"n\":2,\"agents\":[1],\"landmarks\":[]}", 1,
           "agents: expected 2 to 258 values, got 1");
    refuse("{\"scenario\":\"spread\",\"n\":1,\"agents\":[1,2],\"landmarks\":[]}", 1,
           "agents: expected 1 to 1 values, got 2");
    refuse("{\"scenario\":\"spread\",\"n\":1,\"agents\":[1],\"landmarks\":[],\"steps\":[]}", 1,
           "agents: expected a map");
    refuse(TAG("\"pos\":[0]", FAR, ""), 1, "pos: expected 2 values, got 1");
    refuse(TAG("\"pos\":[0,\"x\"]", FAR, ""), 1, "expected a number");
    refuse(TAG("\"pos\":[0,NaN]", FAR, ""), 1, "expected a number");
    refuse(TAG("\"pos\":[0,1e300]", FAR, ""), 1, "expected a number from");
    refuse(TAG("\"vel\":[0,1]", FAR, ""), 1, "missing key 'pos'");
    refuse(TAG(FAR ",\"size\":0.1", FAR, ""), 1, "size: expected 0.075 by the rules, got 0.1");
    refuse(TAG(FAR ",\"adversary\":false", FAR, ""), 1, "adversary: expected true by the rules");
    refuse(TAG(FAR ",\"speed\":1", FAR, ""), 1, "unknown key 'speed'");
    refuse(TAG(FAR, FAR, ",\"pos\":[[0,0]]"), 1, "pos: expected 2 values, got 1");
    refuse(TAG(FAR, FAR, ",\"obs\":[[0],[0]]"), 1, "obs: expected 8 values, got 1");
    refuse(TAG(FAR, FAR, ",\"reward\":0"), 1, "reward: expected a list");
    refuse(TAG(FAR, FAR, ",\"rewards\":[0,0]"), 1, "unknown key 'rewards'");
    refuse(PUSHED "\"pos\":[[0,0]]}, 3]}", 1, "steps: expected a map");
    refuse("{\"scenario\":\"spread\",\"n\":1,\"agents\":[{\"pos\":[0,0],\"max_speed\":1}],"
           "\"landmarks\":[],\"steps\":[]}",
           1, "max_speed: expected null, without a limit");
    refuse("{\"scenario\":\"spread\",\"n\":1,\"agents\":[{\"pos\":[0,0]}],\"landmarks\":[],"
           "\"steps\":[{\"actions\":[[1,2]]}]}",
           1, "actions: expected 5 values, got 2");
    refuse("{\"scenario\":\"spread\",\"n\":1,\"agents\":[{\"pos\":[0,0]}],\"landmarks\":[],"
           "\"steps\":[{}]}",
           1, "missing key 'actions'");
}

static void a_file_that_is_not_there_is_refused(void **state) {
    (void)state;
    SlArena arena;
    SlDeviation apart;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status = sl_episodes_play("/nowhere/x.jsonl", SL_RULES_MPE2, &arena, &apart, &err);
    assert_int_equal(status, SL_EINPUT);
    assert_string_equal(err.file, "/nowhere/x.jsonl");
    sl_arena_free(&arena);
}

static void too_little_memory_is_told(void **state) {
    (void)state;
    const char *text = TAG(FAR, "\"pos\":[0,0]", "");
    SlStatus status = SL_ENOMEM;
    int failed = 0;
    for (size_t limit = 256; status != SL_OK; limit += 256, failed++) {
        SlArena arena;
        SlDeviation apart;
        sl_arena_init(&arena, limit);
        status =
            sl_episodes_play_text("t", text, strlen(text), SL_RULES_OPENAI, &arena, &apart, NULL);
        assert_true(status == SL_OK || status == SL_ENOMEM);
        sl_arena_free(&arena);
    }
    assert_true(failed > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(our_rules_are_those_of_the_original),
        cmocka_unit_test(the_newer_rules_are_those_of_mpe2),
        cmocka_unit_test(prey_pay_for_leaving_the_square),
        cmocka_unit_test(a_catch_gives_ten_to_predators_and_takes_ten_from_prey),
        cmocka_unit_test(what_movers_see_is_compared_in_their_own_order),
        cmocka_unit_test(rules_differ_in_sign_order_and_reward),
        cmocka_unit_test(the_first_line_may_name_the_source),
        cmocka_unit_test(wrong_episodes_are_refused_with_line_and_sentence),
        cmocka_unit_test(a_file_that_is_not_there_is_refused),
        cmocka_unit_test(too_little_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
