// memory.c - what a flock hands to the next one.
//
// Examples: features, and scores less their mean in the layer they come from; for the linear model
// the features less their means too, since layers differ in level. Policies: the logits of every
// parameter, taken over by parameters of the same role, level, axis and dim; sizes by their
// relative place in the list, orders only between the same dims. Several layers add up to their
// mean; half of it is believed.
#include "memory.h"

#include <string.h>

enum { MOST_EXAMPLES = 4096, EXAMPLES_OF_ONE = 512, MOST_POLICIES = 1024, EPOCHS = 2 };

typedef struct {
    SlParam param; // sizes are not kept
    int n;
    const SlReal *logits;
} Policy;

struct SlMemory {
    SlExamples examples;
    int n_policies;
    Policy *policies;
};

// rows of the replay, newest last
static int replay_rows(const SlCritic *critic) {
    int64_t n = critic->seen < critic->room ? critic->seen : critic->room;
    return (int)(n < EXAMPLES_OF_ONE ? n : EXAMPLES_OF_ONE);
}

static bool alloc_examples(int n, int width, SlArena *arena, SlExamples *out) {
    *out = (SlExamples){.n = n, .n_features = width};
    out->features = SL_NEW(arena, n * width, float);
    out->centred = SL_NEW(arena, n * width, float);
    out->targets = SL_NEW(arena, n, float);
    return out->features && out->centred && out->targets;
}

// the newest `n` examples of another memory to the front
static void copy_examples(const SlExamples *older, int n, SlExamples *out) {
    int width = out->n_features, skipped = older->n - n;
    size_t bytes = (size_t)n * (size_t)width * sizeof(float);
    memcpy(out->features, older->features + (ptrdiff_t)skipped * width, bytes);
    memcpy(out->centred, older->centred + (ptrdiff_t)skipped * width, bytes);
    memcpy(out->targets, older->targets + skipped, (size_t)n * sizeof(float));
}

// the newest `n` of the replay behind them
static void take_examples(const SlCritic *critic, int n, int behind, SlExamples *out) {
    int width = out->n_features;
    double mean = 0;
    for (int j = 0; j < n; j++) mean += critic->scores[(critic->seen - n + j) % critic->room] / n;
    for (int j = 0; j < n; j++) {
        int64_t row = (critic->seen - n + j) % critic->room;
        memcpy(out->features + (ptrdiff_t)(behind + j) * width, critic->features + row * width,
               (size_t)width * sizeof(float));
        out->targets[behind + j] = (float)(critic->scores[row] - mean);
    }
    for (int f = 0; f < width; f++) {
        double middle = 0;
        const float *column = out->features + (ptrdiff_t)behind * width + f;
        for (int j = 0; j < n; j++) middle += (double)column[(ptrdiff_t)j * width] / n;
        for (int j = 0; j < n; j++)
            out->centred[(ptrdiff_t)(behind + j) * width + f] =
                (float)((double)column[(ptrdiff_t)j * width] - middle);
    }
}

static bool add_examples(const SlCritic *critic, const SlExamples *older, SlArena *arena,
                         SlExamples *out) {
    int width = critic->n_features, own = replay_rows(critic);
    int kept = older && older->n_features == width ? older->n : 0;
    if (kept > MOST_EXAMPLES - own) kept = MOST_EXAMPLES - own;
    if (!alloc_examples(kept + own, width, arena, out)) return false;
    if (kept > 0) copy_examples(older, kept, out);
    take_examples(critic, own, kept, out);
    return true;
}

static bool copy_policy(const SlParam *param, int n, const SlReal *logits, SlArena *arena,
                        Policy *out) {
    SlReal *copy = SL_NEW(arena, n, SlReal);
    if (!copy) return false;
    memcpy(copy, logits, (size_t)n * sizeof *copy);
    *out = (Policy){*param, n, copy};
    out->param.sizes = NULL;
    return true;
}

static bool add_policies(const SlPolicy *policy, const SlMemory *older, SlArena *arena,
                         SlMemory *out) {
    int own = policy->space->n_params, kept = older ? older->n_policies : 0;
    if (kept > MOST_POLICIES - own) kept = MOST_POLICIES - own;
    out->policies = SL_NEW(arena, kept + own, Policy);
    if (!out->policies) return false;
    bool copied = true;
    for (int i = 0; i < kept; i++) {
        const Policy *old = &older->policies[older->n_policies - kept + i];
        copied &= copy_policy(&old->param, old->n, old->logits, arena, &out->policies[i]);
    }
    for (int i = 0; i < own; i++)
        copied &= copy_policy(&policy->space->params[i], policy->first[i + 1] - policy->first[i],
                              policy->logits + policy->first[i], arena, &out->policies[kept + i]);
    out->n_policies = kept + own;
    return copied;
}

SlMemory *sl_memory_make(const SlCritic *critic, const SlPolicy *policy, const SlMemory *older,
                         SlArena *arena) {
    SlMemory *memory = SL_NEW(arena, 1, SlMemory);
    if (!memory) return NULL;
    if (critic) {
        if (!add_examples(critic, older ? &older->examples : NULL, arena, &memory->examples))
            return NULL;
    }
    return add_policies(policy, older, arena, memory) ? memory : NULL;
}

// does what one parameter learnt mean something to another?
static bool akin(const SlParam *a, const SlParam *b) {
    if (a->role != b->role || a->level != b->level || a->axis != b->axis) return false;
    if (a->role == SL_ROLE_KNOB)
        return strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->n > 1 &&
               (a->kind == SL_ORDINAL || a->n == b->n);
    if (a->kind == SL_ORDINAL) return a->dim == b->dim && a->n > 1;
    if (a->kind == SL_CATEGORICAL)
        return a->n == b->n && memcmp(a->spreads, b->spreads, (size_t)a->n) == 0;
    return a->n_items == b->n_items && memcmp(a->items, b->items, (size_t)a->n_items) == 0;
}

// the logit of value v of n in a list of another length
static double stretched(const Policy *policy, int v, int n) {
    double place = n > 1 ? (double)v * (policy->n - 1) / (n - 1) : 0;
    int below = (int)place;
    int above = below + 1 < policy->n ? below + 1 : below;
    double share = place - below;
    return (1 - share) * (double)policy->logits[below] + share * (double)policy->logits[above];
}

static void warm_param(const SlMemory *memory, int i, SlPolicy *policy) {
    int first = policy->first[i], n = policy->first[i + 1] - first, relatives = 0;
    for (int k = 0; k < memory->n_policies; k++)
        relatives += akin(&memory->policies[k].param, &policy->space->params[i]);
    for (int k = 0; k < memory->n_policies; k++) {
        const Policy *other = &memory->policies[k];
        if (!akin(&other->param, &policy->space->params[i])) continue;
        for (int v = 0; v < n; v++)
            policy->logits[first + v] += (SlReal)(0.5 * stretched(other, v, n) / relatives);
    }
}

void sl_memory_warm(const SlMemory *memory, SlCritic *critic, SlPolicy *policy) {
    bool suits = critic && memory->examples.n_features == critic->n_features;
    if (suits && memory->examples.n > 0) sl_critic_warm(critic, &memory->examples, EPOCHS);
    for (int i = 0; i < policy->space->n_params; i++) warm_param(memory, i, policy);
    sl_policy_refresh(policy);
}
