// eval_batch.c - `starling eval --nests`: every count, and every cost with --accel, of the nests of
// a CSV file. Rows are printed as they are priced, so memory holds the input alone.
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "starling/cost/nest_table.h"

enum { MAX_BYTES = 1 << 30 };

// Where rows go: printed, and with --out kept for the file.
typedef struct {
    const Call *call;
    SlText kept;
    int code;
} Printer;

static bool print_part(void *context, const char *bytes, size_t n) {
    Printer *printer = context;
    bool keep = printer->call->common->out;
    if (keep) sl_text_put(&printer->kept, bytes, n);
    printer->code = call_print(printer->call, bytes, n, CODE_DONE);
    return printer->code == CODE_DONE && (keep || !ferror(stdout)); // the reader may have gone
}

static SlStatus run(const Call *call, SlNestTable *table, int *code, SlError *err) {
    const EvalOptions *options = call->options;
    const char *dir = options->common.out;
    Printer printer = {.call = call};
    char *text = NULL;
    SlStatus status = sl_file_read(options->nests, MAX_BYTES, call->arena, &text, &table->n, err);
    table->text = text;
    if (status == SL_OK) status = sl_nest_table_check(table, call->arena, err);
    if (status == SL_OK && dir) status = folder_make(dir, err);
    if (status != SL_OK) return status;
    sl_text_init(&printer.kept, call->arena);
    status = sl_nest_table_write(table, call->arena, print_part, &printer, err);
    *code = printer.code;
    return status == SL_OK && dir ? folder_write(dir, "nests.csv", &printer.kept, err) : status;
}

int eval_batch(const Call *call) {
    const EvalOptions *options = call->options;
    bool standard = strcmp(options->nests, "-") == 0;
    SlNestTable table = {.name = standard ? "stdin" : options->nests};
    SlError err;
    SlAccel accel;
    int code = CODE_DONE;
    SlStatus status = SL_OK;
    if (options->accel) status = sl_accel_find(options->accel, call->arena, &accel, &err);
    if (options->accel) table.accel = &accel;
    if (status == SL_OK) status = run(call, &table, &code, &err);
    return status == SL_OK ? code : call_fail(call, status, &err);
}
