// main.c - the `starling` program: a command whose parts are the commands.
#include <signal.h>
#include <string.h>

#include "command.h"

#define DECLARE(name) extern const Command cmd_##name;
COMMANDS(DECLARE)
#define POINT(name) &cmd_##name,

// commands that parse their options themselves: rows for the help alone
#define OLD_COMMANDS(OLD) OLD(map, "find good mappings of a layer or a network on an accelerator")
static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

static int refuse_old(Call *call) {
    return call_refuse(call, "expected '%s' before its options", call->command->name);
}

#define OLD_ROW(word, what)                                                                        \
    static const Command old_##word = {.name = #word,                                              \
                                       .summary = (what),                                          \
                                       .options = options_table,                                   \
                                       .options_bytes = sizeof(CommonOptions),                     \
                                       .run = refuse_old};
OLD_COMMANDS(OLD_ROW)
#define OLD_POINT(word, what) &old_##word,

static int show_version(Call *call) {
    return command_version(call_is_json(call));
}

static const Command row_version = {.name = "version",
                                    .usage = "--version [--json]",
                                    .about = "Shows the version of the program.",
                                    .examples = "starling --version",
                                    .options = options_table,
                                    .options_bytes = sizeof(CommonOptions),
                                    .run = show_version};

static const Command *const rows[] = {&row_version, OLD_COMMANDS(OLD_POINT) COMMANDS(POINT) NULL};

static const Command program = {
    .name = "",
    .usage = "COMMAND [OPTION...]",
    .about = "starling " SL_VERSION " - maps neural-network layers onto accelerators, counting "
             "exactly.\n'starling COMMAND --help' shows the options of a command.",
    .examples = "starling list networks                    what is bundled\n"
                "starling map mobilenet_v2                 good mappings of every layer\n"
                "starling map resnet18 --prove             and how far they are from the best\n"
                "starling study run table3 --quick         who needs how many samples\n"
                "starling eval resnet18                    every layer with a default mapping\n"
                "starling eval resnet18:conv2_1            one layer, every number",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .parts = rows,
};

static bool run_old(int argc, const char *const *argv, int *code) {
    static const char *const show_help[] = {"--help"};
    bool help = strcmp(argv[0], "help") == 0 && argc > 1;
#define OLD_RUN(word, what)                                                                        \
    if (strcmp(argv[help ? 1 : 0], #word) == 0) {                                                  \
        *code = help ? cmd_##word(1, show_help) : cmd_##word(argc - 1, argv + 1);                  \
        return true;                                                                               \
    }
    OLD_COMMANDS(OLD_RUN)
    return false;
}

int main(int argc, char **argv) {
    static const char *const show_help[] = {"--help"};
    const char *const *words = (const char *const *)argv + 1;
    int code = CODE_DONE;
    // a reader that stops early closes the pipe; call_print sees it as an error code
    signal(SIGPIPE, SIG_IGN);
    if (argc < 2) return command_run(&program, 1, show_help);
    if (run_old(argc - 1, words, &code)) return code;
    return command_run(&program, argc - 1, words);
}
