// test_dense.c - products to the bit for every instruction set, layers against their definition,
// first weights. In doubles, with gradients: test_dense_double.c.
#include <math.h>

#include "gemm_cases.h"

static void every_small_shape_is_one_chain_to_the_bit(void **state) {
    (void)state;
    static CaseRoom room;
    case_fill(&room);
    for (int m = 1; m <= 15; m++)
        for (int n = 1; n <= 36; n += n < 18 ? 1 : 3)
            for (int k = 0; k <= 9; k += k < 2 ? 1 : 7) case_shape(&room, m, n, k);
}

static void tiles_of_all_heights_are_one_chain_to_the_bit(void **state) {
    (void)state;
    static CaseRoom room;
    case_fill(&room);
    for (int m = 1; m <= 52; m++)
        for (int n = 8; n <= 64; n += 8) case_shape(&room, m, n, 3);
    for (int m = 1; m <= 70; m++) { // values and actions
        case_shape(&room, m, 1, 16);
        case_shape(&room, m, 5, 24);
    }
}

static void larger_shapes_are_one_chain_to_the_bit(void **state) {
    (void)state;
    static CaseRoom room;
    case_fill(&room);
    static const int shapes[][3] = {{128, 64, 64}, {128, 64, 264}, {97, 65, 257}, {193, 130, 70},
                                    {130, 5, 64},  {130, 1, 64},   {64, 5, 513},  {1, 64, 520},
                                    {31, 48, 300}, {100, 64, 128}, {150, 16, 600}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        case_shape(&room, shapes[i][0], shapes[i][1], shapes[i][2]);
}

static void a_product_is_added_if_asked(void **state) {
    (void)state;
    const SlReal a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 0, 2, 1, 0, 3}; // (2, 3), (3, 2)
    SlReal c[] = {10, 20, -1, 30, 40};
    SlGemm q = {.m = 2,
                .n = 2,
                .k = 3,
                .a = a,
                .a_row = 3,
                .a_col = 1,
                .b = b,
                .b_row = 2,
                .c = c,
                .c_row = 3,
                .add = true};
    sl_gemm(&q);
    assert_true(c[0] == 15 && c[1] == 31 && c[2] == -1 && c[3] == 44 && c[4] == 63);
    q.add = false;
    sl_gemm(&q);
    assert_true(c[0] == 5 && c[1] == 11 && c[2] == -1 && c[3] == 14 && c[4] == 23);
}

static void nan_and_infinity_pass_through_a_layer(void **state) {
    (void)state;
    const SlReal x[] = {NAN, INFINITY, -INFINITY, 1}, w[] = {1};
    for (int rows = 1; rows <= 4; rows++) {
        SlReal y[4];
        SlDense layer = {.rows = rows,
                         .in = 1,
                         .out = 1,
                         .x = x,
                         .x_row = 1,
                         .w = w,
                         .y = y,
                         .y_row = 1,
                         .relu = true};
        sl_dense_forward(&layer);
        assert_true(isnan(y[0]));
        assert_true(rows < 2 || isinf(y[1]));
        assert_true(rows < 3 || y[2] == 0);
        assert_true(rows < 4 || y[3] == 1);
    }
}

enum { ROWS = 7, IN = 3, OUT = 2, GAP = 4 };

static void a_layer_adds_a_bias_or_to_what_is_there_and_cuts(void **state) {
    (void)state;
    SlReal x[ROWS * GAP], y[ROWS * GAP] = {0};
    const SlReal w[IN * OUT] = {1, -1, 2, 0, 0, 1}, bias[OUT] = {-4, 0.5F};
    for (int i = 0; i < ROWS * GAP; i++) x[i] = (SlReal)(i % 5 - 2);
    SlDense layer = {.rows = ROWS,
                     .in = IN,
                     .out = OUT,
                     .x = x,
                     .x_row = GAP,
                     .w = w,
                     .bias = bias,
                     .y = y,
                     .y_row = GAP,
                     .relu = true};
    sl_dense_forward(&layer);
    for (int i = 0; i < ROWS; i++) {
        const SlReal *in = x + i * GAP;
        assert_true(y[i * GAP] == fmaxf(0, in[0] + 2 * in[1] - 4));
        assert_true(y[i * GAP + 1] == fmaxf(0, -in[0] + in[2] + 0.5F));
        assert_true(y[i * GAP + 2] == 0 && y[i * GAP + 3] == 0);
        y[i * GAP] = 3;
    }
    layer.bias = NULL;
    layer.add = true;
    layer.relu = false;
    sl_dense_forward(&layer);
    for (int i = 0; i < ROWS; i++) assert_true(y[i * GAP] == 3 + x[i * GAP] + 2 * x[i * GAP + 1]);
}

