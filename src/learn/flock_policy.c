// flock_policy.c - policies taught before, on one task: what heads see, how they choose.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "flock_inside.h"

enum { SIZE_OUT = 18, SIZE_FIXED = 15, SET_OUT = 10, SIZE_SLOTS = 3, SET_SLOTS = 9 };
static const double NEVER = -1e9; // logit of a value that must not be drawn

// ---- shapes ----

int sl_head_n_out(const SlChoice *key) {
    return key->kind == SL_ORDINAL ? SIZE_OUT : key->kind == SL_CATEGORICAL ? SET_OUT : SL_N_DIMS;
}

int sl_head_n_slots(const SlChoice *key) {
    return key->kind == SL_ORDINAL       ? SIZE_SLOTS
           : key->kind == SL_CATEGORICAL ? SET_SLOTS
                                         : SL_N_DIMS;
}

bool sl_flock_policy_lay_out(SlFlockPolicy *policy) {
    const int n_heads = policy->n_heads, n_trunks = policy->n_trunks;
    if (n_heads > SL_MAX_PARAMS || policy->hidden < 1 || policy->hidden > SL_TRUNK_MOST_HIDDEN ||
        (n_trunks != 1 && n_trunks != n_heads))
        return false;
    policy->n_inputs = policy->n_context + 1;
    for (int h = 0; h < n_heads; h++) {
        policy->heads[h].slot = policy->n_inputs;
        policy->n_inputs += sl_head_n_slots(&policy->heads[h].key);
    }
    size_t at = 0, hidden = (size_t)policy->hidden;
    memset(policy->trunks, 0, sizeof policy->trunks);
    for (int t = 0; t < n_trunks; t++) {
        policy->trunks[t] = at;
        at += ((size_t)policy->n_inputs + 1) * hidden;
        for (int h = 0; h < n_heads; h++) {
            if (n_trunks > 1 && h != t) continue;
            policy->heads[h].trunk = t;
            policy->heads[h].first = at;
            at += (hidden + 1) * (size_t)sl_head_n_out(&policy->heads[h].key);
        }
    }
    policy->trunks[n_trunks] = at;
    return true;
}

// ---- values as numbers ----

static double share_of(const SlParam *param, int32_t value) {
    double most = log((double)param->sizes[param->n - 1] + 1);
    return most > 0 ? log((double)param->sizes[value] + 1) / most : 1;
}

// 1 at the centre, 0 a width away
static float hat(double x, double centre, double width) {
    return (float)fmax(0, 1 - fabs(x - centre) / width);
}

static void size_features(const SlParam *param, int32_t value, float *out) {
    const int64_t size = param->sizes[value], most = param->sizes[param->n - 1];
    double share = share_of(param, value), height = log2((double)size + 1);
    memset(out, 0, SIZE_OUT * sizeof *out);
    *out++ = value == 0;
    *out++ = value == param->n - 1;
    for (int k = 0; k < 5; k++) *out++ = hat(share, k * 0.25, 0.25);
    for (int k = 0; k < 6; k++) *out++ = hat(fmin(height, 11), 1 + 2 * k, 2);
    *out++ = size > 0 && most % size == 0;
    // share of the work in tiles of this size that is not padding
    if (size > 0) *out = (float)((double)most / (double)((most + size - 1) / size * size));
}

static void set_features(const SlParam *param, int32_t value, float *out) {
    memset(out, 0, SET_OUT * sizeof *out);
    if (param->role == SL_ROLE_KNOB) {
        out[value < SET_OUT ? value : SET_OUT - 1] = 1;
        return;
    }
    int set = param->spreads[value], n = 0;
    for (int d = 0; d < SL_N_DIMS; d++) {
        out[d] = (float)(set >> d & 1);
        n += set >> d & 1;
    }
    out[SL_N_DIMS] = n == 0;
    out[SL_N_DIMS + 1] = n > 1;
}

// a size as other heads see it
static void size_slots(const SlParam *param, int32_t value, float *out) {
    out[0] = 1;
    out[1] = (float)(share_of(param, value) - 0.5);
    out[2] = (float)(log2((double)param->sizes[value] + 1) / 8);
}

static void order_slots(const SlParam *param, int32_t value, float *out) {
    uint8_t order[SL_N_DIMS];
    memset(out, 0, SL_N_DIMS * sizeof *out);
    sl_permutation(param->n_items, value, order);
    for (int k = 0; k < param->n_items; k++)
        out[param->items[order[k]]] = (float)((2.0 * k + 1) / param->n_items - 1);
}

