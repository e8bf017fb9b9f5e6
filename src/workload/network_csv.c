// network_csv.c - a network from a table: a row per layer, a column per key.
#include <string.h>

#include "layer_keys.h"
#include "network_build.h"

// `name` is a key of some type, or "type" itself
static bool is_known(const char *name) {
    if (!strcmp(name, "type")) return true;
    for (const SlLayerKey *key = sl_layer_keys; key->name; key++) {
        if (!strcmp(name, key->name)) return true;
    }
    return false;
}

// Where a cell of the table stands in its line, counted in bytes from 1. Only errors ask.
static int cell_column(const SlNetworkText *in, int line, int cell) {
    const char *at = in->text, *end = in->text + in->n;
    for (; line > 1 && at < end; at++) line -= *at == '\n';
    const char *start = at;
    bool quoted = false;
    for (; cell > 0 && at < end; at++) {
        if (*at == '"') quoted = !quoted;
        if (*at == ',' && !quoted) cell--;
    }
    while (at < end && (*at == ' ' || *at == '\t')) at++;
    return (int)(at - start) + 1;
}

static SlStatus unknown_column(const char *name, SlError *err) {
    const char *names[64] = {"type"};
    int n = 1;
    for (const SlLayerKey *key = sl_layer_keys; key->name; key++) names[n++] = key->name;
    names[n] = NULL;
    const char *near = sl_nearest_name(name, names);
    return sl_fail(err, SL_EINPUT, "unknown column '%.80s'%s%s%s", name,
                   near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "");
}

static SlStatus check_header(const SlNetworkText *in, const SlCsv *csv, SlError *err) {
    for (int i = 0; i < csv->n_columns; i++) {
        if (is_known(csv->header[i])) continue;
        SlStatus status = unknown_column(csv->header[i], err);
        return sl_error_place(err, status, in->name, csv->line, cell_column(in, csv->line, i));
    }
    if (sl_csv_column(csv, "type") >= 0) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, in->name, csv->line, 1, "missing column 'type'");
}

// The current row as a layer; errors have no place yet, *cell is where the reading stopped.
static SlStatus read_row(const SlCsv *csv, SlLayer *layer, int *cell, SlError *err) {
    int type_column = *cell = sl_csv_column(csv, "type");
    const char *type = csv->cells[type_column];
    if (!type[0]) return sl_fail(err, SL_EINPUT, "missing type");
    SlLayerDraft draft;
    SlStatus status = sl_draft_init(&draft, type, err);
    if (status != SL_OK) return status;
    for (int i = 0; i < csv->n_columns; i++) {
        const SlLayerKey *key = NULL;
        if (i == type_column || !csv->cells[i][0]) continue;
        *cell = i;
        status = sl_draft_key(&draft, csv->header[i], &key, err);
        if (status == SL_OK) status = sl_draft_put_text(&draft, key, csv->cells[i], err);
        if (status != SL_OK) return status;
    }
    *cell = 0;
    return sl_draft_finish(&draft, layer, err);
}

// an upper bound of the rows, at most what a network may hold
static int count_lines(const char *text, size_t n) {
    int lines = 1;
    for (size_t i = 0; i < n && lines < SL_NETWORK_MAX_LAYERS; i++) lines += text[i] == '\n';
    return lines;
}

SlStatus sl_network_from_csv(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                             SlError *err) {
    SlCsv csv;
    SlNetworkBuilder builder;
    SlStatus status = sl_csv_open(in->name, in->text, in->n, in->scratch, &csv, err);
    if (status != SL_OK) return status;
    if ((status = check_header(in, &csv, err)) != SL_OK) return status;
    int room = count_lines(in->text, in->n);
    if ((status = sl_builder_init(&builder, room, arena, in->scratch, net, err)) != SL_OK)
        return status;

    for (bool more = true; more;) {
        if ((status = sl_csv_next(&csv, &more, err)) != SL_OK) return status;
        if (!more) break;
        SlLayer layer;
        int cell = 0;
        status = read_row(&csv, &layer, &cell, err);
        if (status == SL_OK) status = sl_builder_add(&builder, &layer, err);
        if (status != SL_OK) {
            int column = cell_column(in, csv.line, cell);
            return sl_error_place(err, status, in->name, csv.line, column);
        }
    }
    if (net->n_layers) return SL_OK;
    return sl_fail_at(err, SL_EINPUT, in->name, csv.line, 0, "expected at least one layer");
}
