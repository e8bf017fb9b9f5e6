// study_plan_show.c - what the report of a plan shows: its sections, published numbers and factors.
#include <math.h>

#include "study_plan_inside.h"

const char *const sl_show_names[SL_N_SHOWS + 1] = {
    "sizes",  "assignment", "factors",   "paper",        "results", "curves", "boxes",    "targets",
    "wins",   "returns",    "agreement", "trajectories", "dataset", "costs",  "networks", "front",
    "effort", "times",      NULL};

enum { MAX_NUMBERS = 4096, MAX_FACTORS = 64 };

// ---- published numbers ----

// a name that must be one of the plan's; "" where it is not given
static SlStatus read_one_of(const SlNode *map, const char *key, const SlPlanNames *names,
                            const char **out, SlError *err) {
    const SlNode *node = sl_node_get(map, key);
    *out = "";
    SlStatus status = sl_plan_text(node, key, out, err);
    if (status != SL_OK || !node || !names || sl_plan_has(names, node->text)) return status;
    return sl_plan_unknown(node, names, err);
}

static SlStatus read_number(const SlNode *map, const SlPlanNames *layers, const SlPlanNames *rows,
                            SlPaperNumber *number, SlError *err) {
    static const char *const keys[] = {"layer",    "objective", "row",  "over",
                                       "quantity", "value",     "high", NULL};
    const SlNode *value = NULL, *quantity = NULL;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "numbers", err);
    *number = (SlPaperNumber){.high = NAN};
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = sl_node_need(map, "quantity", &quantity, err);
    if (status == SL_OK) status = sl_node_need(map, "value", &value, err);
    if (status == SL_OK) status = sl_plan_label(quantity, "quantity", &number->quantity, err);
    if (status == SL_OK) status = read_one_of(map, "layer", layers, &number->layer, err);
    if (status == SL_OK) status = read_one_of(map, "row", rows, &number->row, err);
    if (status == SL_OK) status = read_one_of(map, "over", rows, &number->over, err);
    if (status == SL_OK) status = read_one_of(map, "objective", NULL, &number->objective, err);
    if (status == SL_OK) status = sl_node_real(value, -1e300, 1e300, &number->value, err);
    const SlNode *high = status == SL_OK ? sl_node_get(map, "high") : NULL;
    if (high) status = sl_node_real(high, number->value, 1e300, &number->high, err);
    return status;
}

static SlStatus read_paper(const SlPlanReader *reader, const SlPlanNames *layers,
                           const SlPlanNames *rows, SlError *err) {
    static const char *const keys[] = {"source", "numbers", NULL};
    SlPlan *plan = reader->plan;
    const SlNode *map = sl_node_get(reader->root, "paper"), *list = NULL;
    plan->paper_source = "";
    if (!map) return SL_OK;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "paper", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK)
        status = sl_plan_text(sl_node_get(map, "source"), "source", &plan->paper_source, err);
    if (status == SL_OK) status = sl_node_need(map, "numbers", &list, err);
    if (status == SL_OK) status = sl_plan_list(list, "numbers", MAX_NUMBERS, err);
    if (status != SL_OK) return status;
    plan->paper = SL_NEW(reader->arena, list->n, SlPaperNumber);
    if (!plan->paper) return sl_plan_no_memory(err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next)
        status = read_number(node, layers, rows, &plan->paper[plan->n_paper++], err);
    return status;
}

// ---- factors ----

static SlStatus read_factor(const SlNode *map, const SlPlanNames *rows, SlPlanFactor *factor,
                            SlError *err) {
    static const char *const keys[] = {"what", "row", "over", NULL};
    const SlNode *what = NULL, *row = NULL, *over = NULL;
    SlStatus status = sl_node_expect(map, SL_NODE_MAP, "factors", err);
    if (status == SL_OK) status = sl_node_check_keys(map, keys, err);
    if (status == SL_OK) status = sl_node_need(map, "what", &what, err);
    if (status == SL_OK) status = sl_node_need(map, "row", &row, err);
    if (status == SL_OK) status = sl_node_need(map, "over", &over, err);
    if (status == SL_OK) status = sl_plan_label(what, "what", &factor->what, err);
    if (status == SL_OK) status = read_one_of(map, "row", rows, &factor->row, err);
    return status == SL_OK ? read_one_of(map, "over", rows, &factor->over, err) : status;
}

