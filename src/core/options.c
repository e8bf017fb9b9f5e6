// options.c - fill an options struct from defaults, the command line or YAML by walking its table.
#include "starling/core/options.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "options_inside.h"
#include "utf8.h"

static const SlOption *find_name(const SlOption *table, const char *name, size_t n) {
    for (; table->name; table++) {
        if (strlen(table->name) == n && memcmp(table->name, name, n) == 0) return table;
    }
    return NULL;
}

static const SlOption *find_letter(const SlOption *table, char letter) {
    for (; table->name; table++) {
        if (table->letter && table->letter == letter) return table;
    }
    return NULL;
}

// the option whose name is nearest to `word`, NULL if none is near
static const char *nearest_option(const SlOption *table, const char *word) {
    const char *best = NULL;
    int best_distance = 0;
    for (; table->name; table++) {
        int distance = sl_name_distance(word, table->name);
        if (distance < 0 || (best && distance >= best_distance)) continue;
        best = table->name;
        best_distance = distance;
    }
    return best;
}

static bool is_unlimited(const SlOption *option) {
    return option->min == 0 && option->max == 0;
}

// a limit of a table is a double; the ends of int64_t stand for "no limit"
static int64_t whole_limit(double limit) {
    if (limit >= 0x1p63) return INT64_MAX;
    if (limit < -0x1p63) return INT64_MIN;
    return (int64_t)limit;
}

SlIntRange sl_option_int_range(const SlOption *option) {
    if (is_unlimited(option)) return (SlIntRange){INT64_MIN, INT64_MAX};
    return (SlIntRange){whole_limit(option->min), whole_limit(option->max)};
}

SlRealRange sl_option_real_range(const SlOption *option) {
    if (is_unlimited(option)) return (SlRealRange){-INFINITY, INFINITY};
    return (SlRealRange){option->min, option->max};
}

// "--name: expected <what><range>, got 'value'"
static SlStatus fail_value(const SlOption *option, const char *what, const char *range,
                           const char *value, SlError *err) {
    char got[SL_QUOTE_ROOM];
    return sl_fail(err, SL_EINPUT, "--%s: expected %s%s, got %s", option->name, what, range,
                   sl_quote(value, got));
}

static SlStatus set_flag(const SlOption *option, bool *field, const char *value, SlError *err) {
    if (sl_scan_bool(value, field)) return SL_OK;
    return fail_value(option, "true or false", "", value, err);
}

static SlStatus set_int(const SlOption *option, int64_t *field, const char *value, SlError *err) {
    SlIntRange range = sl_option_int_range(option);
    int64_t number = 0;
    bool whole = sl_scan_int(value, strlen(value), 1, &number);
    if (!whole || number < range.lo || number > range.hi) {
        char limits[SL_RANGE_ROOM];
        sl_range_int(range.lo, range.hi, limits);
        return fail_value(option, "a whole number", limits, value, err);
    }
    *field = number;
    return SL_OK;
}

static SlStatus set_real(const SlOption *option, double *field, const char *value, SlError *err) {
    SlRealRange range = sl_option_real_range(option);
    double number = 0;
    if (!sl_scan_real(value, &number) || number < range.lo || number > range.hi) {
        char limits[SL_RANGE_ROOM];
        sl_range_real(range.lo, range.hi, limits);
        return fail_value(option, "a number", limits, value, err);
    }
    *field = number;
    return SL_OK;
}

// texts reach JSON and error sentences, so they must be UTF-8 there already
static SlStatus set_text(const SlOption *option, const char **field, const char *value,
                         SlError *err) {
    size_t n = strlen(value);
    for (size_t i = 0; i < n;) {
        int size = sl_utf8_size(value + i, n - i);
        if (size == 0) return fail_value(option, "UTF-8 text", "", value, err);
        i += (size_t)size;
    }
    *field = value;
    return SL_OK;
}

static SlStatus set_choice(const SlOption *option, int *field, const char *value, SlError *err) {
    int i = sl_choice_find(value, option->choices);
    if (i < 0) {
        char sentence[SL_SENTENCE_ROOM];
        return sl_fail(err, SL_EINPUT, "--%s: %s", option->name,
                       sl_choice_sentence(value, option->choices, sentence));
    }
    *field = i;
    return SL_OK;
}

static SlStatus set_option(const SlOption *option, void *options, const char *value, SlError *err) {
    void *field = (char *)options + option->offset;
    switch (option->kind) {
    case SL_OPTION_FLAG:
        return set_flag(option, field, value, err);
    case SL_OPTION_INT:
        return set_int(option, field, value, err);
    case SL_OPTION_REAL:
        return set_real(option, field, value, err);
    case SL_OPTION_TEXT:
        return set_text(option, field, value, err);
    case SL_OPTION_CHOICE:
        return set_choice(option, field, value, err);
    }
    assert(!"an option of unknown kind");
    return SL_EINPUT;
}

