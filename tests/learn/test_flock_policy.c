// test_flock_policy.c - policies of many tasks: a planted rule is learnt, gradients are those of
// finite differences, bytes come back, damaged ones are refused.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "learn/flock_inside.h"

enum { TASKS = 48, HELD = 12, ALL = TASKS + HELD, POINTS = 16 };

// Layers of many sizes on one machine with space for everything.
typedef struct {
    SlArena arena;
    SlAccel accel;
    SlLayer layers[ALL];
    SlSpace spaces[ALL];
    SlTask *tasks[ALL];
    SlLesson lessons[ALL];
} School;

static int find_param(const SlSpace *space, const char *name) {
    for (int i = 0; i < space->n_params; i++)
        if (strcmp(space->params[i].name, name) == 0) return i;
    fail_msg("there is no parameter %s", name);
    return -1;
}

// what was planted: K in L2 whole in wide layers, else 1; both spreads the same; the order of L2
// ascending in wide layers, else descending
static void follow_rule(const SlSpace *space, int32_t *point) {
    const bool wide = space->layer->dims[SL_K] >= 64;
    const int tile = find_param(space, "L2 K"), order = find_param(space, "L2 order");
    point[tile] = wide ? space->params[tile].n - 1 : 0;
    point[find_param(space, "L1 parallel")] = point[find_param(space, "L2 parallel")];
    point[order] = wide ? 0 : space->params[order].n - 1;
}

static void make_lesson(School *school, int k, SlRng *rng) {
    SlTaskSetup setup = {.kind = &sl_kind_native, .space = &school->spaces[k]};
    SlSpaceOptions options = {0};
    SlLesson *lesson = &school->lessons[k];
    SlLayer *layer = &school->layers[k];
    sl_layer_init(layer);
    layer->dims[SL_K] = 1 << sl_rng_range(rng, 3, 9);
    layer->dims[SL_C] = 1 << sl_rng_range(rng, 3, 9);
    layer->dims[SL_P] = layer->dims[SL_Q] = sl_rng_range(rng, 7, 56);
    assert_int_equal(sl_goal_parse("edp", &setup.goal, NULL), SL_OK);
    assert_int_equal(
        sl_space_make(layer, &school->accel, &options, &school->arena, &school->spaces[k], NULL),
        SL_OK);
    assert_int_equal(sl_task_make(&setup, &school->arena, &school->tasks[k], NULL), SL_OK);
    assert_true(sl_lesson_make(school->tasks[k], 2 * POINTS, &school->arena, lesson));
    for (int i = 0; i < 2 * POINTS; i++) {
        int32_t *point = lesson->points + (ptrdiff_t)i * school->spaces[k].n_params;
        sl_space_sample(&school->spaces[k], rng, point);
        if (i % 2) follow_rule(&school->spaces[k], point);
        lesson->values[i] = exp(i % 2 ? 1 : 3);
        lesson->placed[i] = true;
    }
    lesson->n = 2 * POINTS;
}

static School *make_school(void) {
    School *school = test_calloc(1, sizeof *school);
    SlRng rng;
    sl_arena_init(&school->arena, 0);
    sl_rng_init(&rng, 3, "school");
    assert_int_equal(sl_accel_find("gamma168", &school->arena, &school->accel, NULL), SL_OK);
    for (int l = 1; l < school->accel.n_levels; l++)
        school->accel.levels[l].capacity_bytes = INT32_MAX;
    for (int k = 0; k < ALL; k++) make_lesson(school, k, &rng);
    return school;
}

static void free_school(School *school) {
    sl_arena_free(&school->arena);
    test_free(school);
}

static void teach(School *school, bool joint, int epochs, SlPool *pool, SlFlockPolicy *policy) {
    SlFlockPolicyOptions options = sl_flock_policy_usual;
    options.joint = joint;
    options.hidden = 12;
    options.epochs = epochs;
    options.rate = 3e-3; // few tasks and a rule without noise: nothing to overfit
    options.decay = 1e-2;
    options.seed = 5;
    assert_int_equal(
        sl_flock_policy_teach(TASKS, school->lessons, &options, pool, &school->arena, policy),
        SL_OK);
}

