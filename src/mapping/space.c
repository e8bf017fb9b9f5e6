// space.c - the parameters of a layer on an accelerator.
#include "space_inside.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const sl_space_names[SL_N_SPACES + 1] = {"native", "all", "paper", "paper10", NULL};

SlParam *sl_draft_param(SlSpaceDraft *draft, SlParamRole role, int level, const char *name) {
    SlSpace *space = draft->space;
    if (space->n_params == SL_MAX_PARAMS) {
        draft->failed = true;
        return NULL;
    }
    SlParam *param = &space->params[space->n_params++];
    *param = (SlParam){.role = role, .level = level, .n = 1};
    param->kind = role == SL_ROLE_ORDER      ? SL_PERMUTATION
                  : role == SL_ROLE_PARALLEL ? SL_CATEGORICAL
                                             : SL_ORDINAL;
    snprintf(param->name, sizeof param->name, "%s", name);
    return param;
}

void sl_draft_tile(SlSpaceDraft *draft, int level, int dim, const char *name, int n,
                   const int64_t *sizes) {
    SlParam *param = sl_draft_param(draft, SL_ROLE_TILE, level, name);
    if (!param) return;
    param->dim = dim;
    param->n = n;
    param->sizes = sizes;
}

void sl_draft_order(SlSpaceDraft *draft, int level, uint8_t dims, const char *name) {
    SlParam *param = sl_draft_param(draft, SL_ROLE_ORDER, level, name);
    if (!param) return;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (dims & SL_BIT(d)) param->items[param->n_items++] = (uint8_t)d;
    param->n = sl_factorial(param->n_items);
}

// which dims have tiles, which are steps outside of everything
static void choose_dims(SlSpace *space, uint8_t open) {
    const SlLayer *layer = space->layer;
    space->dims =
        (uint8_t)(SL_BIT(sl_channel_dim(layer)) | SL_BIT(SL_C) | SL_BIT(sl_row_dim(layer)) |
                  SL_BIT(SL_Q) | SL_BIT(SL_R) | SL_BIT(SL_S) | open);
    space->outermost = 0;
    for (int d = 0; d < SL_N_DIMS; d++)
        if (layer->dims[d] > 1 && !(space->dims & SL_BIT(d))) space->outermost |= SL_BIT(d);
}

// MAESTRO doubles every tile; the capacity of an overlapped level is that of one half
static bool counts_twice(const SlSpace *space, int level) {
    SlBuffering buffering = space->accel->levels[level].buffering;
    return space->maestro ? buffering != SL_BUFFER_OVERLAPPED : buffering == SL_BUFFER_DOUBLE;
}

static void keep_words(SlSpace *space) {
    const SlAccel *accel = space->accel;
    for (int l = 1; l < accel->n_levels; l++) {
        bool doubled = counts_twice(space, l);
        for (int t = 0; t < SL_N_TENSORS; t++) {
            double bytes = sl_word_bytes(space->layer, accel, (SlTensor)t);
            // MAESTRO's words are the machine's; what fits must fit the native model too
            if (space->maestro) bytes = fmax(bytes, accel->word_bytes[t]);
            if (accel->levels[l].keep >> t & 1)
                space->word_bytes[l][t] = doubled ? 2 * bytes : bytes;
        }
    }
    for (int g = 0; g < 2; g++) {
        space->stride[g] = space->layer->stride[g];
        space->dilation[g] = space->layer->dilation[g];
        sl_window_reduce(&space->stride[g], &space->dilation[g]);
    }
}

// what decoding looks up
static void index_params(SlSpace *space) {
    memset(space->tile_param, -1, sizeof space->tile_param);
    space->log10_size = 0;
    for (int i = 0; i < space->n_params + space->n_derived; i++) {
        const SlParam *param = &space->params[i];
        if (param->role == SL_ROLE_TILE) space->tile_param[param->level][param->dim] = (int16_t)i;
        if (i < space->n_params) space->log10_size += log10(param->n);
    }
    space->n_points = sl_space_count(space);
}

// a nest has 40 loops at most: could a point need more?
static bool too_many_loops(const SlSpace *space) {
    int n = 0, last = space->accel->n_levels - 1;
    for (int d = 0; d < SL_N_DIMS; d++) {
        if (space->outermost & SL_BIT(d)) n++;
        if (space->dims & SL_BIT(d) && space->layer->dims[d] > 1) n += 1 + (last > 0);
    }
    for (int i = 0; i < space->n_params; i++) {
        const SlParam *param = &space->params[i];
        int most = 0; // dims of one axis
        for (int v = 0; param->role == SL_ROLE_PARALLEL && v < param->n; v++)
            if (most < __builtin_popcount(param->spreads[v]))
                most = __builtin_popcount(param->spreads[v]);
        n += most;
        if (param->role == SL_ROLE_TILE && param->level < last && param->n > 1) n++;
    }
    return n > SL_MAX_LOOPS;
}

