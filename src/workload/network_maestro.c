// network_maestro.c - the layers of MAESTRO's .m files, and of GAMMA's tables.
//
// GAMMA (maestro-project/gamma) describes a layer by six sizes and a type T: 0 fully connected
// (outputs, inputs), 1 convolution (K C Y X R S), 2 depthwise (as 1, K is not used), 3 GEMM (M N
// K). Only T says what the columns mean; its three headers are names for people.
#include <stdio.h>
#include <string.h>

#include "layer_keys.h"
#include "maestro_parse.h"
#include "network_build.h"

// ---- .m files ----

// Append under its own name, or the first free of NAME_2, NAME_3, ...: MAESTRO does not mind.
static SlStatus add_renamed(SlNetworkBuilder *builder, SlLayer *layer, SlError *err) {
    char name[sizeof layer->name];
    memcpy(name, layer->name, sizeof name);
    // space for "_4096", not inside a character
    int n = (int)strlen(name);
    while (n > 58 || (n && ((unsigned char)name[n] & 0xC0) == 0x80)) n--;
    SlStatus status = sl_builder_add(builder, layer, err);
    for (int copy = 2; status != SL_OK && copy <= builder->room; copy++) {
        snprintf(layer->name, sizeof layer->name, "%.*s_%d", n, name, copy);
        status = sl_builder_add(builder, layer, err);
    }
    return status;
}

SlStatus sl_network_from_maestro(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                                 SlError *err) {
    SlMaestroNetwork file;
    SlNetworkBuilder builder;
    SlStatus status =
        sl_maestro_parse_some(in->name, in->text, in->n, false, in->scratch, &file, err);
    if (status == SL_OK)
        status = sl_builder_init(&builder, file.n_layers, arena, in->scratch, net, err);
    if (status != SL_OK) return status;
    memcpy(net->name, file.name, sizeof net->name);
    for (int i = 0; i < file.n_layers; i++) {
        SlLayer layer;
        const char *reason = sl_maestro_layer(&file.layers[i], &layer);
        if (reason)
            return sl_fail_at(err, SL_EINPUT, in->name, file.lines[i], 0, "layer '%s': %s",
                              file.layers[i].name, reason);
        status = add_renamed(&builder, &layer, err);
        if (status != SL_OK) return sl_error_place(err, status, in->name, file.lines[i], 0);
    }
    return SL_OK;
}

// ---- GAMMA's tables ----

enum { N_CELLS = 7 };
typedef enum { GAMMA_FC, GAMMA_CONV, GAMMA_DSCONV, GAMMA_GEMM, N_GAMMA_TYPES } GammaType;

static const char separators[] = " \t\r,";

// the header is one of GAMMA's
static bool skip_header(SlScan *scan) {
    static const char *const headers[][N_CELLS] = {{"K", "C", "Y", "X", "R", "S", "T"},
                                                   {"M", "N", "K", "0", "0", "0", "T"},
                                                   {"O", "I", "0", "0", "0", "0", "T"}};
    bool fits[3] = {true, true, true};
    int line = 0;
    for (int i = 0; i < N_CELLS; i++) {
        SlToken word;
        if (!sl_scan_next(scan, &word) || (line && word.line != line)) return false;
        line = word.line;
        for (int h = 0; h < 3; h++) fits[h] = fits[h] && sl_token_is(&word, headers[h][i]);
    }
    SlScan ahead = *scan;
    SlToken next;
    bool ends = !sl_scan_next(&ahead, &next) || next.line != line;
    return ends && (fits[0] || fits[1] || fits[2]);
}

static void init_scan(const SlNetworkText *in, SlScan *scan) {
    // a byte-order mark is not text
    size_t skip = in->n >= 3 && !memcmp(in->text, "\xEF\xBB\xBF", 3) ? 3 : 0;
    sl_scan_init(scan, in->name, in->text + skip, in->n - skip, separators, "#");
}

bool sl_network_is_gamma(const SlNetworkText *in) {
    SlScan scan;
    init_scan(in, &scan);
    return skip_header(&scan);
}

