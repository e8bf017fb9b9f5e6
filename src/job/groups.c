// groups.c - an assignment as a file: parameters by name, and who steers them
// (docs/formats/assignment.md).
#include "starling/job/groups.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "starling/job/run_dir.h"

enum { VERSION = 1, MOST_COUNT = 1000000000 };
#define MOST_SEED INT64_C(9000000000000000) // as on the command line

// Where an assignment comes from, key by key.
static const struct {
    const char *key;
    size_t offset;
} words[] = {
    {"layer", offsetof(SlGroups, layer)},
    {"shape", offsetof(SlGroups, shape)},
    {"accel", offsetof(SlGroups, accel)},
    {"evaluator", offsetof(SlGroups, evaluator)},
    {"space", offsetof(SlGroups, space)},
    {"open", offsetof(SlGroups, open)},
    {"constraints", offsetof(SlGroups, constraints)},
    {"objective", offsetof(SlGroups, objective)},
    {"policy", offsetof(SlGroups, policy)},
    {"metric", offsetof(SlGroups, metric)},
    {"linkage", offsetof(SlGroups, linkage)},
};
enum { N_WORDS = sizeof words / sizeof *words };

static const char **word_of(SlGroups *groups, int i) {
    return (const char **)((char *)groups + words[i].offset);
}

void sl_groups_of(const SlSpace *space, const SlAgents *agents, SlGroups *groups) {
    *groups = (SlGroups){.n = space->n_params, .n_agents = agents->n_agents};
    for (int i = 0; i < space->n_params; i++) {
        snprintf(groups->params[i].name, SL_GROUPS_NAME, "%s", space->params[i].name);
        groups->params[i].agent = agents->agent[i];
    }
}

// ---- writing ----

void sl_groups_write(const SlGroups *groups, SlText *out) {
    SlGroups from = *groups;
    sl_text_add(out,
                "# Which agent steers which mapping parameter: starling map --assignment.\n"
                "assignment: %d\n",
                VERSION);
    for (int i = 0; i < N_WORDS; i++) {
        const char *word = *word_of(&from, i);
        if (!word) continue;
        sl_text_add(out, "%s: ", words[i].key);
        sl_text_quote(out, word);
        sl_text_add(out, "\n");
    }
    sl_text_add(out, "samples: %lld\nrows: %lld\nseed: %lld\nagents:\n", (long long)groups->samples,
                (long long)groups->rows, (long long)groups->seed);
    for (int agent = 0; agent < groups->n_agents; agent++) {
        bool first = true;
        sl_text_add(out, "  - [");
        for (int i = 0; i < groups->n; i++) {
            if (groups->params[i].agent != agent) continue;
            if (!first) sl_text_add(out, ", ");
            sl_text_quote(out, groups->params[i].name);
            first = false;
        }
        sl_text_add(out, "]\n");
    }
}

// ---- reading ----

static int find_name(const SlGroups *groups, const char *name) {
    for (int i = 0; i < groups->n; i++)
        if (strcmp(groups->params[i].name, name) == 0) return i;
    return -1;
}

static SlStatus read_name(const SlNode *node, int agent, SlGroups *groups, SlError *err) {
    SlStatus status = sl_node_expect(node, SL_NODE_SCALAR, "agents", err);
    if (status != SL_OK) return status;
    if (groups->n == SL_MAX_PARAMS)
        return sl_node_fail(node, err, "agents: expected at most %d parameters", SL_MAX_PARAMS);
    char *name = groups->params[groups->n].name;
    status = sl_node_copy_text(node, SL_GROUPS_NAME, name, err);
    if (status != SL_OK) return status;
    if (find_name(groups, name) >= 0)
        return sl_node_fail(node, err, "agents: '%s' has an agent already", name);
    groups->params[groups->n++].agent = agent;
    return SL_OK;
}

static SlStatus read_agents(const SlNode *root, SlGroups *groups, SlError *err) {
    const SlNode *list = NULL;
    SlStatus status = sl_node_need(root, "agents", &list, err);
    if (status == SL_OK) status = sl_node_expect(list, SL_NODE_LIST, "agents", err);
    if (status != SL_OK) return status;
    for (const SlNode *agent = list->first; agent && status == SL_OK; agent = agent->next) {
        status = sl_node_expect(agent, SL_NODE_LIST, "agents", err);
        if (status == SL_OK && agent->n == 0)
            status = sl_node_fail(agent, err, "agents: expected one parameter or more each");
        if (status != SL_OK) return status;
        for (const SlNode *name = agent->first; name && status == SL_OK; name = name->next)
            status = read_name(name, groups->n_agents, groups, err);
        groups->n_agents++;
    }
    if (status == SL_OK && groups->n == 0)
        return sl_node_fail(list, err, "agents: expected a list of parameters for each agent");
    return status;
}

