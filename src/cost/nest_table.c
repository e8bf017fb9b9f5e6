// nest_table.c - a CSV file of nests, read row by row.
#include "starling/cost/nest_table.h"

#include <string.h>

static const char *const names[SL_NEST_N_COLUMNS] = {"id", "ext", "conv", "net", "nest"};

static const char *cell(const SlNestTable *table, int column) {
    return table->csv.cells[table->columns[column]];
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

static SlStatus fail_cell(const SlNestTable *table, int column, const char *expected,
                          SlError *err) {
    return sl_fail_at(err, SL_EINPUT, table->name, table->csv.line, 0,
                      "%s: expected %s, got '%.80s'", names[column], expected, cell(table, column));
}

static SlStatus read_layer(const SlNestTable *table, SlLayer *layer, SlError *err) {
    int64_t conv[4];
    sl_layer_init(layer);
    if (!parse_dotted(cell(table, SL_NEST_EXT), SL_N_DIMS, INT64_MAX, layer->dims))
        return fail_cell(table, SL_NEST_EXT, "eight whole numbers N.G.K.C.P.Q.R.S", err);
    if (!parse_dotted(cell(table, SL_NEST_CONV), 4, INT32_MAX, conv))
        return fail_cell(table, SL_NEST_CONV, "four whole numbers, strides y.x and dilations y.x",
                         err);
    for (int i = 0; i < 2; i++) {
        layer->stride[i] = (int32_t)conv[i];
        layer->dilation[i] = (int32_t)conv[2 + i];
    }
    const char *reason = sl_layer_check(layer);
    if (!reason) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, table->name, table->csv.line, 0, "%s", reason);
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

static SlStatus read_net(const SlNestTable *table, int n_fanouts, SlNet *net, SlError *err) {
    const char *text = read_flags(cell(table, SL_NEST_NET), n_fanouts, &net->multicast);
    if (*text == '.')
        text = read_flags(text + 1, n_fanouts, &net->reduction);
    else
        text = "x";
    return *text ? fail_cell(table, SL_NEST_NET, "multicast.reduction, each 0 or 1", err) : SL_OK;
}

static SlStatus read_nest(const SlNestTable *table, SlNestRow *row, SlError *err) {
    SlError inside;
    const char *text = cell(table, SL_NEST_NEST), *reason = inside.text;
    if (sl_mapping_parse(text, &row->mapping, &inside) == SL_OK)
        reason = sl_mapping_check(&row->layer, &row->mapping);
    if (!reason) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, table->name, table->csv.line, 0, "nest: %s", reason);
}

SlStatus sl_nest_table_next(SlNestTable *table, bool *more, SlNestRow *row, SlError *err) {
    SlStatus status = sl_csv_next(&table->csv, more, err);
    if (status != SL_OK || !*more) return status;
    row->id = cell(table, SL_NEST_ID);
    status = read_layer(table, &row->layer, err);
    if (status == SL_OK) status = read_nest(table, row, err);
    return status == SL_OK ? read_net(table, row->mapping.n_boundaries + 1, &row->net, err)
                           : status;
}

// ---- the whole file ----

SlStatus sl_nest_table_open(SlNestTable *table, SlArena *arena, SlError *err) {
    SlStatus status = sl_csv_open(table->name, table->text, table->n, arena, &table->csv, err);
    if (status != SL_OK) return status;
    for (int c = 0; c < SL_NEST_N_COLUMNS; c++) {
        table->columns[c] = sl_csv_column(&table->csv, names[c]);
        if (table->columns[c] < 0)
            return sl_fail_at(err, SL_EINPUT, table->name, table->csv.line, 0,
                              "missing column '%s', expected id, ext, conv, net and nest",
                              names[c]);
    }
    return SL_OK;
}

static SlStatus check_rows(SlNestTable *table, SlError *err) {
    const SlAccel *accel = table->accel;
    SlNestRow row;
    bool more = true;
    int on_chip = accel ? accel->n_levels - 1 : 0;
    table->n_boundaries = on_chip;
    while (more) {
        SlStatus status = sl_nest_table_next(table, &more, &row, err);
        if (status != SL_OK) return status;
        if (!more) break;
        int n = row.mapping.n_boundaries;
        if (accel && n != on_chip)
            return sl_fail_at(err, SL_EINPUT, table->name, table->csv.line, 0,
                              "nest: %d storage boundaries (@), but %s has %d on-chip levels", n,
                              accel->name, on_chip);
        if (n > table->n_boundaries) table->n_boundaries = n;
    }
    return SL_OK;
}

SlStatus sl_nest_table_check(SlNestTable *table, SlArena *scratch, SlError *err) {
    size_t mark = sl_arena_mark(scratch);
    SlStatus status = sl_nest_table_open(table, scratch, err);
    if (status == SL_OK) status = check_rows(table, err);
    sl_arena_rewind(scratch, mark);
    return status;
}
