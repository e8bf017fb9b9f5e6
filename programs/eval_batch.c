// eval_batch.c - many nests from a CSV file: every count, and every cost with --accel, as CSV.
//
// The file is walked twice: first everything is checked, then rows are priced and printed as they
// come, so that wrong input prints nothing and memory holds the input alone.
#include <stdio.h>
#include <string.h>

#include "eval.h"
#include "eval_csv.h"

enum { MAX_BYTES = 1 << 30, PRINT_BYTES = 1 << 16 };

// The table being read and where its columns are.
typedef struct {
    const char *file;
    SlCsv csv;
    int id, ext, conv, net, nest;
    int n_boundaries; // the most of any nest, once all are read
} NestFile;

typedef struct {
    const char *id;
    SlLayer layer;
    SlNet net;
    SlMapping mapping;
} NestRow;

static SlStatus open_nests(const char *file, const char *text, size_t n, SlArena *arena,
                           NestFile *nests, SlError *err) {
    nests->file = file;
    SlStatus status = sl_csv_open(file, text, n, arena, &nests->csv, err);
    if (status != SL_OK) return status;
    const char *const names[] = {"id", "ext", "conv", "net", "nest"};
    int *const columns[] = {&nests->id, &nests->ext, &nests->conv, &nests->net, &nests->nest};
    for (int i = 0; i < 5; i++) {
        *columns[i] = sl_csv_column(&nests->csv, names[i]);
        if (*columns[i] < 0)
            return sl_fail_at(err, SL_EINPUT, file, nests->csv.line, 0,
                              "missing column '%s', expected id, ext, conv, net and nest",
                              names[i]);
    }
    return SL_OK;
}

// ---- one row ----

// "1.1.64.64": `n` whole numbers with dots between
static bool parse_dotted(const char *text, int n, int64_t limit, int64_t *out) {
    for (int i = 0; i < n; i++) {
        char part[24];
        size_t length = strcspn(text, ".");
        if (length == 0 || length >= sizeof part || (text[length] == '.') != (i + 1 < n))
            return false;
        memcpy(part, text, length);
        part[length] = '\0';
        if (sl_parse_int(part, -limit, limit, &out[i], NULL) != SL_OK) return false;
        text += length + 1;
    }
    return true;
}

static SlStatus fail_cell(const NestFile *nests, int column, const char *expected, SlError *err) {
    return sl_fail_at(err, SL_EINPUT, nests->file, nests->csv.line, 0,
                      "%s: expected %s, got '%.80s'", nests->csv.header[column], expected,
                      nests->csv.cells[column]);
}

static SlStatus read_layer(const NestFile *nests, SlLayer *layer, SlError *err) {
    int64_t conv[4];
    sl_layer_init(layer);
    if (!parse_dotted(nests->csv.cells[nests->ext], SL_N_DIMS, INT64_MAX, layer->dims))
        return fail_cell(nests, nests->ext, "eight whole numbers N.G.K.C.P.Q.R.S", err);
    if (!parse_dotted(nests->csv.cells[nests->conv], 4, INT32_MAX, conv))
        return fail_cell(nests, nests->conv, "four whole numbers, strides y.x and dilations y.x",
                         err);
    for (int i = 0; i < 2; i++) {
        layer->stride[i] = (int32_t)conv[i];
        layer->dilation[i] = (int32_t)conv[2 + i];
    }
    const char *reason = sl_layer_check(layer);
    if (!reason) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, nests->file, nests->csv.line, 0, "%s", reason);
}

// one digit for all fan-outs, or one for each of `n` from the outside in; returns its end
static const char *read_flags(const char *text, int n, uint8_t *mask) {
    int digits = (int)strspn(text, "01");
    *mask = 0;
    if (digits != 1 && digits != n) return "x";
    for (int l = 0; l < 8; l++)
        if (text[l < digits ? l : 0] == '1') *mask |= (uint8_t)(1 << l);
    return text + digits;
}

static SlStatus read_net(const NestFile *nests, int n_fanouts, SlNet *net, SlError *err) {
    const char *text = read_flags(nests->csv.cells[nests->net], n_fanouts, &net->multicast);
    if (*text == '.')
        text = read_flags(text + 1, n_fanouts, &net->reduction);
    else
        text = "x";
    return *text ? fail_cell(nests, nests->net, "multicast.reduction, each 0 or 1", err) : SL_OK;
}

static SlStatus read_nest(const NestFile *nests, NestRow *row, SlError *err) {
    SlError inside;
    const char *text = nests->csv.cells[nests->nest], *reason = inside.text;
    if (sl_mapping_parse(text, &row->mapping, &inside) == SL_OK)
        reason = sl_mapping_check(&row->layer, &row->mapping);
    if (!reason) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, nests->file, nests->csv.line, 0, "nest: %s", reason);
}

