// study_plan_rows.c - the rows of a plan: methods with their settings, budgets and seeds.
#include <string.h>

#include "starling/learn/flock.h"
#include "study_plan_inside.h"

enum { MAX_METHODS = 256 };
#define MAX_SEED INT64_C(9000000000000000) // as on the command line

// Samples of a run: of rows without a budget of their own, and at most.
typedef struct {
    int64_t usual, most;
} Samples;

// ---- methods ----

// ended by NULL
static int list_names(const char *names[static MAX_METHODS]) {
    int n = 0;
    for (; n < MAX_METHODS - 1 && sl_method_at(n); n++) names[n] = sl_method_at(n)->name;
    names[n] = NULL;
    return n;
}

SlStatus sl_plan_find_method(const SlNode *node, const char *what, const SlMethod **method,
                             SlError *err) {
    const char *names[MAX_METHODS];
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, what, err);
    if (status != SL_OK) return status;
    *method = sl_method_find(node->text);
    if (*method) return SL_OK;
    return sl_plan_unknown(node, &(SlPlanNames){list_names(names), names, NULL, what}, err);
}

SlStatus sl_plan_check_needs(const SlNode *node, const SlTaskKind *kind, const SlMethod *method,
                             SlError *err) {
    // guesses depend on the objective too: the cells find out
    if (method->needs & SL_NEEDS_MAPPINGS && !kind->maps)
        return sl_node_fail(node, err, "%s works on mappings, not on the points of %s",
                            method->name, kind->name);
    if (method->needs & SL_NEEDS_FLOORS && kind != &sl_kind_vta)
        return sl_node_fail(node, err, "%s needs a lower bound of every point, and %s has none",
                            method->name, kind->name);
    return SL_OK;
}

static SlStatus find_method(const SlNode *node, SlPlanRow *row, SlError *err) {
    SlStatus status = sl_plan_find_method(node, "method", &row->method, err);
    if (status == SL_OK) row->name = row->method->name;
    return status;
}

// ---- one row ----

static SlStatus read_options(const SlNode *set, SlArena *arena, SlPlanRow *row, SlError *err) {
    const SlMethod *method = row->method;
    void *options = sl_arena_alloc(arena, 1, method->options_bytes + 1);
    if (!options) return sl_plan_no_memory(err);
    sl_options_init(method->options, options);
    SlStatus status = set ? sl_options_read(method->options, set, options, err) : SL_OK;
    if (status != SL_OK) return status;
    row->options = options;
    row->settings = sl_method_settings(method, options, arena);
    return row->settings ? SL_OK : sl_plan_no_memory(err);
}

// rows stand in keys between slashes
static SlStatus read_name(const SlNode *node, SlPlanRow *row, SlError *err) {
    SlStatus status = sl_plan_label(node, "name", &row->name, err);
    if (status == SL_OK && strchr(row->name, '/'))
        return sl_node_fail(node, err, "name: expected no '/' in '%s'", row->name);
    return status;
}

// what the quick form or the command line asks for is the most for rows with their own budget too
static SlStatus read_budget(const SlNode *own, const Samples *samples, SlPlanRow *row,
                            SlError *err) {
    row->samples = samples->usual;
    if (!own) return SL_OK;
    SlStatus status = sl_node_int(own, 1, SL_PLAN_MAX_SAMPLES, &row->samples, err);
    if (row->samples > samples->most) row->samples = samples->most;
    return status;
}

// "flock: maestro-edp", a bundled one, a file or a folder; nothing is used that the plan does not
// name
static SlStatus read_flock(const SlNode *node, SlArena *arena, SlPlanRow *row, SlError *err) {
    SlFlock *flock = NULL;
    SlText taught;
    SlError inside;
    bool needs = row->method->needs & SL_NEEDS_FLOCK;
    if (!node || strcmp(node->text ? node->text : "", "none") == 0) return SL_OK;
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "flock", err);
    if (status != SL_OK) return status;
    if (!needs)
        return sl_node_fail(node, err, "flock: method %s takes no flock", row->method->name);
    status = sl_flock_find(node->text, arena, &flock, &inside);
    if (status != SL_OK) return sl_node_fail(node, err, "flock: %s", inside.text);
    sl_text_init(&taught, arena);
    sl_text_add(&taught, "flock %016llx", (unsigned long long)sl_flock_digest(flock));
    row->flock = flock;
    row->taught = taught.data;
    return taught.failed ? sl_plan_no_memory(err) : SL_OK;
}

