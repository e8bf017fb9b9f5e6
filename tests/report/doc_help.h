// doc_help.h - a document on the table of a test, and its forms as strings.
#pragma once

#include "report/doc_inside.h"
#include "starling/report.h"

typedef struct {
    SlArena arena;
    SlDoc *doc; // "starling.test/1", empty
} Paper;

// Setup and teardown of a case: *state is a Paper.
int paper_make(void **state);
int paper_free(void **state);

// The document in a form; ends the test if it cannot be written.
const char *paper_form(Paper *paper, SlForm form);

// A document with everything in it: values of all kinds, groups, lists, tables in tables, words,
// listings, pictures; names that would break each of the forms.
void paper_fill(SlDoc *doc);

// Columns of the widest line.
int widest_line(const char *text);

// How often `piece` stands in the text.
int count_of(const char *text, const char *piece);

// Makes the document of `of` with less memory and with more until there is enough: each time it is
// NULL, cannot be written, or is whole.
void assert_survives_little_memory(SlDoc *(*make)(const void *of, SlArena *arena), const void *of);