static SlStatus read_factors(const SlPlanReader *reader, const SlPlanNames *rows, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *list = sl_node_get(reader->root, "factors");
    if (!list) return SL_OK;
    SlStatus status = sl_plan_list(list, "factors", MAX_FACTORS, err);
    if (status != SL_OK) return status;
    plan->factors = SL_NEW(reader->arena, list->n, SlPlanFactor);
    if (!plan->factors) return sl_plan_no_memory(err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next)
        status = read_factor(node, rows, &plan->factors[plan->n_factors++], err);
    return status;
}

// ---- sections ----

// sections that show what the plan does not make
static const char *show_fault(const SlPlanReader *reader, SlShow show) {
    const SlPlan *plan = reader->plan;
    bool networks = sl_node_get(reader->root, "networks"); // the quick form may have none left
    if (show == SL_SHOW_SIZES && !plan->sizes) return "sizes: true";
    if (show == SL_SHOW_ASSIGNMENT && !plan->assign) return "assign: {...}";
    if (show == SL_SHOW_RETURNS && !plan->n_windows && !plan->stretch) return "windows: N";
    if (show == SL_SHOW_TRAJECTORIES && !plan->trace) return "trace: true";
    if (show == SL_SHOW_FACTORS && !plan->n_factors) return "factors: [...]";
    if (show == SL_SHOW_COSTS && !plan->footprint) return "footprint: true";
    if (show == SL_SHOW_PAPER && !plan->n_paper) return "paper: {...}";
    if (show == SL_SHOW_EFFORT && plan->kind->maps) return "target: vta";
    if (show == SL_SHOW_NETWORKS && !networks) return "networks: [...]";
    if (show == SL_SHOW_FRONT && !networks) return "networks: [...]";
    if (show == SL_SHOW_FRONT && plan->hardware != SL_HARDWARE_FIXED) return "hardware: fixed";
    if (show == SL_SHOW_FRONT && !plan->prove) return "optimum: true";
    return NULL;
}

static SlStatus read_show(const SlPlanReader *reader, SlError *err) {
    SlPlan *plan = reader->plan;
    const SlNode *list = sl_node_get(reader->root, "show");
    if (!list) {
        plan->show[SL_SHOW_RESULTS] = plan->show[SL_SHOW_CURVES] = true;
        plan->show[SL_SHOW_TARGETS] = plan->show[SL_SHOW_WINS] = plan->show[SL_SHOW_TIMES] = true;
        plan->show[SL_SHOW_EFFORT] = !plan->kind->maps;
        plan->show[SL_SHOW_NETWORKS] = plan->n_networks > 0;
        return SL_OK;
    }
    SlStatus status = sl_plan_list(list, "show", SL_N_SHOWS, err);
    for (const SlNode *node = list->first; node && status == SL_OK; node = node->next) {
        int show = 0;
        status = sl_node_choice(node, sl_show_names, &show, err);
        if (status != SL_OK) break;
        const char *lacking = show_fault(reader, (SlShow)show);
        if (lacking)
            return sl_node_fail(node, err, "show: '%s' needs '%s' in the plan", sl_show_names[show],
                                lacking);
        plan->show[show] = true;
    }
    return status;
}

// ---- all of it ----

SlStatus sl_plan_read_show(const SlPlanReader *reader, const SlPlanNames *layers,
                           const SlPlanNames *rows, SlError *err) {
    SlStatus status = read_paper(reader, layers, rows, err);
    if (status == SL_OK) status = read_factors(reader, rows, err);
    return status == SL_OK ? read_show(reader, err) : status;
}
