// profile_cases.c - which cases of a profile belong together.
#include "starling/learn/engine_profile.h"

int sl_profile_group(const SlProfile *profile, int first) {
    const SlParticleSetup *like = &profile->setups[first].world;
    int n = 1;
    for (; first + n < profile->n; n++) {
        const SlParticleSetup *next = &profile->setups[first + n].world;
        if (next->world != like->world || next->n_agents != like->n_agents) break;
    }
    return n;
}

// the case with another number of agents or another sampling and all else as in `like`
static int find(const SlProfile *profile, const SlEngineSetup *like, int64_t agents, int sampling) {
    for (int i = 0; i < profile->n; i++) {
        const SlEngineSetup *one = &profile->setups[i];
        if (one->world.world == like->world.world && one->algo == like->algo &&
            one->mode == like->mode && one->layout == like->layout &&
            one->world.n_agents == agents && one->sampling == sampling)
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
