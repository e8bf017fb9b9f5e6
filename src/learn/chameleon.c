// chameleon.c - CHAMELEON: Ahn, Pilligundla, Yazdanbakhsh, Esmaeilzadeh, Chameleon: adaptive code
// optimization for expedited deep neural network compilation (ICLR 2020).
//
// Adaptive exploration: one agent walks the knobs from random points, rewarded by boosted trees
// (squared error); the best distinct points of all walks are the plan. Adaptive sampling: the plan
// is clustered by its two largest knobs, with more and more centres until another step divides the
// loss by less than 2.5, and only the centres are measured; their other knobs are drawn from the
// plan. Follows the published code, whose settings differ from the paper's in two places.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dcoc.h"
#include "starling/approx/kmeans.h"

typedef struct {
    int64_t plan, walkers, steps, episodes;
    int sampling; // 0 off: all of the plan is measured; 1 adaptive
    int others;   // knobs that are not clustered: 0 drawn from the plan, 1 the most frequent
    bool check;
    int sight;
    int64_t stride; // of the number of centres
    double knee;
    int64_t hidden, epochs, minibatch;
    double rate, gamma, lambda, clip, entropy, temperature;
} ChameleonOptions;

typedef struct {
    double score;
    int32_t point[SL_MAX_PARAMS];
} Ranked;

typedef struct {
    SlMethodSetup setup;
    ChameleonOptions o;
    const SlSpace *space;
    SlArena *arena;
    SlRng rng;
    SlKeySet *asked;
    SlTrees *trees;
    SlMappo *mappo;
    int64_t told;
    int32_t *plan; // (plan, n_params)
    int n_plan, at_plan;
} Chameleon;

static void model(void *context, int n, const int32_t *points, double *scores) {
    sl_trees_predict(((Chameleon *)context)->trees, n, points, scores);
}

// ---- making ----

static bool make_agent(Chameleon *c) {
    SlCodesignEnvSetup env = {.task = c->setup.task,
                              .n_envs = (int)c->o.walkers,
                              .episode_steps = (int)c->o.steps,
                              .single = true,
                              .model = model,
                              .context = c};
    SlMappoOptions mappo = {.steps = (int)c->o.steps,
                            .hidden = (int)c->o.hidden,
                            .actor_layers = 2,
                            .critic_layers = 3,
                            .rate = c->o.rate,
                            .gamma = c->o.gamma,
                            .lambda = c->o.lambda,
                            .clip = c->o.clip,
                            .value_weight = 1,
                            .entropy = c->o.entropy,
                            .temperature = c->o.temperature,
                            .epochs = (int)c->o.epochs,
                            .minibatch = (int)c->o.minibatch,
                            .critic = SL_CRITIC_CENTRAL};
    SlEnv *made = sl_codesign_env_make(&env, c->arena);
    if (!made) return false;
    c->mappo = sl_mappo_make(made, &mappo, c->setup.seed, c->setup.stream, c->arena);
    return c->mappo;
}

static void *make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Chameleon *c = SL_NEW(arena, 1, Chameleon);
    if (!c) return NULL;
    *c = (Chameleon){.setup = *setup,
                     .o = *(const ChameleonOptions *)options,
                     .space = sl_task_space(setup->task),
                     .arena = arena};
    SlBoostOptions boost = sl_boost_defaults();
    boost.loss = SL_BOOST_SQUARED;
    boost.rounds = 500;
    SlTreesSetup trees = {.sight = (SlTreeSight)c->o.sight,
                          .boost = boost,
                          .check = c->o.check,
                          .history = setup->history};
    sl_rng_init(&c->rng, setup->seed, setup->stream);
    c->trees = sl_trees_make(setup->task, &trees, setup->budget + c->o.plan, arena);
    // never grows, since scratch of the same arena may lie above it
    c->asked = sl_keyset_make(2 * (size_t)(setup->budget + c->o.plan), arena);
    c->plan = SL_NEW(arena, (size_t)c->o.plan * (size_t)c->space->n_params, int32_t);
    return c->trees && c->asked && c->plan && make_agent(c) ? c : NULL;
}