static SlStatus read_cell(const SlScan *scan, const SlToken *word, bool type, int32_t *cell,
                          SlError *err) {
    int64_t value = 0;
    if (!sl_token_int(word, type ? 0 : 1, type ? N_GAMMA_TYPES - 1 : INT32_MAX, &value))
        return sl_token_fail(scan, word, err, "expected %s, got '%.*s'",
                             type ? "a type T (0 FC, 1 CONV, 2 DSCONV, 3 GEMM)"
                                  : "a number from 1 to 2147483647",
                             sl_token_shown(word), word->text);
    *cell = (int32_t)value;
    return SL_OK;
}

// the seven numbers of the row that begins with `first`
static SlStatus read_row(SlScan *scan, const SlToken *first, int32_t cells[N_CELLS], SlError *err) {
    int n = 0;
    SlToken word = *first;
    for (; word.n && word.line == first->line; n++) {
        SlStatus status = SL_OK;
        if (n < N_CELLS) status = read_cell(scan, &word, n == N_CELLS - 1, &cells[n], err);
        if (status != SL_OK) return status;
        SlScan before = *scan;
        sl_scan_next(scan, &word);
        // the next row's first word stays unread
        if (word.line != first->line) *scan = before;
    }
    if (n == N_CELLS) return SL_OK;
    return sl_token_fail(scan, first, err, "expected %d numbers, got %d", N_CELLS, n);
}

// what the row means, without a name
static const char *row_layer(const int32_t cells[N_CELLS], SlLayer *layer) {
    GammaType type = (GammaType)cells[N_CELLS - 1];
    SlMaestroLayer shape = {0};
    for (int v = 0; v < SL_N_MV; v++) shape.stride[v] = 1;
    if (type == GAMMA_FC) {
        sl_layer_init(layer);
        layer->type = SL_LINEAR;
        layer->dims[SL_K] = cells[0];
        layer->dims[SL_C] = cells[1];
        return sl_layer_check(layer);
    }
    if (type == GAMMA_GEMM) {
        shape.type = SL_MAESTRO_GEMM;
        shape.size[SL_MV_M] = cells[0];
        shape.size[SL_MV_N] = cells[1];
        shape.size[SL_MV_K] = cells[2];
        return sl_maestro_layer(&shape, layer);
    }
    static const SlMaestroVar vars[] = {SL_MV_K, SL_MV_C, SL_MV_Y, SL_MV_X, SL_MV_R, SL_MV_S};
    shape.type = type == GAMMA_CONV ? SL_MAESTRO_CONV : SL_MAESTRO_DSCONV;
    for (int i = 0; i < N_CELLS - 1; i++) shape.size[vars[i]] = cells[i];
    return sl_maestro_layer(&shape, layer);
}

static int count_lines(const SlNetworkText *in) {
    int lines = 1;
    for (size_t i = 0; i < in->n && lines < SL_NETWORK_MAX_LAYERS; i++)
        lines += in->text[i] == '\n';
    return lines;
}

SlStatus sl_network_from_gamma(const SlNetworkText *in, SlArena *arena, SlNetwork *net,
                               SlError *err) {
    static const char *const names[N_GAMMA_TYPES] = {"fc", "conv", "dw", "gemm"};
    SlScan scan;
    SlNetworkBuilder builder;
    init_scan(in, &scan);
    skip_header(&scan);
    SlStatus status = sl_builder_init(&builder, count_lines(in), arena, in->scratch, net, err);
    while (status == SL_OK) {
        SlToken first;
        SlLayer layer;
        int32_t cells[N_CELLS] = {0};
        if (!sl_scan_next(&scan, &first)) break;
        if ((status = read_row(&scan, &first, cells, err)) != SL_OK) return status;
        const char *reason = row_layer(cells, &layer);
        if (reason) return sl_token_fail(&scan, &first, err, "%s", reason);
        snprintf(layer.name, sizeof layer.name, "%s%d", names[cells[N_CELLS - 1]],
                 net->n_layers + 1);
        status = sl_builder_add(&builder, &layer, err);
        if (status != SL_OK) sl_error_place(err, status, in->name, first.line, first.column);
    }
    if (status != SL_OK || net->n_layers) return status;
    return sl_fail_at(err, SL_EINPUT, in->name, scan.line, 0, "expected at least one layer");
}
