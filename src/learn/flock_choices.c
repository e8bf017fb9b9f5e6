// flock_choices.c - points in words that other spaces understand: sizes, sets of dims, orders.
//
// A size that was the largest of its list is the largest again; any other is the listed one nearest
// by ratio. An order keeps the items that both spaces have, in their order.
#include <math.h>
#include <string.h>

#include "flock_inside.h"

static uint32_t name_hash(const SlParam *param) {
    if (param->role != SL_ROLE_KNOB) return 0;
    return (uint32_t)sl_fnv_bytes(SL_FNV_START, param->name, strlen(param->name));
}

static int64_t pack_order(const SlParam *param, int32_t value) {
    uint8_t order[SL_N_DIMS];
    int64_t packed = 0;
    sl_permutation(param->n_items, value, order);
    for (int k = param->n_items - 1; k >= 0; k--)
        packed = packed << 4 | (param->items[order[k]] + 1);
    return packed;
}

void sl_choices_of(const SlSpace *space, const int32_t *point, SlChoice *choices) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        choices[i] = (SlChoice){.kind = (int8_t)param->kind,
                                .role = (int8_t)param->role,
                                .level = (int8_t)param->level,
                                .axis = (int8_t)param->axis,
                                .dim = (int8_t)param->dim,
                                .name = name_hash(param)};
        if (param->kind == SL_ORDINAL) {
            choices[i].value = param->sizes[point[i]];
            choices[i].whole = point[i] == param->n - 1;
        } else if (param->kind == SL_PERMUTATION) {
            choices[i].value = pack_order(param, point[i]);
        } else {
            choices[i].value = param->role == SL_ROLE_KNOB ? point[i] : param->spreads[point[i]];
        }
    }
}

bool sl_choice_suits(const SlChoice *choice, const SlParam *param) {
    return choice->kind == (int8_t)param->kind && choice->role == (int8_t)param->role &&
           choice->level == (int8_t)param->level && choice->axis == (int8_t)param->axis &&
           choice->dim == (int8_t)param->dim && choice->name == name_hash(param);
}

static int32_t place_size(const SlParam *param, const SlChoice *choice) {
    int32_t best = param->n - 1;
    if (choice->whole) return best;
    double least = INFINITY, wanted = log((double)choice->value + 1);
    for (int32_t v = 0; v < param->n; v++) {
        double off = fabs(log((double)param->sizes[v] + 1) - wanted);
        if (off < least) best = v;
        least = fmin(least, off);
    }
    return best;
}

// items of the choice in their order, then those it does not have
static int32_t place_order(const SlParam *param, int64_t packed) {
    uint8_t order[SL_N_DIMS];
    bool taken[SL_N_DIMS] = {false};
    int n = 0;
    for (; packed > 0; packed >>= 4)
        for (int k = 0; k < param->n_items; k++)
            if (!taken[k] && param->items[k] + 1 == (packed & 15)) {
                taken[k] = true;
                order[n++] = (uint8_t)k;
            }
    for (int k = 0; k < param->n_items; k++)
        if (!taken[k]) order[n++] = (uint8_t)k;
    return sl_permutation_number(param->n_items, order);
}

static int32_t place_set(const SlParam *param, int64_t value) {
    if (param->role == SL_ROLE_KNOB) return value < param->n ? (int32_t)value : 0;
    for (int32_t v = 0; v < param->n; v++)
        if (param->spreads[v] == value) return v;
    return 0;
}

void sl_choices_place(const SlSpace *space, int n, const SlChoice *choices, int32_t *point) {
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        const SlChoice *choice = NULL;
        for (int k = 0; k < n && !choice; k++)
            if (sl_choice_suits(&choices[k], param)) choice = &choices[k];
        if (!choice)
            point[i] = param->kind == SL_ORDINAL ? param->n - 1 : 0;
        else if (param->kind == SL_ORDINAL)
            point[i] = place_size(param, choice);
        else if (param->kind == SL_PERMUTATION)
            point[i] = place_order(param, choice->value);
        else
            point[i] = place_set(param, choice->value);
    }
}