// a choice as other heads see it; a set by its features
static void put_slots(const SlBoundPolicy *bound, int i, int32_t value, float *out) {
    const SlParam *param = &bound->space->params[i];
    if (param->kind == SL_ORDINAL)
        memcpy(out, bound->slots[i] + (ptrdiff_t)value * SIZE_SLOTS, SIZE_SLOTS * sizeof *out);
    else if (param->kind == SL_CATEGORICAL)
        memcpy(out, bound->features[i] + (ptrdiff_t)value * SET_OUT, SET_SLOTS * sizeof *out);
    else
        order_slots(param, value, out);
}

// ---- a task ----

static int find_head(const SlFlockPolicy *policy, const SlParam *param) {
    if (param->kind != SL_PERMUTATION && param->n > SL_HEAD_MOST_VALUES) return -1;
    for (int h = 0; h < policy->n_heads; h++)
        if (sl_choice_suits(&policy->heads[h].key, param)) return h;
    return -1;
}

// the tile of the same dim in the nearest level further out
static int find_outer(const SlSpace *space, int i) {
    const SlParam *param = &space->params[i];
    int found = -1;
    if (param->role != SL_ROLE_TILE) return -1;
    for (int k = 0; k < space->n_params; k++) {
        const SlParam *other = &space->params[k];
        if (other->role != SL_ROLE_TILE || other->dim != param->dim) continue;
        if (other->level >= param->level) continue;
        if (found < 0 || other->level > space->params[found].level) found = k;
    }
    return found;
}

static bool bind_sizes(SlBoundPolicy *bound, int i, SlArena *arena) {
    const SlParam *param = &bound->space->params[i];
    bound->features[i] = SL_NEW(arena, param->n * SIZE_OUT, float);
    bound->slots[i] = SL_NEW(arena, param->n * SIZE_SLOTS, float);
    bound->logs[i] = SL_NEW(arena, param->n, float);
    if (!bound->features[i] || !bound->slots[i] || !bound->logs[i]) return false;
    for (int32_t v = 0; v < param->n; v++) {
        size_features(param, v, bound->features[i] + (ptrdiff_t)v * SIZE_OUT);
        size_slots(param, v, bound->slots[i] + (ptrdiff_t)v * SIZE_SLOTS);
        bound->logs[i][v] = (float)log2(fmax((double)param->sizes[v], 0.5));
    }
    return true;
}

static bool bind_values(SlBoundPolicy *bound, int i, SlArena *arena) {
    const SlParam *param = &bound->space->params[i];
    if (param->kind == SL_PERMUTATION) return true;
    if (param->kind == SL_ORDINAL) return bind_sizes(bound, i, arena);
    bound->features[i] = SL_NEW(arena, param->n * SET_OUT, float);
    if (!bound->features[i]) return false;
    for (int32_t v = 0; v < param->n; v++)
        set_features(param, v, bound->features[i] + (ptrdiff_t)v * SET_OUT);
    return true;
}

static void put_context(const SlFlockPolicy *policy, const SlTask *task, float *out) {
    sl_task_context(task, out);
    for (int k = 0; k < policy->n_context; k++) {
        double z = ((double)out[k] - (double)policy->mean[k]) / (double)policy->deviation[k];
        out[k] = (float)fmin(fmax(z, -4), 4);
    }
}

bool sl_flock_policy_bind(const SlFlockPolicy *policy, const SlTask *task, SlArena *arena,
                          SlBoundPolicy *bound) {
    const SlSpace *space = sl_task_space(task);
    assert(policy->n_heads > 0 && policy->n_context == sl_task_n_context(task));
    *bound = (SlBoundPolicy){.policy = policy, .space = space};
    for (int h = 0; h < policy->n_heads; h++) bound->param[h] = -1;
    for (int i = 0; i < space->n_params; i++) {
        int h = find_head(policy, &space->params[i]);
        bound->head[i] = h;
        bound->outer[i] = find_outer(space, i);
        if (h < 0) continue;
        bound->param[h] = i;
        if (!bind_values(bound, i, arena)) return false;
    }
    put_context(policy, task, bound->context);
    return true;
}

