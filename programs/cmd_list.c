// cmd_list.c - `starling list`: what is bundled, and what options may be told.
#include <string.h>

#include "list.h"

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

static int show(const Call *call, int most_words, Lister *lister) {
    const SlWords *words = &call->words;
    const char *kind = strchr(call->command->name, ' ') + 1;
    SlDoc *doc = NULL;
    SlError err;
    if (words->n > most_words)
        return call_refuse(call, "%s: did not expect '%.40s'", call->command->name,
                           words->words[words->n - 1]);
    SlStatus status = lister(words->n > 0 ? words->words[0] : NULL, call->arena, &doc, &err);
    return status == SL_OK ? call_deliver(call, doc, kind, CODE_DONE)
                           : call_fail(call, status, &err);
}

// ---- the parts ----

// `words`: how many the part takes at most, as `use` says
#define PART(kind, what, words, use, of, shown)                                                    \
    static int run_##kind(Call *call) {                                                            \
        return show(call, (words), list_##kind);                                                   \
    }                                                                                              \
    static const Command row_##kind = {.name = "list " #kind,                                      \
                                       .summary = (what),                                          \
                                       .usage = "list " #kind use " [OPTION...]",                  \
                                       .about = (of),                                              \
                                       .examples = (shown),                                        \
                                       .options = options_table,                                   \
                                       .options_bytes = sizeof(CommonOptions),                     \
                                       .run = run_##kind}

PART(networks, "bundled networks; the layers of one", 1, " [NETWORK|FILE]",
     "Lists the bundled networks with their sizes. With a name, or a file "
     "(docs/formats/network.md):\nits layers.",
     "starling list networks\nstarling list networks resnet18");
PART(accels, "bundled accelerators; the picture of one", 1, " [ACCEL|FILE]",
     "Lists the bundled accelerators. With a name, or a file (docs/formats/accelerator.md): its "
     "memories,\nlinks and units as a picture.",
     "starling list accels\nstarling list accels eyeriss");
PART(objectives, "what may be made small, with units", 0, "",
     "Lists the objectives that --objective takes.", "starling list objectives");
PART(methods, "search methods; the options of one", 1, " [METHOD]",
     "Lists the search methods with their sources. With a name: its options, for --set of "
     "'starling map',\n'starling tune' and 'starling search'.",
     "starling list methods\nstarling list methods marl\nstarling list methods dcoc");
PART(spaces, "sets of parameters to search", 0, "", "Lists the spaces that --space takes.",
     "starling list spaces");
PART(constraints, "bundled dataflows; the rules of one", 1, " [NAME|FILE]",
     "Lists the bundled dataflows, for --constraints. With a name or a file: the file itself, to "
     "start\nyour own from.",
     "starling list constraints\nstarling list constraints nvdla-style");
PART(envs, "worlds to train in, with their sizes", 0, "",
     "Lists the particle worlds that --env of 'starling train' takes, with sizes by the number of "
     "agents.",
     "starling list envs");

// what methods were called once
static const Command row_tuners = {.name = "list tuners",
                                   .usage = "list tuners [METHOD] [OPTION...]",
                                   .about = "Older name of 'starling list methods'.",
                                   .examples = "starling list methods",
                                   .options = options_table,
                                   .options_bytes = sizeof(CommonOptions),
                                   .run = run_methods};

static const Command *const parts[] = {&row_networks, &row_accels, &row_objectives,
                                       &row_methods,  &row_spaces, &row_constraints,
                                       &row_envs,     &row_tuners, NULL};

const Command cmd_list = {
    .name = "list",
    .summary = "bundled networks, accelerators and dataflows; methods, objectives, spaces, envs",
    .usage = "list networks [NETWORK|FILE]\nlist accels [ACCEL|FILE]\nlist methods [METHOD]\n"
             "list constraints [NAME|FILE]\nlist objectives\nlist spaces\nlist envs",
    .about = "Lists what is bundled with the program; with a name, shows that one: the layers of a "
             "network,\nthe picture of an accelerator, the options of a method (for --set "
             "of 'starling map' and\n'starling tune'), the rules of constraints.",
    .examples =
        "starling list networks\nstarling list networks resnet18\nstarling list accels eyeriss\n"
        "starling list methods marl\nstarling list methods dcoc",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .parts = parts,
};
