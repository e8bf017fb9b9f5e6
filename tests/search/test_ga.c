// test_ga.c - the genetic algorithm: what its children are made of, who lives on, when it begins
// anew.
#include "support/check.h"

#include <stdio.h>
#include <string.h>

#include "search/method_run.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

enum { MANY = 64 };

// A run whose outcomes the test decides.
typedef struct {
    World world;
    MethodRun run;
    int n_params;
    int32_t low[SL_MAX_PARAMS], high[SL_MAX_PARAMS]; // two points without a common gene
    int32_t points[MANY * SL_MAX_PARAMS];            // what was asked for last
} Game;

static void begin(Game *game, const char *changes) {
    char text[200];
    snprintf(text, sizeof text, "redraws=0 %s", changes);
    world_make(&game->world, RES18, "eyeriss");
    method_begin(&game->run, &game->world, "ga", text, 4);
    game->n_params = game->world.space.n_params;
    for (int i = 0; i < game->n_params; i++) {
        assert_true(game->world.space.params[i].n > 1);
        game->low[i] = 0;
        game->high[i] = game->world.space.params[i].n - 1;
    }
}

static void guest(Game *game, const int32_t *point, double score) {
    const SlSample outcome = {.score = score};
    sl_method_meet(game->run.method, game->run.state, 1, point, &outcome);
}

// a whole generation at once
static int ask(Game *game) {
    return game->run.method->ask(game->run.state, MANY, game->points);
}

// all with one score
static void tell(Game *game, int n, double score) {
    SlSample outcomes[MANY];
    for (int i = 0; i < n; i++) outcomes[i] = (SlSample){.score = score};
    game->run.method->tell(game->run.state, n, game->points, outcomes);
}

static int32_t *point_of(Game *game, int i) {
    return game->points + (ptrdiff_t)i * game->n_params;
}

static int count_common(const Game *game, const int32_t *a, const int32_t *b) {
    int n = 0;
    for (int i = 0; i < game->n_params; i++) n += a[i] == b[i];
    return n;
}

// how often a child changes from one parent's genes to the other's
static int count_cuts(const Game *game, const int32_t *child) {
    int n = 0;
    for (int i = 0; i < game->n_params; i++) {
        assert_true(child[i] == game->low[i] || child[i] == game->high[i]);
        n += i > 0 && (child[i] == game->low[i]) != (child[i - 1] == game->low[i - 1]);
    }
    return n;
}

static void generations_are_as_large_as_asked_for(void **state) {
    (void)state;
    Game game;
    begin(&game, "population=12 elite=3");
    assert_int_equal(ask(&game), 12);
    tell(&game, 12, 1);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ask(&game), 9);
        tell(&game, 9, 1);
    }
    world_free(&game.world);
}

static void the_elite_is_never_everybody(void **state) {
    (void)state;
    Game game;
    begin(&game, "population=4 elite=100");
    assert_int_equal(ask(&game), 4);
    tell(&game, 4, 1);
    assert_int_equal(ask(&game), 1);
    world_free(&game.world);
}

// genes come from one of two parents, in at most three stretches
static void crossover_cuts_twice(void **state) {
    (void)state;
    Game game;
    begin(&game, "population=2 elite=0 tournament=1 cross=1 mutate=0");
    int mixed = 0;
    for (int i = 0; i < 200; i++) {
        guest(&game, game.low, 1 - i); // better than what is there
        guest(&game, game.high, 1 - i);
        assert_int_equal(ask(&game), 2);
        for (int c = 0; c < 2; c++) {
            int cuts = count_cuts(&game, point_of(&game, c));
            assert_true(cuts <= 2);
            mixed += cuts > 0;
        }
        tell(&game, 2, 1);
    }
    assert_true(mixed > 100);
    world_free(&game.world);
}

static void uniform_crossover_cuts_anywhere(void **state) {
    (void)state;
    Game game;
    int more = 0;
    begin(&game, "population=2 elite=0 tournament=1 cross=1 mutate=0 crossover=uniform");
    for (int i = 0; i < 50; i++) {
        guest(&game, game.low, 1 - i);
        guest(&game, game.high, 1 - i);
        assert_int_equal(ask(&game), 2);
        for (int c = 0; c < 2; c++) more += count_cuts(&game, point_of(&game, c)) > 2;
        tell(&game, 2, 1);
    }
    assert_true(more > 30);
    world_free(&game.world);
}

