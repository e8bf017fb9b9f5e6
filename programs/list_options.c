// list_options.c - the options of a method, for `starling list methods NAME`.
#include <jansson.h>
#include <string.h>

#include "list.h"
#include "show.h"

json_t *list_options_json(const Listing *list, const SlOption *table, size_t bytes) {
    void *options = command_need(sl_arena_alloc(list->arena, 1, bytes + 1));
    sl_options_init(table, options);
    json_t *defaults = command_need(json_options(table, options));
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
