// assign_json.c - what `starling assign` found as a JSON document (docs/formats/assign-json.md).
#include <jansson.h>

#include "eval.h"
#include "grouping.h"

static json_t *layer_json(const SlLayer *layer) {
    char text[384];
    json_t *to = command_need(json_object());
    json_put_text(to, "name", layer->name);
    json_put_text(to, "inline", sl_layer_write(layer, sizeof text, text));
    return to;
}

static json_t *parameters_json(const Grouping *group) {
    static const char *const kinds[] = {
        [SL_ORDINAL] = "ordinal", [SL_CATEGORICAL] = "categorical", [SL_PERMUTATION] = "order"};
    json_t *list = command_need(json_array());
    for (int i = 0; i < group->found.n; i++) {
        const SlParam *param = &group->space.params[i];
        json_t *to = command_need(json_object());
        json_put_text(to, "name", param->name);
        json_put_text(to, "kind", kinds[param->kind]);
        json_put(to, "values", json_integer(param->n));
        json_put(to, "agent", json_integer(group->agents.agent[i] + 1));
        json_add(list, to);
    }
    return list;
}

static json_t *correlation_json(const SlAssignment *found) {
    json_t *rows = command_need(json_array());
    for (int i = 0; i < found->n; i++) {
        json_t *row = command_need(json_array());
        for (int j = 0; j < found->n; j++)
            json_add(row, sl_json_number(found->r[i * found->n + j]));
        json_add(rows, row);
    }
    return rows;
}

static json_t *merges_json(const SlAssignment *found) {
    json_t *rows = command_need(json_array());
    for (int i = 0; i < found->n - 1; i++) {
        const SlMerge *merge = &found->tree[i];
        json_t *row = command_need(json_array());
        json_add(row, json_integer(merge->left));
        json_add(row, json_integer(merge->right));
        json_add(row, sl_json_number(merge->height));
        json_add(row, json_integer(merge->size));
        json_add(rows, row);
    }
    return rows;
}

static json_t *leaves_json(const Grouping *group) {
    json_t *list = command_need(json_array());
    for (int i = 0; i < group->found.n; i++) json_add(list, json_integer(group->leaves[i]));
    return list;
}

json_t *grouping_json(const Grouping *group) {
    const AssignOptions *options = group->options;
    char goal[256];
    json_t *to = command_need(sl_json_document("assign", 1));
    json_put(to, "layer", layer_json(&group->layer));
    json_put(to, "accel", accel_json(&group->accel));
    json_put_text(to, "objective", sl_goal_text(&group->goal, sizeof goal, goal));
    json_put_text(to, "space", sl_space_names[options->space.preset]);
    json_put_text(to, "open", options->space.open ? options->space.open : "");
    json_put(to, "constraints",
             options->space.constraints ? json_string(group->constraints.name) : json_null());
    json_put_text(to, "policy", assign_policies[options->policy]);
    json_put(to, "seed", json_integer(options->seed));
    json_put(to, "samples", json_integer(group->found.samples));
    json_put_number(to, "share_percent", options->share);
    json_put(to, "rows", json_integer(group->found.n_rows));
    json_put_text(to, "metric", sl_metric_names[options->metric]);
    json_put_text(to, "linkage", sl_linkage_names[options->linkage]);
    json_put(to, "agents", json_integer(group->agents.n_agents));
    json_put_number(to, "cut", group->cut);
    json_put(to, "parameters", parameters_json(group));
    json_put(to, "correlation", correlation_json(&group->found));
    json_put(to, "merges", merges_json(&group->found));
    json_put(to, "leaves", leaves_json(group));
    return to;
}
