// catalog_methods.c - search methods as documents: many with their sources, one with its options.
#include <stdio.h>
#include <string.h>

#include "doc_inside.h"
#include "starling/report/catalog.h"

static bool has_source(const SlMethod *method) {
    return method->source[0] && strcmp(method->source, "-") != 0;
}

static void add_method(const SlMethod *method, SlDoc *doc) {
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, method->name);
    sl_doc_string(doc, "title", NULL, method->title);
    sl_doc_string(doc, "source", NULL, method->source);
    sl_doc_flag(doc, "agents", NULL, method->learns);
}

// for machines and CSV: titles and sources are too long for a table in a terminal
static void begin_methods(SlDoc *doc) {
    static const SlColumn columns[] = {SL_COLUMN("name", NULL), SL_COLUMN("title", NULL),
                                       SL_COLUMN("source", NULL), SL_COLUMN("agents", NULL)};
    sl_doc_table(doc, "methods", NULL, sizeof columns / sizeof *columns, columns);
}

// "batch N" with its meaning, for people
static void show_options(const SlOption *table, SlDoc *doc) {
    if (!table->name) {
        sl_doc_words(doc, "It has no options.");
        return;
    }
    sl_doc_open(doc, NULL, "Options, for --set NAME=VALUE,...");
    for (const SlOption *option = table; option->name; option++) {
        char label[64], meaning[1024];
        bool flag = option->kind == SL_OPTION_FLAG;
        snprintf(label, sizeof label, "%s%s%s", option->name, flag ? "" : " ",
                 flag || !option->value ? "" : option->value);
        sl_doc_string(doc, NULL, label, sl_option_meaning(option, true, sizeof meaning, meaning));
    }
    sl_doc_close(doc);
}

static void add_options(const SlMethod *method, SlDoc *doc) {
    void *options =
        sl_doc_need(doc, sl_arena_alloc(sl_doc_arena(doc), 1, method->options_bytes + 1));
    if (!options) return;
    sl_options_init(method->options, options);
    sl_doc_table(doc, "options", NULL, 0, NULL);
    for (const SlOption *option = method->options; option->name; option++) {
        sl_doc_row(doc);
        sl_doc_string(doc, "name", NULL, option->name);
        sl_doc_option(doc, "default", option, options);
        sl_doc_string(doc, "help", NULL, option->help ? option->help : "");
    }
    sl_doc_close(doc);
}

SlDoc *sl_report_methods(const SlMethod *const *methods, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "methods", 1);
    begin_methods(doc);
    for (int i = 0; methods[i]; i++) add_method(methods[i], doc);
    sl_doc_close(doc);
    for (int i = 0; methods[i]; i++) {
        sl_doc_string(doc, NULL, methods[i]->name, methods[i]->title);
        if (has_source(methods[i])) sl_doc_remark(doc, "; source: %s", methods[i]->source);
    }
    return doc;
}

SlDoc *sl_report_method(const SlMethod *method, SlArena *arena) {
    SlDoc *doc = sl_doc_make(arena, "methods", 1);
    if (!doc) return NULL;
    sl_doc_title(doc, "%s: %s", method->name, method->title);
    if (has_source(method)) sl_doc_string(doc, NULL, "source", method->source);
    show_options(method->options, doc);
    begin_methods(doc);
    add_method(method, doc);
    add_options(method, doc);
    sl_doc_close(doc);
    return doc;
}
