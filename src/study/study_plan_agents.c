// study_plan_agents.c - what a plan says about agents: assignments of every task, and who steers
// what in the runs of a row.
#include <string.h>

#include "study_plan_inside.h"

enum { MOST_SAMPLES = 10000000 };

static const char *const point_names[] = {"repaired", "proposed", NULL};

// ---- assignments of every task ----

static SlStatus read_budgets(const SlNode *list, SlPlan *plan, SlError *err) {
    static const int usual[] = {1, 2, 3, 6, 9};
    enum {
        ROOM = sizeof plan->budgets / sizeof plan->budgets[0],
        USUAL = sizeof usual / sizeof(int)
    };
    for (plan->n_budgets = 0; plan->n_budgets < USUAL && !list; plan->n_budgets++)
        plan->budgets[plan->n_budgets] = usual[plan->n_budgets];
    if (!list) return SL_OK;
    SlStatus status = sl_plan_list(list, "agents", ROOM, err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next) {
        int64_t n = 0;
        status = sl_node_int(node, 1, SL_MAX_PARAMS, &n, err);
        if (status == SL_OK && plan->n_budgets && n <= plan->budgets[plan->n_budgets - 1])
            return sl_node_fail(node, err, "agents: expected ascending numbers");
        plan->budgets[plan->n_budgets++] = (int)n;
    }
    return status;
}

static SlStatus add_policy(const SlNode *node, SlPlan *plan, SlError *err) {
    const SlMethod **policy = &plan->policies[plan->n_policies];
    SlStatus status = sl_plan_find_method(node, "policy", policy, err);
    if (status == SL_OK) status = sl_plan_check_needs(node, plan->kind, *policy, err);
    for (int i = 0; i < plan->n_policies && status == SL_OK; i++) {
        if (plan->policies[i] == *policy)
            return sl_node_fail(node, err, "policy: '%s' stands here twice", node->text);
    }
    plan->n_policies += status == SL_OK;
    return status;
}

// one policy, or a list of them
static SlStatus read_policies(const SlNode *node, SlPlan *plan, SlError *err) {
    SlStatus status = SL_OK;
    plan->n_policies = 0;
    if (!node) plan->policies[plan->n_policies++] = sl_method_find("random");
    if (!node) return SL_OK;
    if (node->kind != SL_NODE_LIST) return add_policy(node, plan, err);
    status = sl_plan_list(node, "policy", SL_POLICIES_MAX, err);
    for (const SlNode *one = node->first; one && status == SL_OK; one = one->next)
        status = add_policy(one, plan, err);
    return status;
}

static SlStatus read_ways(const SlNode *map, SlAssignSetup *setup, SlError *err) {
    const SlNode *metric_node = sl_node_get(map, "metric"), *points = sl_node_get(map, "points");
    const SlNode *linkage_node = sl_node_get(map, "linkage");
    int metric = (int)setup->metric, linkage = (int)setup->linkage, which = setup->proposed;
    SlStatus status = SL_OK;
    if (metric_node) status = sl_node_choice(metric_node, sl_metric_names, &metric, err);
    if (status == SL_OK && linkage_node)
        status = sl_node_choice(linkage_node, sl_linkage_names, &linkage, err);
    if (status == SL_OK && points) status = sl_node_choice(points, point_names, &which, err);
    setup->metric = (SlMetric)metric;
    setup->linkage = (SlLinkage)linkage;
    setup->proposed = which > 0;
    return status;
}

SlStatus sl_plan_read_assign(const SlPlanReader *reader, SlError *err) {
    static const char *const keys[] = {"policy", "samples", "top",    "points",
                                       "metric", "linkage", "agents", NULL};
    SlPlan *plan = reader->plan;
    const SlNode *map = sl_node_get(reader->root, "assign");
    SlAssignSetup *setup = &plan->assign_setup;
    *setup = sl_assign_defaults();
    double percent = 100 * setup->share;
    if (!map) return SL_OK;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "assign", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status != SL_OK) return status;
    const SlNode *samples = sl_node_get(map, "samples"), *top = sl_node_get(map, "top");
    if (samples) status = sl_node_int(samples, 2, MOST_SAMPLES, &setup->samples, err);
    if (status == SL_OK && top) status = sl_node_real(top, 0.01, 100, &percent, err);
    if (status == SL_OK) status = read_ways(map, setup, err);
    if (status == SL_OK) status = read_policies(sl_node_get(map, "policy"), plan, err);
    if (status == SL_OK) status = read_budgets(sl_node_get(map, "agents"), plan, err);
    setup->share = percent / 100;
    plan->assign = true;
    return status;
}