static void bind(School *school, const SlFlockPolicy *policy, int k, SlBoundPolicy *bound) {
    assert_true(sl_flock_policy_bind(policy, school->tasks[k], &school->arena, bound));
    assert_true(sl_flock_policy_settle(bound, &school->arena));
}

// share of fresh points of layers never seen that follow each part of the rule
static void count_followers(School *school, const SlFlockPolicy *policy, double share[3]) {
    static const char *const names[] = {"L2 K", "L1 parallel", "L2 order"};
    enum { DRAWS = 50 };
    SlRng rng;
    sl_rng_init(&rng, 9, "draws");
    memset(share, 0, 3 * sizeof *share);
    for (int k = TASKS; k < ALL; k++) {
        const SlSpace *space = &school->spaces[k];
        SlBoundPolicy bound;
        bind(school, policy, k, &bound);
        for (int draw = 0; draw < DRAWS; draw++) {
            int32_t point[SL_MAX_PARAMS], wanted[SL_MAX_PARAMS];
            sl_flock_policy_fresh(&bound, &rng, point);
            memcpy(wanted, point, sizeof wanted);
            follow_rule(space, wanted);
            for (int r = 0; r < 3; r++) {
                int i = find_param(space, names[r]);
                share[r] += (point[i] == wanted[i]) / (double)(HELD * DRAWS);
            }
        }
    }
}

static void heads_learn_a_planted_rule_of_context_and_earlier_choices(void **state) {
    (void)state;
    School *school = make_school();
    for (int joint = 0; joint < 2; joint++) {
        SlFlockPolicy policy;
        double share[3];
        teach(school, joint, 40, NULL, &policy);
        count_followers(school, &policy, share);
        print_message("%s: K %.2f, spreads %.2f, order %.2f\n", joint ? "joint" : "agents",
                      share[0], share[1], share[2]);
        // uniform: at most 1/4, 1/4, 1/24
        assert_true(share[0] > 0.7);
        assert_true(share[1] > 0.7);
        assert_true(share[2] > 0.5);
    }
    free_school(school);
}

static void deviations_are_other_values_that_the_rule_likes(void **state) {
    (void)state;
    School *school = make_school();
    SlFlockPolicy policy;
    SlRng rng;
    int followed = 0, draws = 0;
    sl_rng_init(&rng, 4, "deviate");
    teach(school, false, 20, NULL, &policy);
    for (int k = TASKS; k < ALL; k++) {
        const SlSpace *space = &school->spaces[k];
        SlBoundPolicy bound;
        int32_t point[SL_MAX_PARAMS];
        const int tile = find_param(space, "L2 K");
        bind(school, &policy, k, &bound);
        sl_space_sample(space, &rng, point);
        follow_rule(space, point);
        const int32_t wanted = point[tile];
        point[tile] = 1;
        for (int draw = 0; draw < 20; draw++, draws++) {
            int32_t value = sl_flock_policy_draw(&bound, point, tile, &rng);
            assert_in_range(value, 0, space->params[tile].n - 1);
            assert_int_not_equal(value, point[tile]);
            followed += value == wanted;
        }
    }
    assert_true(followed > 0.7 * draws);
    free_school(school);
}

static void both_policies_have_as_many_weights(void **state) {
    (void)state;
    School *school = make_school();
    SlFlockPolicy agents, joint;
    teach(school, false, 4, NULL, &agents);
    teach(school, true, 4, NULL, &joint);
    double ratio = (double)joint.trunks[joint.n_trunks] / (double)agents.trunks[agents.n_trunks];
    assert_true(0.9 < ratio && ratio < 1.1);
    free_school(school);
}

