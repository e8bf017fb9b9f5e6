// map_agents.c - who steers what: --agents, --threshold, --dataset, --assign-policy, --assignment.
#include <string.h>

#include "map.h"

static SlStatus read_number(const MapOptions *options, SlAgentChoice *choice, SlError *err) {
    int64_t n = 0;
    if (strcmp(options->agents, "all") == 0) return SL_OK;
    if (sl_parse_int(options->agents, 1, SL_MAX_PARAMS, &n, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT,
                       "--agents: expected all or a number from 1 to %d, got '%.40s'",
                       SL_MAX_PARAMS, options->agents);
    choice->n_agents = (int)n;
    return SL_OK;
}

// the option that asks for agents, NULL = none does
static const char *asked_by(const MapOptions *options) {
    if (options->assignment) return "--assignment";
    if (options->threshold) return "--threshold";
    return strcmp(options->agents, "all") == 0 ? NULL : "--agents";
}

bool map_agents_asked(const MapOptions *options) {
    return asked_by(options) != NULL;
}

SlStatus map_agents_read(const MapOptions *options, Map *map, SlError *err) {
    SlAgentChoice *choice = &map->mapped.setup.agents;
    const char *option = asked_by(options);
    choice->assign = sl_assign_defaults();
    choice->assign.samples = options->dataset;
    SlStatus status = read_number(options, choice, err);
    if (status == SL_OK && option && !map->method->learns)
        return sl_fail(err, SL_EINPUT, "%s: %s has no agents", option, map->method->name);
    if (status == SL_OK && options->threshold)
        status = choices_read_threshold(options->threshold, &choice->threshold, err);
    if (status == SL_OK)
        status = choices_read_policy("assign-policy", options->policy, &choice->assign.policy, err);
    if (status != SL_OK || !options->assignment) return status;
    choice->groups = &map->groups;
    return sl_groups_read(options->assignment, map->arena, &map->groups, err);
}

// ---- once the layers are known ----

static SlStatus check_number(const Map *map, SlError *err) {
    const SlMapped *mapped = &map->mapped;
    int most = 0;
    for (int i = 0; i < mapped->n_layers; i++) {
        int n = mapped->layers[i].task->space.n_params;
        if (n > most) most = n;
    }
    if (mapped->setup.agents.n_agents <= most) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "--agents: expected all or a number from 1 to %d, %s %s, got '%s'", most,
                   mapped->n_layers > 1 ? "the most parameters of a layer of" : "the parameters of",
                   mapped->n_layers > 1 ? mapped->eval.net.name : mapped->eval.net.layers[0].name,
                   map->options->agents);
}

SlStatus map_agents_check(const Map *map, SlError *err) {
    const SlMapped *mapped = &map->mapped;
    SlStatus status = check_number(map, err);
    for (int i = 0; i < mapped->n_layers && map->options->assignment && status == SL_OK; i++) {
        SlAgents agents;
        status = sl_groups_match(&map->groups, &mapped->layers[i].task->space, &agents, err);
    }
    return status;
}
