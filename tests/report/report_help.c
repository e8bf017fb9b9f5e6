// report_help.c - a study made by hand.
#include "report_help.h"
#include "report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/check.h"

enum { BUDGET = 1000, OPTIMUM = 1000, N_CURVE = 4, N_WINDOWS = 10, N_PARAMS = 2 };

static const char *format(HandStudy *study, const char *fmt, int number, const char *word) {
    char text[64];
    snprintf(text, sizeof text, fmt, number, word);
    return sl_arena_text(&study->arena, text, strlen(text));
}

static void make_tasks(HandStudy *study, int n) {
    SlResultTask *tasks = SL_NEW(&study->arena, n, SlResultTask);
    SlPlanTask *planned = SL_NEW(&study->arena, n, SlPlanTask);
    for (int t = 0; t < n; t++) {
        const char *objective = t % 2 ? "edp" : "latency";
        tasks[t] = (SlResultTask){.name = format(study, "layer%d %s", t / 2, objective),
                                  .layer = format(study, "layer%d%s", t / 2, ""),
                                  .accel = "eyeriss",
                                  .objective = objective,
                                  .workload = "",
                                  .floor = 500,
                                  .optimum = OPTIMUM,
                                  .proven = true};
        planned[t] = (SlPlanTask){.name = tasks[t].name,
                                  .layer = tasks[t].layer,
                                  .accel = "eyeriss",
                                  .objective = objective,
                                  .workload = ""};
    }
    study->tasks = tasks;
    study->results.tasks = tasks;
    study->results.n_tasks = study->plan.n_tasks = n;
    study->plan.tasks = planned;
}

static void make_rows(HandStudy *study, int n) {
    static const char *const known[] = {"marl", "local", "random"};
    const char **names = SL_NEW(&study->arena, n, const char *);
    SlPlanRow *rows = SL_NEW(&study->arena, n, SlPlanRow);
    for (int r = 0; r < n; r++) {
        names[r] = r < 3 ? known[r] : format(study, "row%d%s", r, "");
        rows[r] = (SlPlanRow){.name = names[r],
                              .method = sl_method_find(known[r < 3 ? r : 2]),
                              .settings = "{}",
                              .samples = BUDGET};
    }
    study->results.rows = names;
    study->results.n_rows = study->plan.n_rows = n;
    study->plan.rows = rows;
}

static void make_run(HandStudy *study, int task, int row, int seed) {
    SlCellRecord *run = hand_record(study, task, row, seed);
    SlCurvePoint *curve = SL_NEW(&study->arena, N_CURVE, SlCurvePoint);
    double last = OPTIMUM * (1 + 0.04 * row + 0.001 * seed);
    curve[0] = (SlCurvePoint){10, OPTIMUM * (1 + 0.5 * (1 + row))};
    curve[1] = (SlCurvePoint){100, OPTIMUM * (1 + 0.2 * (1 + row))};
    curve[2] = (SlCurvePoint){500, last};
    curve[3] = (SlCurvePoint){BUDGET, last};
    const SlResultTask *of = &study->results.tasks[task];
    *run = (SlCellRecord){.key = "run",
                          .kind = SL_CELL_RUN,
                          .task = of->name,
                          .layer = of->layer,
                          .objective = of->objective,
                          .row = study->results.rows[row],
                          .method = study->plan.rows[row].method->name,
                          .settings = "{}",
                          .seed = study->results.seeds[seed],
                          .budget = BUDGET,
                          .version = "1.2.3",
                          .value = last,
                          .floor = of->floor,
                          .samples = BUDGET,
                          .found_at = 500,
                          .stopped = "samples",
                          .mapping = "",
                          .n_curve = N_CURVE,
                          .curve = curve,
                          .detail = "",
                          .seconds = 0.01 * (1 + row),
                          .machine = "a machine",
                          .finished = ""};
}

void hand_study_make(HandStudy *study, int n_tasks, int n_rows, int n_seeds) {
    *study = (HandStudy){0};
    sl_arena_init(&study->arena, 0);
    make_tasks(study, n_tasks);
    make_rows(study, n_rows);
    uint64_t *seeds = SL_NEW(&study->arena, n_seeds, uint64_t);
    for (int s = 0; s < n_seeds; s++) seeds[s] = (uint64_t)s + 1;
    int n = n_tasks * n_rows * n_seeds;
    study->records = SL_NEW(&study->arena, n, SlCellRecord);
    const SlCellRecord **runs = SL_NEW(&study->arena, n, const SlCellRecord *);
    for (int i = 0; i < n; i++) runs[i] = &study->records[i];
    study->results.n_seeds = study->plan.n_seeds = n_seeds;
    study->results.seeds = study->plan.seeds = seeds;
    study->results.runs = runs;
    study->results.budget = BUDGET;
    study->results.reference = n_rows > 0 ? 0 : -1;
    for (int i = 0; i < n; i++) {
        int task = i / (n_rows * n_seeds);
        make_run(study, task, i / n_seeds % n_rows, i % n_seeds);
    }
    study->plan.kind = &sl_kind_native;
    study->plan.name = "hand";
    study->plan.title = "A study made by hand";
    study->plan.about = "Its numbers are known.";
    study->plan.paper_source = "";
    for (int i = 0; i < SL_N_SHOWS; i++) study->plan.show[i] = true;
    study->doc = sl_doc_make(&study->arena, "study-report", 1);
}

