// options_show.c - the options table as help lines, as Markdown and, with its values, as JSON.
#include "options_inside.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    HELP_COLUMNS = 100, // width of a help line
    NAMES_MAX = 34,     // a longer first column gets a line of its own
    FAR = 1000000,      // an upper limit that nobody meets
    LINE_ROOM = 1024,   // bytes of one option's names, choices or help
};

// "-a, --accel FILE", "--prove[=PERCENT]" where a value is implied
static void show_names(const SlOption *option, const char *indent, char out[static LINE_ROOM]) {
    char letter[8];
    snprintf(letter, sizeof letter, "-%c, ", option->letter);
    bool on = option->kind == SL_OPTION_FLAG && option->fallback;
    if (on) sl_scan_bool(option->fallback, &on);
    const char *value = option->value;
    if (option->kind == SL_OPTION_FLAG)
        value = NULL;
    else if (!value)
        value = "VALUE";
    const char *lead = option->implied ? "[=" : " ";
    snprintf(out, LINE_ROOM, "%s--%s%s%s%s%s", option->letter ? letter : indent, on ? "[no-]" : "",
             option->name, value ? lead : "", value ? value : "",
             value && option->implied ? "]" : "");
}

static bool is_name_byte(char c) {
    return c == '-' || c == '_' || c == '|' || c == '+' || isalnum((unsigned char)c);
}

// is the choice one of the words of the help?
static bool is_glossed(const char *choice, const char *help) {
    size_t n = strlen(choice);
    for (const char *at = strstr(help, choice); at; at = strstr(at + 1, choice))
        if ((at == help || !is_name_byte(at[-1])) && !is_name_byte(at[n])) return true;
    return false;
}

// "1 to 8" of numbers, "at least 1" where the upper limit is far away, or ""
static void show_limits(const SlOption *option, char out[static LINE_ROOM]) {
    char range[SL_RANGE_ROOM] = "";
    SlIntRange whole = sl_option_int_range(option);
    SlRealRange real = sl_option_real_range(option);
    if (whole.hi >= FAR) whole.hi = INT64_MAX;
    if (real.hi >= FAR) real.hi = INFINITY;
    if (option->kind == SL_OPTION_INT) sl_range_int(whole.lo, whole.hi, range);
    if (option->kind == SL_OPTION_REAL) sl_range_real(real.lo, real.hi, range);
    // " from 1 to 8" and " of at least 1" without their first word
    const char *second = range[0] ? strchr(range + 1, ' ') : NULL;
    snprintf(out, LINE_ROOM, "%s", second ? second + 1 : "");
}

// "latency, energy, edp" of choices that the help does not explain one by one, or ""
static void show_choices(const SlOption *option, char out[static LINE_ROOM]) {
    bool all = true;
    out[0] = '\0';
    for (int i = 0; option->choices[i]; i++)
        all &= option->help && is_glossed(option->choices[i], option->help);
    if (all) return;
    size_t used = 0;
    for (int i = 0; option->choices[i] && used < LINE_ROOM; i++)
        used += (size_t)snprintf(out + used, LINE_ROOM - used, "%s%s", i ? ", " : "",
                                 option->choices[i]);
}

// the default as shown, NULL if there is nothing to show
static const char *show_default(const SlOption *option) {
    bool on = false;
    if (option->kind == SL_OPTION_FLAG) {
        if (option->fallback) sl_scan_bool(option->fallback, &on);
        return on ? "on" : NULL;
    }
    if (option->kind == SL_OPTION_CHOICE && !option->fallback) return option->choices[0];
    return option->fallback && option->fallback[0] ? option->fallback : NULL;
}

const char *sl_option_meaning(const SlOption *option, bool limits, size_t n, char *out) {
    char values[LINE_ROOM] = "";
    if (option->kind == SL_OPTION_CHOICE)
        show_choices(option, values);
    else if (limits)
        show_limits(option, values);
    const char *fallback = show_default(option);
    bool both = values[0] && fallback;
    snprintf(out, n, "%s%s%s%s%s%s%s", option->help ? option->help : "",
             values[0] || fallback ? " (" : "", values, both ? "; " : "",
             fallback ? "default: " : "", fallback ? fallback : "",
             values[0] || fallback ? ")" : "");
    return out;
}

// characters, not bytes
static int width(const char *text, size_t n) {
    int columns = 0;
    for (size_t i = 0; i < n; i++) columns += ((unsigned char)text[i] & 0xC0) != 0x80;
    return columns;
}

// words of `text`, broken at HELP_COLUMNS; the cursor stands in column `left`
static void add_wrapped(SlText *out, const char *text, int left) {
    int column = left;
    while (*text) {
        size_t n = strcspn(text, " ");
        int columns = width(text, n);
        if (column > left && column + 1 + columns > HELP_COLUMNS) {
            sl_text_add(out, "\n%*s", left, "");
            column = left;
        } else if (column > left) {
            sl_text_add(out, " ");
            column++;
        }
        sl_text_put(out, text, n);
        column += columns;
        text += n + strspn(text + n, " ");
    }
    sl_text_add(out, "\n");
}

// where the second column starts: behind the longest names that are not too long
static int help_column(const SlOption *table) {
    int widest = 0;
    for (; table->name; table++) {
        char names[LINE_ROOM];
        show_names(table, "    ", names);
        int columns = width(names, strlen(names));
        if (columns > widest && columns <= NAMES_MAX) widest = columns;
    }
    return 2 + widest + 2;
}

void sl_options_help(const SlOption *table, SlText *out) {
    int left = help_column(table);
    for (; table->name; table++) {
        char names[LINE_ROOM], meaning[2 * LINE_ROOM];
        show_names(table, "    ", names);
        sl_option_meaning(table, false, sizeof meaning, meaning);
        int columns = 2 + width(names, strlen(names));
        sl_text_add(out, "  %s", names);
        if (columns + 2 > left)
            sl_text_add(out, "\n%*s", left, "");
        else
            sl_text_add(out, "%*s", left - columns, "");
        add_wrapped(out, meaning, left);
    }
}

static json_t *real_json(double value) {
    if (!isfinite(value)) return json_null();
    if (value == trunc(value) && fabs(value) < 0x1p53) return json_integer((json_int_t)value);
    return json_real(value);
}

static json_t *option_json(const SlOption *option, const void *options) {
    const void *field = (const char *)options + option->offset;
    switch (option->kind) {
    case SL_OPTION_FLAG:
        return json_boolean(*(const bool *)field);
    case SL_OPTION_INT:
        return json_integer(*(const int64_t *)field);
    case SL_OPTION_REAL:
        return real_json(*(const double *)field);
    case SL_OPTION_CHOICE:
        return json_string(option->choices[*(const int *)field]);
    case SL_OPTION_TEXT:
        break;
    }
    const char *text = *(const char *const *)field;
    return text ? json_string(text) : json_null();
}

// Jansson's callback: 0 to go on, -1 to stop
static int add_bytes(const char *bytes, size_t n, void *text) {
    sl_text_put(text, bytes, n);
    return ((SlText *)text)->failed ? -1 : 0;
}

void sl_options_json(const SlOption *table, const void *options, SlText *out) {
    json_t *object = json_object();
    bool good = object != NULL;
    for (; good && table->name; table++)
        good = json_object_set_new(object, table->name, option_json(table, options)) == 0;
    if (good) good = json_dump_callback(object, add_bytes, out, JSON_REAL_PRECISION(15)) == 0;
    if (!good) out->failed = true;
    json_decref(object);
}
