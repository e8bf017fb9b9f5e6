// study_plan_tasks.c - the tasks of a plan: every layer on every accelerator for every objective.
#include <string.h>

#include "study_plan_inside.h"

typedef struct {
    int n_layers, n_accels, n_objectives;
    SlPlanLayer *layers;
    const SlAccel *accels;
    const char **accel_names, **objectives; // ended by NULL
    SlGoal *goals;
    bool *keep_layer, *keep_accel, *keep_objective;
} Parts;

// ---- accelerators and objectives ----

static SlStatus read_accels(SlPlanReader *reader, Parts *parts, SlError *err) {
    const SlNode *list = sl_node_get(reader->root, "accels");
    SlStatus status = list ? sl_plan_list(list, "accels", SL_PLAN_MAX_ENTRIES, err) : SL_OK;
    if (status != SL_OK) return status;
    int n = list ? list->n : 1;
    SlAccel *accels = SL_NEW(reader->arena, n, SlAccel);
    parts->accels = accels;
    parts->accel_names = SL_NEW(reader->arena, n + 1, const char *);
    if (!accels || !parts->accel_names) return sl_plan_no_memory(err);
    const SlNode *node = list ? list->first : NULL;
    for (int i = 0; i < n; i++, node = node ? node->next : NULL) {
        SlError inside = {0};
        if (node) status = sl_node_expect(node, SL_NODE_SCALAR, "accels", err);
        if (status != SL_OK) return status;
        status = sl_accel_find(node ? node->text : "eyeriss", reader->arena, &accels[i], &inside);
        if (status != SL_OK)
            return sl_plan_fail_inside(node ? node : reader->root, status, &inside, err);
        for (int j = 0; j < i; j++) {
            if (strcmp(accels[i].name, accels[j].name) == 0)
                return sl_node_fail(node, err, "accels: '%s' stands here twice", accels[i].name);
        }
        parts->accel_names[i] = accels[i].name;
    }
    parts->n_accels = n;
    return SL_OK;
}

// "edp" as it is always written
static SlStatus read_objective(const SlNode *node, SlArena *arena, SlGoal *goal, const char **text,
                               SlError *err) {
    SlError inside = {0};
    char shown[256];
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "objectives", err);
    if (status != SL_OK) return status;
    status = sl_goal_parse(node->text, goal, &inside);
    if (status != SL_OK) return sl_node_fail(node, err, "objectives: %s", inside.text);
    sl_goal_text(goal, sizeof shown, shown);
    *text = sl_arena_text(arena, shown, strlen(shown));
    return *text ? SL_OK : sl_plan_no_memory(err);
}

static SlStatus read_objectives(SlPlanReader *reader, Parts *parts, SlError *err) {
    const SlNode *list = sl_node_get(reader->root, "objectives");
    SlStatus status = list ? sl_plan_list(list, "objectives", SL_PLAN_MAX_ENTRIES, err) : SL_OK;
    if (status != SL_OK) return status;
    int n = list ? list->n : 1;
    parts->goals = SL_NEW(reader->arena, n, SlGoal);
    parts->objectives = SL_NEW(reader->arena, n + 1, const char *);
    if (!parts->goals || !parts->objectives) return sl_plan_no_memory(err);
    const SlNode *node = list ? list->first : NULL;
    for (int i = 0; i < n && list; i++, node = node->next) {
        status = read_objective(node, reader->arena, &parts->goals[i], &parts->objectives[i], err);
        if (status != SL_OK) return status;
        for (int j = 0; j < i; j++) {
            if (strcmp(parts->objectives[i], parts->objectives[j]) == 0)
                return sl_node_fail(node, err, "objectives: '%s' stands here twice",
                                    parts->objectives[i]);
        }
    }
    if (!list) {
        // as `starling map` without --objective
        SlObjective usual = reader->plan->kind == &sl_kind_process ? SL_LATENCY : SL_EDP;
        parts->objectives[0] = sl_objective_names[usual];
        parts->goals[0].weight[usual] = 1;
    }
    parts->n_objectives = n;
    return SL_OK;
}

// ---- the quick form ----

static SlStatus keep_parts(SlPlanReader *reader, const SlPlanNames *layers, Parts *parts,
                           SlError *err) {
    SlArena *arena = reader->arena;
    const SlNode *quick = reader->quick;
    parts->keep_layer = SL_NEW(arena, parts->n_layers, bool);
    parts->keep_accel = SL_NEW(arena, parts->n_accels, bool);
    parts->keep_objective = SL_NEW(arena, parts->n_objectives, bool);
    if (!parts->keep_layer || !parts->keep_accel || !parts->keep_objective)
        return sl_plan_no_memory(err);
    SlPlanNames accels = {parts->n_accels, parts->accel_names, NULL, "accelerator"};
    SlPlanNames objectives = {parts->n_objectives, parts->objectives, NULL, "objective"};
    const SlNode *some_layers = quick ? sl_node_get(quick, "layers") : NULL;
    const SlNode *some_accels = quick ? sl_node_get(quick, "accels") : NULL;
    const SlNode *some_objectives = quick ? sl_node_get(quick, "objectives") : NULL;
    SlStatus status = sl_plan_keep(some_layers, layers, parts->keep_layer, err);
    if (status == SL_OK) status = sl_plan_keep(some_accels, &accels, parts->keep_accel, err);
    if (status == SL_OK)
        status = sl_plan_keep(some_objectives, &objectives, parts->keep_objective, err);
    if (status != SL_OK || reader->quick_asked) return status;
    for (int i = 0; i < parts->n_layers; i++) parts->keep_layer[i] = true;
    for (int i = 0; i < parts->n_accels; i++) parts->keep_accel[i] = true;
    for (int i = 0; i < parts->n_objectives; i++) parts->keep_objective[i] = true;
    return SL_OK;
}

