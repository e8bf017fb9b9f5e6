// study_plan_tuning.c - the tasks of a plan of programs: every layer on every core.
#include <stdio.h>
#include <string.h>

#include "study_plan_inside.h"

typedef struct {
    int n;
    SlVtaCore *cores;
    const char **names; // ended by NULL
    bool *keep;
} Cores;

typedef struct {
    SlPlanLayers layers;
    bool *keep_layer, *keep_network; // of layers.n, layers.n_shares
    Cores cores;
    const SlNode *resources; // NULL = no limits
} Parts;

// ---- the host ----

static SlStatus read_host(SlPlanReader *reader, SlError *err) {
    static const char *const kinds[] = {"stem", "linear", NULL};
    const SlNode *list = sl_node_get(reader->root, "host");
    reader->host_stem = reader->host_linear = !list;
    if (!list) return SL_OK;
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, "host", err);
    for (const SlNode *node = status == SL_OK ? list->first : NULL; node; node = node->next) {
        int kind = 0;
        status = sl_node_choice(node, kinds, &kind, err);
        if (status != SL_OK) return status;
        reader->host_stem |= kind == 0;
        reader->host_linear |= kind == 1;
    }
    return status;
}

// ---- cores ----

// what all cores of the plan share
static SlStatus read_shared(const SlPlanReader *reader, SlVtaCore *core, SlError *err) {
    const SlNode *profile = sl_node_get(reader->root, "profile");
    const SlNode *bus = sl_node_get(reader->root, "bus");
    const char *names[8] = {NULL};
    int which = 0;
    int64_t bits = 0;
    sl_vta_core_init(core);
    for (int i = 0; i < 7 && sl_vta_timings[i].name; i++) names[i] = sl_vta_timings[i].name;
    SlStatus status = profile ? sl_node_choice(profile, names, &which, err) : SL_OK;
    if (status == SL_OK && profile) core->timing = sl_vta_timings[which];
    if (status == SL_OK && bus) status = sl_node_int(bus, 8, 4096, &bits, err);
    if (status != SL_OK || !bus) return status;
    core->bus_bits = (int)bits;
    const char *reason = sl_vta_core_check(core);
    return reason ? sl_node_fail(bus, err, "bus: %s", reason) : SL_OK;
}

// every core that a search of the hardware knows
static SlStatus make_space(SlPlanReader *reader, const SlVtaCore *shared, Cores *cores,
                           SlError *err) {
    for (int batch = 1; batch <= 8; batch *= 2)
        for (int in = 4; in <= 64; in *= 2)
            for (int out = 4; out <= 64; out *= 2) {
                char name[48];
                SlVtaCore *core = &cores->cores[cores->n];
                *core = *shared;
                core->batch = batch;
                core->block_in = in;
                core->block_out = out;
                snprintf(name, sizeof name, "%dx%dx%d", batch, in, out);
                cores->names[cores->n] = sl_arena_text(reader->arena, name, strlen(name));
                if (!cores->names[cores->n++]) return sl_plan_no_memory(err);
            }
    return SL_OK;
}

static SlStatus read_core(const SlNode *node, const SlVtaCore *shared, Cores *cores, SlError *err) {
    SlError inside = {0};
    SlVtaCore *core = &cores->cores[cores->n];
    const char *name = NULL;
    SlStatus status = sl_plan_label(node, "cores", &name, err);
    if (status != SL_OK) return status;
    *core = *shared;
    status = sl_vta_core_parse(name, core, &inside);
    if (status != SL_OK) return sl_node_fail(node, err, "cores: %s", inside.text);
    const char *reason = sl_vta_core_check(core);
    if (reason) return sl_node_fail(node, err, "cores: %s: %s", name, reason);
    for (int i = 0; i < cores->n; i++) {
        if (strcmp(cores->names[i], name) == 0)
            return sl_node_fail(node, err, "cores: '%s' stands here twice", name);
    }
    cores->names[cores->n++] = name;
    return SL_OK;
}