static void threads_do_not_change_a_bit(void **state) {
    (void)state;
    School *school = make_school();
    SlFlockPolicy alone, together;
    SlPool *pool = sl_pool_make(3);
    teach(school, false, 4, NULL, &alone);
    teach(school, false, 4, pool, &together);
    assert_memory_equal(alone.weights, together.weights,
                        alone.trunks[alone.n_trunks] * sizeof *alone.weights);
    sl_pool_free(pool);
    free_school(school);
}

// ---- gradient ----

static double logp_with(SlBoundPolicy *bound, const int32_t *point, const float *x, int i, bool all,
                        SlReal *weight, double change) {
    SlReal before = *weight;
    *weight = (SlReal)((double)before + change);
    double logp = sl_flock_policy_logp(bound, point, x, i, all);
    *weight = before;
    return logp;
}

static void check_gradient(SlBoundPolicy *bound, const int32_t *point, int i, bool all) {
    const SlFlockPolicy *policy = bound->policy;
    const size_t first = policy->trunks[policy->heads[bound->head[i]].trunk];
    const size_t n = policy->trunks[policy->heads[bound->head[i]].trunk + 1] - first;
    const double step = 1e-2;
    SlReal *grad = test_calloc(n, sizeof *grad);
    float x[SL_FLOCK_MAX_INPUTS];
    sl_flock_policy_inputs(bound, point, x);
    double logp = sl_flock_policy_gradient(bound, point, x, i, all, 1, grad);
    assert_true(fabs(logp - sl_flock_policy_logp(bound, point, x, i, all)) < 1e-6);
    double off = 0, size = 0;
    for (size_t k = 0; k < n; k += 7) {
        SlReal *weight = policy->weights + first + k;
        double slope = (logp_with(bound, point, x, i, all, weight, step) -
                        logp_with(bound, point, x, i, all, weight, -step)) /
                       (2 * step);
        off += pow(slope - (double)grad[k], 2);
        size += slope * slope;
    }
    // units that a step switches on or off, and single precision, leave a little
    assert_true(size > 0);
    assert_true(sqrt(off / size) < 0.03);
    test_free(grad);
}

static void gradients_are_those_of_finite_differences(void **state) {
    (void)state;
    School *school = make_school();
    for (int joint = 0; joint < 2; joint++) {
        SlFlockPolicy policy;
        SlBoundPolicy bound;
        SlRng rng;
        int32_t point[SL_MAX_PARAMS];
        const SlSpace *space = &school->spaces[TASKS];
        sl_rng_init(&rng, 8, "gradient");
        teach(school, joint, 4, NULL, &policy);
        assert_true(sl_flock_policy_bind(&policy, school->tasks[TASKS], &school->arena, &bound));
        sl_space_sample(space, &rng, point);
        for (int all = 0; all < 2; all++) {
            check_gradient(&bound, point, find_param(space, "L1 K"), all);
            check_gradient(&bound, point, find_param(space, "L1 parallel"), all);
            check_gradient(&bound, point, find_param(space, "L1 order"), all);
        }
    }
    free_school(school);
}

// ---- bytes ----

static void write_policy(const SlFlockPolicy *policy, SlArena *arena, SlText *text) {
    sl_text_init(text, arena);
    sl_text_put(text, "before", 6);
    sl_flock_policy_write(policy, text);
    assert_false(text->failed);
}

