// records_help.c - records made by hand.
#include "study/records_help.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"

Records *records_make(void) {
    Records *records = calloc(1, sizeof *records);
    assert_non_null(records);
    sl_arena_init(&records->arena, 0);
    return records;
}

void records_free(Records *records) {
    sl_arena_free(&records->arena);
    free(records);
}

static SlCellRecord *add(Records *records, SlCellKind kind, const char *task) {
    assert_in_range(records->n, 0, sizeof records->at / sizeof records->at[0] - 1);
    SlCellRecord *record = &records->at[records->n++];
    *record = (SlCellRecord){
        .key = "a cell",
        .kind = kind,
        .task = task,
        .layer = "a layer",
        .workload = "conv:K=1",
        .accel = "eyeriss",
        .objective = "latency",
        .row = "",
        .value = NAN,
        .floor = NAN,
        .stopped = "",
        .detail = "",
    };
    return record;
}

SlCellRecord *records_run(Records *records, const char *task, const char *row, uint64_t seed, int n,
                          const SlCurvePoint *curve) {
    SlCellRecord *record = add(records, SL_CELL_RUN, task);
    SlCurvePoint *copy = SL_NEW(&records->arena, n, SlCurvePoint);
    assert_non_null(copy);
    for (int i = 0; i < n; i++) copy[i] = curve[i];
    record->row = row;
    record->seed = seed;
    record->n_curve = n;
    record->curve = copy;
    record->stopped = "samples";
    if (n > 0) record->budget = record->samples = curve[n - 1].sample;
    if (n > 0 && isfinite(curve[n - 1].value)) record->value = curve[n - 1].value;
    return record;
}

SlCellRecord *records_flat(Records *records, const char *task, const char *row, uint64_t seed,
                           double value) {
    const SlCurvePoint curve[] = {{1, value}, {100, value}};
    return records_run(records, task, row, seed, 2, curve);
}

SlCellRecord *records_proof(Records *records, const char *task, double value, const char *status,
                            const char *detail) {
    SlCellRecord *record = add(records, SL_CELL_PROOF, task);
    record->value = value;
    record->stopped = status;
    record->detail = detail;
    return record;
}

const SlResults *records_results(Records *records, const SlPlan *plan) {
    SlError err = {.text = ""};
    SlStatus status =
        sl_results_make(plan, records->n, records->at, &records->arena, &records->results, &err);
    if (status != SL_OK) fail_msg("%s", err.text);
    return &records->results;
}

int records_row(const SlResults *results, const char *name) {
    for (int i = 0; i < results->n_rows; i++) {
        if (strcmp(results->rows[i], name) == 0) return i;
    }
    fail_msg("no row %s", name);
    return -1;
}