static SlStatus read_cores(SlPlanReader *reader, Cores *cores, SlError *err) {
    enum { SPACE = 4 * 5 * 5 };
    const SlNode *node = sl_node_get(reader->root, "cores");
    SlVtaCore shared;
    bool all = node && node->kind == SL_NODE_SCALAR && strcmp(node->text, "all") == 0;
    SlStatus status = read_shared(reader, &shared, err);
    if (status == SL_OK && node && !all)
        status = sl_plan_list(node, "cores", SL_PLAN_MAX_ENTRIES, err);
    if (status != SL_OK) return status;
    int room = all ? SPACE : node ? node->n : 1;
    *cores = (Cores){.cores = SL_NEW(reader->arena, room, SlVtaCore),
                     .names = SL_NEW(reader->arena, room + 1, const char *),
                     .keep = SL_NEW(reader->arena, room, bool)};
    if (!cores->cores || !cores->names || !cores->keep) return sl_plan_no_memory(err);
    if (all) return make_space(reader, &shared, cores, err);
    if (!node) {
        cores->cores[0] = shared;
        cores->names[cores->n++] = "1x16x16";
        return SL_OK;
    }
    for (const SlNode *entry = node->first; entry && status == SL_OK; entry = entry->next)
        status = read_core(entry, &shared, cores, err);
    return status;
}

// ---- budgets ----

static SlStatus read_hardware(SlPlanReader *reader, Parts *parts, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *node = sl_node_get(reader->root, "hardware");
    int hardware = SL_HARDWARE_FIXED;
    SlStatus status = node ? sl_node_choice(node, sl_hardware_names, &hardware, err) : SL_OK;
    plan->hardware = (SlHardware)hardware;
    plan->resources = "";
    parts->resources = sl_node_get(reader->root, "resources");
    if (status != SL_OK || !parts->resources) return status;
    if (hardware == SL_HARDWARE_FIXED)
        return sl_node_fail(parts->resources, err, "resources: expected 'hardware: search' too");
    return sl_plan_label(parts->resources, "resources", &plan->resources, err);
}

// iso: what the core itself needs; else the limits of a chip
static SlStatus find_budget(const Parts *parts, const SlVtaCore *core, SlVtaBudget *budget,
                            SlError *err) {
    SlError inside = {0};
    *budget = (SlVtaBudget){.name = ""};
    if (!parts->resources) return SL_OK;
    if (strcmp(parts->resources->text, "iso") == 0) {
        *budget = sl_vta_budget_equal(core, "iso");
        return SL_OK;
    }
    SlStatus status = sl_vta_budget_parse(parts->resources->text, budget, &inside);
    return status == SL_OK ? SL_OK
                           : sl_node_fail(parts->resources, err, "resources: %s", inside.text);
}

// ---- the quick form ----

static SlStatus keep_networks(SlPlanReader *reader, Parts *parts, bool *named, SlError *err) {
    const SlPlanLayers *layers = &parts->layers;
    const SlNode *some = reader->quick ? sl_node_get(reader->quick, "networks") : NULL;
    const char **names = SL_NEW(reader->arena, layers->n_shares + 1, const char *);
    parts->keep_network = SL_NEW(reader->arena, layers->n_shares, bool);
    if (!names || !parts->keep_network) return sl_plan_no_memory(err);
    for (int i = 0; i < layers->n_shares; i++) names[i] = layers->shares[i].name;
    SlPlanNames all = {layers->n_shares, names, NULL, "network"};
    *named = some;
    return sl_plan_keep(some, &all, parts->keep_network, err);
}

