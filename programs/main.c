// main.c - the `starling` program: finds the command and runs it.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

#define DECLARE(name) extern const Command cmd_##name;
COMMANDS(DECLARE)
#define POINT(name) &cmd_##name,
static const Command *const rows[] = {COMMANDS(POINT) NULL};

// commands that parse their options themselves
typedef struct {
    const char *name, *summary;
    int (*run)(int argc, const char *const *argv);
} OldCommand;

static const OldCommand commands[] = {
    {"search", "find the best point of a space of your own with your own evaluator", cmd_search},
    {"eval", "what a layer, a network or a run of map costs, every number and why", cmd_eval},
    {"assign", "group the mapping parameters of a layer into agents", cmd_assign},
    {"train", "teach the agents of a particle world, by MADDPG or MASAC", cmd_train},
    {"profile", "where the time of training goes, phase by phase", cmd_profile},
    {"env", "play recorded episodes of multi-agent worlds again and compare", cmd_env},
    {"list", "bundled networks, accelerators and dataflows; methods, objectives, spaces, envs",
     cmd_list},
    {"bench", "how fast this machine evaluates costs, maps, and moves particles", cmd_bench},
    {0},
};

static const OldCommand *find_command(const char *name) {
    for (const OldCommand *command = commands; command->name; command++)
        if (strcmp(command->name, name) == 0) return command;
    return NULL;
}

static const Command *find_row(const char *name) {
    for (const Command *const *row = rows; *row; row++)
        if (strcmp((*row)->name, name) == 0) return *row;
    return NULL;
}

static int print_help(void) {
    SlArena arena;
    SlText text;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    sl_text_add(&text, "starling " SL_VERSION " - maps neural-network layers onto accelerators, "
                       "counting exactly\n\nUsage: starling COMMAND [OPTION...]\n\nCommands:\n");
    for (const OldCommand *command = commands; command->name; command++)
        sl_text_add(&text, "  %-9s%s\n", command->name, command->summary);
    for (const Command *const *row = rows; *row; row++)
        sl_text_add(&text, "  %-9s%s\n", (*row)->name, (*row)->summary);
    sl_text_add(&text,
                "\nstarling COMMAND --help shows the options of a command.\n\n"
                "Start here:\n"
                "  starling list networks                    what is bundled\n"
                "  starling map mobilenet_v2                 good mappings of every layer\n"
                "  starling map resnet18 --prove             and how far they are from the best\n"
                "  starling study run table3 --quick         who needs how many samples\n"
                "  starling eval resnet18                    every layer with a default mapping\n"
                "  starling eval resnet18:conv2_1            one layer, every number\n\n"
                "Exit codes: 0 done, 1 unfit or untrue, 2 something given is wrong, 3 cannot "
                "write, or no memory.\n");
    if (text.failed) command_no_memory();
    int code = command_print(text.data, text.n, CODE_DONE);
    sl_arena_free(&arena);
    return code;
}

static int unknown_command(const char *name) {
    const char *names[64];
    int n = 0;
    for (const OldCommand *command = commands; command->name; command++) names[n++] = command->name;
    for (const Command *const *row = rows; *row; row++) names[n++] = (*row)->name;
    names[n] = NULL;
    const char *near = sl_nearest_name(name, names);
    if (near) return command_refuse("unknown command '%.40s' (did you mean '%s'?)", name, near);
    return command_refuse("unknown command '%.40s'; see 'starling --help'", name);
}

// `starling help`, `starling help COMMAND`
static int help(int argc, const char *const *argv) {
    static const char *const show_help[] = {"--help"};
    if (argc == 0) return print_help();
    const Command *row = find_row(argv[0]);
    if (row) return command_run(row, 1, show_help);
    const OldCommand *command = find_command(argv[0]);
    return command ? command->run(1, show_help) : unknown_command(argv[0]);
}

static bool is(const char *word, const char *name, const char *other) {
    return strcmp(word, name) == 0 || strcmp(word, other) == 0;
}

int main(int argc, char **argv) {
    // a reader that stops early closes the pipe; command_print sees it as an error code
    signal(SIGPIPE, SIG_IGN);
    const char *const *words = (const char *const *)argv + 1;
    int n = argc - 1;
    if (n < 1 || is(words[0], "--help", "-h")) return print_help();
    if (is(words[0], "--version", "version"))
        return command_version(n > 1 && strcmp(words[1], "--json") == 0);
    if (strcmp(words[0], "help") == 0) return help(n - 1, words + 1);
    const Command *row = find_row(words[0]);
    if (row) return command_run(row, n - 1, words + 1);
    const OldCommand *command = find_command(words[0]);
    if (command) return command->run(n - 1, words + 1);
    if (words[0][0] == '-')
        return command_refuse("expected a command before '%.40s'; see 'starling --help'", words[0]);
    return unknown_command(words[0]);
}
