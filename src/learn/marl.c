// marl.c - a flock of agents, one per parameter or group of parameters, that deviate from the best
// mapping so far; a central critic screens what they propose together.
//
// Per sample t: every agent keeps the incumbent's values with probability k(t), else draws from its
// policy; the nest is made to fit, and drawn again if it was evaluated before. With the critic, of
// many such candidates the one with the lowest guess is evaluated. Every few samples the policies
// take a PPO step: the reward is the rank in the batch, shared by all; only agents that drew learn
// from a sample. After a while without improvement incumbent and policies start afresh; critic,
// replay and what was seen stay. Details and measurements: docs/methods/marl.md.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "learn_inside.h"
#include "marl_options.h"
#include "memory.h"
#include "starling/task/env.h"

enum { REPLAY_ROOM = 32768 };

// A proposal: where it stands, who drew, and what it becomes.
typedef struct {
    int32_t point[SL_MAX_PARAMS];
    uint64_t drew[2];
    SlView view;
} Proposal;

typedef struct {
    SlMethodSetup setup;
    const SlTask *task;
    const SlSpace *space;
    SlMarlOptions options;
    SlAgents agents;
    SlRng rng;
    SlPolicy policy;
    SlCritic *critic; // NULL = off
    SlKeySet *seen;
    int64_t samples; // told
    int64_t valued;  // of them, that had a value

    bool has_incumbent;
    Proposal incumbent; // nobody drew
    double incumbent_score;
    int64_t improved; // sample of the last improvement, or of the last fresh start

    Proposal pending;     // awaits its outcome
    Proposal *candidates; // (SL_CRITIC_ROWS)
    float *features;      // (SL_CRITIC_ROWS, n_features)

    int n_batch;
    Proposal *batch;          // (options.batch) what was evaluated since the last step
    SlSample *batch_outcomes; // (options.batch)
} Marl;

static bool wants_critic(const SlMethodSetup *setup, const SlMarlOptions *options) {
    if (options->critic != SL_CRITIC_AUTO) return options->critic == SL_CRITIC_ON;
    return sl_task_kind(setup->task)->us > SL_CRITIC_AUTO_US ||
           setup->budget <= SL_CRITIC_AUTO_SAMPLES;
}

static bool make_critic(Marl *marl, SlArena *arena) {
    const SlMarlOptions *options = &marl->options;
    int n_features = sl_task_n_features(marl->task);
    int64_t room = marl->setup.budget + 64 < REPLAY_ROOM ? marl->setup.budget + 64 : REPLAY_ROOM;
    SlCriticOptions critic = {.sight = (SlCriticSight)options->sight,
                              .rate = options->critic_rate,
                              .decay = options->critic_decay,
                              .hidden = options->critic_hidden};
    SlRng rng;
    sl_rng_init(&rng, marl->setup.seed ^ sl_rng_next(&marl->rng), "critic");
    marl->critic = sl_critic_make(marl->task, &critic, room, rng, arena);
    marl->features = SL_NEW(arena, SL_CRITIC_ROWS * n_features, float);
    marl->candidates = SL_NEW(arena, SL_CRITIC_ROWS, Proposal);
    return marl->critic && marl->features && marl->candidates;
}

static void *marl_make(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    Marl *marl = SL_NEW(arena, 1, Marl);
    if (!marl) return NULL;
    marl->setup = *setup;
    marl->task = setup->task;
    marl->space = sl_task_space(setup->task);
    marl->options = *(const SlMarlOptions *)options;
    marl->agents = *setup->agents;
    sl_rng_init(&marl->rng, setup->seed, setup->stream);
    SlPolicyOptions policy = {.rate = marl->options.rate,
                              .clip = marl->options.clip,
                              .entropy = marl->options.entropy,
                              .kernel = marl->options.kernel,
                              .epochs = marl->options.epochs};
    if (!sl_policy_make(marl->space, setup->agents, &policy, arena, &marl->policy)) return NULL;
    if (wants_critic(setup, &marl->options) && !make_critic(marl, arena)) return NULL;
    if (setup->memory) sl_memory_warm(setup->memory, marl->critic, &marl->policy);
    int64_t expected = setup->budget < REPLAY_ROOM ? setup->budget : REPLAY_ROOM;
    marl->seen = sl_keyset_make((size_t)expected, arena);
    marl->batch = SL_NEW(arena, marl->options.batch, Proposal);
    marl->batch_outcomes = SL_NEW(arena, marl->options.batch, SlSample);
    return marl->seen && marl->batch && marl->batch_outcomes ? marl : NULL;
}

// --- proposing

