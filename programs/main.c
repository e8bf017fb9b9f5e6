// main.c - the `starling` program: a command whose parts are the commands.
#include <locale.h>
#include <signal.h>

#include "short_form.h"

#define DECLARE(name) extern const Command cmd_##name;
COMMANDS(DECLARE)
#define POINT(name) &cmd_##name,

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

static int show_version(Call *call) {
    return command_version(call_is_json(call));
}

static const Command row_version = {.name = "version",
                                    .usage = "--version [--json]",
                                    .about = "Prints the version of the program.",
                                    .examples = "starling --version",
                                    .options = options_table,
                                    .options_bytes = sizeof(CommonOptions),
                                    .run = show_version};

static const Command *const rows[] = {&row_version, COMMANDS(POINT) NULL};

static const Command program = {
    .name = "",
    .usage = "COMMAND [OPTION...]\nNETWORK [MACHINE] [OPTION...]",
    .about =
        "starling " SL_VERSION
        " - Map neural-network layers onto accelerators, with exact counts and proven bounds.\n"
        "'starling COMMAND --help' shows the options of a command.\n\n"
        "NETWORK MACHINE maps every layer of a network onto a machine, proves how good the "
        "mappings are and\n"
        "reports; it is short for 'starling map NETWORK --accel MACHINE --prove' and takes its "
        "options. A\n"
        "network is a bundled one, a layer of one (resnet18:conv2_1) or a file; a machine "
        "likewise.",
    .examples =
        "starling mobilenet_v2 eyeriss             map, prove and report in one line\n"
        "starling list networks                    the bundled networks\n"
        "starling map mobilenet_v2                 good mappings of every layer\n"
        "starling map resnet18 --prove             and their proven distance from the best\n"
        "starling eval resnet18                    the cost of every layer with a default mapping\n"
        "starling eval resnet18:conv2_1            every count of one layer\n"
        "starling study run table3 --quick         the sample efficiency of all methods",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .parts = rows,
};

int main(int argc, char **argv) {
    static const char *const show_help[] = {"--help"};
    const char *const *words = (const char *const *)argv + 1;
    // a reader that stops early closes the pipe; call_print sees it as an error code
    signal(SIGPIPE, SIG_IGN);
    // which characters the terminal has; numbers stay as they are in "C"
    setlocale(LC_CTYPE, "");
    if (argc < 2) return command_run(&program, 1, show_help);
    SlArena arena;
    sl_arena_init(&arena, 0);
    int n = argc - 1;
    const char *const *map = short_form(argc - 1, words, rows, &arena, &n);
    int code = command_run(&program, n, map ? map : words);
    sl_arena_free(&arena);
    return code;
}
