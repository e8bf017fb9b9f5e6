// test_kmeans.c - k-means: groups that are there are found, losses are what they say.
#include <math.h>
#include <string.h>

#include "starling/approx/kmeans.h"
#include "support/check.h"

enum { DIMS = 2, MOST = 300 };

typedef struct {
    SlArena scratch;
    SlRng rng;
    float x[MOST * DIMS], centroids[MOST * DIMS];
    int member[MOST];
} Groups;

static Groups groups;

static void begin(uint64_t seed) {
    memset(&groups, 0, sizeof groups);
    sl_arena_init(&groups.scratch, 0);
    sl_rng_init(&groups.rng, seed, "kmeans");
}

static double cluster(int n, int k) {
    return sl_kmeans(n, DIMS, groups.x, k, &groups.rng, &groups.scratch, groups.centroids,
                     groups.member);
}

// points around (0, 0), (100, 0), (0, 100) in turn
static void place(int n) {
    static const float centre[3][2] = {{0, 0}, {100, 0}, {0, 100}};
    for (int i = 0; i < n; i++)
        for (int d = 0; d < DIMS; d++)
            groups.x[DIMS * i + d] = centre[i % 3][d] + (float)sl_rng_normal(&groups.rng);
}

static double distance(int point, int centroid) {
    double sum = 0;
    for (int d = 0; d < DIMS; d++)
        sum += pow(
            (double)groups.x[DIMS * point + d] - (double)groups.centroids[DIMS * centroid + d], 2);
    return sum;
}

// every point belongs to its nearest centroid, centroids are means, the loss is their sum
static void check_result(int n, int k, double loss) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        assert_in_range(groups.member[i], 0, k - 1);
        for (int c = 0; c < k; c++) assert_true(distance(i, groups.member[i]) <= distance(i, c));
        sum += distance(i, groups.member[i]);
    }
    assert_true(fabs(sum - loss) <= 1e-9 * sum + 1e-9);
    for (int c = 0; c < k; c++) {
        double mean[DIMS] = {0};
        int count = 0;
        for (int i = 0; i < n; i++) {
            if (groups.member[i] != c) continue;
            count++;
            for (int d = 0; d < DIMS; d++) mean[d] += (double)groups.x[DIMS * i + d];
        }
        for (int d = 0; d < DIMS && count > 0; d++)
            assert_true(fabs(mean[d] / count - (double)groups.centroids[DIMS * c + d]) < 1e-3);
    }
}

static void groups_far_apart_are_found(void **state) {
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        begin(seed);
        place(90);
        const double loss = cluster(90, 3);
        check_result(90, 3, loss);
        found += loss < 90 * DIMS * 2; // variance 1 per number; else two groups share a centroid
        sl_arena_free(&groups.scratch);
    }
    assert_in_range(found, 10, 20);
}

static void more_clusters_lose_less(void **state) {
    (void)state;
    begin(1);
    place(300);
    double last = INFINITY;
    for (int k = 1; k <= 64; k *= 4) {
        const double loss = cluster(300, k);
        check_result(300, k, loss);
        assert_true(loss < last);
        last = loss;
    }
    sl_arena_free(&groups.scratch);
}

static void one_cluster_is_the_mean(void **state) {
    (void)state;
    begin(1);
    const float x[] = {1, 0, 3, 0, 5, 6};
    memcpy(groups.x, x, sizeof x);
    assert_true(cluster(3, 1) == 8 + 24);
    assert_true(groups.centroids[0] == 3 && groups.centroids[1] == 2);
    sl_arena_free(&groups.scratch);
}

static void as_many_clusters_as_points_lose_nothing(void **state) {
    (void)state;
    begin(1);
    place(30);
    assert_true(cluster(30, 30) == 0);
    assert_true(cluster(30, 50) == 0);
    sl_arena_free(&groups.scratch);
}

static void equal_points_are_no_trap(void **state) {
    (void)state;
    begin(1);
    assert_true(cluster(20, 5) == 0); // all at (0, 0)
    groups.x[0] = 7;                  // two places for five clusters
    assert_true(cluster(20, 5) == 0);
    sl_arena_free(&groups.scratch);
}

// Two points of 20 lie elsewhere: hardly any start has centroids at both, and where two begin at
// the same place one of them stays empty.
static void empty_clusters_begin_again(void **state) {
    (void)state;
    int found = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        begin(seed);
        groups.x[0] = 7;
        groups.x[DIMS] = 20;
        found += cluster(20, 3) == 0;
        sl_arena_free(&groups.scratch);
    }
    assert_in_range(found, 95, 100);
}

static void one_seed_is_one_result(void **state) {
    (void)state;
    float first[MOST * DIMS];
    for (int i = 0; i < 2; i++) {
        begin(3);
        place(300);
        cluster(300, 16);
        if (i == 0) memcpy(first, groups.centroids, sizeof first);
        sl_arena_free(&groups.scratch);
    }
    assert_memory_equal(first, groups.centroids, sizeof first);
}

static void scratch_is_given_back_and_too_little_is_said(void **state) {
    (void)state;
    begin(1);
    place(30);
    cluster(30, 8);
    assert_int_equal(groups.scratch.used, 0);
    sl_arena_free(&groups.scratch);
    sl_arena_init(&groups.scratch, 16);
    assert_true(cluster(30, 8) == -1);
    sl_arena_free(&groups.scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_far_apart_are_found),
        cmocka_unit_test(more_clusters_lose_less),
        cmocka_unit_test(one_cluster_is_the_mean),
        cmocka_unit_test(as_many_clusters_as_points_lose_nothing),
        cmocka_unit_test(equal_points_are_no_trap),
        cmocka_unit_test(empty_clusters_begin_again),
        cmocka_unit_test(one_seed_is_one_result),
        cmocka_unit_test(scratch_is_given_back_and_too_little_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
