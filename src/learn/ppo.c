// ppo.c - proximal policy optimisation as two methods: `ppo`, one agent that steers every
// parameter, and `marl-paper`, one independent learner per agent with a shared reward, as the
// mapping paper has it. Neither has an incumbent: points come from the policies alone.
#include "ppo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "learn_inside.h"

typedef struct {
    const SlSpace *space;
    SlPpoOptions options;
    int64_t budget, told; // samples: planned, learnt from or about to be
    int n_agents;
    SlPpoAgent *agents; // (n_agents)
    SlPpoScratch scratch;
    SlRng rng;

    SlObserver observer;
    SlReal start[SL_PPO_INPUTS]; // what an episode begins under
    int64_t step;                // of the episode at hand

    // the rollout at hand: slots are filled by ask and completed by tell, in order
    int n_asked, n_told;
    SlReal *observed;   // (rollout + 1, SL_PPO_INPUTS)
    int32_t *points;    // (rollout, n_params)
    SlSample *outcomes; // (rollout)
    double *rewards;    // (rollout)
    uint8_t *ends;      // (rollout)
    int *order;         // (rollout)

    // running mean and squared deviation of rewards (Welford 1962)
    int64_t n_rewards;
    double reward_mean, reward_square;
    double reference; // score that a logarithmic reward is measured from: the first one told
} Ppo;

// --- Making --------------------------------------------------------------------------------------

static bool make_agents(Ppo *ppo, const SlAgents *agents, SlArena *arena) {
    ppo->n_agents = agents->n_agents;
    ppo->agents = SL_NEW(arena, agents->n_agents, SlPpoAgent);
    if (!ppo->agents) return false;
    for (int a = 0; a < agents->n_agents; a++) {
        int params[SL_MAX_PARAMS], n = 0;
        for (int i = 0; i < ppo->space->n_params; i++) {
            if (agents->agent[i] == a) params[n++] = i;
        }
        if (!sl_ppo_agent_make(ppo->space, &ppo->options, n, params, &ppo->rng, arena,
                               &ppo->agents[a]))
            return false;
    }
    return sl_ppo_scratch_make(ppo->n_agents, ppo->agents, &ppo->options, arena, &ppo->scratch);
}

static bool make_rollout(Ppo *ppo, SlArena *arena) {
    int64_t n = ppo->options.rollout;
    ppo->observed = SL_NEW(arena, (n + 1) * SL_PPO_INPUTS, SlReal);
    ppo->points = SL_NEW(arena, n * ppo->space->n_params, int32_t);
    ppo->outcomes = SL_NEW(arena, n, SlSample);
    ppo->rewards = SL_NEW(arena, n, double);
    ppo->ends = SL_NEW(arena, n, uint8_t);
    ppo->order = SL_NEW(arena, n, int);
    return ppo->observed && ppo->points && ppo->outcomes && ppo->rewards && ppo->ends && ppo->order;
}

static Ppo *make(const SlMethodSetup *setup, const char *name, const SlAgents *agents,
                 const SlPpoOptions *options, SlArena *arena) {
    Ppo *ppo = SL_NEW(arena, 1, Ppo);
    if (!ppo) return NULL;
    ppo->space = sl_task_space(setup->task);
    ppo->options = *options;
    ppo->budget = setup->budget;
    ppo->reference = NAN;
    char stream[256];
    snprintf(stream, sizeof stream, "%s %s", name, setup->stream);
    sl_rng_init(&ppo->rng, setup->seed, stream);
    sl_observer_init(&ppo->observer, setup->task);
    ppo->start[SL_N_OBSERVED] = 1;
    if (!make_rollout(ppo, arena) || !make_agents(ppo, agents, arena)) return NULL;
    return ppo;
}

static void *make_single(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    SlAgents one = {.n_agents = 1};
    return make(setup, "ppo", &one, options, arena);
}

static void *make_flock(const SlMethodSetup *setup, const void *options, SlArena *arena) {
    return make(setup, "marl-paper", setup->agents, options, arena);
}

// --- Asking --------------------------------------------------------------------------------------

static SlReal *slot_observed(const Ppo *ppo, int slot) {
    return ppo->observed + (ptrdiff_t)slot * SL_PPO_INPUTS;
}

static int32_t *slot_point(const Ppo *ppo, int slot) {
    return ppo->points + (ptrdiff_t)slot * ppo->space->n_params;
}

static int ask(void *state, int room, int32_t *points) {
    Ppo *ppo = state;
    ppo->n_asked = ppo->n_told; // what was never answered is forgotten
    int left = (int)ppo->options.rollout - ppo->n_asked;
    int n = room < left ? room : left;
    // in an episode the next choice waits for what the last one showed
    bool bandit = sl_ppo_is_bandit(&ppo->options);
    if (!bandit) n = 1;
    SlReal *observed = slot_observed(ppo, bandit ? 0 : ppo->n_asked);
    if (bandit || ppo->step == 0) memcpy(observed, ppo->start, sizeof ppo->start);
    for (int a = 0; a < ppo->n_agents; a++) sl_ppo_look(&ppo->agents[a], observed, &ppo->scratch);
    for (int i = 0; i < n; i++) {
        int slot = ppo->n_asked++;
        int32_t *point = slot_point(ppo, slot);
        for (int a = 0; a < ppo->n_agents; a++)
            sl_ppo_choose(&ppo->agents[a], slot, &ppo->rng, point);
    }
    size_t bytes = (size_t)n * (size_t)ppo->space->n_params * sizeof *points;
    memcpy(points, slot_point(ppo, ppo->n_told), bytes);
    return n;
}

