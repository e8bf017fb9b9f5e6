// space_knobs.c - spaces that make no mappings: knobs with values of their own, points as numbers
// and as texts.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "space_inside.h"

const char *const sl_profession_names[SL_N_PROFESSIONS + 1] = {"hardware", "scheduling", "mapping",
                                                               NULL};

SlProfession sl_param_profession(const SlParam *param) {
    switch (param->role) {
    case SL_ROLE_KNOB:
        return param->profession;
    case SL_ROLE_ORDER:
        return SL_AGENT_SCHEDULING;
    case SL_ROLE_TILE:
        return SL_AGENT_MAPPING;
    default:
        return SL_AGENT_HARDWARE;
    }
}

// --- building

void sl_space_open(SlSpace *space, const SlLayer *layer, SlArena *arena) {
    *space = (SlSpace){.layer = layer, .params = SL_NEW(arena, SL_MAX_PARAMS, SlParam)};
    memset(space->tile_param, -1, sizeof space->tile_param);
}

SlParam *sl_space_add(SlSpace *space, const char *name, SlProfession profession) {
    if (!space->params || space->n_params == SL_MAX_PARAMS) {
        space->params = NULL; // sl_space_close tells
        return NULL;
    }
    SlParam *param = &space->params[space->n_params++];
    *param = (SlParam){.role = SL_ROLE_KNOB, .profession = profession};
    snprintf(param->name, sizeof param->name, "%s", name);
    return param;
}

void sl_space_add_sizes(SlSpace *space, const char *name, SlProfession profession, int n,
                        const int32_t *values, SlArena *arena) {
    SlParam *param = sl_space_add(space, name, profession);
    int64_t *sizes = SL_NEW(arena, n, int64_t);
    if (!param || !sizes) {
        space->params = NULL;
        return;
    }
    for (int i = 0; i < n; i++) sizes[i] = values[i];
    param->kind = SL_ORDINAL;
    param->n = n;
    param->sizes = sizes;
}

int64_t sl_space_count(const SlSpace *space) {
    const int64_t most = INT64_C(1) << 62;
    int64_t n = 1;
    for (int i = 0; i < space->n_params; i++) {
        if (space->params[i].n > most / n) return 0;
        n *= space->params[i].n;
    }
    return n < most ? n : 0;
}

bool sl_space_close(SlSpace *space) {
    if (!space->params) return false;
    for (int i = 0; i < space->n_params; i++) space->log10_size += log10(space->params[i].n);
    space->n_points = sl_space_count(space);
    return true;
}

// --- points as numbers

int64_t sl_space_index(const SlSpace *space, const int32_t *point) {
    int64_t index = 0;
    for (int i = 0; i < space->n_params; i++) index = index * space->params[i].n + point[i];
    return index;
}

void sl_space_at(const SlSpace *space, int64_t index, int32_t *point) {
    for (int i = space->n_params - 1; i >= 0; i--) {
        point[i] = (int32_t)(index % space->params[i].n);
        index /= space->params[i].n;
    }
}

// --- points as texts

void sl_knob_text(const SlParam *param, int32_t value, size_t n, char *out) {
    if (param->kind == SL_PERMUTATION) {
        uint8_t order[SL_N_DIMS];
        size_t used = 0;
        sl_permutation(param->n_items, value, order);
        for (int i = 0; i < param->n_items && used < n; i++)
            used +=
                (size_t)snprintf(out + used, n - used, i ? ">%s" : "%s", param->labels[order[i]]);
    } else if (param->labels) {
        snprintf(out, n, "%s", param->labels[value]);
    } else {
        snprintf(out, n, "%lld", (long long)param->sizes[value]);
    }
}

const char *sl_space_show(const SlSpace *space, const int32_t *point, size_t n, char *out) {
    char value[256];
    size_t at = 0;
    if (n) out[0] = 0;
    for (int i = 0; i < space->n_params && at < n; i++) {
        const SlParam *param = &space->params[i];
        at += (size_t)snprintf(out + at, n - at, "%s%s=%s", i ? " " : "", param->name,
                               sl_param_text(param, point[i], sizeof value, value));
    }
    return out;
}

static int param_named(const SlSpace *space, const char *name, size_t n) {
    for (int i = 0; i < space->n_params; i++)
        if (strlen(space->params[i].name) == n && !memcmp(space->params[i].name, name, n)) return i;
    return -1;
}

// the value whose text this is, -1 = none
static int32_t value_of(const SlParam *param, const char *text, size_t n) {
    char value[256];
    for (int32_t v = 0; v < param->n; v++) {
        sl_param_text(param, v, sizeof value, value);
        if (strlen(value) == n && !memcmp(value, text, n)) return v;
    }
    return -1;
}

SlStatus sl_space_parse(const SlSpace *space, const char *text, int32_t *point, SlError *err) {
    bool seen[SL_MAX_PARAMS] = {0};
    const char *at = text + strspn(text, " ");
    while (*at) {
        size_t n = strcspn(at, "= ");
        int i = at[n] == '=' ? param_named(space, at, n) : -1;
        if (i < 0 || seen[i])
            return sl_fail(err, SL_EINPUT, "expected parameter=value, each once, got '%.*s'",
                           (int)strcspn(at, " "), at);
        at += n + 1;
        n = strcspn(at, " ");
        point[i] = value_of(&space->params[i], at, n);
        if (point[i] < 0)
            return sl_fail(err, SL_EINPUT, "%s has no value '%.*s'", space->params[i].name, (int)n,
                           at);
        seen[i] = true;
        at += n + strspn(at + n, " ");
    }
    for (int i = 0; i < space->n_params; i++)
        if (!seen[i]) return sl_fail(err, SL_EINPUT, "no value of %s", space->params[i].name);
    return SL_OK;
}
