// study_plan_inside.h - inside study: what the readers of a plan share.
#pragma once

#include "starling/study.h"

enum {
    SL_PLAN_LABEL_ROOM = 128, // names of layers and rows with their NUL
    SL_PLAN_MAX_ENTRIES = 256,
    SL_PLAN_MAX_TASKS = 4096,
    SL_PLAN_MAX_ROWS = 256,
    SL_PLAN_MAX_SEEDS = 1000,
    SL_PLAN_MAX_CELLS = 1000000,
};
#define SL_PLAN_MAX_SAMPLES INT64_C(1000000000)

typedef struct {
    const SlNode *root;  // the plan's map
    const SlNode *quick; // its quick form, NULL = none
    const SlPlanChanges *changes;
    bool quick_asked;
    SlArena *arena;
    SlPlan *plan;
} SlPlanReader;

// The node of a key: that of the quick form where it is asked for and has one.
const SlNode *sl_plan_node(const SlPlanReader *reader, const char *key);

SlStatus sl_plan_no_memory(SlError *err);

// A list of 1..most values under a key; `list` NULL where the key is absent.
SlStatus sl_plan_list(const SlNode *list, const char *key, int most, SlError *err);

// One line of text without control characters, at most SL_PLAN_LABEL_ROOM - 1 bytes, not empty.
SlStatus sl_plan_label(const SlNode *node, const char *what, const char **out, SlError *err);

// Mark what a list of names keeps: keep (n) is set where names[i] is listed. `list` NULL: all.
// A name that is unknown is refused with the nearest one.
typedef struct {
    int n;
    const char *const *names;   // (n + 1) ends with NULL
    const char *const *aliases; // (n + 1) or NULL: other names, which may be shared
    const char *what;           // "row"
} SlPlanNames;
SlStatus sl_plan_keep(const SlNode *list, const SlPlanNames *names, bool *keep, SlError *err);
SlStatus sl_plan_unknown(const SlNode *node, const SlPlanNames *names, SlError *err);

// Layers, accelerators and objectives: the tasks (study_plan_tasks.c). `layers` gets the names of
// all layers of the plan, whether or not the quick form keeps them.
SlStatus sl_plan_read_tasks(SlPlanReader *reader, SlPlanNames *layers, SlError *err);

// Methods, reference, samples and seeds (study_plan_rows.c). `rows` gets the names of all rows.
SlStatus sl_plan_read_rows(SlPlanReader *reader, SlPlanNames *rows, SlError *err);
SlStatus sl_plan_read_seeds(SlPlanReader *reader, SlError *err);
