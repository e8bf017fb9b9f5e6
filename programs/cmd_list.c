// cmd_list.c - `starling list`: what is bundled, and what options may be told.
#include <string.h>

#include "command.h"
#include "method_rows.h"
#include "starling/report/catalog.h"
#include "starling/report/flock_doc.h"
#include "workload_options.h"

// The document of a list, or of the one thing called `name` (or in that file); NULL = all.
typedef SlStatus Lister(const char *name, SlArena *arena, SlDoc **doc, SlError *err);

static SlStatus list_methods(const char *name, SlArena *arena, SlDoc **doc, SlError *err) {
    const SlMethod *rows[METHOD_ROWS];
    const SlMethod *method = name ? method_row_find(name) : NULL;
    const char *near = name && !method ? method_row_nearest(name) : NULL;
    if (name && !method)
        return sl_fail(err, SL_EINPUT, "unknown method '%.40s'%s%s%s", name,
                       near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    method_rows(rows);
    *doc = method ? sl_report_method(method, arena) : sl_report_methods(rows, arena);
    return SL_OK;
}

typedef struct {
    CommonOptions common;
    WorkloadOptions graph;
} NetworksOptions;

// the layers of one network, which may be a graph
static SlStatus list_network(const Call *call, SlDoc **doc, SlError *err) {
    const NetworksOptions *options = call->options;
    const SlWorkload asked = workload_asked(call->words.words[0], 1, &options->graph);
    return sl_report_network(&asked, call->arena, doc, err);
}

static const struct {
    const char *kind;
    Lister *lister;
    SlDoc *(*all)(SlArena *arena); // where none is shown alone
    const char *hint;              // below the list of all
} kinds[] = {
    {"networks", sl_report_networks, NULL,
     "`starling list networks NAME` shows the layers, `starling eval NAME` prices them."},
    {"accels", sl_report_accels, NULL,
     "`starling list accels NAME` shows one as a picture; the default accelerator is eyeriss."},
    {"constraints", sl_report_constraints, NULL,
     "`starling list constraints NAME` shows one as the file it is, to start your own from."},
    {"methods", list_methods, NULL,
     "`starling list methods NAME` shows the options of one; the default of `starling map` is "
     "marl, that of `starling tune` dcoc."},
    {"flocks", sl_report_flocks, NULL,
     "`starling list flocks NAME` shows one; `starling learn` teaches your own."},
    {"objectives", NULL, sl_report_objectives, NULL},
    {"spaces", NULL, sl_report_spaces, NULL},
    {"envs", NULL, sl_report_worlds, NULL},
};

static int show(const Call *call, const char *kind, int i) {
    const SlWords *words = &call->words;
    SlDoc *doc = kinds[i].all ? kinds[i].all(call->arena) : NULL;
    SlError err;
    if (words->n > (kinds[i].lister ? 1 : 0))
        return call_refuse(call, "%s: did not expect '%.40s'", call->command->name,
                           words->words[words->n - 1]);
    SlStatus status = SL_OK;
    if (words->n > 0 && strcmp(kind, "networks") == 0)
        status = list_network(call, &doc, &err);
    else if (kinds[i].lister)
        status = kinds[i].lister(words->n > 0 ? words->words[0] : NULL, call->arena, &doc, &err);
    if (status != SL_OK) return call_fail(call, status, &err);
    if (words->n == 0 && kinds[i].hint) sl_doc_words(doc, "%s", kinds[i].hint);
    return call_deliver(call, doc, kind, CODE_DONE);
}

static int run(Call *call) {
    const char *kind = strchr(call->command->name, ' ') + 1;
    // what methods were called once
    const char *now = strcmp(kind, "tuners") == 0 ? "methods" : kind;
    int i = 0;
    while (strcmp(kinds[i].kind, now) != 0) i++;
    return show(call, kind, i);
}

// ---- the parts ----

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};
static const SlOption networks_table[] = {WORKLOAD_OPTIONS(NetworksOptions), COMMON_OPTIONS, {0}};

