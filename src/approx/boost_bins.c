// boost_bins.c - inputs of boosted trees as bins, once per fit: sort every column by its digits and
// cut it where values change.
#include "boost_inside.h"

enum { DIGITS = 4, VALUES = 256 }; // of a key: bytes

// Knuth, The Art of Computer Programming 3, 5.2.5: radix sort from the lowest digit up. Digits that
// are all equal, as most are in columns of few values, cost nothing but the counting.
uint64_t *sl_boost_sort(int n, uint64_t *words, uint64_t *spare) {
    int counts[DIGITS][VALUES] = {{0}};
    for (int i = 0; i < n; i++)
        for (int d = 0; d < DIGITS; d++) counts[d][words[i] >> (32 + 8 * d) & 0xff]++;
    for (int d = 0; d < DIGITS; d++) {
        int *at = counts[d];
        if (at[words[0] >> (32 + 8 * d) & 0xff] == n) continue;
        for (int v = 0, sum = 0; v < VALUES; v++) {
            const int count = at[v];
            at[v] = sum;
            sum += count;
        }
        for (int i = 0; i < n; i++) spare[at[words[i] >> (32 + 8 * d) & 0xff]++] = words[i];
        uint64_t *other = words;
        words = spare;
        spare = other;
    }
    return words;
}

static int row_of(uint64_t word) {
    return (int)(uint32_t)word;
}

static uint32_t key_of(uint64_t word) {
    return (uint32_t)(word >> 32);
}

// above `low`, at most `high`
static float middle(float low, float high) {
    const float cut = low / 2 + high / 2;
    return cut > low ? cut : high;
}

// Fill the bins of column c from its sorted words: one per value while they last, else as many rows
// in each as are left for it. Returns how many there are.
static int cut_column(SlBoostBins *bins, int c, int n, const float *x, int n_inputs,
                      const uint64_t *sorted) {
    int n_values = 1, bin = 0, filled = 0;
    for (int i = 1; i < n; i++) n_values += key_of(sorted[i]) != key_of(sorted[i - 1]);
    const bool every = n_values <= SL_BOOST_BINS;
    const float *values = x + bins->input[c];
    for (int i = 0; i < n; i++) {
        if (i > 0 && key_of(sorted[i]) != key_of(sorted[i - 1])) {
            const int left = n - i + filled, room = SL_BOOST_BINS - bin;
            if (every || filled >= (left + room - 1) / room) { // never when only one is left
                const size_t low = (size_t)row_of(sorted[i - 1]), high = (size_t)row_of(sorted[i]);
                bins->cut[bins->first[c] + bin] =
                    middle(values[low * (size_t)n_inputs], values[high * (size_t)n_inputs]);
                bin++;
                filled = 0;
            }
        }
        filled++;
        bins->slots[(size_t)row_of(sorted[i]) * (size_t)bins->n_columns + (size_t)c] =
            (uint16_t)(bins->first[c] + bin);
    }
    return bin + 1;
}

static bool varies(int n, const float *x, int n_inputs, int input) {
    for (int i = 1; i < n; i++)
        if (x[(size_t)i * (size_t)n_inputs + (size_t)input] != x[input]) return true;
    return false;
}

void sl_boost_bin(SlBoostBins *bins, int n, int n_inputs, const float *x, uint64_t *sort) {
    bins->n_columns = 0;
    for (int k = 0; k < n_inputs; k++)
        if (varies(n, x, n_inputs, k)) bins->input[bins->n_columns++] = k;
    bins->first[0] = 0;
    for (int c = 0; c < bins->n_columns; c++) {
        const float *values = x + bins->input[c];
        for (int i = 0; i < n; i++)
            sort[i] =
                (uint64_t)sl_boost_key(values[(size_t)i * (size_t)n_inputs]) << 32 | (uint64_t)i;
        const uint64_t *sorted = sl_boost_sort(n, sort, sort + n);
        bins->first[c + 1] = bins->first[c] + cut_column(bins, c, n, x, n_inputs, sorted);
    }
}
