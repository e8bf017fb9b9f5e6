// command.h - commands of the program: a command is a file with one row, `const Command cmd_NAME`,
// and its name in COMMANDS.
//
// Flow: command_run finds the row, parses options and words -> row->run(call) -> the library's work
// -> a document -> call_deliver -> exit code.
#pragma once

#include "starling/report/doc.h"

// Exit codes, as documented in the help and the man page.
enum {
    CODE_DONE = 0,
    CODE_UNFIT = 1,    // the given mapping does not fit the accelerator
    CODE_FALSE = 1,    // a certificate claims what is not so
    CODE_INPUT = 2,    // something given is wrong; one sentence on standard error says what
    CODE_SYSTEM = 3,   // a file cannot be written, or memory ran out
    CODE_SIGNAL = 128, // plus the signal that ended a run early: 130 for Ctrl-C
};

// Options of every command: the first member of its options struct.
typedef struct {
    bool json, quiet, help, version;
    int form;        // SlForm
    const char *out; // folder for files, NULL = none
} CommonOptions;

// Their rows, to stand last in the command's table before the closing {0}.
#define COMMON_OPTIONS                                                                             \
    SL_OPT_FLAG(CommonOptions, "json", json, "print a JSON document with a schema version"),       \
        SL_OPT_CHOICE(CommonOptions, "form", form, NULL, sl_form_names, "FORM", "output form"),    \
        SL_OPT_TEXT(CommonOptions, "out", out, NULL, "DIR",                                        \
                    "write result files to DIR (created if missing)"),                             \
        SL_OPT_FLAG(CommonOptions, "quiet", quiet, "print errors only", .letter = 'q'),            \
        SL_OPT_FLAG(CommonOptions, "help", help, "print this help", .letter = 'h'),                \
        SL_OPT_FLAG(CommonOptions, "version", version, "print the version")

typedef struct Call Call;

typedef struct Command Command;
struct Command {
    const char *name;        // "eval"; of a part: "bench cost"
    const char *summary;     // one line in `starling --help`; NULL = an older name, not shown
    const char *usage;       // "eval [WORKLOAD] [OPTION...]", one line per form
    const char *about;       // what it does, lines of at most 100 columns
    const char *examples;    // one whole command per line
    const SlOption *options; // its whole table; or
    const SlOption *(*join)(SlArena *arena); // ... that made of several (sl_options_join)
    size_t options_bytes;                    // of its options struct
    int (*run)(Call *call); // returns the exit code; NULL = one of the parts must be named
    // Commands of its own, by the last word of their names: ends with NULL. The row itself runs
    // when none of them is named.
    const Command *const *parts;
};

// One call of a command.
struct Call {
    const Command *command;
    const void *options;         // its options struct, filled
    const CommonOptions *common; // the same
    SlWords words;
    SlArena *arena; // freed when the command returns
};

// All commands, in the order of the help: ROW(name) for each row `cmd_name`.
// clang-format off
#define COMMANDS(ROW)                                                                              \
    ROW(map) ROW(search) ROW(eval) ROW(tune) ROW(verify) ROW(learn) ROW(study) ROW(assign)                    \
    ROW(train) ROW(profile) ROW(env) ROW(list) ROW(bench) ROW(doctor) ROW(completion)
// clang-format on

// Run what follows the command's name; returns the exit code. The words may name a part of it;
// "help" before or behind the name of a command or part asks for help, as --help does.
int command_run(const Command *command, int argc, const char *const *argv);
int command_version(bool json); // prints it

// ---- what goes wrong ----

// Tell an error as "starling: file:line:column: sentence" on standard error, with --json also as a
// document (starling.error/1) on standard output; returns its exit code.
int call_fail(const Call *call, SlStatus status, const SlError *err);
// On standard error alone, where a document about the rest follows.
int call_tell(SlStatus status, const SlError *err);
// The same for a sentence of the program's own; the exit code is CODE_INPUT.
int call_refuse(const Call *call, const char *fmt, ...) SL_PRINTF(2, 3);
// Refuses, with "--NAME: does not apply to WHERE", the first of the options `names` (blanks between
// them) that is not at its default; CODE_DONE if there is none.
int call_refuse_idle(const Call *call, const char *names, const char *where);

// Tell that memory ran out and exit; and the check that does so for NULL.
_Noreturn void call_no_memory(void);
void *call_need(void *pointer);

// ---- what comes out ----

SlForm call_form(const Call *call); // of what is printed
bool call_is_json(const Call *call);

// Print the document in the form asked for; with --out also leave its files there. Returns `code`
// or the code of what went wrong.
int call_deliver(const Call *call, const SlDoc *doc, const char *name, int code);
int call_show(const Call *call, const SlDoc *doc, int code); // prints alone
// NAME.txt, NAME.json, NAME.html, TABLE.csv and FIGURE.svg in the folder, made if missing.
SlStatus call_write_files(const SlDoc *doc, const char *dir, const char *name, SlError *err);

// Write all bytes to standard output. A reader that stops early (head) is no error. Returns `code`,
// or CODE_SYSTEM if the output cannot be written.
int call_print(const Call *call, const char *bytes, size_t n, int code);

// A line on standard error for people, unless --quiet.
void call_note(const Call *call, const char *fmt, ...) SL_PRINTF(2, 3);

// ---- files ----

// Make the folder `dir` (and those it is in) if missing; write DIR/NAME.
SlStatus folder_make(const char *dir, SlError *err);
SlStatus folder_write(const char *dir, const char *name, const SlText *text, SlError *err);

// A name (of a layer, a workload) as the name of a file: letters, digits, '_', '-' and '.' (not
// first) stay, everything else becomes '_'.
enum { FILE_NAME_ROOM = 80 };
void folder_file_name(const char *name, char out[static FILE_NAME_ROOM]);