// the value of an option without a default
static void set_nothing(const SlOption *option, void *options) {
    void *field = (char *)options + option->offset;
    switch (option->kind) {
    case SL_OPTION_FLAG:
        *(bool *)field = false;
        break;
    case SL_OPTION_INT:
        *(int64_t *)field = 0;
        break;
    case SL_OPTION_REAL:
        *(double *)field = 0;
        break;
    case SL_OPTION_TEXT:
        *(const char **)field = NULL;
        break;
    case SL_OPTION_CHOICE:
        *(int *)field = 0;
        break;
    }
}

void sl_options_init(const SlOption *table, void *options) {
    for (; table->name; table++) {
        set_nothing(table, options);
        if (!table->fallback) continue;
        SlStatus status = set_option(table, options, table->fallback, NULL);
        assert(status == SL_OK && "the default of an option is not valid");
        (void)status;
    }
}

// bytes of the field, by the kind of the option
static const size_t field_bytes[] = {[SL_OPTION_FLAG] = sizeof(bool),
                                     [SL_OPTION_INT] = sizeof(int64_t),
                                     [SL_OPTION_REAL] = sizeof(double),
                                     [SL_OPTION_TEXT] = sizeof(const char *),
                                     [SL_OPTION_CHOICE] = sizeof(int)};

void sl_options_copy(const SlOption *table, const void *from, void *to) {
    for (; table->name; table++)
        memcpy((char *)to + table->offset, (const char *)from + table->offset,
               field_bytes[table->kind]);
}

bool sl_option_is_default(const SlOption *table, const char *name, const void *options) {
    const SlOption *option = find_name(table, name, strlen(name));
    assert(option && "no such option");
    union {
        bool flag;
        int64_t whole;
        double real;
        const char *text;
        int choice;
    } usual = {0}, now = {0};
    SlOption alone[2] = {*option, {0}};
    alone[0].offset = 0;
    sl_options_init(alone, &usual);
    memcpy(&now, (const char *)options + option->offset, field_bytes[option->kind]);
    if (option->kind != SL_OPTION_TEXT || !now.text || !usual.text)
        return memcmp(&now, &usual, field_bytes[option->kind]) == 0;
    return strcmp(now.text, usual.text) == 0;
}

// ---- several tables as one ----

static bool is_wanted(const SlOptionPart *part, const SlOption *row) {
    const char *at = part->names;
    size_t n = strlen(row->name);
    if (!at) return true;
    while (*at) {
        size_t word = strcspn(at, " ");
        if (word == n && memcmp(at, row->name, n) == 0) return true;
        at += word + strspn(at + word, " ");
    }
    return false;
}

// the wanted rows of all parts to `out`, unless that is NULL; returns their number
static int collect_rows(int n, const SlOptionPart *parts, SlOption *out) {
    int found = 0;
    for (int i = 0; i < n; i++) {
        for (const SlOption *row = parts[i].table; row->name; row++) {
            if (!is_wanted(&parts[i], row)) continue;
            if (out) out[found] = *row;
            if (out) out[found].offset += parts[i].offset;
            found++;
        }
    }
    return found;
}

const SlOption *sl_options_join(int n, const SlOptionPart *parts, SlArena *arena) {
    int rows = collect_rows(n, parts, NULL);
    SlOption *table = SL_NEW(arena, rows + 1, SlOption);
    if (!table) return NULL;
    collect_rows(n, parts, table);
    table[rows] = (SlOption){0};
    return table;
}

// ---- parsing ----

// "unknown option --acel (did you mean --accel?)"
static SlStatus fail_unknown(const SlOption *table, const char *dashes, const char *name, size_t n,
                             SlError *err) {
    char word[72] = "", shown[SL_QUOTE_ROOM];
    memcpy(word, name, n < sizeof word - 1 ? n : sizeof word - 1);
    const char *near = nearest_option(table, word);
    // as a quoted word without its quotes
    size_t quoted = strlen(sl_quote(word, shown));
    shown[quoted - 1] = '\0';
    return sl_fail(err, SL_EINPUT, "unknown option %s%s%s%s%s", dashes, shown + 1,
                   near ? " (did you mean --" : "", near ? near : "", near ? "?)" : "");
}

SlStatus sl_options_set(const SlOption *table, void *options, const char *name, const char *value,
                        SlError *err) {
    const SlOption *option = find_name(table, name, strlen(name));
    if (!option) return fail_unknown(table, "--", name, strlen(name), err);
    return set_option(option, options, value, err);
}

// One option as it stands on the command line.
typedef struct {
    const SlOption *option; // NULL if unknown
    const char *value;      // behind '=' or directly behind the letter, else NULL
    bool negated;           // --no-flag
} Match;

static Match match_long(const SlOption *table, const char *name) {
    size_t n = strcspn(name, "=");
    const char *value = name[n] ? name + n + 1 : NULL;
    Match match = {.option = find_name(table, name, n), .value = value};
    if (match.option || strncmp(name, "no-", 3) != 0) return match;
    match.option = find_name(table, name + 3, n - 3);
    match.negated = true;
    if (match.option && match.option->kind != SL_OPTION_FLAG) match.option = NULL;
    return match;
}

