// cmd_assign.c - `starling assign`: which mapping parameters of a layer share an agent.
#include <math.h>
#include <string.h>

#include "eval.h"
#include "grouping.h"

const char *const assign_policies[3] = {"random", "local", NULL};

static const SlOption options_table[] = {
    SL_OPT_TEXT(AssignOptions, "agents", agents, "3", "B|all",
                "agents to make: B that share the parameters, or one per parameter"),
    SL_OPT_TEXT(AssignOptions, "accel", accel, DEFAULT_ACCEL, "NAME|FILE",
                "accelerator: a bundled one or a YAML file", .letter = 'a'),
    SL_OPT_WHOLE(AssignOptions, "batch", batch, "1", 1, 1 << 30, "N", "inputs at a time",
                 .letter = 'b'),
    SL_OPT_TEXT(AssignOptions, "objective", objective, "latency", "NAME",
                "what good mappings make small: latency, energy, edp, area, power, or a product "
                "with weights such as latency=2,energy=1",
                .letter = 'o'),
    SPACE_OPTIONS(AssignOptions, "group"),
    SL_OPT_CHOICE(AssignOptions, "policy", policy, NULL, assign_policies, "NAME",
                  "who collects the dataset"),
    SL_OPT_WHOLE(AssignOptions, "samples", samples, "2000", 2, 1e7, "N",
                 "evaluations for the dataset, all of them counted", .letter = 'n'),
    SL_OPT_REAL(AssignOptions, "share", share, "15", 0.01, 100, "PERCENT",
                "best share of the dataset that enters the correlations"),
    SL_OPT_CHOICE(AssignOptions, "metric", metric, NULL, sl_metric_names, "NAME",
                  "distance of two parameters: between their rows of the matrix, or 1 - |r|"),
    SL_OPT_CHOICE(AssignOptions, "linkage", linkage, NULL, sl_linkage_names, "NAME",
                  "distance of two groups of parameters"),
    SL_OPT_WHOLE(AssignOptions, "seed", seed, "1", 0, 9e15, "S",
                 "of all random numbers; the same seed gives the same bytes", .letter = 's'),
    COMMON_OPTIONS,
    {0},
};

// ---- what the options name ----

static SlStatus find_layer(Grouping *group, const char *selector, SlError *err) {
    SlNetwork net;
    SlStatus status = sl_workload_find(selector, group->options->batch, group->arena, &net, err);
    if (status != SL_OK) return status;
    if (net.n_layers != 1)
        return sl_fail(err, SL_EINPUT,
                       "'%.60s' has %d layers, and agents are assigned for one: pick it as in "
                       "%.60s:2; see 'starling list networks %.60s'",
                       selector, net.n_layers, selector, selector);
    group->layer = net.layers[0];
    sl_text_clean(group->layer.name, false);
    return SL_OK;
}

static SlStatus find_accel(Grouping *group, SlError *err) {
    SlStatus status = sl_accel_find(group->options->accel, group->arena, &group->accel, err);
    if (status == SL_OK) sl_text_clean(group->accel.name, false);
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

// ---- the agents ----

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
    group->leaves = call_need(SL_NEW(group->arena, n, int));
    group->names = call_need(SL_NEW(group->arena, n, const char *));
    sl_dendro_leaves(n, group->found.tree, group->leaves);
    for (int i = 0; i < n; i++) group->names[i] = group->space.params[i].name;
    return SL_OK;
}

static SlStatus make_grouping(Grouping *group, const char *selector, SlError *err) {
    SlStatus status = choices_read_goal(group->options->objective, &group->goal, err);
    if (status == SL_OK) status = find_layer(group, selector, err);
    if (status == SL_OK) status = find_accel(group, err);
    if (status == SL_OK) status = make_space(group, err);
    return status == SL_OK ? group_parameters(group, err) : status;
}

static int run(Call *call) {
    Grouping *group = call_need(SL_NEW(call->arena, 1, Grouping));
    SlError err;
    if (call->words.n == 0)
        return call_refuse(call, "expected a layer, such as 'starling assign resnet18:conv2_1'; "
                                 "see 'starling list networks'");
    if (call->words.n > 1) return call_refuse(call, "expected one layer");
    *group = (Grouping){.options = call->options, .arena = call->arena};
    SlStatus status = make_grouping(group, call->words.words[0], &err);
    return status == SL_OK ? call_deliver(call, grouping_doc(group), "assign", CODE_DONE)
                           : call_fail(call, status, &err);
}

const Command cmd_assign = {
    .name = "assign",
    .summary = "group the mapping parameters of a layer into agents",
    .usage = "assign LAYER [OPTION...]",
    .about = "Groups the mapping parameters of a layer into agents: a dataset of mappings, the "
             "best of them, the\ncorrelations of their parameters, a tree, and a cut through it. "
             "Shows the correlations, the tree and\nwho steers what. 'starling map --agents B' "
             "groups in the same way.\n\n"
             "LAYER is one layer as 'starling eval' takes it: NETWORK:LAYER, a layer of your own, "
             "a file with one.\nThe files of --out are assign.html, assign.txt, assign.json, "
             "parameters.csv, matrix.svg and\ndendrogram.svg.",
    .examples = "starling assign resnet18:conv2_1\n"
                "starling assign mobilenet_v2:2 --agents 6 --space paper\n"
                "starling assign resnet18:conv2_1 --open RS --constraints weight-stationary\n"
                "starling assign vgg16:2 --policy local --linkage average --metric '1-|r|'\n"
                "starling assign resnet18:conv2_1 --objective edp --out assigned",
    .options = options_table,
    .options_bytes = sizeof(AssignOptions),
    .run = run,
};
