// command.h - what every command of the program shares: options, help, exit codes, output.
//
// Flow: main.c finds the command -> cmd_*(argc, argv) -> command_parse -> the work ->
// command_deliver -> exit code.
#pragma once

#include "call.h"
#include "json_glue.h"
#include "starling/core.h"

struct json_t;

// The commands. `argv` (argc) is what follows the command's name.
int cmd_map(int argc, const char *const *argv);

// What `--help` says about a command.
typedef struct {
    const char *usage;       // "eval [WORKLOAD] [OPTION...]", one line per form
    const char *about;       // what it does, lines of at most 100 columns
    const SlOption *options; // its whole table
    const char *examples;    // one whole command per line
} CommandHelp;

// Fill `options` and `words` from the command line. False: there is nothing left to do (help or the
// version was shown, or an error was told), *code is what to exit with.
bool command_parse(const CommandHelp *help, int argc, const char *const *argv, void *options,
                   SlWords *words, int *code);

// Tell an error on standard error as "starling: file:line:column: sentence"; returns its exit code.
int command_fail(SlStatus status, const SlError *err);

// The same for a sentence of the program's own; the exit code is CODE_INPUT.
int command_refuse(const char *fmt, ...) SL_PRINTF(1, 2);

// Refuses, with "--NAME: does not apply to WHERE", the first of the options `names` (blanks between
// them) that is not at its default; CODE_DONE if there is none.
int command_refuse_idle(const SlOption *table, const void *options, const char *names,
                        const char *where);

// A line on standard error for people, unless --quiet.
void command_note(const CommonOptions *common, const char *fmt, ...) SL_PRINTF(2, 3);

// Write all bytes to standard output. A reader that stops early (head) is no error. Returns `code`,
// or CODE_SYSTEM if the output cannot be written.
int command_print(const char *bytes, size_t n, int code);

// Print `text`, or `json` with --json; with --out also write DIR/NAME.txt and DIR/NAME.json. Takes
// the reference. `json` may be NULL when command_wants_json is false. Returns `code` or the code of
// what went wrong.
bool command_wants_json(const CommonOptions *common);
int command_deliver(const CommonOptions *common, const char *name, const SlText *text,
                    struct json_t *json, int code);

// Make the folder `dir` (and those it is in) if missing; write DIR/NAME.
SlStatus command_make_dir(const char *dir, SlError *err);
SlStatus command_write(const char *dir, const char *name, const SlText *text, SlError *err);

// A name (of a layer, a workload) as the name of a file: letters, digits, '_', '-' and '.' (not
// first) stay, everything else becomes '_'.
void command_file_name(const char *name, char out[static FILE_NAME_ROOM]);

// Tell that memory ran out and exit; and the check that does so for NULL.
_Noreturn void command_no_memory(void);
void *command_need(void *pointer);

// Put a new reference into an object or array; exits when memory ran out.
void json_put(struct json_t *object, const char *key, struct json_t *value);
void json_add(struct json_t *array, struct json_t *value);
void json_put_text(struct json_t *object, const char *key, const char *text); // valid UTF-8
void json_put_number(struct json_t *object, const char *key, double value);
