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
    const char *agents;    // a number or "all"
    const char *threshold; // a height or percent, NULL = none
    const char *evaluator; // native, maestro, or a program
    const char *policy;
    EvaluatorOptions program;
    int64_t batch, samples, seed;
    double share; // percent
    SpaceChoice space;
    int points, metric, linkage;
} AssignOptions;

static const char *const point_names[] = {"repaired", "proposed", NULL};

static const SlOption options_table[] = {
    SL_OPT_TEXT(AssignOptions, "agents", agents, "3", "B|all",
                "number of agents: B sharing the parameters, or all (one per parameter)"),
    SL_OPT_TEXT(AssignOptions, "threshold", threshold, NULL, "HEIGHT|PERCENT%",
                "height at which the tree is cut, instead of --agents: absolute (1.5) or a share "
                "of its top (40%)"),
    SL_OPT_TEXT(AssignOptions, "accel", accel, DEFAULT_ACCEL, "NAME|FILE",
                "accelerator: bundled name or YAML file", .letter = 'a'),
    SL_OPT_WHOLE(AssignOptions, "batch", batch, "1", 1, 1 << 30, "N", "batch size", .letter = 'b'),
    SL_OPT_TEXT(AssignOptions, "objective", objective, NULL, "NAME",
                "objective to minimise: latency, energy, edp, area, power, or a weighted product "
                "such as latency=2,energy=1 (default: edp; latency with --evaluator PROGRAM)",
                .letter = 'o'),
    SL_OPT_TEXT(AssignOptions, "evaluator", evaluator, "native", "NAME|PROGRAM",
                "cost model: native (exact counts), maestro, or a PROGRAM of your own "
                "(docs/formats/evaluator.md)"),
    EVALUATOR_OPTIONS(AssignOptions),
    SL_OPT_TEXT(AssignOptions, "model", evaluator, "native", "NAME", "older name of --evaluator"),
    SPACE_OPTIONS(AssignOptions),
    SL_OPT_TEXT(AssignOptions, "policy", policy, "random", "NAME",
                "search method that collects the dataset; see 'starling list methods'"),
    SL_OPT_WHOLE(AssignOptions, "samples", samples, "2000", 2, 1e7, "N",
                 "evaluations for the dataset", .letter = 'n'),
    SL_OPT_REAL(AssignOptions, "share", share, "15", 0.01, 100, "PERCENT",
                "share of the dataset, best first, behind the correlations"),
    SL_OPT_CHOICE(AssignOptions, "points", points, NULL, point_names, "WHICH",
                  "form of these points: repaired (as evaluated) or proposed (before repair)"),
    SL_OPT_CHOICE(AssignOptions, "metric", metric, NULL, sl_metric_names, "NAME",
                  "distance of two parameters: rows (of the correlation matrix), rows+objective "
                  "(with its column) or 1-|r|"),
    SL_OPT_CHOICE(AssignOptions, "linkage", linkage, NULL, sl_linkage_names, "NAME",
                  "linkage of the clustering"),
    SL_OPT_WHOLE(AssignOptions, "seed", seed, "1", 0, 9e15, "S",
                 "random seed; equal seeds give identical output", .letter = 's'),
    COMMON_OPTIONS,
    {0},
};