// ---- adaptive exploration ----

static uint64_t key_of(const Chameleon *c, const int32_t *point) {
    return sl_task_key(c->setup.task, point);
}

static bool wanted(const Chameleon *c, const int32_t *point) {
    if (sl_keyset_has(c->asked, key_of(c, point))) return false;
    return !c->o.check || sl_task_check(c->setup.task, point, NULL);
}

static int better_first(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if (x->score != y->score) return x->score > y->score ? -1 : 1;
    return memcmp(x->point, y->point, sizeof x->point);
}

// the best distinct points of all walks, best first; returns how many, at most `plan`
static int explore(Chameleon *c, Ranked *best) {
    int n_params = c->space->n_params, n = 0, rows;
    int room = (int)(c->o.walkers * c->o.steps * c->o.episodes);
    SlKeySet *seen = sl_keyset_make((size_t)room, c->arena);
    if (!seen) return 0;
    for (int64_t e = 0; e < c->o.episodes; e++) {
        sl_mappo_walk(c->mappo);
        const int32_t *reached = sl_mappo_reached(c->mappo, &rows);
        const double *rewards = sl_mappo_rewards(c->mappo);
        for (ptrdiff_t i = 0; i < rows; i++) {
            const int32_t *point = reached + i * n_params;
            if (!sl_keyset_add(seen, key_of(c, point)) || !wanted(c, point)) continue;
            best[n] = (Ranked){.score = rewards[i]};
            memcpy(best[n++].point, point, (size_t)n_params * sizeof *point);
        }
        sl_mappo_learn(c->mappo, 0);
    }
    qsort(best, (size_t)n, sizeof *best, better_first);
    return n < c->o.plan ? n : (int)c->o.plan;
}

// ---- adaptive sampling ----

// the two knobs with the most values
static void main_knobs(const Chameleon *c, int knobs[2]) {
    knobs[0] = knobs[1] = -1;
    for (int k = 0; k < c->space->n_params; k++) {
        int n = c->space->params[k].n;
        if (knobs[0] < 0 || n > c->space->params[knobs[0]].n) {
            knobs[1] = knobs[0];
            knobs[0] = k;
        } else if (knobs[1] < 0 || n > c->space->params[knobs[1]].n) {
            knobs[1] = k;
        }
    }
    if (knobs[1] < 0) knobs[1] = knobs[0];
}

// centres (n, 2) of the plan, as many as pay off; returns how many
static int centres_of(Chameleon *c, int n, const float *x, float *centres, int *member) {
    double last = INFINITY;
    int found = 0;
    int stride = c->o.stride < n ? (int)c->o.stride : n;
    for (int k = stride; k <= c->o.plan && k <= n; k += stride) {
        double loss = sl_kmeans(n, 2, x, k, &c->rng, c->arena, centres, member);
        if (!(loss >= 0)) return 0;
        found = k;
        if (loss >= last / c->o.knee) break;
        last = loss;
    }
    return found;
}

// the value that most of the plan has; of equally many the smallest
static int32_t frequent(int n, const Ranked *best, int knob) {
    int32_t most = best[0].point[knob];
    int most_often = 0;
    for (int i = 0; i < n; i++) {
        int32_t value = best[i].point[knob];
        int often = 0;
        for (int j = 0; j < n; j++) often += best[j].point[knob] == value;
        if (often < most_often || (often == most_often && value >= most)) continue;
        most = value;
        most_often = often;
    }
    return most;
}

static void propose(Chameleon *c, const int32_t *point) {
    memcpy(c->plan + (ptrdiff_t)c->n_plan++ * c->space->n_params, point,
           (size_t)c->space->n_params * sizeof *point);
    sl_keyset_add(c->asked, key_of(c, point));
}

