// assign_group.c - from the options of `starling assign` to agents.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "grouping.h"
#include "show.h"

const char *const assign_policies[3] = {"random", "local", NULL};

static SlStatus find_layer(Grouping *group, const char *selector, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_find(selector, group->options->batch, group->arena, &net, err);
    if (status != SL_OK) return status;
    clean_text(net.name);
    if (net.n_layers != 1)
        return sl_fail(err, SL_EINPUT,
                       "'%.60s' has %d layers, and agents are assigned for one: pick it as in "
                       "%.60s:2; see 'starling list networks %.60s'",
                       selector, net.n_layers, selector, selector);
    group->layer = net.layers[0];
    clean_text(group->layer.name);
    return SL_OK;
}

static SlStatus find_accel(Grouping *group, SlError *err) {
    const char *name = group->options->accel ? group->options->accel : DEFAULT_ACCEL;
    SlStatus status = sl_accel_find(name, group->arena, &group->accel, err);
    if (status == SL_OK) clean_text(group->accel.name);
    if (status == SL_OK) clean_text(group->accel.title);
    return status;
}

static SlStatus make_space(Grouping *group, SlError *err) {
    SlSpaceOptions space;
    SlStatus status =
        choices_read_space(&group->options->space, group->arena, &group->constraints, &space, err);
    if (status != SL_OK) return status;
    return choices_make_space(&group->layer, &group->accel, &space, group->arena, &group->space,
                              err);
}

static SlStatus read_agents(const Grouping *group, int *n_agents, SlError *err) {
    int n = group->space.n_params;
    int64_t wanted = n;
    if (strcmp(group->options->agents, "all") != 0 &&
        sl_parse_int(group->options->agents, 1, n, &wanted, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT,
                       "--agents: expected all or a number from 1 to %d, the parameters of %s, got "
                       "'%.40s'",
                       n, group->layer.name, group->options->agents);
    *n_agents = (int)wanted;
    return SL_OK;
}

// between the last merge that stays and the first that is undone
static double cut_height(const SlAssignment *found, int n_agents) {
    if (n_agents == 1) return NAN;
    int first_undone = found->n - n_agents;
    double below = first_undone > 0 ? found->tree[first_undone - 1].height : 0;
    return (below + found->tree[first_undone].height) / 2;
}

static SlStatus group_parameters(Grouping *group, SlError *err) {
    const AssignOptions *options = group->options;
    int n = group->space.n_params, n_agents = 0;
    SlStatus status = read_agents(group, &n_agents, err);
    SlAssignSetup setup = {.policy = sl_method_find(assign_policies[options->policy]),
                           .samples = options->samples,
                           .share = options->share / 100,
                           .metric = (SlMetric)options->metric,
                           .linkage = (SlLinkage)options->linkage,
                           .seed = (uint64_t)options->seed};
    SlTaskSetup task = {.space = &group->space, .goal = group->goal};
    if (status == SL_OK) status = sl_assign_run(&task, &setup, group->arena, &group->found, err);
    if (status != SL_OK) return status;
    sl_assign_agents(&group->found, n_agents, &group->agents);
    group->cut = cut_height(&group->found, n_agents);
    group->leaves = command_need(SL_NEW(group->arena, n, int));
    group->names = command_need(SL_NEW(group->arena, n, const char *));
    sl_dendro_leaves(n, group->found.tree, group->leaves);
    for (int i = 0; i < n; i++) group->names[i] = group->space.params[i].name;
    return SL_OK;
}

SlStatus grouping_make(const AssignOptions *options, const char *selector, SlArena *arena,
                       Grouping *group, SlError *err) {
    *group = (Grouping){.options = options, .arena = arena};
    SlStatus status = choices_read_goal(options->objective, &group->goal, err);
    if (status == SL_OK) status = find_layer(group, selector, err);
    if (status == SL_OK) status = find_accel(group, err);
    if (status == SL_OK) status = make_space(group, err);
    return status == SL_OK ? group_parameters(group, err) : status;
}
