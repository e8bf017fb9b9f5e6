// short_form.c - `starling NET [MACHINE] [OPTION...]` as the words of `starling map`.
#include "short_form.h"

#include <string.h>

static bool is_command(const char *word, const Command *const *commands) {
    for (; *commands; commands++)
        if (strcmp((*commands)->name, word) == 0) return true;
    return strcmp(word, "help") == 0;
}

// "resnet18", "resnet18:conv2_1", "conv:K=64,...", "mine.yaml", "./mine"; names of commands have
// none of these marks
static bool is_workload(const char *word) {
    return strpbrk(word, "./:") || sl_bundle_find("networks", word);
}

static bool is_machine(const char *word) {
    return sl_bundle_is_path(word) || sl_bundle_find("accels", word);
}

static bool is_option(const char *word) {
    return word[0] == '-';
}

const char *const *short_form(int argc, const char *const *argv, const Command *const *commands,
                              SlArena *arena, int *n) {
    if (argc < 1 || is_option(argv[0]) || is_command(argv[0], commands)) return NULL;
    bool second = argc > 1 && !is_option(argv[1]);
    // a network that is misspelt beside a machine is told as such
    if (!is_workload(argv[0]) && !(second && is_machine(argv[1]))) return NULL;
    const char **words = call_need(SL_NEW(arena, argc + 4, const char *));
    *n = 0;
    words[(*n)++] = "map";
    words[(*n)++] = "--prove"; // first: a --prove=PERCENT behind it stands
    words[(*n)++] = argv[0];
    if (second) words[(*n)++] = "--accel";
    for (int i = 1; i < argc; i++) words[(*n)++] = argv[i];
    return words;
}