// one point for a centre; other knobs are drawn again where the point is known already
static void propose_centre(Chameleon *c, int n, const Ranked *best, const int main[2],
                           const float *centre) {
    enum { TRIES = 64 };
    int32_t point[SL_MAX_PARAMS] = {0};
    for (int try = 0; try < TRIES; try++) {
        for (int k = 0; k < c->space->n_params; k++)
            point[k] = c->o.others == 1 && try == 0
                           ? frequent(n, best, k)
                           : best[sl_rng_below(&c->rng, (uint64_t)n)].point[k];
        point[main[0]] = (int32_t)centre[0];
        point[main[1]] = (int32_t)centre[1];
        if (!wanted(c, point)) continue;
        propose(c, point);
        return;
    }
}

static void sample(Chameleon *c, int n, const Ranked *best) {
    int main[2];
    float *x = SL_NEW(c->arena, 2 * (size_t)n, float);
    float *centres = SL_NEW(c->arena, 2 * (size_t)c->o.plan, float);
    int *member = SL_NEW(c->arena, (size_t)n, int);
    if (!x || !centres || !member) return;
    main_knobs(c, main);
    for (int i = 0; i < n; i++) {
        x[2 * i] = (float)best[i].point[main[0]];
        x[2 * i + 1] = (float)best[i].point[main[1]];
    }
    int k = centres_of(c, n, x, centres, member);
    for (int i = 0; i < k; i++) propose_centre(c, n, best, main, centres + 2 * (ptrdiff_t)i);
}

// ---- rounds ----

static void plan_random(Chameleon *c, int64_t want) {
    int32_t point[SL_MAX_PARAMS];
    for (int64_t tries = 0; want > 0 && tries < 20000; tries++) {
        for (int k = 0; k < c->space->n_params; k++)
            point[k] = (int32_t)sl_rng_below(&c->rng, (uint64_t)c->space->params[k].n);
        if (!wanted(c, point)) continue;
        propose(c, point);
        want--;
    }
}

// what chance does not find any more
static void plan_rest(Chameleon *c, int64_t want) {
    enum { SMALL = 1 << 22 };
    int32_t point[SL_MAX_PARAMS];
    if (c->space->n_points == 0 || c->space->n_points > SMALL) return;
    for (int64_t i = 0; i < c->space->n_points && want > 0; i++) {
        sl_space_at(c->space, i, point);
        if (!wanted(c, point)) continue;
        propose(c, point);
        want--;
    }
}

static void plan(Chameleon *c) {
    c->n_plan = c->at_plan = 0;
    if (c->told > 0) sl_trees_fit(c->trees, &c->rng);
    if (sl_trees_fitted(c->trees)) {
        size_t mark = sl_arena_mark(c->arena);
        size_t room = (size_t)(c->o.walkers * c->o.steps * c->o.episodes);
        Ranked *best = SL_NEW(c->arena, room, Ranked);
        int n = best ? explore(c, best) : 0;
        if (n > 0 && c->o.sampling == 1) sample(c, n, best);
        for (int i = 0; i < n && c->o.sampling == 0; i++) propose(c, best[i].point);
        sl_arena_rewind(c->arena, mark);
    }
    if (c->n_plan == 0) plan_random(c, c->o.plan);
    if (c->n_plan == 0) plan_rest(c, c->o.plan);
}

static int ask(void *state, int room, int32_t *points) {
    Chameleon *c = state;
    if (c->at_plan == c->n_plan) plan(c);
    int n = c->n_plan - c->at_plan < room ? c->n_plan - c->at_plan : room;
    memcpy(points, c->plan + (ptrdiff_t)c->at_plan * c->space->n_params,
           (size_t)n * (size_t)c->space->n_params * sizeof *points);
    c->at_plan += n;
    return n;
}

static void tell(void *state, int n, const int32_t *points, const SlSample *measured) {
    Chameleon *c = state;
    sl_trees_tell(c->trees, n, points, measured);
    c->told += n;
    for (ptrdiff_t i = 0; i < n; i++)
        sl_keyset_add(c->asked, key_of(c, points + i * c->space->n_params));
}

