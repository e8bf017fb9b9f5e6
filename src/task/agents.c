// agents.c - which agent steers which parameter.
#include "starling/task.h"

#include <string.h>

void sl_agents_each(const SlSpace *space, SlAgents *agents) {
    memset(agents, 0, sizeof *agents);
    agents->n_agents = space->n_params;
    for (int i = 0; i < space->n_params; i++) agents->agent[i] = i;
}

const char *sl_agents_check(const SlSpace *space, const SlAgents *agents) {
    bool steers[SL_MAX_PARAMS] = {false};
    if (agents->n_agents < 1) return "there must be at least one agent";
    if (agents->n_agents > space->n_params) return "there are more agents than parameters";
    for (int i = 0; i < space->n_params; i++) {
        int agent = agents->agent[i];
        if (agent < 0 || agent >= agents->n_agents)
            return "a parameter belongs to an agent that does not exist";
        steers[agent] = true;
    }
    for (int a = 0; a < agents->n_agents; a++)
        if (!steers[a]) return "an agent steers no parameter";
    return NULL;
}