void sl_flock_policy_inputs(const SlBoundPolicy *bound, const int32_t *point, float *x) {
    const SlFlockPolicy *policy = bound->policy;
    memset(x, 0, (size_t)policy->n_inputs * sizeof *x);
    memcpy(x, bound->context, (size_t)policy->n_context * sizeof *x);
    x[policy->n_context] = 1;
    for (int h = 0; h < policy->n_heads; h++) {
        int i = bound->param[h];
        if (i >= 0) put_slots(bound, i, point[i], x + policy->heads[h].slot);
    }
}

// ---- forward ----

// Inputs that head h sees: two stretches [from, to).
typedef struct {
    int from[2], to[2];
} Sight;

// of choices: those before it, or all but its own and the input that says so
static Sight sight_of(const SlFlockPolicy *policy, int h, bool all) {
    const SlHead *head = &policy->heads[h];
    Sight sight = {.from = {policy->n_context + !all, head->slot + sl_head_n_slots(&head->key)},
                   .to = {head->slot, policy->n_inputs}};
    if (!all) sight.to[1] = sight.from[1];
    return sight;
}

static void add_inputs(const SlFlockPolicy *policy, int trunk, const float *x, int from, int to,
                       SlReal *hidden) {
    const int n = policy->hidden;
    const SlReal *w = policy->weights + policy->trunks[trunk] + (size_t)from * (size_t)n;
    for (int j = from; j < to; j++, w += n) {
        const SlReal v = x[j];
        if (v == 0) continue;
        for (int u = 0; u < n; u++) hidden[u] += v * w[u];
    }
}

// biases and the context
static void begin_hidden(const SlFlockPolicy *policy, int trunk, const float *x, SlReal *hidden) {
    const size_t n = (size_t)policy->hidden;
    memcpy(hidden, policy->weights + policy->trunks[trunk] + (size_t)policy->n_inputs * n,
           n * sizeof *hidden);
    add_inputs(policy, trunk, x, 0, policy->n_context, hidden);
}

bool sl_flock_policy_settle(SlBoundPolicy *bound, SlArena *arena) {
    const SlFlockPolicy *policy = bound->policy;
    SlReal *base = SL_NEW(arena, policy->n_trunks * policy->hidden, SlReal);
    if (!base) return false;
    for (int t = 0; t < policy->n_trunks; t++)
        begin_hidden(policy, t, bound->context, base + (size_t)t * (size_t)policy->hidden);
    bound->base = base;
    return true;
}

static void find_hidden(const SlBoundPolicy *bound, int h, bool all, const float *x,
                        SlReal *hidden) {
    const SlFlockPolicy *policy = bound->policy;
    const int trunk = policy->heads[h].trunk, n = policy->hidden;
    const Sight sight = sight_of(policy, h, all);
    if (bound->base)
        memcpy(hidden, bound->base + (size_t)trunk * (size_t)n, (size_t)n * sizeof *hidden);
    else
        begin_hidden(policy, trunk, x, hidden);
    for (int k = 0; k < 2; k++) add_inputs(policy, trunk, x, sight.from[k], sight.to[k], hidden);
    for (int u = 0; u < n; u++) hidden[u] = hidden[u] > 0 ? hidden[u] : 0;
}

static void find_coefficients(const SlFlockPolicy *policy, int h, const SlReal *hidden,
                              SlReal *out) {
    const SlHead *head = &policy->heads[h];
    const int n_out = sl_head_n_out(&head->key), n = policy->hidden;
    const SlReal *v = policy->weights + head->first;
    memcpy(out, v + (size_t)n * (size_t)n_out, (size_t)n_out * sizeof *out);
    for (int u = 0; u < n; u++, v += n_out) {
        if (hidden[u] == 0) continue;
        for (int k = 0; k < n_out; k++) out[k] += hidden[u] * v[k];
    }
}

// the features that depend on the tile outside, where it is chosen before or all are
static bool sees_outer(const SlBoundPolicy *bound, int i, bool all) {
    int outer = bound->outer[i];
    if (outer < 0 || bound->head[outer] < 0) return false;
    return all || bound->head[outer] < bound->head[i];
}

static void outer_features(const SlBoundPolicy *bound, const int32_t *point, int i, int32_t value,
                           float *out) {
    int outer = bound->outer[i];
    float off = bound->logs[i][value] - bound->logs[outer][point[outer]];
    off = off < -6 ? -6 : off > 2 ? 2 : off;
    out[0] = off >= 0;
    out[1] = off * 0.25F;
    out[2] = out[1] * out[1];
}

