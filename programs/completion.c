// completion.c - completion scripts for bash, zsh and fish: one table of words per command, walked
// for each shell.
#include "completion.h"

#include <string.h>

const char *const shell_names[N_SHELLS + 1] = {"bash", "zsh", "fish", NULL};

// ---- what there is to complete ----

// Options whose values are bundled names: the folder of the bundle.
static const struct {
    const char *option, *folder;
} bundled[] = {{"accel", "accels"}, {"constraints", "constraints"}, {"flock", "flocks"}};

enum { MOST_NAMES = 64 };

static const char *const *names_of(const char *folder, const char *names[static MOST_NAMES]) {
    int n = sl_bundle_names(folder, MOST_NAMES - 1, names);
    names[n < MOST_NAMES - 1 ? n : MOST_NAMES - 1] = NULL;
    return names;
}

// the words that may stand behind an option; NULL = any, or a file
static const char *const *values_of(const SlOption *option, const char *names[static MOST_NAMES]) {
    if (option->kind == SL_OPTION_CHOICE) return option->choices;
    for (size_t i = 0; i < sizeof bundled / sizeof *bundled; i++)
        if (strcmp(option->name, bundled[i].option) == 0) return names_of(bundled[i].folder, names);
    return NULL;
}

static bool is_older(const SlOption *option) {
    return strncmp(option->help, "older name", 10) == 0;
}

static const SlOption *table_of(const Command *command, SlArena *arena) {
    return command->join ? call_need((void *)command->join(arena)) : command->options;
}

static const char *last_word(const char *name) {
    const char *last = strrchr(name, ' ');
    return last ? last + 1 : name;
}

// commands that take a network as their first word
static bool takes_network(const Command *command) {
    return strstr(command->usage, "WORKLOAD") || strstr(command->usage, "LAYER");
}

static void add_words(const char *const *words, SlText *out) {
    for (; words && *words; words++) sl_text_add(out, " %s", *words);
}

// in single quotes of a shell, without what would end them or what zsh reads as its own
static void add_quoted(const char *text, SlText *out) {
    for (; *text; text++)
        sl_text_put(out, *text == '\'' ? "" : strchr("[]:\\`$", *text) ? " " : text, *text != '\'');
}

// ---- bash ----

static void bash_words(const Command *command, const SlOption *table, SlText *out) {
    sl_text_add(out, "        words=\"");
    for (const Command *const *part = command->parts; part && *part; part++)
        sl_text_add(out, "%s ", last_word((*part)->name));
    for (; table && table->name; table++)
        if (!is_older(table)) sl_text_add(out, "--%s ", table->name);
    if (takes_network(command)) sl_text_add(out, "$networks");
    sl_text_add(out, "\"");
}

static void bash_values(const char *command, const SlOption *table, SlText *out) {
    const char *names[MOST_NAMES];
    for (; table && table->name; table++) {
        const char *const *values = values_of(table, names);
        if (!values) continue;
        sl_text_add(out, "    '%s --%s') COMPREPLY=($(compgen -W '", command, table->name);
        add_words(values, out);
        sl_text_add(out, "' -- \"$word\"));;\n");
    }
}

static void write_bash(const Command *const *commands, SlArena *arena, SlText *out) {
    const char *names[MOST_NAMES];
    sl_text_add(out, "# bash completion of starling, made by 'starling completion bash'\n"
                     "_starling() {\n    local word=${COMP_WORDS[COMP_CWORD]} "
                     "last=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words networks\n"
                     "    networks='");
    add_words(names_of("networks", names), out);
    sl_text_add(out, "'\n    COMPREPLY=()\n    if ((COMP_CWORD == 1)); then\n        "
                     "COMPREPLY=($(compgen -W \"");
    for (const Command *const *command = commands; *command; command++)
        sl_text_add(out, "%s ", (*command)->name);
    sl_text_add(out, "$networks --help --version\" -- \"$word\"))\n        return\n    fi\n"
                     "    case \"$command $last\" in\n");
    for (const Command *const *command = commands; *command; command++)
        bash_values((*command)->name, table_of(*command, arena), out);
    sl_text_add(out, "    *)\n        case $command in\n");
    for (const Command *const *command = commands; *command; command++) {
        sl_text_add(out, "        %s)\n    ", (*command)->name);
        bash_words(*command, table_of(*command, arena), out);
        sl_text_add(out, ";;\n");
    }
    sl_text_add(out, "        *) words='--accel --prove --compare --sensitivity --help';;\n"
                     "        esac\n"
                     "        COMPREPLY=($(compgen -W \"$words\" -- \"$word\"));;\n    esac\n}\n"
                     "complete -o default -F _starling starling\n");
}

// ---- zsh ----

