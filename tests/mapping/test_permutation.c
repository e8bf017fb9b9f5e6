// test_permutation.c - permutations by number and back.
#include "support/check.h"

#include <string.h>

#include "starling/mapping.h"

static void number_zero_is_the_ascending_order(void **state) {
    (void)state;
    for (int n = 0; n <= 8; n++) {
        uint8_t order[8] = {0};
        sl_permutation(n, 0, order);
        for (int i = 0; i < n; i++) assert_int_equal(order[i], i);
        assert_int_equal(sl_permutation_number(n, order), 0);
    }
}

static void numbers_ascend_as_orders_do_in_a_dictionary(void **state) {
    (void)state;
    for (int n = 1; n <= 8; n++) {
        uint8_t last[8] = {0}, order[8] = {0};
        for (int32_t i = 0; i < sl_factorial(n); i++) {
            sl_permutation(n, i, order);
            if (i > 0) assert_true(memcmp(last, order, (size_t)n) < 0);
            memcpy(last, order, sizeof last);
        }
        for (int i = 0; i < n; i++) assert_int_equal(order[i], n - 1 - i);
    }
}

static void every_order_is_a_permutation_and_has_its_number_back(void **state) {
    (void)state;
    for (int n = 1; n <= 8; n++) {
        for (int32_t i = 0; i < sl_factorial(n); i++) {
            uint8_t order[8];
            int seen = 0;
            sl_permutation(n, i, order);
            for (int j = 0; j < n; j++) seen |= 1 << order[j];
            assert_int_equal(seen, (1 << n) - 1);
            assert_int_equal(sl_permutation_number(n, order), i);
        }
    }
}

static void a_factorial_is_the_number_of_orders(void **state) {
    (void)state;
    int32_t product = 1;
    for (int n = 0; n <= 8; n++) {
        product *= n > 0 ? n : 1;
        assert_int_equal(sl_factorial(n), product);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(number_zero_is_the_ascending_order),
        cmocka_unit_test(numbers_ascend_as_orders_do_in_a_dictionary),
        cmocka_unit_test(every_order_is_a_permutation_and_has_its_number_back),
        cmocka_unit_test(a_factorial_is_the_number_of_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