static double keep_chance(const Marl *marl) {
    const SlMarlOptions *options = &marl->options;
    if (!marl->has_incumbent) return 0;
    if (!marl->critic) return options->keep;
    double decay = exp(-(double)(marl->samples + 1) / options->keep_samples);
    return options->keep_end + (options->keep - options->keep_end) * decay;
}

// a few steps from the incumbent's size
static int32_t step_from(Marl *marl, const SlParam *param, int32_t value) {
    int32_t step = 1 + (int32_t)sl_rng_below(&marl->rng, (uint64_t)marl->options.reach);
    if (sl_rng_next(&marl->rng) >> 63) step = -step;
    value += step;
    return value < 0 ? 0 : value >= param->n ? param->n - 1 : value;
}

static int32_t draw_value(Marl *marl, const int32_t *base, int i) {
    const SlParam *param = &marl->space->params[i];
    bool steps = base && param->kind == SL_ORDINAL && marl->options.near > 0;
    if (steps && sl_rng_uniform(&marl->rng) < marl->options.near)
        return step_from(marl, param, base[i]);
    return sl_policy_draw(&marl->policy, i, &marl->rng);
}

// who draws: at least one agent
static void choose_agents(Marl *marl, double keep, uint64_t drew[2]) {
    drew[0] = drew[1] = 0;
    while (!(drew[0] | drew[1])) {
        for (int a = 0; a < marl->agents.n_agents; a++)
            if (keep <= 0 || sl_rng_uniform(&marl->rng) >= keep)
                drew[a / 64] |= UINT64_C(1) << (a % 64);
        if (keep >= 1) {
            int a = (int)sl_rng_below(&marl->rng, (uint64_t)marl->agents.n_agents);
            drew[a / 64] |= UINT64_C(1) << (a % 64);
        }
    }
}

// a deviation from `base`, from nothing if that is NULL
static void propose_once(Marl *marl, const Proposal *base, Proposal *out) {
    const SlSpace *space = marl->space;
    choose_agents(marl, base ? keep_chance(marl) : 0, out->drew);
    for (int i = 0; i < space->n_params; i++) {
        int a = marl->agents.agent[i];
        bool draws = !base || (out->drew[a / 64] >> (a % 64) & 1);
        out->point[i] = draws ? draw_value(marl, base ? base->point : NULL, i) : base->point[i];
    }
    if (base)
        for (int w = 0; w < 2; w++) out->drew[w] |= base->drew[w];
    sl_task_view(marl->task, out->point, &out->view);
}

// programs that cannot run are known for free; mappings are repaired
static bool worth_asking(const Marl *marl, const Proposal *proposal) {
    if (sl_keyset_has(marl->seen, proposal->view.key)) return false;
    return sl_task_kind(marl->task)->maps || sl_task_check(marl->task, proposal->point, NULL);
}

// a point that was not evaluated before and passes the check, unless there seem to be none
static void propose(Marl *marl, const Proposal *base, Proposal *out) {
    for (int64_t i = 0; i <= marl->options.redraws; i++) {
        propose_once(marl, base, out);
        if (worth_asking(marl, out)) return;
    }
}

// many rounds while every sample counts, fewer when time does
static int64_t rounds_now(const Marl *marl) {
    double more = (double)(marl->options.rounds - 1);
    return 1 + (int64_t)(more * exp(-(double)marl->samples / marl->options.rounds_samples) + 0.5);
}

// the best guess of several rounds of candidates, each round deviating from the best so far
static void propose_screened(Marl *marl, Proposal *out) {
    int n = (int)marl->options.candidates, n_features = marl->critic->n_features;
    double guesses[SL_CRITIC_ROWS], least = INFINITY;
    Proposal *candidates = marl->candidates;
    const Proposal *base = marl->has_incumbent ? &marl->incumbent : NULL;
    for (int64_t left = rounds_now(marl); left > 0; left--) {
        for (int j = 0; j < n; j++) {
            propose(marl, base, &candidates[j]);
            sl_task_features(marl->task, candidates[j].point, &candidates[j].view,
                             marl->features + (ptrdiff_t)j * n_features);
        }
        sl_critic_guess(marl->critic, n, marl->features, marl->options.optimism, guesses);
        int best = 0;
        for (int j = 1; j < n; j++)
            if (guesses[j] < guesses[best]) best = j;
        if (guesses[best] >= least) continue;
        least = guesses[best];
        *out = candidates[best];
        base = out;
    }
}