// ---- options ----

static const char *const sampling_names[] = {"off", "adaptive", NULL};
static const char *const others_names[] = {"sample", "mode", NULL};

static const SlOption options[] = {
    SL_OPT_WHOLE(ChameleonOptions, "plan", plan, "64", 1, 4096, "N",
                 "points per plan (published: 64)"),
    SL_OPT_WHOLE(ChameleonOptions, "walkers", walkers, "128", 1, 4096, "N",
                 "parallel walks (published: 128)"),
    SL_OPT_WHOLE(ChameleonOptions, "steps", steps, "64", 1, 4096, "N",
                 "steps per walk, at most (published: 500)"),
    SL_OPT_WHOLE(ChameleonOptions, "episodes", episodes, "1", 1, 100, "N",
                 "walks and updates per round (published: 1)"),
    SL_OPT_CHOICE(ChameleonOptions, "sampling", sampling, "adaptive", sampling_names, "FORM",
                  "points measured: adaptive (cluster centres) or off (the whole plan)"),
    SL_OPT_CHOICE(ChameleonOptions, "others", others, "sample", others_names, "FORM",
                  "values of knobs that are not clustered: sample (drawn from the plan) or mode "
                  "(the most frequent)"),
    SL_OPT_FLAG(ChameleonOptions, "check", check, "exclude points that fail the free check",
                .fallback = "false"),
    SL_OPT_CHOICE(
        ChameleonOptions, "sight", sight, "knobs", sl_tree_sight_names, "FORM",
        "inputs of the cost model: knobs, or program (features of the generated program)"),
    SL_OPT_WHOLE(ChameleonOptions, "stride", stride, "8", 1, 4096, "N",
                 "increment of the number of clusters (published: 8)"),
    SL_OPT_REAL(ChameleonOptions, "knee", knee, "2.5", 1, 1e6, "X",
                "smallest gain that justifies more clusters (published: 2.5)"),
    SL_OPT_WHOLE(ChameleonOptions, "hidden", hidden, "20", 1, 1024, "N",
                 "units per hidden layer (published: 20)"),
    SL_OPT_WHOLE(ChameleonOptions, "epochs", epochs, "3", 1, 100, "N",
                 "passes over the samples of a walk (published: 3)"),
    SL_OPT_WHOLE(ChameleonOptions, "minibatch", minibatch, "32", 1, 65536, "N",
                 "minibatch size (published: 32)"),
    SL_OPT_REAL(ChameleonOptions, "rate", rate, "0.001", 0, 1, "X",
                "learning rate (published: 0.001)"),
    SL_OPT_REAL(ChameleonOptions, "gamma", gamma, "0.9", 0, 1, "X",
                "discount factor (published: 0.9)"),
    SL_OPT_REAL(ChameleonOptions, "lambda", lambda, "0.99", 0, 1, "X",
                "GAE parameter lambda (published: 0.99)"),
    SL_OPT_REAL(ChameleonOptions, "clip", clip, "0.2", 0, 10, "X",
                "clipping range of the probability ratio (code: 0.2, paper: 0.3)"),
    SL_OPT_REAL(ChameleonOptions, "entropy", entropy, "0.3", 0, 10, "X",
                "entropy coefficient (code: 0.3, paper: 0.1)"),
    SL_OPT_REAL(ChameleonOptions, "temperature", temperature, "0.1", 1e-6, 1e6, "X",
                "softmax temperature of the logits (code: 0.1)"),
    {0}};

const SlMethod sl_method_chameleon = {
    .name = "chameleon",
    .title = "one agent; measures cluster centres instead of all candidates",
    .source = "Ahn et al., ICLR 2020",
    .options = options,
    .options_bytes = sizeof(ChameleonOptions),
    .thinks = true,
    .make = make,
    .ask = ask,
    .tell = tell,
};