// features (n_out) of a value; `scratch` (SIZE_OUT)
static const float *value_features(const SlBoundPolicy *bound, const int32_t *point, int i,
                                   bool outer, int32_t value, float *scratch) {
    const bool ordinal = bound->space->params[i].kind == SL_ORDINAL;
    const float *fixed = bound->features[i] + (ptrdiff_t)value * (ordinal ? SIZE_OUT : SET_OUT);
    if (!outer) return fixed;
    memcpy(scratch, fixed, SIZE_FIXED * sizeof *scratch);
    outer_features(bound, point, i, value, scratch + SIZE_FIXED);
    return scratch;
}

// logits of all values, or scores of the items of an order; how many
static int find_logits(const SlBoundPolicy *bound, const int32_t *point, int i, bool all,
                       const SlReal *coefficients, double *logits) {
    const SlParam *param = &bound->space->params[i];
    const int n_out = sl_head_n_out(&bound->policy->heads[bound->head[i]].key);
    if (param->kind == SL_PERMUTATION) {
        for (int k = 0; k < param->n_items; k++) logits[k] = (double)coefficients[param->items[k]];
        return param->n_items;
    }
    const bool outer = sees_outer(bound, i, all);
    for (int32_t v = 0; v < param->n; v++) {
        float scratch[SIZE_OUT];
        const float *f = value_features(bound, point, i, outer, v, scratch);
        SlReal sum = 0;
        for (int k = 0; k < n_out; k++) sum += f[k] * coefficients[k];
        logits[v] = (double)sum;
    }
    return param->n;
}

// ---- choices ----

double sl_flock_policy_logp(const SlBoundPolicy *bound, const int32_t *point, const float *x, int i,
                            bool all) {
    const SlParam *param = &bound->space->params[i];
    SlReal hidden[SL_TRUNK_MOST_HIDDEN], coefficients[SL_HEAD_MOST_OUT];
    double logits[SL_HEAD_MOST_VALUES];
    find_hidden(bound, bound->head[i], all, x, hidden);
    find_coefficients(bound->policy, bound->head[i], hidden, coefficients);
    int n = find_logits(bound, point, i, all, coefficients, logits);
    if (param->kind != SL_PERMUTATION) return sl_categorical_logp(n, logits, point[i]);
    uint8_t order[SL_N_DIMS];
    sl_permutation(n, point[i], order);
    return sl_plackett_logp(n, logits, order);
}

// a value of parameter i by its head, not `but` where there is another; but < 0 = any
static int32_t draw_value(const SlBoundPolicy *bound, const int32_t *point, const float *x, int i,
                          int32_t but, SlRng *rng) {
    const SlParam *param = &bound->space->params[i];
    const bool all = but >= 0;
    SlReal hidden[SL_TRUNK_MOST_HIDDEN], coefficients[SL_HEAD_MOST_OUT];
    double logits[SL_HEAD_MOST_VALUES];
    find_hidden(bound, bound->head[i], all, x, hidden);
    find_coefficients(bound->policy, bound->head[i], hidden, coefficients);
    int n = find_logits(bound, point, i, all, coefficients, logits);
    if (param->kind != SL_PERMUTATION) {
        if (all) logits[but] = NEVER;
        return (int32_t)sl_categorical_sample(n, logits, rng);
    }
    int32_t value = but;
    for (int tries = 0; tries < 8 && value == but; tries++) {
        uint8_t order[SL_N_DIMS];
        sl_plackett_sample(n, logits, rng, order);
        value = sl_permutation_number(n, order);
    }
    return value;
}

void sl_flock_policy_fresh(const SlBoundPolicy *bound, SlRng *rng, int32_t *point) {
    const SlFlockPolicy *policy = bound->policy;
    float x[SL_FLOCK_MAX_INPUTS + SL_MAX_PARAMS * SET_SLOTS + 1];
    sl_space_sample(bound->space, rng, point);
    memset(x, 0, (size_t)policy->n_inputs * sizeof *x);
    memcpy(x, bound->context, (size_t)policy->n_context * sizeof *x);
    for (int h = 0; h < policy->n_heads; h++) {
        int i = bound->param[h];
        if (i < 0) continue;
        if (bound->space->params[i].n > 1) point[i] = draw_value(bound, point, x, i, -1, rng);
        put_slots(bound, i, point[i], x + policy->heads[h].slot);
    }
}

