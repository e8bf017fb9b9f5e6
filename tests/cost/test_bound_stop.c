// test_bound_stop.c - walks that someone ends while the tables of their branch are built.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "starling/cost/bound.h"

typedef struct {
    SlArena arena;
    SlLayer layer;
    SlAccel accel;
    SlSpace space;
    SlBounds *bounds;
    int branch; // with the least first bound
} Long;

// every size of a long dim is in the list of a level
static void make_long(Long *one) {
    SlError err = {0};
    const SlSpaceOptions options = {.preset = SL_SPACE_PAPER};
    SlGoal goal;
    sl_arena_init(&one->arena, 0);
    assert_int_equal(sl_layer_parse("gemm:M=64,N=20000,K=64", &one->layer, &err), SL_OK);
    assert_int_equal(sl_accel_find("eyeriss", &one->arena, &one->accel, &err), SL_OK);
    assert_int_equal(
        sl_space_make(&one->layer, &one->accel, &options, &one->arena, &one->space, &err), SL_OK);
    assert_int_equal(sl_goal_parse("edp", &goal, &err), SL_OK);
    one->bounds = sl_bounds_make(&one->space, &goal, &one->arena);
    assert_non_null(one->bounds);
    one->branch = 0;
    for (int i = 1; i < sl_bounds_n_spreads(one->bounds); i++)
        if (sl_bounds_root(one->bounds, i) < sl_bounds_root(one->bounds, one->branch))
            one->branch = i;
}

static SlClosed close_it(const Long *one, SlBoundWork *work, SlCloseLimits limits) {
    SlClosed closed;
    SlError err = {0};
    limits.threshold = INFINITY;
    assert_int_equal(sl_bounds_close(work, one->branch, &limits, 0, &closed, &err), SL_OK);
    return closed;
}

static bool stop_at_once(void *context) {
    ++*(int *)context;
    return true;
}

static void a_walk_ends_while_its_tables_are_built(void **state) {
    (void)state;
    Long one;
    int asked = 0;
    make_long(&one);
    SlBoundWork *work = sl_bound_work_make(one.bounds, &one.arena);
    assert_non_null(work);
    SlClosed closed =
        close_it(&one, work, (SlCloseLimits){.stop = stop_at_once, .context = &asked});
    assert_int_equal(asked, 1);
    assert_false(closed.complete);
    assert_int_equal(closed.nodes, 0); // not a thousand of them first
    assert_true(closed.bound == sl_bounds_root(one.bounds, one.branch) && isinf(closed.value));
    sl_bound_work_free(work);
    sl_arena_free(&one.arena);
}

static void after_an_end_the_next_walk_is_as_if_there_had_been_none(void **state) {
    (void)state;
    Long one;
    int asked = 0;
    make_long(&one);
    SlBoundWork *ended = sl_bound_work_make(one.bounds, &one.arena);
    SlBoundWork *fresh = sl_bound_work_make(one.bounds, &one.arena);
    assert_true(ended && fresh);
    const SlCloseLimits nodes = {.nodes = 3000};
    close_it(&one, ended, (SlCloseLimits){.stop = stop_at_once, .context = &asked});
    SlClosed again = close_it(&one, ended, nodes), first = close_it(&one, fresh, nodes);
    assert_true(again.nodes == first.nodes && again.nodes > 3000 && isfinite(first.value));
    assert_true(again.bound == first.bound && again.value == first.value);
    assert_memory_equal(&again.mapping, &first.mapping, sizeof first.mapping);
    sl_bound_work_free(ended);
    sl_bound_work_free(fresh);
    sl_arena_free(&one.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_ends_while_its_tables_are_built),
        cmocka_unit_test(after_an_end_the_next_walk_is_as_if_there_had_been_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