// a layer stays if the quick form names it or a network that has it
static SlStatus keep_layers(SlPlanReader *reader, const SlPlanNames *names, Parts *parts,
                            SlError *err) {
    SlPlanLayers *layers = &parts->layers;
    bool networks = false;
    const SlNode *some = reader->quick ? sl_node_get(reader->quick, "layers") : NULL;
    parts->keep_layer = SL_NEW(reader->arena, layers->n, bool);
    if (!parts->keep_layer) return sl_plan_no_memory(err);
    SlStatus status = keep_networks(reader, parts, &networks, err);
    if (status == SL_OK) status = sl_plan_keep(some, names, parts->keep_layer, err);
    if (status != SL_OK) return status;
    for (int i = 0; i < layers->n; i++) {
        if (networks && !some) parts->keep_layer[i] = false;
        for (int k = 0; k < layers->n_shares && networks; k++)
            parts->keep_layer[i] |= parts->keep_network[k] && layers->shares[k].counts[i] > 0;
        if (!reader->quick_asked) parts->keep_layer[i] = true;
    }
    // a network is whole or not there
    for (int k = 0; k < layers->n_shares; k++) {
        if (!reader->quick_asked) parts->keep_network[k] = true;
        for (int i = 0; i < layers->n; i++)
            parts->keep_network[k] &= parts->keep_layer[i] || layers->shares[k].counts[i] == 0;
    }
    return SL_OK;
}

static SlStatus keep_cores(SlPlanReader *reader, Cores *cores, SlError *err) {
    const SlNode *some = reader->quick ? sl_node_get(reader->quick, "cores") : NULL;
    SlPlanNames names = {cores->n, cores->names, NULL, "core"};
    SlStatus status = sl_plan_keep(some, &names, cores->keep, err);
    for (int i = 0; i < cores->n && !reader->quick_asked; i++) cores->keep[i] = true;
    return status;
}

// ---- tasks ----

const SlVtaCore *sl_plan_core(const SlPlanTask *task) {
    return &((const SlVtaOptions *)task->setup.options)->core;
}

// the kind takes the layer, and this is what names its measurements
static SlStatus check_task(const SlPlanReader *reader, const SlPlanLayer *layer, SlPlanTask *task,
                           SlError *err) {
    SlArena scratch;
    SlTask *made = NULL;
    SlError inside = {0};
    sl_arena_init(&scratch, 0);
    SlStatus status = sl_task_make(&task->setup, &scratch, &made, &inside);
    if (status == SL_OK) {
        const char *name = sl_task_name(made);
        task->n_points = sl_task_space(made)->n_points;
        task->floor = sl_task_floor(made);
        task->stream = sl_arena_text(reader->arena, name, strlen(name));
        if (!task->stream) status = SL_ENOMEM;
    }
    sl_arena_free(&scratch);
    if (status == SL_ENOMEM) return sl_plan_no_memory(err);
    if (status != SL_OK)
        return sl_node_fail(layer->node, err, "%s on %s: %s", layer->label, task->accel,
                            inside.text);
    return SL_OK;
}

static SlStatus add_task(SlPlanReader *reader, const Parts *parts, const SlPlanLayer *layer,
                         int core, SlError *err) {
    SlPlan *plan = reader->plan;
    const Cores *cores = &parts->cores;
    SlPlanTask *task = &plan->tasks[plan->n_tasks++];
    SlVtaOptions *options = SL_NEW(reader->arena, 1, SlVtaOptions);
    SlLayer *shape = SL_NEW(reader->arena, 1, SlLayer);
    SlText name, accel;
    if (!options || !shape) return sl_plan_no_memory(err);
    *options = (SlVtaOptions){.core = cores->cores[core], .hardware = plan->hardware};
    // equal layers have equal measurements, whatever they are called
    *shape = *layer->layer;
    snprintf(shape->name, sizeof shape->name, "%s", sl_layer_type_names[shape->type]);
    SlStatus status = find_budget(parts, &options->core, &options->budget, err);
    if (status != SL_OK) return status;
    sl_text_init(&name, reader->arena);
    sl_text_init(&accel, reader->arena);
    sl_text_add(&name, "%s", layer->label);
    if (cores->n > 1) sl_text_add(&name, " on %s", cores->names[core]);
    sl_text_add(&accel, "%s%s", plan->hardware == SL_HARDWARE_SEARCH ? "cores from " : "",
                cores->names[core]);
    if (name.failed || accel.failed) return sl_plan_no_memory(err);
    *task = (SlPlanTask){.name = name.data,
                         .layer = layer->label,
                         .workload = layer->text,
                         .accel = accel.data,
                         .objective = "cycles",
                         .setup = {.kind = plan->kind, .layer = shape, .options = options},
                         .count = layer->count};
    return check_task(reader, layer, task, err);
}