static void policies_come_back_from_bytes(void **state) {
    (void)state;
    School *school = make_school();
    SlFlockPolicy policy, back, nothing = {0};
    SlText text;
    SlError err;
    teach(school, true, 4, NULL, &policy);
    write_policy(&policy, &school->arena, &text);
    sl_flock_policy_write(&nothing, &text);
    size_t at = 6;
    assert_int_equal(sl_flock_policy_read(text.data, text.n, &at, &school->arena, &back, &err),
                     SL_OK);
    assert_int_equal(back.n_heads, policy.n_heads);
    assert_int_equal(back.n_inputs, policy.n_inputs);
    assert_memory_equal(back.trunks, policy.trunks, sizeof back.trunks);
    assert_memory_equal(back.weights, policy.weights,
                        policy.trunks[policy.n_trunks] * sizeof *back.weights);
    assert_memory_equal(back.mean, policy.mean, (size_t)policy.n_context * sizeof(float));
    for (int h = 0; h < policy.n_heads; h++) {
        assert_int_equal(back.heads[h].key.dim, policy.heads[h].key.dim);
        assert_int_equal(back.heads[h].first, policy.heads[h].first);
    }
    assert_int_equal(sl_flock_policy_read(text.data, text.n, &at, &school->arena, &back, &err),
                     SL_OK);
    assert_int_equal(back.n_heads, 0);
    assert_int_equal(at, text.n);
    free_school(school);
}

static void expect_refusal(const SlText *text, size_t n, SlArena *arena, const char *words) {
    SlFlockPolicy back;
    SlError err = {0};
    size_t at = 6;
    assert_int_equal(sl_flock_policy_read(text->data, n, &at, arena, &back, &err), SL_EINPUT);
    assert_non_null(strstr(err.text, words));
    assert_int_equal(at, 6);
}

// the policy's bytes with a number (32 bits) at `at` replaced
static void expect_damage(SlText *text, size_t at, const void *number, SlArena *arena,
                          const char *words) {
    char before[4];
    memcpy(before, text->data + at, sizeof before);
    memcpy(text->data + at, number, sizeof before);
    expect_refusal(text, text->n, arena, words);
    memcpy(text->data + at, before, sizeof before);
}

static void damaged_bytes_are_refused(void **state) {
    (void)state;
    School *school = make_school();
    SlFlockPolicy policy;
    SlText text;
    const float nan_weight = NAN, huge = 1e30F, zero = 0;
    const int32_t many = 1000, negative = -1, two = 2;
    teach(school, false, 4, NULL, &policy);
    write_policy(&policy, &school->arena, &text);
    const size_t keys = 6 + 16, floats = keys + (size_t)policy.n_heads * 24;
    const size_t deviation = floats + (size_t)policy.n_context * 4;
    for (size_t cut = 6; cut < text.n; cut += 1 + text.n / 50)
        expect_refusal(&text, cut, &school->arena, "ends after");
    expect_damage(&text, 6, &many, &school->arena, "heads");
    expect_damage(&text, 10, &negative, &school->arena, "context");
    expect_damage(&text, 14, &two, &school->arena, "trunks");
    expect_damage(&text, 18, &many, &school->arena, "hidden");
    expect_damage(&text, keys, &many, &school->arena, "kind");
    expect_damage(&text, deviation, &zero, &school->arena, "deviation");
    expect_damage(&text, text.n - 4, &nan_weight, &school->arena, "weight");
    expect_damage(&text, text.n - 4, &huge, &school->arena, "weight");
    free_school(school);
}

static void too_little_memory_is_said(void **state) {
    (void)state;
    School *school = make_school();
    SlFlockPolicyOptions options = sl_flock_policy_usual;
    SlFlockPolicy policy;
    SlArena small;
    sl_arena_init(&small, 1000);
    assert_int_equal(sl_flock_policy_teach(TASKS, school->lessons, &options, NULL, &small, &policy),
                     SL_ENOMEM);
    sl_arena_free(&small);
    free_school(school);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_learn_a_planted_rule_of_context_and_earlier_choices),
        cmocka_unit_test(deviations_are_other_values_that_the_rule_likes),
        cmocka_unit_test(both_policies_have_as_many_weights),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(gradients_are_those_of_finite_differences),
        cmocka_unit_test(policies_come_back_from_bytes),
        cmocka_unit_test(damaged_bytes_are_refused),
        cmocka_unit_test(too_little_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