static bool maestro_fits(const SlSpace *space, const SlScheme *scheme, int level,
                         SlViolation *why) {
    double have = (double)space->accel->levels[level].capacity_bytes;
    *why = (SlViolation){.rule = SL_RULE_CAPACITY, .level = level, .have = have};
    why->doubled = counts_twice(space, level);
    why->need = sl_scheme_maestro_bytes(space, scheme, level, why->bytes);
    return have == 0 || why->need <= have;
}

// does the smallest scheme fit? `why` gets the first level that is too small
static bool smallest_fits(const SlSpace *space, SlViolation *why) {
    SlScheme scheme;
    sl_scheme_smallest(space, &scheme);
    for (int l = 1; l < space->accel->n_levels; l++) {
        int64_t words[SL_N_TENSORS];
        sl_tile_words(space->layer, scheme.tile[l], words);
        if (!sl_level_fits(space->layer, space->accel, l, space->accel->levels[l].keep, words, why))
            return false;
        if (space->maestro && !maestro_fits(space, &scheme, l, why)) return false;
    }
    return true;
}

static SlStatus build(SlSpaceDraft *draft, SlError *err) {
    SlSpace *space = draft->space;
    const SlSpaceOptions *options = draft->options;
    space->n_params = space->n_derived = 0;
    choose_dims(space, draft->open);
    SlStatus status = sl_space_is_native(options->preset) ? sl_space_native(draft, err)
                                                          : sl_space_paper(draft, err);
    if (status == SL_OK && draft->failed)
        status = sl_fail(err, SL_ENOMEM, "no memory for the parameters of a mapping");
    if (status == SL_OK && options->constraints)
        status = sl_space_constrain(options->constraints, draft->arena, space, err);
    if (status == SL_OK && space->n_derived > 0) sl_space_settle(space);
    if (status == SL_OK) index_params(space);
    return status;
}

SlStatus sl_space_make(const SlLayer *layer, const SlAccel *accel, const SlSpaceOptions *options,
                       SlArena *arena, SlSpace *space, SlError *err) {
    assert(!sl_layer_check(layer) && !sl_accel_check(accel));
    *space = (SlSpace){.layer = layer, .accel = accel, .preset = options->preset};
    space->constrained = options->constraints != NULL;
    space->maestro = options->maestro;
    space->params = SL_NEW(arena, SL_MAX_PARAMS, SlParam);
    if (!space->params) return sl_fail(err, SL_ENOMEM, "no memory for the parameters of a mapping");
    keep_words(space);

    SlSpaceDraft draft = {space, arena, options, options->open, false};
    if (options->constraints && sl_space_is_native(options->preset))
        draft.open |= sl_constraints_open(options->constraints, layer, accel);
    SlStatus status = build(&draft, err);
    if (status != SL_OK) return status;
    SlViolation why;
    if (!smallest_fits(space, &why)) {
        // whole filters do not fit everywhere: cut them too
        draft.open |= SL_BIT(SL_R) | SL_BIT(SL_S);
        status = build(&draft, err);
        if (status != SL_OK) return status;
    }
    if (!smallest_fits(space, &why)) {
        char text[256];
        sl_violation_text(accel, &why, sizeof text, text);
        return sl_fail(err, SL_EINPUT, "%s even for the smallest tile%s%s", text,
                       options->constraints ? " that the constraints allow: " : "",
                       options->constraints ? options->constraints->name : "");
    }
    if (too_many_loops(space))
        return sl_fail(err, SL_EINPUT,
                       "%s has %d storage levels: tiles for so many dims at each of them need more "
                       "than %d loops; open fewer dims",
                       accel->name, accel->n_levels, SL_MAX_LOOPS);
    return SL_OK;
}

bool sl_space_mapping(const SlSpace *space, const int32_t *point, bool repair, SlMapping *mapping) {
    SlScheme scheme;
    sl_space_decode(space, point, &scheme);
    bool fits = sl_scheme_fits(space, &scheme);
    if (fits || repair) sl_scheme_repair(space, &scheme);
    sl_scheme_mapping(space, &scheme, mapping);
    return fits || repair;
}