static void zsh_option(const SlOption *option, SlText *out) {
    const char *names[MOST_NAMES];
    const char *const *values = values_of(option, names);
    sl_text_add(out, "        '--%s%s[", option->name,
                option->kind == SL_OPTION_FLAG ? ""
                : option->implied              ? "=-"
                                               : "=");
    add_quoted(option->help, out);
    sl_text_add(out, "]");
    if (option->kind != SL_OPTION_FLAG) sl_text_add(out, ":%s:", option->name);
    if (values) {
        sl_text_add(out, "(");
        add_words(values, out);
        sl_text_add(out, ")");
    } else if (option->kind == SL_OPTION_TEXT) {
        sl_text_add(out, "_files");
    }
    sl_text_add(out, "' \\\n");
}

static void zsh_command(const Command *command, const SlOption *table, SlText *out) {
    const char *names[MOST_NAMES];
    sl_text_add(out, "    %s)\n        _arguments \\\n", command->name);
    for (; table && table->name; table++)
        if (!is_older(table)) zsh_option(table, out);
    sl_text_add(out, "        '*:argument:");
    if (command->parts || takes_network(command)) {
        sl_text_add(out, "(");
        for (const Command *const *part = command->parts; part && *part; part++)
            sl_text_add(out, " %s", last_word((*part)->name));
        if (takes_network(command)) add_words(names_of("networks", names), out);
        sl_text_add(out, ")'\n");
    } else {
        sl_text_add(out, "_files'\n");
    }
    sl_text_add(out, "        ;;\n");
}

static void write_zsh(const Command *const *commands, SlArena *arena, SlText *out) {
    const char *names[MOST_NAMES];
    sl_text_add(out,
                "#compdef starling\n# zsh completion of starling, made by 'starling completion "
                "zsh'\nlocal -a commands\ncommands=(\n");
    for (const Command *const *command = commands; *command; command++) {
        sl_text_add(out, "    '%s:", (*command)->name);
        add_quoted((*command)->summary ? (*command)->summary : "", out);
        sl_text_add(out, "'\n");
    }
    for (const char *const *net = names_of("networks", names); *net; net++)
        sl_text_add(out, "    '%s:network'\n", *net);
    sl_text_add(out, ")\nif ((CURRENT == 2)); then\n    _describe command commands\nelse\n"
                     "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
                     "    case $command in\n");
    for (const Command *const *command = commands; *command; command++)
        zsh_command(*command, table_of(*command, arena), out);
    sl_text_add(out, "    *) _files ;;\n    esac\nfi\n");
}

// ---- fish ----

static void fish_command(const Command *command, const SlOption *table, SlText *out) {
    const char *names[MOST_NAMES], *lead = "complete -c starling -n '__fish_seen_subcommand_from";
    for (const Command *const *part = command->parts; part && *part; part++)
        sl_text_add(out, "%s %s' -a %s\n", lead, command->name, last_word((*part)->name));
    if (takes_network(command)) {
        sl_text_add(out, "%s %s' -a '", lead, command->name);
        add_words(names_of("networks", names), out);
        sl_text_add(out, "'\n");
    }
    for (; table && table->name; table++) {
        const char *const *values = values_of(table, names);
        if (is_older(table)) continue;
        sl_text_add(out, "%s %s' -l %s", lead, command->name, table->name);
        if (table->letter) sl_text_add(out, " -s %c", table->letter);
        if (table->kind != SL_OPTION_FLAG && !table->implied) sl_text_add(out, " -r");
        if (values) {
            sl_text_add(out, " -f -a '");
            add_words(values, out);
            sl_text_add(out, "'");
        }
        sl_text_add(out, " -d '");
        add_quoted(table->help, out);
        sl_text_add(out, "'\n");
    }
}

static void write_fish(const Command *const *commands, SlArena *arena, SlText *out) {
    const char *names[MOST_NAMES];
    sl_text_add(out, "# fish completion of starling, made by 'starling completion fish'\n");
    for (const Command *const *command = commands; *command; command++) {
        sl_text_add(out, "complete -c starling -n __fish_use_subcommand -a %s -d '",
                    (*command)->name);
        add_quoted((*command)->summary ? (*command)->summary : "", out);
        sl_text_add(out, "'\n");
    }
    sl_text_add(out, "complete -c starling -n __fish_use_subcommand -a '");
    add_words(names_of("networks", names), out);
    sl_text_add(out, "' -d network\n");
    for (const Command *const *command = commands; *command; command++)
        fish_command(*command, table_of(*command, arena), out);
}

void completion_write(Shell shell, const Command *const *commands, SlArena *arena, SlText *out) {
    static void (*const writers[N_SHELLS])(const Command *const *, SlArena *, SlText *) = {
        [SHELL_BASH] = write_bash, [SHELL_ZSH] = write_zsh, [SHELL_FISH] = write_fish};
    writers[shell](commands, arena, out);
}