int32_t sl_flock_policy_draw(const SlBoundPolicy *bound, const int32_t *point, int i, SlRng *rng) {
    float x[SL_FLOCK_MAX_INPUTS + SL_MAX_PARAMS * SET_SLOTS + 1];
    if (bound->space->params[i].n < 2) return point[i];
    sl_flock_policy_inputs(bound, point, x);
    return draw_value(bound, point, x, i, point[i], rng);
}

// ---- gradient ----

// scale * gradient of the log-probability by the coefficients
static double coefficient_gradient(const SlBoundPolicy *bound, const int32_t *point, int i,
                                   bool all, double scale, const SlReal *coefficients,
                                   SlReal *grad) {
    const SlParam *param = &bound->space->params[i];
    const int n_out = sl_head_n_out(&bound->policy->heads[bound->head[i]].key);
    const bool outer = sees_outer(bound, i, all);
    double logits[SL_HEAD_MOST_VALUES], by_logit[SL_HEAD_MOST_VALUES];
    int n = find_logits(bound, point, i, all, coefficients, logits);
    memset(by_logit, 0, (size_t)n * sizeof *by_logit);
    memset(grad, 0, (size_t)n_out * sizeof *grad);
    if (param->kind == SL_PERMUTATION) {
        uint8_t order[SL_N_DIMS];
        sl_permutation(n, point[i], order);
        sl_plackett_logp_grad(n, logits, order, scale, by_logit);
        for (int k = 0; k < n; k++) grad[param->items[k]] += (SlReal)by_logit[k];
        return sl_plackett_logp(n, logits, order);
    }
    sl_categorical_logp_grad(n, logits, point[i], scale, by_logit);
    for (int32_t v = 0; v < n; v++) {
        float scratch[SIZE_OUT];
        const float *f = value_features(bound, point, i, outer, v, scratch);
        for (int k = 0; k < n_out; k++) grad[k] += (SlReal)by_logit[v] * f[k];
    }
    return sl_categorical_logp(n, logits, point[i]);
}

// gradient by V and c, and by the hidden units (zero where they are off)
static void head_gradient(const SlFlockPolicy *policy, int h, const SlReal *hidden,
                          const SlReal *by_out, SlReal *by_hidden, SlReal *grad) {
    const SlHead *head = &policy->heads[h];
    const int n_out = sl_head_n_out(&head->key), n = policy->hidden;
    const SlReal *v = policy->weights + head->first;
    SlReal *g = grad + (head->first - policy->trunks[head->trunk]);
    for (int u = 0; u < n; u++, v += n_out, g += n_out) {
        by_hidden[u] = 0;
        if (hidden[u] == 0) continue;
        for (int k = 0; k < n_out; k++) {
            by_hidden[u] += by_out[k] * v[k];
            g[k] += by_out[k] * hidden[u];
        }
    }
    for (int k = 0; k < n_out; k++) g[k] += by_out[k];
}

static void input_gradient(const SlFlockPolicy *policy, const float *x, int from, int to,
                           const SlReal *by_hidden, SlReal *grad) {
    const int n = policy->hidden;
    SlReal *g = grad + (size_t)from * (size_t)n;
    for (int j = from; j < to; j++, g += n) {
        const SlReal v = x[j];
        if (v == 0) continue;
        for (int u = 0; u < n; u++) g[u] += v * by_hidden[u];
    }
}

double sl_flock_policy_gradient(const SlBoundPolicy *bound, const int32_t *point, const float *x,
                                int i, bool all, double scale, SlReal *grad) {
    const SlFlockPolicy *policy = bound->policy;
    const int h = bound->head[i], n = policy->hidden;
    SlReal hidden[SL_TRUNK_MOST_HIDDEN], by_hidden[SL_TRUNK_MOST_HIDDEN];
    SlReal coefficients[SL_HEAD_MOST_OUT], by_out[SL_HEAD_MOST_OUT];
    find_hidden(bound, h, all, x, hidden);
    find_coefficients(policy, h, hidden, coefficients);
    double logp = coefficient_gradient(bound, point, i, all, scale, coefficients, by_out);
    head_gradient(policy, h, hidden, by_out, by_hidden, grad);
    const Sight sight = sight_of(policy, h, all);
    input_gradient(policy, x, 0, policy->n_context, by_hidden, grad);
    for (int k = 0; k < 2; k++)
        input_gradient(policy, x, sight.from[k], sight.to[k], by_hidden, grad);
    SlReal *biases = grad + (size_t)policy->n_inputs * (size_t)n;
    for (int u = 0; u < n; u++) biases[u] += by_hidden[u];
    return logp;
}
