// list_methods.c - `starling list methods`, `spaces` and `constraints`: what `starling map` and
// `starling tune` may be told.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "list.h"
#include "method_rows.h"
#include "show.h"
#include "text_table.h"

enum { MAX_NAMES = 64 };

// ---- methods ----

static json_t *method_json(const SlMethod *method) {
    json_t *to = command_need(json_object());
    json_put_text(to, "name", method->name);
    json_put_text(to, "title", method->title);
    json_put_text(to, "source", method->source);
    json_put(to, "agents", json_boolean(method->learns));
    return to;
}

static bool has_source(const SlMethod *method) {
    return method->source[0] && strcmp(method->source, "-") != 0;
}

SlStatus list_methods(Listing *list, SlError *err) {
    (void)err;
    const SlMethod *method;
    list_begin(list, "methods", "methods");
    for (int i = 0; (method = method_row_at(i)) != NULL; i++) {
        char lead[32];
        snprintf(lead, sizeof lead, "%-14s", method->name);
        show_wrapped(lead, "              ", method->title, &list->text);
        if (has_source(method))
            show_wrapped("              source: ", "              ", method->source, &list->text);
        json_add(list->items, method_json(method));
    }
    sl_text_add(&list->text,
                "\nstarling list methods NAME shows the options of one; the default of "
                "starling map is marl,\nthat of starling tune dcoc.\n");
    return SL_OK;
}

SlStatus list_method(Listing *list, const char *name, SlError *err) {
    const SlMethod *method = method_row_find(name);
    if (!method) {
        const char *near = method_row_nearest(name);
        return sl_fail(err, SL_EINPUT, "unknown method '%.40s'%s%s%s", name,
                       near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
    }
    list_begin(list, "methods", "methods");
    json_t *to = method_json(method);
    json_put(to, "options", list_options_json(list, method->options, method->options_bytes));
    json_add(list->items, to);
    sl_text_add(&list->text, "%s: %s\n", method->name, method->title);
    if (has_source(method)) show_wrapped("Source: ", "  ", method->source, &list->text);
    list_add_options(list, method->options);
    return SL_OK;
}

// ---- spaces ----

SlStatus list_spaces(Listing *list, SlError *err) {
    (void)err;
    static const char *const meanings[SL_N_SPACES] = {
        "any levels and fan-outs; tile sizes that make a difference; permutations as orders",
        "the same with every tile size and every cluster size; dims up to 65,536",
        "17 parameters: every tile size, one spread dim per level, cluster size; two levels",
        "10 parameters: one set of tiles, inner tiles derived; two levels",
    };
    TextTable table;
    list_begin(list, "spaces", "spaces");
    table_init(&table, list->arena, "<space|~");
    for (int i = 0; i < SL_N_SPACES; i++) {
        json_t *to = command_need(json_object());
        json_put_text(to, "name", sl_space_names[i]);
        json_put_text(to, "meaning", meanings[i]);
        json_add(list->items, to);
        table_row(&table);
        table_cell(&table, "%s", sl_space_names[i]);
        table_cell(&table, "%s", meanings[i]);
    }
    table_draw(&table, &list->text);
    return SL_OK;
}

// ---- constraints ----

static json_t *constraint_json(const SlConstraints *constraints) {
    json_t *to = command_need(json_object());
    json_put_text(to, "name", constraints->name);
    json_put_text(to, "title", constraints->title);
    json_put_text(to, "source", constraints->source);
    json_put(to, "n_rules", json_integer(constraints->n_rules));
    return to;
}

static SlStatus find_constraints(Listing *list, const char *name, SlConstraints *out,
                                 SlError *err) {
    SlStatus status = sl_constraints_find(name, list->arena, out, err);
    if (status != SL_OK) return status;
    clean_text(out->name);
    clean_text(out->title);
    clean_text(out->source);
    return SL_OK;
}

SlStatus list_constraints(Listing *list, SlError *err) {
    const char *names[MAX_NAMES];
    TextTable table;
    list_begin(list, "constraints", "constraints");
    table_init(&table, list->arena, "<constraints|~");
    int n = sl_bundle_names("constraints", MAX_NAMES, names);
    for (int i = 0; i < n; i++) {
        SlConstraints constraints;
        SlStatus status = find_constraints(list, names[i], &constraints, err);
        if (status != SL_OK) return status;
        table_row(&table);
        table_cell(&table, "%s", constraints.name);
        table_cell(&table, "%s", constraints.title);
        json_add(list->items, constraint_json(&constraints));
    }
    table_draw(&table, &list->text);
    sl_text_add(&list->text, "\nstarling list constraints NAME shows one as the file it is, to "
                             "start your own from.\n");
    return SL_OK;
}

// the file itself says most
SlStatus list_constraint(Listing *list, const char *name, SlError *err) {
    SlConstraints constraints;
    const SlBundled *bundled = sl_bundle_find("constraints", name);
    char *text = NULL;
    size_t n = 0;
    SlStatus status = find_constraints(list, name, &constraints, err);
    if (status == SL_OK && !bundled)
        status = sl_file_read(name, SL_TREE_MAX_BYTES, list->arena, &text, &n, err);
    if (status != SL_OK) return status;
    list_begin(list, "constraints", "constraints");
    json_add(list->items, constraint_json(&constraints));
    sl_text_put(&list->text, bundled ? bundled->text : text, bundled ? bundled->n : n);
    return SL_OK;
}