#define PART(part, what, use, of, shown)                                                           \
    PART_WITH(part, what, use, of, shown, options_table, CommonOptions)
#define PART_WITH(part, what, use, of, shown, table, type)                                         \
    static const Command row_##part = {.name = "list " #part,                                      \
                                       .summary = (what),                                          \
                                       .usage = "list " #part use " [OPTION...]",                  \
                                       .about = (of),                                              \
                                       .examples = (shown),                                        \
                                       .options = (table),                                         \
                                       .options_bytes = sizeof(type),                              \
                                       .run = run}

PART_WITH(networks, "bundled networks; the layers of one", " [NETWORK|FILE]",
          "Lists the bundled networks with their sizes. With a name, or a file "
          "(docs/formats/network.md),\n"
          "lists its layers.",
          "starling list networks\nstarling list networks resnet18\n"
          "starling list networks model.onnx --dim batch=1",
          networks_table, NetworksOptions);
PART(accels, "bundled accelerators; the picture of one", " [ACCEL|FILE]",
     "Lists the bundled accelerators. With a name, or a file (docs/formats/accelerator.md), draws "
     "its\n"
     "memories, links and units.",
     "starling list accels\nstarling list accels eyeriss");
PART(objectives, "objectives to minimise, with units", "",
     "Lists the objectives that --objective takes.", "starling list objectives");
PART(methods, "search methods; the options of one", " [METHOD]",
     "Lists the search methods with their sources. With a name, lists its options, for --set of\n"
     "'starling map', 'starling tune' and 'starling search'.",
     "starling list methods\nstarling list methods marl\nstarling list methods dcoc");
PART(spaces, "mapping spaces", "", "Lists the mapping spaces that --space takes.",
     "starling list spaces");
PART(constraints, "bundled dataflows; the rules of one", " [NAME|FILE]",
     "Lists the bundled dataflows, for --constraints. With a name or a file, prints the file "
     "itself, to\n"
     "start your own from.",
     "starling list constraints\nstarling list constraints nvdla-style");
PART(flocks, "bundled flocks (pre-trained agents); the contents of one", " [NAME|FILE|DIR]",
     "Lists the bundled flocks (pre-trained agents). With a name, a file or a folder of 'starling\n"
     "learn', lists the training tasks, the evaluations spent on them and the quality of its "
     "critics.",
     "starling list flocks\nstarling list flocks maestro-edp");
PART(envs, "particle environments, with their sizes", "",
     "Lists the particle environments that --env of 'starling train' takes, with sizes by the "
     "number of\n"
     "agents.",
     "starling list envs");

PART(tuners, NULL, " [METHOD]", "Older name of 'starling list methods'.", "starling list methods");

static const Command *const parts[] = {
    &row_networks,    &row_accels, &row_objectives, &row_methods, &row_spaces,
    &row_constraints, &row_flocks, &row_envs,       &row_tuners,  NULL};

const Command cmd_list = {
    .name = "list",
    .summary = "list networks, accelerators, dataflows, methods, objectives, spaces, environments",
    .usage = "list networks [NETWORK|FILE]\n"
             "list accels [ACCEL|FILE]\n"
             "list methods [METHOD]\n"
             "list constraints [NAME|FILE]\n"
             "list flocks [NAME|FILE|DIR]\n"
             "list objectives\n"
             "list spaces\n"
             "list envs",
    .about = "Lists what is bundled with the program. With a name, shows that one: the layers of a "
             "network, the\n"
             "picture of an accelerator, the options of a method (for --set of 'starling map' and "
             "'starling\n"
             "tune'), the rules of constraints.",
    .examples = "starling list networks\n"
                "starling list networks resnet18\n"
                "starling list accels eyeriss\n"
                "starling list methods marl\n"
                "starling list methods dcoc",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .parts = parts,
};
