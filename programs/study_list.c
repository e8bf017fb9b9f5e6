// study_list.c - `starling study list`: the bundled plans, and what one of them compares.
#include <string.h>

#include "study_command.h"

static void put_names(SlDoc *doc, const char *key, int n, const char *const *names) {
    sl_doc_list(doc, key);
    for (int i = 0; i < n; i++) sl_doc_string(doc, NULL, NULL, names[i]);
    sl_doc_close(doc);
}

// a row of the table of plans
static void add_plan(const SlPlan *plan, SlDoc *doc) {
    const char **names =
        call_need(SL_NEW(sl_doc_arena(doc), plan->n_tasks + plan->n_rows + 1, const char *));
    sl_doc_row(doc);
    sl_doc_string(doc, "name", NULL, plan->name);
    sl_doc_string(doc, "title", NULL, plan->title);
    sl_doc_string(doc, "about", NULL, plan->about);
    for (int i = 0; i < plan->n_tasks; i++) names[i] = plan->tasks[i].name;
    put_names(doc, "tasks", plan->n_tasks, names);
    for (int i = 0; i < plan->n_rows; i++) names[i] = plan->rows[i].name;
    put_names(doc, "rows", plan->n_rows, names);
    sl_doc_number(doc, NULL, "tasks", SL_UNIT_COUNT, plan->n_tasks);
    sl_doc_number(doc, NULL, "rows", SL_UNIT_COUNT, plan->n_rows);
    sl_doc_number(doc, "seeds", NULL, SL_UNIT_COUNT, plan->n_seeds);
    sl_doc_number(doc, "runs", NULL, SL_UNIT_COUNT,
                  (double)plan->n_tasks * plan->n_rows * plan->n_seeds); // 0 without rows
    sl_doc_number(doc, "minutes", NULL, SL_UNIT_PLAIN, plan->minutes);
    if (plan->minutes > 0)
        sl_doc_shown(doc, "%.3g", plan->minutes);
    else
        sl_doc_shown(doc, "%s", "");
}

static void begin_plans(SlDoc *doc, bool shown) {
    static const SlColumn columns[] = {
        SL_COLUMN("name", "plan"),
        SL_COLUMN(NULL, "tasks"),
        SL_COLUMN(NULL, "rows"),
        SL_COLUMN("seeds", "seeds"),
        SL_COLUMN("runs", "runs"),
        SL_COLUMN("minutes", "minutes"),
        SL_COLUMN("title", "compares", .cut = true),
    };
    // one plan has a page of its own; the row is for machines
    sl_doc_table(doc, "plans", NULL, shown ? sizeof columns / sizeof *columns : 0, columns);
}

static void add_tasks(const SlPlan *plan, SlDoc *doc) {
    static const SlColumn columns[] = {SL_COLUMN(NULL, "task"), SL_COLUMN(NULL, "workload")};
    sl_doc_table(doc, NULL, "Tasks", 2, columns);
    for (int i = 0; i < plan->n_tasks; i++) {
        sl_doc_row(doc);
        sl_doc_string(doc, NULL, "task", plan->tasks[i].name);
        sl_doc_string(doc, NULL, "workload", plan->tasks[i].workload);
    }
    sl_doc_close(doc);
}

static void add_rows(const SlPlan *plan, SlDoc *doc) {
    const char *samples = plan->kind->maps ? "samples" : "measurements";
    const SlColumn columns[] = {
        SL_COLUMN(NULL, "row"),    SL_COLUMN(NULL, samples),      SL_COLUMN(NULL, "method"),
        SL_COLUMN(NULL, "agents"), SL_COLUMN(NULL, "by samples"),
    };
    sl_doc_table(doc, NULL, "Rows", sizeof columns / sizeof *columns, columns);
    for (int i = 0; i < plan->n_rows; i++) {
        const SlPlanRow *row = &plan->rows[i];
        sl_doc_row(doc);
        sl_doc_string(doc, NULL, "row", row->name);
        sl_doc_number(doc, NULL, samples, SL_UNIT_COUNT, (double)row->samples);
        sl_doc_string(doc, NULL, "method", row->method->name);
        if (row->agents.n_agents <= 0) continue;
        sl_doc_number(doc, NULL, "agents", SL_UNIT_COUNT, row->agents.n_agents);
        sl_doc_number(doc, NULL, "by samples", SL_UNIT_COUNT, (double)row->agents.assign.samples);
    }
    sl_doc_close(doc);
}

// what one plan compares
static void describe(const SlPlan *plan, SlDoc *doc) {
    sl_doc_title(doc, "%s: %s", plan->name, plan->title);
    if (*plan->about) sl_doc_words(doc, "%s", plan->about);
    add_tasks(plan, doc);
    if (plan->n_rows > 0) {
        add_rows(plan, doc);
        sl_doc_words(doc, "%d seeds: %d runs", plan->n_seeds,
                     plan->n_tasks * plan->n_rows * plan->n_seeds);
    }
    if (plan->minutes > 0)
        sl_doc_words(doc, "It takes about %.3g minute%s on two cores.", plan->minutes,
                     plan->minutes == 1 ? "" : "s");
    sl_doc_words(doc, "`starling study run %s`", plan->name);
}

static SlStatus add_found(const Call *call, const char *name, bool alone, SlDoc *doc,
                          SlError *err) {
    SlPlan plan;
    SlPlanChanges changes = study_changes(call->options);
    SlStatus status = sl_plan_find(name, &changes, call->arena, &plan, err);
    if (status != SL_OK) return status;
    if (alone) describe(&plan, doc);
    if (alone) begin_plans(doc, false);
    add_plan(&plan, doc);
    return SL_OK;
}

int study_list(Call *call) {
    SlError err;
    SlStatus status = SL_OK;
    SlDoc *doc = sl_doc_make(call->arena, "plans", 1);
    if (call->words.n > 1) return call_refuse(call, "study list: expected at most one plan");
    if (call->words.n == 1) {
        status = add_found(call, call->words.words[0], true, doc, &err);
        sl_doc_close(doc);
    } else {
        begin_plans(doc, true);
        for (int i = 0; sl_plan_name(i) && status == SL_OK; i++)
            status = add_found(call, sl_plan_name(i), false, doc, &err);
        sl_doc_close(doc);
        sl_doc_words(doc, "`starling study list NAME` shows one, `starling study run NAME` runs it "
                          "(--quick for a first look).");
    }
    return status == SL_OK ? call_deliver(call, doc, "plans", CODE_DONE)
                           : call_fail(call, status, &err);
}
