// test_dendro.c - trees equal SciPy's (tests/data/assign/linkage.yaml), and hold up at the edges.
#include "support/check.h"

#include <math.h>

#include "starling/assign.h"

enum { MAX = 64, SAMPLES = 12 };

// One case of the file: a correlation matrix, as given or from samples.
typedef struct {
    int n;
    double r[MAX * MAX];
    const SlNode *trees;
} Case;

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.17g is not %.17g", value, expected);
}

static double number(const SlNode *node) {
    double value = 0;
    assert_int_equal(sl_node_real(node, -1e9, 1e9, &value, NULL), SL_OK);
    return value;
}

static int whole(const SlNode *node) {
    int64_t value = 0;
    assert_int_equal(sl_node_int(node, -1000000, 1000000, &value, NULL), SL_OK);
    return (int)value;
}

static void assert_list(const SlNode *list, int n, const int *values) {
    assert_int_equal(list->n, n);
    const SlNode *node = list->first;
    for (int i = 0; i < n; i++, node = node->next) assert_int_equal(values[i], whole(node));
}

// the rows of a list of lists, row or column first
static void read_table(const SlNode *list, int n_columns, bool by_column, double *out) {
    int i = 0;
    for (const SlNode *row = list->first; row; row = row->next, i++) {
        int j = 0;
        assert_int_equal(row->n, n_columns);
        for (const SlNode *cell = row->first; cell; cell = cell->next, j++)
            out[by_column ? j * list->n + i : i * n_columns + j] = number(cell);
    }
}

static void read_case(const SlNode *node, Case *out) {
    out->n = whole(sl_node_get(node, "n"));
    out->trees = sl_node_get(node, "trees");
    assert_true(out->n <= MAX);
    if (sl_node_get(node, "r")) {
        read_table(sl_node_get(node, "r"), out->n, false, out->r);
        return;
    }
    double values[SAMPLES * MAX];
    int first[MAX + 1];
    for (int i = 0; i <= out->n; i++) first[i] = i;
    read_table(sl_node_get(node, "samples"), out->n, true, values);
    SlColumns columns = {SAMPLES, out->n, first, values};
    sl_correlations(&columns, out->r);
}

static void assert_tree(const Case *given, const SlNode *expected, SlArena *scratch) {
    int n = given->n, metric = 0, linkage = 0, points[MAX];
    double d[MAX * MAX];
    SlMerge tree[MAX];
    sl_node_choice(sl_node_get(expected, "metric"), sl_metric_names, &metric, NULL);
    sl_node_choice(sl_node_get(expected, "linkage"), sl_linkage_names, &linkage, NULL);
    sl_distances((SlMetric)metric, n, given->r, NULL, d);
    assert_int_equal(sl_dendro_build((SlLinkage)linkage, n, d, scratch, tree), SL_OK);

    const SlMerge *merge = tree;
    for (const SlNode *row = sl_node_get(expected, "merges")->first; row; row = row->next) {
        assert_int_equal(merge->left, whole(sl_node_at(row, 0)));
        assert_int_equal(merge->right, whole(sl_node_at(row, 1)));
        assert_near(merge->height, number(sl_node_at(row, 2)), 1e-12);
        assert_int_equal(merge->size, whole(sl_node_at(row, 3)));
        merge++;
    }
    assert_int_equal(merge - tree, n - 1);

    sl_dendro_leaves(n, tree, points);
    assert_list(sl_node_get(expected, "leaves"), n, points);
    for (const SlNode *cut = sl_node_get(expected, "cuts")->first; cut; cut = cut->next) {
        int n_clusters = 0;
        for (const SlNode *node = cut->first; node; node = node->next)
            if (whole(node) >= n_clusters) n_clusters = whole(node) + 1;
        sl_dendro_cut(n, tree, n_clusters, points);
        assert_list(cut, n, points);
        // a height between two merges leaves as many clusters as the cut there; ties fall together
        double below = n_clusters < n ? tree[n - n_clusters - 1].height : 0;
        double above = n_clusters > 1 ? tree[n - n_clusters].height : below + 1;
        if (above > below && below > 0)
            assert_int_equal(sl_dendro_count(n, tree, (below + above) / 2), n_clusters);
    }
}

