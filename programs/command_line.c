// command_line.c - from the words of a command line to the row that runs: parts, options, help.
#include <string.h>

#include "command.h"

// ---- help ----

// "Usage: starling eval ...", further forms below each other
static void add_usage(const char *usage, SlText *out) {
    for (const char *lead = "Usage:"; *usage; lead = "      ") {
        size_t n = strcspn(usage, "\n");
        sl_text_add(out, "%s starling %.*s\n", lead, (int)n, usage);
        usage += n + (usage[n] == '\n');
    }
}

static void add_examples(const char *examples, SlText *out) {
    while (*examples) {
        size_t n = strcspn(examples, "\n");
        sl_text_add(out, "  %.*s\n", (int)n, examples);
        examples += n + (examples[n] == '\n');
    }
}

static void add_parts(const Command *command, SlText *out) {
    size_t widest = 0;
    for (const Command *const *part = command->parts; *part; part++) {
        size_t n = strlen((*part)->name);
        if ((*part)->summary && n > widest) widest = n;
    }
    sl_text_add(out, "\nCommands:\n");
    for (const Command *const *part = command->parts; *part; part++)
        if ((*part)->summary)
            sl_text_add(out, "  %-*s  %s\n", (int)widest, (*part)->name, (*part)->summary);
}

static int print_help(const Call *call) {
    const Command *command = call->command;
    SlText text;
    sl_text_init(&text, call->arena);
    add_usage(command->usage, &text);
    sl_text_add(&text, "\n%s\n", command->about);
    if (command->parts) add_parts(command, &text);
    sl_text_add(&text, "\nOptions:\n");
    sl_options_help(command->options, &text);
    sl_text_add(&text, "\nExamples:\n");
    add_examples(command->examples, &text);
    sl_text_add(&text, "\n"
                       "Exit codes: 0 success, 1 mapping does not fit or proof fails, 2 invalid "
                       "input, 3 write error\n"
                       "or out of memory.\n");
    if (text.failed) call_no_memory();
    return call_print(call, text.data, text.n, CODE_DONE);
}

// ---- running ----

enum { MAX_PARTS = 63 };

// What follows the name of a command, while its row is looked for.
typedef struct {
    int n;
    const char **words;
    bool help;             // "help" was among them
    const Command *parent; // whose part the row is, NULL = none
} Line;

static const char *part_name(const Command *part) {
    const char *last = strrchr(part->name, ' ');
    return last ? last + 1 : part->name;
}

static const Command *find_part(const Command *command, const char *name) {
    for (const Command *const *part = command->parts; *part; part++)
        if (strcmp(part_name(*part), name) == 0) return *part;
    return NULL;
}

// does the word behind this one belong to it? By the options of the command and of all its parts
static bool takes_value(const Command *command, const char *word) {
    for (const SlOption *option = command->options; option && option->name; option++) {
        if (option->kind == SL_OPTION_FLAG || option->implied) continue;
        if (strncmp(word, "--", 2) == 0 ? strcmp(word + 2, option->name) == 0
                                        : word[1] && word[1] == option->letter && !word[2])
            return true;
    }
    for (const Command *const *part = command->parts; part && *part; part++)
        if (takes_value(*part, word)) return true;
    return false;
}

// the first word that is no option; line->n if there is none
static int first_word(const Command *command, const Line *line) {
    int i = 0;
    while (i < line->n && line->words[i][0] == '-')
        i += takes_value(command, line->words[i]) ? 2 : 1;
    return i < line->n ? i : line->n;
}

// the row that the words lead to ("study run" of study), which are taken out of the line
static const Command *find_row(const Command *command, Line *line) {
    while (command->parts) {
        int at = first_word(command, line);
        if (at == line->n) break;
        const Command *part = find_part(command, line->words[at]);
        bool help = !part && strcmp(line->words[at], "help") == 0;
        if (!part && !help) break;
        line->help |= help;
        if (part) {
            line->parent = command;
            command = part;
        }
        line->n--;
        for (int i = at; i < line->n; i++) line->words[i] = line->words[i + 1];
    }
    // "map help": alone, it is no workload; a file of that name is ./help
    if (!command->parts && line->n == 1 && strcmp(line->words[0], "help") == 0) {
        line->help = true;
        line->n = 0;
    }
    return command;
}

