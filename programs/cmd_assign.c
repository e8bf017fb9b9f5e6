// cmd_assign.c - `starling assign`: which mapping parameters of a layer share an agent.
#include <string.h>

#include "choices.h"
#include "eval.h"
#include "starling/job.h"
#include "starling/report/assignment_doc.h"

typedef struct {
    CommonOptions common;
    const char *accel;
    const char *objective;
    const char *agents; // a number or "all"
    int64_t batch, samples, seed;
    double share; // percent
    SpaceChoice space;
    int policy, metric, linkage;
} AssignOptions;

static const char *const policies[] = {"random", "local", NULL};

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
    SL_OPT_CHOICE(AssignOptions, "policy", policy, NULL, policies, "NAME",
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

// What the options name.
typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlConstraints constraints;
    SlSpace space;
} Named;

static SlStatus find_layer(const Call *call, Named *named, SlError *err) {
    const AssignOptions *options = call->options;
    const char *selector = call->words.words[0];
    SlNetwork net;
    SlStatus status = sl_workload_find(selector, options->batch, call->arena, &net, err);
    if (status != SL_OK) return status;
    if (net.n_layers != 1)
        return sl_fail(err, SL_EINPUT,
                       "'%.60s' has %d layers, and agents are assigned for one: pick it as in "
                       "%.60s:2; see 'starling list networks %.60s'",
                       selector, net.n_layers, selector, selector);
    named->layer = net.layers[0];
    sl_text_clean(named->layer.name, false);
    return SL_OK;
}

static SlStatus make_space(const Call *call, Named *named, SlError *err) {
    const AssignOptions *options = call->options;
    SlSpaceOptions choice;
    SlStatus status = find_layer(call, named, err);
    if (status == SL_OK) status = sl_accel_find(options->accel, call->arena, &named->accel, err);
    if (status != SL_OK) return status;
    sl_text_clean(named->accel.name, false);
    status = choices_read_space(&options->space, call->arena, &named->constraints, &choice, err);
    if (status != SL_OK) return status;
    return choices_make_space(&named->layer, &named->accel, &choice, call->arena, &named->space,
                              err);
}

static SlStatus read_agents(const char *text, const SlSpace *space, int *n_agents, SlError *err) {
    int64_t wanted = space->n_params;
    if (strcmp(text, "all") != 0 && sl_parse_int(text, 1, space->n_params, &wanted, NULL) != SL_OK)
        return sl_fail(err, SL_EINPUT,
                       "--agents: expected all or a number from 1 to %d, the parameters of %s, got "
                       "'%.40s'",
                       space->n_params, space->layer->name, text);
    *n_agents = (int)wanted;
    return SL_OK;
}

static SlAssignSetup setup_of(const AssignOptions *options) {
    return (SlAssignSetup){.policy = sl_method_find(policies[options->policy]),
                           .samples = options->samples,
                           .share = options->share / 100,
                           .metric = (SlMetric)options->metric,
                           .linkage = (SlLinkage)options->linkage,
                           .seed = (uint64_t)options->seed};
}

static SlStatus group(const Call *call, Named *named, SlGrouping *grouping, SlError *err) {
    const AssignOptions *options = call->options;
    SlStatus status = choices_read_goal(options->objective, &grouping->goal, err);
    if (status == SL_OK) status = make_space(call, named, err);
    if (status == SL_OK)
        status = read_agents(options->agents, &named->space, &grouping->n_agents, err);
    if (status != SL_OK) return status;
    grouping->setup = setup_of(options);
    grouping->space = &named->space;
    grouping->open = options->space.open;
    grouping->constraints = options->space.constraints ? named->constraints.name : NULL;
    SlTaskSetup task = {.space = &named->space, .goal = grouping->goal};
    return sl_assign_run(&task, &grouping->setup, call->arena, &grouping->found, err);
}

static int run(Call *call) {
    SlGrouping grouping = {0};
    SlError err;
    if (call->words.n == 0)
        return call_refuse(call, "expected a layer, such as 'starling assign resnet18:conv2_1'; "
                                 "see 'starling list networks'");
    if (call->words.n > 1) return call_refuse(call, "expected one layer");
    Named *named = call_need(SL_NEW(call->arena, 1, Named));
    SlStatus status = group(call, named, &grouping, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    return call_deliver(call, sl_report_assignment(&grouping, call->arena), "assign", CODE_DONE);
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
