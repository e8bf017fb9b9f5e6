// list.h - inside `starling list`: a list under construction.
#pragma once

#include "command.h"

struct json_t;

// Text for people, JSON for machines.
typedef struct {
    SlArena *arena;
    SlText text;
    struct json_t *json;  // the document
    struct json_t *items; // its list
} Listing;

// Start the document: schema starling.SCHEMA/1 with an empty list KEY.
void list_begin(Listing *list, const char *schema, const char *key);

// Methods with what they are; the options of one. Spaces. Bundled constraints; the rules of one.
SlStatus list_methods(Listing *list, SlError *err);
SlStatus list_method(Listing *list, const char *name, SlError *err);
SlStatus list_envs(Listing *list, SlError *err); // particle worlds with their shapes
SlStatus list_spaces(Listing *list, SlError *err);
SlStatus list_constraints(Listing *list, SlError *err);
SlStatus list_constraint(Listing *list, const char *name, SlError *err);

// The options of a method: with defaults and meaning (a new reference), and as lines.
struct json_t *list_options_json(const Listing *list, const SlOption *table, size_t bytes);
void list_add_options(Listing *list, const SlOption *table);