static void genes_change_as_often_as_mutate_says(void **state) {
    (void)state;
    Game game;
    static const char *const settings[] = {
        "population=21 elite=1 tournament=200 cross=0 mutate=0",
        "population=21 elite=1 tournament=200 cross=0 mutate=0.1",
        "population=21 elite=1 tournament=200 cross=0 mutate=1"};
    static const double shares[] = {0, 0.1, 1};
    for (int s = 0; s < 3; s++) {
        int changed = 0, n_genes = 0;
        begin(&game, settings[s]);
        guest(&game, game.low, -1);
        tell(&game, ask(&game), 1); // the rest of the first generation
        for (int i = 0; i < 20; i++) {
            // large tournaments: all are children of the one that is best, now as before
            int n = ask(&game);
            assert_int_equal(n, 20);
            for (int c = 0; c < n; c++)
                changed += game.n_params - count_common(&game, game.low, point_of(&game, c));
            n_genes += n * game.n_params;
            tell(&game, n, 1);
        }
        double share = (double)changed / n_genes;
        assert_true(share > shares[s] - 0.015 && share < shares[s] + 0.015);
        world_free(&game.world);
    }
}

// the better half wins three of four tournaments of two
static void tournaments_favour_the_better(void **state) {
    (void)state;
    Game game;
    static const char *const settings[] = {"population=2 elite=0 cross=0 mutate=0 tournament=1",
                                           "population=2 elite=0 cross=0 mutate=0 tournament=2",
                                           "population=2 elite=0 cross=0 mutate=0 tournament=3"};
    static const int most[] = {250, 125, 62};
    for (int s = 0; s < 3; s++) {
        int n_worse = 0;
        begin(&game, settings[s]);
        for (int i = 0; i < 250; i++) {
            guest(&game, game.low, -2.0 - 2 * i);
            guest(&game, game.high, -1.0 - 2 * i);
            assert_int_equal(ask(&game), 2);
            for (int c = 0; c < 2; c++)
                n_worse += count_common(&game, game.high, point_of(&game, c)) > 0;
            tell(&game, 2, 1);
        }
        assert_in_range(n_worse, most[s] - 35, most[s] + 35);
        world_free(&game.world);
    }
}

// every child of the best differs from it in every gene, as long as it lives
static void the_elite_lives_on(void **state) {
    (void)state;
    static const char *const settings[] = {
        "population=8 elite=1 tournament=200 cross=0 mutate=1 near=0",
        "population=8 elite=0 tournament=200 cross=0 mutate=1 near=0"};
    for (int s = 0; s < 2; s++) {
        Game game;
        int common = 0;
        begin(&game, settings[s]);
        guest(&game, game.low, -1);
        tell(&game, ask(&game), 1);
        for (int i = 0; i < 10; i++) {
            int n = ask(&game);
            for (int c = 0; c < n; c++) common += count_common(&game, game.low, point_of(&game, c));
            tell(&game, n, 1);
        }
        assert_int_equal(common > 0, s == 1);
        world_free(&game.world);
    }
}

// without mutation no gene appears that was not there; a new population has others
static void a_stale_population_is_drawn_anew(void **state) {
    (void)state;
    Game game;
    begin(&game, "population=4 elite=1 mutate=0 patience=5");
    guest(&game, game.low, 1);
    guest(&game, game.low, 1);
    guest(&game, game.low, 1);
    guest(&game, game.low, 1);
    for (int round = 0; round < 2; round++) {
        for (int generation = 0; generation < 7; generation++) {
            int n = ask(&game);
            assert_int_equal(n, round && generation == 0 ? 4 : 3);
            bool same = count_common(&game, game.low, point_of(&game, 0)) == game.n_params;
            assert_int_equal(same, round == 0);
            tell(&game, n, 1.5 - (generation == 1));
        }
    }
    assert_int_equal(ask(&game), 4);
    world_free(&game.world);
}

static void no_nest_is_asked_for_twice(void **state) {
    (void)state;
    World world;
    MethodRun run;
    world_make(&world, RES18, "eyeriss");
    method_begin(&run, &world, "ga", NULL, 1);
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
        cmocka_unit_test(generations_are_as_large_as_asked_for),
        cmocka_unit_test(the_elite_is_never_everybody),
        cmocka_unit_test(crossover_cuts_twice),
        cmocka_unit_test(uniform_crossover_cuts_anywhere),
        cmocka_unit_test(genes_change_as_often_as_mutate_says),
        cmocka_unit_test(tournaments_favour_the_better),
        cmocka_unit_test(the_elite_lives_on),
        cmocka_unit_test(a_stale_population_is_drawn_anew),
        cmocka_unit_test(no_nest_is_asked_for_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
