// features.c - a nest as numbers of order one, for critics (docs/spaces.md).
//
// Six columns stand for the dims: K with G, C, P with N, Q, R, S. First come the numbers that are
// halves of logarithms (of trips, shares, words, cycles), then those that are -0.5, 0, 0.5 or 1.
#include "reuse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { N_COLUMNS = 6, N_MOVING = 4 };

// the dim of each column, and what joins it
static const uint8_t COLUMN[N_COLUMNS] = {SL_K, SL_C, SL_P, SL_Q, SL_R, SL_S};
static const uint8_t JOINS[N_COLUMNS] = {SL_G, SL_N_DIMS, SL_N, SL_N_DIMS, SL_N_DIMS, SL_N_DIMS};

// the column in which a dim's loop counts for the order, -1 = none: G where K = C = 1, N where
// P = 1
static void choose_columns(const SlLayer *layer, int column[SL_N_DIMS]) {
    for (int d = 0; d < SL_N_DIMS; d++) column[d] = -1;
    for (int c = 0; c < N_COLUMNS; c++) column[COLUMN[c]] = c;
    if (layer->dims[SL_K] == 1 && layer->dims[SL_C] == 1) column[SL_G] = 0;
    if (layer->dims[SL_P] == 1) column[SL_N] = 2;
}

int sl_features_n(const SlAccel *accel) {
    int n = accel->n_levels, inside = n - 1, logs = 0, flags = 0;
    logs += N_COLUMNS * n + 3;           // trips in time; utilisation of the whole
    logs += 5 * inside + 3 * inside + 3; // tiles; reuse; cycles, latency, energy
    flags += (6 + N_COLUMNS) * inside;   // who is outside whom; the innermost loop
    for (int l = 0; l < n; l++) {
        if (accel->fanouts[l].n_axes > 0) {
            logs += N_COLUMNS + 1;
            flags += N_COLUMNS;
        }
        logs += accel->levels[l].port_words < INFINITY;
        logs += l > 0 && accel->levels[l].link_words < INFINITY;
    }
    return logs + flags;
}

SlFeatureGroup sl_feature_group(const SlAccel *accel, int feature) {
    if (feature < SL_N_ESTIMATES) return SL_FEATURES_ESTIMATE;
    int n = accel->n_levels, inside = n - 1, reuse = SL_N_ESTIMATES + N_COLUMNS * n + 3, parts = 1;
    for (int l = 0; l < n; l++) {
        if (accel->fanouts[l].n_axes > 0) reuse += N_COLUMNS + 1;
        parts += accel->levels[l].port_words < INFINITY;
        parts += l > 0 && accel->levels[l].link_words < INFINITY;
    }
    reuse += 5 * inside;
    int cycles = reuse + 3 * inside;
    if (feature < reuse || feature >= cycles + parts) return SL_FEATURES_PLAIN;
    return feature < cycles ? SL_FEATURES_REUSE : SL_FEATURES_ESTIMATE;
}

// a positive number whose logarithm is of order one
static float tame(double x) {
    const double least = 1e-9, most = 1e9;
    return (float)(x > least ? x < most ? x : most : least);
}

// Half the natural logarithm of n positive numbers, in place, to about 1e-7: with x = m 2^e and m
// near 1, ln m = 2 atanh((m - 1) / (m + 1)) by its series. Plain arithmetic, so that every machine
// gives the same bits.
void sl_half_logs(int n, float *x) {
    const float half_ln2 = 0.34657359F;
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        int32_t exponent = (int32_t)(bits - 0x3f3504f3u) >> 23; // m in [0.707, 1.414)
        bits -= (uint32_t)exponent << 23;
        float m;
        memcpy(&m, &bits, sizeof m);
        float s = (m - 1) / (m + 1), s2 = s * s;
        float series = s * (1 + s2 * (1 / 3.0F + s2 * (1 / 5.0F + s2 * (1 / 7.0F))));
        x[i] = (float)exponent * half_ln2 + series;
    }
}

static float *put_columns(const double by_dim[SL_N_DIMS], float *out) {
    for (int c = 0; c < N_COLUMNS; c++) {
        double x = by_dim[COLUMN[c]];
        if (JOINS[c] < SL_N_DIMS) x *= by_dim[JOINS[c]];
        *out++ = tame(x);
    }
    return out;
}

// trips in time of every segment, spread and busy share of every fan-out, of the whole
static float *put_trips(const Glance *glance, float *out) {
    const SlAccel *accel = glance->accel;
    double lanes = 1, most = 1;
    for (int s = 0; s < glance->n; s++) out = put_columns(glance->time[s], out);
    for (int s = 0; s < glance->n; s++) {
        lanes *= glance->grid[s];
        if (accel->fanouts[s].n_axes == 0) continue;
        double size = (double)sl_fanout_size(&accel->fanouts[s]);
        most *= size;
        out = put_columns(glance->space[s], out);
        *out++ = tame(glance->grid[s] / size);
    }
    *out++ = tame(lanes);
    *out++ = tame(lanes / most);
    *out++ = tame(glance->macs / (glance->steps * lanes)); // 1 = no edges
    return out;
}

