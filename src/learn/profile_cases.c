// profile_cases.c - the cases of a profile: every combination, and which of them belong together.
#include "starling/learn/engine_profile.h"

// layouts and samplings of one world, number of agents, algorithm and mode
static void add_cases(SlProfile *profile, const SlProfileLists *lists, const SlEngineSetup *like) {
    static const SlProfileList state = {1, {SL_LAYOUT_STATE}};
    bool folded = like->mode == SL_MODE_FOLDED || like->mode == SL_MODE_FOLDED_SHARED;
    const SlProfileList *layouts = folded ? &state : &lists->layouts;
    for (int l = 0; l < layouts->n; l++) {
        for (int s = 0; s < lists->samplings.n && profile->n < SL_PROFILE_CASES; s++) {
            SlEngineSetup *one = &profile->setups[profile->n++];
            *one = *like;
            one->layout = layouts->items[l];
            one->sampling = lists->samplings.items[s];
        }
    }
}

// algorithms and modes of one world and number of agents
static void add_group(SlProfile *profile, const SlProfileLists *lists, SlEngineSetup like) {
    for (int a = 0; a < lists->algos.n; a++) {
        for (int m = 0; m < lists->modes.n; m++) {
            like.algo = lists->algos.items[a];
            like.mode = lists->modes.items[m];
            add_cases(profile, lists, &like);
        }
    }
}

SlStatus sl_profile_combine(SlProfile *profile, const SlProfileLists *lists,
                            const SlEngineSetup *like, SlArena *arena, SlError *err) {
    profile->n = 0;
    profile->setups = SL_NEW(arena, SL_PROFILE_CASES, SlEngineSetup);
    profile->times = SL_NEW(arena, SL_PROFILE_CASES, SlEngineProfile);
    if (!profile->setups || !profile->times)
        return sl_fail(err, SL_ENOMEM, "not enough memory for the cases of a profile");
    for (int w = 0; w < lists->worlds.n; w++) {
        for (int n = 0; n < lists->agents.n; n++) {
            SlEngineSetup group = *like;
            sl_world_init(sl_worlds[lists->worlds.items[w]], &group.world);
            group.world.n_agents = lists->agents.items[n];
            add_group(profile, lists, group);
        }
    }
    if (profile->n < SL_PROFILE_CASES) return SL_OK;
    return sl_fail(err, SL_EINPUT, "expected fewer than %d combinations", SL_PROFILE_CASES);
}

int sl_profile_group(const SlProfile *profile, int first) {
    const SlParticleSetup *like = &profile->setups[first].world;
    int n = 1;
    for (; first + n < profile->n; n++) {
        const SlParticleSetup *next = &profile->setups[first + n].world;
        if (next->world != like->world || next->n_agents != like->n_agents) break;
    }
    return n;
}

// whether two cases differ at most in agents, algorithm and sampling
static bool akin(const SlEngineSetup *a, const SlEngineSetup *b) {
    return a->world.world == b->world.world && a->mode == b->mode && a->layout == b->layout;
}

// the case with another number of agents or another sampling and all else as in `like`
static int find(const SlProfile *profile, const SlEngineSetup *like, int64_t agents, int sampling) {
    for (int i = 0; i < profile->n; i++) {
        const SlEngineSetup *one = &profile->setups[i];
        if (akin(one, like) && one->algo == like->algo && one->world.n_agents == agents &&
            one->sampling == sampling)
            return i;
    }
    return -1;
}

int sl_profile_twice(const SlProfile *profile, int i) {
    const SlEngineSetup *like = &profile->setups[i];
    return find(profile, like, 2 * like->world.n_agents, like->sampling);
}

int sl_profile_uniform(const SlProfile *profile, int i) {
    const SlEngineSetup *like = &profile->setups[i];
    if (like->sampling == SL_SAMPLE_UNIFORM) return -1;
    return find(profile, like, like->world.n_agents, SL_SAMPLE_UNIFORM);
}

bool sl_profile_growth(const SlProfile *profile, int i, SlGrowth *growth) {
    const int twice = sl_profile_twice(profile, i);
    if (twice < 0) return false;
    const SlEngineProfile *one = &profile->times[i], *other = &profile->times[twice];
    growth->all = other->all.median / one->all.median;
    growth->update = sl_profile_update(other) / sl_profile_update(one);
    for (int p = 0; p < SL_N_PHASES; p++)
        growth->phases[p] = other->phases[p].median / one->phases[p].median;
    return true;
}

bool sl_profile_mean_growth(const SlProfile *profile, int i, SlGrowth *mean) {
    const SlEngineSetup *like = &profile->setups[i];
    SlGrowth one;
    int n = 0, last = -1;
    *mean = (SlGrowth){0};
    for (int k = 0; k < profile->n; k++) {
        const SlEngineSetup *other = &profile->setups[k];
        if (!akin(other, like) || other->world.n_agents != like->world.n_agents ||
            other->sampling != like->sampling || !sl_profile_growth(profile, k, &one))
            continue;
        mean->all += one.all;
        mean->update += one.update;
        for (int p = 0; p < SL_N_PHASES; p++) mean->phases[p] += one.phases[p];
        last = k;
        n++;
    }
    if (n < 2 || last != i) return false;
    mean->all /= n;
    mean->update /= n;
    for (int p = 0; p < SL_N_PHASES; p++) mean->phases[p] /= n;
    return true;
}
