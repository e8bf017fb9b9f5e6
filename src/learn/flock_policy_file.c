// flock_policy_file.c - policies as bytes: numbers of the shape, keys of heads, blocks of floats.
//
//   int32   n_heads, n_context, n_trunks, hidden
//   n_heads times: int32 kind, role, level, axis, dim, name
//   float   mean (n_context), deviation (n_context), weights (as many as the shape has)
#include <math.h>
#include <string.h>

#include "flock_inside.h"

static void put_whole(SlText *text, int32_t value) {
    sl_text_put(text, (const char *)&value, sizeof value);
}

static void put_floats(SlText *text, size_t n, const float *values) {
    if (n > 0) sl_text_put(text, (const char *)values, n * sizeof *values);
}

static void put_weights(SlText *text, size_t n, const SlReal *weights) {
    for (size_t i = 0; i < n; i++) {
        float value = (float)weights[i];
        put_floats(text, 1, &value);
    }
}

void sl_flock_policy_write(const SlFlockPolicy *policy, SlText *text) {
    const size_t n_context = (size_t)policy->n_context;
    put_whole(text, policy->n_heads);
    put_whole(text, policy->n_context);
    put_whole(text, policy->n_trunks);
    put_whole(text, policy->hidden);
    if (policy->n_heads == 0) return;
    for (int h = 0; h < policy->n_heads; h++) {
        const SlChoice *key = &policy->heads[h].key;
        put_whole(text, key->kind);
        put_whole(text, key->role);
        put_whole(text, key->level);
        put_whole(text, key->axis);
        put_whole(text, key->dim);
        put_whole(text, (int32_t)key->name);
    }
    put_floats(text, n_context, policy->mean);
    put_floats(text, n_context, policy->deviation);
    put_weights(text, policy->trunks[policy->n_trunks], policy->weights);
}

// ---- reading ----

typedef struct {
    const char *bytes;
    size_t n, at;
    SlArena *arena;
    SlError *err;
} Reader;

static SlStatus short_of(Reader *reader) {
    return sl_fail(reader->err, SL_EINPUT, "the policy ends after %zu bytes", reader->n);
}

// a whole number in lo..hi
static SlStatus get_whole(Reader *reader, const char *what, int lo, int hi, int *out) {
    int32_t value;
    if (reader->n - reader->at < sizeof value) return short_of(reader);
    memcpy(&value, reader->bytes + reader->at, sizeof value);
    reader->at += sizeof value;
    if (value < lo || value > hi)
        return sl_fail(reader->err, SL_EINPUT, "%s of a policy is %d, expected %d..%d", what,
                       (int)value, lo, hi);
    *out = value;
    return SL_OK;
}

// finite floats (n) in the arena
static SlStatus get_floats(Reader *reader, const char *what, size_t n, float **out) {
    if ((reader->n - reader->at) / sizeof **out < n) return short_of(reader);
    *out = SL_NEW(reader->arena, n, float);
    if (!*out) return sl_fail(reader->err, SL_ENOMEM, "not enough memory for a policy");
    if (n > 0) memcpy(*out, reader->bytes + reader->at, n * sizeof **out);
    reader->at += n * sizeof **out;
    for (size_t i = 0; i < n; i++)
        if (!isfinite((*out)[i]) || fabsf((*out)[i]) > 1e6F)
            return sl_fail(reader->err, SL_EINPUT, "%s %zu of a policy is not a usual number", what,
                           i);
    return SL_OK;
}

static SlStatus get_key(Reader *reader, SlChoice *key) {
    static const struct {
        const char *what;
        int lo, hi;
    } parts[] = {{"kind", 0, SL_PERMUTATION}, {"role", 0, SL_ROLE_KNOB},
                 {"level", 0, SL_MAX_LEVELS}, {"axis", 0, SL_MAX_AXES},
                 {"dim", 0, SL_N_DIMS - 1},   {"name", INT32_MIN, INT32_MAX}};
    int v[6] = {0};
    for (int k = 0; k < 6; k++) {
        SlStatus status = get_whole(reader, parts[k].what, parts[k].lo, parts[k].hi, &v[k]);
        if (status != SL_OK) return status;
    }
    *key = (SlChoice){.kind = (int8_t)v[0],
                      .role = (int8_t)v[1],
                      .level = (int8_t)v[2],
                      .axis = (int8_t)v[3],
                      .dim = (int8_t)v[4],
                      .name = (uint32_t)v[5]};
    return SL_OK;
}

static SlStatus get_shape(Reader *reader, SlFlockPolicy *policy) {
    SlStatus status = get_whole(reader, "heads", 0, SL_MAX_PARAMS, &policy->n_heads);
    if (status == SL_OK)
        status = get_whole(reader, "context", 0, SL_FLOCK_MAX_INPUTS, &policy->n_context);
    if (status == SL_OK) status = get_whole(reader, "trunks", 0, SL_MAX_PARAMS, &policy->n_trunks);
    if (status == SL_OK)
        status = get_whole(reader, "hidden", 0, SL_TRUNK_MOST_HIDDEN, &policy->hidden);
    for (int h = 0; h < policy->n_heads && status == SL_OK; h++)
        status = get_key(reader, &policy->heads[h].key);
    if (status == SL_OK && policy->n_heads > 0 && !sl_flock_policy_lay_out(policy))
        status = sl_fail(reader->err, SL_EINPUT, "a policy of %d heads with %d trunks of %d units",
                         policy->n_heads, policy->n_trunks, policy->hidden);
    return status;
}

static SlStatus get_numbers(Reader *reader, SlFlockPolicy *policy) {
    const size_t n_context = (size_t)policy->n_context, n = policy->trunks[policy->n_trunks];
    float *weights = NULL;
    SlStatus status = get_floats(reader, "mean", n_context, &policy->mean);
    if (status == SL_OK) status = get_floats(reader, "deviation", n_context, &policy->deviation);
    for (size_t i = 0; status == SL_OK && i < n_context; i++)
        if (policy->deviation[i] < 1e-3F)
            status = sl_fail(reader->err, SL_EINPUT, "deviation %zu of a policy is below 0.001", i);
    if (status == SL_OK) status = get_floats(reader, "weight", n, &weights);
    if (status != SL_OK || !weights) return status;
    policy->weights = SL_NEW(reader->arena, n, SlReal);
    if (!policy->weights) return sl_fail(reader->err, SL_ENOMEM, "not enough memory for a policy");
    for (size_t i = 0; i < n; i++) policy->weights[i] = (SlReal)weights[i];
    return SL_OK;
}

SlStatus sl_flock_policy_read(const char *bytes, size_t n, size_t *at, SlArena *arena,
                              SlFlockPolicy *policy, SlError *err) {
    Reader reader = {.bytes = bytes, .n = n, .at = *at, .arena = arena, .err = err};
    *policy = (SlFlockPolicy){0};
    if (*at > n) return short_of(&reader);
    SlStatus status = get_shape(&reader, policy);
    if (status == SL_OK && policy->n_heads > 0) status = get_numbers(&reader, policy);
    if (status == SL_OK) *at = reader.at;
    return status;
}
