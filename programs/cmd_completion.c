// cmd_completion.c - `starling completion SHELL`: a completion script from the option tables.
#include "completion.h"

#include <string.h>

static const SlOption options_table[] = {COMMON_OPTIONS, {0}};

#define DECLARE(name) extern const Command cmd_##name;
COMMANDS(DECLARE)
#define POINT(name) &cmd_##name,
static const Command *const commands[] = {COMMANDS(POINT) NULL};

static int run(Call *call) {
    const char *shell = call->words.n == 1 ? call->words.words[0] : NULL;
    int which = 0;
    while (shell && which < N_SHELLS && strcmp(shell, shell_names[which]) != 0) which++;
    if (!shell || which == N_SHELLS)
        return call_refuse(call, "completion: expected bash, zsh or fish");
    SlText text;
    sl_text_init(&text, call->arena);
    completion_write((Shell)which, commands, call->arena, &text);
    if (text.failed) call_no_memory();
    return call_print(call, text.data, text.n, CODE_DONE);
}

const Command cmd_completion = {
    .name = "completion",
    .summary = "print a completion script for bash, zsh or fish",
    .usage = "completion bash|zsh|fish",
    .about = "Prints a script that completes commands, options, their choices and bundled names. "
             "It is made from\nthe option tables. 'make install' installs all three; by hand: "
             "source <(starling completion bash).",
    .examples = "starling completion bash > ~/.local/share/bash-completion/completions/starling\n"
                "starling completion zsh > ~/.zfunc/_starling\n"
                "starling completion fish > ~/.config/fish/completions/starling.fish",
    .options = options_table,
    .options_bytes = sizeof(CommonOptions),
    .run = run,
};