// What the options name.
typedef struct {
    SlLayer layer;
    SlAccel accel;
    SlConstraints constraints, asked; // the user's; what the evaluator asks for besides
    SlSpace space;
    SlProcessOptions process; // a program of the user's that evaluates
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

static SlStatus make_space(const Call *call, const SlTaskKind *kind, Named *named, SlError *err) {
    const AssignOptions *options = call->options;
    SlSpaceOptions choice;
    SlStatus status = find_layer(call, named, err);
    if (status == SL_OK) status = sl_accel_find(options->accel, call->arena, &named->accel, err);
    if (status != SL_OK) return status;
    sl_text_clean(named->accel.name, false);
    status = choices_read_space(&options->space, call->arena, &named->constraints, &choice, err);
    if (status == SL_OK) status = sl_kind_space(kind, call->arena, &named->asked, &choice, err);
    const char *reason = sl_kind_check(kind, &named->layer, &named->accel);
    if (status == SL_OK && reason)
        return sl_fail(err, SL_EINPUT, "--evaluator %s: %s on %s: %s", options->evaluator,
                       named->layer.name, named->accel.name, reason);
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

static SlStatus read_setup(const AssignOptions *options, SlAssignSetup *setup, SlError *err) {
    *setup = (SlAssignSetup){.samples = options->samples,
                             .share = options->share / 100,
                             .proposed = options->points > 0,
                             .metric = (SlMetric)options->metric,
                             .linkage = (SlLinkage)options->linkage,
                             .seed = (uint64_t)options->seed};
    return choices_read_policy("policy", options->policy, &setup->policy, err);
}

static SlStatus assign(const Call *call, Named *named, SlTaskSetup *task, SlGrouping *grouping,
                       SlError *err) {
    const AssignOptions *options = call->options;
    grouping->space = task->space = &named->space;
    grouping->open = options->space.open;
    grouping->constraints = options->space.constraints ? named->constraints.name : NULL;
    grouping->evaluator = options->evaluator;
    task->goal = grouping->goal;
    SlStatus status = sl_assign_run(task, &grouping->setup, call->arena, &grouping->found, err);
    if (status == SL_OK && options->threshold)
        grouping->n_agents = sl_assign_count(&grouping->found, &grouping->threshold);
    return status;
}

static SlStatus group(const Call *call, Named *named, SlGrouping *grouping, SlError *err) {
    const AssignOptions *options = call->options;
    SlTaskSetup task = {.options = NULL};
    SlStatus status = choices_read_evaluator(options->evaluator, &options->program, &named->process,
                                             &task.kind, err);
    const char *objective = choices_objective(options->objective, task.kind);
    if (status == SL_OK) status = choices_read_goal(objective, &grouping->goal, err);
    if (status == SL_OK && options->threshold)
        status = choices_read_threshold(options->threshold, &grouping->threshold, err);
    if (status == SL_OK) status = read_setup(options, &grouping->setup, err);
    if (status == SL_OK) status = make_space(call, task.kind, named, err);
    if (status == SL_OK)
        status = read_agents(options->agents, &named->space, &grouping->n_agents, err);
    if (status != SL_OK) return status;
    if (task.kind == &sl_kind_process) task.options = &named->process;
    return assign(call, named, &task, grouping, err);
}

// with --out: the agents as a file, which map --assignment reads
static SlStatus write_groups(const Call *call, const SlGrouping *grouping, SlError *err) {
    const AssignOptions *options = call->options;
    SlGroups *groups = call_need(SL_NEW(call->arena, 1, SlGroups));
    SlText text;
    if (!options->common.out) return SL_OK;
    if (!sl_grouping_groups(grouping, call->arena, groups)) call_no_memory();
    sl_text_init(&text, call->arena);
    sl_groups_write(groups, &text);
    SlStatus status = folder_make(options->common.out, err);
    return status == SL_OK ? folder_write(options->common.out, "assignment.yaml", &text, err)
                           : status;
}

static int run(Call *call) {
    SlGrouping grouping = {0};
    SlError err;
    if (call->words.n == 0)
        return call_refuse(call, "expected a layer, such as 'starling assign resnet18:conv2_1'; "
                                 "see 'starling list networks'");
    if (call->words.n > 1) return call_refuse(call, "expected one layer");
    const AssignOptions *options = call->options;
    int code =
        options->threshold
            ? call_refuse_idle(call, "agents", "--threshold, which decides the number of agents")
            : CODE_DONE;
    if (code != CODE_DONE) return code;
    Named *named = call_need(SL_NEW(call->arena, 1, Named));
    SlStatus status = group(call, named, &grouping, &err);
    sl_evaluator_close(named->process.shared);
    if (status == SL_OK) status = write_groups(call, &grouping, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    return call_deliver(call, sl_report_assignment(&grouping, call->arena), "assign", CODE_DONE);
}

const Command cmd_assign = {
    .name = "assign",
    .summary = "group the mapping parameters of a layer into agents",
    .usage = "assign LAYER [OPTION...]",
    .about = "Groups the mapping parameters of a layer into agents. Collects a dataset of "
             "mappings, correlates\n"
             "the parameters of the best ones, clusters them into a tree and cuts it. Shows the "
             "correlations,\n"
             "the tree and the parameters of each agent. 'starling map --agents B' groups in the "
             "same way.\n\n"
             "LAYER is one layer as for 'starling eval': NETWORK:LAYER, a layer of your own, a "
             "file with one\n"
             "layer. Files of --out: assign.html, assign.txt, assign.json, assignment.yaml, "
             "parameters.csv,\n"
             "matrix.svg and dendrogram.svg.",
    .examples = "starling assign resnet18:conv2_1\n"
                "starling assign mobilenet_v2:2 --agents 6 --space paper\n"
                "starling assign resnet18:conv2_1 --open RS --constraints weight-stationary\n"
                "starling assign mobilenet_v2:2 --policy gamma --threshold 40%\n"
                "starling assign vgg16:2 --policy local --linkage average --metric '1-|r|'\n"
                "starling assign resnet18:conv2_1 --objective edp --out assigned",
    .options = options_table,
    .options_bytes = sizeof(AssignOptions),
    .run = run,
};