static SlStatus next_row(NestFile *nests, bool *more, NestRow *row, SlError *err) {
    SlStatus status = sl_csv_next(&nests->csv, more, err);
    if (status != SL_OK || !*more) return status;
    row->id = nests->csv.cells[nests->id];
    status = read_layer(nests, &row->layer, err);
    if (status == SL_OK) status = read_nest(nests, row, err);
    return status == SL_OK ? read_net(nests, row->mapping.n_boundaries + 1, &row->net, err)
                           : status;
}

// ---- the whole file ----

// read every row
static SlStatus check_rows(NestFile *nests, const SlAccel *accel, SlError *err) {
    NestRow row;
    bool more = true;
    int on_chip = accel ? accel->n_levels - 1 : 0;
    nests->n_boundaries = on_chip;
    while (more) {
        SlStatus status = next_row(nests, &more, &row, err);
        if (status != SL_OK) return status;
        if (!more) break;
        int n = row.mapping.n_boundaries;
        if (accel && n != on_chip)
            return sl_fail_at(err, SL_EINPUT, nests->file, nests->csv.line, 0,
                              "nest: %d storage boundaries (@), but %s has %d on-chip levels", n,
                              accel->name, on_chip);
        if (n > nests->n_boundaries) nests->n_boundaries = n;
    }
    return SL_OK;
}

// the networks are those of the row
static void price_row(const NestRow *row, SlAccel *accel, SlCost *cost) {
    for (int l = 0; l < accel->n_levels; l++) {
        accel->fanouts[l].multicast = row->net.multicast >> l & 1;
        accel->fanouts[l].reduction = row->net.reduction >> l & 1;
    }
    sl_cost_eval(&row->layer, accel, &row->mapping, cost);
}

static void add_row(const NestRow *row, SlAccel *accel, int n_boundaries, SlText *out) {
    SlCost cost;
    if (accel)
        price_row(row, accel, &cost);
    else
        sl_counts_eval(&row->layer, row->net, &row->mapping, &cost.counts);
    sl_csv_put(row->id, out);
    csv_counts(&cost.counts, n_boundaries, out);
    if (accel) csv_costs(&cost, out);
    sl_text_put(out, "\n", 1);
}

// print what has gathered; `keep` leaves it for the file of --out
static int print_part(const Call *call, SlText *text, size_t *printed, bool keep) {
    if (text->failed) call_no_memory();
    int code = call_print(call, text->data + *printed, text->n - *printed, CODE_DONE);
    *printed = keep ? text->n : 0;
    if (!keep) text->n = 0;
    return code;
}

// checked rows, so nothing can fail but the output
static int print_rows(const Call *call, NestFile *nests, SlAccel *accel, SlText *text) {
    NestRow row;
    size_t printed = 0;
    bool more = true, keep = call->common->out;
    int code = CODE_DONE;
    sl_text_add(text, "id");
    csv_counts_header(nests->n_boundaries, text);
    if (accel) csv_costs_header(accel->n_levels, text);
    sl_text_put(text, "\n", 1);
    while (code == CODE_DONE && next_row(nests, &more, &row, NULL) == SL_OK && more) {
        add_row(&row, accel, nests->n_boundaries, text);
        if (text->n - printed >= PRINT_BYTES) code = print_part(call, text, &printed, keep);
        if (ferror(stdout) && !keep) return code; // the reader has gone
    }
    return code == CODE_DONE ? print_part(call, text, &printed, keep) : code;
}

// everything in the file, once to check and once to print
static SlStatus run(const Call *call, SlAccel *accel, int *code, SlError *err) {
    const EvalOptions *options = call->options;
    const char *file = strcmp(options->nests, "-") == 0 ? "stdin" : options->nests;
    const char *dir = options->common.out;
    SlArena *arena = call->arena;
    NestFile nests = {0};
    SlText csv;
    char *text = NULL;
    size_t n = 0;
    SlStatus status = sl_file_read(options->nests, MAX_BYTES, arena, &text, &n, err);
    if (status != SL_OK) return status;
    size_t mark = sl_arena_mark(arena);
    status = open_nests(file, text, n, arena, &nests, err);
    if (status == SL_OK) status = check_rows(&nests, accel, err);
    sl_arena_rewind(arena, mark);
    if (status == SL_OK) status = open_nests(file, text, n, arena, &nests, err);
    if (status == SL_OK && dir) status = folder_make(dir, err);
    if (status != SL_OK) return status;
    sl_text_init(&csv, arena);
    *code = print_rows(call, &nests, accel, &csv);
    return dir ? folder_write(dir, "nests.csv", &csv, err) : SL_OK;
}

int eval_batch(const Call *call) {
    const EvalOptions *options = call->options;
    SlError err;
    SlAccel accel;
    int code = CODE_DONE;
    SlStatus status = SL_OK;
    if (options->accel) status = sl_accel_find(options->accel, call->arena, &accel, &err);
    if (status == SL_OK) status = run(call, options->accel ? &accel : NULL, &code, &err);
    return status == SL_OK ? code : call_fail(call, status, &err);
}
