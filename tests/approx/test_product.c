// test_product.c - products of every small shape, to the bit, and nothing written beside them.
#include "approx/product.h"
#include "starling/approx.h"
#include "support/check.h"

enum { SIDE = 40, ROOM = SIDE * SIDE };

static void fill(SlRng *rng, int n, SlReal *x) {
    for (int i = 0; i < n; i++) x[i] = (SlReal)sl_rng_normal(rng);
}

// one element, summed in the order of p
static SlReal element(const SlProduct *q, int i, int j) {
    SlReal sum = q->start ? q->start[(size_t)i * q->start_row + (size_t)j] : 0;
    for (int p = 0; p < q->k; p++) {
        SlReal product = q->a[(size_t)i * q->a_row + (size_t)p * q->a_col] * q->b[p * q->n + j];
        sum += product;
    }
    return sum;
}

// evaluate into c, which ends in a number that must survive
static void check_product(SlProduct q, SlReal *c) {
    SlReal expected[ROOM];
    for (int i = 0; i < q.m; i++) {
        for (int j = 0; j < q.n; j++) expected[i * q.n + j] = element(&q, i, j);
    }
    q.c = c;
    c[q.m * q.n] = 42;
    sl_product_eval(&q);
    assert_memory_equal(c, expected, (size_t)(q.m * q.n) * sizeof *c);
    assert_true(c[q.m * q.n] == 42);
}

static void every_shape_is_summed_in_order_to_the_bit(void **state) {
    (void)state;
    static SlReal a[ROOM], b[ROOM], c[ROOM + 1], bias[SIDE];
    SlRng rng;
    sl_rng_init(&rng, 1, "product");
    fill(&rng, ROOM, a);
    fill(&rng, ROOM, b);
    fill(&rng, SIDE, bias);
    for (int m = 1; m <= 9; m++) {
        for (int n = 1; n < SIDE; n++) {
            for (int k = 0; k <= 20; k += k < 3 ? 1 : 17) {
                SlProduct q = {.m = m, .n = n, .k = k, .a = a, .b = b};
                q.a_row = (size_t)k;
                q.a_col = 1;
                check_product(q, c); // from zero
                q.start = bias;
                check_product(q, c); // from one row
                q.a_row = 1;
                q.a_col = (size_t)m;
                q.start = c;
                q.start_row = (size_t)n;
                check_product(q, c); // transposed, added to what is there
            }
        }
    }
}

static void a_transposed_matrix_has_rows_for_columns(void **state) {
    (void)state;
    SlReal in[15], out[15];
    for (int i = 0; i < 15; i++) in[i] = (SlReal)i;
    sl_transpose(3, 5, in, out);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 5; j++) assert_true(out[j * 3 + i] == in[i * 5 + j]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_summed_in_order_to_the_bit),
        cmocka_unit_test(a_transposed_matrix_has_rows_for_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
