// study_list.c - `starling study list`: the bundled plans, and what one of them compares.
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "show.h"
#include "study_command.h"

static json_t *plan_json(const SlPlan *plan) {
    json_t *to = command_need(json_object());
    json_t *tasks = command_need(json_array()), *rows = command_need(json_array());
    for (int i = 0; i < plan->n_tasks; i++) json_add(tasks, json_string(plan->tasks[i].name));
    for (int i = 0; i < plan->n_rows; i++) json_add(rows, json_string(plan->rows[i].name));
    json_put_text(to, "name", plan->name);
    json_put_text(to, "title", plan->title);
    json_put_text(to, "about", plan->about);
    json_put(to, "tasks", tasks);
    json_put(to, "rows", rows);
    json_put(to, "seeds", json_integer(plan->n_seeds));
    json_put(to, "runs", json_integer((json_int_t)plan->n_tasks * plan->n_rows * plan->n_seeds));
    json_put_number(to, "minutes", plan->minutes);
    return to;
}

static void add_line(const SlPlan *plan, SlText *out) {
    char minutes[32] = "";
    int n_runs = plan->n_tasks * plan->n_rows * plan->n_seeds; // 0 without rows
    if (plan->minutes > 0) snprintf(minutes, sizeof minutes, "%.3g", plan->minutes);
    sl_text_add(out, "%-17s %5d %6d %6d %7d %8s  %s\n", plan->name, plan->n_tasks, plan->n_rows,
                plan->n_seeds, n_runs, minutes, plan->title);
}

static void add_detail(const SlPlan *plan, SlText *out) {
    char count[32];
    sl_text_add(out, "%s: %s\n\n", plan->name, plan->title);
    show_wrapped("", "", plan->about, out);
    sl_text_add(out, "\nTasks\n");
    for (int i = 0; i < plan->n_tasks; i++)
        sl_text_add(out, "  %s: %s\n", plan->tasks[i].name, plan->tasks[i].workload);
    if (plan->n_rows > 0) sl_text_add(out, "\nRows\n");
    for (int i = 0; i < plan->n_rows; i++) {
        const SlPlanRow *row = &plan->rows[i];
        const char *method = row->method->name;
        sl_text_add(out, "  %-24s %s %s", row->name, sl_show_count((double)row->samples, count),
                    plan->kind->dear ? "measurements" : "samples");
        if (strcmp(row->name, method) != 0) sl_text_add(out, ", method %s", method);
        if (row->n_agents > 0)
            sl_text_add(out, ", %d agents by %lld samples", row->n_agents, (long long)row->dataset);
        sl_text_add(out, "\n");
    }
    if (plan->n_rows > 0)
        sl_text_add(out, "\n%d seeds: %d runs", plan->n_seeds,
                    plan->n_tasks * plan->n_rows * plan->n_seeds);
    if (plan->minutes > 0)
        sl_text_add(out, "%s about %.3g minute%s on two cores",
                    plan->n_rows > 0 ? "," : "\nIt takes", plan->minutes,
                    plan->minutes == 1 ? "" : "s");
    bool line = plan->n_rows > 0 || plan->minutes > 0;
    sl_text_add(out, "%s\nstarling study run %s\n", line ? "\n" : "", plan->name);
}

static SlStatus add_plan(const StudyOptions *options, const char *name, bool detail, SlArena *arena,
                         json_t *list, SlText *out, SlError *err) {
    SlPlan plan;
    SlPlanChanges changes = study_changes(options);
    SlStatus status = sl_plan_find(name, &changes, arena, &plan, err);
    if (status != SL_OK) return status;
    json_add(list, plan_json(&plan));
    if (detail)
        add_detail(&plan, out);
    else
        add_line(&plan, out);
    return SL_OK;
}

int study_list(const StudyOptions *options, const char *name) {
    SlArena arena;
    SlText text;
    SlError err;
    SlStatus status = SL_OK;
    sl_arena_init(&arena, 0);
    sl_text_init(&text, &arena);
    json_t *list = command_need(json_array());
    if (name) {
        status = add_plan(options, name, true, &arena, list, &text, &err);
    } else {
        sl_text_add(&text, "%-17s %5s %6s %6s %7s %8s\n", "plan", "tasks", "rows", "seeds", "runs",
                    "minutes");
        for (int i = 0; sl_plan_name(i) && status == SL_OK; i++)
            status = add_plan(options, sl_plan_name(i), false, &arena, list, &text, &err);
        sl_text_add(&text, "\nstarling study list NAME shows one, starling study run NAME runs it "
                           "(--quick for a first look).\n");
    }
    int code;
    if (status == SL_OK) {
        json_t *json = command_need(sl_json_document("plans", 1));
        json_put(json, "plans", list);
        code = command_deliver(&options->common, "plans", &text, json, CODE_DONE);
    } else {
        json_decref(list);
        code = command_fail(status, &err);
    }
    sl_arena_free(&arena);
    return code;
}
