// study_plan.c - plans of studies from YAML files (docs/formats/plan.md).
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study_plan_inside.h"

enum { MAX_NOTES = 64, MAX_TEXT = 1 << 20 };

// ---- what the readers share ----

const SlNode *sl_plan_node(const SlPlanReader *reader, const char *key) {
    const SlNode *node = reader->quick_asked ? sl_node_get(reader->quick, key) : NULL;
    return node ? node : sl_node_get(reader->root, key);
}

SlStatus sl_plan_no_memory(SlError *err) {
    return sl_fail(err, SL_ENOMEM, "not enough memory for the plan");
}

SlStatus sl_plan_list(const SlNode *list, const char *key, int most, SlError *err) {
    SlStatus status = sl_node_expect(list, SL_NODE_LIST, key, err);
    if (status != SL_OK) return status;
    if (list->n >= 1 && list->n <= most) return SL_OK;
    return sl_node_fail(list, err, "%s: expected 1 to %d entries, got %d", key, most, list->n);
}

SlStatus sl_plan_label(const SlNode *node, const char *what, const char **out, SlError *err) {
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, what, err);
    if (status != SL_OK) return status;
    size_t n = strlen(node->text);
    bool good = n >= 1 && n < SL_PLAN_LABEL_ROOM;
    for (const char *c = node->text; *c; c++) good &= (unsigned char)*c >= ' ' && *c != 0x7F;
    if (!good)
        return sl_node_fail(node, err, "%s: expected one line of 1 to %d bytes", what,
                            SL_PLAN_LABEL_ROOM - 1);
    *out = node->text;
    return SL_OK;
}