// --- Telling -------------------------------------------------------------------------------------

static void see(Ppo *ppo, const SlSample *outcome, SlReal *observed) {
    float seen[SL_N_OBSERVED];
    sl_observe(&ppo->observer, outcome, seen);
    for (int i = 0; i < SL_N_OBSERVED; i++) observed[i] = (SlReal)seen[i];
    observed[SL_N_OBSERVED] = 1;
}

// mean and deviation so far, the new rewards included
static void scale_rewards(Ppo *ppo) {
    for (int i = 0; i < ppo->n_told; i++) {
        double away = ppo->rewards[i] - ppo->reward_mean;
        ppo->reward_mean += away / (double)++ppo->n_rewards;
        ppo->reward_square += away * (ppo->rewards[i] - ppo->reward_mean);
    }
    double deviation = sqrt(ppo->reward_square / (double)ppo->n_rewards);
    double scale = deviation > 0 ? 1 / deviation : 0;
    for (int i = 0; i < ppo->n_told; i++)
        ppo->rewards[i] = (ppo->rewards[i] - ppo->reward_mean) * scale;
}

// a full rollout: rewards for all, then every agent learns alone
static void learn(Ppo *ppo) {
    const SlPpoOptions *options = &ppo->options;
    sl_rewards((SlReward)options->reward, ppo->n_told, ppo->outcomes, ppo->reference, ppo->order,
               ppo->rewards);
    if (options->scale_rewards) scale_rewards(ppo);
    SlPpoRollout rollout = {.n = ppo->n_told,
                            .n_params = ppo->space->n_params,
                            .shared = sl_ppo_is_bandit(options),
                            .observed = ppo->observed,
                            .points = ppo->points,
                            .rewards = ppo->rewards,
                            .ends = ppo->ends};
    double spent = fmin(1, (double)ppo->told / (double)ppo->budget);
    double entropy = options->entropy + spent * (options->entropy_last - options->entropy);
    for (int a = 0; a < ppo->n_agents; a++)
        sl_ppo_learn(&ppo->agents[a], options, &rollout, entropy, &ppo->rng, &ppo->scratch);

    // the last observation is the first of the next rollout
    memmove(ppo->observed, slot_observed(ppo, ppo->n_told), sizeof ppo->start);
    ppo->n_asked = ppo->n_told = 0;
}

// the answer to the oldest open question
static void take(Ppo *ppo, const SlSample *outcome) {
    int slot = ppo->n_told++;
    ppo->told++;
    ppo->outcomes[slot] = *outcome;
    ppo->ends[slot] = ++ppo->step >= ppo->options.episode;
    if (ppo->ends[slot]) ppo->step = 0;
    // where an episode goes on, its next step begins under what this one showed
    if (!sl_ppo_is_bandit(&ppo->options)) see(ppo, outcome, slot_observed(ppo, slot + 1));
    if (ppo->n_told == ppo->options.rollout) learn(ppo);
}

static void tell(void *state, int n, const int32_t *points, const SlSample *samples) {
    Ppo *ppo = state;
    (void)points; // in the order of asking
    for (int i = 0; i < n; i++) {
        if (isnan(ppo->reference)) ppo->reference = samples[i].score;
        take(ppo, &samples[i]);
    }
}

// Points that were not asked for, a starting point, are only seen: policies learn from what they
// drew. What was seen last before the first draw is what episodes begin under.
static void meet(void *state, int n, const int32_t *points, const SlSample *samples) {
    Ppo *ppo = state;
    (void)points;
    for (int i = 0; i < n; i++) {
        if (isnan(ppo->reference)) ppo->reference = samples[i].score;
        if (ppo->told == 0) see(ppo, &samples[i], ppo->start);
    }
}

static int64_t weights(const void *state) {
    const Ppo *ppo = state;
    int64_t n = 0;
    for (int a = 0; a < ppo->n_agents; a++) {
        const SlPpoAgent *agent = &ppo->agents[a];
        if (agent->n_heads == 0) continue;
        n += (int64_t)(sl_mlp_params(&agent->policy_shape) + sl_mlp_params(&agent->value_shape));
    }
    return n;
}

const SlMethod sl_method_ppo = {
    .name = "ppo",
    .title = "one agent for all parameters, trained by proximal policy optimisation",
    .source = "Schulman et al., Proximal policy optimization algorithms, 2017",
    .options = sl_ppo_single_options,
    .options_bytes = sizeof(SlPpoOptions),
    .learns = false,
    .make = make_single,
    .ask = ask,
    .tell = tell,
    .meet = meet,
    .weights = weights,
};

const SlMethod sl_method_marl_paper = {
    .name = "marl-paper",
    .title = "independent agents that share a reward, each with a policy and a value network",
    .source =
        "Krishnan et al., Multi-agent reinforcement learning for sample-efficient deep neural "
        "network mapping, 2025",
    .options = sl_ppo_flock_options,
    .options_bytes = sizeof(SlPpoOptions),
    .learns = true,
    .make = make_flock,
    .ask = ask,
    .tell = tell,
    .meet = meet,
    .weights = weights,
};
