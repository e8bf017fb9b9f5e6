// test_eigen.c - eigenvalues and eigenvectors of symmetric matrices.
#include "support/check.h"

#include <math.h>
#include <string.h>

#include "../src/search/eigen.h"

enum { MOST = 60 };

typedef struct {
    int n;
    double a[MOST * MOST], vectors[MOST * MOST], values[MOST];
} Problem;

static void solve(Problem *p) {
    double scratch[2 * MOST];
    memcpy(p->vectors, p->a, sizeof p->a);
    assert_true(sl_eigen_symmetric(p->n, p->vectors, p->values, scratch));
}

// A v = value v, and the vectors are orthonormal, to `error` of the largest value
static void expect_pairs(const Problem *p, double error) {
    double scale = 1e-300;
    for (int k = 0; k < p->n; k++) scale = fmax(scale, fabs(p->values[k]));
    for (int k = 0; k < p->n; k++) {
        const double *v = p->vectors + k * p->n;
        for (int i = 0; i < p->n; i++) {
            double sum = 0, along = 0;
            for (int j = 0; j < p->n; j++) {
                sum += p->a[i * p->n + j] * v[j];
                along += p->vectors[i * p->n + j] * v[j];
            }
            assert_true(fabs(sum - p->values[k] * v[i]) <= error * scale);
            assert_true(fabs(along - (i == k)) <= error);
        }
    }
}

// whether the values hold `value`
static bool holds(const Problem *p, double value) {
    for (int k = 0; k < p->n; k++)
        if (fabs(p->values[k] - value) < 1e-12) return true;
    return false;
}

static void a_matrix_by_hand_has_its_values(void **state) {
    (void)state;
    Problem p = {.n = 3, .a = {2, -1, 0, -1, 2, -1, 0, -1, 2}};
    solve(&p);
    assert_true(holds(&p, 2 - sqrt(2)) && holds(&p, 2) && holds(&p, 2 + sqrt(2)));
    expect_pairs(&p, 1e-14);
    p = (Problem){.n = 2, .a = {1, 3, 3, 1}};
    solve(&p);
    assert_true(holds(&p, 4) && holds(&p, -2));
    expect_pairs(&p, 1e-14);
}

// 2 - 2 cos(k pi / (n + 1)): the discrete Laplacian
static void a_chain_of_springs_has_its_tones(void **state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    Problem p = {.n = 50};
    for (int i = 0; i < p.n; i++) {
        p.a[i * p.n + i] = 2;
        if (i > 0) p.a[i * p.n + i - 1] = p.a[(i - 1) * p.n + i] = -1;
    }
    solve(&p);
    for (int k = 1; k <= p.n; k++) assert_true(holds(&p, 2 - 2 * cos(k * pi / (p.n + 1))));
    expect_pairs(&p, 1e-13);
}

static void random_matrices_are_taken_apart(void **state) {
    (void)state;
    SlRng rng;
    sl_rng_init(&rng, 1, "eigen");
    for (int n = 1; n <= MOST; n += 1 + n / 4) {
        Problem p = {.n = n};
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++)
                p.a[i * n + j] = p.a[j * n + i] =
                    sl_rng_normal(&rng) * exp(3 * sl_rng_normal(&rng));
        solve(&p);
        expect_pairs(&p, 1e-12);
    }
}

// nothing to turn, values that are equal, a matrix of rank one, blocks, huge and tiny numbers
static void odd_matrices_are_taken_apart(void **state) {
    (void)state;
    Problem p = {.n = 5};
    solve(&p);
    expect_pairs(&p, 1e-15);
    for (int i = 0; i < 5; i++) p.a[i * 5 + i] = 7;
    solve(&p);
    expect_pairs(&p, 1e-15);
    for (int i = 0; i < 25; i++) p.a[i] = 1;
    solve(&p);
    assert_true(holds(&p, 5));
    expect_pairs(&p, 1e-14);
    p = (Problem){.n = 4, .a = {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 2, 1, 0, 0, 1, 2}};
    solve(&p);
    assert_true(holds(&p, 0) && holds(&p, 1) && holds(&p, 2) && holds(&p, 3));
    expect_pairs(&p, 1e-14);
    for (int i = 0; i < 16; i++) p.a[i] = p.a[i] * 1e150 + (i % 5 == 0 ? 1e-150 : 0);
    solve(&p);
    expect_pairs(&p, 1e-14);
}

static void only_the_lower_half_is_read(void **state) {
    (void)state;
    Problem p = {.n = 3, .a = {2, -1, 0, -1, 2, -1, 0, -1, 2}}, half = p;
    half.a[1] = half.a[2] = half.a[5] = 1e9;
    solve(&p);
    solve(&half);
    assert_memory_equal(p.values, half.values, sizeof p.values);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_by_hand_has_its_values),
        cmocka_unit_test(a_chain_of_springs_has_its_tones),
        cmocka_unit_test(random_matrices_are_taken_apart),
        cmocka_unit_test(odd_matrices_are_taken_apart),
        cmocka_unit_test(only_the_lower_half_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
