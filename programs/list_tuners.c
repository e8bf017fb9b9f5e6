// list_tuners.c - `starling list tuners`: who can tune; the options of methods and tuners.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "list.h"
#include "show.h"
#include "starling/job.h"

enum { MAX_NAMES = 64 };

// ---- options, for --set ----

json_t *list_options_json(const Listing *list, const SlOption *table, size_t bytes) {
    void *options = command_need(sl_arena_alloc(list->arena, 1, bytes + 1));
    sl_options_init(table, options);
    json_t *defaults = command_need(sl_options_json(table, options));
    json_t *items = command_need(json_array());
    for (const SlOption *option = table; option->name; option++) {
        json_t *to = command_need(json_object());
        json_put_text(to, "name", option->name);
        json_put(to, "default", json_incref(json_object_get(defaults, option->name)));
        json_put_text(to, "help", option->help ? option->help : "");
        json_add(items, to);
    }
    json_decref(defaults);
    return items;
}

void list_add_options(Listing *list, const SlOption *table) {
    if (!table->name) {
        sl_text_add(&list->text, "\nIt has no options.\n");
        return;
    }
    sl_text_add(&list->text, "\nOptions, for --set NAME=VALUE,...:\n");
    SlText help;
    sl_text_init(&help, list->arena);
    sl_options_help(table, &help);
    if (help.failed) command_no_memory();
    // the table speaks of --NAME; here it is NAME=
    for (const char *line = help.data; *line;) {
        size_t n = strcspn(line, "\n") + 1;
        size_t lead = strspn(line, " ");
        bool option = strncmp(line + lead, "--", 2) == 0;
        if (option) {
            sl_text_add(&list->text, "  ");
            sl_text_put(&list->text, line + lead + 2, n - lead - 2);
        } else {
            // 4 columns of "    --" gave way to 2 blanks
            size_t cut = lead > 6 ? 6 : 0;
            sl_text_put(&list->text, line + cut, n - cut);
        }
        line += n;
    }
}

// ---- tuners ----

static json_t *tuner_json(const SlMethod *tuner) {
    json_t *to = command_need(json_object());
    json_put_text(to, "name", tuner->name);
    json_put_text(to, "title", tuner->title);
    json_put_text(to, "source", tuner->source);
    return to;
}

static bool has_source(const SlMethod *tuner) {
    return tuner->source && tuner->source[0] && strcmp(tuner->source, "-") != 0;
}

SlStatus list_tuners(Listing *list, SlError *err) {
    (void)err;
    const SlMethod *tuner;
    list_begin(list, "tuners", "tuners");
    for (int i = 0; (tuner = sl_method_at(i)) != NULL; i++) {
        char lead[32];
        snprintf(lead, sizeof lead, "%-14s", tuner->name);
        show_wrapped(lead, "              ", tuner->title, &list->text);
        if (has_source(tuner))
            show_wrapped("              source: ", "              ", tuner->source, &list->text);
        json_add(list->items, tuner_json(tuner));
    }
    sl_text_add(&list->text, "\nstarling list tuners NAME shows the options of one; the default of "
                             "starling tune is dcoc.\n");
    return SL_OK;
}

SlStatus list_tuner(Listing *list, const char *name, SlError *err) {
    const SlMethod *tuner = sl_method_find(name);
    if (!tuner) {
        const char *names[MAX_NAMES] = {0};
        for (int i = 0; i < MAX_NAMES - 1 && sl_method_at(i); i++) names[i] = sl_method_at(i)->name;
        const char *near = sl_nearest_name(name, names);
        return sl_fail(err, SL_EINPUT, "unknown tuner '%.40s'%s%s%s", name,
                       near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
    list_begin(list, "tuners", "tuners");
    json_t *to = tuner_json(tuner);
    json_put(to, "options", list_options_json(list, tuner->options, tuner->options_bytes));
    json_add(list->items, to);
    sl_text_add(&list->text, "%s: %s\n", tuner->name, tuner->title);
    if (has_source(tuner)) show_wrapped("Source: ", "  ", tuner->source, &list->text);
    list_add_options(list, tuner->options);
    return SL_OK;
}