void hand_study_free(HandStudy *study) {
    sl_arena_free(&study->arena);
}

SlCellRecord *hand_record(HandStudy *study, int task, int row, int seed) {
    const SlResults *results = &study->results;
    return &study->records[(task * results->n_rows + row) * results->n_seeds + seed];
}

void hand_study_windows(HandStudy *study) {
    const SlResults *results = &study->results;
    int n = results->n_tasks * results->n_rows * results->n_seeds;
    for (int i = 0; i < n; i++) {
        int row = i / results->n_seeds % results->n_rows;
        SlWindow *windows = SL_NEW(&study->arena, N_WINDOWS, SlWindow);
        float *trace = SL_NEW(&study->arena, N_WINDOWS * N_PARAMS, float);
        for (int w = 0; w < N_WINDOWS; w++) {
            double mean = (1 - 0.1 * row) * (w + 1) / N_WINDOWS;
            windows[w] =
                (SlWindow){.last = (w + 1) * BUDGET / N_WINDOWS, .mean_inverse = mean / OPTIMUM};
            trace[w * N_PARAMS] = (float)mean;
            trace[w * N_PARAMS + 1] = 0.5F;
        }
        study->records[i].n_windows = N_WINDOWS;
        study->records[i].n_params = N_PARAMS;
        study->records[i].windows = windows;
        study->records[i].trace = trace;
    }
}

const char *hand_study_text(HandStudy *study) {
    SlError err = {0};
    SlText text;
    assert_int_equal(sl_report_study(&study->plan, &study->results, study->doc, &err), SL_OK);
    sl_text_init(&text, &study->arena);
    assert_int_equal(sl_doc_write(study->doc, SL_FORM_TEXT, &text, &err), SL_OK);
    return text.data;
}

static bool says(HandStudy *study, const SlDocNode *node, const char *piece) {
    for (; node; node = node->next) {
        if (says(study, node->first, piece)) return true;
        if (node->kind != SL_DOC_WORDS) continue;
        SlText plain;
        sl_text_init(&plain, &study->arena);
        for (const char *c = node->text; *c; c++)
            if (*c != '`' && *c != '*') sl_text_put(&plain, c, 1);
        if (strstr(plain.data, piece)) return true;
    }
    return false;
}

bool hand_says(HandStudy *study, const char *piece) {
    return says(study, study->doc->root.first, piece);
}

static const SlDocNode *find(const SlDocNode *node, SlDocKind kind, const char *name) {
    for (; node; node = node->next) {
        if (node->kind == kind && strcmp(node->key, name) == 0) return node;
        const SlDocNode *inside = find(node->first, kind, name);
        if (inside) return inside;
    }
    return NULL;
}

const SlDocNode *hand_find(const HandStudy *study, const char *name) {
    const SlDocNode *grid = find(study->doc->root.first, SL_DOC_GRID, name);
    return grid ? grid : find(study->doc->root.first, SL_DOC_FIGURE, name);
}

const SlDocNode *hand_block(const HandStudy *study, const char *name) {
    const SlDocNode *node = hand_find(study, name);
    if (!node) fail_msg("no block %s", name);
    return node;
}

const char *hand_figure(const HandStudy *study, const char *name) {
    const SlDocNode *node = find(study->doc->root.first, SL_DOC_FIGURE, name);
    if (!node) fail_msg("no figure %s", name);
    assert_memory_equal(node->svg, "<svg ", 5);
    assert_null(strstr(node->svg, "\"nan"));
    assert_true(strlen(node->text) > 20);
    assert_int_equal(node->text[strlen(node->text) - 1], '.');
    return node->svg;
}

const char *hand_csv(HandStudy *study, const char *name) {
    const SlDocNode *node = hand_block(study, name);
    SlText text;
    assert_int_equal(node->kind, SL_DOC_GRID);
    sl_text_init(&text, &study->arena);
    sl_table_csv(node->table, &text);
    assert_false(text.failed);
    return text.data;
}
