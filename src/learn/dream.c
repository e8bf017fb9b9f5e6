// dream.c - free search on a belief: dreams, the pool of the better ones, batches of new ones.
#include "dream.h"

#include <math.h>
#include <string.h>

enum { BATCH = SL_DREAM_BATCH };

SlDreams *sl_dreams_make(const SlTask *task, const SlAgents *agents, const SlDreamOptions *options,
                         SlBelief *belief, SlRng *rng, SlArena *arena) {
    SlDreams *dreams = SL_NEW(arena, 1, SlDreams);
    if (!dreams) return NULL;
    *dreams = (SlDreams){.options = *options,
                         .task = task,
                         .space = sl_task_space(task),
                         .agents = agents,
                         .belief = belief,
                         .rng = rng,
                         .n_inputs = sl_flock_n_inputs(task)};
    const size_t width = (size_t)dreams->n_inputs, pool = (size_t)options->pool + 1;
    dreams->seen = sl_keyset_make(1024, arena);
    dreams->pool = SL_NEW(arena, pool, SlDream);
    dreams->pool_rows = SL_NEW(arena, pool * width, float);
    dreams->batch = SL_NEW(arena, BATCH, SlDream);
    dreams->batch_rows = SL_NEW(arena, BATCH * width, float);
    dreams->numbers = SL_NEW(arena, 2 * BATCH, float);
    dreams->best = SL_NEW(arena, dreams->space->n_params, int32_t);
    dreams->chain = SL_NEW(arena, dreams->space->n_params, int32_t);
    return dreams->seen && dreams->pool && dreams->pool_rows && dreams->batch &&
                   dreams->batch_rows && dreams->numbers && dreams->best && dreams->chain
               ? dreams
               : NULL;
}

void sl_dreams_seen(SlDreams *dreams, uint64_t key) {
    sl_keyset_add(dreams->seen, key);
}

void sl_dreams_best(SlDreams *dreams, const int32_t *point) {
    memcpy(dreams->best, point, (size_t)dreams->space->n_params * sizeof *point);
    dreams->any_best = true;
}

// ---- the pool ----

static bool in_pool(const SlDreams *dreams, uint64_t key) {
    for (int i = 0; i < dreams->n_pool; i++)
        if (dreams->pool[i].key == key) return true;
    return false;
}

static bool in_batch(const SlDreams *dreams, int n, uint64_t key) {
    for (int i = 0; i < n; i++)
        if (dreams->batch[i].key == key) return true;
    return false;
}

// a dream of the batch to its place in the pool
static void keep_dream(SlDreams *dreams, int at) {
    const SlDream *dream = &dreams->batch[at];
    size_t width = (size_t)dreams->n_inputs;
    int most = (int)dreams->options.pool, place = dreams->n_pool;
    if (place == most && dream->believe >= dreams->pool[most - 1].believe) return;
    if (in_pool(dreams, dream->key)) return;
    if (place == most) place--;
    dreams->n_pool = place + 1;
    while (place > 0 && dreams->pool[place - 1].believe > dream->believe) {
        dreams->pool[place] = dreams->pool[place - 1];
        memcpy(dreams->pool_rows + (size_t)place * width,
               dreams->pool_rows + (size_t)(place - 1) * width, width * sizeof(float));
        place--;
    }
    dreams->pool[place] = *dream;
    memcpy(dreams->pool_rows + (size_t)place * width, dreams->batch_rows + (size_t)at * width,
           width * sizeof(float));
}

static void believe_batch(SlDreams *dreams, int n) {
    float *guess = dreams->numbers, *believed = dreams->numbers + BATCH;
    for (int i = 0; i < n; i++) guess[i] = dreams->batch[i].guess;
    sl_belief_believe(dreams->belief, n, dreams->batch_rows, guess, believed);
    for (int i = 0; i < n; i++) dreams->batch[i].believe = believed[i];
}

