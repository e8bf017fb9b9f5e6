// test_anneal.c - annealing takes losses as its temperature says, cools, and warms up again.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

// A walk whose outcomes the test decides.
typedef struct {
    World world;
    MethodRun run;
    int32_t here[SL_MAX_PARAMS]; // where it is
    int32_t next[SL_MAX_PARAMS]; // what it asks for
} Walk;

static int count_differing(const Walk *walk, const int32_t *a, const int32_t *b) {
    int n = 0;
    for (int i = 0; i < walk->world.space.n_params; i++) n += a[i] != b[i];
    return n;
}

static void tell(Walk *walk, const int32_t *point, double score) {
    const SlSample outcome = {.score = score};
    walk->run.method->tell(walk->run.state, 1, point, &outcome);
}

static void ask(Walk *walk) {
    assert_int_equal(walk->run.method->ask(walk->run.state, 1, walk->next), 1);
}

// it begins at a guest, with a score of 0
static void begin(Walk *walk, const char *changes) {
    char text[200] = "more=0 redraws=0 ";
    strncat(text, changes, sizeof text - strlen(text) - 1);
    world_make(&walk->world, RES18, "eyeriss");
    method_begin(&walk->run, &walk->world, "anneal", text, 4);
    for (int i = 0; i < walk->world.space.n_params; i++)
        walk->here[i] = walk->world.space.params[i].n / 2;
    const SlSample outcome = {.score = 0};
    sl_method_meet(walk->run.method, walk->run.state, 1, walk->here, &outcome);
}

// n steps that lose `loss` each, begun anew by a step that gains as much; the share that was taken,
// of those where both can be told apart
static double share_taken(Walk *walk, int n, double loss, double *score) {
    int taken = 0, told = 0;
    for (int i = 0; i < n; i++) {
        tell(walk, walk->next, *score + loss);
        int32_t old[SL_MAX_PARAMS];
        memcpy(old, walk->next, sizeof old);
        ask(walk);
        bool stayed = count_differing(walk, walk->here, walk->next) == 1;
        bool went = count_differing(walk, old, walk->next) == 1;
        assert_true(stayed || went);
        // one parameter changed twice: it may be either; a sure gain settles where the walk is
        if (stayed && went) {
            *score -= 100;
            memcpy(walk->here, walk->next, sizeof walk->here);
            tell(walk, walk->next, *score);
            ask(walk);
            continue;
        }
        told++;
        taken += went;
        if (!went) continue;
        memcpy(walk->here, old, sizeof old);
        *score += loss;
    }
    return (double)taken / told;
}

static void a_cold_walk_takes_no_losses(void **state) {
    (void)state;
    Walk walk;
    begin(&walk, "hot=1e-9 cold=1e-9");
    ask(&walk);
    for (int i = 0; i < 300; i++) {
        assert_int_equal(count_differing(&walk, walk.here, walk.next), 1);
        tell(&walk, walk.next, 0.001);
        ask(&walk);
    }
    // ties are no losses
    for (int i = 0; i < 20; i++) {
        memcpy(walk.here, walk.next, sizeof walk.here);
        tell(&walk, walk.next, 0);
        ask(&walk);
        assert_int_equal(count_differing(&walk, walk.here, walk.next), 1);
    }
    world_free(&walk.world);
}

static void losses_pass_as_often_as_metropolis_says(void **state) {
    (void)state;
    static const char *const settings[] = {"hot=10 cold=10", "hot=1 cold=1", "hot=0.5 cold=0.5"};
    static const double shares[] = {0.905, 0.368, 0.135}; // exp(-0.1), exp(-1), exp(-2)
    for (int i = 0; i < 3; i++) {
        Walk walk;
        double score = 0;
        begin(&walk, settings[i]);
        ask(&walk);
        assert_true(fabs(share_taken(&walk, 900, 0.1, &score) - shares[i]) < 0.05);
        world_free(&walk.world);
    }
}

// from 1000 to 0.001 mean losses over the 20,000 samples of the budget: 1 at the middle
static void it_cools_geometrically(void **state) {
    (void)state;
    Walk walk;
    double score = 0;
    begin(&walk, "hot=1000 cold=0.001 length=1000000");
    ask(&walk);
    assert_true(share_taken(&walk, 4000, 0.001, &score) > 0.95);
    share_taken(&walk, 4800, 0.001, &score);
    double middle = share_taken(&walk, 500, 0.001, &score);
    assert_true(middle > 0.25 && middle < 0.5);
    share_taken(&walk, 3000, 0.001, &score);
    assert_true(share_taken(&walk, 2000, 0.001, &score) < 0.01);
    world_free(&walk.world);
}