static SlStatus read_row(const SlPlanReader *reader, const SlNode *node, const Samples *samples,
                         SlPlanRow *row, SlError *err) {
    static const char *const keys[] = {"name", "method",  "set",     "agents", "dataset", "policy",
                                       "like", "shuffle", "samples", "flock",  NULL};
    SlArena *arena = reader->arena;
    *row = (SlPlanRow){.samples = samples->usual, .quick = true};
    if (node->kind == SL_NODE_SCALAR) {
        SlStatus status = find_method(node, row, err);
        return status == SL_OK ? read_options(NULL, arena, row, err) : status;
    }
    const SlNode *method = NULL;
    SlStatus status = sl_node_expect(node, SL_NODE_MAP, "methods", err);
    if (status == SL_OK) status = sl_node_check_keys(node, keys, err);
    if (status == SL_OK) status = sl_node_need(node, "method", &method, err);
    if (status == SL_OK) status = find_method(method, row, err);
    if (status != SL_OK) return status;
    const SlNode *name = sl_node_get(node, "name");
    if (name) status = read_name(name, row, err);
    if (status == SL_OK) status = sl_plan_row_agents(reader, node, row, err);
    if (status == SL_OK) status = read_options(sl_node_get(node, "set"), arena, row, err);
    if (status == SL_OK) status = read_budget(sl_node_get(node, "samples"), samples, row, err);
    if (status == SL_OK) status = read_flock(sl_node_get(node, "flock"), arena, row, err);
    return status;
}

// ---- which rows stay ----

// "marl,marl, no critic,ga": names may have commas themselves, so the longest name wins
static SlStatus keep_named(const char *text, const SlPlanNames *names, bool *keep, SlError *err) {
    memset(keep, 0, (size_t)names->n * sizeof *keep);
    for (const char *at = text + strspn(text, ", "); *at; at += strspn(at, ", ")) {
        size_t longest = 0;
        int found = -1;
        for (int i = 0; i < names->n; i++) {
            size_t n = strlen(names->names[i]);
            if (n <= longest || strncmp(at, names->names[i], n) != 0) continue;
            if (at[n + strspn(at + n, " ")] && at[n + strspn(at + n, " ")] != ',') continue;
            longest = n;
            found = i;
        }
        if (found < 0) {
            char word[SL_PLAN_LABEL_ROOM] = "";
            size_t n = strcspn(at, ",");
            memcpy(word, at, n < sizeof word - 1 ? n : sizeof word - 1);
            const char *near = sl_nearest_name(word, names->names);
            return sl_fail(err, SL_EINPUT, "the plan has no row '%s'%s%s%s", word,
                           near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
        }
        keep[found] = true;
        at += longest;
    }
    return SL_OK;
}

// drop the others and find the reference among those that are left: the plan's, else the first
static SlStatus drop_rows(SlPlan *plan, const bool *keep, int reference, SlError *err) {
    int n = 0;
    plan->reference = -1;
    for (int i = 0; i < plan->n_rows; i++) {
        if (!keep[i]) continue;
        if (i == reference) plan->reference = n;
        plan->rows[n++] = plan->rows[i];
    }
    if (plan->n_rows && n == 0) return sl_fail(err, SL_EINPUT, "no row of the plan is left");
    if (n && plan->reference < 0) plan->reference = 0;
    plan->n_rows = n;
    return SL_OK;
}

static SlStatus choose_rows(SlPlanReader *reader, const SlPlanNames *names, int reference,
                            SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *some = reader->quick ? sl_node_get(reader->quick, "methods") : NULL;
    bool *keep = SL_NEW(reader->arena, names->n, bool);
    if (!keep) return sl_plan_no_memory(err);
    SlStatus status = sl_plan_keep(some, names, keep, err);
    if (status != SL_OK) return status;
    for (int i = 0; i < names->n; i++) plan->rows[i].quick = keep[i];
    if (!reader->quick_asked) memset(keep, true, (size_t)names->n * sizeof *keep);
    if (reader->changes->methods) status = keep_named(reader->changes->methods, names, keep, err);
    return status == SL_OK ? drop_rows(plan, keep, reference, err) : status;
}

static SlStatus find_reference(const SlNode *root, const SlPlanNames *names, int *reference,
                               SlError *err) {
    const SlNode *node = sl_node_get(root, "reference");
    *reference = 0;
    if (!node) return SL_OK;
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "reference", err);
    if (status != SL_OK) return status;
    for (int i = 0; i < names->n; i++) {
        *reference = i;
        if (strcmp(names->names[i], node->text) == 0) return SL_OK;
    }
    return sl_plan_unknown(node, names, err);
}

// ---- all of them ----

static SlStatus read_samples(const SlPlanReader *reader, Samples *samples, SlError *err) {
    const SlNode *node = NULL;
    const SlNode *quick = reader->quick ? sl_node_get(reader->quick, "samples") : NULL;
    int64_t few = 0;
    samples->most = SL_PLAN_MAX_SAMPLES;
    SlStatus status = sl_node_need(reader->root, "samples", &node, err);
    if (status == SL_OK) status = sl_node_int(node, 1, SL_PLAN_MAX_SAMPLES, &samples->usual, err);
    if (status == SL_OK && quick) status = sl_node_int(quick, 1, SL_PLAN_MAX_SAMPLES, &few, err);
    if (status == SL_OK && quick && reader->quick_asked) *samples = (Samples){few, few};
    int64_t asked = reader->changes->samples;
    if (asked < 0 || asked > SL_PLAN_MAX_SAMPLES)
        return sl_fail(err, SL_EINPUT, "expected 1 to %lld samples",
                       (long long)SL_PLAN_MAX_SAMPLES);
    if (asked > 0) *samples = (Samples){asked, asked};
    return status;
}

