// test_worked_examples.c - the nests that the model's text works out by hand, in oracle and closed
// form.
#include "oracle.h"
#include "random_nest.h"
#include "support/check.h"

typedef void Counter(const SlLayer *, SlNet, const SlMapping *, SlCounts *);
static Counter *const counters[] = {oracle_count, sl_counts_eval};
enum { N_COUNTERS = 2 };

static SlCounts count(Counter *counter, const char *ext, const char *nest) {
    Case c;
    SlCounts counts;
    case_parse(ext, "1.1.1.1", "1.1", nest, &c);
    counter(&c.layer, c.net, &c.mapping, &counts);
    return counts;
}

static void expect(const SlCount got[SL_N_TENSORS], int w, int i, int o) {
    assert_int_equal((int)got[SL_W], w);
    assert_int_equal((int)got[SL_I], i);
    assert_int_equal((int)got[SL_O], o);
}

// tiles of I, row by row: {0,1,2} {2,3} {2,3} {4} | {3,4,5} {5,6} {5,6} {7} | {6,7} {8}
static void example_a_windows_edges_and_wraps(void **state) {
    (void)state;
    for (int i = 0; i < N_COUNTERS; i++) {
        SlCounts counts = count(counters[i], "1.1.1.1.7.1.3.1", "P:3 R:2 P:2 @7 R:1 P:1");
        const SlLevelCounts *buffer = &counts.level[1];
        expect(buffer->fill, 9, 11, 13);
        expect(buffer->pread, 9, 11, 6); // 13 updates of 7 elements need 6 partial sums
        assert_int_equal((int)buffer->upd, 13);
        expect(buffer->tile, 2, 3, 2);
        assert_int_equal((int)counts.macs, 21);
    }
}

static void example_b_three_levels_spatial_and_reduction(void **state) {
    (void)state;
    for (int i = 0; i < N_COUNTERS; i++) {
        SlCounts counts = count(counters[i], "1.1.3.2.5.1.3.1", "C:1 P:2 @7 K*2 K:1 R:1 @7 P:1");
        const SlLevelCounts *l2 = &counts.level[1], *l1 = &counts.level[2], *mac = &counts.level[3];
        assert_int_equal((int)counts.macs, 90);
        assert_int_equal((int)counts.cycles, 60);
        expect(l2->fill, 18, 14, 30);
        expect(l2->pread, 18, 14, 15);
        assert_int_equal((int)l2->upd, 30);
        expect(l1->fill, 54, 54, 30);
        expect(l1->pread, 54, 38, 15);
        assert_int_equal((int)l1->upd, 30);
        expect(l1->own0, 36, 38, 20);
        expect(mac->pread, 90, 90, 75);
        assert_int_equal((int)mac->upd, 90);
        expect(l2->tile, 9, 4, 6);
        expect(l1->tile, 1, 2, 2);
        assert_int_equal((int)l1->inst, 2);
    }
}

// the tiles of K are 4 and 1: three instances have no part in every second step
static void example_c_idle_instances_drop_relevant_tiles_and_keep_others(void **state) {
    (void)state;
    for (int i = 0; i < N_COUNTERS; i++) {
        SlCounts counts = count(counters[i], "1.1.5.1.4.1.1.1", "P:1 K:4 K*1 @7");
        const SlLevelCounts *pe = &counts.level[1];
        assert_int_equal((int)pe->fill[SL_W], 20);
        assert_int_equal((int)pe->fill[SL_I], 16); // 4 per instance: paused ones keep it
        assert_int_equal((int)pe->pread[SL_I], 4); // one read serves all
        assert_int_equal((int)pe->grid, 4);
        assert_int_equal((int)counts.cycles, 8);
    }
}

// Pieces of K: {0,1} {2} {3,4}, once with four columns of C at work, then with one. When the others
// pause, the second row still holds 4 while its leader goes on to 1; their sums have gone up with
// the leader's, so the late end of theirs is no update.
static void sums_of_paused_instances_are_collected_with_their_leader(void **state) {
    (void)state;
    for (int i = 0; i < N_COUNTERS; i++) {
        SlCounts counts = count(counters[i], "1.1.5.5.1.1.1.1", "C:4 K:3 K:2 C*1 K*1 @4");
        const SlLevelCounts *pe = &counts.level[1];
        assert_int_equal((int)pe->fill[SL_O], 4 * 5 + 5);
        assert_int_equal((int)pe->upd, 10);
        assert_int_equal((int)pe->pread[SL_O], 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(example_a_windows_edges_and_wraps),
        cmocka_unit_test(example_b_three_levels_spatial_and_reduction),
        cmocka_unit_test(example_c_idle_instances_drop_relevant_tiles_and_keep_others),
        cmocka_unit_test(sums_of_paused_instances_are_collected_with_their_leader),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
