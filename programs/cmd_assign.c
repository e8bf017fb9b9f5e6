// cmd_assign.c - `starling assign`: which mapping parameters of a layer share an agent.
#include <jansson.h>

#include "eval.h"
#include "grouping.h"

static const SlOption options_table[] = {
    SL_OPT_TEXT(AssignOptions, "agents", agents, "3", "B|all",
                "agents to make: B that share the parameters, or one per parameter"),
    SL_OPT_TEXT(AssignOptions, "accel", accel, NULL, "NAME|FILE",
                "accelerator: a bundled one or a YAML file; " DEFAULT_ACCEL " if not given",
                .letter = 'a'),
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

static const CommandHelp help = {
    .usage = "assign LAYER [OPTION...]",
    .about = "Groups the mapping parameters of a layer into agents: a dataset of mappings, the "
             "best of them, the\ncorrelations of their parameters, a tree, and a cut through it. "
             "Shows the correlations, the tree and\nwho steers what. 'starling map --agents B' "
             "groups in the same way.\n\n"
             "LAYER is one layer as 'starling eval' takes it: NETWORK:LAYER, a layer of your own, "
             "a file with one.\nThe files of --out are matrix.svg, dendrogram.svg, assign.txt and "
             "assign.json.",
    .options = options_table,
    .examples = "starling assign resnet18:conv2_1\n"
                "starling assign mobilenet_v2:2 --agents 6 --space paper\n"
                "starling assign resnet18:conv2_1 --open RS --constraints weight-stationary\n"
                "starling assign vgg16:2 --policy local --linkage average --metric '1-|r|'\n"
                "starling assign resnet18:conv2_1 --objective edp --out assigned",
};

static int deliver(const Grouping *group) {
    const CommonOptions *common = &group->options->common;
    SlText report;
    SlError err;
    sl_text_init(&report, group->arena);
    add_grouping_report(group, &report);
    if (report.failed) command_no_memory();
    SlStatus status = common->out ? grouping_write_pictures(group, &err) : SL_OK;
    if (status != SL_OK) return command_fail(status, &err);
    json_t *json = command_wants_json(common) ? grouping_json(group) : NULL;
    int code = command_deliver(common, "assign", &report, json, CODE_DONE);
    if (common->out && code == CODE_DONE)
        command_note(common, "Written to %s: matrix.svg, dendrogram.svg", common->out);
    return code;
}

int cmd_assign(int argc, const char *const *argv) {
    AssignOptions options = {0};
    SlWords words;
    int code = CODE_DONE;
    if (!command_parse(&help, argc, argv, &options, &words, &code)) return code;
    if (words.n != 1)
        return command_refuse(words.n == 0 ? "expected a layer, such as 'starling assign "
                                             "resnet18:conv2_1'; see 'starling list networks'"
                                           : "expected one layer");
    SlArena arena;
    Grouping group;
    SlError err;
    sl_arena_init(&arena, 0);
    SlStatus status = grouping_make(&options, words.words[0], &arena, &group, &err);
    code = status == SL_OK ? deliver(&group) : command_fail(status, &err);
    sl_arena_free(&arena);
    return code;
}