static int marl_ask(void *state, int room, int32_t *points) {
    Marl *marl = state;
    (void)room; // one at a time: the next proposal depends on this one's outcome
    bool screened = marl->critic && marl->valued >= marl->options.blind &&
                    sl_rng_uniform(&marl->rng) >= marl->options.unscreened;
    if (screened)
        propose_screened(marl, &marl->pending);
    else
        propose(marl, marl->has_incumbent ? &marl->incumbent : NULL, &marl->pending);
    memcpy(points, marl->pending.point, (size_t)marl->space->n_params * sizeof *points);
    return 1;
}

// --- learning

static void teach_policies(Marl *marl) {
    SlPolicySample samples[SL_POLICY_BATCH];
    double rewards[SL_POLICY_BATCH];
    int order[SL_POLICY_BATCH];
    sl_rewards(SL_REWARD_RANK, marl->n_batch, marl->batch_outcomes, 0, order, rewards);
    for (int j = 0; j < marl->n_batch; j++) {
        const Proposal *proposal = &marl->batch[j];
        samples[j] = (SlPolicySample){.point = proposal->point,
                                      .drew = {proposal->drew[0], proposal->drew[1]},
                                      .advantage = rewards[j]};
    }
    sl_policy_learn(&marl->policy, marl->n_batch, samples);
    marl->n_batch = 0;
}

static void teach_critic(Marl *marl, const Proposal *proposal, double score) {
    sl_task_features(marl->task, proposal->point, &proposal->view, marl->features);
    sl_critic_add(marl->critic, marl->features, score);
    // the more is known the less a sample adds
    if (marl->samples % (1 + marl->samples / 1000) == 0)
        sl_critic_learn(marl->critic, (int)marl->options.critic_steps);
}

static void start_afresh(Marl *marl) {
    sl_policy_reset(&marl->policy);
    marl->has_incumbent = false;
    marl->improved = marl->samples;
    marl->n_batch = 0;
}

// an equal score replaces the incumbent: plateaus are wide
static void update_incumbent(Marl *marl, const Proposal *proposal, double score) {
    if (marl->has_incumbent && score > marl->incumbent_score) return;
    if (!marl->has_incumbent || score < marl->incumbent_score) marl->improved = marl->samples;
    marl->has_incumbent = true;
    marl->incumbent_score = score;
    marl->incumbent = *proposal;
    marl->incumbent.drew[0] = marl->incumbent.drew[1] = 0;
}

// what every sample teaches; `pending` is where it stands
static void learn_sample(Marl *marl, const SlSample *sample) {
    marl->samples++;
    marl->valued += isfinite(sample->value);
    sl_keyset_add(marl->seen, marl->pending.view.key);
    if (marl->critic) teach_critic(marl, &marl->pending, sample->score);
    update_incumbent(marl, &marl->pending, sample->score);
}

static void marl_tell(void *state, int n, const int32_t *points, const SlSample *samples) {
    Marl *marl = state;
    (void)points; // the one that is pending
    if (n == 0) return;
    learn_sample(marl, samples);
    marl->batch[marl->n_batch] = marl->pending;
    marl->batch_outcomes[marl->n_batch++] = *samples;
    if (marl->n_batch == marl->options.batch) teach_policies(marl);
    int64_t patience = marl->critic ? marl->options.patience : marl->options.patience * 4 / 3;
    if (marl->samples - marl->improved >= patience) start_afresh(marl);
}

// points that nobody drew teach the critic, and may be where the flock begins
static void marl_meet(void *state, int n, const int32_t *points, const SlSample *samples) {
    Marl *marl = state;
    for (int j = 0; j < n; j++) {
        const int32_t *point = points + (ptrdiff_t)j * marl->space->n_params;
        memcpy(marl->pending.point, point, (size_t)marl->space->n_params * sizeof *point);
        sl_task_view(marl->task, point, &marl->pending.view);
        learn_sample(marl, &samples[j]);
    }
}

static SlMemory *marl_remember(const void *state, const SlMemory *older, SlArena *arena) {
    const Marl *marl = state;
    return sl_memory_make(marl->critic, &marl->policy, older, arena);
}

// logits of the policies, and what the critic has
static int64_t marl_weights(const void *state) {
    const Marl *marl = state;
    int64_t n = marl->policy.first[marl->space->n_params];
    return marl->critic ? n + sl_critic_weights(marl->critic) : n;
}

const SlMethod sl_method_marl = {
    .name = "marl",
    .title = "agents that deviate from the best mapping so far, screened by a central critic",
    .source =
        "after MARL for sample-efficient DNN mapping; recipe measured in docs/studies/marl.md",
    .options = sl_marl_options,
    .options_bytes = sizeof(SlMarlOptions),
    .learns = true,
    .make = marl_make,
    .ask = marl_ask,
    .tell = marl_tell,
    .meet = marl_meet,
    .remember = marl_remember,
    .weights = marl_weights,
};