static Match match_short(const SlOption *table, const char *word) {
    Match match = {.option = find_letter(table, word[1])};
    if (word[2] == '\0') return match;
    // only numbers may follow the letter directly (-j4), so that -accel is not -a with "ccel"
    match.value = word + 2;
    bool number = match.option &&
                  (match.option->kind == SL_OPTION_INT || match.option->kind == SL_OPTION_REAL);
    if (!number || !strchr("0123456789.-+", word[2])) match.option = NULL;
    return match;
}

static bool is_long(const char *word) {
    return word[0] == '-' && word[1] == '-';
}

// an option, as opposed to a word: "-" is standard input, "-3" and "-.5" are numbers
static bool is_option(const char *word) {
    if (word[0] != '-' || word[1] == '\0') return false;
    return is_long(word) || !strchr("0123456789.", word[1]);
}

// may `word` be the value of the option before it; -3 and -x may, unless -x is an option
static bool is_value(const SlOption *table, const char *word) {
    if (!is_option(word)) return true;
    return !is_long(word) && !match_short(table, word).option;
}

static SlStatus take_option(const SlOption *table, int argc, const char *const *argv, int *i,
                            void *options, SlError *err) {
    const char *word = argv[*i];
    Match match = is_long(word) ? match_long(table, word + 2) : match_short(table, word);
    if (!match.option && is_long(word))
        return fail_unknown(table, "--", word + 2, strcspn(word + 2, "="), err);
    if (!match.option) return fail_unknown(table, "-", word + 1, strlen(word + 1), err);
    if (match.option->kind == SL_OPTION_FLAG) {
        if (!match.value)
            return set_option(match.option, options, match.negated ? "no" : "yes", err);
        return sl_fail(err, SL_EINPUT, "--%s takes no value; use --%s or --no-%s",
                       match.option->name, match.option->name, match.option->name);
    }
    if (!match.value && match.option->implied) match.value = match.option->implied;
    if (!match.value && *i + 1 < argc && is_value(table, argv[*i + 1])) match.value = argv[++*i];
    if (match.value) return set_option(match.option, options, match.value, err);
    const char *value = match.option->value ? match.option->value : "VALUE";
    return sl_fail(err, SL_EINPUT, "--%s: expected a value: --%s %s", match.option->name,
                   match.option->name, value);
}

static SlStatus keep_word(SlWords *words, const char *word, SlError *err) {
    char quoted[SL_QUOTE_ROOM];
    if (!words)
        return sl_fail(err, SL_EINPUT, "expected options only, got %s", sl_quote(word, quoted));
    if (words->n == SL_OPTIONS_MAX_WORDS)
        return sl_fail(err, SL_EINPUT, "expected at most %d words, got one more: %s",
                       SL_OPTIONS_MAX_WORDS, sl_quote(word, quoted));
    words->words[words->n++] = word;
    return SL_OK;
}

SlStatus sl_options_parse(const SlOption *table, int argc, const char *const *argv, void *options,
                          SlWords *words, SlError *err) {
    if (words) words->n = 0;
    bool ended = false;
    for (int i = 0; i < argc; i++) {
        if (!ended && strcmp(argv[i], "--") == 0) {
            ended = true;
            continue;
        }
        SlStatus status = ended || !is_option(argv[i])
                              ? keep_word(words, argv[i], err)
                              : take_option(table, argc, argv, &i, options, err);
        if (status != SL_OK) return status;
    }
    return SL_OK;
}

static SlStatus read_option(const SlOption *option, const SlNode *node, void *options,
                            SlError *err) {
    void *field = (char *)options + option->offset;
    SlIntRange whole = sl_option_int_range(option);
    SlRealRange real = sl_option_real_range(option);
    switch (option->kind) {
    case SL_OPTION_FLAG:
        return sl_node_bool(node, field, err);
    case SL_OPTION_INT:
        return sl_node_int(node, whole.lo, whole.hi, field, err);
    case SL_OPTION_REAL:
        return sl_node_real(node, real.lo, real.hi, field, err);
    case SL_OPTION_CHOICE:
        return sl_node_choice(node, option->choices, field, err);
    case SL_OPTION_TEXT:
        break;
    }
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, node->key, err);
    if (status == SL_OK) *(const char **)field = node->text;
    return status;
}

SlStatus sl_options_read(const SlOption *table, const SlNode *map, void *options, SlError *err) {
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, map->key, err);
    if (status != SL_OK) return status;
    for (const SlNode *node = map->first; node; node = node->next) {
        const SlOption *option = find_name(table, node->key, strlen(node->key));
        if (!option) {
            char quoted[SL_QUOTE_ROOM];
            const char *near = nearest_option(table, node->key);
            return sl_fail_at(err, SL_EINPUT, node->file, node->key_line, node->key_column,
                              "unknown key %s%s%s%s", sl_quote(node->key, quoted),
                              near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
        }
        status = read_option(option, node, options, err);
        if (status != SL_OK) return status;
    }
    return SL_OK;
}