// tiles of every level on chip, as shares of the tensors and of the capacity
static float *put_tiles(const Glance *glance, const SlMapping *mapping, float *out) {
    const SlAccel *accel = glance->accel;
    double layer_words = glance->words[SL_W] + glance->words[SL_I] + glance->words[SL_O];
    for (int l = 1; l < glance->n; l++) {
        double words = 0, bytes = 0;
        for (int t = 0; t < SL_N_TENSORS; t++) {
            double tile = glance->tile[l - 1][t];
            *out++ = tame(tile / glance->words[t]);
            if (!(mapping->keep[l - 1] >> t & 1)) continue;
            words += tile;
            bytes += tile * sl_word_bytes(glance->layer, accel, (SlTensor)t);
        }
        int64_t capacity = accel->levels[l].capacity_bytes;
        *out++ = tame(words > 0 ? words / layer_words : 1);
        *out++ = tame(capacity > 0 && bytes > 0 ? bytes / (double)capacity : 1);
    }
    return out;
}

// words moved into every level, per word of the tensor
static float *put_reuse(const Glance *glance, const Traffic *traffic, float *out) {
    for (int l = 1; l < glance->n; l++)
        for (int t = 0; t < SL_N_TENSORS; t++) {
            double fetched = traffic->fetched[l][t];
            *out++ = tame(fetched > 0 ? fetched / glance->words[t] : 1);
        }
    return out;
}

// cycles that each part would take alone, over the least that the layer can take; latency and
// energy go to the front
static float *put_cost(const Glance *glance, const Traffic *traffic, float *front, float *out) {
    const SlAccel *accel = glance->accel;
    const double *w = glance->words;
    double compute = glance->macs / (double)sl_accel_macs(accel);
    double dram = (w[SL_W] + w[SL_I] + w[SL_O]) / accel->levels[0].port_words;
    double floor = compute > dram ? compute : dram;
    *out++ = tame(glance->steps / floor);
    for (int l = 0; l < glance->n; l++) {
        const SlLevel *level = &accel->levels[l];
        if (level->port_words < INFINITY)
            *out++ = tame(traffic->port[l] / level->port_words / floor);
        if (l > 0 && level->link_words < INFINITY)
            *out++ = tame(traffic->link[l] / level->link_words / floor);
    }
    front[SL_FEATURE_LATENCY] = tame(traffic->latency_cycles / floor);
    double least_pj = glance->macs * accel->mac_pj +
                      (w[SL_W] + w[SL_I]) * accel->levels[0].read_pj +
                      w[SL_O] * accel->levels[0].write_pj;
    front[SL_FEATURE_ENERGY] = tame(least_pj > 0 ? traffic->energy_pj / least_pj : 1);
    return out;
}

// which dims each fan-out takes
static float *put_spreads(const Glance *glance, float *out) {
    for (int s = 0; s < glance->n; s++) {
        if (glance->accel->fanouts[s].n_axes == 0) continue;
        for (int c = 0; c < N_COLUMNS; c++) {
            bool joined = JOINS[c] < SL_N_DIMS && glance->space[s][JOINS[c]] > 1;
            *out++ = glance->space[s][COLUMN[c]] > 1 || joined ? 1 : 0;
        }
    }
    return out;
}

// of a segment above the innermost level: who of K, C, P, Q is outside whom, and the innermost loop
static float *put_order(const Glance *glance, int segment, const int column[SL_N_DIMS],
                        float *out) {
    int place[N_COLUMNS], innermost = -1; // place of a column's innermost loop, -1 = none
    for (int c = 0; c < N_COLUMNS; c++) place[c] = -1;
    for (int i = glance->first[segment]; i < glance->first[segment + 1]; i++) {
        int c = column[glance->dim[i]];
        if (c < 0) continue;
        place[c] = i;
        innermost = c;
    }
    for (int a = 0; a < N_MOVING; a++)
        for (int b = a + 1; b < N_MOVING; b++) {
            bool both = place[a] >= 0 && place[b] >= 0;
            *out++ = !both ? 0 : place[a] < place[b] ? 0.5F : -0.5F;
        }
    for (int c = 0; c < N_COLUMNS; c++) *out++ = c == innermost ? 1 : 0;
    return out;
}

void sl_mapping_features(const SlLayer *layer, const SlAccel *accel, const SlMapping *mapping,
                         float *out) {
    assert(mapping->n_boundaries == accel->n_levels - 1);
    Glance glance;
    Traffic traffic;
    int column[SL_N_DIMS];
    sl_nest_glance(layer, accel, mapping, &glance);
    sl_nest_traffic(&glance, mapping, &traffic);
    float *start = out;
    out = put_trips(&glance, out + SL_N_ESTIMATES);
    out = put_tiles(&glance, mapping, out);
    out = put_reuse(&glance, &traffic, out);
    out = put_cost(&glance, &traffic, start, out);
    sl_half_logs((int)(out - start), start);
    out = put_spreads(&glance, out);
    choose_columns(layer, column);
    for (int s = 0; s + 1 < glance.n; s++) out = put_order(&glance, s, column, out);
    assert(out - start == sl_features_n(accel));
}