static void check_gradient(int rows, int in, int out) {
    enum { ROOM = 300 * 140 };
    static SlReal x[ROOM], dy[ROOM], dw[ROOM], dbias[140];
    const int x_row = in + 3, dy_row = out + 1;
    SlRng rng;
    sl_rng_init(&rng, 3, "dense");
    for (int i = 0; i < ROOM; i++) {
        x[i] = (SlReal)sl_rng_normal(&rng);
        dy[i] = (SlReal)sl_rng_normal(&rng);
        dw[i] = 5;
        dbias[i % 140] = 7;
    }
    sl_dense_gradient(rows, in, out, x, (size_t)x_row, dy, (size_t)dy_row, dw, dbias);
    for (int j = 0; j < out; j++) {
        SlReal sum = 7;
        for (int i = 0; i < rows; i++) sum += dy[i * dy_row + j];
        assert_true(dbias[j] == sum);
        for (int l = 0; l < in; l++) {
            SlReal products = 5;
            for (int i = 0; i < rows; i++)
                products = CASE_FMA(x[i * x_row + l], dy[i * dy_row + j], products);
            assert_true(dw[l * out + j] == products);
        }
    }
    assert_true(dw[in * out] == 5 && dbias[out] == 7);
}

static void gradients_are_added_and_sums_are_in_the_order_of_rows(void **state) {
    (void)state;
    check_gradient(300, 2, 37);
    check_gradient(300, 70, 37);
    check_gradient(270, 130, 5); // thin layers have their own way
    check_gradient(270, 70, 1);
    check_gradient(11, 9, 8);
    check_gradient(11, 10, 9);
}

static void relu_lets_gradients_pass_above_zero_alone(void **state) {
    (void)state;
    const SlReal w[] = {1, 2, 3, 4, 5, 6}, dy[] = {1, 0, 0, 1, NAN, 1}; // (2, 3), (2, 3)
    const SlReal y[] = {1, 0, 9, NAN, 2, 9};                            // (2, 2) with a gap
    SlReal turned[6], dx[4];
    sl_dense_turn(2, 3, w, turned);
    assert_true(turned[0] == 1 && turned[1] == 4 && turned[2] == 2 && turned[5] == 6);
    SlDenseBack back = {.rows = 2,
                        .in = 2,
                        .out = 3,
                        .dy = dy,
                        .dy_row = 3,
                        .turned = turned,
                        .dx = dx,
                        .dx_row = 2};
    sl_dense_back(&back);
    assert_true(dx[0] == 1 && dx[1] == 4 && isnan(dx[2]) && isnan(dx[3]));
    back.y = y, back.y_row = 3;
    sl_dense_back(&back);
    assert_true(dx[0] == 1 && dx[1] == 0 && dx[2] == 0 && isnan(dx[3]));
}

static void first_weights_fill_the_range_of_glorot(void **state) {
    (void)state;
    const SlMlpShape shape = {.n_layers = 2, .width = {100, 50, 6}};
    static SlReal params[100 * 50 + 50 + 50 * 6 + 6];
    SlRng rng;
    sl_rng_init(&rng, 1, "glorot");
    sl_mlp_init_uniform(&shape, &rng, params);
    const double most = sqrt(6.0 / 150);
    double largest = 0, smallest = 0, sum = 0, square = 0;
    for (int i = 0; i < 5000; i++) {
        largest = fmax(largest, params[i]);
        smallest = fmin(smallest, params[i]);
        sum += params[i], square += (double)params[i] * params[i];
    }
    assert_true(largest <= most && largest > 0.99 * most);
    assert_true(smallest >= -most && smallest < -0.99 * most);
    assert_true(fabs(sum / 5000) < 0.01 && fabs(square / 5000 - most * most / 3) < 0.001);
    for (int i = 0; i < 50; i++) assert_true(params[5000 + i] == 0);
    assert_true(fabs(params[5050]) > 0 && params[5350] == 0 && params[5355] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_shape_is_one_chain_to_the_bit),
        cmocka_unit_test(tiles_of_all_heights_are_one_chain_to_the_bit),
        cmocka_unit_test(larger_shapes_are_one_chain_to_the_bit),
        cmocka_unit_test(a_product_is_added_if_asked),
        cmocka_unit_test(nan_and_infinity_pass_through_a_layer),
        cmocka_unit_test(a_layer_adds_a_bias_or_to_what_is_there_and_cuts),
        cmocka_unit_test(gradients_are_added_and_sums_are_in_the_order_of_rows),
        cmocka_unit_test(relu_lets_gradients_pass_above_zero_alone),
        cmocka_unit_test(first_weights_fill_the_range_of_glorot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