static void trees_leaves_and_cuts_equal_scipy(void **state) {
    (void)state;
    SlArena arena, scratch;
    const SlNode *root = NULL;
    SlError err;
    int n_trees = 0;
    sl_arena_init(&arena, 0);
    sl_arena_init(&scratch, 0);
    SlStatus status =
        sl_tree_read(SL_SOURCE_DIR "/tests/data/assign/linkage.yaml", &arena, &root, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    static Case given;
    for (const SlNode *node = sl_node_get(root, "cases")->first; node; node = node->next) {
        read_case(node, &given);
        for (const SlNode *tree = given.trees->first; tree; tree = tree->next, n_trees++)
            assert_tree(&given, tree, &scratch);
    }
    assert_int_equal(n_trees, 19 * (SL_N_METRICS - 1) * SL_N_LINKAGES);
    assert_int_equal(sl_arena_mark(&scratch), 0);
    sl_arena_free(&scratch);
    sl_arena_free(&arena);
}

static void one_point_and_two_points_make_the_smallest_trees(void **state) {
    (void)state;
    SlArena scratch;
    sl_arena_init(&scratch, 0);
    for (int linkage = 0; linkage < SL_N_LINKAGES; linkage++) {
        SlMerge tree[1] = {{0}};
        int points[2] = {-1, -1};
        assert_int_equal(sl_dendro_build(linkage, 1, (double[]){0}, &scratch, tree), SL_OK);
        sl_dendro_cut(1, tree, 1, points);
        assert_int_equal(points[0], 0);
        points[0] = -1;
        sl_dendro_leaves(1, tree, points);
        assert_int_equal(points[0], 0);

        const double d[] = {0, 0.25, 0.25, 0};
        assert_int_equal(sl_dendro_build(linkage, 2, d, &scratch, tree), SL_OK);
        assert_int_equal(tree->left, 0);
        assert_int_equal(tree->right, 1);
        assert_int_equal(tree->size, 2);
        assert_true(tree->height == 0.25);
        sl_dendro_cut(2, tree, 2, points);
        assert_int_equal(points[0], 0);
        assert_int_equal(points[1], 1);
    }
    sl_arena_free(&scratch);
}

// heights are finite and never decrease, every id is merged once, sizes add up
static void assert_is_tree(int n, const SlMerge *tree) {
    bool merged[2 * MAX] = {false};
    for (int m = 0; m < n - 1; m++) {
        int left = tree[m].left, right = tree[m].right;
        assert_true(0 <= left && left < right && right < n + m);
        assert_false(merged[left] || merged[right]);
        merged[left] = merged[right] = true;
        assert_true(isfinite(tree[m].height) && tree[m].height >= 0);
        if (m > 0) assert_true(tree[m].height >= tree[m - 1].height);
        int size = (left < n ? 1 : tree[left - n].size) + (right < n ? 1 : tree[right - n].size);
        assert_int_equal(tree[m].size, size);
    }
    if (n > 1) assert_int_equal(tree[n - 2].size, n);
}

// cuts into k clusters number them 0..k-1 by first point; a finer cut only divides
static void assert_cuts(int n, const SlMerge *tree) {
    int coarse[MAX] = {0}, fine[MAX];
    for (int k = 1; k <= n; k++) {
        int n_found = 0;
        sl_dendro_cut(n, tree, k, fine);
        for (int i = 0; i < n; i++) {
            assert_true(0 <= fine[i] && fine[i] <= n_found);
            n_found += fine[i] == n_found;
            for (int j = 0; j < i; j++)
                if (fine[i] == fine[j]) assert_int_equal(coarse[i], coarse[j]);
        }
        assert_int_equal(n_found, k);
        for (int i = 0; i < n; i++) coarse[i] = fine[i];
    }
}

static void duplicates_and_ties_still_make_whole_trees(void **state) {
    (void)state;
    SlArena scratch;
    SlRng rng;
    double d[MAX * MAX];
    SlMerge tree[MAX];
    int leaves[MAX];
    sl_arena_init(&scratch, 0);
    sl_rng_init(&rng, 5, "ties");
    for (int round = 0; round < 200; round++) {
        // few distinct distances, not even metric ones; round 0: all points the same
        int n = (int)sl_rng_range(&rng, 2, 40);
        for (int i = 0; i < n; i++)
            for (int j = i; j < n; j++)
                d[i * n + j] = d[j * n + i] =
                    i == j ? 0 : (double)sl_rng_below(&rng, 1 + (uint64_t)(round % 4));
        for (int linkage = 0; linkage < SL_N_LINKAGES; linkage++) {
            assert_int_equal(sl_dendro_build(linkage, n, d, &scratch, tree), SL_OK);
            assert_is_tree(n, tree);
            assert_cuts(n, tree);
            bool seen[MAX] = {false};
            sl_dendro_leaves(n, tree, leaves);
            for (int i = 0; i < n; i++) {
                assert_false(seen[leaves[i]]);
                seen[leaves[i]] = true;
            }
        }
    }
    sl_arena_free(&scratch);
}

static void planted_groups_are_found_by_every_linkage(void **state) {
    (void)state;
    enum { N = 12 };
    SlArena scratch;
    double d[N * N];
    SlMerge tree[N];
    int cluster[N];
    sl_arena_init(&scratch, 0);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i * N + j] = i == j ? 0 : i % 3 == j % 3 ? 0.1 + 0.01 * (i + j) : 2;
    for (int linkage = 0; linkage < SL_N_LINKAGES; linkage++) {
        assert_int_equal(sl_dendro_build(linkage, N, d, &scratch, tree), SL_OK);
        sl_dendro_cut(N, tree, 3, cluster);
        for (int i = 0; i < N; i++) assert_int_equal(cluster[i], i % 3);
    }
    sl_arena_free(&scratch);
}

static void too_little_scratch_is_told_and_given_back(void **state) {
    (void)state;
    const double d[] = {0, 1, 2, /**/ 1, 0, 3, /**/ 2, 3, 0};
    SlMerge tree[2];
    int n_failed = 0;
    for (size_t limit = 1;; limit += 8) {
        SlArena scratch;
        sl_arena_init(&scratch, limit);
        SlStatus status = sl_dendro_build(SL_LINK_WARD, 3, d, &scratch, tree);
        assert_int_equal(sl_arena_mark(&scratch), 0);
        sl_arena_free(&scratch);
        if (status == SL_OK) break;
        assert_int_equal(status, SL_ENOMEM);
        n_failed++;
    }
    assert_true(n_failed > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_leaves_and_cuts_equal_scipy),
        cmocka_unit_test(one_point_and_two_points_make_the_smallest_trees),
        cmocka_unit_test(duplicates_and_ties_still_make_whole_trees),
        cmocka_unit_test(planted_groups_are_found_by_every_linkage),
        cmocka_unit_test(too_little_scratch_is_told_and_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
