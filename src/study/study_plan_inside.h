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
    SL_PLAN_MAX_WINDOWS = 10000,
};
#define SL_PLAN_MAX_SAMPLES INT64_C(1000000000)

typedef struct {
    const SlNode *root;  // the plan's map
    const SlNode *quick; // its quick form, NULL = none
    const SlPlanChanges *changes;
    bool quick_asked;
    bool host_stem, host_linear; // what of networks stays on the host (plans of tuners)
    SlArena *arena;
    SlPlan *plan;
} SlPlanReader;

// The node of a key: that of the quick form where it is asked for and has one.
const SlNode *sl_plan_node(const SlPlanReader *reader, const char *key);

SlStatus sl_plan_no_memory(SlError *err);

// A text under a key, as it is; nothing where the key is absent.
SlStatus sl_plan_text(const SlNode *node, const char *key, const char **out, SlError *err);

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
bool sl_plan_has(const SlPlanNames *names, const char *text); // as a name or an alias

// ---- layers (study_plan_layers.c)

typedef struct {
    const char *label; // as shown
    const char *entry; // as the plan names it; a network has several layers
    const SlNode *node;
    const SlLayer *layer;
    const char *text; // inline, without a name
    int count;        // of its network
} SlPlanLayer;

// A network as multiples of layers.
typedef struct {
    const char *name;
    const SlNode *node;
    int *counts; // (room)
    int n_layers, n_host;
} SlPlanShare;

typedef struct {
    int n, room;
    SlPlanLayer *layers; // (n)
    int n_shares;
    SlPlanShare *shares; // (n_shares)
} SlPlanLayers;

// The layers of `list`, entry by entry, then those of `networks` that are not there yet; either may
// be NULL.
SlStatus sl_plan_read_layers(SlPlanReader *reader, const SlNode *list, const SlNode *networks,
                             int64_t batch, SlPlanLayers *out, SlError *err);
// Their labels, and their entries as aliases.
SlStatus sl_plan_layer_names(const SlPlanLayers *layers, SlArena *arena, SlPlanNames *names,
                             SlError *err);

// An error that knows its file speaks for itself, others get the place in the plan.
SlStatus sl_plan_fail_inside(const SlNode *node, SlStatus status, const SlError *inside,
                             SlError *err);

// Layers, accelerators and objectives: the tasks (study_plan_tasks.c). `layers` gets the names of
// all layers of the plan, whether or not the quick form keeps them.
SlStatus sl_plan_read_tasks(SlPlanReader *reader, SlPlanNames *layers, SlError *err);

// The same of a plan of tuners: layers, networks, cores (study_plan_tuning.c).
SlStatus sl_plan_read_tuning(SlPlanReader *reader, SlPlanNames *layers, SlError *err);

// Methods, reference, samples and seeds (study_plan_rows.c). `rows` gets the names of all rows.
SlStatus sl_plan_read_rows(SlPlanReader *reader, SlPlanNames *rows, SlError *err);
SlStatus sl_plan_read_seeds(SlPlanReader *reader, SlError *err);

// A method by its name; `what` is what the plan calls it (study_plan_rows.c).
SlStatus sl_plan_find_method(const SlNode *node, const char *what, const SlMethod **method,
                             SlError *err);
// What no task of the kind has that a method needs.
SlStatus sl_plan_check_needs(const SlNode *node, const SlTaskKind *kind, const SlMethod *method,
                             SlError *err);

// ---- agents (study_plan_agents.c)

// `assign` of the plan: Algorithm 1 for every task.
SlStatus sl_plan_read_assign(const SlPlanReader *reader, SlError *err);
// `agents` of a row and what stands beside it.
SlStatus sl_plan_row_agents(const SlPlanReader *reader, const SlNode *map, SlPlanRow *row,
                            SlError *err);
// The tasks of other layers whose assignments rows reuse, once the tasks of the plan are known.
SlStatus sl_plan_link_rows(SlPlanReader *reader, SlError *err);

// Published numbers, factors and the sections of the report (study_plan_show.c); last, since they
// name layers and rows.
SlStatus sl_plan_read_show(const SlPlanReader *reader, const SlPlanNames *layers,
                           const SlPlanNames *rows, SlError *err);
