// permutation.c - permutations by number: the Lehmer code (Lehmer 1960) read in the factorial
// number system.
//
// Digit i of a number counts the items after place i that are smaller than the one there, so that
// numbers ascend as the orders do in a dictionary; 0 is the ascending order.
#include "starling/mapping/space.h"

#include <assert.h>

enum { MOST_ITEMS = 8 };

int32_t sl_factorial(int n) {
    assert(0 <= n && n <= MOST_ITEMS);
    static const int32_t table[MOST_ITEMS + 1] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320};
    return table[n];
}

void sl_permutation(int n, int32_t number, uint8_t *order) {
    assert(0 <= number && number < sl_factorial(n));
    uint8_t left[MOST_ITEMS] = {0}; // items not yet placed, ascending
    for (int i = 0; i < n; i++) left[i] = (uint8_t)i;
    for (int i = 0; i < n; i++) {
        int32_t rest = sl_factorial(n - 1 - i);
        int digit = (int)(number / rest);
        number -= digit * rest;
        order[i] = left[digit];
        for (int j = digit; j + 1 < n - i; j++) left[j] = left[j + 1];
    }
}

int32_t sl_permutation_number(int n, const uint8_t *order) {
    assert(0 <= n && n <= MOST_ITEMS);
    int32_t number = 0;
    for (int i = 0; i < n; i++) {
        int digit = 0;
        for (int j = i + 1; j < n; j++) digit += order[j] < order[i];
        number += digit * sl_factorial(n - 1 - i);
    }
    return number;
}