void sl_dreams_judge(SlDreams *dreams, int n) {
    if (n == 0) return;
    sl_belief_guess(dreams->belief, n, dreams->batch_rows, dreams->numbers);
    for (int i = 0; i < n; i++) dreams->batch[i].guess = dreams->numbers[i];
    believe_batch(dreams, n);
    for (int i = 0; i < n; i++)
        if (!sl_keyset_has(dreams->seen, dreams->batch[i].key)) keep_dream(dreams, i);
}

// the key of a point of the batch; false where it is known for free that no program can be made of
// it
static bool view_point(SlDreams *dreams, int at, SlView *view) {
    SlDream *dream = &dreams->batch[at];
    sl_task_view(dreams->task, dream->point, view);
    dream->key = view->key;
    return sl_task_space(dreams->task)->accel || sl_task_check(dreams->task, dream->point, NULL);
}

static void see_point(SlDreams *dreams, int at, const SlView *view) {
    sl_flock_see(dreams->task, dreams->batch[at].point, view,
                 dreams->batch_rows + (size_t)at * (size_t)dreams->n_inputs);
}

bool sl_dreams_see(SlDreams *dreams, int at) {
    SlView view;
    if (!view_point(dreams, at, &view)) return false;
    see_point(dreams, at, &view);
    return true;
}

// the same, where it was neither evaluated nor dreamt of
static bool see_new(SlDreams *dreams, int at) {
    SlView view;
    if (!view_point(dreams, at, &view)) return false;
    if (sl_keyset_has(dreams->seen, view.key) || in_pool(dreams, view.key) ||
        in_batch(dreams, at, view.key))
        return false;
    see_point(dreams, at, &view);
    return true;
}

static int32_t other_value(SlRng *rng, int32_t n, int32_t value) {
    int32_t other = (int32_t)sl_rng_below(rng, (uint64_t)n - 1);
    return other + (other >= value);
}

static int32_t deviate(SlDreams *dreams, const SlParam *param, int32_t value) {
    SlRng *rng = dreams->rng;
    if (param->n < 2) return value;
    bool near = param->kind != SL_CATEGORICAL && sl_rng_uniform(rng) < dreams->options.near;
    if (!near) return other_value(rng, param->n, value);
    if (param->kind == SL_PERMUTATION) {
        uint8_t order[SL_N_DIMS];
        sl_permutation(param->n_items, value, order);
        int i = (int)sl_rng_below(rng, (uint64_t)param->n_items);
        int j = other_value(rng, param->n_items, i);
        uint8_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
        return sl_permutation_number(param->n_items, order);
    }
    int64_t step = sl_rng_range(rng, 1, dreams->options.reach);
    int64_t moved = value + (sl_rng_next(rng) >> 63 ? step : -step);
    return (int32_t)(moved < 0 ? 0 : moved >= param->n ? param->n - 1 : moved);
}

// the policy's turn, now and then
static bool is_taught(SlDreams *dreams) {
    return dreams->policy && sl_rng_uniform(dreams->rng) < dreams->options.taught;
}

static int32_t draw_value(SlDreams *dreams, const int32_t *point, int i) {
    if (is_taught(dreams) && dreams->policy->head[i] >= 0)
        return sl_flock_policy_draw(dreams->policy, point, i, dreams->rng);
    return deviate(dreams, &dreams->space->params[i], point[i]);
}

// some agents deviate from a point
static void deviate_point(SlDreams *dreams, const int32_t *from, int32_t *to) {
    const int n_params = dreams->space->n_params, n_agents = dreams->agents->n_agents;
    memcpy(to, from, (size_t)n_params * sizeof *to);
    do {
        int agent = (int)sl_rng_below(dreams->rng, (uint64_t)n_agents);
        for (int i = 0; i < n_params; i++)
            if (dreams->agents->agent[i] == agent) to[i] = draw_value(dreams, to, i);
    } while (sl_rng_uniform(dreams->rng) < dreams->options.more);
}