// networks as multiples of tasks, in the order in which add_tasks made them
static SlStatus add_networks(SlPlanReader *reader, const Parts *parts, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlPlanLayers *layers = &parts->layers;
    plan->networks = SL_NEW(reader->arena, layers->n_shares, SlPlanNetwork);
    if (!plan->networks) return sl_plan_no_memory(err);
    for (int k = 0; k < layers->n_shares; k++) {
        if (!parts->keep_network[k]) continue;
        const SlPlanShare *share = &layers->shares[k];
        int *counts = SL_NEW(reader->arena, plan->n_tasks, int), t = 0;
        if (!counts) return sl_plan_no_memory(err);
        for (int l = 0; l < layers->n; l++)
            for (int c = 0; c < parts->cores.n; c++)
                if (parts->keep_layer[l] && parts->cores.keep[c]) counts[t++] = share->counts[l];
        plan->networks[plan->n_networks++] = (SlPlanNetwork){.name = share->name,
                                                             .counts = counts,
                                                             .n_layers = share->n_layers,
                                                             .n_host = share->n_host};
    }
    return SL_OK;
}

static SlStatus make_tasks(SlPlanReader *reader, const Parts *parts, SlError *err) {
    int64_t n = (int64_t)parts->layers.n * parts->cores.n;
    if (n > SL_PLAN_MAX_TASKS)
        return sl_node_fail(reader->root, err, "a plan has at most %d tasks, this one has %lld",
                            SL_PLAN_MAX_TASKS, (long long)n);
    reader->plan->tasks = SL_NEW(reader->arena, n, SlPlanTask);
    if (!reader->plan->tasks) return sl_plan_no_memory(err);
    SlStatus status = SL_OK;
    for (int l = 0; l < parts->layers.n; l++)
        for (int c = 0; c < parts->cores.n && status == SL_OK; c++)
            if (parts->keep_layer[l] && parts->cores.keep[c])
                status = add_task(reader, parts, &parts->layers.layers[l], c, err);
    return status == SL_OK ? add_networks(reader, parts, err) : status;
}

SlStatus sl_plan_read_tuning(SlPlanReader *reader, SlPlanNames *layers, SlError *err) {
    Parts parts = {0};
    const SlNode *list = sl_node_get(reader->root, "layers");
    const SlNode *networks = sl_node_get(reader->root, "networks");
    const SlNode *batch = sl_node_get(reader->root, "batch");
    SlPlan *plan = reader->plan;
    plan->batch = 1;
    SlStatus status = batch ? sl_node_int(batch, 1, 4096, &plan->batch, err) : SL_OK;
    if (status == SL_OK && !networks) status = sl_node_need(reader->root, "layers", &list, err);
    if (status == SL_OK) status = read_host(reader, err);
    if (status == SL_OK)
        status = sl_plan_read_layers(reader, list, networks, plan->batch, &parts.layers, err);
    if (status == SL_OK) status = sl_plan_layer_names(&parts.layers, reader->arena, layers, err);
    if (status == SL_OK) status = read_cores(reader, &parts.cores, err);
    if (status == SL_OK) status = read_hardware(reader, &parts, err);
    if (status == SL_OK) status = keep_layers(reader, layers, &parts, err);
    if (status == SL_OK) status = keep_cores(reader, &parts.cores, err);
    return status == SL_OK ? make_tasks(reader, &parts, err) : status;
}
