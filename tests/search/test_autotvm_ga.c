// test_autotvm_ga.c - generations: who becomes a parent, what children are made of.
#include "search/search_inside.h"

#include <string.h>

#include "search/task_run.h"

// So many points that children are hardly ever known ones.
static const int VALUES[] = {90, 90, 90, 90};
enum { KNOBS = 4, POPULATION = 20 };

static double value(const SlSpace *space, const int32_t *point) {
    (void)space;
    return 10 + point[0] + point[1] + point[2] + point[3];
}

static void shares_decide_who_is_chosen(void **state) {
    (void)state;
    static const double scores[] = {1, 0, 3, 4};
    int counts[4] = {0}, without[4] = {0};
    SlRng rng;
    sl_rng_init(&rng, 1, "roulette");
    for (int i = 0; i < 8000; i++) {
        counts[sl_roulette(4, scores, -1, &rng)]++;
        without[sl_roulette(4, scores, 3, &rng)]++;
    }
    assert_in_range(counts[0], 900, 1100);
    assert_in_range(counts[2], 2850, 3150);
    assert_in_range(counts[3], 3850, 4150);
    assert_int_equal(counts[1], 0);
    assert_in_range(without[0], 1850, 2150);
    assert_in_range(without[2], 5850, 6150);
    assert_int_equal(without[1] + without[3], 0);
}

static void without_scores_any_other_is_chosen(void **state) {
    (void)state;
    static const double nothing[] = {0, 0, 0}, one[] = {0, 5, 0};
    int counts[3] = {0};
    SlRng rng;
    sl_rng_init(&rng, 1, "roulette");
    for (int i = 0; i < 4000; i++) {
        counts[sl_roulette(3, nothing, 1, &rng)]++;
        assert_int_not_equal(sl_roulette(3, one, 1, &rng), 1);
        assert_int_equal(sl_roulette(1, nothing, 0, &rng), 0); // there is no other
    }
    assert_int_equal(counts[1], 0);
    assert_in_range(counts[0], 1800, 2200);
}

// a child that is the beginning of one and the end of another
static bool child_of(const int32_t *child, const int32_t *parents, int n) {
    int first = 0, last = 0; // longest beginning and end that any parent has
    for (int i = 0; i < n; i++) {
        const int32_t *parent = parents + (ptrdiff_t)KNOBS * i;
        int begin = 0, end = 0;
        while (begin < KNOBS && child[begin] == parent[begin]) begin++;
        while (end < KNOBS && child[KNOBS - 1 - end] == parent[KNOBS - 1 - end]) end++;
        if (begin > first) first = begin;
        if (end > last) last = end;
    }
    return first + last >= KNOBS;
}

// Children that would be a known point, as those that are cut at 0, have a changed knob.
static int64_t n_children_of_parents(const char *changes) {
    ToyTask toy;
    TaskRun run;
    toy_task_init(&toy, KNOBS, VALUES);
    toy.value = value;
    task_run_begin(&run, &toy.task, "autotvm-ga", changes, 1, NULL);
    task_run_continue(&run, (int64_t)2 * POPULATION, 5);
    assert_int_equal(run.n, 2 * POPULATION);
    int64_t n = 0;
    for (int i = POPULATION; i < 2 * POPULATION; i++)
        n += child_of(run.points + (ptrdiff_t)KNOBS * i, run.points, POPULATION);
    task_run_end(&run);
    return n;
}

static void children_have_the_beginning_of_one_and_the_end_of_another(void **state) {
    (void)state;
    assert_in_range(n_children_of_parents("population=20 mutation=0"), 11, POPULATION);
    assert_in_range(n_children_of_parents("population=20 mutation=1"), 0, 1);
}

static void good_guests_become_parents(void **state) {
    (void)state;
    ToyTask toy;
    TaskRun run;
    static const int32_t guest[] = {1, 2, 3, 4};
    const SlSample measured = {.value = 1e-9};
    toy_task_init(&toy, KNOBS, VALUES);
    toy.value = value;
    task_run_begin(&run, &toy.task, "autotvm-ga", "population=20 mutation=0", 1, NULL);
    task_run_continue(&run, POPULATION, 5);
    sl_method_meet(run.method, run.state, 1, guest, &measured);
    task_run_continue(&run, POPULATION, 5);
    // it is the first parent of every child: what lies before the cut is from it
    int begins = 0;
    for (int i = POPULATION; i < 2 * POPULATION; i++)
        begins += run.points[(ptrdiff_t)KNOBS * i] == guest[0];
    assert_in_range(begins, 10, POPULATION);
    task_run_end(&run);
}

// the first point that is ever measured, by far the best
static int32_t champion[KNOBS];

static double champion_wins(const SlSpace *space, const int32_t *point) {
    if (champion[0] < 0) memcpy(champion, point, sizeof champion);
    return memcmp(champion, point, sizeof champion) ? value(space, point) : 1e-9;
}

// The best of the first generation is still a parent in the tenth, whatever came between.
static void the_elite_stays(void **state) {
    (void)state;
    static const char *const changes[] = {"population=20 mutation=0.3 elite=0",
                                          "population=20 mutation=0.3"};
    int found[2] = {0};
    for (int elite = 0; elite < 2; elite++) {
        ToyTask toy;
        TaskRun run;
        champion[0] = -1;
        toy_task_init(&toy, KNOBS, VALUES);
        toy.value = champion_wins;
        task_run_begin(&run, &toy.task, "autotvm-ga", changes[elite], 1, NULL);
        task_run_continue(&run, (int64_t)10 * POPULATION, 20);
        for (int64_t i = 9 * POPULATION; i < 10 * POPULATION; i++)
            for (int k = 0; k < KNOBS; k++)
                found[elite] += run.points[KNOBS * i + k] == champion[k];
        task_run_end(&run);
    }
    assert_in_range(found[1], 15, POPULATION * KNOBS);
    assert_in_range(found[0], 0, 10);
}

static void a_population_may_be_larger_than_the_space(void **state) {
    (void)state;
    static const int values[] = {3, 1};
    ToyTask toy;
    TaskRun run;
    toy_task_init(&toy, 2, values);
    task_run_begin(&run, &toy.task, "autotvm-ga", NULL, 1, NULL);
    int32_t points[2 * 100];
    assert_int_equal(run.method->ask(run.state, 100, points), 3);
    const SlSample measured[3] = {{.value = 3}, {.value = 2}, {.value = 1}};
    run.method->tell(run.state, 3, points, measured);
    assert_int_equal(run.method->ask(run.state, 100, points), 0);
    task_run_end(&run);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_decide_who_is_chosen),
        cmocka_unit_test(without_scores_any_other_is_chosen),
        cmocka_unit_test(children_have_the_beginning_of_one_and_the_end_of_another),
        cmocka_unit_test(good_guests_become_parents),
        cmocka_unit_test(the_elite_stays),
        cmocka_unit_test(a_population_may_be_larger_than_the_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