// ---- genes (Holland 1975): tournament, uniform crossover, mutation ----

// the better of two of the pool, which has the best first
static const SlDream *choose_parent(SlDreams *dreams) {
    uint64_t one = sl_rng_below(dreams->rng, (uint64_t)dreams->n_pool);
    uint64_t other = sl_rng_below(dreams->rng, (uint64_t)dreams->n_pool);
    return &dreams->pool[one < other ? one : other];
}

// every parameter from either parent; one of them changes, with chance `more` one more
static void cross_points(SlDreams *dreams, int32_t *point) {
    const int n_params = dreams->space->n_params;
    const SlDream *a = choose_parent(dreams), *b = choose_parent(dreams);
    for (int i = 0; i < n_params; i++)
        point[i] = sl_rng_next(dreams->rng) >> 63 ? a->point[i] : b->point[i];
    do {
        int i = (int)sl_rng_below(dreams->rng, (uint64_t)n_params);
        point[i] = draw_value(dreams, point, i);
    } while (sl_rng_uniform(dreams->rng) < dreams->options.more);
}

// ---- rounds ----

static void dream_point(SlDreams *dreams, int32_t *point) {
    SlRng *rng = dreams->rng;
    if (dreams->n_pool == 0 || sl_rng_uniform(rng) < dreams->options.fresh) {
        if (is_taught(dreams))
            sl_flock_policy_fresh(dreams->policy, rng, point);
        else
            sl_space_sample(dreams->space, rng, point);
        return;
    }
    if (dreams->options.way == SL_DREAM_GENES) {
        cross_points(dreams, point);
        return;
    }
    // the better the more often
    double u = sl_rng_uniform(rng);
    int parent = (int)(u * u * dreams->n_pool);
    if (dreams->any_best && sl_rng_below(rng, 4) == 0)
        deviate_point(dreams, dreams->best, point);
    else
        deviate_point(dreams, dreams->pool[parent].point, point);
}

void sl_dreams_round(SlDreams *dreams) {
    int n = 0;
    if (dreams->options.way == SL_DREAM_LOOKUP) return;
    if (dreams->options.way == SL_DREAM_SLOPE) {
        sl_dreams_descend(dreams);
        return;
    }
    for (int tries = 0; tries < 2 * BATCH && n < BATCH; tries++) {
        dream_point(dreams, dreams->batch[n].point);
        n += see_new(dreams, n);
    }
    sl_dreams_judge(dreams, n);
}

void sl_dreams_meet(SlDreams *dreams, int n, const int32_t *points) {
    const size_t bytes = (size_t)dreams->space->n_params * sizeof *points;
    int filled = 0;
    for (int i = 0; i < n; i++) {
        memcpy(dreams->batch[filled].point, points + (ptrdiff_t)i * dreams->space->n_params, bytes);
        filled += see_new(dreams, filled);
        if (filled < BATCH && i + 1 < n) continue;
        sl_dreams_judge(dreams, filled);
        filled = 0;
    }
}

// beliefs of the pool anew; what was evaluated goes
void sl_dreams_rethink(SlDreams *dreams) {
    size_t width = (size_t)dreams->n_inputs;
    int n = dreams->n_pool;
    dreams->n_pool = 0;
    for (int first = 0; first < n; first += BATCH) {
        int count = 0;
        for (int i = first; i < n && i < first + BATCH; i++) {
            if (sl_keyset_has(dreams->seen, dreams->pool[i].key)) continue;
            dreams->batch[count] = dreams->pool[i];
            memcpy(dreams->batch_rows + (size_t)count * width,
                   dreams->pool_rows + (size_t)i * width, width * sizeof(float));
            count++;
        }
        believe_batch(dreams, count);
        for (int i = 0; i < count; i++) keep_dream(dreams, i);
    }
}