// ---- tasks ----

static SlStatus make_space(SlPlanReader *reader, const SlPlanLayer *layer, const SlAccel *accel,
                           const SlSpace **out, SlError *err) {
    SlError inside = {0};
    SlSpaceOptions options = {.preset = reader->plan->space};
    SlConstraints constraints;
    SlSpace *space = SL_NEW(reader->arena, 1, SlSpace);
    if (!space) return sl_plan_no_memory(err);
    const SlTaskKind *kind = reader->plan->kind;
    const char *reason = sl_kind_check(kind, layer->layer, accel);
    if (reason)
        return sl_node_fail(layer->node, err, "%s on %s, evaluator %s: %s", layer->label,
                            accel->name, kind->name, reason);
    SlStatus status = sl_kind_space(kind, reader->arena, &constraints, &options, err);
    if (status != SL_OK) return status;
    status = sl_space_make(layer->layer, accel, &options, reader->arena, space, &inside);
    *out = space;
    if (status == SL_ENOMEM) return sl_plan_no_memory(err);
    if (status != SL_OK)
        return sl_node_fail(layer->node, err, "%s on %s: %s", layer->label, accel->name,
                            inside.text);
    return SL_OK;
}

// the tasks of a layer on an accelerator; plans with several accelerators name them
static SlStatus add_tasks(SlPlanReader *reader, const Parts *parts, const SlPlanLayer *layer,
                          const SlAccel *accel, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlSpace *space = NULL;
    SlStatus status = make_space(reader, layer, accel, &space, err);
    if (status != SL_OK || !space) return status;
    for (int o = 0; o < parts->n_objectives && status == SL_OK; o++) {
        if (!parts->keep_objective[o]) continue;
        SlText name;
        sl_text_init(&name, reader->arena);
        sl_text_add(&name, "%s %s", layer->label, parts->objectives[o]);
        if (parts->n_accels > 1) sl_text_add(&name, " on %s", accel->name);
        if (name.failed) return sl_plan_no_memory(err);
        plan->tasks[plan->n_tasks++] = (SlPlanTask){
            .name = name.data,
            .layer = layer->label,
            .workload = layer->text,
            .accel = accel->name,
            .objective = parts->objectives[o],
            .setup = {.kind = plan->kind,
                      .space = space,
                      .goal = parts->goals[o],
                      .options = plan->program},
            .stream = layer->text,
            .floor = sl_kind_floor(plan->kind, &parts->goals[o], space->layer, space->accel),
            .count = layer->count};
    }
    return status;
}

static SlStatus make_tasks(SlPlanReader *reader, const Parts *parts, SlError *err) {
    int64_t n = (int64_t)parts->n_layers * parts->n_accels * parts->n_objectives;
    if (n > SL_PLAN_MAX_TASKS)
        return sl_node_fail(reader->root, err, "a plan has at most %d tasks, this one has %lld",
                            SL_PLAN_MAX_TASKS, (long long)n);
    reader->plan->tasks = SL_NEW(reader->arena, n, SlPlanTask);
    if (!reader->plan->tasks) return sl_plan_no_memory(err);
    SlStatus status = SL_OK;
    for (int l = 0; l < parts->n_layers; l++) {
        for (int a = 0; a < parts->n_accels && status == SL_OK; a++) {
            if (!parts->keep_layer[l] || !parts->keep_accel[a]) continue;
            status = add_tasks(reader, parts, &parts->layers[l], &parts->accels[a], err);
        }
    }
    return status;
}

SlStatus sl_plan_read_tasks(SlPlanReader *reader, SlPlanNames *layers, SlError *err) {
    Parts parts = {0};
    SlPlanLayers found = {0};
    const SlNode *list = NULL;
    SlStatus status = sl_node_need(reader->root, "layers", &list, err);
    if (status == SL_OK) status = sl_plan_read_layers(reader, list, NULL, 1, &found, err);
    parts.n_layers = found.n;
    parts.layers = found.layers;
    if (status == SL_OK) status = read_accels(reader, &parts, err);
    if (status == SL_OK) status = read_objectives(reader, &parts, err);
    if (status == SL_OK) status = sl_plan_layer_names(&found, reader->arena, layers, err);
    if (status == SL_OK) status = keep_parts(reader, layers, &parts, err);
    return status == SL_OK ? make_tasks(reader, &parts, err) : status;
}