static SlStatus read_rows(SlPlanReader *reader, const SlNode *list, const char **names,
                          SlError *err) {
    SlPlan *plan = reader->plan;
    Samples samples = {0};
    SlStatus status = read_samples(reader, &samples, err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next) {
        int n = plan->n_rows;
        SlPlanRow *row = &plan->rows[n];
        status = read_row(reader, node, &samples, row, err);
        if (status == SL_OK) status = sl_plan_check_needs(node, plan->kind, row->method, err);
        if (status != SL_OK) break;
        for (int i = 0; i < n; i++) {
            if (strcmp(names[i], row->name) == 0)
                return sl_node_fail(node, err, "methods: '%s' stands here twice; give one a name",
                                    row->name);
        }
        names[plan->n_rows++] = row->name;
    }
    return status;
}

SlStatus sl_plan_read_rows(SlPlanReader *reader, SlPlanNames *rows, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *list = sl_node_get(reader->root, "methods");
    *rows = (SlPlanNames){.what = "row"};
    plan->reference = -1;
    // a plan may be of proofs alone where programs are compared
    if (!list && !plan->sizes && !plan->assign && !(!plan->kind->maps && plan->prove))
        return sl_node_need(reader->root, "methods", &list, err);
    SlStatus status = list ? sl_plan_list(list, "methods", SL_PLAN_MAX_ROWS, err) : SL_OK;
    if (status != SL_OK) return status;
    int n = list ? list->n : 0, reference = 0;
    const char **names = SL_NEW(reader->arena, n + 1, const char *);
    plan->rows = SL_NEW(reader->arena, n, SlPlanRow);
    if (!names || !plan->rows) return sl_plan_no_memory(err);
    rows->names = names;
    if (list) status = read_rows(reader, list, names, err);
    rows->n = plan->n_rows;
    if (status == SL_OK) status = find_reference(reader->root, rows, &reference, err);
    return status == SL_OK ? choose_rows(reader, rows, reference, err) : status;
}

// ---- seeds ----

static SlStatus make_seeds(SlPlanReader *reader, int64_t n, SlError *err) {
    SlPlan *plan = reader->plan;
    const uint64_t *old = plan->seeds;
    uint64_t next = 1;
    plan->seeds = SL_NEW(reader->arena, n, uint64_t);
    if (!plan->seeds) return sl_plan_no_memory(err);
    for (int i = 0; i < plan->n_seeds; i++)
        if (old[i] >= next) next = old[i] + 1;
    for (int i = 0; i < n; i++) plan->seeds[i] = i < plan->n_seeds ? old[i] : next++;
    plan->n_seeds = (int)n;
    return SL_OK;
}

static SlStatus read_seed_list(SlPlanReader *reader, const SlNode *list, SlError *err) {
    SlPlan *plan = reader->plan;
    SlStatus status = sl_plan_list(list, "seeds", SL_PLAN_MAX_SEEDS, err);
    if (status != SL_OK) return status;
    plan->n_seeds = 0;
    plan->seeds = SL_NEW(reader->arena, list->n, uint64_t);
    if (!plan->seeds) return sl_plan_no_memory(err);
    for (const SlNode *node = list->first; node; node = node->next) {
        int64_t seed = 0;
        status = sl_node_int(node, 0, MAX_SEED, &seed, err);
        if (status != SL_OK) return status;
        for (int i = 0; i < plan->n_seeds; i++) {
            if (plan->seeds[i] == (uint64_t)seed)
                return sl_node_fail(node, err, "seeds: %lld stands here twice", (long long)seed);
        }
        plan->seeds[plan->n_seeds++] = (uint64_t)seed;
    }
    return SL_OK;
}

static SlStatus read_seed_node(SlPlanReader *reader, const SlNode *node, SlError *err) {
    int64_t n = 10;
    if (node && node->kind == SL_NODE_LIST) return read_seed_list(reader, node, err);
    SlStatus status = node ? sl_node_int(node, 1, SL_PLAN_MAX_SEEDS, &n, err) : SL_OK;
    reader->plan->n_seeds = 0;
    return status == SL_OK ? make_seeds(reader, n, err) : status;
}

SlStatus sl_plan_read_seeds(SlPlanReader *reader, SlError *err) {
    const SlNode *quick = reader->quick ? sl_node_get(reader->quick, "seeds") : NULL;
    SlStatus status = quick ? read_seed_node(reader, quick, err) : SL_OK;
    if (status == SL_OK && !(quick && reader->quick_asked))
        status = read_seed_node(reader, sl_node_get(reader->root, "seeds"), err);
    int64_t asked = reader->changes->seeds;
    if (status != SL_OK || asked == 0) return status;
    if (asked < 0 || asked > SL_PLAN_MAX_SEEDS)
        return sl_fail(err, SL_EINPUT, "expected 1 to %d seeds", SL_PLAN_MAX_SEEDS);
    return make_seeds(reader, asked, err);
}