SlStatus sl_plan_unknown(const SlNode *node, const SlPlanNames *names, SlError *err) {
    const char *near = sl_nearest_name(node->text, names->names);
    if (!near && names->aliases) near = sl_nearest_name(node->text, names->aliases);
    return sl_node_fail(node, err, "unknown %s '%.80s'%s%s%s", names->what, node->text,
                        near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

// marks every name that `text` is; false if it is none
static bool mark(const SlPlanNames *names, const char *text, bool *keep) {
    bool found = false;
    for (int i = 0; i < names->n; i++) {
        bool same = strcmp(names->names[i], text) == 0;
        if (names->aliases) same |= strcmp(names->aliases[i], text) == 0;
        if (same && keep) keep[i] = true;
        found |= same;
    }
    return found;
}

bool sl_plan_has(const SlPlanNames *names, const char *text) {
    return mark(names, text, NULL);
}

SlStatus sl_plan_keep(const SlNode *list, const SlPlanNames *names, bool *keep, SlError *err) {
    memset(keep, !list, (size_t)names->n * sizeof *keep);
    if (!list) return SL_OK;
    SlStatus status = sl_plan_list(list, list->key, SL_PLAN_MAX_TASKS, err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next) {
        status = sl_node_expect(node, SL_NODE_SCALAR, list->key, err);
        if (status == SL_OK && !mark(names, node->text, keep))
            return sl_plan_unknown(node, names, err);
    }
    return status;
}

// ---- words ----

SlStatus sl_plan_text(const SlNode *node, const char *key, const char **out, SlError *err) {
    if (!node) return SL_OK;
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, key, err);
    if (status == SL_OK) *out = node->text;
    return status;
}

static SlStatus read_study_name(const SlNode *root, SlPlan *plan, SlError *err) {
    const SlNode *node = NULL;
    SlStatus status = sl_node_need(root, "study", &node, err);
    if (status == SL_OK) status = sl_plan_label(node, "study", &plan->name, err);
    if (status != SL_OK) return status;
    size_t n =
        strspn(plan->name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
    if (!plan->name[n] && n < 64) return SL_OK;
    return sl_node_fail(
        node, err, "study: expected at most 63 letters, digits, '-' and '_', got '%s'", plan->name);
}

static SlStatus read_notes(const SlPlanReader *reader, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *list = sl_node_get(reader->root, "notes");
    if (!list) return SL_OK;
    SlStatus status = sl_plan_list(list, "notes", MAX_NOTES, err);
    if (status != SL_OK) return status;
    plan->notes = SL_NEW(reader->arena, list->n, const char *);
    if (!plan->notes) return sl_plan_no_memory(err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next)
        status = sl_plan_text(node, "notes", &plan->notes[plan->n_notes++], err);
    return status;
}

static SlStatus read_words(const SlPlanReader *reader, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *root = reader->root;
    SlStatus status = read_study_name(root, plan, err);
    plan->title = plan->name;
    plan->about = "";
    const SlNode *title = sl_node_get(root, "title"), *minutes = sl_node_get(root, "minutes");
    if (status == SL_OK && title) status = sl_plan_label(title, "title", &plan->title, err);
    if (status == SL_OK)
        status = sl_plan_text(sl_node_get(root, "about"), "about", &plan->about, err);
    if (status == SL_OK && minutes) status = sl_node_real(minutes, 0, 1e6, &plan->minutes, err);
    return status == SL_OK ? read_notes(reader, err) : status;
}

// ---- what is done besides runs ----

static SlStatus read_proof(const SlNode *map, SlPlan *plan, SlError *err) {
    static const char *const keys[] = {"gap", "seconds", "nodes", NULL};
    double percent = 0;
    plan->prove = false;
    plan->prove_gap = 0;
    plan->prove_seconds = plan->kind->maps ? 10 : 0; // an oracle comes to its end
    plan->prove_nodes = 0;
    if (map && map->kind == SL_NODE_SCALAR) {
        SlStatus status = sl_node_bool(map, &plan->prove, err);
        return status;
    }
    if (!map) return SL_OK;
    SlStatus status = sl_node_check_keys(map, keys, err);
    const SlNode *gap = sl_node_get(map, "gap"), *seconds = sl_node_get(map, "seconds");
    const SlNode *nodes = sl_node_get(map, "nodes");
    if (status == SL_OK && gap) status = sl_node_real(gap, 0, 1000, &percent, err);
    if (status == SL_OK && seconds)
        status = sl_node_real(seconds, 0, 1e6, &plan->prove_seconds, err);
    if (status == SL_OK && nodes)
        status = sl_node_int(nodes, 0, INT64_C(1) << 53, &plan->prove_nodes, err);
    plan->prove = true;
    plan->prove_gap = percent / 100;
    return status;
}

static SlStatus read_optimum(const SlPlanReader *reader, const SlNode *node, SlError *err) {
    SlPlan *plan = reader->plan;
    SlStatus status = read_proof(node, plan, err);
    bool priced = plan->kind->maps && plan->kind != &sl_kind_native;
    if (status != SL_OK || !plan->prove || !priced) return status;
    if (reader->changes->evaluator) {
        plan->prove = false;
        return SL_OK;
    }
    return sl_node_fail(node, err, "optimum: proofs hold for the native model only, not for %s",
                        plan->kind->name);
}

// stretches of the samples, by their number or by their length
static SlStatus read_windows(const SlNode *root, SlPlan *plan, SlError *err) {
    const SlNode *windows = sl_node_get(root, "windows"), *stretch = sl_node_get(root, "stretch");
    int64_t n = 0;
    if (windows && stretch)
        return sl_node_fail(stretch, err, "stretch: expected either this or 'windows'");
    SlStatus status = windows ? sl_node_int(windows, 0, SL_PLAN_MAX_WINDOWS, &n, err) : SL_OK;
    plan->n_windows = (int)n;
    if (status == SL_OK && stretch)
        status = sl_node_int(stretch, 1, SL_PLAN_MAX_SAMPLES, &plan->stretch, err);
    return status;
}

static SlStatus read_others(const SlPlanReader *reader, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *root = reader->root, *quick = reader->quick;
    const SlNode *trace = sl_node_get(root, "trace"), *sizes = sl_node_get(root, "sizes");
    const SlNode *footprint = sl_node_get(root, "footprint");
    // both forms are checked, whichever is asked for
    SlStatus status = quick ? read_optimum(reader, sl_node_get(quick, "optimum"), err) : SL_OK;
    if (status == SL_OK) status = read_optimum(reader, sl_node_get(root, "optimum"), err);
    if (status == SL_OK) status = read_optimum(reader, sl_plan_node(reader, "optimum"), err);
    if (status == SL_OK) status = read_windows(root, plan, err);
    if (status == SL_OK && trace) status = sl_node_bool(trace, &plan->trace, err);
    if (status == SL_OK && footprint) status = sl_node_bool(footprint, &plan->footprint, err);
    if (status == SL_OK && sizes) status = sl_node_bool(sizes, &plan->sizes, err);
    if (status == SL_OK) status = sl_plan_read_assign(reader, err);
    if (status == SL_OK && plan->trace && !plan->n_windows && !plan->stretch)
        return sl_node_fail(trace, err, "trace: expected 'windows' too");
    return status;
}

// a program of the user's: a path, or a command with arguments. Every run starts its own copy.
static SlStatus take_program(const SlPlanReader *reader, const char *command, SlError *err) {
    SlProcessOptions *options = SL_NEW(reader->arena, 1, SlProcessOptions);
    if (!options) return sl_plan_no_memory(err);
    options->program.command = sl_arena_text(reader->arena, command, strlen(command));
    reader->plan->kind = &sl_kind_process;
    reader->plan->program = options;
    return options->program.command ? SL_OK : sl_plan_no_memory(err);
}

// who prices mappings: what the command line says, else `evaluator` of the plan (or `model`, its
// older name)
static SlStatus read_evaluator(const SlPlanReader *reader, SlError *err) {
    static const char *const names[] = {"native", "maestro", NULL};
    const SlNode *node = sl_node_get(reader->root, "evaluator");
    if (!node) node = sl_node_get(reader->root, "model");
    int who = 0;
    const char *given = reader->changes->evaluator;
    const char *text = given ? given : node && node->kind == SL_NODE_SCALAR ? node->text : "";
    if (strpbrk(text, "/ ")) return take_program(reader, text, err);
    SlStatus status = node && !given ? sl_node_choice(node, names, &who, err) : SL_OK;
    if (status != SL_OK) return status;
    reader->plan->kind = sl_task_kind_find(given ? given : names[who]);
    const SlTaskKind *kind = reader->plan->kind;
    if (kind && kind->maps && kind != &sl_kind_process) return SL_OK;
    return sl_fail(err, SL_EINPUT,
                   "'%.40s' evaluates no mappings; expected native, maestro, or a program: its "
                   "path, or a command with arguments",
                   given);
}

static SlStatus read_choices(const SlPlanReader *reader, SlError *err) {
    const SlNode *root = reader->root;
    const SlNode *space = sl_node_get(root, "space"), *start = sl_node_get(root, "start");
    const SlNode *illegal = sl_node_get(root, "illegal");
    int preset = SL_SPACE_NATIVE, first = SL_START_NONE, what = SL_ILLEGAL_REPAIR;
    SlStatus status = space ? sl_node_choice(space, sl_space_names, &preset, err) : SL_OK;
    if (status == SL_OK && start) status = sl_node_choice(start, sl_start_names, &first, err);
    if (status == SL_OK && illegal) status = sl_node_choice(illegal, sl_illegal_names, &what, err);
    if (status == SL_OK && reader->plan->kind->maps) status = read_evaluator(reader, err);
    reader->plan->space = (SlSpacePreset)preset;
    reader->plan->start = (SlStart)first;
    reader->plan->illegal = (SlIllegal)what;
    return status;
}

// ---- the file ----

static SlStatus find_quick(SlPlanReader *reader, SlError *err) {
    static const char *const keys[] = {"samples", "seeds",      "methods", "layers",
                                       "accels",  "objectives", "optimum", NULL};
    static const char *const tuning_keys[] = {"samples",  "seeds", "methods", "layers",
                                              "networks", "cores", "optimum", NULL};
    reader->quick = sl_node_get(reader->root, "quick");
    reader->quick_asked = reader->changes->quick;
    reader->plan->quick = reader->changes->quick;
    if (reader->quick) {
        SlStatus status = sl_node_expect(reader->quick, SL_NODE_MAP, "quick", err);
        if (status != SL_OK) return status;
        return sl_node_check_keys(reader->quick, reader->plan->kind->maps ? keys : tuning_keys,
                                  err);
    }
    bool wanted = reader->quick_asked && sl_node_get(reader->root, "methods");
    reader->quick_asked = false; // a plan without runs is quick as it is
    if (!wanted) return SL_OK;
    return sl_node_fail(reader->root, err,
                        "the plan has no quick form: expected 'quick', what it changes");
}

// is it about mappings or about programs, and does it have the keys of its kind alone?
static SlStatus find_kind(SlPlanReader *reader, SlError *err) {
    static const char *const keys[] = {"study",      "title",   "about",     "layers",  "accels",
                                       "objectives", "space",   "start",     "illegal", "samples",
                                       "seeds",      "methods", "reference", "optimum", "windows",
                                       "stretch",    "trace",   "footprint", "sizes",   "assign",
                                       "factors",    "show",    "paper",     "notes",   "minutes",
                                       "quick",      "model",   "evaluator", NULL};
    static const char *const tuning_keys[] = {
        "study",   "title",   "about",     "target",  "layers",   "networks",  "host",
        "cores",   "bus",     "profile",   "batch",   "hardware", "resources", "samples",
        "seeds",   "methods", "reference", "optimum", "show",     "paper",     "notes",
        "minutes", "quick",   "factors",   NULL};
    static const char *const targets[] = {"vta", NULL}; // measurements without noise
    const SlNode *target = sl_node_get(reader->root, "target");
    int which = 0;
    reader->plan->kind = target ? &sl_kind_vta : &sl_kind_native;
    SlStatus status = target ? sl_node_choice(target, targets, &which, err) : SL_OK;
    if (status == SL_OK)
        status = sl_node_check_keys(reader->root, target ? tuning_keys : keys, err);
    if (status == SL_OK && target && reader->changes->evaluator)
        return sl_node_fail(target, err, "target: the plan has no mappings to evaluate");
    return status;
}

static SlStatus read_plan(SlPlanReader *reader, SlError *err) {
    SlPlanNames layers = {0}, rows = {0};
    SlStatus status = sl_node_expect(reader->root, SL_NODE_MAP, "a plan", err);
    if (status == SL_OK) status = find_kind(reader, err);
    if (status == SL_OK) status = find_quick(reader, err);
    if (status == SL_OK) status = read_words(reader, err);
    if (status == SL_OK) status = read_choices(reader, err);
    if (status == SL_OK) status = read_others(reader, err);
    if (status == SL_OK) status = sl_plan_read_rows(reader, &rows, err);
    if (status == SL_OK) status = sl_plan_read_seeds(reader, err);
    if (status == SL_OK)
        status = reader->plan->kind->maps ? sl_plan_read_tasks(reader, &layers, err)
                                          : sl_plan_read_tuning(reader, &layers, err);
    if (status == SL_OK) status = sl_plan_link_rows(reader, err);
    return status == SL_OK ? sl_plan_read_show(reader, &layers, &rows, err) : status;
}

SlStatus sl_plan_parse(const char *file, const char *text, size_t n, const SlPlanChanges *changes,
                       SlArena *arena, SlPlan *plan, SlError *err) {
    static const SlPlanChanges none = {0};
    size_t start = sl_arena_mark(arena);
    SlPlan fresh;
    memset(&fresh, 0, sizeof fresh);
    SlPlanReader reader = {.changes = changes ? changes : &none, .arena = arena, .plan = &fresh};
    fresh.text = sl_arena_text(arena, text, n);
    SlStatus status = fresh.text ? SL_OK : sl_plan_no_memory(err);
    if (status == SL_OK) status = sl_tree_parse(file, text, n, arena, &reader.root, err);
    if (status == SL_OK) status = read_plan(&reader, err);
    if (status == SL_OK)
        *plan = fresh;
    else
        sl_arena_rewind(arena, start);
    return status;
}

const char *sl_plan_name(int i) {
    for (const SlBundled *file = sl_bundle_files(); file->folder; file++)
        if (strcmp(file->folder, "plans") == 0 && i-- == 0) return file->name;
    return NULL;
}

SlStatus sl_plan_find(const char *name, const SlPlanChanges *changes, SlArena *arena, SlPlan *plan,
                      SlError *err) {
    char *text = NULL;
    size_t n = 0;
    if (sl_bundle_is_path(name)) {
        SlStatus status = sl_file_read(name, MAX_TEXT, arena, &text, &n, err);
        return status == SL_OK ? sl_plan_parse(name, text, n, changes, arena, plan, err) : status;
    }
    const SlBundled *bundled = sl_bundle_find("plans", name);
    char file[80];
    if (!bundled) return sl_bundle_unknown("plans", "study", name, err);
    snprintf(file, sizeof file, "%s.yaml", bundled->name);
    return sl_plan_parse(file, bundled->text, bundled->n, changes, arena, plan, err);
}
