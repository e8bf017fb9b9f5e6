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
                                    .about = "Shows the version of the program.",
                                    .examples = "starling --version",
                                    .options = options_table,
                                    .options_bytes = sizeof(CommonOptions),
                                    .run = show_version};

static const Command *const rows[] = {&row_version, COMMANDS(POINT) NULL};

static const Command program = {
    .name = "",
    .usage = "COMMAND [OPTION...]\nNETWORK [MACHINE] [OPTION...]",
    .about =
        "starling " SL_VERSION " - maps neural-network layers onto accelerators, counting "
        "exactly.\n'starling COMMAND --help' shows the options of a command.\n\n"
        "NETWORK MACHINE maps every layer of the network onto the machine, proves how good the "
        "mappings are\nand reports: 'starling map NETWORK --accel MACHINE --prove', whose "
        "options it takes. A network is a\nbundled one, a layer of it (resnet18:conv2_1) or a "
        "file, a machine a bundled one or a file.",
    .examples = "starling mobilenet_v2 eyeriss             map, prove and report in one line\n"
                "starling list networks                    what is bundled\n"
                "starling map mobilenet_v2                 good mappings of every layer\n"
                "starling map resnet18 --prove             and how far they are from the best\n"
                "starling study run table3 --quick         who needs how many samples\n"
                "starling eval resnet18                    every layer with a default mapping\n"
                "starling eval resnet18:conv2_1            one layer, every number",
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