// "networks, accels or envs": the parts that the help shows, whose names go to `names`
static const char *list_parts(const Call *call, const char *names[static MAX_PARTS + 1]) {
    const Command *const *parts = call->command->parts;
    int n = 0;
    SlText list;
    sl_text_init(&list, call->arena);
    for (int i = 0; parts[i] && n < MAX_PARTS; i++)
        if (parts[i]->summary) names[n++] = part_name(parts[i]);
    names[n] = NULL;
    for (int i = 0; i < n; i++)
        sl_text_add(&list, "%s%s", i == 0 ? "" : i == n - 1 ? " or " : ", ", names[i]);
    if (list.failed) call_no_memory();
    return list.data;
}

// no part was named (NULL), or none of that name
static int refuse_part(const Call *call, const char *wrong) {
    const Command *command = call->command;
    const char *names[MAX_PARTS + 1];
    const char *list = list_parts(call, names),
               *near = wrong ? sl_nearest_name(wrong, names) : NULL;
    const char *lead = command->name, *colon = *lead ? ": " : "";
    if (near)
        return call_refuse(call, "%s%sunknown command '%.40s' (did you mean '%s'?)", lead, colon,
                           wrong, near);
    if (wrong)
        return call_refuse(call, "%s%sunknown command '%.40s', expected %s", lead, colon, wrong,
                           list);
    return call_refuse(call, "%s%sexpected %s; see 'starling %s%s--help'", lead, colon, list, lead,
                       *lead ? " " : "");
}

static bool has_word(const Line *line, const char *word) {
    for (int i = 0; i < line->n; i++)
        if (strcmp(line->words[i], word) == 0) return true;
    return false;
}

static bool has_option(const SlOption *table, const char *word) {
    size_t n = strcspn(word, "=");
    for (; table && table->name; table++)
        if (strlen(table->name) == n && strncmp(table->name, word, n) == 0) return true;
    return false;
}

// an option that only other parts of the command have, as it was given; NULL = there is none
static const char *option_elsewhere(const Command *command, const Line *line) {
    for (int i = 0; i < line->n; i++) {
        const char *word = line->words[i];
        if (strncmp(word, "--", 2) != 0 || has_option(command->options, word + 2)) continue;
        const Command *const *other = line->parent ? line->parent->parts : NULL;
        for (; other && *other; other++)
            if (has_option((*other)->options, word + 2)) return word;
    }
    return NULL;
}

static int refuse_line(Call *call, const Line *line, SlStatus status, SlError *err) {
    const char *idle = option_elsewhere(call->command, line);
    if (idle)
        return call_refuse(call, "%.*s: does not apply to %s", (int)strcspn(idle, "="), idle,
                           call->command->name);
    return call_fail(call, status, err);
}

static int parse_and_run(Call *call, const Line *line) {
    const Command *command = call->command;
    CommonOptions *common = (CommonOptions *)call->options;
    SlError err;
    sl_options_init(command->options, common);
    SlStatus status =
        sl_options_parse(command->options, line->n, line->words, common, &call->words, &err);
    bool needs_part = command->parts && !command->run;
    int at = needs_part ? first_word(command, line) : line->n;
    // a word that should have been a part is told before options that only the part knows
    if (at < line->n || status != SL_OK) common->json |= has_word(line, "--json");
    if (at < line->n) return refuse_part(call, line->words[at]);
    if (status != SL_OK) return refuse_line(call, line, status, &err);
    if (common->help || line->help) return print_help(call);
    if (common->version) return command_version(call_is_json(call));
    return needs_part ? refuse_part(call, NULL) : command->run(call);
}

int command_run(const Command *command, int argc, const char *const *argv) {
    SlArena arena;
    sl_arena_init(&arena, 0);
    Line line = {.n = argc, .words = call_need(SL_NEW(&arena, argc + 1, const char *))};
    for (int i = 0; i < argc; i++) line.words[i] = argv[i];
    const Command *row = find_row(command, &line);
    Command whole = *row;
    if (row->join) whole.options = call_need((void *)row->join(&arena));
    void *options = call_need(sl_arena_alloc(&arena, 1, row->options_bytes));
    Call *call = call_need(SL_NEW(&arena, 1, Call));
    *call = (Call){.command = &whole, .options = options, .common = options, .arena = &arena};
    int code = parse_and_run(call, &line);
    sl_arena_free(&arena);
    return code;
}
