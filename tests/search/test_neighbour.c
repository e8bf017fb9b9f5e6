// test_neighbour.c - points near a point.
#include "support/check.h"

#include <stdlib.h>
#include <string.h>

#include "search/neighbour.h"
#include "support/world.h"

static const char *const RES18 = "conv:K=64,C=64,P=56,Q=56,R=3,S=3";

static int count_differing(const SlSpace *space, const int32_t *a, const int32_t *b) {
    int n = 0;
    for (int i = 0; i < space->n_params; i++) n += a[i] != b[i];
    return n;
}

static void a_changed_value_is_another_value(void **state) {
    (void)state;
    World world;
    SlRng rng;
    world_make(&world, RES18, "simba");
    sl_rng_init(&rng, 1, "test");
    for (int i = 0; i < world.space.n_params; i++) {
        const SlParam *param = &world.space.params[i];
        if (param->n == 1) continue;
        const int32_t values[] = {0, param->n / 2, param->n - 1};
        for (int k = 0; k < 300; k++) {
            const SlSteps steps = {.near = 0.5, .reach = 1 + k % 50};
            int32_t value = values[k % 3], changed = sl_value_change(param, &steps, value, &rng);
            assert_in_range(changed, 0, param->n - 1);
            assert_int_not_equal(changed, value);
        }
    }
    world_free(&world);
}

// from the middle of a list both ways as often, and every length as often
static void near_sizes_are_a_few_steps_away(void **state) {
    (void)state;
    const int64_t sizes[101] = {0};
    const SlParam param = {.kind = SL_ORDINAL, .n = 101, .sizes = sizes};
    const SlSteps steps = {.near = 1, .reach = 4};
    int count[101] = {0};
    SlRng rng;
    sl_rng_init(&rng, 1, "test");
    for (int i = 0; i < 8000; i++) count[sl_value_change(&param, &steps, 50, &rng)]++;
    for (int i = 0; i < 101; i++) {
        if (i == 50 || abs(i - 50) > 4)
            assert_int_equal(count[i], 0);
        else
            assert_in_range(count[i], 850, 1150);
    }
}

static void as_many_parameters_change_as_more_says(void **state) {
    (void)state;
    enum { N = 4000 };
    World world;
    SlNeighbours around;
    SlRng rng;
    int32_t centre[SL_MAX_PARAMS], point[SL_MAX_PARAMS];
    world_make(&world, RES18, "eyeriss");
    sl_neighbours_init(&around, &world.space);
    assert_int_equal(around.n_free, 15);
    sl_rng_init(&rng, 1, "test");
    sl_space_sample(&world.space, &rng, centre);
    static const double mores[] = {0, 0.3, 0.5};
    static const double means[] = {1, 1 / 0.7, 2};
    for (int m = 0; m < 3; m++) {
        const SlSteps steps = {.more = mores[m], .near = 0.9, .reach = 12};
        int sum = 0, touched[SL_MAX_PARAMS] = {0};
        for (int i = 0; i < N; i++) {
            sl_neighbour_sample(&around, &steps, centre, &rng, point);
            sum += count_differing(&world.space, centre, point);
            for (int p = 0; p < 15; p++) touched[p] += point[p] != centre[p];
        }
        assert_true(sum > (means[m] - 0.1) * N && sum < (means[m] + 0.1) * N);
        for (int p = 0; p < 15; p++) assert_in_range(touched[p], sum / 15 * 0.75, sum / 15 * 1.25);
    }
    world_free(&world);
}

static void where_nothing_can_change_nothing_does(void **state) {
    (void)state;
    World world;
    SlNeighbours around;
    SlRng rng;
    int32_t centre[SL_MAX_PARAMS] = {0}, point[SL_MAX_PARAMS];
    world_make(&world, "conv:K=1", "eyeriss");
    sl_neighbours_init(&around, &world.space);
    sl_rng_init(&rng, 1, "test");
    const SlSteps steps = {.more = 0.9, .near = 0.9, .reach = 12};
    for (int i = 0; i < 20; i++) {
        sl_neighbour_sample(&around, &steps, centre, &rng, point);
        assert_int_equal(count_differing(&world.space, centre, point), around.n_free > 0);
    }
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_value_is_another_value),
        cmocka_unit_test(near_sizes_are_a_few_steps_away),
        cmocka_unit_test(as_many_parameters_change_as_more_says),
        cmocka_unit_test(where_nothing_can_change_nothing_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