// ---- agents of a row ----

// what says nothing without `agents`
static SlStatus refuse_idle(const SlNode *map, SlError *err) {
    static const char *const keys[] = {"dataset", "policy", "like", "shuffle", NULL};
    for (int i = 0; keys[i]; i++) {
        const SlNode *node = sl_node_get(map, keys[i]);
        if (node) return sl_node_fail(node, err, "%s: expected 'agents' too", keys[i]);
    }
    return SL_OK;
}

SlStatus sl_plan_row_agents(const SlPlanReader *reader, const SlNode *map, SlPlanRow *row,
                            SlError *err) {
    const SlNode *agents = sl_node_get(map, "agents"), *dataset = sl_node_get(map, "dataset");
    const SlNode *policy = sl_node_get(map, "policy"), *like = sl_node_get(map, "like");
    const SlNode *shuffle = sl_node_get(map, "shuffle");
    SlAgentChoice *choice = &row->agents;
    int64_t n = 0;
    if (!agents) return refuse_idle(map, err);
    if (!row->method->learns)
        return sl_node_fail(agents, err, "agents: %s has no agents", row->method->name);
    choice->assign = sl_assign_defaults();
    SlStatus status = sl_node_int(agents, 1, SL_MAX_PARAMS, &n, err);
    if (status == SL_OK && dataset)
        status = sl_node_int(dataset, 2, MOST_SAMPLES, &choice->assign.samples, err);
    if (status == SL_OK && policy)
        status = sl_plan_find_method(policy, "policy", &choice->assign.policy, err);
    if (status == SL_OK && policy)
        status = sl_plan_check_needs(policy, reader->plan->kind, choice->assign.policy, err);
    if (status == SL_OK && shuffle) status = sl_node_bool(shuffle, &choice->shuffled, err);
    if (status == SL_OK && like) status = sl_plan_label(like, "like", &row->like, err);
    if (status == SL_OK && like && !reader->plan->kind->maps)
        return sl_node_fail(like, err, "like: expected a plan of mappings");
    choice->n_agents = (int)n;
    return status;
}

// ---- assignments of other layers ----

static SlStatus fail_like(const char *like, SlStatus status, const char *reason, SlError *err) {
    return status == SL_ENOMEM ? sl_plan_no_memory(err)
                               : sl_fail(err, status, "like: %s: %s", like, reason);
}

static SlStatus link_row(SlPlanReader *reader, SlPlanRow *row, SlError *err) {
    const SlPlan *plan = reader->plan;
    SlArena *arena = reader->arena;
    SlTaskSetup *setups = SL_NEW(arena, plan->n_tasks, SlTaskSetup);
    SlNetwork *net = SL_NEW(arena, 1, SlNetwork);
    SlError inside = {0};
    if (!setups || !net) return sl_plan_no_memory(err);
    SlStatus status = sl_workload_find(row->like, 1, arena, net, &inside);
    if (status != SL_OK) return fail_like(row->like, status, inside.text, err);
    if (net->n_layers != 1) return fail_like(row->like, SL_EINPUT, "expected one layer", err);
    for (int t = 0; t < plan->n_tasks; t++) {
        const SlTaskSetup *own = &plan->tasks[t].setup;
        SlSpaceOptions options = {.preset = plan->space};
        SlConstraints constraints;
        SlSpace *space = SL_NEW(arena, 1, SlSpace);
        if (!space) return sl_plan_no_memory(err);
        status = sl_kind_space(plan->kind, arena, &constraints, &options, err);
        if (status != SL_OK) return status;
        status = sl_space_make(net->layers, own->space->accel, &options, arena, space, &inside);
        if (status != SL_OK) return fail_like(row->like, status, inside.text, err);
        setups[t] = *own;
        setups[t].space = space;
    }
    row->elsewhere = setups;
    return SL_OK;
}

SlStatus sl_plan_link_rows(SlPlanReader *reader, SlError *err) {
    SlPlan *plan = reader->plan;
    SlStatus status = SL_OK;
    for (int i = 0; i < plan->n_rows && status == SL_OK; i++)
        if (plan->rows[i].like) status = link_row(reader, &plan->rows[i], err);
    return status;
}