static SlStatus read_count(const SlNode *root, const char *key, int64_t most, int64_t *out,
                           SlError *err) {
    const SlNode *node = sl_node_get(root, key);
    return node ? sl_node_int(node, 0, most, out, err) : SL_OK;
}

static SlStatus read_words(const SlNode *root, SlGroups *groups, SlError *err) {
    SlStatus status = SL_OK;
    for (int i = 0; i < N_WORDS && status == SL_OK; i++) {
        const SlNode *node = sl_node_get(root, words[i].key);
        if (!node) continue;
        status = sl_node_expect(node, SL_NODE_SCALAR, words[i].key, err);
        if (status == SL_OK) *word_of(groups, i) = node->text;
    }
    if (status == SL_OK) status = read_count(root, "samples", MOST_COUNT, &groups->samples, err);
    if (status == SL_OK) status = read_count(root, "rows", MOST_COUNT, &groups->rows, err);
    if (status == SL_OK) status = read_count(root, "seed", MOST_SEED, &groups->seed, err);
    return status;
}

static SlStatus read_root(const SlNode *root, SlGroups *groups, SlError *err) {
    const char *known[N_WORDS + 6] = {"assignment", "samples", "rows", "seed", "agents"};
    const SlNode *version = NULL;
    int64_t number = 0;
    for (int i = 0; i < N_WORDS; i++) known[5 + i] = words[i].key;
    SlStatus status = sl_node_expect(root, SL_NODE_MAP, "an assignment", err);
    if (status == SL_OK) status = sl_node_need(root, "assignment", &version, err);
    if (status == SL_OK) status = sl_node_int(version, VERSION, VERSION, &number, err);
    if (status == SL_OK) status = sl_node_check_keys(root, known, err);
    if (status == SL_OK) status = read_words(root, groups, err);
    return status == SL_OK ? read_agents(root, groups, err) : status;
}

SlStatus sl_groups_read(const char *path, SlArena *arena, SlGroups *groups, SlError *err) {
    char inside[SL_FOLDER_PATH];
    struct stat info;
    const SlNode *root = NULL;
    *groups = (SlGroups){0};
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode)) {
        sl_folder_path(path, "assignment.yaml", inside);
        path = inside;
    }
    groups->file = sl_arena_text(arena, path, strlen(path));
    if (!groups->file) return sl_fail(err, SL_ENOMEM, "not enough memory for the assignment");
    SlStatus status = sl_tree_read(groups->file, arena, &root, err);
    return status == SL_OK ? read_root(root, groups, err) : status;
}

// ---- for another space ----

// the parameter of the file that speaks for this one, -1 = none
static int find_param(const SlGroups *groups, const SlParam *param) {
    char name[SL_GROUPS_NAME];
    int found = find_name(groups, param->name);
    if (found >= 0 || param->role != SL_ROLE_TILE || (param->dim != SL_G && param->dim != SL_K))
        return found;
    // "L2 G" for "L2 K": the dim stands at the end
    size_t n = strlen(param->name);
    memcpy(name, param->name, n + 1);
    name[n - 1] = sl_dim_names[param->dim == SL_G ? SL_K : SL_G][0];
    return find_name(groups, name);
}

SlStatus sl_groups_match(const SlGroups *groups, const SlSpace *space, SlAgents *agents,
                         SlError *err) {
    int number[SL_MAX_PARAMS] = {0}; // of the file's agents here, from 1; 0 = not met yet
    int n_known = 0;
    *agents = (SlAgents){0};
    for (int i = 0; i < space->n_params; i++) {
        int found = find_param(groups, &space->params[i]);
        int theirs = found < 0 ? -1 : groups->params[found].agent;
        n_known += found >= 0;
        if (theirs >= 0 && number[theirs] > 0) {
            agents->agent[i] = number[theirs] - 1;
            continue;
        }
        agents->agent[i] = agents->n_agents++;
        if (theirs >= 0) number[theirs] = agents->n_agents;
    }
    if (n_known > 0) return SL_OK;
    const char *from = groups->file ? groups->file : groups->layer;
    return sl_fail(err, SL_EINPUT,
                   "%.200s: names none of the %d parameters of %s, such as '%s'; it is for another "
                   "space or machine",
                   from ? from : "the assignment", space->n_params,
                   space->layer ? space->layer->name : "the space", space->params[0].name);
}
