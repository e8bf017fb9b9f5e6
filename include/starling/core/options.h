// options.h - one table per options struct: help, parsing, validation, YAML, JSON and docs all walk
// it.
//
// Flow: static const SlOption table[] (or several, by sl_options_join) -> sl_options_init: defaults
//       -> sl_options_parse (argv) or sl_options_read (YAML) -> the filled struct; sl_options_help
//       and _json show it.
#pragma once

#include <stddef.h>

#include "starling/core/tree.h"

SL_API_BEGIN

typedef enum {
    SL_OPTION_FLAG,   // bool; no value on the command line
    SL_OPTION_INT,    // int64_t in min..max
    SL_OPTION_REAL,   // double in min..max
    SL_OPTION_TEXT,   // const char * (points into argv or the arena of the tree)
    SL_OPTION_CHOICE, // int, index into `choices`
} SlOptionKind;

typedef struct {
    const char *name; // "accel": --accel on the command line, `accel:` in YAML. NULL ends the table
    char letter;      // short form, 0 = none
    SlOptionKind kind;
    size_t offset;              // of the field in the options struct
    const char *fallback;       // default as text; NULL = false, 0, NULL or the first choice
    double min, max;            // INT and REAL, inclusive; both 0 = no limit
    const char *const *choices; // CHOICE, ends with NULL
    const char *value;          // how help names the value ("N", "FILE"); NULL for flags
    const char *help;           // a phrase that stands alone, no full stop; a gloss per choice
    const char *implied;        // value of a lone --name, which then takes another only behind '='
                                // (--name=value, -x4); NULL = a value must be given. Not for flags
} SlOption;

// One row of the table of an options struct `Type`: SL_OPT_WHOLE(Plan, "seed", seed, "0", 0, 9,
// "N", "seed of the run"). Behind the help stand the rare members (.letter = 's', .fallback =
// "true" of a flag, .implied = "5"). A field of a type that is not the option's does not compile.
#define SL_OPT_FLAG(Type, option, field, ...)                                                      \
    {                                                                                              \
        .name = (option), .kind = SL_OPTION_FLAG, .offset = SL_OPT_AT(Type, field, bool),          \
        .help = __VA_ARGS__                                                                        \
    }
#define SL_OPT_WHOLE(Type, option, field, usual, low, high, unit, ...)                             \
    {                                                                                              \
        .name = (option), .kind = SL_OPTION_INT, .offset = SL_OPT_AT(Type, field, int64_t),        \
        .fallback = (usual), .min = (low), .max = (high), .value = (unit), .help = __VA_ARGS__     \
    }
#define SL_OPT_REAL(Type, option, field, usual, low, high, unit, ...)                              \
    {                                                                                              \
        .name = (option), .kind = SL_OPTION_REAL, .offset = SL_OPT_AT(Type, field, double),        \
        .fallback = (usual), .min = (low), .max = (high), .value = (unit), .help = __VA_ARGS__     \
    }
#define SL_OPT_TEXT(Type, option, field, usual, unit, ...)                                         \
    {                                                                                              \
        .name = (option), .kind = SL_OPTION_TEXT, .offset = SL_OPT_AT(Type, field, const char *),  \
        .fallback = (usual), .value = (unit), .help = __VA_ARGS__                                  \
    }
#define SL_OPT_CHOICE(Type, option, field, usual, words, unit, ...)                                \
    {                                                                                              \
        .name = (option), .kind = SL_OPTION_CHOICE, .offset = SL_OPT_AT(Type, field, int),         \
        .fallback = (usual), .choices = (words), .value = (unit), .help = __VA_ARGS__              \
    }
// the offset of a field that must be of the type `Kind`
// NOLINTNEXTLINE(bugprone-macro-parentheses): a type
#define SL_OPT_AT(Type, field, Kind) _Generic(((Type *)0)->field, Kind : offsetof(Type, field))

// Rows for a joined table: those of a table whose struct lies at `offset` of the whole.
typedef struct {
    const SlOption *table;
    size_t offset;
    const char *names; // of the rows wanted, with blanks between; NULL = all
} SlOptionPart;
// One table of the rows of `parts` (n), in order. NULL without memory.
const SlOption *sl_options_join(int n, const SlOptionPart *parts, SlArena *arena);

enum { SL_OPTIONS_MAX_WORDS = 1024 };

// What is not an option, in order.
typedef struct {
    int n;
    const char *words[SL_OPTIONS_MAX_WORDS];
} SlWords;

// Fill the struct with the table's defaults. The defaults must be valid (asserted).
void sl_options_init(const SlOption *table, void *options);

// Set one option from text, as on the command line; checks name, kind, range.
SlStatus sl_options_set(const SlOption *table, void *options, const char *name, const char *value,
                        SlError *err);

// The values of all options of the table, from one struct to another.
void sl_options_copy(const SlOption *table, const void *from, void *to);

// Whether the option of that name, which must be in the table, has its default.
bool sl_option_is_default(const SlOption *table, const char *name, const void *options);

// --name value, --name=value, -x value, -j4 (numbers), --flag, --no-flag, "--" ends options. A
// lone --name of an option with an implied value takes that one: what follows is not its value.
// argv[0] is looked at like the rest: leave out the program's name. "-" and "-3" are words, "--x
// -3" sets x. Unknown names get a nearest-name hint. `words` NULL: words are an error.
SlStatus sl_options_parse(const SlOption *table, int argc, const char *const *argv, void *options,
                          SlWords *words, SlError *err);

// A YAML map of option names.
SlStatus sl_options_read(const SlOption *table, const SlNode *map, void *options, SlError *err);

// What one option means: "help (choices or limits; default: x)", cut to fit. Choices that the help
// names itself are not listed again. `limits` is for reference pages. Returns `out`.
const char *sl_option_meaning(const SlOption *option, bool limits, size_t n, char *out);

void sl_options_help(const SlOption *table,
                     SlText *out); // aligned lines for --help, with defaults

// One JSON object on one line, an option after the other as in the table: {"rate": 0.1, "seed": 1}.
// Reals have 15 significant digits; those that are not finite are null, as are texts that are NULL.
// `out` fails, too, where a text is not UTF-8.
void sl_options_json(const SlOption *table, const void *options, SlText *out);

SL_API_END