static void a_cycle_begins_where_it_should(void **state) {
    (void)state;
    static const char *const settings[] = {"from=best length=100 hot=1e6 cold=1e6",
                                           "from=stay length=100 hot=1e6 cold=1e6",
                                           "from=new starts=3 length=100 hot=1e6 cold=1e6 near=0"};
    for (int s = 0; s < 3; s++) {
        Walk walk;
        int32_t best[SL_MAX_PARAMS], last[SL_MAX_PARAMS];
        begin(&walk, settings[s]);
        memcpy(best, walk.here, sizeof best);
        // warm as it is everything passes: a walk of one change at a time
        for (int i = 0; i < 100; i++) {
            ask(&walk);
            assert_int_equal(count_differing(&walk, i ? last : best, walk.next), 1);
            memcpy(last, walk.next, sizeof last);
            tell(&walk, walk.next, 1e-9 * (i + 1));
        }
        int n_params = walk.world.space.n_params;
        int32_t points[8 * SL_MAX_PARAMS];
        int n = walk.run.method->ask(walk.run.state, 8, points);
        assert_int_equal(n, s == 2 ? 3 : 1);
        if (s == 0) assert_int_equal(count_differing(&walk, best, points), 1);
        if (s == 1) assert_int_equal(count_differing(&walk, last, points), 1);
        if (s < 2) assert_true(count_differing(&walk, s ? best : last, points) > 2);
        // the best of the new starting points begins the walk, whichever came last
        const SlSample outcomes[] = {{.score = 9}, {.score = 7}, {.score = 7.000001}};
        walk.run.method->tell(walk.run.state, n, points, outcomes);
        ask(&walk);
        if (s == 2) assert_int_equal(count_differing(&walk, points + n_params, walk.next), 1);
        world_free(&walk.world);
    }
}

// cycles of 100, 200, 400 ... begin at the best
static void cycles_grow(void **state) {
    (void)state;
    Walk walk;
    begin(&walk, "from=best length=100 growth=2 hot=1e6 cold=1e6");
    for (int cycle = 0; cycle < 4; cycle++) {
        for (int i = 0; i < 100 << cycle; i++) {
            ask(&walk);
            int apart = count_differing(&walk, walk.here, walk.next);
            if (i == 0) assert_int_equal(apart, 1);
            if (i % 100 >= 90 || (i > 0 && i % 100 == 0)) assert_true(apart > 2);
            tell(&walk, walk.next, 1e-9);
        }
    }
    world_free(&walk.world);
}

static void what_is_left_of_a_budget_is_one_cycle(void **state) {
    (void)state;
    World world;
    SlArena *arena = &world.arena;
    const SlMethod *method = method_named("anneal");
    world_make(&world, RES18, "eyeriss");
    // a budget of 250 with cycles of 100: 100 and 150
    const SlMethodSetup setup = {.task = world_task(&world, "edp", SL_ILLEGAL_REPAIR),
                                 .seed = 1,
                                 .stream = "",
                                 .budget = 250};
    void *options = method_options(method, "from=new starts=5 length=100", arena);
    void *walk = method->make(&setup, options, arena);
    int32_t points[8 * SL_MAX_PARAMS];
    int64_t n_samples = 0, begun_at[3] = {0};
    for (int n_begun = 0; n_begun < 3;) {
        const SlSample outcomes[8] = {{.score = 1}};
        int n = method->ask(walk, 8, points);
        if (n > 1) begun_at[n_begun++] = n_samples;
        method->tell(walk, n, points, outcomes);
        n_samples += n;
    }
    assert_int_equal(begun_at[0], 0);
    assert_int_equal(begun_at[1], 105);
    assert_int_equal(begun_at[2], 250);
    world_free(&world);
}

// scores in another unit: the same walk
static void temperatures_know_the_scale_of_losses(void **state) {
    (void)state;
    Walk a, b;
    begin(&a, "length=100");
    begin(&b, "length=100");
    SlRng rng;
    sl_rng_init(&rng, 1, "scores");
    for (int i = 0; i < 500; i++) {
        double score = sl_rng_uniform(&rng);
        ask(&a);
        ask(&b);
        assert_int_equal(count_differing(&a, a.next, b.next), 0);
        tell(&a, a.next, score);
        tell(&b, b.next, 1024 * score);
    }
    world_free(&a.world);
    world_free(&b.world);
}

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "anneal", NULL, 1);
    method_continue(&run, 3000, 16);
    SlKeySet *seen = sl_keyset_make(0, &world.arena);
    for (int64_t i = 0; i < run.n_points; i++) {
        SlMapping mapping;
        sl_space_mapping(&world.space, run.points + i * world.space.n_params, true, &mapping);
        assert_true(sl_keyset_add(seen, sl_mapping_key(&world.layer, &mapping)));
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cold_walk_takes_no_losses),
        cmocka_unit_test(losses_pass_as_often_as_metropolis_says),
        cmocka_unit_test(it_cools_geometrically),
        cmocka_unit_test(a_cycle_begins_where_it_should),
        cmocka_unit_test(cycles_grow),
        cmocka_unit_test(what_is_left_of_a_budget_is_one_cycle),
        cmocka_unit_test(temperatures_know_the_scale_of_losses),
        cmocka_unit_test(no_nest_is_asked_for_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
